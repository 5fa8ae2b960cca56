/**
 * What all hosts are offered alike. What runs shaders is loaded when it is first asked for: who checks or reflects a text
 * shall not wait for engines.
 */
export { analyzeWithAdvice as analyze } from "./analysis/advice/advised.ts";
export type { CheckOptions } from "./analysis/options.ts";
export { checkPipeline, evaluateExpression, evaluateOverrides, type OverrideValues } from "./analysis/overrides.ts";
export type { Program } from "./analysis/program.ts";
export { check } from "./check.ts";
export { type CheckResult, checkRules } from "./check-rules.ts";
export {
  type Diagnostic,
  type Fix,
  gravestFirst,
  type Note,
  type PlacedDiagnostic,
  type Severity,
} from "./diagnostics/diagnostic.ts";
export { specAddress } from "./diagnostics/print.ts";
export { printCompact } from "./diagnostics/print-compact.ts";
export { diagnosticsToJson, type JsonDiagnostic } from "./diagnostics/print-json.ts";
export { printMarkdown } from "./diagnostics/print-markdown.ts";
export { printPretty } from "./diagnostics/print-pretty.ts";
export { LANGUAGES, type LanguageName, translated, translatedNote } from "./diagnostics/translate.ts";
export { bufferFile, FileError, type FileReader } from "./launch/files.ts";
export type {
  BufferContents,
  Expectation,
  HostLayout,
  Launch,
  Step,
  Tolerance,
} from "./launch/launch.ts";
export { LaunchError } from "./launch/problem.ts";
export { readLaunch } from "./launch/read-launch.ts";
export { runResultToJson } from "./launch/result-json.ts";
export type { Comparison, Dispatch, ReadBuffer, RunResult, Trace, TraceEvent } from "./launch/results.ts";
export type { RunOptions } from "./launch/run.ts";
export { launchText } from "./launch/saved-launch.ts";
export { parseSpec, type Spec } from "./launch/spec.ts";
export { type Layout, layoutOf, type MemberLayout, minBindingSize, pathAt, sizeWithElements } from "./layout/layout.ts";
export { BufferView, ValueError, type ViewValue } from "./layout/view.ts";
export {
  type BindingKind,
  type ReflectedAccess,
  type ReflectedBinding,
  type ReflectedEntryPoint,
  type ReflectedLayout,
  type ReflectedMember,
  type ReflectedOverride,
  type Reflection,
  reflect,
} from "./reflect/reflection.ts";
export { generateTypeScript } from "./reflect/typescript.ts";
export {
  CHECKS,
  type Check,
  type Checked,
  DEFAULT_CHECKS,
  type Finding,
  type FindingAccess,
  type SanitizeResult,
} from "./sanitize/finding.ts";
export type { ProfileOptions, ProfileResult } from "./sanitize/profile.ts";
export {
  findingsToJson,
  type JsonAccess,
  type JsonFinding,
  type JsonProfile,
  profileResultToJson,
  sanitizeResultToJson,
} from "./sanitize/result-json.ts";
export type { SanitizeOptions } from "./sanitize/sanitize.ts";
export { applyEdits, type Edit } from "./text/edit.ts";
export { Source, type Span } from "./text/source.ts";
export { typeName } from "./types/type.ts";
