/** Launch files as inputs: read, planned, and what is wrong with them or with the shaders that they name. */
import type { CheckOptions } from "../analysis/options.ts";
import type { PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import { makePlan } from "../launch/plan.ts";
import { byPlace } from "../launch/problem.ts";
import { readLaunch } from "../launch/read-launch.ts";
import { nodeFiles } from "../platform/node/files.ts";
import { withFixes } from "./fixes.ts";
import type { Input } from "./inputs.ts";
import type { Io } from "./io.ts";

/** What `check` says of a launch file and its shaders. Nothing is run. */
export async function checkLaunchInput(
  input: Extract<Input, { text: string }>,
  check: CheckOptions,
  overrides: Readonly<Record<string, number | boolean>>,
  io: Io,
): Promise<readonly PlacedDiagnostic[]> {
  const { launch, source, diagnostics } = readLaunch(input.text, input.path);
  if (launch === null) return diagnostics;
  const changed = { ...launch, overrides: { ...launch.overrides, ...overrides } };
  const plan = await makePlan(changed, { source, check, files: nodeFiles(io.cwd) });
  return [...diagnostics, ...(await withFixes(plan.programs, byPlace(plan.report.items)))];
}
