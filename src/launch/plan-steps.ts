/** The dispatches of a launch: which program, which entry point, which overrides, how many workgroups. */
import { advised } from "../analysis/advice/advised.ts";
import { analyze } from "../analysis/analyze.ts";
import type { CheckOptions } from "../analysis/options.ts";
import {
  byPipelineKey,
  checkPipeline,
  DEFAULT_LIMITS,
  evaluateOverrides,
  type OverrideValues,
  type PipelineLimits,
} from "../analysis/overrides.ts";
import type { FunctionInfo, OverrideInfo, Program } from "../analysis/program.ts";
import { type DiagnosticArgs, hasErrors, note } from "../diagnostics/diagnostic.ts";
import type { IrModule } from "../ir/ir.ts";
import { lowerOnce } from "../ir/lower-once.ts";
import { UnsupportedError } from "../ir/unsupported.ts";
import { Source } from "../text/source.ts";
import { isHandle } from "../types/predicates.ts";
import { typeName } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { makeCall } from "./call.ts";
import { decode } from "./decode.ts";
import { beside } from "./file-name.ts";
import { type FileReader, readFile } from "./files.ts";
import type { Indirect, Launch, Step } from "./launch.ts";
import {
  at,
  atAsync,
  type Elsewhere,
  type LaunchPath,
  type LaunchReport,
  launchError,
  listed,
  unknownName,
} from "./problem.ts";

/** What a plan is made with. */
export interface PlanOptions {
  /** The text that the launch was read from: its errors become diagnostics there. Without it they are thrown. */
  readonly source?: Source;
  readonly files?: FileReader;
  readonly check?: CheckOptions;
  /** Limits of a device: what exceeds them does not run. Left out, what not all devices allow is a warning. */
  readonly limits?: Partial<PipelineLimits>;
  /** Runs what is not legal, as far as it can be run. */
  readonly allowIllegal?: boolean;
  /** Where parts of the launch stand that are not in the text of `source`. */
  readonly elsewhere?: Elsewhere;
}

export type Triple = readonly [number, number, number];

/** One step with all names looked up, before buffers are. */
export interface ResolvedStep {
  readonly given: Step;
  /** Where it stands in the launch: `["steps", 0]`, or the launch itself. */
  readonly path: LaunchPath;
  readonly program: Program;
  readonly entry: FunctionInfo;
  readonly module: IrModule;
  readonly overrides: ReadonlyMap<OverrideInfo, ConstValue>;
  readonly workgroups: Triple | Indirect;
  /** As written, the name of the buffer with its results, and how many elements that has; null where it is no call. */
  readonly call: { readonly text: string; readonly result: string | null; readonly count: number } | null;
  /** What was chosen for want of a word in the launch. */
  readonly chosen: readonly ("entry" | "workgroups")[];
}

/** webgpu: #dom-supported-limits-maxcomputeworkgroupsperdimension */
const MOST_WORKGROUPS = 65535;

const DEFAULT_WORKGROUPS: Triple = [4, 1, 1];

async function readShader(files: FileReader | null, base: string, shader: string): Promise<string> {
  const { text, problem } = decode(await readFile(files, base, shader), shader);
  if (problem !== null) throw launchError([], problem.code, problem.args as never);
  return text;
}

/** Loads each shader once. */
export class Programs {
  readonly #options: PlanOptions;
  readonly #report: LaunchReport;
  readonly #loaded = new Map<string | Program, Promise<Program | null>>();
  /** Those that could be read. */
  readonly all: Program[] = [];

  constructor(options: PlanOptions, report: LaunchReport) {
    this.#options = options;
    this.#report = report;
  }

  /** null: it cannot be read; its diagnostics, errors too, are in the report. */
  load(shader: string | Program, path: LaunchPath): Promise<Program | null> {
    let loaded = this.#loaded.get(shader);
    if (loaded === undefined) {
      loaded = this.#load(shader, path);
      this.#loaded.set(shader, loaded);
    }
    return loaded;
  }

  async #load(shader: string | Program, path: LaunchPath): Promise<Program | null> {
    const program = typeof shader === "string" ? await this.#analyze(shader, path) : shader;
    if (program === null) return null;
    this.all.push(program);
    const { allowIllegal = false } = this.#options;
    for (const item of program.diagnostics) {
      const severity = allowIllegal && item.severity === "error" ? "warning" : item.severity;
      this.#report.add({ ...item, severity, source: program.source });
    }
    return program;
  }

  async #analyze(shader: string, path: LaunchPath): Promise<Program | null> {
    const { source, files = null, check = {} } = this.#options;
    // In code a shader may be its text: no file is named like one.
    const isText = source === undefined && !/^[^\n{};]*\.wgsl$/.test(shader);
    if (isText) return analyze(new Source(shader, check.path ?? "shader.wgsl"), advised(check));
    const base = source?.path ?? "";
    const text = await this.#report.tryAsync(() => atAsync(path, () => readShader(files, base, shader)));
    return text === null ? null : analyze(new Source(text, beside(base, shader)), advised(check));
  }

  isLegal(program: Program): boolean {
    return this.#options.allowIllegal === true || !hasErrors(program.diagnostics);
  }
}

/** The steps of a launch; fewer where something is wrong, which the report then says. */
export async function resolveSteps(
  launch: Launch,
  programs: Programs,
  options: PlanOptions,
  report: LaunchReport,
): Promise<readonly ResolvedStep[]> {
  const given: readonly (readonly [Step, LaunchPath])[] =
    launch.steps === undefined ? [[launch as Step, []]] : launch.steps.map((step, i) => [step, ["steps", i]] as const);
  const steps: ResolvedStep[] = [];
  const loaded: (readonly [Step, LaunchPath, Program])[] = [];
  for (const [step, path] of given) {
    const shader = step.shader ?? launch.shader;
    if (shader === undefined) {
      report.try(() => {
        throw launchError(path, "shader-missing", {});
      });
      continue;
    }
    const program = await programs.load(shader, step.shader === undefined ? ["shader"] : [...path, "shader"]);
    if (program !== null && programs.isLegal(program)) loaded.push([step, path, program]);
  }
  checkOverrideNames(launch, loaded, report);
  for (const [step, path, program] of loaded) {
    const resolved = report.try(() => resolveStep(launch, step, path, program, options, report));
    if (resolved !== null) steps.push(resolved);
  }
  return steps;
}

/** Overrides by name or `@id`. Those of the whole launch need to be known to one program, those of a step to its own. */
function checkOverrideNames(
  launch: Launch,
  steps: readonly (readonly [Step, LaunchPath, Program])[],
  report: LaunchReport,
): void {
  const check = (given: Step["overrides"], path: LaunchPath, programs: readonly Program[]) => {
    const overrides = programs.flatMap((program) => program.overrides);
    for (const name of Object.keys(given ?? {})) {
      const same = overrides.find((each) => each.name === name && Object.hasOwn(given!, String(each.pipelineId)));
      if (same !== undefined) {
        const other = String(same.pipelineId);
        report.try(() => {
          throw launchError([...path, "overrides", name], "launch-conflict", { name: other, other: name });
        });
      }
      if (overrides.some((each) => each.name === name || String(each.pipelineId) === name)) continue;
      const known = [...new Set(overrides.map((each) => each.name))];
      report.try(() => {
        throw unknownName([...path, "overrides", name], "override-unknown", name, known);
      });
    }
  };
  const all = steps.map(([, , program]) => program);
  if (all.length > 0) check(launch.overrides, [], all);
  for (const [step, path, program] of steps) if (path.length > 0) check(step.overrides, path, [program]);
}

function resolveStep(
  launch: Launch,
  given: Step,
  path: LaunchPath,
  loaded: Program,
  options: PlanOptions,
  report: LaunchReport,
): ResolvedStep | null {
  const call = path.length === 0 ? launch.call : undefined;
  const wanted = given.invocations ?? null;
  const made = call === undefined ? null : callOf(loaded, call, wanted, options);
  const program = made?.program ?? loaded;
  const entry = chooseEntry(program, made?.entry ?? given.entry, path, report);
  if (entry === null) return null;
  const all = byPipelineKey(program, launch.overrides ?? {});
  const own = byPipelineKey(program, given.overrides ?? {});
  const overrides = overridesOf(program, entry, { ...all, ...own }, report, options, (name) =>
    placeOfOverride(program, name, launch, given, path),
  );
  const module = overrides === null ? null : lowered(program, entry, overrides, report, options);
  if (overrides === null || module === null) return null;
  const workgroups = workgroupsOf(given, module.workgroupSize, path);
  const chosen: ("entry" | "workgroups")[] = [];
  if (given.entry === undefined && made === null) chosen.push("entry");
  if (given.workgroups === undefined && given.invocations === undefined) chosen.push("workgroups");
  const invocations = "indirect" in workgroups ? 0 : product(workgroups) * product(module.workgroupSize);
  return {
    given,
    path,
    program,
    entry,
    module,
    overrides,
    workgroups,
    call: made === null ? null : { text: call!, result: made.result, count: wanted ?? invocations },
    chosen,
  };
}

function callOf(program: Program, call: string, wanted: number | null, options: PlanOptions) {
  return at(["call"], () => makeCall(program, call, wanted, { ...options.check, advice: false }));
}

function product([x, y, z]: Triple): number {
  return x * y * z;
}

/** The entry point of that name, or the only one. */
function chooseEntry(
  program: Program,
  name: string | undefined,
  path: LaunchPath,
  report: LaunchReport,
): FunctionInfo | null {
  const compute = program.entryPoints.filter((each) => each.stage === "compute");
  const names = compute.map((each) => each.name);
  if (name !== undefined) {
    const entry = program.entryPoints.find((each) => each.name === name);
    if (entry === undefined) throw unknownName([...path, "entry"], "entry-unknown", name, names);
    if (entry.stage === "compute") return entry;
    throw launchError([...path, "entry"], "entry-stage", { name, stage: entry.stage! });
  }
  if (compute.length === 1) return compute[0];
  if (report.source === null) {
    throw names.length === 0
      ? launchError(path, "entry-none", {})
      : launchError(path, "entry-needed", { known: listed(names) });
  }
  const { source } = program;
  if (compute.length === 0) {
    report.atShader(source, { start: 0, end: 0 }, "entry-none", {});
    return null;
  }
  const [first, ...others] = compute.map((each) => each.declaration.name);
  const notes = others.map((other) => note("declared-here", other.span, { name: other.text }));
  report.atShader(source, first.span, "entry-needed", { known: listed(names) }, { notes });
  return null;
}

/** What our engines take. */
const LARGEST: PipelineLimits = {
  ...DEFAULT_LIMITS,
  maxComputeInvocationsPerWorkgroup: 1024,
  maxComputeWorkgroupSizeX: 1024,
  maxComputeWorkgroupSizeY: 1024,
  maxComputeWorkgroupSizeZ: 1024,
};

function smallest(a: PipelineLimits, b: PipelineLimits): PipelineLimits {
  const names = Object.keys(a) as (keyof PipelineLimits)[];
  return Object.fromEntries(names.map((name) => [name, Math.min(a[name], b[name])])) as unknown as PipelineLimits;
}

/** The step says it, by name or `@id`, or else the whole launch. */
function placeOfOverride(program: Program, name: string, launch: Launch, step: Step, path: LaunchPath): LaunchPath {
  const id = program.overrides.find((each) => each.name === name)?.pipelineId;
  const keys = [name, String(id)];
  for (const [{ overrides = {} }, from] of [[step, path] as const, [launch, []] as const]) {
    const key = keys.find((each) => Object.hasOwn(overrides, each));
    if (key !== undefined) return [...from, "overrides", key];
  }
  return path;
}

/**
 * Values of all overrides, or null: the report says why the pipeline cannot be made. `placeOf`: where the launch gives the
 * value of one; what does not fit its type is wrong there, and not in the shader.
 */
function overridesOf(
  program: Program,
  entry: FunctionInfo,
  byKey: OverrideValues,
  report: LaunchReport,
  { limits }: PlanOptions,
  placeOf: (name: string) => LaunchPath,
): ReadonlyMap<OverrideInfo, ConstValue> | null {
  const largest = limits === undefined ? LARGEST : smallest({ ...DEFAULT_LIMITS, ...limits }, LARGEST);
  const tooLarge = checkPipeline(program, entry, byKey, largest);
  // Devices may allow more than what all of them do, and nothing here hangs on it.
  const found =
    limits !== undefined || tooLarge.some((item) => item.code === "workgroup-too-large")
      ? tooLarge
      : checkPipeline(program, entry, byKey).map((item) =>
          item.code === "workgroup-too-large" ? { ...item, severity: "warning" as const } : item,
        );
  for (const item of found) {
    if (item.code !== "override-value") report.add({ ...item, source: program.source });
    else report.atLaunch(placeOf(String(item.args.name)), item.code, item.args as DiagnosticArgs<"override-value">);
  }
  return hasErrors(found) ? null : evaluateOverrides(program, byKey).values;
}

function lowered(
  program: Program,
  entry: FunctionInfo,
  overrides: ReadonlyMap<OverrideInfo, ConstValue>,
  report: LaunchReport,
  options: PlanOptions,
): IrModule | null {
  const handle = entry.usedVariables.find((variable) => isHandle(variable.type));
  if (handle !== undefined) {
    const args = { type: typeName(handle.type), name: handle.name };
    report.atShader(program.source, handle.declaration.name.span, "resource-unsupported", args);
    return null;
  }
  try {
    return lowerOnce(program, entry.name, overrides).module;
  } catch (error) {
    const isIllegal = options.allowIllegal === true && hasErrors(program.diagnostics);
    if (error instanceof UnsupportedError) {
      report.atShader(program.source, error.span, "run-unsupported", { problem: error.reason });
    } else if (isIllegal) {
      // What is wrong with the shader is told already; lowering may trust in what legal programs keep to.
      report.atShader(program.source, entry.declaration.name.span, "run-illegal", { name: entry.name });
    } else throw error;
    return null;
  }
}

/** How many workgroups: as given, or enough for the invocations, or four. */
function workgroupsOf(given: Step, size: Triple, path: LaunchPath): Triple | Indirect {
  const { workgroups, invocations } = given;
  if (invocations !== undefined) {
    return checkedWorkgroups([Math.ceil(invocations / product(size)), 1, 1], [...path, "invocations"]);
  }
  if (workgroups === undefined) return DEFAULT_WORKGROUPS;
  if (typeof workgroups === "object" && "indirect" in workgroups) {
    if ((workgroups.offset ?? 0) % 4 !== 0) {
      throw launchError([...path, "workgroups", "offset"], "indirect-offset", { offset: workgroups.offset! });
    }
    return workgroups;
  }
  const [x = 1, y = 1, z = 1] = typeof workgroups === "number" ? [workgroups] : workgroups;
  return checkedWorkgroups([x, y, z], [...path, "workgroups"]);
}

/** @throws LaunchError */
export function checkedWorkgroups(counts: Triple, path: LaunchPath): Triple {
  for (const [axis, count] of counts.entries()) {
    if (count <= MOST_WORKGROUPS && count >= 0 && Number.isInteger(count)) continue;
    throw launchError(path, "workgroups-limit", { count, axis: "xyz"[axis], limit: MOST_WORKGROUPS });
  }
  return counts;
}
