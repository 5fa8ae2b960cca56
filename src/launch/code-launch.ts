/** What callers in code may say: a launch as an object, and how it is run. What nobody could mean is told by name. */

import { CHECK_OPTIONS } from "../analysis/options.ts";
import { isProgram } from "../analysis/program.ts";
import { phrase } from "../diagnostics/diagnostic.ts";
import { OUT_OF_BOUNDS, SUBGROUP_SIZES } from "../engine/execution.ts";
import { NAMED_SCHEDULES } from "../engine/schedule.ts";
import { checkNames, type Names, type NamesOf } from "../text/option-names.ts";
import type { Launch } from "./launch.ts";
import { launchError } from "./problem.ts";
import { conflicts } from "./read-launch.ts";
import { CODE_SCHEMA, checkSchema, kindOf } from "./schema.ts";
import type { RunOptions } from "./session.ts";

/** @throws LaunchError for a launch that has not the form of one; contents of buffers are looked at when they are made */
export function checkCodeLaunch(launch: Launch): void {
  for (const { path, code, args, near } of checkSchema(launch, CODE_SCHEMA))
    throw launchError(path, code, args as never, near);
  for (const [name, other] of conflicts(launch)) throw launchError([other], "launch-conflict", { name, other });
  checkShader(launch.shader, ["shader"]);
  for (const [i, { shader }] of (launch.steps ?? []).entries()) checkShader(shader, ["steps", i, "shader"]);
}

function checkShader(shader: unknown, path: readonly (string | number)[]): void {
  if (shader === undefined || typeof shader === "string" || isProgram(shader)) return;
  const expected = phrase("one-or-other", { first: phrase("json-string"), second: "Program" });
  throw launchError(path, "launch-type", { expected, found: kindOf(shader) });
}

const RUN_OPTIONS: NamesOf<RunOptions> = {
  source: true,
  files: true,
  check: true,
  limits: true,
  allowIllegal: true,
  elsewhere: true,
  engine: true,
  signal: true,
  workers: true,
  schedule: true,
  seed: true,
  weakFail: true,
  timeout: true,
  subgroupSize: true,
  outOfBounds: true,
  trace: true,
  observe: true,
};

/**
 * @param more names that are known beside those of `run`
 * @throws TypeError, RangeError for options of `run` that make no sense; the engine says who makes it
 */
export function checkRunOptions(options: Omit<RunOptions, "engine">, more: Names = {}): void {
  checkNames(options, { ...RUN_OPTIONS, ...more });
  if (options.check !== undefined) checkNames(options.check, CHECK_OPTIONS, "check.");
  const { signal, trace, schedule, outOfBounds, subgroupSize } = options;
  number("timeout", options.timeout, (value) => value > 0, "a number of seconds above 0");
  number("seed", options.seed, isCount, "a whole number from 0");
  number("weakFail", options.weakFail, (value) => value >= 0 && value <= 1, "a number from 0 to 1");
  number("workers", options.workers, (value) => isCount(value) && value > 0, "a whole number from 1");
  number("subgroupSize", subgroupSize, (value) => SUBGROUP_SIZES.includes(value), "a power of two from 4 to 128");
  if (typeof schedule !== "object") oneOf("schedule", schedule, NAMED_SCHEDULES);
  oneOf("outOfBounds", outOfBounds, OUT_OF_BOUNDS);
  if (signal !== undefined && typeof (signal as Partial<AbortSignal> | null)?.throwIfAborted !== "function")
    throw new TypeError(`‘signal’ is an AbortSignal, not ${signal}`);
  if (trace !== undefined && !(Array.isArray(trace) && trace.every((path) => typeof path === "string")))
    throw new TypeError(`‘trace’ is a list of paths, not ${trace}`);
}

/** Whole and not negative. */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** @throws TypeError, RangeError where an option is given and not as it has to be */
export function number(name: string, value: unknown, fits: (value: number) => boolean, expected: string): void {
  if (value === undefined) return;
  if (typeof value !== "number") throw new TypeError(`‘${name}’ is ${expected}, not ${String(value)}`);
  if (!fits(value)) throw new RangeError(`‘${name}’ is ${expected}, not ${value}`);
}

function oneOf(name: string, value: unknown, known: readonly string[]): void {
  if (value === undefined || known.includes(value as string)) return;
  throw new RangeError(`‘${name}’ is one of ${known.join(", ")}, not ${String(value)}`);
}
