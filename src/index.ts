export { analyze } from "./analysis/analyze.ts";
export type { CheckOptions } from "./analysis/options.ts";
export { checkPipeline, evaluateExpression, evaluateOverrides } from "./analysis/overrides.ts";
export type { Program } from "./analysis/program.ts";
export { type CheckResult, check } from "./check.ts";
export type { Diagnostic } from "./diagnostics/diagnostic.ts";
export { Source } from "./text/source.ts";
