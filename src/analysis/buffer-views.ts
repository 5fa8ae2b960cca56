/** Rules of `bufferView` and `bufferArrayView` beyond their types. spec: #buffer-view-builtin-functions */

import type { BuiltinRow } from "../builtins/row.ts";
import { type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import { type Layout, layoutOf, runtimeArray, sizeWithElements } from "../layout/layout.ts";
import type * as ast from "../syntax/ast.ts";
import { containsAtomic, containsBuffer, containsError, isHostShareable } from "../types/predicates.ts";
import { type ElementCount, type PointerType, type Type, typeName } from "../types/type.ts";
import { checkLayoutConstraints, requiredAlignOf } from "./address-spaces.ts";
import type { Context } from "./context.ts";
import { reportValue } from "./conversions.ts";
import type { Facts } from "./fact-table.ts";
import { noteForPipeline } from "./override-expressions.ts";
import type { Program } from "./program.ts";

export function isBufferView(name: string): boolean {
  return name === "bufferView" || name === "bufferArrayView";
}

export function checkBufferView(context: Context, expr: ast.CallExpr, row: BuiltinRow, result: Type): void {
  if (!isBufferView(row.name) || result.kind !== "pointer" || containsError(result.store)) return;
  const span = expr.template?.[0]?.span ?? expr.callee.span;
  if (!checkLayoutConstraints(context, span, result.space, result.store) || context.notEvaluated) return;
  const length = lengthOf(context.facts, expr);
  if (length !== null && typeof length === "object") noteForPipeline(context, expr);
  const problem = viewProblem(context, result, expr.args, typeof length === "number" ? length : null, (part) => {
    const value = context.facts.valueAsUsed(part.id);
    return value === null ? null : Number(value.value);
  });
  if (problem !== null) reportValue(context, expr.span, problem);
}

/** The type that a buffer is viewed as, where no overload fits: false, with a message, if that is why. */
export function checkViewedType(context: Context, expr: ast.CallExpr, name: string, type: Type): boolean {
  if (!isBufferView(name) || containsError(type)) return true;
  const span = expr.template?.[0]?.span ?? expr.callee.span;
  if (!isHostShareable(type) || containsAtomic(type) || containsBuffer(type)) {
    context.diagnostics.report("buffer-view-type", span, { name, type: typeName(type) });
    return false;
  }
  if (name === "bufferView" || layoutOf(type).runtimeSized) return true;
  context.diagnostics.report("buffer-array-view-type", span, { type: typeName(type) });
  return false;
}

/** Bytes of the fixed-size buffer that a view is made of; null: it has no fixed size. */
export function lengthOf(facts: Facts, { args: [pointer] }: ast.CallExpr): ElementCount {
  const type = facts.typeOf(pointer.id);
  return type?.kind === "pointer" && type.store.kind === "buffer" ? type.store.size : null;
}

/**
 * What is wrong with the view that a call gives, as far as the numbers in it are known. `length`: bytes of the buffer; `known`: the value of
 * an argument; null where they are not known yet.
 */
export function viewProblem(
  { target }: Pick<Program, "target">,
  { store, space }: PointerType,
  args: readonly ast.Expr[],
  length: number | null,
  known: (part: ast.Expr) => number | null,
): Phrase | null {
  const layout = layoutOf(store);
  const offset = known(args[1]);
  const align = requiredAlignOf({ target }, store, space);
  if (offset !== null && offset < 0) return phrase("offset-negative", { offset });
  if (offset !== null && offset % align !== 0) {
    return phrase("offset-unaligned", { offset, align, type: typeName(store) });
  }
  if (args.length > 2) return arrayViewProblem(layout, offset, known(args[2]), length);
  const least = sizeWithElements(layout, 1);
  if (length !== null && least + (offset ?? 0) > length) {
    return phrase("view-too-long", { type: typeName(store), offset: offset ?? 0, least, length });
  }
  return null;
}

function arrayViewProblem(
  layout: Layout,
  offset: number | null,
  size: number | null,
  length: number | null,
): Phrase | null {
  const { array, offset: before } = runtimeArray(layout)!;
  const least = before + array.stride!;
  if (length !== null && least > length) return phrase("type-too-long", { type: typeName(layout.type), least, length });
  if (size !== null) {
    if (size < 0) return phrase("size-negative", { size });
    if (size < least) return phrase("size-below-least", { type: typeName(layout.type), least, size });
    if ((size - before) % array.stride! !== 0) return phrase("size-not-whole", { size, stride: array.stride! });
  }
  const end = (offset ?? 0) + (size ?? 0);
  if (length !== null && (offset !== null || size !== null) && end > length)
    return phrase("view-ends-outside", { end, length });
  return null;
}
