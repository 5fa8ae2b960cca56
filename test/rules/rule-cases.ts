/**
 * Each rule of analysis by an illegal text and its legal twin, which differ in that one thing. `¦` marks where the
 * message has to point. Where a rule hangs on what the implementation supports, the options stand behind: the illegal text
 * is judged with them, its twin with all there is.
 */
import type { AnalyzeOptions } from "../../src/analysis/analyze.ts";
import type { DiagnosticCode } from "../../src/diagnostics/catalogue.ts";

export type RuleCase = readonly [illegal: string, legal: string, options?: AnalyzeOptions];
export type RuleCases = Readonly<Partial<Record<DiagnosticCode, readonly RuleCase[]>>>;
