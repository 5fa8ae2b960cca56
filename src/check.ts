/** The legality of one source text, with advice. */
import { advised } from "./analysis/advice/advised.ts";
import { analyze } from "./analysis/analyze.ts";
import type { CheckOptions } from "./analysis/options.ts";
import { type CheckResult, resultOf } from "./check-rules.ts";
import { Source } from "./text/source.ts";

export type { CheckResult };

/**
 * Checks a WGSL module against every rule of the language and, where it is legal, gives warnings and advice.
 * Never throws: what is wrong stands in `diagnostics`.
 */
export function check(source: string, options: CheckOptions = {}): CheckResult {
  return resultOf(analyze(new Source(source, options.path), advised({ advice: true, ...options })));
}
