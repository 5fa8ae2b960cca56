/** Parts of composites: indexing, members, swizzles. spec: #composite-value-decomposition-expr */
import { type DiagnosticExtras, type Note, note, replacement } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { isAbstract, isFloatScalar, isIntegerScalar } from "../types/predicates.ts";
import {
  ERROR,
  type PointerType,
  type ReferenceType,
  referenceType,
  type StructType,
  type Type,
  typeName,
  U32,
  vectorType,
} from "../types/type.ts";
import type { Context } from "./context.ts";
import { load, makeConcrete, reportValue, value } from "./conversions.ts";
import { indexProblem } from "./evaluate.ts";
import { CONST, later, RUNTIME } from "./fact-table.ts";
import { conversionHints } from "./hints.ts";
import { memberNumber, swizzleNumber, swizzleNumbered } from "./member-infos.ts";
import { hasLanguageFeature } from "./options.ts";
import { noteOverrideExpression } from "./override-expressions.ts";
import { suggested } from "./suggestions.ts";
import { objectText, textOf } from "./text-of.ts";

/** What is taken apart: a value, or the reference or pointer that it is seen through. */
type Base = Type;

/** References stay what they are, so that `v.x = 1` writes to a part; values are taken apart as values. */
function base(context: Context, object: ast.Expr): Base | null {
  const type = context.rules.expression(context, object);
  switch (type.kind) {
    case "error":
      return null;
    case "void":
      load(context, object, type);
      return null;
    case "pointer":
      return throughPointer(context, object, type);
    default:
      return type;
  }
}

function isView(from: Base): from is PointerType | ReferenceType {
  return from.kind === "reference" || from.kind === "pointer";
}

/** The type of what is taken apart. */
function wholeOf(from: Base): Type {
  return isView(from) ? from.store : from;
}

/**
 * `p.x` and `p[i]` are `(*p).x` and `(*p)[i]`: a pointer may stand where what it points to is taken apart.
 * spec: #language_extension-pointer_composite_access
 */
function throughPointer(context: Context, object: ast.Expr, type: Type & { kind: "pointer" }): Base | null {
  if (!hasLanguageFeature(context.target, "pointer_composite_access")) {
    const name = textOf(context, object);
    context.diagnostics.report("pointer-composite-access", object.span, { name });
    return null;
  }
  return type;
}

/** A part of a memory view is a memory view of the same memory and access; a part of a value is a value. */
function part(from: Base, type: Type): Type {
  return isView(from) ? referenceType(from.space, type, from.access) : type;
}

/** spec: #vector-single-component, #matrix-access-expr, #array-access-expr */
export function index(context: Context, expr: ast.IndexExpr): Type {
  const from = base(context, expr.object);
  const indexType = value(context, expr.index);
  const isValue = from !== null && !isView(from);
  context.facts.setTime(
    expr.id,
    isValue ? later(context.facts.time(expr.object.id), context.facts.time(expr.index.id)) : RUNTIME,
  );
  if (from === null || wholeOf(from).kind === "error") return ERROR;
  const element = elementType(wholeOf(from));
  if (element === null) {
    context.diagnostics.report("not-indexable", expr.object.span, {
      name: textOf(context, expr.object),
      type: typeName(wholeOf(from)),
    });
    return ERROR;
  }
  if (indexType.kind === "error") return part(from, element);
  if (!isIntegerScalar(indexType)) {
    const notes = isFloatScalar(indexType) ? conversionHints(context, expr.index, indexType, U32) : [];
    const extras = isIntegerVector(indexType) ? componentInstead(context, expr.index) : { notes };
    context.diagnostics.report("index-type", expr.index.span, { type: typeName(indexType) }, extras);
    return ERROR;
  }
  return indexed(context, expr, from, element, indexType);
}

function isIntegerVector(type: Type): boolean {
  return type.kind === "vector" && isIntegerScalar(type.element);
}

/** Of a vector like an id mostly `x` is meant. */
function componentInstead(context: Context, expr: ast.Expr): DiagnosticExtras {
  const whole = context.source.slice(expr.span);
  const text = expr.kind === "binary" || expr.kind === "unary" ? `(${whole}).x` : `${whole}.x`;
  const notes = [note("did-you-mean", expr.span, { name: text })];
  return { notes, fixes: [replacement(expr.span, text)] };
}

function indexed(context: Context, expr: ast.IndexExpr, from: Base, element: Type, indexType: Type): Type {
  const inBounds = checkBounds(context, expr, wholeOf(from));
  if (inBounds) makeConcrete(context, expr.index, indexType);
  else context.facts.setUsedAs(expr.index.id, ERROR);
  noteOverrideExpression(context, expr, context.facts.time(expr.index.id));
  // An abstract composite with an index that is known only when the shader runs becomes concrete first.
  if (!isView(from) && isAbstract(from) && context.facts.time(expr.index.id) !== CONST) {
    return elementType(makeConcrete(context, expr.object, from))!;
  }
  return part(from, element);
}

function elementType(type: Type): Type | null {
  if (type.kind === "vector" || type.kind === "array") return type.element;
  return type.kind === "matrix" ? vectorType(type.rows, type.element) : null;
}

/** Number of elements that an index may name; null where it is known later. */
export function elementCountOf(type: Type): number | null {
  if (type.kind === "vector") return type.size;
  if (type.kind === "matrix") return type.columns;
  return type.kind === "array" && typeof type.count === "number" ? type.count : null;
}

/** spec: #out-of-bounds-access-sec: an index that is known now must be in bounds. */
function checkBounds(context: Context, expr: ast.IndexExpr, type: Type): boolean {
  const known = context.facts.constOf(expr.index.id);
  if (known === null) return true;
  const at = Number(known.value);
  const count = elementCountOf(type);
  if (at >= 0 && (count === null || at < count)) return true;
  reportValue(context, expr.index.span, indexProblem(at, count));
  return false;
}

/** spec: #struct-access-expr, #vector-access-expr */
export function member(context: Context, expr: ast.MemberExpr): Type {
  const from = base(context, expr.object);
  context.facts.setTime(expr.id, from === null || isView(from) ? RUNTIME : context.facts.time(expr.object.id));
  if (from === null || expr.text === "") return ERROR;
  const whole = wholeOf(from);
  if (whole.kind === "error") return ERROR;
  if (whole.kind === "struct") return structMember(context, expr, from, whole);
  if (whole.kind === "vector") return swizzle(context, expr, from, whole);
  context.diagnostics.report(
    "no-members",
    expr.member.span,
    { name: expr.text, type: typeName(whole) },
    { notes: partHint(context, expr, whole) },
  );
  return ERROR;
}

/** `a.length`, `m._m00` */
function partHint(context: Context, { member, object, text }: ast.MemberExpr, whole: Type): readonly Note[] {
  if (whole.kind === "matrix") return [note("matrix-elements", member.span, { value: objectText(context, object) })];
  const name = textOf(context, object);
  if (whole.kind !== "array" || !/^(length|len|size|count)$/.test(text)) return [];
  if (typeof whole.count !== "number") return [note("array-length", member.span, { name })];
  return [note("fixed-count", member.span, { type: typeName(whole), count: whole.count })];
}

function structMember(context: Context, expr: ast.MemberExpr, from: Base, type: StructType): Type {
  const name = expr.text;
  const at = memberNamed(type, name);
  if (at < 0) {
    const names = type.members.map((candidate) => candidate.name);
    const { span } = expr.member;
    context.diagnostics.report("unknown-member", span, { name, type: typeName(type) }, suggested(name, names, span));
    return ERROR;
  }
  context.facts.setMember(expr.id, memberNumber(at));
  return part(from, type.members[at].type);
}

function memberNamed({ members }: StructType, name: string): number {
  for (let at = 0; at < members.length; at++) if (members[at].name === name) return at;
  return -1;
}

/** spec: #swizzle: letters of one set, one to four, none past the end. */
function swizzle(context: Context, expr: ast.MemberExpr, from: Base, type: Type & { kind: "vector" }): Type {
  const letters = expr.text;
  const number = swizzleNumber(letters);
  if (number === null) {
    context.diagnostics.report("bad-swizzle", expr.member.span, { name: letters, type: typeName(type) });
    return ERROR;
  }
  const { components } = swizzleNumbered(number);
  const past = firstPast(components, type.size);
  if (past < components.length) {
    context.diagnostics.report("swizzle-past-end", expr.member.span, { letter: letters[past], type: typeName(type) });
    return ERROR;
  }
  context.facts.setMember(expr.id, number);
  if (components.length === 1) return part(from, type.element);
  // Several components make a new vector: the memory view is read, a pointer followed first.
  if (from.kind === "reference") load(context, expr.object, from);
  return vectorType(components.length, type.element);
}

/** By hand: swizzles are too many for a function made at each. */
function firstPast(components: readonly number[], size: number): number {
  let at = 0;
  while (at < components.length && components[at] < size) at++;
  return at;
}
