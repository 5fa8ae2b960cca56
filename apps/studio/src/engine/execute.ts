/** Runs launches: on the CPU engine, on the browser's GPU, or with the checkers watching. */
import {
  checkRules,
  type Diagnostic,
  diagnosticsToJson,
  FileError,
  type FileReader,
  type Finding,
  findingsToJson,
  gravestFirst,
  type LanguageName,
  type Launch,
  type ProfileResult,
  type Program,
  profile,
  profileResultToJson,
  type ReadBuffer,
  type RunResult,
  readLaunch,
  run,
  type SanitizeResult,
  type Source,
  sanitize,
  typeName,
} from "halay";
import { gpuAdapter, runOnGpu } from "./gpu.ts";
import { inLanguage } from "./in-language.ts";
import { partsOf } from "./parts.ts";
import type { BufferData, ExecuteInput, Files, Progress, Report, Sayable } from "./protocol.ts";

type Ran = Pick<
  RunResult,
  "device" | "engine" | "notes" | "defaults" | "dispatches" | "buffers" | "comparisons" | "diagnostics"
>;
type Result = Ran &
  Partial<Pick<SanitizeResult, "findings" | "checked">> &
  Partial<Pick<ProfileResult, "profile">> & { readonly gpuRefused?: Report["gpuRefused"] };

/** Of a launch that is refused. */
const NOTHING: Omit<Ran, "diagnostics"> = {
  device: "cpu",
  engine: "",
  notes: [],
  defaults: [],
  dispatches: [],
  buffers: {},
  comparisons: [],
};

/** Where contention is drawn, every address counts. */
const ADDRESSES = 4096;

/** A race, so that all that says what was found is loaded too; with threads, where there are some. */
const WARMING = `@group(0) @binding(0) var<storage, read_write> v: u32;
@compute @workgroup_size(64) fn main() { v = 1u; }`;

/** Loads what runs shaders, by running one. */
export async function warmUp(): Promise<{ gpu: boolean }> {
  for (const task of ["run", "sanitize", "profile"] as const) {
    const launchText = JSON.stringify({ shader: "a.wgsl", workgroups: task === "run" ? 1024 : 2 });
    await execute(
      {
        task,
        launchPath: "a.launch.json",
        launchText,
        files: { texts: new Map([["a.wgsl", WARMING]]), data: new Map() },
        device: "cpu",
        gpuAnyway: false,
        subgroupSize: null,
        schedule: "in-order",
        seed: 1,
        checks: null,
        language: "en",
      },
      () => {},
    );
  }
  return { gpu: (await gpuAdapter()) !== null };
}

export async function execute(input: ExecuteInput, progress: (progress: Progress) => void): Promise<Report> {
  const { task, launchPath, launchText, language } = input;
  const { launch, source, diagnostics } = readLaunch(launchText, launchPath);
  if (launch === null) {
    return reportOf(task, { ...NOTHING, diagnostics, ...(task === "sanitize" ? { findings: [] } : {}) }, language);
  }
  const total = totalDispatches(launch);
  const { schedule, seed, subgroupSize } = input;
  const isTrial = task === "run" && input.device !== "cpu" && !input.gpuAnyway;
  const options = (trial: boolean) => ({
    source,
    files: filesOf(input.files),
    seed,
    // In order is what every engine does by itself, and the fast one is for that.
    ...(schedule === "in-order" ? {} : { schedule }),
    ...(subgroupSize === null ? {} : { subgroupSize }),
    observe: (step: { readonly entry: { readonly name: string } }, dispatch: number) => {
      progress({ isTrial: trial, entry: step.entry.name, dispatch: dispatch + 1, total });
      return null;
    },
  });
  const result: Result =
    task === "sanitize"
      ? await sanitize(launch, { ...options(false), ...(input.checks === null ? {} : { checks: input.checks }) })
      : task === "profile"
        ? await profile(launch, { ...options(false), addresses: ADDRESSES })
        : input.device === "cpu"
          ? await run(launch, options(false))
          : await runOnGpu(launch, input.device, options, isTrial);
  return reportOf(task, result, language);
}

function totalDispatches({ steps }: Launch): number {
  return steps === undefined ? 1 : steps.reduce((sum, { repeat = 1 }) => sum + repeat, 0);
}

function filesOf({ texts, data }: Files): FileReader {
  return {
    async read(path) {
      const text = texts.get(path);
      if (text !== undefined) return new TextEncoder().encode(text);
      const bytes = data.get(path);
      if (bytes !== undefined) return bytes;
      throw new FileError({ phrase: "no-such-open-file", args: {} });
    },
  };
}

async function reportOf(task: Report["task"], result: Result, language: LanguageName): Promise<Report> {
  const { device, engine, notes, defaults, dispatches, gpuRefused = null } = result;
  const diagnostics = await inLanguage(result.diagnostics, language);
  // The gravest first: that is the one that is opened.
  const found = await withFixes(gravestFirst(result.findings ?? []));
  return {
    task,
    language,
    gpuRefused,
    device,
    engine,
    notes,
    defaults,
    dispatches,
    buffers: Object.entries(result.buffers).map(([name, buffer]) => bufferData(name, buffer)),
    comparisons: result.comparisons,
    diagnostics: diagnosticsToJson(diagnostics),
    findings: result.findings === undefined ? null : findingsToJson(await inLanguage(found, language)),
    sayable: { diagnostics: result.diagnostics.map(sayableOf), findings: found.map(sayableOf) },
    checked: result.checked ?? null,
    profile: result.profile === undefined ? null : profileResultToJson(result as ProfileResult).profile,
  };
}

/** Findings that are looked at for fixes: each may check the text some times. */
const MOST_MENDED = 32;

async function withFixes(findings: readonly Finding[]): Promise<readonly Finding[]> {
  if (findings.length === 0) return findings;
  // What was found is worth more than how it is mended: it is shown all the same.
  const advice = await import("./advice.ts").catch(() => null);
  if (advice === null) return findings;
  const programs = new Map<Source, Program>();
  return findings.map((finding, i) => {
    if (i >= MOST_MENDED) return finding;
    const { source } = finding;
    const program = programs.get(source) ?? checkRules(source.text, { path: source.path }).analysis;
    programs.set(source, program);
    return { ...finding, fixes: advice.fixesOf(program, finding) };
  });
}

function sayableOf({ code, severity, message, args, span, notes, spec, fixes }: Diagnostic): Sayable {
  return { code, severity, message, args, span, notes, spec, fixes };
}

function bufferData(name: string, buffer: ReadBuffer): BufferData {
  const { group, binding, bytes, layout } = buffer;
  // A copy: the bytes may lie in the middle of the engine's memory.
  return {
    name,
    group,
    binding,
    type: typeName(layout.type),
    bytes: bytes.slice(),
    layout,
    parts: partsOf(layout, bytes.byteLength, buffer.from),
  };
}
