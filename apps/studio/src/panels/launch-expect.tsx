/** What must come out, how far off it may be, and single values that are put in: parts of the launch that name buffers. */
import { useSignal } from "@preact/signals";
import type { Launch } from "halay";
import { Icon } from "../parts/icon.tsx";
import { IconButton } from "../parts/icon-button.tsx";
import { WrittenInput } from "../parts/written-field.tsx";
import { editLaunch, setMember } from "../state/edit-launch.ts";
import { type ExpectFields, expectationOf, expectFieldsOf, writtenValue } from "../state/expect-fields.ts";
import { GENERATORS, type Generator } from "../state/spec-fields.ts";
import { later } from "../texts/later.ts";
import { ContentsFields } from "./launch-buffer.tsx";

interface NamedFieldsProps {
  readonly current: Launch;
  /** Of the buffers. */
  readonly names: readonly string[];
}

export function ExpectFieldset({ current, names }: NamedFieldsProps) {
  const texts = later.value.launch;
  const given = Object.entries(current.expect ?? {});
  const isGiven = (name: string) => given.some(([other]) => other === name);
  return (
    <fieldset class="fields">
      <legend>{texts.expect}</legend>
      <p class="faint">{texts.expectNote}</p>
      {given.map(([name, expectation]) => (
        <Expectation key={name} name={name} fields={expectFieldsOf(expectation)} />
      ))}
      <AddName
        label={texts.expectOf}
        names={names.filter((name) => !isGiven(name))}
        onAdd={(name) => editLaunch((launch) => setMember(launch, "expect", name, "zeros"))}
      />
      {given.length > 0 && <Tolerance current={current} />}
    </fieldset>
  );
}

function Expectation({ name, fields }: { readonly name: string; readonly fields: ExpectFields }) {
  const texts = later.value.launch;
  const { contents, unordered, count } = fields;
  const change = (next: Partial<ExpectFields>) =>
    editLaunch((launch) => setMember(launch, "expect", name, expectationOf({ ...fields, ...next })));
  return (
    <fieldset class="buffer-field" aria-label={texts.expectLabel(name)}>
      <div class="buffer-name">
        <strong>{name}</strong>
        <IconButton
          icon="close"
          label={texts.remove(name)}
          onPress={() => editLaunch((launch) => setMember(launch, "expect", name, undefined))}
        />
      </div>
      <div class="row">
        <select
          aria-label={`${name}: ${texts.expect}`}
          value={contents.kind}
          onChange={(event) => change({ contents: { ...contents, kind: event.currentTarget.value as Generator } })}
        >
          {GENERATORS.filter((each) => each !== "default").map((each) => (
            <option key={each} value={each}>
              {texts.generators[each]}
            </option>
          ))}
        </select>
        <ContentsFields
          fields={contents}
          name={texts.expectLabel(name)}
          isRuntimeSized
          change={(next) => change({ contents: { ...contents, ...next } })}
        />
      </div>
      <div class="row">
        <label class="check">
          <input type="checkbox" checked={unordered} onChange={() => change({ unordered: !unordered })} />
          {texts.unordered}
        </label>
        <label class="small-field wide">
          <span>{texts.counted}</span>
          <WrittenInput
            type="text"
            value={count}
            placeholder={texts.countedAll}
            onWritten={(text) => change({ count: text })}
          />
        </label>
      </div>
    </fieldset>
  );
}

function Tolerance({ current: { tolerance } }: { readonly current: Launch }) {
  const texts = later.value.launch;
  return (
    <div class="field">
      <span aria-hidden="true">{texts.tolerance}</span>
      <div class="tolerances">
        {(["abs", "rel", "ulp"] as const).map((kind) => (
          <label class="small-field" key={kind} title={texts.tolerances[kind]}>
            <span>{kind}</span>
            <WrittenInput
              type="number"
              min="0"
              step="any"
              aria-label={`${texts.tolerance}: ${texts.tolerances[kind]}`}
              value={tolerance?.[kind] === undefined ? "" : String(tolerance[kind])}
              onWritten={(value) => {
                editLaunch((launch) =>
                  setMember(launch, "tolerance", kind, value === "" ? undefined : Math.max(0, Number(value))),
                );
              }}
            />
          </label>
        ))}
      </div>
    </div>
  );
}

export function SetFieldset({ current, names }: NamedFieldsProps) {
  const texts = later.value.launch;
  const given = Object.entries(current.set ?? {});
  const write = (path: string, value: unknown) => editLaunch((launch) => setMember(launch, "set", path, value));
  return (
    <fieldset class="fields">
      <legend>{texts.set}</legend>
      <p class="faint">{texts.setNote}</p>
      {given.map(([path, value]) => (
        <div class="field" key={path}>
          <label for={`set-${path}`}>
            <code>{path}</code>
          </label>
          <div class="row">
            <WrittenInput
              id={`set-${path}`}
              type="text"
              value={typeof value === "string" ? value : JSON.stringify(value)}
              onWritten={(text) => write(path, writtenValue(text))}
            />
            <IconButton icon="close" label={texts.remove(path)} onPress={() => write(path, undefined)} />
          </div>
        </div>
      ))}
      <AddName label={texts.setOf} names={names} onAdd={(path) => write(path, 0)} />
    </fieldset>
  );
}

interface AddNameProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly onAdd: (name: string) => void;
}

/** A buffer or the path of a value in one. */
export function AddName({ label, names, onAdd }: AddNameProps) {
  const typed = useSignal("");
  const id = `names-${label.replace(/\W+/g, "-")}`;
  const submit = (event: Event) => {
    event.preventDefault();
    const name = typed.value.trim();
    if (name === "") return;
    onAdd(name);
    typed.value = "";
  };
  return (
    <form class="row add-name" onSubmit={submit}>
      <input
        type="text"
        list={id}
        aria-label={label}
        placeholder={label}
        spellcheck={false}
        autocomplete="off"
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
        }}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button type="submit" disabled={typed.value.trim() === ""}>
        <Icon name="plus" />
        {later.value.launch.add}
      </button>
    </form>
  );
}
