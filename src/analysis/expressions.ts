/** The type rule of each kind of expression, and its value where it is known now. spec: #expressions */
import { isEvaluationError } from "../builtins/row.ts";
import { insertion, note, type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import {
  ABSTRACT_FLOAT,
  ABSTRACT_INT,
  BOOL,
  ERROR,
  F16,
  F32,
  I32,
  referenceType,
  type ScalarType,
  type Type,
  U32,
} from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { index, member } from "./access.ts";
import type { Context, Declaration, Entity } from "./context.ts";
import { reportValue } from "./conversions.ts";
import { evaluateNode } from "./evaluate.ts";
import { CONST, type Facts, OVERRIDE, RUNTIME } from "./fact-table.ts";
import { binary, unary } from "./operators.ts";
import { noTemplate, requireF16 } from "./types.ts";

/** Types an expression, all its parts first, and evaluates it if it is a const-expression. */
export function expression(context: Context, expr: ast.Expr): Type {
  switch (expr.kind) {
    case "literal":
      return literal(context, expr, expr.id);
    case "identifier":
      return identifier(context, expr);
    case "binary":
      return evaluated(context, expr, expr.id, binary(context, expr, expression(context, expr.left)));
    case "call":
      return called(context, expr, expr.id, context.rules.call(context, expr));
    case "index":
      return settle(context, expr, expr.id, index(context, expr));
    case "member":
      return settle(context, expr, expr.id, member(context, expr));
    case "unary":
      return settle(context, expr, expr.id, unary(context, expr));
    case "error-expression":
      return enter(context, expr.id, ERROR);
    default:
      return expr satisfies never;
  }
}

/** Enters the type into the tables. */
function enter(context: Context, id: ast.NodeId, type: Type): Type {
  context.facts.setType(id, type);
  return type;
}

/** Of most calls the type is entered with the overload. */
function called(context: Context, expr: ast.Expr, id: ast.NodeId, type: Type): Type {
  return context.facts.typeOf(id) === type ? evaluated(context, expr, id, type) : settle(context, expr, id, type);
}

/** Enters type and value into the tables. */
function settle(context: Context, expr: ast.Expr, id: ast.NodeId, type: Type): Type {
  return evaluated(context, expr, id, enter(context, id, type));
}

/** Enters the value of an expression whose type is entered. */
function evaluated(context: Context, expr: ast.Expr, id: ast.NodeId, type: Type): Type {
  if (context.facts.time(id) === CONST && !context.notEvaluated && type.kind !== "error") evaluate(context, expr, id);
  return type;
}

function evaluate(context: Context, expr: ast.Expr, id: ast.NodeId): void {
  const { facts } = context;
  const operand = onlyOperand(expr);
  if (operand !== null && facts.takeResult(id, operand)) return;
  const result = evaluateNode(facts, expr, known);
  if (result === null) return;
  if (isEvaluationError(result)) reportValue(context, expr.span, result.error);
  else if (operand !== null) facts.setResult(id, operand, result);
  else facts.setConst(id, result);
}

/** What an operator or a function of one argument is applied to; null: there are more, or it is another expression. */
function onlyOperand(expr: ast.Expr): ast.NodeId | null {
  if (expr.kind === "unary") return expr.operand.id;
  return expr.kind === "call" && expr.argCount === 1 ? expr.arg(0).id : null;
}

function known(part: ast.Expr, facts: Facts): ConstValue | null {
  return facts.valueAsUsed(part.id);
}

/** By hand: a table of names would be searched at each literal. */
function literalType(type: ast.LiteralType): ScalarType {
  switch (type) {
    case "abstract-int":
      return ABSTRACT_INT;
    case "abstract-float":
      return ABSTRACT_FLOAT;
    case "u32":
      return U32;
    case "i32":
      return I32;
    case "f32":
      return F32;
    case "bool":
      return BOOL;
    case "f16":
      return F16;
    default:
      return type satisfies never;
  }
}

/** spec: #literal-expressions */
function literal(context: Context, expr: ast.LiteralExpr, id: ast.NodeId): Type {
  const known = context.notEvaluated ? null : context.facts.takeLiteral(id, expr.word);
  if (known !== null && known !== F16) return known;
  if (expr.type === "f16") requireF16(context, expr);
  const type = literalType(expr.type);
  if (!context.notEvaluated) context.facts.setLiteral(id, expr, type);
  return enter(context, id, type);
}

const NOT_VALUES: Readonly<Record<string, Phrase>> = {
  function: phrase("a-function"),
  struct: phrase("a-type"),
  alias: phrase("a-type"),
  "builtin-type": phrase("a-type"),
  "builtin-function": phrase("a-builtin-function"),
  enumerant: phrase("an-enumerant"),
};

/** One that denotes what another one did takes over all that is known of that. */
function identifier(context: Context, expr: ast.IdentifierExpr): Type {
  const { facts, notEvaluated } = context;
  const isPlain = expr.template === null && !notEvaluated;
  let type = isPlain ? facts.takeOver(expr.id) : null;
  if (type === null) {
    type = enter(context, expr.id, denoted(context, expr));
    if (isPlain && type !== ERROR) facts.setModel(expr.id);
  }
  if (facts.reachesOut(expr.id)) context.reachesOut = true;
  return type;
}

function denoted(context: Context, expr: ast.IdentifierExpr): Type {
  const target = context.facts.declarationOf(expr.id);
  if (target === null) {
    const predeclared = context.facts.predeclaredOf(expr.id);
    return predeclared === null ? ERROR : notAValue(context, expr, NOT_VALUES[predeclared.kind], null);
  }
  const { kind } = target;
  switch (kind) {
    case "function":
    case "struct":
    case "alias":
      return notAValue(context, expr, NOT_VALUES[kind], target);
    default:
      if (noTemplate(context, expr)) return ERROR;
      return declaredValue(context, expr, context.facts.declared(target.id), kind === "let");
  }
}

/** `vec4<f32(1.0)`: where nothing is compared with a type, its template list is not closed. */
function isUnclosed({ source, diagnostics }: Context, expr: ast.IdentifierExpr): boolean {
  const LONGEST = 64;
  const behind = /^(\s*)<\s*\w+/.exec(source.text.slice(expr.end, expr.end + LONGEST));
  if (behind === null || expr.template !== null) return false;
  const at = expr.end + behind[1].length;
  const end = expr.end + behind[0].length;
  const fixes = [insertion(end, ">")];
  diagnostics.report("unclosed-template-list", { start: at, end: at + 1 }, { name: expr.text }, { fixes });
  return true;
}

function notAValue(context: Context, expr: ast.IdentifierExpr, what: Phrase, target: Declaration | null): Type {
  const name = expr.text;
  if (what === NOT_VALUES["builtin-type"] && isUnclosed(context, expr)) return ERROR;
  const notes = target === null ? [] : [note("declared-here", target.name.span, { name })];
  if (what !== NOT_VALUES.enumerant) notes.push(note("with-parentheses", expr.span, { name }));
  context.diagnostics.report("not-a-value-name", expr.span, { name, what }, { notes });
  return ERROR;
}

/** spec: #var-identifier-expr, #formal-parameter-expr, #value-identifier-expr */
function declaredValue(context: Context, expr: ast.IdentifierExpr, entity: Entity | null, isLet: boolean): Type {
  switch (entity?.kind) {
    case "variable":
      context.facts.setTime(expr.id, RUNTIME);
      if (entity.scope === "module") context.facts.setReachesOut(expr.id);
      return entity.type.kind === "error" ? ERROR : referenceType(entity.space, entity.type, entity.access);
    case "value":
      if (entity.type.kind === "pointer") context.facts.setReachesOut(expr.id);
      if (isLet) context.facts.setTime(expr.id, RUNTIME);
      else if (!context.notEvaluated && entity.value !== null) context.facts.setConst(expr.id, entity.value);
      return entity.type;
    case "override":
      context.facts.setTime(expr.id, OVERRIDE);
      return entity.type;
    case "parameter":
      if (entity.type.kind === "pointer") context.facts.setReachesOut(expr.id);
      context.facts.setTime(expr.id, RUNTIME);
      return entity.type;
    default:
      // Declared, but with a mistake that was reported there.
      return ERROR;
  }
}

export type { ConstValue };
