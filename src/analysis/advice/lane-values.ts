/**
 * Values of integer and boolean expressions for one invocation of a workgroup, as far as they hang on nothing but its
 * place in the workgroup. A local variable counts with its first value where nothing assigned it before in the text, so
 * that what is found happens the first time around. Everything else is unknown: no guess is made.
 */
import type * as ast from "../../syntax/ast.ts";
import type { Type } from "../../types/type.ts";
import { type Advice, DEEPEST } from "./advice-context.ts";
import { builtinValueOf } from "./places.ts";
import type { FunctionSurvey } from "./survey.ts";

/** One invocation of the first workgroup. */
export interface Lane {
  readonly id: readonly [number, number, number];
  readonly index: number;
}

/** Booleans are 0 and 1. */
export type LaneValue = (lane: Lane) => number;

/** At most this many invocations at each end and around the middle stand for all. */
const SAMPLE = 16;

/** The invocations of a workgroup that are looked at; none where its size is not known. */
export function sampleLanes(advice: Advice, fn: FunctionSurvey): readonly Lane[] {
  const [x, y = 1, z = 1] = fn.info.workgroupSize.map((axis) => advice.number(axis) ?? Number.NaN);
  const count = x * y * z;
  if (!(count >= 1 && count <= 65536)) return [];
  const key = `${x} ${y} ${z}`;
  let lanes = SAMPLES.get(key);
  if (lanes !== undefined) return lanes;
  if (SAMPLES.size === MOST_SAMPLES) SAMPLES.clear();
  lanes = lanesOf(x, y, count);
  SAMPLES.set(key, lanes);
  return lanes;
}

/** By the size of the workgroup, of which one text has few and a long session many. */
const SAMPLES = new Map<string, readonly Lane[]>();
const MOST_SAMPLES = 64;

function lanesOf(x: number, y: number, count: number): readonly Lane[] {
  const lanes: Lane[] = [];
  for (let index = 0; index < count; index++) {
    if (index >= SAMPLE && index < count - SAMPLE && Math.abs(index - count / 2) > SAMPLE / 2) continue;
    lanes.push({ id: [index % x, Math.floor(index / x) % y, Math.floor(index / (x * y))], index });
  }
  return lanes;
}

/** null: it hangs on more than the place of the invocation, or on very much. */
export function laneValue(advice: Advice, expr: ast.Expr, known: Known | null = null): LaneValue | null {
  return new LaneCompiler(advice, known).value(expr);
}

/** Values of variables at the place at hand, by node id of their declarations. */
export type Known = ReadonlyMap<ast.NodeId, number>;

/** Parts of an expression, with all that its names stand for, that are looked at. */
const MOST_PARTS = 256;

class LaneCompiler {
  readonly #advice: Advice;
  readonly #known: Known | null;
  #parts = 0;
  #depth = 0;

  constructor(advice: Advice, known: Known | null) {
    this.#advice = advice;
    this.#known = known;
  }

  value(expr: ast.Expr): LaneValue | null {
    if (++this.#parts > MOST_PARTS || this.#depth > DEEPEST) return null;
    this.#depth++;
    const value = this.#valueOf(expr);
    this.#depth--;
    return value;
  }

  #valueOf(expr: ast.Expr): LaneValue | null {
    const known = this.#advice.number(expr);
    if (known !== null) return () => known;
    switch (expr.kind) {
      case "identifier":
        return this.#ofIdentifier(expr);
      case "member":
        return this.#ofMember(expr);
      case "unary":
        return this.#ofUnary(expr);
      case "binary":
        return this.#ofBinary(expr);
      case "call":
        return this.#ofCall(expr);
      default:
        return null;
    }
  }

  #ofIdentifier(expr: ast.IdentifierExpr): LaneValue | null {
    if (builtinValueOf(this.#advice, expr) === "local_invocation_index") return (lane) => lane.index;
    const entity = this.#advice.program.entityOf[expr.id];
    if (entity?.kind === "value") return this.value(entity.declaration.initializer);
    if (entity?.kind !== "variable" || entity.scope !== "function") return null;
    const { declaration } = entity;
    const known = this.#known?.get(declaration.id);
    if (known !== undefined) return Number.isNaN(known) ? null : () => known;
    if (declaration.initializer === null || isAssignedBefore(this.#advice, declaration, expr)) return null;
    return this.value(declaration.initializer);
  }

  /** A component of an id; in the first workgroup the global id is the local one, and the workgroup's own is 0. */
  #ofMember(expr: ast.MemberExpr): LaneValue | null {
    const whole = builtinValueOf(this.#advice, expr);
    if (whole === "local_invocation_index") return (lane) => lane.index;
    const axis = Math.max(AXES.indexOf(expr.member.text), RGB.indexOf(expr.member.text));
    if (axis < 0 || expr.member.text.length !== 1) return null;
    const object = this.#advice.resolved(expr.object);
    const name = builtinValueOf(this.#advice, object);
    if (name === "local_invocation_id" || name === "global_invocation_id") return (lane) => lane.id[axis];
    if (name === "workgroup_id") return () => 0;
    return this.#componentOf(object, axis);
  }

  /** `id.xy.x`, `vec2u(a, b).y` */
  #componentOf(object: ast.Expr, axis: number): LaneValue | null {
    if (object.kind === "member") {
      const info = this.#advice.program.memberOf[object.id];
      const name = builtinValueOf(this.#advice, this.#advice.resolved(object.object));
      if (info?.kind !== "swizzle" || (name !== "local_invocation_id" && name !== "global_invocation_id")) return null;
      const from = info.components[axis];
      return from === undefined ? null : (lane) => lane.id[from as 0 | 1 | 2];
    }
    if (object.kind !== "call" || this.#advice.program.callOf[object.id]?.kind !== "construct") return null;
    const type = this.#advice.program.typeOf[object.id];
    if (type?.kind !== "vector" || object.args.length !== type.size) return null;
    return this.value(object.args[axis]);
  }

  #ofUnary({ operator, operand, id }: ast.UnaryExpr): LaneValue | null {
    const value = operator === "*" || operator === "&" ? null : this.value(operand);
    const wrap = wrapOf(this.#advice.program.typeOf[id]);
    if (value === null || wrap === null) return null;
    if (operator === "!") return (lane) => 1 - value(lane);
    return operator === "-" ? (lane) => wrap(-value(lane)) : (lane) => wrap(~value(lane));
  }

  #ofBinary({ operator, left, right, id }: ast.BinaryExpr): LaneValue | null {
    const wrap = wrapOf(this.#advice.program.typeOf[id]);
    const operation = OPERATIONS[operator];
    if (wrap === null || operation === undefined || !isIntegral(this.#advice, left)) return null;
    const a = this.value(left);
    const b = a === null ? null : this.value(right);
    if (a === null || b === null) return null;
    return (lane) => wrap(operation(a(lane), b(lane)));
  }

  #ofCall(expr: ast.CallExpr): LaneValue | null {
    const call = this.#advice.program.callOf[expr.id];
    const wrap = wrapOf(this.#advice.program.typeOf[expr.id]);
    if (
      wrap === null ||
      call === null ||
      call.kind === "function" ||
      !expr.args.every((arg) => isIntegral(this.#advice, arg))
    ) {
      return null;
    }
    const args = expr.args.map((arg) => this.value(arg));
    if (!args.every((arg) => arg !== null)) return null;
    if (call.kind === "construct") return args.length === 1 ? (lane) => wrap(args[0](lane)) : null;
    if (call.name === "min") return (lane) => Math.min(args[0](lane), args[1](lane));
    if (call.name === "max") return (lane) => Math.max(args[0](lane), args[1](lane));
    if (call.name === "select") return (lane) => (args[2](lane) === 1 ? args[1](lane) : args[0](lane));
    return null;
  }
}

/** In the text between its declaration and the use; the update of a `for` comes after its body. */
function isAssignedBefore(advice: Advice, declaration: ast.VarDecl, use: ast.IdentifierExpr): boolean {
  const writes = advice.survey.writesOf.get(declaration.id) ?? [];
  return writes.some(({ node, updateOf }) => {
    if (node.span.start >= use.span.start) return false;
    return updateOf === null || use.span.start >= updateOf.span.end;
  });
}

const AXES = "xyz";
const RGB = "rgb";

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

function isIntegral(advice: Advice, expr: ast.Expr): boolean {
  const type = advice.program.usedAs[expr.id] ?? advice.program.typeOf[expr.id];
  return wrapOf(type?.kind === "reference" ? type.store : type) !== null;
}

/** A check against the end of a buffer or a number from the host: taken to hold for all invocations that are looked at. */
export function isBoundCheck(advice: Advice, condition: ast.Expr): boolean {
  return !advice.mentionsThrough(condition, (part) => !mayStandInCheck(advice, part));
}

function mayStandInCheck(advice: Advice, part: ast.Expr): boolean {
  switch (part.kind) {
    case "literal":
    case "member":
      return true;
    case "unary":
      // `&data` in `arrayLength(&data)` is no access.
      return part.operator !== "*";
    case "binary":
      return part.operator !== "==" && part.operator !== "!=";
    case "call":
      return advice.program.callOf[part.id]?.kind === "construct" || CHECKING.has(advice.builtin(part) ?? "");
    case "identifier":
      return isGiven(advice, part);
    default:
      return false;
  }
}

const CHECKING: ReadonlySet<string> = new Set(["arrayLength", "textureDimensions", "min", "max", "all"]);

/** A name whose value the invocation does not find in memory that can change. */
function isGiven(advice: Advice, name: ast.IdentifierExpr): boolean {
  const entity = advice.program.entityOf[name.id];
  if (entity?.kind === "parameter") return entity.builtin !== null || entity.type.kind === "struct";
  if (entity?.kind !== "variable") return entity?.kind === "value" || entity?.kind === "override";
  if (entity.space === "uniform" || entity.space === "handle") return true;
  for (const at of advice.ancestors(name)) if (advice.builtin(at as ast.Expr) === "arrayLength") return true;
  return false;
}
