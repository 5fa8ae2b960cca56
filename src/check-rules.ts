/** The legality of one source text, and nothing beyond it. */
import { analyze } from "./analysis/analyze.ts";
import type { CheckOptions } from "./analysis/options.ts";
import type { Program } from "./analysis/program.ts";
import { BROWSER_NAMES } from "./analysis/targets.ts";
import { type Diagnostic, hasErrors } from "./diagnostics/diagnostic.ts";
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
 * `check` without its advice. What advises need not be loaded for it: an error is known as well without. Where `check` is not
 * loaded either, `sin` and the like of constants are those of the host, which may differ in the last places.
 */
export function checkRules(source: string, options: Omit<CheckOptions, "advice"> = {}): CheckResult {
  checkArguments(source, options);
  return resultOf(analyze(new Source(source, options.path), options));
}

/** @throws TypeError for what is no source text or no options; RangeError for browsers that are not known */
export function checkArguments(source: unknown, { features, languageFeatures, off, target }: CheckOptions): void {
  if (typeof source !== "string") throw new TypeError(`the source is a text, not ${String(source)}`);
  for (const [name, list] of Object.entries({ features, languageFeatures, off })) {
    if (list !== undefined && !Array.isArray(list)) throw new TypeError(`‘${name}’ is a list of names, not ${list}`);
  }
  const wrong = [target ?? []].flat().find((name) => !BROWSER_NAMES.includes(name));
  if (wrong !== undefined) throw new RangeError(`‘target’ is one of ${BROWSER_NAMES.join(", ")}, not ${wrong}`);
}

export function resultOf(analysis: Program): CheckResult {
  const ok = !hasErrors(analysis.diagnostics);
  return { ok, program: ok ? analysis : null, analysis, diagnostics: analysis.diagnostics };
}
