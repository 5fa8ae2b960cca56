/** What has to be asked before an index is used, in the words of the source. */
import type { Program } from "../analysis/program.ts";
import { type Note, note } from "../diagnostics/diagnostic.ts";
import type { AccessSite } from "../engine/flat.ts";
import type { BoundsFault } from "../engine/observer.ts";
import type { FunctionId, InstId } from "../ir/ir.ts";
import { layoutOf, runtimeElementCount } from "../layout/layout.ts";
import type * as ast from "../syntax/ast.ts";
import { onceFor } from "../text/once.ts";
import type { Span } from "../text/source.ts";
import { type CounterIndex, type Part, partAt, roomOf, type Term } from "./append-sites.ts";
import { type DispatchScope, sourceOf } from "./draft.ts";
import { pointerType } from "./places.ts";
import { type Flow, valueGraph } from "./value-graph.ts";

/** Where the index came from a counter of a part of the array, the part is what it must not leave. */
export function guardHint(scope: DispatchScope, site: AccessSite, fault: BoundsFault): Note {
  const index = indexText(scope, site.function, fault.instruction);
  if (fault.index === fault.count && isPopped(scope, site.function, fault.instruction)) {
    return note("hint-popped", site.span, { index });
  }
  const count = lengthText(scope, site, fault);
  const counted = partAt(scope.module, site.function, fault.instruction);
  const within = counted === null ? null : partGuard(scope, counted);
  if (counted === null || within === null) return note("hint-guard", site.span, { index, count });
  if (partsFit(scope, counted, fault.count)) return note("hint-guard", site.span, within);
  return note("hint-guard", site.span, { index: `${within.index} < ${within.count} && ${index}`, count });
}

/** Whether an index is what an `atomicSub` gave, as it gave it. */
function isPopped({ module }: DispatchScope, fn: FunctionId, access: InstId): boolean {
  const graph = valueGraph(module);
  const inst = graph.at(fn, access);
  if (inst?.kind !== "access" || typeof inst.index === "number") return false;
  const isVariable = (node: number) => graph.rootOf(node) !== null;
  const given = graph.sources(graph.node(fn, inst.index.dynamic), AS_IT_IS, isVariable);
  return [...given].some((node) => {
    const from = graph.instructions[node];
    return from?.kind === "atomic" && from.operation === "sub";
  });
}

const AS_IT_IS: ReadonlySet<Flow> = new Set(["copy"]);

/** The same where the place is in the array, but in the part of another counter. */
export function reservationHint(scope: DispatchScope, { function: fn, instruction, span }: AccessSite): Note {
  const graph = valueGraph(scope.module);
  const inst = graph.at(fn, instruction);
  let pointer = inst !== null && inst !== undefined && "pointer" in inst ? inst.pointer : null;
  while (pointer !== null) {
    const counted = partAt(scope.module, fn, pointer);
    const within = counted === null ? null : partGuard(scope, counted);
    if (within !== null) return note("hint-guard", span, within);
    const step = graph.at(fn, pointer);
    pointer = step?.kind === "access" ? step.pointer : null;
  }
  return note("hint-guard-reservation", span, {});
}

/** How far a counter may count, in WGSL, of the type of the counter; `count` is how many elements there were. */
export function capacityText(scope: DispatchScope, index: CounterIndex, count: number): string {
  const { counter, user, access } = index;
  const counted = partAt(scope.module, user.function, access.id);
  const within = counted === null ? null : partGuard(scope, counted);
  const at = { function: user.function, root: user.inst.root };
  const whole = within?.count ?? lengthText(scope, at, { instruction: access.id, count });
  const room = roomOf(scope.module, index, count);
  const text = index.scale === 1 ? less(whole, Math.max(0, count - room)) : `${room}u`;
  const known = within === null || counted === null ? "u32" : counted.part.start.type.kind;
  const wanted = counter.inst.type.kind;
  if (known === wanted) return text;
  return /^\d+[iu]$/.test(text) ? text.slice(0, -1) + wanted[0] : `${wanted}(${text})`;
}

/** `7u` of `8u`, `ROOM - 1` of `ROOM`. */
function less(count: string, places: number): string {
  if (places === 0) return count;
  const [, number, suffix] = /^(\d+)([iu]?)$/.exec(count) ?? [];
  return number === undefined ? `${count} - ${places}` : `${Number(number) - places}${suffix}`;
}

/** `slot < 4u`; null where the source does not say it in so many words. */
function partGuard(
  scope: DispatchScope,
  { part }: { readonly part: Part },
): { readonly index: string; readonly count: string } | null {
  const { slot, others, start, scale, length } = part;
  const of = operandText(scope, start.span, scale);
  const suffix = start.type.kind === "i32" ? "i" : "u";
  const count = start.operator === "<<" || of === null ? (length === null ? null : `${length}${suffix}`) : of;
  const index = sumText(scope, operandText(scope, slot.sum.span, slot.side) ?? "slot", others);
  return count === null || index === null ? null : { index, count };
}

/** `slot + 1u`; null where a term is too long, or cannot be asked for first. */
export function sumText(scope: DispatchScope, first: string, terms: readonly Term[]): string | null {
  let text = first;
  for (const { sum, side, isMinus } of terms) {
    const term = termText(scope, sum.span, side);
    if (term === null) return null;
    text += ` ${isMinus ? "-" : "+"} ${term}`;
  }
  return text;
}

/** Whether the parts of all counters lie in the array: then whoever stays in its own is in bounds. */
function partsFit(scope: DispatchScope, { counter, part }: CounterIndex & { part: Part }, count: number): boolean {
  const graph = valueGraph(scope.module);
  const place = graph.at(counter.function, counter.inst.pointer);
  const counters =
    place?.kind === "access" ? elementsOf(scope, counter.function, place.pointer, counter.inst.root) : null;
  return counters !== null && part.length !== null && counters * part.length <= count;
}

/** Elements of the array that a pointer points to; null where it is none. */
export function elementsOf(
  { module, sizes }: DispatchScope,
  fn: FunctionId,
  pointer: InstId,
  root: number | null,
): number | null {
  const type = pointerType(module, fn, pointer);
  if (type?.kind !== "array" || root === null) return null;
  if (typeof type.count === "number") return type.count;
  return runtimeElementCount(layoutOf(module.roots[root].type), sizes[root]);
}

// ---------------------------------------------------------------- in the words of the source

/** The source text of an index, as far as it is short. */
function indexText(scope: DispatchScope, fn: FunctionId, instruction: InstId): string {
  const graph = valueGraph(scope.module);
  const inst = graph.at(fn, instruction);
  if (inst?.kind !== "access" && inst?.kind !== "extract-dynamic") return "index";
  const index =
    inst.kind === "extract-dynamic" ? inst.index : typeof inst.index === "number" ? null : inst.index.dynamic;
  const expr = expressionAt(scope.step.program, "index", inst.span);
  const isSigned = index !== null && graph.at(fn, index)?.type.kind === "i32";
  const text = expr?.kind === "index" ? shortText(scope, expr.index, !isSigned) : null;
  return isSigned ? `u32(${text ?? "index"})` : (text ?? "index");
}

/** The text of an index with another one for what stands at a place in it; null where it is long, or changes memory. */
export function indexWith(scope: DispatchScope, access: Span, { start, end }: Span, instead: string): string | null {
  const expr = expressionAt(scope.step.program, "index", access);
  if (expr?.kind !== "index") return null;
  const { index } = expr;
  const text = sourceOf(scope).slice(index.span);
  const [before, after] = [start - index.span.start, end - index.span.start];
  const isInside = before >= 0 && after <= text.length;
  return asOperand(index, isInside ? text.slice(0, before) + instead + text.slice(after) : text, true);
}

export function operandText(scope: DispatchScope, span: Span, side: "left" | "right"): string | null {
  const expr = expressionAt(scope.step.program, "binary", span);
  return expr?.kind === "binary" ? shortText(scope, expr[side], true) : null;
}

/** … as it binds beside `+` and `-`. */
function termText(scope: DispatchScope, span: Span, side: "left" | "right"): string | null {
  const expr = expressionAt(scope.step.program, "binary", span);
  const text = expr?.kind === "binary" ? shortText(scope, expr[side], false) : null;
  if (text === null || expr?.kind !== "binary") return null;
  const operand = expr[side];
  return operand.kind === "binary" && !FACTORS.has(operand.operator) ? `(${text})` : text;
}

const FACTORS: ReadonlySet<string> = new Set(["*", "/", "%"]);

const LONGEST = 40;
/** What must stand in parentheses as an operand of `<`. spec: #operator-precedence-associativity */
const APART: ReadonlySet<string> = new Set(["&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||"]);

/** null where it is long, or cannot be asked for first: what changes memory has to be given a name. */
function shortText(scope: DispatchScope, expr: ast.Expr, isOperand: boolean): string | null {
  return asOperand(expr, sourceOf(scope).slice(expr.span), isOperand);
}

function asOperand(expr: ast.Expr, text: string, isOperand: boolean): string | null {
  if (text.length > LONGEST || text.includes("\n") || /\batomic[A-Z]/.test(text)) return null;
  return isOperand && expr.kind === "binary" && APART.has(expr.operator) ? `(${text})` : text;
}

/** The expression of a kind at a place, without its parentheses. */
function expressionAt(program: Program, kind: "index" | "binary", { start, end }: Span): ast.Expr | null {
  return expressionsOf(program).get(`${kind} ${start} ${end}`) ?? null;
}

const expressionsOf = onceFor((program: Program) => {
  const found = new Map<string, ast.Expr>();
  for (const expr of program.expressionOf) {
    if (expr?.kind === "index" || expr?.kind === "binary")
      found.set(`${expr.kind} ${expr.span.start} ${expr.span.end}`, expr);
  }
  return found;
});

/** What says in WGSL how long an array is that is indexed; `count` is what it was. */
export function lengthText(
  { module }: DispatchScope,
  at: Pick<AccessSite, "function" | "root">,
  { instruction, count }: Pick<BoundsFault, "instruction" | "count">,
): string {
  const graph = valueGraph(module);
  const inst = graph.at(at.function, instruction);
  const indexed = inst?.kind === "access" ? pointerType(module, at.function, inst.pointer) : null;
  if (at.root === null || indexed?.kind !== "array" || indexed.count !== null) return `${count}u`;
  // A runtime-sized array is a whole variable or the last member of one.
  const { name, type } = module.roots[at.root];
  return `arrayLength(&${type.kind === "struct" ? `${name}.${type.members.at(-1)!.name}` : name})`;
}
