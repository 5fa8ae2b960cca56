/**
 * Expressions, operands from left to right (spec: #program-order). `lowerValue` is for contexts that want a value: it
 * applies the load rule. `lowerView` is for contexts that want the memory view: it gives a pointer.
 */
import "../diagnostics/catalogue-beyond.ts";
import { phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import type { Span } from "../text/source.ts";
import { concretize, loadedType } from "../types/conversion.ts";
import { isHandle } from "../types/predicates.ts";
import { BOOL, type Type, typeName } from "../types/type.ts";
import { constantAs } from "./constant.ts";
import type { InstId, RootId } from "./ir.ts";
import { emitBinary } from "./lower-arithmetic.ts";
import { emitBuiltin } from "./lower-builtin.ts";
import { emitConstruct } from "./lower-construct.ts";
import type { FunctionScope } from "./scope.ts";
import { UnsupportedError } from "./unsupported.ts";

/** The value that an expression gives: constants in the type that they are used as, memory loaded. */
export function lowerValue(f: FunctionScope, expr: ast.Expr): InstId {
  const { program } = f.module;
  const constant = program.constOf[expr.id];
  if (constant !== null) {
    const type = f.module.resolve(concretize(program.usedAs[expr.id] ?? constant.type));
    return f.builder.at(expr.span).constant(constantAs(constant, type));
  }
  const member = expr.kind === "member" ? program.memberOf[expr.id] : null;
  if (expr.kind === "member" && member?.kind === "swizzle" && member.components.length > 1) {
    return lowerSwizzle(f, expr.object, member.components, expr.span);
  }
  // spec: #load-rule
  if (staticType(f, expr).kind === "reference") return f.builder.at(expr.span).load(lowerView(f, expr));
  return lowerNonReference(f, expr);
}

function lowerNonReference(f: FunctionScope, expr: ast.Expr): InstId {
  const e = f.builder.at(expr.span);
  switch (expr.kind) {
    case "identifier":
      return lowerName(f, expr);
    case "unary":
      // spec: #address-of-expr
      if (expr.operator === "&") return lowerView(f, expr.operand);
      return e.unary(expr.operator as "-" | "!" | "~", lowerValue(f, expr.operand));
    case "binary":
      return lowerBinary(f, expr);
    case "call":
      return lowerCall(f, expr);
    case "index": {
      const object = lowerValue(f, expr.object);
      const known = knownIndex(f, expr.index);
      return known !== null ? e.extract(object, known) : e.extractDynamic(object, lowerValue(f, expr.index));
    }
    case "member":
      return e.extract(lowerValue(f, expr.object), memberIndex(f, expr));
    case "literal":
    case "error-expression":
      throw new TypeError("internal: an expression without a value");
    default:
      return expr satisfies never;
  }
}

function lowerName(f: FunctionScope, expr: ast.IdentifierExpr): InstId {
  const entity = f.module.program.entityOf[expr.id];
  if (entity?.kind === "override") {
    const type = f.module.program.usedAs[expr.id] ?? entity.type;
    return f.builder.at(expr.span).constant(constantAs(f.module.override(entity), type));
  }
  if (entity?.kind === "value" || entity?.kind === "parameter") return f.values.get(entity.declaration.id)!;
  throw new TypeError(`internal: ‘${expr.name.text}’ has no value`);
}

function lowerBinary(f: FunctionScope, expr: ast.BinaryExpr): InstId {
  if (expr.operator === "&&" || expr.operator === "||") return lowerShortCircuit(f, expr);
  const left = lowerValue(f, expr.left);
  const right = lowerValue(f, expr.right);
  return emitBinary(f.builder.at(expr.span), expr.operator, left, right);
}

/** spec: #logical-expr. The right side is evaluated only where the left one does not decide. */
function lowerShortCircuit(f: FunctionScope, expr: ast.BinaryExpr): InstId {
  const e = f.builder.at(expr.span);
  const isAnd = expr.operator === "&&";
  // Where a constant decides, the right side has no values: nothing in it was evaluated.
  if (f.module.program.constOf[expr.left.id]?.value === !isAnd) return lowerValue(f, expr.left);
  const result = f.builder.local(isAnd ? "$and" : "$or", BOOL, expr.span);
  const left = lowerValue(f, expr.left);
  const pointer = e.local(result);
  e.store(pointer, left);
  const evaluateRight = () => {
    e.store(pointer, lowerValue(f, expr.right));
  };
  const skip = () => {};
  e.if(left, isAnd ? evaluateRight : skip, isAnd ? skip : evaluateRight);
  return e.load(pointer);
}

/** A call whatever it means; without a result, the id of an instruction of type `VOID`. */
export function lowerCall(f: FunctionScope, expr: ast.CallExpr): InstId {
  const call = f.module.program.callOf[expr.id];
  if (call === null) throw new TypeError(`internal: the call of ‘${expr.text}’ was not resolved`);
  const args = expr.args.map((arg) => lowerValue(f, arg));
  const e = f.builder.at(expr.span);
  switch (call.kind) {
    case "function": {
      const roots = args.map((arg) => specialisedRoot(f, arg));
      const callee = f.module.specialise(call.function, roots);
      return e.call(callee.id, args, callee.returnType);
    }
    case "construct":
      return emitConstruct(e, f.module.resolve(concretize(call.type)), args);
    case "builtin":
      return emitBuiltin(e, call.name, args, f.module.resolve(concretize(call.result)));
    default:
      return call satisfies never;
  }
}

/** spec: #alias-analysis; pointers into function and private memory are not specialised for. */
function specialisedRoot(f: FunctionScope, arg: InstId): RootId | null {
  const type = f.builder.typeOf(arg);
  if (type.kind !== "pointer" || type.space === "function" || type.space === "private") return null;
  return f.builder.rootOf(arg);
}

// ---------------------------------------------------------------- memory views

/** The pointer to what a reference or pointer expression means. spec: #forming-references-and-pointers */
export function lowerView(f: FunctionScope, expr: ast.Expr): InstId {
  const e = f.builder.at(expr.span);
  const type = staticType(f, expr);
  if (type.kind === "pointer") return lowerValue(f, expr);
  if (type.kind !== "reference") throw new TypeError(`internal: ${typeName(type)} is no memory view`);
  switch (expr.kind) {
    case "identifier":
      return lowerVariable(f, expr);
    case "unary":
      return lowerValue(f, expr.operand);
    case "index": {
      const object = lowerView(f, expr.object);
      const known = knownIndex(f, expr.index);
      return e.access(object, known ?? { dynamic: lowerValue(f, expr.index) });
    }
    case "member":
      return e.access(lowerView(f, expr.object), memberIndex(f, expr));
    case "call":
      return lowerCall(f, expr);
    default:
      throw new TypeError(`internal: a memory view by ‘${expr.kind}’`);
  }
}

function lowerVariable(f: FunctionScope, expr: ast.IdentifierExpr): InstId {
  const entity = f.module.program.entityOf[expr.id];
  if (entity?.kind !== "variable") throw new TypeError(`internal: ‘${expr.name.text}’ is no variable`);
  const e = f.builder.at(expr.span);
  if (entity.scope === "function") return e.local(f.locals.get(entity.declaration.id)!);
  rejectUnsupported(entity.type, expr);
  return e.variable(f.module.root(entity));
}

function rejectUnsupported(type: Type, expr: ast.Expr): void {
  if (type.kind === "buffer") throw new UnsupportedError(phrase("no-buffer-views"), expr.span);
  if (isHandle(type)) throw new UnsupportedError(phrase("no-textures"), expr.span);
}

/** spec: #vector-multi-component: a value, also where its vector is in memory: that is loaded whole. */
function lowerSwizzle(f: FunctionScope, object: ast.Expr, components: readonly number[], span: Span): InstId {
  const isPointer = staticType(f, object).kind === "pointer";
  const vector = isPointer ? f.builder.at(span).load(lowerView(f, object)) : lowerValue(f, object);
  return f.builder.at(span).swizzle(vector, components);
}

function memberIndex(f: FunctionScope, expr: ast.MemberExpr): number {
  const member = f.module.program.memberOf[expr.id];
  if (member === null) throw new TypeError(`internal: ‘${expr.member.text}’ was not resolved`);
  return member.kind === "member" ? member.index : member.components[0];
}

/** The index where it is a const-expression. */
function knownIndex(f: FunctionScope, expr: ast.Expr): number | null {
  const constant = f.module.program.constOf[expr.id];
  return constant === null ? null : Number(constant.value);
}

// ---------------------------------------------------------------- types

/** True where the expression gives a texture or sampler. */
export function givesHandle(f: FunctionScope, expr: ast.Expr): boolean {
  return isHandle(loadedType(staticType(f, expr)));
}

/** Type by the type rules, never null where the program is legal. */
function staticType(f: FunctionScope, expr: ast.Expr): Type {
  const type = f.module.program.typeOf[expr.id];
  if (type === null || type.kind === "error") throw new TypeError("internal: an expression without a type");
  return type;
}
