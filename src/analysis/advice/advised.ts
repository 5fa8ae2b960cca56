/** From what callers say to what the analysis takes. */
import "../../diagnostics/catalogue-beyond.ts";
import "../../numeric/const-math-exact.ts";
import type { Source } from "../../text/source.ts";
import { type AnalyzeOptions, analyze } from "../analyze.ts";
import type { CheckOptions } from "../options.ts";
import type { Program } from "../program.ts";
import { advise } from "./advice.ts";

/** With advice only where it is asked for. */
export function advised({ advice = false, ...options }: CheckOptions): AnalyzeOptions {
  return { ...options, advise: advice ? advise : null };
}

/** `analyze`, and advice where it is asked for. */
export function analyzeWithAdvice(source: Source, options: CheckOptions = {}): Program {
  return analyze(source, advised(options));
}
