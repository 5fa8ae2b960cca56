/** Bits of floats ordered as integers, masks, and `select` taken for a branch. */
import { note, phrase } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import { forEachOperand } from "../../syntax/walk.ts";
import { type Advice, isComparison } from "./advice-context.ts";
import type { FunctionSurvey } from "./survey.ts";

/** Functions of floats whose result has no sign. */
const SIGNLESS: ReadonlySet<string> = new Set(["abs", "length", "distance", "exp", "exp2"]);

/**
 * `atomicMax(&m, bitcast<u32>(x))` is right for positive numbers only: -0.0, negative numbers and NaN have bits above
 * those of every positive number. spec: #bitcast-builtin
 */
export function floatBitsOrder(advice: Advice, fn: FunctionSurvey): void {
  for (const { call, name } of fn.atomics) {
    if (name !== "atomicMax" && name !== "atomicMin") continue;
    const bits = floatBits(advice, call.args[1]);
    if (bits === null || isSignless(advice, bits.args[0]) || isGuarded(advice, fn, call.args[1])) continue;
    const signed = advice.program.typeOf[bits.id]?.kind === "i32";
    const value = advice.text(bits.args[0]);
    const problem = signed ? phrase("negative-out-of-order") : phrase("negative-beat-positive");
    const notes = [note("order-of-bits", bits.span, { value }), note("guard-the-bits", call.span, {})];
    advice.found.report("float-bits-order", call.args[1].span, { name, value, problem }, { notes });
  }
}

/** The `bitcast` of an f32, through `let`. */
function floatBits(advice: Advice, expr: ast.Expr): ast.CallExpr | null {
  const at = advice.resolved(expr);
  if (at.kind !== "call" || advice.builtin(at) !== "bitcast") return null;
  const from = advice.program.usedAs[at.args[0].id] ?? advice.program.typeOf[at.args[0].id];
  const store = from?.kind === "reference" ? from.store : from;
  return store?.kind === "f32" ? at : null;
}

function isSignless(advice: Advice, value: ast.Expr): boolean {
  if (advice.program.timeOf[value.id] !== "runtime") return true;
  const at = advice.resolved(value);
  const name = advice.builtin(at);
  if (name === "dot" && at.kind === "call") return advice.same(at.args[0], at.args[1]);
  return name !== null && SIGNLESS.has(name);
}

/** The bits themselves are looked at, not the float: `bits <= 0x7f800000`. */
function isGuarded(advice: Advice, fn: FunctionSurvey, expr: ast.Expr): boolean {
  const entity = advice.entity(expr);
  if (entity?.kind !== "value") return false;
  return advice.uses(fn, entity.declaration).some((use) => {
    for (const at of advice.ancestors(use)) if (isComparison(at)) return true;
    return false;
  });
}

// ---------------------------------------------------------------- masks

/** `x & (N - 1)` takes the remainder only where N is a power of two. */
export function maskNotPowerOfTwo(advice: Advice, fn: FunctionSurvey): void {
  for (const node of fn.masks) {
    const sides = node.kind === "binary" ? [node.left, node.right] : [node.right];
    for (const side of sides) {
      const size = maskedSize(advice, side);
      const count = size === null ? null : advice.number(size);
      if (size === null || count === null || count < 1 || Number.isInteger(Math.log2(count))) continue;
      if (sides.length > 1 && advice.program.timeOf[node.id] !== "runtime") continue;
      const text = advice.text(size);
      const notes = [note("use-remainder", node.span, { size: text })];
      advice.found.report("mask-not-power-of-two", side.span, { size: text, count }, { notes });
    }
  }
}

/** N of `N - 1`, directly or through a constant. */
function maskedSize(advice: Advice, expr: ast.Expr): ast.Expr | null {
  let at = expr;
  const entity = advice.entity(at);
  if (entity?.kind === "value" || entity?.kind === "override") {
    const { initializer } = entity.declaration;
    if (initializer === null) return null;
    at = initializer;
  }
  if (at.kind !== "binary" || at.operator !== "-" || advice.number(at.right) !== 1) return null;
  const size = at.left;
  return size.kind === "identifier" || size.kind === "literal" ? size : null;
}

// ---------------------------------------------------------------- select

/** `select(0, data[i], i < n)` evaluates `data[i]` whatever the condition. spec: #select-builtin */
export function selectEvaluatesBoth(advice: Advice, fn: FunctionSurvey): void {
  for (const call of fn.selects) {
    const [whenFalse, whenTrue, condition] = call.args;
    const compared = comparedParts(advice, condition);
    if (compared.length === 0) continue;
    for (const arm of [whenFalse, whenTrue]) {
      const read = guardedRead(advice, arm, compared);
      if (read === null) continue;
      const notes = [note("select-condition", condition.span, {}), note("use-if", call.span, {})];
      advice.found.report("select-evaluates-both", read.span, { read: advice.text(read) }, { notes });
    }
  }
}

/** What the condition compares and is known only when the shader runs. */
function comparedParts(advice: Advice, condition: ast.Expr): readonly ast.Expr[] {
  const found: ast.Expr[] = [];
  const full = advice.resolved(condition);
  advice.mentions(full, (part) => {
    if (isComparison(part) && part.operator !== "==") {
      for (const side of [part.left, part.right]) {
        if (advice.program.timeOf[side.id] !== "runtime") continue;
        // `i + 1 < n` guards `data[i + 1]` as well as `data[i]`.
        found.push(side);
        if (side.kind === "binary") found.push(side.left, side.right);
      }
    }
    return false;
  });
  return found.filter((part) => part.kind !== "literal" && part.kind !== "call");
}

/** Whatever it is made of, what is brought into a range is in it: `min(i, n - 1u)`, `max(i, 1u) - 1u`. */
function isBrought(advice: Advice, index: ast.Expr): boolean {
  if (index.kind === "call") return /^(?:min|clamp)$/.test(advice.builtin(index) ?? "");
  if (index.kind !== "binary") return false;
  const { operator, left, right } = index;
  if (operator !== "-") return operator === "%" || operator === "&";
  const least = advice.resolved(left);
  return least.kind === "call" && advice.builtin(least) === "max" && least.args.some((arg) => advice.same(arg, right));
}

/** Whether an index is made of what is compared, otherwise than by something that is brought into a range. */
function hangsOn(advice: Advice, index: ast.Expr, compared: readonly ast.Expr[]): boolean {
  const pending = [index];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (isBrought(advice, part)) continue;
    if (compared.some((other) => advice.same(part!, other))) return true;
    forEachOperand(part, (operand) => pending.push(operand));
  }
  return false;
}

/** An element of an array in memory whose index hangs on what the condition compares. */
function guardedRead(advice: Advice, arm: ast.Expr, compared: readonly ast.Expr[]): ast.IndexExpr | null {
  let read: ast.IndexExpr | null = null;
  advice.mentions(arm, (part) => {
    if (part.kind !== "index" || read !== null) return read !== null;
    const type = advice.program.typeOf[part.object.id];
    const store = type?.kind === "reference" || type?.kind === "pointer" ? type.store : type;
    if (store?.kind !== "array") return false;
    const index = advice.resolved(part.index);
    if (isBrought(advice, index)) return false;
    const hangs = [part.index, index].some((from) => hangsOn(advice, from, compared));
    if (hangs) read = part;
    return hangs;
  });
  return read;
}
