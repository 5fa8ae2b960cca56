/** The legality of one source text, with advice. */
import { advised } from "./analysis/advice/advised.ts";
import { analyze } from "./analysis/analyze.ts";
import type { CheckOptions } from "./analysis/options.ts";
import { type CheckResult, checkArguments, resultOf } from "./check-rules.ts";
import { Source } from "./text/source.ts";

export type { CheckResult };

/**
 * Checks a WGSL module against every rule of the language and, where it is legal, gives warnings and advice.
 * What is wrong with it stands in `diagnostics`.
 * @throws TypeError, RangeError for what is no text, and for options that make no sense
 */
export function check(source: string, options: CheckOptions = {}): CheckResult {
  checkArguments(source, options);
  return resultOf(analyze(new Source(source, options.path), advised({ advice: true, ...options })));
}
