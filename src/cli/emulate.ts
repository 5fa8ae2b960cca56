/** `--emulate A,B`: devices that are emulated, one run for each. What a device is like is joined by `+`. */
import { InvalidArgumentError } from "commander";
import type { CheckOptions } from "../analysis/options.ts";
import { DEFAULT_LIMITS, type PipelineLimits } from "../analysis/overrides.ts";
import { ENABLE_EXTENSIONS, LANGUAGE_EXTENSIONS } from "../builtins/extensions.ts";
import { OUT_OF_BOUNDS, type OutOfBounds, SUBGROUP_SIZES } from "../engine/execution.ts";
import type { RunOptions } from "../launch/run.ts";
import { nearestName } from "../text/nearest.ts";

/** A device that is emulated; `name` as it was written. */
export interface Emulation {
  readonly name: string;
  readonly options: Pick<RunOptions, "outOfBounds" | "subgroupSize" | "limits" | "check">;
}

const FEATURES: readonly string[] = [...new Set([...ENABLE_EXTENSIONS.values()].map(({ feature }) => feature))];
const LIMITS = Object.keys(DEFAULT_LIMITS) as (keyof PipelineLimits)[];

export const EMULATED =
  `what a device is like, joined by +: oob=${OUT_OF_BOUNDS.join("|")}, subgroup-size=N, no-FEATURE, LIMIT=N; ` +
  "several by comma mean several runs";

export function emulations(text: string): readonly Emulation[] {
  return text.split(",").map((part) => {
    const name = part.trim();
    const parts = name.split("+").map((each) => each.trim());
    const twice = parts.map(nameOf).find((each, i, all) => all.indexOf(each) !== i);
    if (twice === undefined) return { name, options: parts.reduce(withPart, {}) };
    throw new InvalidArgumentError(`‘${twice}’ is there twice; a comma stands between two devices.`);
  });
}

function nameOf(part: string): string {
  return part.split("=")[0];
}

/** @throws InvalidArgumentError */
function withPart(before: Emulation["options"], part: string): Emulation["options"] {
  const [name, value = ""] = part.split("=");
  if (name === "oob" && OUT_OF_BOUNDS.includes(value as OutOfBounds)) {
    return { ...before, outOfBounds: value as OutOfBounds };
  }
  if (name === "subgroup-size" && SUBGROUP_SIZES.includes(Number(value))) {
    return { ...before, subgroupSize: Number(value) };
  }
  if (LIMITS.includes(name as keyof PipelineLimits) && /^\d+$/.test(value)) {
    return { ...before, limits: { ...before.limits, [name]: Number(value) } };
  }
  const missing = name.startsWith("no-") && value === "" ? name.slice("no-".length) : null;
  if (missing !== null && (FEATURES.includes(missing) || LANGUAGE_EXTENSIONS.has(missing))) {
    return { ...before, check: without(before.check ?? {}, missing) };
  }
  const known = [
    "oob",
    "subgroup-size",
    ...LIMITS,
    ...[...FEATURES, ...LANGUAGE_EXTENSIONS].map((each) => `no-${each}`),
  ];
  const near = nearestName(name, known);
  const hint = near === null || near === name ? "" : ` Did you mean ‘${near}’?`;
  throw new InvalidArgumentError(
    `Expected oob=${OUT_OF_BOUNDS.join("|")}, subgroup-size=${SUBGROUP_SIZES.join("|")}, no-FEATURE or LIMIT=N.${hint}`,
  );
}

function without(check: CheckOptions, missing: string): CheckOptions {
  const left = (names: readonly string[]) => names.filter((name) => name !== missing);
  return {
    ...check,
    features: left(check.features ?? FEATURES),
    languageFeatures: left(check.languageFeatures ?? [...LANGUAGE_EXTENSIONS]),
  };
}
