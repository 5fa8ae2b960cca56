/** The legality of one source text, and nothing beyond it. */
import { analyze } from "./analysis/analyze.ts";
import type { CheckOptions } from "./analysis/options.ts";
import type { Program } from "./analysis/program.ts";
import type { Diagnostic } from "./diagnostics/diagnostic.ts";
import { Source } from "./text/source.ts";

export interface CheckResult {
  /** No diagnostic is an error. */
  readonly ok: boolean;
  /** null where there are errors. */
  readonly program: Program | null;
  /** What is known in spite of errors, for editors: what depends on them has the error type. */
  readonly analysis: Program;
  readonly diagnostics: readonly Diagnostic[];
}

/** `check` without its advice. What advises need not be loaded for it: an error is known as well without. */
export function checkRules(source: string, options: Omit<CheckOptions, "advice"> = {}): CheckResult {
  return resultOf(analyze(new Source(source, options.path), options));
}

export function resultOf(analysis: Program): CheckResult {
  const ok = analysis.diagnostics.every((item) => item.severity !== "error");
  return { ok, program: ok ? analysis : null, analysis, diagnostics: analysis.diagnostics };
}
