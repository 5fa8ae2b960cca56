/** From a checked program to the instructions of one of its compute entry points. */

import "../diagnostics/catalogue-beyond.ts";
import type { Program } from "../analysis/program.ts";
import { phrase } from "../diagnostics/diagnostic.ts";
import type { IrModule } from "./ir.ts";
import { ModuleLowering, type Overrides } from "./lower-module.ts";
import { UnsupportedError } from "./unsupported.ts";

export interface Lowered {
  readonly module: IrModule;
}

/**
 * The instructions that an entry point runs. `overrides` holds a value for every override that it uses, defaults
 * included.
 *
 * @throws RangeError where there is no such entry point or an override has no value
 * @throws UnsupportedError for legal code that halay does not run
 */
export function lower(program: Program, entryPoint: string, overrides: Overrides): Lowered {
  const info = program.entryPoints.find((each) => each.name === entryPoint);
  if (info === undefined) throw new RangeError(`there is no entry point ‘${entryPoint}’`);
  if (info.stage !== "compute") {
    throw new UnsupportedError(phrase("no-stage", { stage: String(info.stage) }), info.declaration.name.span);
  }
  const lowering = new ModuleLowering(program, overrides);
  lowering.declareRoots(info.usedVariables);
  const made = lowering.lowerEntryPoint(info);
  const sizes = info.workgroupSize.map((expr) => Number(lowering.evaluate(expr.id).value));
  return { module: lowering.finish(made, [sizes[0] ?? 1, sizes[1] ?? 1, sizes[2] ?? 1]) };
}
