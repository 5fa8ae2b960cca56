/** Runs launches: on the CPU engine, on the browser's GPU, or with the checkers watching. */
import {
  bufferFile,
  diagnosticsToJson,
  FileError,
  type FileReader,
  findingsToJson,
  gravestFirst,
  type LanguageName,
  type Launch,
  type ProfileResult,
  profile,
  profileResultToJson,
  type ReadBuffer,
  type RunResult,
  readLaunch,
  run,
  type SanitizeResult,
  sanitize,
  typeName,
} from "halay";
import { inLanguage } from "./in-language.ts";
import { partsOf } from "./parts.ts";
import type { BufferData, Calls, ExecuteInput, Files, Progress, Report } from "./protocol.ts";

type Result = RunResult & Partial<Pick<SanitizeResult, "findings" | "checked">> & Partial<ProfileResult>;

/** Where contention is drawn, every address counts. */
const ADDRESSES = 4096;

/** What the last run read back, for exports. */
let last: RunResult["buffers"] = {};

/** Loads what runs shaders, by running one that does nothing. */
export async function warmUp(): Promise<{ gpu: boolean }> {
  await sanitize({ shader: "@compute @workgroup_size(1) fn main() {}", workgroups: 1 });
  return { gpu: (await gpuAdapter()) !== null };
}

export async function execute(input: ExecuteInput, progress: (progress: Progress) => void): Promise<Report> {
  const { task, launchPath, launchText, language } = input;
  const started = performance.now();
  const { launch, source, diagnostics } = readLaunch(launchText, launchPath);
  if (launch === null) return nothing(task, diagnosticsToJson(await inLanguage(diagnostics, language)));
  const total = totalDispatches(launch);
  const { schedule, seed, subgroupSize } = input;
  const options = {
    source,
    files: filesOf(input.files),
    schedule,
    seed,
    ...(subgroupSize === null ? {} : { subgroupSize }),
    observe: (step: { readonly entry: { readonly name: string } }, dispatch: number) => {
      progress({ entry: step.entry.name, dispatch: dispatch + 1, total });
      return null;
    },
  };
  const result: Result =
    task === "sanitize"
      ? await sanitize(launch, { ...options, ...(input.checks === null ? {} : { checks: input.checks }) })
      : task === "profile"
        ? await profile(launch, { ...options, addresses: ADDRESSES })
        : await runOnDevices(launch, input, options);
  last = result.buffers;
  return reportOf(task, result, performance.now() - started, language);
}

async function runOnDevices(
  launch: Launch,
  { device }: ExecuteInput,
  options: Parameters<typeof run>[1],
): Promise<RunResult> {
  if (device === "cpu") return run(launch, options);
  const adapter = await gpuAdapter();
  if (adapter === null) throw new Error("no-gpu");
  const gpu = await adapter.requestDevice({ requiredFeatures: featuresOf(adapter) });
  try {
    return await run(launch, { ...options, gpu, device });
  } finally {
    gpu.destroy();
  }
}

async function gpuAdapter(): Promise<GPUAdapter | null> {
  const { gpu } = navigator as Navigator & { readonly gpu?: GPU };
  if (gpu === undefined) return null;
  return (await gpu.requestAdapter()) ?? (await gpu.requestAdapter({ forceFallbackAdapter: true }));
}

/** What a shader may enable. */
function featuresOf({ features }: GPUAdapter): GPUFeatureName[] {
  return (["shader-f16", "subgroups"] as GPUFeatureName[]).filter((name) => features.has(name));
}

function totalDispatches({ steps }: Launch): number {
  return steps === undefined ? 1 : steps.reduce((sum, { repeat = 1 }) => sum + repeat, 0);
}

function filesOf({ texts, data }: Files): FileReader {
  return {
    async read(path) {
      const text = texts[path];
      if (text !== undefined) return new TextEncoder().encode(text);
      if (data[path] !== undefined) return data[path];
      throw new FileError("there is no such file among those that are open");
    },
  };
}

async function reportOf(
  task: Report["task"],
  result: Result,
  milliseconds: number,
  language: LanguageName,
): Promise<Report> {
  const { ok, device, engine, notes, defaults, dispatches } = result;
  return {
    task,
    ok,
    device,
    engine,
    notes,
    launch: launchOf(result),
    defaults,
    dispatches,
    buffers: Object.entries(result.buffers).map(([name, buffer]) => bufferData(name, buffer)),
    comparisons: result.comparisons,
    diagnostics: diagnosticsToJson(await inLanguage(result.diagnostics, language)),
    findings: result.findings === undefined ? null : await findingsOf(result.findings, language),
    checked: result.checked ?? null,
    profile: task === "profile" ? profileResultToJson(result as ProfileResult).profile : null,
    milliseconds,
  };
}

/** The gravest first: that is the one that is opened. */
async function findingsOf(findings: SanitizeResult["findings"], language: LanguageName) {
  return findingsToJson(await inLanguage(gravestFirst(findings), language));
}

/** The launch as it can be saved; null where it holds a program and no text. */
function launchOf(result: Result): Launch | null {
  try {
    return JSON.parse(JSON.stringify(result.launch)) as Launch;
  } catch {
    return null;
  }
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
    parts: partsOf(layout, bytes.byteLength),
  };
}

function nothing(task: Report["task"], diagnostics: Report["diagnostics"]): Report {
  return {
    task,
    ok: false,
    device: "cpu",
    engine: "",
    notes: [],
    launch: null,
    defaults: [],
    dispatches: [],
    buffers: [],
    comparisons: [],
    diagnostics,
    findings: task === "sanitize" ? [] : null,
    checked: null,
    profile: null,
    milliseconds: 0,
  };
}

export function exportBuffer({ name, format }: Calls["exportBuffer"][0]): Uint8Array | null {
  const buffer = last[name];
  return buffer === undefined ? null : bufferFile(`${name}.${format}`, buffer.bytes, buffer.layout);
}
