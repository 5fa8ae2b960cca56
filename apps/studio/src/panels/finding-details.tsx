import { useSignal } from "@preact/signals";
import type { JsonAccess, JsonFinding } from "halay";
import { FixButtons } from "../parts/fix-buttons.tsx";
import { Icon } from "../parts/icon.tsx";
import { Notes } from "../parts/notes.tsx";
import { PlaceLink, useLine } from "../parts/place-link.tsx";
import { suppress } from "../state/findings.ts";
import { execute } from "../state/running.ts";
import { later } from "../texts/later.ts";
import { t } from "../texts/texts.ts";
import { PhaseLanes } from "./phase-lanes.tsx";

/** The evidence: where, who, when, which value. */
export function FindingDetails({ finding }: { readonly finding: JsonFinding }) {
  const texts = later.value.findings;
  const { resource, accesses, notes, replay, spec } = finding;
  const pair = accesses.slice(0, 2);
  // The last note says how it is likely mended; the places of the accesses stand in the table.
  const repair = notes.at(-1);
  const others = notes.slice(0, -1).filter((note) => !accesses.some((access) => isAt(access, note)));
  return (
    <div class="finding-details">
      {repair !== undefined && (
        <div class="repair">
          <Icon name="info" />
          <p>{repair.message}</p>
          <FixButtons item={finding} onWritten={() => void execute("sanitize")} />
        </div>
      )}
      {pair.length > 0 && <AccessTable accesses={pair} />}
      {pair.length === 2 && <PhaseLanes first={pair[0]} second={pair[1]} />}
      <dl class="facts">
        {resource !== null && (
          <>
            <dt>{texts.cell}</dt>
            <dd>
              <code>{resource.path}</code> {texts.atByte(resource.byteOffset)}
              {resource.group !== null && ` · @group(${resource.group}) @binding(${resource.binding})`}
            </dd>
          </>
        )}
        {replay !== null && (
          <>
            <dt>{texts.schedule}</dt>
            <dd>
              {scheduleText(replay.schedule)}
              {replay.schedule === "random" && `, seed ${replay.seed}`}
            </dd>
          </>
        )}
      </dl>
      <Notes notes={others} />
      {spec !== null && (
        <a class="link" href={`https://www.w3.org/TR/WGSL/${spec}`} target="_blank" rel="noreferrer">
          {t.value.editor.specification} {spec}
        </a>
      )}
      <Suppress finding={finding} />
    </div>
  );
}

function scheduleText(kind: string): string {
  const known: Readonly<Record<string, string>> = later.value.launch.schedules;
  return known[kind] ?? kind;
}

function isAt(access: JsonAccess, note: JsonFinding["notes"][number]): boolean {
  return access.start.offset === note.start.offset && access.end.offset === note.end.offset;
}

function AccessTable({ accesses }: { readonly accesses: readonly JsonAccess[] }) {
  const texts = later.value.findings;
  return (
    <div class="table-scroll goes-on">
      <table class="plain accesses">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">{texts.access}</span>
            </th>
            <th scope="col">{texts.what}</th>
            <th scope="col">{texts.place}</th>
            <th scope="col">{texts.invocation}</th>
            <th scope="col">{texts.workgroup}</th>
            <th scope="col" class="number" title={texts.phaseHint}>
              {texts.phase}
            </th>
            <th scope="col" class="number">
              {texts.value}
            </th>
          </tr>
        </thead>
        <tbody>
          {accesses.map((access, i) => (
            <tr key={i === 0 ? "first" : "second"}>
              <td>
                <span class={`access-letter access-${i === 0 ? "first" : "second"}`}>{i === 0 ? "A" : "B"}</span>
              </td>
              <td>{access.atomic ?? texts.kinds[access.kind]}</td>
              <td>
                <PlaceLink place={access} />
              </td>
              <td>
                ({access.invocation.global.join(", ")}){" "}
                <span class="faint" title="local_invocation_index">
                  {texts.local(access.invocation.localIndex)}
                </span>
              </td>
              <td>({access.invocation.workgroup.join(", ")})</td>
              <td class="number">{access.phase}</td>
              <td class="number">{JSON.stringify(access.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Suppress({ finding }: { readonly finding: JsonFinding }) {
  const texts = later.value.findings;
  const reason = useSignal("");
  const isGone = useLine(finding) === null;
  const submit = (event: Event) => {
    event.preventDefault();
    if (isGone) return;
    suppress(finding, reason.value);
    void execute("sanitize");
  };
  return (
    <details class="suppress">
      <summary>{texts.suppress}</summary>
      <form onSubmit={submit} class="row">
        <input
          type="text"
          required
          aria-label={texts.reason}
          placeholder={texts.reason}
          value={reason.value}
          disabled={isGone}
          onInput={(event) => {
            reason.value = event.currentTarget.value;
          }}
        />
        <button type="submit" disabled={isGone || reason.value.trim() === ""}>
          {texts.suppressDo}
        </button>
      </form>
      <p class="faint">{isGone ? t.value.problems.gone : texts.suppressHint}</p>
    </details>
  );
}
