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
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Checks a WGSL module against every rule of the language and, where it is legal, gives warnings and advice.
 * Never throws: what is wrong stands in `diagnostics`.
 */
export function check(source: string, options: CheckOptions = {}): CheckResult {
  const program = analyze(new Source(source, options.path), { advice: true, ...options });
  const ok = program.diagnostics.every((item) => item.severity !== "error");
  return { ok, program: ok ? program : null, diagnostics: program.diagnostics };
}
