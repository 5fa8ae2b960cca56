/** What becomes known when a pipeline is made: values of overrides and of what hangs on them. spec: #override-expr */
import { checkConstArguments } from "../builtins/const-checks.ts";
import { convertValue } from "../builtins/convert-value.ts";
import { type EvaluationResult, isEvaluationError } from "../builtins/row.ts";
import { type Diagnostic, DiagnosticList, type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import { layoutOf, roundUp } from "../layout/layout.ts";
import { roundToF16 } from "../numeric/float16.ts";
import type * as ast from "../syntax/ast.ts";
import { forEachOperand } from "../syntax/walk.ts";
import type { Span } from "../text/source.ts";
import { resolveCounts } from "../types/counts.ts";
import type { OverrideCount, PointerType, Type } from "../types/type.ts";
import { typeName } from "../types/type.ts";
import { type ConstValue, constValue } from "../types/value.ts";
import { isBufferView, lengthOf, viewProblem } from "./buffer-views.ts";
import { factsOf } from "./context.ts";
import { evaluateNode, indexProblem } from "./evaluate.ts";
import { RUNTIME } from "./fact-table.ts";
import { MAX_WORKGROUP_BYTES } from "./limits.ts";
import type { FunctionInfo, OverrideInfo, Program } from "./program.ts";

/** By name, or by the number of `@id` as text. Booleans count as 1 and 0, as in WebGPU. */
export type OverrideValues = Readonly<Record<string, number | boolean>>;

export type KnownOverrides = ReadonlyMap<OverrideInfo, ConstValue>;

export interface EvaluatedOverrides {
  /** All overrides that have a value: given, or by default. */
  readonly values: Map<OverrideInfo, ConstValue>;
  readonly diagnostics: readonly Diagnostic[];
}

function pipelineKey({ name, pipelineId }: Pick<OverrideInfo, "name" | "pipelineId">): string {
  return pipelineId === null ? name : String(pipelineId);
}

/** What is given by name or by `@id`, under the one key by which a pipeline takes it; the rest is left out. */
export function byPipelineKey(program: Program, given: OverrideValues): OverrideValues {
  const values: Record<string, number | boolean> = {};
  for (const { name, pipelineId } of program.overrides) {
    const key = pipelineKey({ name, pipelineId });
    if (Object.hasOwn(given, name)) values[key] = given[name];
    if (Object.hasOwn(given, key)) values[key] = given[key];
  }
  return values;
}

/** Values of all overrides; what is given stands for its default, which is then not evaluated. */
export function evaluateOverrides(program: Program, given: OverrideValues): EvaluatedOverrides {
  const diagnostics = new DiagnosticList();
  const values = new Map<OverrideInfo, ConstValue>();
  const unused = new Set(Object.keys(given));
  for (const info of program.overrides) {
    const key = pipelineKey(info);
    unused.delete(key);
    const value = Object.hasOwn(given, key)
      ? givenValue(info, given[key], diagnostics)
      : defaultValue(program, info, values, diagnostics);
    if (value !== null) values.set(info, value);
  }
  for (const name of unused) diagnostics.report("unknown-override", { start: 0, end: 0 }, { name });
  return { values, diagnostics: diagnostics.sorted() };
}

function defaultValue(
  program: Program,
  info: OverrideInfo,
  values: KnownOverrides,
  diagnostics: DiagnosticList,
): ConstValue | null {
  const { initializer } = info.declaration;
  if (initializer === null) return null;
  const value = evaluateTree(program, initializer, values);
  if (value === null) return null;
  if (!isEvaluationError(value)) return value;
  diagnostics.report("evaluation-error", initializer.span, { problem: value.error });
  return null;
}

/** As WebGPU makes the numbers of `constants` into values: truncated for integers, an error where they do not fit. */
function givenValue(info: OverrideInfo, given: number | boolean, diagnostics: DiagnosticList): ConstValue | null {
  const value = asType(Number(given), info.type);
  if (value !== null) return constValue(info.type, value);
  const args = { name: info.name, value: String(given), type: typeName(info.type) };
  diagnostics.report("override-value", info.declaration.name.span, args);
  return null;
}

function asType(value: number, type: Type): number | boolean | null {
  const whole = Math.trunc(value);
  switch (type.kind) {
    case "bool":
      return value !== 0;
    case "i32":
      return whole >= -(2 ** 31) && whole < 2 ** 31 ? whole + 0 : null;
    case "u32":
      return whole >= 0 && whole < 2 ** 32 ? whole + 0 : null;
    case "f32":
      return Number.isFinite(Math.fround(value)) ? Math.fround(value) : null;
    case "f16":
      return Number.isFinite(roundToF16(value)) ? roundToF16(value) : null;
    default:
      return null;
  }
}

/**
 * Value of a const- or override-expression, as the type that its place takes it; null where it hangs on an override
 * without value, or has none (see `checkPipeline` for the reason).
 */
export function evaluateExpression(
  program: Program,
  expression: ast.NodeId,
  overrides: KnownOverrides,
): ConstValue | null {
  const expr = program.expressionOf[expression];
  const value = expr === null ? null : evaluateTree(program, expr, overrides);
  return value === null || isEvaluationError(value) ? null : value;
}

function evaluateTree(program: Program, expr: ast.Expr, overrides: KnownOverrides): EvaluationResult | null {
  const facts = factsOf(program);
  const known = (part: ast.Expr): EvaluationResult | null => {
    const constant = facts.constOf(part.id);
    const value = constant ?? notConstant(part);
    const wanted = facts.usedAs(part.id);
    if (value === null || isEvaluationError(value) || wanted === null || value.type === wanted) return value;
    return convertValue(value, wanted);
  };
  const notConstant = (part: ast.Expr): EvaluationResult | null => {
    if (facts.time(part.id) === RUNTIME) return null;
    if (part.kind !== "identifier") return evaluateNode(facts, part, known);
    const entity = facts.entityOf(part.id);
    if (entity?.kind === "override") return overrides.get(entity) ?? null;
    return entity?.kind === "value" ? entity.value : null;
  };
  return known(expr);
}

// ---------------------------------------------------------------- pipeline creation

/** What a pipeline may be at most. webgpu: #limits */
export interface PipelineLimits {
  readonly maxComputeInvocationsPerWorkgroup: number;
  readonly maxComputeWorkgroupSizeX: number;
  readonly maxComputeWorkgroupSizeY: number;
  readonly maxComputeWorkgroupSizeZ: number;
  readonly maxComputeWorkgroupStorageSize: number;
}

export const DEFAULT_LIMITS: PipelineLimits = {
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupSizeY: 256,
  maxComputeWorkgroupSizeZ: 64,
  maxComputeWorkgroupStorageSize: MAX_WORKGROUP_BYTES,
};

interface Pipeline {
  readonly program: Program;
  readonly overrides: KnownOverrides;
  readonly diagnostics: DiagnosticList;
}

/** What makes it impossible to create a pipeline of this entry point with these values. */
export function checkPipeline(
  program: Program,
  entryPoint: FunctionInfo,
  given: OverrideValues,
  limits: PipelineLimits = DEFAULT_LIMITS,
): readonly Diagnostic[] {
  const evaluated = evaluateOverrides(program, given);
  const pipeline: Pipeline = { program, overrides: evaluated.values, diagnostics: new DiagnosticList() };
  const used = new Set<OverrideInfo>(entryPoint.usedOverrides);
  for (const item of evaluated.diagnostics) {
    if (
      item.code !== "evaluation-error" ||
      inside(
        item.span,
        [...used].map((info) => info.declaration),
      )
    ) {
      pipeline.diagnostics.add(item);
    }
  }
  overridesHaveValues(pipeline, entryPoint, given);
  if (pipeline.diagnostics.hasErrors) return pipeline.diagnostics.sorted();
  workgroupSize(pipeline, entryPoint, limits);
  workgroupCounts(pipeline, entryPoint);
  if (!pipeline.diagnostics.hasErrors) workgroupStorage(pipeline, entryPoint, limits);
  for (const expr of reachedExpressions(program, entryPoint)) checkExpression(pipeline, expr);
  return pipeline.diagnostics.sorted();
}

function inside(span: Span, declarations: readonly { readonly span: Span }[]): boolean {
  return declarations.some(({ span: outer }) => outer.start <= span.start && span.end <= outer.end);
}

/** A value that was given but does not fit is no missing one. spec: #override-decls */
function overridesHaveValues(pipeline: Pipeline, entryPoint: FunctionInfo, given: OverrideValues): void {
  for (const info of entryPoint.usedOverrides) {
    if (Object.hasOwn(given, pipelineKey(info)) || info.declaration.initializer !== null) continue;
    const { name, declaration } = info;
    pipeline.diagnostics.report("override-missing", declaration.name.span, { name, function: entryPoint.name });
  }
}

/** spec: #workgroup-size-attr, #subgroup-size-attr */
function workgroupSize(pipeline: Pipeline, entryPoint: FunctionInfo, limits: PipelineLimits): void {
  const size = [1, 1, 1];
  for (const [axis, expr] of entryPoint.workgroupSize.entries()) {
    const value = numberOf(pipeline, expr);
    if (value === null) return;
    if (value < 1) {
      pipeline.diagnostics.report("attribute-value", expr.span, { name: "workgroup_size", value, least: 1 });
      return;
    }
    size[axis] = value;
  }
  const most = [limits.maxComputeWorkgroupSizeX, limits.maxComputeWorkgroupSizeY, limits.maxComputeWorkgroupSizeZ];
  const product = size[0] * size[1] * size[2];
  if (size.some((extent, axis) => extent > most[axis]) || product > limits.maxComputeInvocationsPerWorkgroup) {
    const invocations = limits.maxComputeInvocationsPerWorkgroup;
    const limit = phrase("workgroup-limit", { most: most.join(" × "), invocations });
    const { name, declaration } = entryPoint;
    pipeline.diagnostics.report("workgroup-too-large", declaration.name.span, { name, size: size.join(" × "), limit });
  }
  subgroupSize(pipeline, entryPoint, size[0]);
}

/** `width`: extent of the workgroup in x. spec: #subgroup-size-attr */
function subgroupSize(pipeline: Pipeline, { subgroupSize: expr }: FunctionInfo, width: number): void {
  const size = expr === null ? null : numberOf(pipeline, expr);
  if (expr === null || size === null) return;
  if (!(size > 0 && Number.isInteger(Math.log2(size)))) {
    pipeline.diagnostics.report("subgroup-size-power-of-two", expr.span, { size });
  } else if (width % size !== 0) {
    pipeline.diagnostics.report("subgroup-size-divides", expr.span, { size, width });
  }
}

function numberOf(pipeline: Pipeline, expr: ast.Expr): number | null {
  const value = evaluateTree(pipeline.program, expr, pipeline.overrides);
  if (value === null) return null;
  if (!isEvaluationError(value)) return Number(value.value);
  pipeline.diagnostics.report("evaluation-error", expr.span, { problem: value.error });
  return null;
}

/** spec: #array-types, #buffer-types */
function workgroupCounts(pipeline: Pipeline, entryPoint: FunctionInfo): void {
  for (const { type } of entryPoint.usedVariables) {
    const count = type.kind === "array" ? type.count : type.kind === "buffer" ? type.size : null;
    if (count === null || typeof count === "number") continue;
    const expr = pipeline.program.expressionOf[count.expression]!;
    const value = numberOf(pipeline, expr);
    if (value === null) continue;
    if (value <= 0) pipeline.diagnostics.report("count-not-positive", expr.span, { what: type.kind, count: value });
    else if (type.kind === "buffer") bufferUnit(pipeline, expr, value);
  }
}

/** Each workgroup variable takes its size rounded up to 16 bytes. webgpu: #dom-supported-limits-maxcomputeworkgroupstoragesize */
function workgroupStorage(pipeline: Pipeline, entryPoint: FunctionInfo, limits: PipelineLimits): void {
  const bytes = entryPoint.usedVariables
    .filter((variable) => variable.space === "workgroup")
    .map((variable) => resolveCounts(variable.type, (count) => overrideCount(pipeline, count) ?? 1))
    .reduce((sum, type) => sum + roundUp(16, layoutOf(type).size), 0);
  const limit = limits.maxComputeWorkgroupStorageSize;
  if (bytes <= limit) return;
  const { name, declaration } = entryPoint;
  pipeline.diagnostics.report("workgroup-storage-too-large", declaration.name.span, { name, bytes, limit });
}

function bufferUnit(pipeline: Pipeline, expr: ast.Expr, size: number): void {
  const unit = pipeline.program.enables.includes("f16") ? 2 : 4;
  if (size % unit !== 0) pipeline.diagnostics.report("buffer-size-unit", expr.span, { size, unit });
}

/**
 * In `1 / (a - b)` with overrides a and b, both the subtraction and the division were noted while types were checked;
 * evaluating the division evaluates the subtraction, and must not where `&&` skips it.
 * The expressions with override parts that the entry point reaches, without those inside other override-expressions.
 */
function reachedExpressions(program: Program, entryPoint: FunctionInfo): readonly ast.Expr[] {
  const functions = new Set<FunctionInfo>([entryPoint]);
  for (const info of functions) for (const callee of info.callees) functions.add(callee);
  const variables = entryPoint.usedVariables.map((variable) => variable.declaration);
  const found = [
    ...program.overrideExpressions.filter((expr) => inside(expr.span, variables)),
    ...[...functions].flatMap((info) => info.overrideExpressions),
  ];
  const covered = new Set<ast.Expr>();
  const cover = (part: ast.Expr): void => {
    if (covered.has(part)) return;
    covered.add(part);
    forEachOperand(part, cover);
  };
  for (const expr of found) if (program.timeOf[expr.id] === "override") forEachOperand(expr, cover);
  return found.filter((expr) => !covered.has(expr));
}

/** An override-expression is evaluated; of others, the parts that are known now are checked. */
function checkExpression(pipeline: Pipeline, expr: ast.Expr): void {
  const { program, overrides, diagnostics } = pipeline;
  const problem =
    program.timeOf[expr.id] === "override"
      ? problemOf(evaluateTree(program, expr, overrides))
      : partsProblem(pipeline, expr);
  if (problem !== null) diagnostics.report("evaluation-error", expr.span, { problem });
}

function problemOf(result: EvaluationResult | null): Phrase | null {
  return result !== null && isEvaluationError(result) ? result.error : null;
}

function partsProblem(pipeline: Pipeline, expr: ast.Expr): Phrase | null {
  const { program, overrides } = pipeline;
  if (expr.kind === "index") return boundsProblem(pipeline, expr);
  const row = program.rowOf[expr.id];
  if (row === null || (expr.kind !== "call" && expr.kind !== "binary")) return null;
  if (expr.kind === "call" && isBufferView(row.name)) return bufferViewProblem(pipeline, expr);
  const values: (ConstValue | null)[] = [];
  for (const part of expr.kind === "call" ? expr.args : [expr.left, expr.right]) {
    const value = evaluateTree(program, part, overrides);
    if (value !== null && isEvaluationError(value)) return value.error;
    values.push(value);
  }
  return checkConstArguments(row, values, program.typeOf[expr.id]!)?.error ?? null;
}

/** spec: #buffer-view-builtin-functions */
function bufferViewProblem(pipeline: Pipeline, expr: ast.CallExpr): Phrase | null {
  const length = lengthOf(factsOf(pipeline.program), expr);
  const bytes = length !== null && typeof length === "object" ? overrideCount(pipeline, length) : length;
  const view = pipeline.program.typeOf[expr.id] as PointerType;
  return viewProblem(pipeline.program, view, expr.args, bytes, (part) => {
    const value = evaluateTree(pipeline.program, part, pipeline.overrides);
    return value === null || isEvaluationError(value) ? null : Number(value.value);
  });
}

/** spec: #out-of-bounds-access-sec */
function boundsProblem(pipeline: Pipeline, expr: ast.IndexExpr): Phrase | null {
  const { program, overrides } = pipeline;
  const index = evaluateTree(program, expr.index, overrides);
  if (index === null) return null;
  if (isEvaluationError(index)) return index.error;
  const object = program.typeOf[expr.object.id]!;
  const type = object.kind === "reference" || object.kind === "pointer" ? object.store : object;
  const count = countOf(pipeline, type);
  const at = Number(index.value);
  return at < 0 || (count !== null && at >= count) ? indexProblem(at, count) : null;
}

function countOf(pipeline: Pipeline, type: Type): number | null {
  if (type.kind === "vector") return type.size;
  if (type.kind === "matrix") return type.columns;
  if (type.kind !== "array" || type.count === null) return null;
  return typeof type.count === "number" ? type.count : overrideCount(pipeline, type.count);
}

function overrideCount({ program, overrides }: Pipeline, count: OverrideCount): number | null {
  const value = evaluateExpression(program, count.expression, overrides);
  return value === null ? null : Number(value.value);
}
