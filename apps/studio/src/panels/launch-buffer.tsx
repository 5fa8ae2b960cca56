import { useSignal } from "@preact/signals";
import type { ReflectedBinding } from "halay";
import { WrittenInput, WrittenText } from "../parts/written-field.tsx";
import { editLaunch, setMember } from "../state/edit-launch.ts";
import { exampleValues } from "../state/example-values.ts";
import { isObject } from "../state/launch-shape.ts";
import { plainName } from "../state/names.ts";
import { contentsOf, fieldsOf, GENERATORS, type Generator, type SpecFields } from "../state/spec-fields.ts";
import { dataFiles, isTaken, report } from "../state/store.ts";
import { takeData, tensorIn } from "../state/take-files.ts";
import { later } from "../texts/later.ts";

interface BufferFieldProps {
  readonly binding: ReflectedBinding;
  readonly contents: unknown;
}

/** What a buffer holds at first: made, written, or a file that is dropped here. */
export function BufferField({ binding, contents }: BufferFieldProps) {
  const texts = later.value.launch;
  const { name, group, binding: number, type, kind, layout } = binding;
  const fields = fieldsOf(contents);
  const isRuntimeSized = layout?.runtimeSized === true;
  const change = (next: Partial<SpecFields>) => write(binding, contentsOf({ ...fields, ...next }));
  const isOver = useSignal(false);
  const drop = (list: readonly File[]) => takeInto(fields, list, name, change);
  return (
    <fieldset
      class={isOver.value ? "buffer-field dropping" : "buffer-field"}
      aria-label={name}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={(event) => {
        isOver.value = event.currentTarget.contains(event.relatedTarget as Node | null);
      }}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        event.stopPropagation();
        void drop([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <div class="buffer-name">
        <span class="binding-number">
          {group}.{number}
        </span>
        <strong>{name}</strong>
        <code class="faint">{type}</code>
        {kind !== "storage" && <span class="tag">{later.value.contract.kinds[kind]}</span>}
      </div>
      <div class="row">
        <select
          aria-label={`${name}: ${texts.contents}`}
          value={fields.kind}
          onChange={(event) => change({ kind: event.currentTarget.value as Generator })}
        >
          {GENERATORS.map((each) => (
            <option key={each} value={each}>
              {texts.generators[each]}
            </option>
          ))}
        </select>
        <ContentsFields
          fields={fields}
          name={name}
          isRuntimeSized={isRuntimeSized}
          example={layout === null ? "" : exampleValues(layout)}
          change={change}
        />
        {fields.kind === "default" && <UsualContents name={name} usual={kind === "storage" ? "zeros" : "random"} />}
      </div>
    </fieldset>
  );
}

/** By itself: a run that ends draws nothing else anew, least of all a field that is being written. */
function UsualContents({ name, usual }: { readonly name: string; readonly usual: "zeros" | "random" }) {
  // What the run before took is said as it was; zeros are zeros in every language.
  const chosen = report.value?.defaults.find((each) => each.kind === "buffer" && each.name === name)?.value ?? usual;
  const known: Readonly<Record<string, string>> = later.value.launch.usualContents;
  return <span class="faint">{known[chosen] ?? chosen}</span>;
}

async function takeInto(
  { kind, text }: SpecFields,
  [first]: readonly File[],
  name: string,
  change: (next: Partial<SpecFields>) => void,
): Promise<void> {
  if (first === undefined) return;
  const taken = await takeData(first, kind === "file" ? fileOf(text) : "");
  if (taken === null) return;
  const bytes = dataFiles.value.get(taken);
  const tensor = /\.safetensors$/i.test(taken) && bytes !== undefined ? tensorIn(bytes, name) : null;
  change({ kind: "file", text: tensor === null ? taken : `${taken}#${tensor}` });
}

function write({ name, group, binding }: ReflectedBinding, contents: unknown): void {
  editLaunch((launch) => {
    const place = `${group}.${binding}`;
    const isByPlace = isObject(launch.buffers) && Object.hasOwn(launch.buffers, place);
    setMember(launch, "buffers", isByPlace ? place : name, contents);
  });
}

interface ContentsFieldsProps {
  readonly fields: SpecFields;
  readonly name: string;
  readonly isRuntimeSized: boolean;
  /** What its values look like. */
  readonly example?: string;
  readonly change: (next: Partial<SpecFields>) => void;
}

/** As much JSON as is written in a field; what is longer is written in the file. */
const MOST_TEXT = 20_000;

/** The fields of one kind of contents. */
export function ContentsFields({ fields, name, isRuntimeSized, example = "", change }: ContentsFieldsProps) {
  const texts = later.value.launch;
  const { kind } = fields;
  const small = (key: "count" | "value" | "seed" | "min" | "max") => (
    <label class="small-field" key={key}>
      <span>{texts.fields[key]}</span>
      <WrittenInput
        type="text"
        inputMode="decimal"
        aria-label={`${name}: ${texts.fields[key]}`}
        value={fields[key]}
        onWritten={(text) => change({ [key]: text })}
      />
    </label>
  );
  switch (kind) {
    case "default":
      return null;
    case "values":
      return fields.text.length > MOST_TEXT ? (
        <span class="faint">{texts.longValues(fields.text.length)}</span>
      ) : (
        <WrittenText
          rows={2}
          spellcheck={false}
          aria-label={`${name}: ${texts.generators.values}`}
          placeholder={example}
          value={fields.text}
          onWritten={(text) => change({ text })}
        />
      );
    case "file":
      return (
        <FileChoice
          name={name}
          text={fields.text}
          change={change}
          drop={(list) => takeInto(fields, list, name, change)}
        />
      );
    default:
      return (
        <>
          {isRuntimeSized && small("count")}
          {kind === "fill" && small("value")}
          {kind === "random" && (["seed", "min", "max"] as const).map(small)}
        </>
      );
  }
}

/** `model.safetensors#weights` names a part of a file. */
function fileOf(text: string): string {
  return plainName(text.replace(/(\.safetensors)#.*$/is, "$1"));
}

interface FileChoiceProps {
  readonly name: string;
  readonly text: string;
  readonly change: (next: Partial<SpecFields>) => void;
  readonly drop: (list: readonly File[]) => Promise<void>;
}

function FileChoice({ name, text, change, drop }: FileChoiceProps) {
  const texts = later.value.launch;
  const file = fileOf(text);
  const known = file === "" || dataFiles.value.has(file) || isTaken(file);
  return (
    <>
      {(text !== "" || dataFiles.value.size > 0) && (
        <WrittenInput
          type="text"
          class="grow"
          list="data-files"
          title={text}
          aria-label={`${name}: ${texts.generators.file}`}
          value={text}
          onWritten={(written) => change({ text: written })}
        />
      )}
      <datalist id="data-files">
        {[...dataFiles.value.keys()].map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <label class="button">
        {texts.chooseFile}
        <input
          class="unseen"
          type="file"
          accept=".npy,.bin,.json,.csv,.png,.safetensors"
          aria-label={`${name}: ${texts.chooseFile}`}
          onChange={(event) => {
            void drop([...(event.currentTarget.files ?? [])]);
            // The same file may be chosen again, after it changed.
            event.currentTarget.value = "";
          }}
        />
      </label>
      {!known && <span class="severity-warning">{texts.fileMissing}</span>}
    </>
  );
}
