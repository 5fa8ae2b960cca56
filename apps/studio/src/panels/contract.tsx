import { useSignal } from "@preact/signals";
import type { ReflectedBinding, ReflectedEntryPoint, Reflection } from "halay";
import { language } from "../engine/client.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { download } from "../parts/download.ts";
import { Icon } from "../parts/icon.tsx";
import { launchShaders } from "../state/launch.ts";
import { activeName, files, inspections, isLaunchName } from "../state/store.ts";
import { later } from "../texts/later.ts";
import { t } from "../texts/texts.ts";
import { ByteGrid } from "./byte-grid.tsx";
import "../styles/panels.css";

/** What the host has to provide, of the shader in the editor. */
export function ContractPanel() {
  const texts = later.value.contract;
  const name = isLaunchName(activeName.value) ? launchShaders.value[0] : activeName.value;
  const reflection = inspections.value.get(name)?.reflection ?? null;
  if (reflection === null) {
    return (
      <div class="empty-panel">
        <p>{inspections.value.get(name) === undefined ? t.value.problems.checking : texts.illegal}</p>
      </div>
    );
  }
  const structs = Object.entries(reflection.structs);
  return (
    <div class="contract">
      <TypeScriptTools name={name} />
      {reflection.entryPoints.map((entry) => (
        <EntryPoint key={entry.name} entry={entry} />
      ))}
      <h3>{texts.bindings}</h3>
      {reflection.bindings.length === 0 && <p class="faint">{texts.noBindings}</p>}
      {reflection.bindings.map((binding) => (
        <Binding key={`${binding.group}.${binding.binding}`} binding={binding} />
      ))}
      <WorkgroupVariables reflection={reflection} />
      {structs.length > 0 && <h3>{texts.structs}</h3>}
      {structs.map(([struct, layout]) => (
        <section key={struct} class="layout-card" aria-label={struct}>
          <h4>
            <code>struct {struct}</code>
            <span class="faint">{texts.size(layout)}</span>
          </h4>
          <ByteGrid layout={layout} label={struct} />
        </section>
      ))}
      <Overrides reflection={reflection} />
    </div>
  );
}

function TypeScriptTools({ name }: { readonly name: string }) {
  const texts = later.value.contract;
  const shown = useSignal("");
  const text = () => files.value.find((file) => file.name === name)?.text ?? "";
  const made = () => language.call("typescript", { path: name, text: text() });
  const show = async () => {
    shown.value = shown.value === "" ? await made() : "";
  };
  return (
    <div class="typescript">
      <div class="row">
        <CopyButton text={made} label={texts.copyTypeScript} />
        <button type="button" onClick={async () => download(`${name.replace(/\.wgsl$/, "")}.ts`, await made())}>
          <Icon name="save" />
          {texts.saveTypeScript}
        </button>
        <button type="button" aria-expanded={shown.value !== ""} onClick={() => void show()}>
          {shown.value === "" ? texts.showTypeScript : texts.hideTypeScript}
        </button>
      </div>
      {shown.value !== "" && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        <pre class="code-block" tabIndex={0}>
          {shown.value}
        </pre>
      )}
    </div>
  );
}

function EntryPoint({ entry }: { readonly entry: ReflectedEntryPoint }) {
  const texts = later.value.contract;
  const { name, stage, workgroupSize, builtins, workgroupBytes } = entry;
  const size = workgroupSize === null ? null : workgroupSize.reduce((a, b) => a * b, 1);
  return (
    <section class="entry" aria-label={name}>
      <h3>
        <code>
          @{stage} fn {name}
        </code>
      </h3>
      <dl class="facts">
        {workgroupSize !== null && (
          <>
            <dt>{texts.workgroup}</dt>
            <dd>{texts.invocations(workgroupSize.join(" × "), size!)}</dd>
          </>
        )}
        {workgroupBytes !== null && workgroupBytes > 0 && (
          <>
            <dt>{texts.workgroupMemory}</dt>
            <dd>{texts.bytes(workgroupBytes)}</dd>
          </>
        )}
        {builtins.length > 0 && (
          <>
            <dt>{texts.builtins}</dt>
            <dd>{builtins.join(", ")}</dd>
          </>
        )}
        <dt>{texts.accesses}</dt>
        <dd>{accessesText(entry)}</dd>
      </dl>
    </section>
  );
}

/** `input: reads; tally: reads, updates atomically` */
function accessesText({ accesses }: ReflectedEntryPoint): string {
  const kinds = new Map<string, Set<string>>();
  for (const { variable, kind } of accesses)
    kinds.set(variable, (kinds.get(variable) ?? new Set()).add(t.value.editor.access[kind]));
  const parts = [...kinds].map(([variable, found]) => `${variable}: ${[...found].join(", ")}`);
  return parts.length === 0 ? "–" : parts.join("; ");
}

function Binding({ binding }: { readonly binding: ReflectedBinding }) {
  const texts = later.value.contract;
  const { group, binding: number, name, kind, type, layout, minBindingSize } = binding;
  return (
    <section class="layout-card" aria-label={name}>
      <h4>
        <span class="binding-number">
          {group}.{number}
        </span>
        {name} <code class="faint">{type}</code>
      </h4>
      <p class="faint">
        {texts.kinds[kind]}
        {minBindingSize !== null && ` · ${texts.smallest(minBindingSize)}`}
      </p>
      {layout !== null && <ByteGrid layout={layout} label={name} />}
    </section>
  );
}

function WorkgroupVariables({ reflection: { workgroupVariables } }: { readonly reflection: Reflection }) {
  const texts = later.value.contract;
  if (workgroupVariables.length === 0) return null;
  return (
    <>
      <h3>{texts.workgroupMemory}</h3>
      <table class="plain">
        <tbody>
          {workgroupVariables.map(({ name, type, layout }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>
                <code>{type}</code>
              </td>
              <td class="number">{layout === null ? "–" : texts.bytes(layout.size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Overrides({ reflection: { overrides } }: { readonly reflection: Reflection }) {
  const texts = later.value.contract;
  if (overrides.length === 0) return null;
  return (
    <>
      <h3>{texts.overrides}</h3>
      <table class="plain">
        <tbody>
          {overrides.map((each) => (
            <tr key={each.name}>
              <td>{each.name}</td>
              <td>
                <code>{each.type}</code>
              </td>
              <td>{each.id === null ? "" : `@id(${each.id})`}</td>
              <td class="number">{each.default === null ? texts.needed : String(each.default)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
