import type { Program } from "../analysis/program.ts";
import type { PlacedDiagnostic } from "../diagnostics/diagnostic.ts";

/** What analysis says of a program, each with the text that it is about. */
export function diagnosticsOf(program: Program): readonly PlacedDiagnostic[] {
  return program.diagnostics.map((item) => ({ ...item, source: program.source }));
}
