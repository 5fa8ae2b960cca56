/** `halay check --emit ir`: what each compute entry point is lowered to. */
import { analyze } from "../analysis/analyze.ts";
import type { CheckOptions } from "../analysis/options.ts";
import { evaluateOverrides } from "../analysis/overrides.ts";
import type { Program } from "../analysis/program.ts";
import { printPretty } from "../diagnostics/print-pretty.ts";
import { lower } from "../ir/lower.ts";
import { printModule } from "../ir/print.ts";
import { UnsupportedError } from "../ir/unsupported.ts";
import { Source } from "../text/source.ts";
import type { Input } from "./inputs.ts";
import type { Io } from "./io.ts";
import { choosePaint, type ReportOptions } from "./report.ts";

/** Writes the IR to the output and what is wrong to the error output; gives the exit code. */
export function emitIr(inputs: readonly Input[], target: CheckOptions, options: ReportOptions, io: Io): number {
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
    if (errors.length > 0) code = Math.max(code, 1);
    else if (!emitProgram(program, io)) code = Math.max(code, 1);
  }
  return code;
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
