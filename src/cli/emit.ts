/** `halay check --emit`: what each compute entry point is lowered to, or the graphs of the uniformity analysis. */
import { analyze } from "../analysis/analyze.ts";
import { type CheckOptions, targetOf } from "../analysis/options.ts";
import { evaluateOverrides } from "../analysis/overrides.ts";
import type { Program } from "../analysis/program.ts";
import { uniformityDot } from "../analysis/uniformity/dump.ts";
import { printPretty } from "../diagnostics/print-pretty.ts";
import { lower } from "../ir/lower.ts";
import { printModule } from "../ir/print.ts";
import { UnsupportedError } from "../ir/unsupported.ts";
import { Source } from "../text/source.ts";
import type { Input } from "./inputs.ts";
import type { Io } from "./io.ts";
import { choosePaint, type ReportOptions } from "./report.ts";

export type Emitted = "ir" | "dot";

/** Writes what is asked for to the output and what is wrong to the error output; gives the exit code. */
export function emit(
  what: Emitted,
  inputs: readonly Input[],
  target: CheckOptions,
  options: ReportOptions,
  io: Io,
): number {
  const look = { paint: choosePaint(options.color, io.stderr, io.env), width: io.stderr.columns };
  let code = 0;
  for (const input of inputs) {
    if (input.kind === "unreadable") {
      io.stderr.write(printPretty(input.problem, look));
      code = 2;
      continue;
    }
    const source = new Source(input.text, input.path);
    const program = analyze(source, target);
    const errors = program.diagnostics.filter(({ severity }) => severity === "error");
    for (const item of errors) io.stderr.write(`${printPretty({ ...item, source }, look)}\n`);
    const written = what === "dot" ? emitDot(program, target, io) : errors.length === 0 && emitProgram(program, io);
    if (errors.length > 0 || !written) code = Math.max(code, 1);
  }
  return code;
}

/** The graphs can be written also where the analysis found fault: that is when they are looked at. */
function emitDot(program: Program, target: CheckOptions, io: Io): boolean {
  const dot = uniformityDot(program, targetOf(target));
  if (dot !== null) io.stdout.write(dot);
  return dot !== null;
}

/** Whether there was something to write. */
function emitProgram(program: Program, io: Io): boolean {
  const { path } = program.source;
  const compute = program.entryPoints.filter(({ stage }) => stage === "compute");
  if (compute.length === 0) io.stderr.write(`${path}: there is no compute entry point\n`);
  let written = false;
  for (const { name } of compute) {
    try {
      const { values } = evaluateOverrides(program, {});
      io.stdout.write(`// ${path}: ${name}\n${printModule(lower(program, name, values).module).trimEnd()}\n`);
      written = true;
    } catch (error) {
      if (!(error instanceof UnsupportedError) && !(error instanceof RangeError)) throw error;
      io.stderr.write(`${path}: ${name}: ${error.message}\n`);
    }
  }
  return written;
}
