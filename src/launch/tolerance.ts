/** `abs=1e-6,rel=1e-4,ulp=2`. */
import type { Tolerance } from "./launch.ts";
import { launchError } from "./problem.ts";

/** @throws LaunchError */
export function parseTolerance(text: string): Tolerance {
  const tolerance: { abs?: number; rel?: number; ulp?: number } = {};
  for (const part of text.split(",")) {
    const [, name, value] = /^\s*(abs|rel|ulp)\s*=\s*([\d.eE+-]+)\s*$/.exec(part) ?? [];
    const number = Number(value);
    if (name === undefined || !(number >= 0) || name in tolerance)
      throw launchError([], "tolerance-invalid", { text: part });
    tolerance[name as keyof Tolerance] = number;
  }
  return tolerance;
}
