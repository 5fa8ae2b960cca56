/** WGSL in, intermediate representation out; every module made here has passed the verifier. */
import { analyze } from "../../src/analysis/analyze.ts";
import { evaluateOverrides } from "../../src/analysis/overrides.ts";
import type { Program } from "../../src/analysis/program.ts";
import type { IrModule } from "../../src/ir/ir.ts";
import { lower } from "../../src/ir/lower.ts";
import { printFunction, printModule } from "../../src/ir/print.ts";
import { verify } from "../../src/ir/verify.ts";
import { Source } from "../../src/text/source.ts";

/** The program of a legal source; fails with its errors otherwise. */
export function legalProgram(source: string): Program {
  const program = analyze(new Source(source));
  const errors = program.diagnostics.filter((item) => item.severity === "error");
  if (errors.length > 0) throw new Error(errors.map((item) => `${item.code}: ${item.message}`).join("\n"));
  return program;
}

export function verified(module: IrModule): IrModule {
  const violations = verify(module);
  if (violations.length === 0) return module;
  const lines = violations.map((each) => `${each.function} %${each.instruction}: ${each.message}`);
  throw new Error(`${lines.join("\n")}\n${printModule(module)}`);
}

export function overridesOf(program: Program, given: Readonly<Record<string, number>> = {}) {
  const result = evaluateOverrides(program, given);
  return result.values;
}

/** Lowers the entry point of that name, or the first one. */
export function lowerText(source: string, given: Readonly<Record<string, number>> = {}, entry?: string): IrModule {
  const program = legalProgram(source);
  const name = entry ?? program.entryPoints[0].name;
  return verified(lower(program, name, overridesOf(program, given)).module);
}

/** What the statements of an entry point become: its variables and instructions, without the frame around them. */
export function dumpBody(statements: string, declarations = ""): string {
  const module = lowerText(`${declarations}\n@compute @workgroup_size(1) fn main() { ${statements} }`);
  const lines = printFunction(module, module.functions[module.entryPoint]).split("\n");
  return lines
    .slice(1, -1)
    .map((line) => line.slice(2))
    .join("\n");
}
