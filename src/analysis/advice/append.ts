/** Lists that are appended to with the old value of a counter. */
import { note } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import { isExpression } from "../../syntax/walk.ts";
import type { Type } from "../../types/type.ts";
import type { FunctionInfo, VariableInfo } from "../program.ts";
import { type Advice, isComparison } from "./advice-context.ts";
import { calledInLoop, returnsNote } from "./exchange.ts";
import { addressSpace, hasRuntimeIndex, placeOf, textOfPlace } from "./places.ts";
import type { AtomicCall, FunctionSurvey } from "./survey.ts";

/** `let slot = atomicAdd(&count, 1); list[slot] = …` where nothing bounds the slot. */
export function appendWithoutGuard(advice: Advice, fn: FunctionSurvey): void {
  for (const atomic of fn.atomics) {
    const { call, name } = atomic;
    if (name !== "atomicAdd") continue;
    const slot = slotOf(advice, fn, call);
    const at = slot.indexed.find((access) => isList(advice, fn, call, access));
    if (at === undefined || slot.isBounded || fits(advice, fn, atomic, at)) continue;
    const list = advice.text(at.object);
    const notes = [
      note("slot-from-here", call.span, { place: advice.text(placeOf(call)) }),
      wayOut(advice, call, lastOf(advice, slot, at)),
      returnsNote(call),
    ];
    advice.found.report("append-without-guard", at.span, { list, index: advice.text(at.index) }, { notes });
  }
}

/** Of the accesses to one list by a slot and constants the one that lies furthest behind: the others lie before it. */
function lastOf(advice: Advice, { indexed }: Slot, at: ast.IndexExpr): ast.IndexExpr {
  let last = at;
  for (const each of indexed) {
    if (!advice.same(each.object, at.object) || offsetOf(advice, each.index) === null) continue;
    if (offsetOf(advice, each.index)! > (offsetOf(advice, last.index) ?? Number.POSITIVE_INFINITY)) last = each;
  }
  return last;
}

/** `2` of `slot + 2u`; null where it is no sum of a name and constants. */
function offsetOf(advice: Advice, expr: ast.Expr): number | null {
  if (expr.kind === "identifier") return advice.number(expr) ?? 0;
  if (expr.kind !== "binary" || expr.operator !== "+") return advice.number(expr);
  const [left, right] = [expr.left, expr.right].map((side) => offsetOf(advice, side));
  return left === null || right === null ? null : left + right;
}

function wayOut(advice: Advice, call: ast.CallExpr, at: ast.IndexExpr) {
  const part = hasRuntimeIndex(advice, call) ? partOf(advice, at.index) : null;
  const type = storeType(advice, at.object);
  const length =
    type?.kind === "array" && typeof type.count === "number"
      ? String(type.count)
      : `arrayLength(&${advice.text(at.object)})`;
  const index = part?.index ?? advice.text(at.index);
  const isSigned = part === null && advice.program.typeOf[at.index.id]?.kind === "i32" && length.startsWith("a");
  const isWeak = at.index.kind === "binary" && WEAK.has(at.index.operator);
  // What changes memory cannot be asked for first: it has to be given a name.
  const asked = /\batomic[A-Z]/.test(index) ? "index" : isWeak && !isSigned ? `(${index})` : index;
  return note("guard-the-slot", at.span, { index: isSigned ? `u32(${asked})` : asked, bound: part?.bound ?? length });
}

/** Operators that do not bind more strongly than `<`. spec: #operator-precedence-associativity */
const WEAK: ReadonlySet<string> = new Set(["&", "|", "^"]);

/** `slot + 1u` and `4u` of `cell * 4u + slot + 1u`: each counter has so many places. */
function partOf(advice: Advice, expr: ast.Expr): { readonly index: string; readonly bound: string } | null {
  const terms: ast.Expr[] = [];
  for (let at = expr; ; at = at.left) {
    if (at.kind !== "binary" || at.operator !== "+") {
      terms.unshift(at);
      break;
    }
    terms.unshift(at.right);
  }
  const start = terms.find((term) => isFixedStride(advice, term));
  if (start?.kind !== "binary" || terms.length < 2) return null;
  const others = terms.filter((term) => term !== start).map((term) => advice.text(term));
  return {
    index: others.join(" + "),
    bound: advice.text(advice.number(start.right) === null ? start.left : start.right),
  };
}

interface Slot {
  /** Accesses whose index hangs on the slot. */
  readonly indexed: readonly ast.IndexExpr[];
  /** It is compared, clamped or wrapped somewhere in the function. */
  readonly isBounded: boolean;
}

const BOUNDING: ReadonlySet<string> = new Set(["min", "clamp", "max"]);

/** Follows the old value through `let`, `var` and arithmetic. */
function slotOf(advice: Advice, fn: FunctionSurvey, call: ast.CallExpr): Slot {
  const indexed: ast.IndexExpr[] = [];
  let isBounded = false;
  const seen = new Set<ast.Expr>();
  const pending: ast.Expr[] = [call];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (seen.has(value)) continue;
    seen.add(value);
    const at = advice.parent(value);
    if (at === null) continue;
    if (at.kind === "let" || at.kind === "var" || at.kind === "const") pending.push(...advice.uses(fn, at));
    else if (at.kind === "assign" && at.right === value) {
      const entity = advice.entity(at.left);
      if (entity?.kind === "variable" && entity.scope === "function")
        pending.push(...advice.uses(fn, entity.declaration));
    } else if (at.kind === "index" && at.index === value) indexed.push(at);
    else if (isComparison(at) || bounds(advice, at)) isBounded = true;
    else if (isExpression(at) && at.kind !== "index" && at.kind !== "member") pending.push(at);
  }
  return { indexed, isBounded };
}

function bounds(advice: Advice, at: ast.Expr | ast.Statement): boolean {
  if (at.kind === "binary") return at.operator === "%" || at.operator === "&" || at.operator === ">>";
  return at.kind === "call" && BOUNDING.has(advice.builtin(at) ?? "");
}

function storeType(advice: Advice, expr: ast.Expr): Type | null {
  const type = advice.program.typeOf[expr.id];
  return type?.kind === "reference" || type?.kind === "pointer" ? type.store : type;
}

/**
 * A counter among many is mostly a cursor into a list with room for all, unless each list has a fixed capacity:
 * `entries[cell * 4 + slot]`, `entries[cell][slot]`.
 */
function isList(advice: Advice, fn: FunctionSurvey, call: ast.CallExpr, access: ast.IndexExpr): boolean {
  if (storeType(advice, access.object)?.kind !== "array") return false;
  if (!hasRuntimeIndex(advice, call)) return true;
  if (access.object.kind === "index") return true;
  return fn.atomics.length > 0 && advice.mentions(access.index, (part) => isFixedStride(advice, part));
}

function isFixedStride(advice: Advice, part: ast.Expr): boolean {
  if (part.kind !== "binary" || part.operator !== "*") return false;
  return advice.number(part.left) !== null || advice.number(part.right) !== null;
}

/**
 * A counter of the workgroup that each invocation raises once cannot exceed what the workgroup has invocations: a list
 * without a size in the text is as long as the host makes it, for such places as for those of the invocations.
 */
function fits(advice: Advice, fn: FunctionSurvey, { call }: AtomicCall, at: ast.IndexExpr): boolean {
  if (addressSpace(advice, call) !== "workgroup") return false;
  if (advice.innermostLoop(call) !== null || calledInLoop(advice).has(fn.info)) return false;
  const type = storeType(advice, at.object);
  if (type?.kind !== "array") return false;
  if (type.count === null) return true;
  if (typeof type.count !== "number") return false;
  const step = advice.number(call.args[1]);
  const most = Math.max(
    ...advice.program.entryPoints.filter((info) => reaches(info, fn.info)).map((info) => sizeOf(advice, info)),
  );
  return step !== null && most * step <= type.count;
}

function reaches(entry: FunctionInfo, info: FunctionInfo): boolean {
  const reached = new Set<FunctionInfo>([entry]);
  for (const each of reached) for (const callee of each.callees) reached.add(callee);
  return reached.has(info);
}

/** Invocations of a workgroup; NaN: not known. */
function sizeOf(advice: Advice, info: FunctionInfo): number {
  return info.workgroupSize.reduce((product, axis) => product * (advice.number(axis) ?? Number.NaN), 1);
}

// ---------------------------------------------------------------- the count

const SATURATING: ReadonlySet<string> = new Set([
  "atomicMin",
  "atomicStore",
  "atomicExchange",
  "atomicCompareExchangeWeak",
  "atomicSub",
]);

/**
 * Where appending is guarded, the counter goes on counting attempts when the list is full: who trusts it as the number of
 * elements, reads past them. Somebody has to bring it back to the capacity first.
 */
export function countUnsaturated(advice: Advice): void {
  for (const all of byCounter(advice).values()) {
    if (all.some(({ atomic }) => SATURATING.has(atomic.name))) continue;
    const append = all.find((placed) => isGuardedAppend(advice, placed));
    if (append === undefined || hasRoomForAll(advice, append)) continue;
    const { call, root } = append.atomic;
    const trusting = all.find(({ fn, atomic }) => atomic.name === "atomicLoad" && isTrusted(advice, fn, atomic.call));
    if (trusting !== undefined) reportCount(advice, trusting.atomic.call, call);
    else if (isDrawCount(root as VariableInfo, call)) reportCount(advice, call, call);
  }
}

interface Placed {
  readonly fn: FunctionSurvey;
  readonly atomic: AtomicCall;
}

/** All atomic calls by the place in a module-scope variable that they name. */
function byCounter(advice: Advice): ReadonlyMap<string, readonly Placed[]> {
  const all = new Map<string, Placed[]>();
  for (const fn of advice.survey.functions) {
    for (const atomic of fn.atomics) {
      if (atomic.root?.kind !== "variable" || hasRuntimeIndex(advice, atomic.call)) continue;
      const key = `${atomic.root.declaration.id} ${textOfPlace(advice, atomic.call)}`;
      const known = all.get(key);
      if (known === undefined) all.set(key, [{ fn, atomic }]);
      else known.push({ fn, atomic });
    }
  }
  return all;
}

function isGuardedAppend(advice: Advice, { fn, atomic: { name, call } }: Placed): boolean {
  if (name !== "atomicAdd") return false;
  const slot = slotOf(advice, fn, call);
  return slot.isBounded && slot.indexed.length > 0;
}

function hasRoomForAll(advice: Advice, { fn, atomic }: Placed): boolean {
  return slotOf(advice, fn, atomic.call).indexed.every((at) => fits(advice, fn, atomic, at));
}

function reportCount(advice: Advice, at: ast.CallExpr, add: ast.CallExpr): void {
  const place = advice.text(placeOf(add));
  const notes = [
    ...(at === add ? [] : [note("counts-attempts", add.span, { place })]),
    note("saturate-count", at.span, { place }),
  ];
  advice.found.report("count-unsaturated", at.span, { place }, { notes });
}

/** The loaded count bounds a loop or an access, and is not brought down to a capacity first. */
function isTrusted(advice: Advice, fn: FunctionSurvey, load: ast.CallExpr): boolean {
  const places = advice.occurrences(fn, load).map((at) => advice.parent(at));
  if (places.some((at) => at?.kind === "call" && BOUNDING.has(advice.builtin(at) ?? ""))) return false;
  return places.some((at) => {
    if (at === null || !isExpression(at)) return false;
    if (at.kind === "index") return true;
    return isComparison(at) && !advice.mentions(at, (part) => advice.builtin(part) === "arrayLength");
  });
}

/** The count lies where an indirect draw looks for it: nobody can clamp it on the way. */
function isDrawCount(variable: VariableInfo, call: ast.CallExpr): boolean {
  const place = placeOf(call);
  if (place.kind !== "member" || variable.type.kind !== "struct") return false;
  const { members } = variable.type;
  const words = members.every(({ type }) => type.kind === "u32" || type.kind === "i32" || type.kind === "atomic");
  return (
    words && (members.length === 4 || members.length === 5) && /(instance|vertex|index)_?count/i.test(place.member.text)
  );
}
