/** Ways out of calls that fit no overload: which argument does not fit, how many are wanted. Only asked where there is a message already. */

import { matchingArguments, misfitOf } from "../builtins/match.ts";
import { signatureOf } from "../builtins/overload.ts";
import { isBuiltinName, rowsOf } from "../builtins/resolve.ts";
import type { BuiltinRow } from "../builtins/row.ts";
import { type Note, note, type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { isConvertible } from "../types/conversion.ts";
import { isAbstract, isConcreteInteger, isFloatScalar, isHandle, scalarOf } from "../types/predicates.ts";
import { F32, isScalar, type MatrixType, type Type, typeName, type VectorType } from "../types/type.ts";
import type { Context } from "./context.ts";
import { conversionHints, convertWith, toFloat, withScalar } from "./hints.ts";
import { textOf } from "./text-of.ts";

/** `1 argument`, `3–5 arguments` */
export function argumentCount(least: number, most = least): Phrase {
  if (most === 1) return phrase("one-argument");
  return phrase("several-arguments", { count: least === most ? least : `${least}–${most}` });
}

/** Components that a constructor of a vector gets and wants, parts of a matrix; none where their number is right. */
export function constructorHints(
  context: Context,
  expr: ast.CallExpr,
  target: Type | string,
  types: readonly Type[],
): readonly Note[] {
  if (typeof target !== "string" && target.kind === "matrix") return [matrixHint(context, expr, target, types)];
  const name = typeof target === "string" ? target : typeName(target);
  if (name === "array" && types.every(isScalar)) return partHints(context, expr, target, types);
  const [first] = types;
  if (types.length === 1 && first.kind === "vector" && typeof target !== "string") {
    // Of another size, or a scalar.
    const part = conversionHints(context, expr.args[0], first, withScalar(target, first.element));
    if (part.length > 0) return part;
  }
  const wanted = /^vec([234])/.exec(name)?.[1];
  if (wanted === undefined || types.length === 0) return [];
  const given = types.reduce((sum, type) => sum + (type.kind === "vector" ? type.size : 1), 0);
  if (!types.every((type) => isScalar(type) || type.kind === "vector")) return [];
  if (given === Number(wanted)) return partHints(context, expr, target, types);
  return [note("component-count", expr.span, { name, wanted, given })];
}

/** `vec2f(i, 1.0)` of an integer: what is put together is of one type. */
function partHints(
  context: Context,
  { args }: ast.CallExpr,
  target: Type | string,
  types: readonly Type[],
): readonly Note[] {
  const written = typeof target === "string" ? null : scalarOf(target);
  const scalars = types.map((type) => scalarOf(type)!);
  const scalar = written ?? scalars.find((each) => isFloatScalar(each)) ?? scalars.find((each) => !isAbstract(each));
  if (scalar === undefined) return [];
  const wanted = isAbstract(scalar) ? F32 : scalar;
  const at = types.findIndex((type) => !isConvertible(scalarOf(type)!, wanted));
  return at < 0 ? [] : [convertWith(context, args[at], withScalar(types[at], wanted))];
}

/** In GLSL, a matrix of one number has it on its diagonal. spec: #value-constructor-builtin-function */
function matrixHint(context: Context, expr: ast.CallExpr, type: MatrixType, types: readonly Type[]): Note {
  const { columns, rows } = type;
  if (types.length !== 1 || !isScalar(types[0])) {
    return note("matrix-parts", expr.callee.span, { name: typeName(type), columns, count: columns * rows });
  }
  const value = textOf(context, expr.args[0]);
  const numbers = Array.from({ length: columns * rows }, (_, at) =>
    at % rows === Math.floor(at / rows) ? value : "0",
  );
  const text = `${textOf(context, expr.callee)}(${numbers.join(", ")})`;
  return note("matrix-diagonal", expr.callee.span, { value, text });
}

/** The overloads that take the first argument, such as the texture of a call; all, where none does. */
export function thoseOf(rows: readonly BuiltinRow[], types: readonly Type[]): readonly BuiltinRow[] {
  const fitting = rows.filter((row) => matchingArguments(signatureOf(row), null, types.slice(0, 1)) === 1);
  return fitting.length === 0 ? rows : fitting;
}

/** What a function is called with another number of arguments. */
const OTHER_COUNTS: Readonly<Record<string, string>> = { atan: "atan2" };

/**
 * Arguments that a builtin function takes, where it is given another number of them; null: the number is right. Of
 * functions of textures those count that take this texture.
 */
export function countHint(expr: ast.CallExpr, name: string, types: readonly Type[]): readonly Note[] | null {
  if (!isBuiltinName(name)) return null;
  const counts = thoseOf(rowsOf(name), types).map((row) => signatureOf(row).parameters.length);
  const given = expr.args.length;
  if (counts.includes(given)) return null;
  const { span } = expr.callee;
  const wanted = argumentCount(Math.min(...counts), Math.max(...counts));
  const notes = [note("takes-arguments", span, { name, wanted, given })];
  const other = Object.hasOwn(OTHER_COUNTS, name) && given === 2 ? OTHER_COUNTS[name] : null;
  return other === null
    ? notes
    : [...notes, note("other-function", span, { wanted: argumentCount(given), name: other })];
}

/** Of a call with the right number of arguments: what is wrong with the first that does not fit. */
export function argumentHints(
  context: Context,
  expr: ast.CallExpr,
  types: readonly Type[],
  nearest: readonly BuiltinRow[],
): readonly Note[] {
  const { args } = expr;
  if (expr.text === "select" && types[0].kind === "bool" && types[2].kind !== "bool") {
    const [condition, yes, no] = args.map((each) => textOf(context, each));
    return [note("condition-last", expr.callee.span, { text: `select(${no}, ${yes}, ${condition})` })];
  }
  if (expr.text === "arrayLength" && types[0].kind === "pointer" && types[0].store.kind === "array") {
    const { count } = types[0].store;
    if (typeof count === "number") {
      return [note("fixed-count", args[0].span, { type: typeName(types[0].store), count })];
    }
  }
  if (isHandle(types[0])) {
    const texture = textureHint(expr, types[0]);
    if (texture !== null) return [texture];
  }
  const together = mismatchHints(context, args, types);
  return together.length > 0 ? together : misfitHints(context, args, types, nearest);
}

/** Of a texture that cannot be used like this at all. */
function textureHint({ callee, args }: ast.CallExpr, type: Type): Note | null {
  const { text: name } = callee;
  const place = args[0].span;
  const isStorage = type.kind === "storage-texture";
  if (name === "textureStore" && (!isStorage || type.access === "read")) {
    return note("storage-access", place, { access: "write" });
  }
  if (name === "textureLoad" && isStorage && type.access === "write") {
    return note("storage-access", place, { access: "read" });
  }
  const isInteger = type.kind === "sampled-texture" && type.sampled.kind !== "f32";
  return name.startsWith("textureSample") && isInteger ? note("integer-texture", place, {}) : null;
}

/** How many types a message names. */
const MOST_WANTED = 4;

function misfitHints(
  context: Context,
  args: readonly ast.Expr[],
  types: readonly Type[],
  nearest: readonly BuiltinRow[],
): readonly Note[] {
  const row = nearest.find((each) => signatureOf(each).parameters.length === args.length);
  const misfit = row === undefined ? null : misfitOf(signatureOf(row), null, types);
  if (row === undefined || misfit === null) return [];
  const { index, wanted } = misfit;
  // Which texture was meant nobody knows.
  if (isHandle(types[index]) && index === 0) return [];
  if (wanted.length === 0 || wanted.length > MOST_WANTED) return [];
  const parameter = signatureOf(row).parameterNames[index];
  const names = wanted.map((type): Phrase | string => `‘${typeName(type)}’`);
  const text = names.reduce((first, second) => phrase("one-or-other", { first, second }));
  const hint = note("argument-wanted", args[index].span, { parameter, wanted: text, actual: typeName(types[index]) });
  if (types[index].kind === "pointer") return [hint];
  return [hint, ...conversionHints(context, args[index], types[index], wanted[0])];
}

/** Arguments of a builtin function that do not go together: vectors of two sizes, numbers of two types. */
function mismatchHints(context: Context, args: readonly ast.Expr[], types: readonly Type[]): readonly Note[] {
  const [first] = types;
  if (first === undefined || scalarOf(first) === null) return [];
  for (let at = 1; at < types.length; at++) {
    const type = types[at];
    if (scalarOf(type) === null || first.kind === "matrix" || type.kind === "matrix") continue;
    const both = first.kind === "vector" && type.kind === "vector";
    const hints =
      both && first.size !== type.size ? [sizesDiffer(args[at], first, type)] : mixed(context, args, at, types);
    if (hints.length > 0) return hints;
  }
  return [];
}

function sizesDiffer(at: ast.Expr, left: VectorType, right: VectorType): Note {
  const args = {
    left: typeName(left),
    wanted: phrase("components", { count: left.size }),
    given: right.size,
    right: typeName(right),
  };
  return note("sizes-differ", at.span, args);
}

/** Of an integer and a float, the integer becomes a float. */
function mixed(context: Context, args: readonly ast.Expr[], at: number, types: readonly Type[]): readonly Note[] {
  const [a, b] = [scalarOf(types[0])!, scalarOf(types[at])!];
  if (isFloatScalar(a) && isConcreteInteger(b)) return [...toFloat(context, args[0], a, args[at], types[at], b)];
  if (isFloatScalar(b) && isConcreteInteger(a)) return [...toFloat(context, args[at], b, args[0], types[0], a)];
  return [];
}
