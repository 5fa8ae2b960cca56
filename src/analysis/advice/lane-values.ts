/**
 * Values of integer and boolean expressions for one invocation of a workgroup, as far as they hang on nothing but its
 * place in the workgroup. A local variable counts with its first value where nothing assigned it before in the text, so
 * that what is found happens the first time around. Everything else is unknown: no guess is made.
 */
import type * as ast from "../../syntax/ast.ts";
import type { Type } from "../../types/type.ts";
import type { Advice } from "./advice-context.ts";
import { builtinValueOf, isWithin } from "./places.ts";
import type { FunctionSurvey } from "./survey.ts";

/** One invocation of the first workgroup. */
export interface Lane {
  readonly id: readonly [number, number, number];
  readonly index: number;
}

/** Booleans are 0 and 1. */
export type LaneValue = (lane: Lane) => number;

/** At most this many invocations at each end and around the middle stand for all. */
const SAMPLE = 32;

/** The invocations of a workgroup that are looked at; none where its size is not known. */
export function sampleLanes(advice: Advice, fn: FunctionSurvey): readonly Lane[] {
  const [x, y = 1, z = 1] = fn.info.workgroupSize.map((axis) => advice.number(axis) ?? Number.NaN);
  const count = x * y * z;
  if (!(count >= 1 && count <= 65536)) return [];
  const lanes: Lane[] = [];
  for (let index = 0; index < count; index++) {
    if (index >= SAMPLE && index < count - SAMPLE && Math.abs(index - count / 2) > SAMPLE / 2) continue;
    lanes.push({ id: [index % x, Math.floor(index / x) % y, Math.floor(index / (x * y))], index });
  }
  return lanes;
}

/** null: it hangs on more than the place of the invocation. */
export function laneValue(advice: Advice, fn: FunctionSurvey, expr: ast.Expr): LaneValue | null {
  const known = advice.number(expr);
  if (known !== null) return () => known;
  switch (expr.kind) {
    case "paren":
      return laneValue(advice, fn, expr.expression);
    case "identifier":
      return ofIdentifier(advice, fn, expr);
    case "member":
      return ofMember(advice, fn, expr);
    case "unary":
      return ofUnary(advice, fn, expr);
    case "binary":
      return ofBinary(advice, fn, expr);
    case "call":
      return ofCall(advice, fn, expr);
    default:
      return null;
  }
}

function ofIdentifier(advice: Advice, fn: FunctionSurvey, expr: ast.IdentifierExpr): LaneValue | null {
  if (builtinValueOf(advice, expr) === "local_invocation_index") return (lane) => lane.index;
  const entity = advice.program.entityOf[expr.id];
  if (entity?.kind === "value") return laneValue(advice, fn, entity.declaration.initializer);
  if (entity?.kind !== "variable" || entity.scope !== "function") return null;
  const { declaration } = entity;
  if (declaration.initializer === null || isAssignedBefore(advice, fn, declaration, expr)) return null;
  return laneValue(advice, fn, declaration.initializer);
}

/** In the text between its declaration and the use; the update of a `for` comes after its body. */
export function isAssignedBefore(
  advice: Advice,
  fn: FunctionSurvey,
  declaration: ast.VarDecl,
  use: ast.IdentifierExpr,
): boolean {
  return advice.uses(fn, declaration).some((other) => {
    if (other.span.start >= use.span.start) return false;
    const at = advice.parent(other);
    if (at?.kind === "unary" && at.operator === "&") return true;
    const statement = advice.statementOf(other);
    const assigns =
      statement.kind === "increment" || (statement.kind === "assign" && isWithin(advice, other, statement.left));
    if (!assigns) return false;
    const around = advice.parent(statement);
    return !(around?.kind === "for" && around.update === statement && isWithin(advice, use, around));
  });
}

const AXES = "xyz";
const RGB = "rgb";

/** A component of an id; in the first workgroup the global id is the local one, and the workgroup's own is 0. */
function ofMember(advice: Advice, fn: FunctionSurvey, expr: ast.MemberExpr): LaneValue | null {
  const whole = builtinValueOf(advice, expr);
  if (whole === "local_invocation_index") return (lane) => lane.index;
  const axis = Math.max(AXES.indexOf(expr.member.text), RGB.indexOf(expr.member.text));
  if (axis < 0 || expr.member.text.length !== 1) return null;
  const object = advice.resolved(expr.object);
  const name = builtinValueOf(advice, object);
  if (name === "local_invocation_id" || name === "global_invocation_id") return (lane) => lane.id[axis];
  if (name === "workgroup_id") return () => 0;
  return componentOf(advice, fn, object, axis);
}

/** `id.xy.x`, `vec2u(a, b).y` */
function componentOf(advice: Advice, fn: FunctionSurvey, object: ast.Expr, axis: number): LaneValue | null {
  if (object.kind === "member") {
    const info = advice.program.memberOf[object.id];
    const name = builtinValueOf(advice, advice.resolved(object.object));
    if (info?.kind !== "swizzle" || (name !== "local_invocation_id" && name !== "global_invocation_id")) return null;
    const from = info.components[axis];
    return from === undefined ? null : (lane) => lane.id[from as 0 | 1 | 2];
  }
  if (object.kind !== "call" || advice.program.callOf[object.id]?.kind !== "construct") return null;
  const type = advice.program.typeOf[object.id];
  if (type?.kind !== "vector" || object.args.length !== type.size) return null;
  return laneValue(advice, fn, object.args[axis]);
}

function ofUnary(advice: Advice, fn: FunctionSurvey, { operator, operand, id }: ast.UnaryExpr): LaneValue | null {
  const value = operator === "*" || operator === "&" ? null : laneValue(advice, fn, operand);
  const wrap = wrapOf(advice.program.typeOf[id]);
  if (value === null || wrap === null) return null;
  if (operator === "!") return (lane) => 1 - value(lane);
  return operator === "-" ? (lane) => wrap(-value(lane)) : (lane) => wrap(~value(lane));
}

/** Brings a result into the range of its type; null for types that are no integers or booleans. */
function wrapOf(type: Type | null): ((value: number) => number) | null {
  if (type?.kind === "u32") return (value) => value >>> 0;
  if (type?.kind === "i32") return (value) => value | 0;
  return type?.kind === "bool" ? (value) => value : null;
}

type Operation = (a: number, b: number) => number;

/** spec: #arithmetic-expr, #bit-expr, #comparison-expr. Division by zero gives the left side. */
const OPERATIONS: Readonly<Partial<Record<ast.BinaryOperator, Operation>>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => Math.imul(a, b),
  "/": (a, b) => (b === 0 ? a : Math.trunc(a / b)),
  "%": (a, b) => (b === 0 ? 0 : a % b),
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "<<": (a, b) => a << b,
  ">>": (a, b) => (a < 0 ? a >> b : a >>> b),
  "==": (a, b) => Number(a === b),
  "!=": (a, b) => Number(a !== b),
  "<": (a, b) => Number(a < b),
  "<=": (a, b) => Number(a <= b),
  ">": (a, b) => Number(a > b),
  ">=": (a, b) => Number(a >= b),
  "&&": (a, b) => a & b,
  "||": (a, b) => a | b,
};

function ofBinary(advice: Advice, fn: FunctionSurvey, { operator, left, right, id }: ast.BinaryExpr): LaneValue | null {
  const wrap = wrapOf(advice.program.typeOf[id]);
  const operation = OPERATIONS[operator];
  if (wrap === null || operation === undefined || !isIntegral(advice, left)) return null;
  const a = laneValue(advice, fn, left);
  const b = a === null ? null : laneValue(advice, fn, right);
  if (a === null || b === null) return null;
  return (lane) => wrap(operation(a(lane), b(lane)));
}

function isIntegral(advice: Advice, expr: ast.Expr): boolean {
  const type = advice.program.usedAs[expr.id] ?? advice.program.typeOf[expr.id];
  return wrapOf(type?.kind === "reference" ? type.store : type) !== null;
}

function ofCall(advice: Advice, fn: FunctionSurvey, expr: ast.CallExpr): LaneValue | null {
  const call = advice.program.callOf[expr.id];
  const wrap = wrapOf(advice.program.typeOf[expr.id]);
  if (
    wrap === null ||
    call === null ||
    call.kind === "function" ||
    !expr.args.every((arg) => isIntegral(advice, arg))
  ) {
    return null;
  }
  const args = expr.args.map((arg) => laneValue(advice, fn, arg));
  if (!args.every((arg) => arg !== null)) return null;
  if (call.kind === "construct") return args.length === 1 ? (lane) => wrap(args[0](lane)) : null;
  if (call.name === "min") return (lane) => Math.min(args[0](lane), args[1](lane));
  if (call.name === "max") return (lane) => Math.max(args[0](lane), args[1](lane));
  if (call.name === "select") return (lane) => (args[2](lane) === 1 ? args[1](lane) : args[0](lane));
  return null;
}

/** A check against the end of a buffer or a number from the host: taken to hold for all invocations that are looked at. */
export function isBoundCheck(advice: Advice, expr: ast.Expr): boolean {
  switch (expr.kind) {
    case "literal":
      return true;
    case "paren":
      return isBoundCheck(advice, expr.expression);
    case "member":
      return builtinValueOf(advice, expr) !== null || isBoundCheck(advice, expr.object);
    case "unary":
      return expr.operator !== "*" && isBoundCheck(advice, expr.operand);
    case "binary":
      return (
        expr.operator !== "==" &&
        expr.operator !== "!=" &&
        isBoundCheck(advice, expr.left) &&
        isBoundCheck(advice, expr.right)
      );
    case "call": {
      const name = advice.builtin(expr);
      if (name === "arrayLength" || name === "textureDimensions") return true;
      const plain =
        advice.program.callOf[expr.id]?.kind === "construct" || name === "min" || name === "max" || name === "all";
      return plain && expr.args.every((arg) => isBoundCheck(advice, arg));
    }
    case "identifier": {
      const entity = advice.program.entityOf[expr.id];
      if (entity?.kind === "value") return isBoundCheck(advice, entity.declaration.initializer);
      if (entity?.kind === "parameter") return entity.builtin !== null || entity.type.kind === "struct";
      return entity?.kind === "override" || (entity?.kind === "variable" && entity.space === "uniform");
    }
    default:
      return false;
  }
}
