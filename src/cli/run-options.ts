/** The options of commands that execute: what they change in a launch, and how it is run. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Engine } from "../engine/dispatch.ts";
import { createInterpreter } from "../engine/interpreter.ts";
import { NAMED_SCHEDULES, type NamedSchedule } from "../engine/schedule.ts";
import { createWasmEngine } from "../engine/wasm-engine/engine.ts";
import { jsonProblem, jsonValue } from "../launch/json-syntax.ts";
import type { BufferContents, Launch } from "../launch/launch.ts";
import { at } from "../launch/problem.ts";
import type { RunOptions } from "../launch/run.ts";
import { parseSpec } from "../launch/spec.ts";
import { parseTolerance } from "../launch/tolerance.ts";
import { parseRead, parseValuePath } from "../launch/value-path.ts";
import { nodeHost } from "../platform/node/host.ts";
import { nodeThreads } from "../platform/node/threads.ts";
import { NoGpuError, requestGpu } from "../platform/node/webgpu.ts";
import { EMULATED, type Emulation, emulations } from "./emulate.ts";
import { UsageError } from "./io.ts";
import { collect, collectPairs, wholeNumber } from "./options.ts";
import { overrideValue } from "./overrides.ts";

type Pairs = Readonly<Record<string, string>>;

/** As commander gives them. */
export interface ExecutionOptions {
  readonly entry?: string;
  readonly workgroups?: readonly number[];
  readonly invocations?: number;
  readonly call?: string;
  readonly set?: Pairs;
  readonly buffer?: Pairs;
  readonly override?: Pairs;
  readonly schedule?: NamedSchedule;
  readonly seed?: number;
  readonly weakFail?: number;
  readonly emulate?: readonly Emulation[];
  readonly read?: readonly string[];
  readonly expect?: Pairs;
  readonly tolerance?: string;
  readonly trace?: readonly string[];
  readonly timeout?: number;
  readonly allowIllegal?: boolean;
  readonly engine?: "wasm" | "interpreter";
  readonly workers?: number;
  readonly device?: "cpu" | "gpu" | "both";
}

export function executionOptions(command: Command): Command {
  return command
    .option("--entry <name>", "entry point; needed only when there are several")
    .option("--workgroups <x,y,z>", "workgroups along x, y, z (default: 4)", workgroupCounts)
    .option("--invocations <n>", "invocations instead, rounded up to workgroups", wholeNumber)
    .option("--call <fn(args)>", "run one function per invocation; ‘invocation’ is a name in the arguments")
    .option(
      "--buffer <name=spec>",
      "contents of a buffer, by variable or group.binding; may be repeated",
      collectPairs("NAME=SPEC"),
    )
    .option("--set <path=value>", "a value in a buffer, as cont.free=1; may be repeated", collectPairs("PATH=VALUE"))
    .option("--override <name=value>", "value of an override; may be repeated", collectPairs("NAME=VALUE"))
    .option(
      "--read <name[:from..to]>",
      "buffer to read back (default: all that can be written); may be repeated",
      collect,
    )
    .option("--expect <name=spec>", "what a buffer must hold after the run; may be repeated", collectPairs("NAME=SPEC"))
    .option("--tolerance <list>", "how far floats may be off: abs=…,rel=…,ulp=…; any one that is met suffices")
    .option("--trace <path>", "who touched this value, as bins[7]; may be repeated", collect)
    .addOption(new Option("--schedule <kind>", "order of the invocations (default: in-order)").choices(NAMED_SCHEDULES))
    .option("--seed <n>", "of the random schedule and of spurious failures (default: 1)", wholeNumber)
    .option("--weak-fail <rate>", "how often a compare-exchange fails though the values are equal, from 0 to 1", rate)
    .option("--emulate <name,…>", EMULATED, emulations)
    .option("--timeout <seconds>", "budget for all dispatches (default: 10 for each; 60 on the interpreter)", seconds)
    .option("--allow-illegal", "run a shader with errors as far as it can be run")
    .addOption(
      new Option("--device <kind>", "where it is run; both compares the two; a GPU needs the package webgpu")
        .choices(["cpu", "gpu", "both"])
        .default("cpu"),
    )
    .addOption(
      new Option("--engine <name>", "what runs it; schedules and traces need the interpreter")
        .choices(["wasm", "interpreter"])
        .default("wasm"),
    )
    .option("--workers <n>", "threads of the wasm engine (default: one per core, at most 8)", workerCount);
}

// ---------------------------------------------------------------- values of single options

/** Threads that anybody has a use for. */
const MOST_WORKERS = 256;

function workgroupCounts(text: string): readonly number[] {
  const counts = text.split(",").map((part) => (/^\d+$/.test(part.trim()) ? Number(part) : Number.NaN));
  if (counts.length > 3 || counts.some((count) => !(count <= 65535))) {
    throw new InvalidArgumentError("Expected X, X,Y or X,Y,Z, each from 0 to 65535.");
  }
  return counts;
}

function workerCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MOST_WORKERS) {
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${MOST_WORKERS}.`);
  }
  return count;
}

function rate(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("Expected a number from 0 to 1.");
  return value;
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("Expected a number of seconds above 0.");
  return value;
}

// ---------------------------------------------------------------- what they make of a launch

/** How a launch is run, but for what is emulated. */
export function runOptions(options: ExecutionOptions): RunOptions {
  const { schedule, seed, weakFail, timeout, trace, allowIllegal } = options;
  return {
    ...(schedule === undefined ? {} : { schedule }),
    ...(seed === undefined ? {} : { seed }),
    ...(weakFail === undefined ? {} : { weakFail }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(trace === undefined ? {} : { trace }),
    ...(allowIllegal === undefined ? {} : { allowIllegal }),
  };
}

/** The launch with what the options say in place of what it says. @throws UsageError, LaunchError for values that nobody could mean */
export function changedLaunch(launch: Launch, options: ExecutionOptions, fileBeside: (file: string) => string): Launch {
  const { entry, workgroups, invocations, call, read, tolerance } = options;
  checkConflicts(launch, options);
  for (const [i, text] of (read ?? []).entries()) at(["read", i], () => parseRead(text));
  for (const [i, text] of (options.trace ?? []).entries()) at(["trace", i], () => parseValuePath(text));
  const counts = workgroups ?? invocations;
  const contentsOf = (key: string) => (text: string, name: string) => at([key, name], () => contents(text, fileBeside));
  const { workgroups: _, invocations: __, entry: ___, call: ____, ...others } = launch;
  const where = entry === undefined && call === undefined ? pick(launch, ["entry", "call"]) : {};
  const size = counts === undefined ? pick(launch, ["workgroups", "invocations"]) : {};
  return {
    ...others,
    ...where,
    ...size,
    ...(entry === undefined ? {} : { entry }),
    ...(call === undefined ? {} : { call }),
    ...(workgroups === undefined ? {} : { workgroups }),
    ...(invocations === undefined ? {} : { invocations }),
    ...merged(
      "overrides",
      launch.overrides,
      mapped(options.override, (text, name) => overrideValue(name, text)),
    ),
    ...merged("buffers", launch.buffers, mapped(options.buffer, contentsOf("buffers"))),
    ...merged("set", launch.set, mapped(options.set, jsonOrText)),
    ...merged("expect", launch.expect, mapped(options.expect, contentsOf("expect"))),
    ...(read === undefined ? {} : { read }),
    ...(tolerance === undefined ? {} : { tolerance: at(["tolerance"], () => parseTolerance(tolerance)) }),
  };
}

function checkConflicts(launch: Launch, options: ExecutionOptions): void {
  const given = (["entry", "workgroups", "invocations", "call"] as const).filter((name) => options[name] !== undefined);
  if (launch.steps !== undefined && given.length > 0) {
    throw new UsageError(
      `the launch has steps, each with an entry point and workgroups of its own: --${given[0]} has no place`,
    );
  }
  const both = (a: keyof ExecutionOptions, b: keyof ExecutionOptions): void => {
    if (options[a] !== undefined && options[b] !== undefined)
      throw new UsageError(`--${a} and --${b} exclude each other`);
  };
  both("workgroups", "invocations");
  both("entry", "call");
}

function pick<T extends object, K extends keyof T>(object: T, keys: readonly K[]): Partial<Pick<T, K>> {
  const found = keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]]);
  return Object.fromEntries(found) as Partial<Pick<T, K>>;
}

function merged<K extends string, T>(
  name: K,
  before: Readonly<Record<string, T>> | undefined,
  added: Readonly<Record<string, T>>,
): Partial<Record<K, Readonly<Record<string, T>>>> {
  if (before === undefined && Object.keys(added).length === 0) return {};
  return { [name]: { ...before, ...added } } as Partial<Record<K, Readonly<Record<string, T>>>>;
}

function mapped<T>(pairs: Pairs | undefined, change: (text: string, name: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(pairs ?? {}).map(([name, text]) => [name, change(text, name)]));
}

function contents(text: string, fileBeside: (file: string) => string): BufferContents {
  const spec = parseSpec(text);
  return spec.kind === "file" ? { file: fileBeside(spec.file) } : text;
}

function jsonOrText(text: string): unknown {
  // `NaN` and `Infinity` are written as they are; a number that becomes infinite is none.
  return jsonProblem(text) === null ? jsonValue(text) : text;
}

/** What runs the launches of a command; it is to be closed at the end. */
export function engineOf({ engine, workers }: ExecutionOptions): Engine {
  if (engine === "interpreter") return createInterpreter(nodeHost);
  return createWasmEngine(nodeThreads, workers === undefined ? {} : { workers });
}

/** The GPU that a command asks for; null: none. @throws UsageError where there is none, or where it cannot do what is asked */
export async function gpuOf(options: ExecutionOptions): Promise<GPUDevice | null> {
  const { device = "cpu", emulate } = options;
  if (device === "cpu") return null;
  const wrong = (["schedule", "weakFail", "trace"] as const).find((name) => options[name] !== undefined);
  if (wrong !== undefined && device === "gpu") {
    const name = wrong.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(`--${name} is for our own engine: a GPU goes its own way and cannot be watched`);
  }
  if (emulate !== undefined) throw new UsageError("--emulate is for our own engine: a GPU is what it is");
  try {
    return await requestGpu();
  } catch (error) {
    if (error instanceof NoGpuError) throw new UsageError(error.message);
    throw error;
  }
}
