import type { Launch, ReflectedEntryPoint, Step } from "halay";
import type { ComponentChildren } from "preact";
import { WrittenInput } from "../parts/written-field.tsx";
import { editLaunch, stepOf } from "../state/edit-launch.ts";
import type { JsonObject } from "../state/launch-shape.ts";
import { later } from "../texts/later.ts";

interface GridFieldsProps {
  /** The step, or the launch itself. */
  readonly given: Step | Launch;
  /** Which step it is, from 0; null: the launch itself. */
  readonly number: number | null;
  readonly entries: readonly ReflectedEntryPoint[];
  readonly children?: ComponentChildren;
}

/** Entry point and number of workgroups of one step. */
export function GridFields({ given, number, entries, children }: GridFieldsProps) {
  const texts = later.value.launch;
  // Among several, nobody has chosen one yet.
  const isOpen = given.entry === undefined && entries.length > 1;
  const entry = isOpen ? undefined : (entries.find(({ name }) => name === given.entry) ?? entries[0]);
  const size = entry?.workgroupSize ?? null;
  const call = number === null ? (given as Launch).call : undefined;
  const isIndirect = typeof given.workgroups === "object" && !Array.isArray(given.workgroups);
  const groups = groupsOf(given.workgroups);
  const change = (edit: (step: JsonObject) => void) => editLaunch((launch) => edit(stepOf(launch, number)));
  const setGroup = (axis: number, text: string) =>
    change((step) => {
      const next = [...(groups ?? [1, 1, 1])];
      next[axis] = text === "" ? 1 : Math.max(0, Math.floor(Number(text)));
      while (next.length > 1 && next.at(-1) === 1) next.pop();
      delete step.invocations;
      // Emptied: nothing is said any more.
      if (text === "" && next.every((count) => count === 1)) delete step.workgroups;
      else step.workgroups = next;
    });
  return (
    <fieldset class="fields">
      <legend>{number === null ? texts.dispatch : texts.step(number + 1)}</legend>
      {call === undefined ? (
        <label class="field">
          <span>{texts.entry}</span>
          <select
            value={given.entry ?? entry?.name ?? ""}
            onChange={(event) => {
              const name = event.currentTarget.value;
              change((step) => {
                step.entry = name;
              });
            }}
          >
            {isOpen && <option value="">{later.value.contract.needed}</option>}
            {entries.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <p>
          {texts.call} <code>{call}</code>
        </p>
      )}
      {isIndirect ? (
        <p class="faint">{texts.indirect}</p>
      ) : (
        <div class="field">
          <span aria-hidden="true">{texts.workgroups}</span>
          <div class="triple">
            {["x", "y", "z"].map((axis, i) => (
              <WrittenInput
                key={axis}
                type="number"
                min="0"
                aria-label={`${texts.workgroups} ${axis}`}
                value={String(groups?.[i] ?? "")}
                placeholder={given.invocations === undefined ? (i === 0 ? "4" : "1") : ""}
                onWritten={(text) => setGroup(i, text)}
              />
            ))}
          </div>
        </div>
      )}
      {size !== null && !isIndirect && call === undefined && (
        <p class="faint field-note">{texts.total(size.join(" × "), totalOf(given, groups, size))}</p>
      )}
      {number !== null && (
        <label class="field">
          <span>{texts.repeat}</span>
          <WrittenInput
            type="number"
            min="1"
            value={String((given as Step).repeat ?? 1)}
            onWritten={(text) => {
              const count = Math.max(1, Math.floor(Number(text)));
              change((step) => {
                if (count === 1) delete step.repeat;
                else step.repeat = count;
              });
            }}
          />
        </label>
      )}
      {children}
    </fieldset>
  );
}

/** null: not said. */
function groupsOf(given: Step["workgroups"]): readonly [number, number, number] | null {
  if (typeof given === "number") return [given, 1, 1];
  if (!Array.isArray(given)) return null;
  const [x = 1, y = 1, z = 1] = given as readonly number[];
  return [x, y, z];
}

function totalOf(given: Step | Launch, groups: readonly number[] | null, size: readonly number[]): number {
  const each = size.reduce((a, b) => a * b, 1);
  if (given.invocations !== undefined) return Math.ceil(given.invocations / size[0]) * each;
  return (groups ?? [4]).reduce((a, b) => a * b, each);
}
