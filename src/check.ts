/** The legality of one source text. */
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

/**
 * Checks a WGSL module against every rule of the language and, where it is legal, gives warnings and advice.
 * Never throws: what is wrong stands in `diagnostics`.
 */
export function check(source: string, options: CheckOptions = {}): CheckResult {
  const analysis = analyze(new Source(source, options.path), { advice: true, ...options });
  const ok = analysis.diagnostics.every((item) => item.severity !== "error");
  return { ok, program: ok ? analysis : null, analysis, diagnostics: analysis.diagnostics };
}
