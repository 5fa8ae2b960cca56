import { signal, useSignal } from "@preact/signals";
import { callOnce } from "../engine/client.ts";
import type { BufferData, ExportFormat, Part, Report } from "../engine/protocol.ts";
import { download } from "../parts/download.ts";
import { Icon } from "../parts/icon.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { FoundIn, Outdated } from "../parts/place-link.tsx";
import { ProblemList } from "../parts/problems.tsx";
import { editLaunch, setMember } from "../state/edit-launch.ts";
import { execute } from "../state/running.ts";
import { previous, report, running, tell, work } from "../state/store.ts";
import { later } from "../texts/later.ts";
import { t } from "../texts/texts.ts";
import { Comparisons } from "./result-comparisons.tsx";
import { ResultPlot } from "./result-plot.tsx";
import { ResultTable } from "./result-table.tsx";
import "../styles/panels.css";

export function ResultPanel() {
  const texts = later.value.result;
  const shown = report.value;
  if (shown === null) {
    return (
      <div class="empty-panel">
        <p>{running.value === null ? texts.empty : t.value.run.busy[running.value.task]}</p>
      </div>
    );
  }
  return (
    <FoundIn.Provider value={shown.texts}>
      <div class="result">
        <GpuRefused report={shown} />
        <Outdated texts={shown.texts} />
        {shown.dispatches.length > 0 && <Summary report={shown} />}
        <Comparisons comparisons={shown.comparisons} />
        <ProblemList items={shown.diagnostics} />
        <Buffers buffers={shown.buffers} />
      </div>
    </FoundIn.Provider>
  );
}

/** Why the GPU was not given the shader, and how it is given it all the same. */
function GpuRefused({ report: { gpuRefused } }: { readonly report: Report }) {
  if (gpuRefused === null) return null;
  const texts = t.value.run;
  return (
    <div class="gpu-refused" role="alert">
      <p>
        <Icon name="warning" />
        <span>
          <strong>{texts.gpuRefused}</strong> {texts.gpuRefusedWhy[gpuRefused]} {texts.gpuWarning}
        </span>
      </p>
      <button type="button" onClick={() => void execute("run", true)}>
        {texts.gpuAnyway}
      </button>
    </div>
  );
}

function Summary({ report: { dispatches, engine: name, device, defaults, notes } }: { readonly report: Report }) {
  const texts = later.value.result;
  // The only entry point was no choice.
  const chosen = defaults
    .filter(({ kind }) => kind !== "entry")
    .map(({ kind, name, value }) => `${kind === "workgroups" ? texts.workgroups.toLowerCase() : name} = ${value}`);
  return (
    <div class="summary">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">{texts.dispatch}</th>
            <th scope="col">{texts.workgroups}</th>
            <th scope="col" class="number">
              {texts.invocations}
            </th>
            <th scope="col" class="number">
              {texts.time}
            </th>
          </tr>
        </thead>
        <tbody>
          {dispatches.slice(0, 20).map((each, i) => (
            <tr key={i}>
              <td>
                {each.entry}
                {device === "both" && <span class="faint"> {i < dispatches.length / 2 ? "CPU" : "GPU"}</span>}
              </td>
              <td>{each.workgroups.join(" × ")}</td>
              <td class="number">{t.value.number(each.invocations)}</td>
              <td class="number">{t.value.number(each.milliseconds, 1)} ms</td>
            </tr>
          ))}
        </tbody>
      </table>
      {dispatches.length > 20 && <p class="faint">{texts.moreDispatches(dispatches.length - 20)}</p>}
      <p class="faint">
        {texts.ranOn(texts.devices[device], name)}
        {notes.includes("no-shared-memory") && ` ${texts.oneCore}`}
        {chosen.length > 0 && ` ${texts.chosen} ${chosen.join(", ")}.`}
      </p>
    </div>
  );
}

/** Buffers that are on the page at first, and that every press adds. */
const BUFFERS = 12;

function Buffers({ buffers }: { readonly buffers: readonly BufferData[] }) {
  const most = useSignal(BUFFERS);
  return (
    <>
      {buffers.slice(0, most.value).map((buffer) => (
        <BufferView key={buffer.name} buffer={buffer} />
      ))}
      <MoreButton left={buffers.length - most.value} onMore={() => (most.value += BUFFERS)} />
    </>
  );
}

/** `grid[64]`, `tiles[4].bins[256]` */
function partName(name: string, { path, count, inner }: Part): string {
  const outer = `${name}${path}`;
  return inner === null ? `${outer}[${count}]` : `${outer}[${count / inner.count}]${inner.path}[${inner.count}]`;
}

/** What can be compared value by value. */
function isAlike(old: BufferData, buffer: BufferData): boolean {
  return old.name === buffer.name && old.type === buffer.type && old.bytes.length === buffer.bytes.length;
}

const VIEWS = ["table", "line", "bar", "heat", "image"] as const;
type View = (typeof VIEWS)[number];

/** How each buffer is looked at, by the work that is open and its name: from one run to the next, and while other panels are shown. */
const views = signal<ReadonlyMap<string, View>>(new Map());

function BufferView({ buffer }: { readonly buffer: BufferData }) {
  const texts = later.value.result;
  const viewKey = `${work.value.number} ${buffer.name}`;
  const view = views.value.get(viewKey) ?? "table";
  const partAt = useSignal(0);
  const part = buffer.parts[Math.min(partAt.value, buffer.parts.length - 1)];
  const canPlot = part.isArray && part.count > 0;
  const hasArray = buffer.parts.some(({ isArray, count }) => isArray && count > 0);
  const hasTools = hasArray || buffer.parts.length > 1;
  const before = previous.value?.buffers.find((old) => isAlike(old, buffer)) ?? null;
  const place = buffer.group === null ? "" : `@group(${buffer.group}) @binding(${buffer.binding})`;
  return (
    <section class="buffer" aria-label={buffer.name}>
      <header class="buffer-head">
        <h3>{buffer.name}</h3>
        <code class="faint">
          {buffer.type} {place}
        </code>
        {!hasTools && <Exports buffer={buffer} />}
      </header>
      {hasTools && (
        <div class="buffer-tools">
          {buffer.parts.length > 1 && (
            <select
              aria-label={texts.part}
              value={String(partAt.value)}
              onChange={(event) => {
                partAt.value = Number(event.currentTarget.value);
              }}
            >
              {buffer.parts.map((each, i) => (
                <option key={partName("", each)} value={String(i)}>
                  {each.isArray ? partName(buffer.name, each) : texts.members}
                </option>
              ))}
            </select>
          )}
          {hasArray && (
            <fieldset class="segmented">
              <legend class="unseen">{texts.view}</legend>
              {VIEWS.map((name) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={view === name}
                  disabled={name !== "table" && !canPlot}
                  onClick={() => {
                    views.value = new Map(views.value).set(viewKey, name);
                  }}
                >
                  {texts.views[name]}
                </button>
              ))}
            </fieldset>
          )}
          <Exports buffer={buffer} />
        </div>
      )}
      {view === "table" || !canPlot ? (
        <ResultTable buffer={buffer} part={part} before={before} />
      ) : (
        <ResultPlot buffer={buffer} part={part} kind={view} />
      )}
    </section>
  );
}

const FORMATS: readonly ExportFormat[] = ["json", "csv", "npy", "bin"];

/** More are too many for a launch file, in bytes. */
const MOST_EXPECTED = 2 ** 20;

function Exports({ buffer: { name, bytes, layout } }: { readonly buffer: BufferData }) {
  const texts = later.value.result;
  const isLong = bytes.length > MOST_EXPECTED;
  const made = (format: ExportFormat) => callOnce("exportBuffer", { name, bytes, layout, format });
  const writing = useSignal("");
  const save = async (format: ExportFormat) => {
    try {
      writing.value = `${name}.${format}`;
      download(`${name}.${format}`, format === "bin" ? bytes : await made(format));
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error), "error");
    } finally {
      writing.value = "";
    }
  };
  const expectThis = async () => {
    const { number } = work.value;
    // What is shown is the outcome of its own launch, whichever file is in front by now.
    const file = report.value?.file;
    const values: unknown = JSON.parse(new TextDecoder().decode(await made("json")));
    // Other files may be open by now.
    if (work.value.number !== number) return;
    if (editLaunch((launch) => setMember(launch, "expect", name, { values }), file)) tell(texts.expected(name));
  };
  return (
    <div class="exports">
      {writing.value !== "" && (
        <span class="faint" role="status">
          {texts.writing(writing.value)}
        </span>
      )}
      <select
        aria-label={texts.export}
        value=""
        onChange={(event) => {
          const format = event.currentTarget.value as ExportFormat;
          event.currentTarget.value = "";
          if (format.length > 0) void save(format);
        }}
      >
        <option value="">{texts.export}</option>
        {FORMATS.map((format) => (
          <option key={format} value={format}>
            .{format}
          </option>
        ))}
      </select>
      <button
        type="button"
        disabled={isLong}
        onClick={() => void expectThis()}
        title={isLong ? texts.expectTooMany : texts.expectHint}
      >
        <Icon name="check" />
        {texts.expectThis}
      </button>
    </div>
  );
}
