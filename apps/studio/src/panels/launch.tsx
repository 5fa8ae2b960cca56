import type { Launch, ReflectedBinding, ReflectedEntryPoint, ReflectedOverride, Reflection, Step } from "halay";
import { CopyButton } from "../parts/copy-button.tsx";
import { download } from "../parts/download.ts";
import { Icon } from "../parts/icon.tsx";
import { ProblemList } from "../parts/problems.tsx";
import { WrittenInput } from "../parts/written-field.tsx";
import { activate } from "../state/actions.ts";
import { editLaunch, setMember } from "../state/edit-launch.ts";
import { launch, launchName, launchText, reflections } from "../state/launch.ts";
import { plainName } from "../state/names.ts";
import { inspections } from "../state/store.ts";
import { later } from "../texts/later.ts";
import { BindFields } from "./launch-bind.tsx";
import { BufferField } from "./launch-buffer.tsx";
import { DataFieldset } from "./launch-data.tsx";
import { EngineFields } from "./launch-engine.tsx";
import { ExpectFieldset, SetFieldset } from "./launch-expect.tsx";
import { GridFields } from "./launch-grid.tsx";
import { ReadFieldset } from "./launch-read.tsx";
import "../styles/panels.css";

/** How the shader is run, as a form over the launch file. */
export function LaunchPanel() {
  const texts = later.value.launch;
  const current = launch.value;
  return (
    <div class="launch">
      <FileTools />
      {current === null && <p class="problem">{texts.broken}</p>}
      {current !== null && <Form current={current} />}
      <DataFieldset />
      <EngineFields />
    </div>
  );
}

function FileTools() {
  const texts = later.value.launch;
  const name = launchName.value;
  const known = name === "" ? undefined : inspections.value.get(name);
  return (
    <div class="launch-file">
      <div class="row">
        <p class="faint grow">
          {name === "" ? (
            texts.noFile
          ) : (
            <>
              {texts.file}{" "}
              <button type="button" class="link" onClick={() => activate(name)}>
                {name}
              </button>
            </>
          )}
        </p>
        <span class="inline">
          <CopyButton text={() => launchText.value} label={texts.copy} />
          <button type="button" onClick={() => download(name || "shader.launch.json", launchText.value)}>
            <Icon name="save" />
            {texts.save}
          </button>
        </span>
      </div>
      <ProblemList items={known?.diagnostics ?? []} text={known?.text} />
    </div>
  );
}

function Form({ current }: { readonly current: Launch }) {
  const texts = later.value.launch;
  const overrides = distinct(
    reflections.value.flatMap((each) => each.overrides),
    ({ name }) => name,
  );
  const bindings = distinct(
    reflections.value.flatMap((each) => each.bindings).filter(({ layout }) => layout !== null),
    ({ name }) => name,
  );
  const buffers = buffersOf(current, bindings);
  if (reflections.value.length === 0) return <p class="faint">{later.value.contract.illegal}</p>;
  return (
    <>
      {current.steps === undefined ? (
        <GridFields given={current} number={null} entries={entriesOf(reflections.value)} />
      ) : (
        current.steps.map((step, i) => (
          <StepFields key={i} step={step} number={i} shader={step.shader ?? current.shader} buffers={buffers} />
        ))
      )}
      {overrides.length > 0 && (
        <fieldset class="fields">
          <legend>{later.value.contract.overrides}</legend>
          {overrides.map((each) => (
            <OverrideField key={each.name} override={each} value={current.overrides?.[each.name]} />
          ))}
        </fieldset>
      )}
      <fieldset class="fields">
        <legend>{texts.buffers}</legend>
        {bindings.map((binding) => (
          <BufferField key={binding.name} binding={binding} contents={contentsFor(current, binding)} />
        ))}
        {bindings.length === 0 && <p class="faint">{later.value.contract.noBindings}</p>}
      </fieldset>
      <ExpectFieldset current={current} names={buffers} />
      <SetFieldset current={current} names={buffers} />
      <ReadFieldset current={current} names={buffers} />
    </>
  );
}

/** Names of variables, and those that steps give buffers. */
function buffersOf({ buffers, steps = [] }: Launch, bindings: readonly ReflectedBinding[]): readonly string[] {
  const bound = steps.flatMap(({ bind }) => Object.values(bind ?? {}));
  return [...new Set([...bindings.map(({ name }) => name), ...bound, ...Object.keys(buffers ?? {})])];
}

interface StepFieldsProps {
  readonly step: Step;
  readonly number: number;
  /** Its name; a launch that is open here names it. */
  readonly shader: Step["shader"];
  readonly buffers: readonly string[];
}

/** A step asks what its own shader has. */
function StepFields({ step, number, shader, buffers }: StepFieldsProps) {
  const own = typeof shader !== "string" ? null : (inspections.value.get(plainName(shader))?.reflection ?? null);
  const variables = own?.bindings.filter(({ layout }) => layout !== null).map(({ name }) => name) ?? [];
  return (
    <GridFields given={step} number={number} entries={entriesOf(own === null ? reflections.value : [own])}>
      <BindFields given={step} number={number} variables={variables} buffers={buffers} />
    </GridFields>
  );
}

function entriesOf(shaders: readonly Reflection[]): readonly ReflectedEntryPoint[] {
  return shaders.flatMap(({ entryPoints }) => entryPoints.filter(({ stage }) => stage === "compute"));
}

/** By name, or by `group.binding`. */
function contentsFor({ buffers }: Launch, { name, group, binding }: ReflectedBinding): unknown {
  return buffers?.[name] ?? buffers?.[`${group}.${binding}`];
}

function distinct<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

interface OverrideFieldProps {
  readonly override: ReflectedOverride;
  readonly value: number | boolean | undefined;
}

function OverrideField({ override: { name, type, default: usual }, value }: OverrideFieldProps) {
  const id = `override-${name}`;
  const set = (text: string) =>
    editLaunch((edited) => {
      const chosen = type === "bool" ? text === "true" : Number(text);
      setMember(edited, "overrides", name, text.trim() === "" ? undefined : chosen);
    });
  return (
    <div class="field">
      <label for={id}>
        {name} <code class="faint">{type}</code>
      </label>
      {type === "bool" ? (
        <select
          id={id}
          value={value === undefined ? "" : String(value)}
          onChange={(event) => set(event.currentTarget.value)}
        >
          <option value="">{usual === null ? later.value.contract.needed : String(usual)}</option>
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      ) : (
        <WrittenInput
          id={id}
          type="number"
          step="any"
          value={value === undefined ? "" : String(value)}
          placeholder={usual === null ? later.value.contract.needed : String(usual)}
          onWritten={set}
        />
      )}
    </div>
  );
}
