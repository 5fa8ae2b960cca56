/**
 * Accesses of different invocations to one element that no barrier orders, found by computing for the invocations of one
 * workgroup which elements they touch. What is found really meets; what cannot be computed is left to `sanitize`.
 * spec: #sync-builtin-functions
 */
import { note, phrase } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import type { VariableInfo } from "../program.ts";
import type { Root } from "../root-identifier.ts";
import { isDivergentAt } from "../uniformity/flow.ts";
import { type Advice, type Indexing, isLoop } from "./advice-context.ts";
import { guardsOf, mayHaveLeft } from "./guards.ts";
import { isBoundCheck, type Known, type Lane, type LaneValue, laneValue, sampleLanes } from "./lane-values.ts";
import { firstRounds, lastRound } from "./loop-rounds.ts";
import { type Access, loopEvents, type MemoryEvent, memoryEvents, orders } from "./memory-events.ts";
import { builtinValueOf, isChangedIn } from "./places.ts";
import { type FunctionSurvey, type Loop, READ, WRITTEN } from "./survey.ts";

/** Which element a plain access touches, as functions of the invocation. */
interface Footprint {
  readonly path: readonly LaneValue[];
  readonly guards: readonly { readonly value: LaneValue; readonly holds: boolean }[];
  /** By length of the path: for each invocation of the sample a number for the element; NaN: it does not get there. */
  readonly elements: Map<number, Float64Array>;
}

/** A plain access, with the number of barriers for its memory before it in the text. */
interface Placed {
  readonly access: Access;
  readonly at: number;
  readonly phase: number;
}

/** Of a variable, more accesses than this between two barriers are not looked at. */
const MOST_ACCESSES = 32;

export function missingBarrier(advice: Advice, fn: FunctionSurvey): void {
  if (fn.info.stage !== "compute") return;
  const candidates = [...fn.shared].flatMap(([variable, use]) => (use === (READ | WRITTEN) ? [variable] : []));
  if (candidates.length === 0) return;
  const byVariable = placedAccesses(memoryEvents(advice, fn));
  let search: Search | null = null;
  for (const variable of candidates) {
    const plain = byVariable.get(variable) ?? [];
    if (plain.every(({ access }) => isWrite(access))) continue;
    search ??= new Search(advice, fn, sampleLanes(advice, fn));
    if (search.hasSeveral) search.among(plain);
  }
}

function isWrite(access: Access): boolean {
  return access.access === "write";
}

function placedAccesses(events: readonly MemoryEvent[]): ReadonlyMap<VariableInfo, readonly Placed[]> {
  const found = new Map<VariableInfo, Placed[]>();
  const phases = { workgroup: 0, storage: 0 };
  for (const [at, event] of events.entries()) {
    if (orders(event, "workgroup")) phases.workgroup++;
    if (orders(event, "storage")) phases.storage++;
    if (event.kind !== "access" || (event.access !== "read" && event.access !== "write")) continue;
    const phase = phases[event.variable.space as "workgroup" | "storage"];
    const known = found.get(event.variable);
    if (known === undefined) found.set(event.variable, [{ access: event, at, phase }]);
    else known.push({ access: event, at, phase });
  }
  return found;
}

class Search {
  readonly #advice: Advice;
  readonly #fn: FunctionSurvey;
  readonly #lanes: readonly Lane[];
  readonly #footprints = new Map<Access, Footprint | null>();
  readonly #lastRounds = new Map<string, Known>();
  readonly #combinations = new Map<string, number>();

  constructor(advice: Advice, fn: FunctionSurvey, lanes: readonly Lane[]) {
    this.#advice = advice;
    this.#fn = fn;
    this.#lanes = lanes;
  }

  /** There are different invocations at all. */
  get hasSeveral(): boolean {
    return this.#lanes.length > 1;
  }

  /** Reports the first pair that meets: one message per variable. */
  among(plain: readonly Placed[]): void {
    for (let i = 0; i < plain.length; i++) {
      const first = plain[i];
      // Between two barriers in the text: the phases of `plain` do not fall.
      for (let k = i + 1; k < plain.length && k - i < MOST_ACCESSES && plain[k].phase === first.phase; k++) {
        if (!this.#meet(first, plain[k]) || this.#isTold(first, plain[k])) continue;
        report(this.#advice, first.access, plain[k].access);
        return;
      }
    }
    for (const [loop, range] of loopEvents(this.#advice, this.#fn)) {
      if (this.#nextRound(plain, loop, range) || this.#secondRound(plain, loop, range)) return;
    }
  }

  /** From the last accesses of a loop on to the first ones of its next round, with no barrier on the way. */
  #nextRound(plain: readonly Placed[], loop: Loop, [from, to]: readonly [number, number]): boolean {
    const inside = plain.filter(({ at }) => at >= from && at < to);
    if (inside.length < 2 || inside[0].phase === inside[inside.length - 1].phase) return false;
    const { space } = inside[0].access.variable as { space: "workgroup" | "storage" };
    const events = memoryEvents(this.#advice, this.#fn);
    const isOrdered = (start: number, end: number) => {
      for (let at = start; at < end; at++) if (orders(events[at], space)) return true;
      return false;
    };
    const early = inside.filter(({ phase }) => phase === inside[0].phase).slice(0, MOST_ACCESSES);
    const late = inside.filter(({ phase }) => phase === inside[inside.length - 1].phase).slice(-MOST_ACCESSES);
    if (isOrdered(from, early[0].at) || isOrdered(late[late.length - 1].at, to)) return false;
    for (const second of late) {
      for (const first of early) {
        if (isMoved(this.#advice, loop, [first.access, second.access]) || !this.#meet(first, second)) continue;
        reportNextRound(this.#advice, loop, first.access, second.access);
        return true;
      }
    }
    return false;
  }

  /** In a loop without any barrier: what its first round leaves, its second one meets. */
  #secondRound(plain: readonly Placed[], loop: Loop, [from, to]: readonly [number, number]): boolean {
    const inside = plain.filter(({ at }) => at >= from && at < to).slice(0, MOST_ACCESSES);
    if (inside.length < 2 || inside[0].phase !== inside[inside.length - 1].phase) return false;
    const { space } = inside[0].access.variable;
    const events = memoryEvents(this.#advice, this.#fn);
    for (let at = from; at < to; at++) if (orders(events[at], space)) return false;
    const rounds = firstRounds(this.#advice, this.#fn, loop, this.#lanes);
    if (rounds === null) return false;
    const places = inside.map(({ access }) => rounds.map((known) => this.#compute(access, known)));
    for (const [i, [first]] of places.entries()) {
      for (const [k, [, second]] of places.entries()) {
        if (first === null || second === null || isWrite(inside[i].access) === isWrite(inside[k].access)) continue;
        if (!this.#overlap(first, second)) continue;
        reportNextRound(this.#advice, loop, inside[k].access, inside[i].access);
        return true;
      }
    }
    return false;
  }

  /** A barrier of another kind between them was already said to be the wrong one. */
  #isTold(first: Placed, second: Placed): boolean {
    if (this.#advice.misfits.size === 0) return false;
    const between = memoryEvents(this.#advice, this.#fn).slice(first.at + 1, second.at);
    return between.some((event) => event.kind === "barrier" && this.#advice.misfits.has(event.call));
  }

  /** Two different invocations touch one element, one of them writing. */
  #meet(first: Placed, second: Placed): boolean {
    if (isWrite(first.access) === isWrite(second.access)) return false;
    if (this.#isOwn(first.access) && this.#isOwn(second.access)) return false;
    const a = this.#leaving(first, second);
    const b = a === null ? null : this.#footprint(second.access);
    return a !== null && b !== null && this.#overlap(a, b);
  }

  /**
   * What the first of two touches: where it stands in a loop with barriers and the second one behind that, only the last
   * round is not ordered before it.
   */
  #leaving(first: Placed, second: Placed): Footprint | null {
    const known = new Map<ast.NodeId, number>();
    for (const around of this.#advice.ancestors(first.access.view)) {
      if (!isLoop(around) || second.at < loopEvents(this.#advice, this.#fn).get(around)![1]) continue;
      for (const [id, value] of this.#lastOf(around, first.access.variable.space)) known.set(id, value);
    }
    return known.size === 0 ? this.#footprint(first.access) : this.#compute(first.access, known);
  }

  /** Nothing where no barrier parts the rounds. */
  #lastOf(loop: Loop, space: string): Known {
    const key = `${loop.id} ${space}`;
    let known = this.#lastRounds.get(key);
    if (known === undefined) {
      const [from, to] = loopEvents(this.#advice, this.#fn).get(loop)!;
      const events = memoryEvents(this.#advice, this.#fn).slice(from, to);
      const isOrdered = events.some((event) => orders(event, space));
      known = isOrdered ? lastRound(this.#advice, this.#fn, loop, this.#lanes[0]) : new Map();
      this.#lastRounds.set(key, known);
    }
    return known;
  }

  /** A quick look: the element that has the number of the invocation. */
  #isOwn({ path }: Access): boolean {
    const index = path?.length === 1 ? path[0] : 0;
    if (typeof index === "number") return false;
    const advice = this.#advice;
    const value = advice.resolved(index);
    const name = builtinValueOf(advice, value);
    if (name === "local_invocation_index") return true;
    const isLine = this.#fn.info.workgroupSize.slice(1).every((axis) => advice.number(axis) === 1);
    const isFirst = value.kind === "member" && value.member.text === "x";
    return isLine && isFirst && (name === "local_invocation_id" || name === "global_invocation_id");
  }

  #footprint(access: Access): Footprint | null {
    let known = this.#footprints.get(access);
    if (known === undefined) this.#footprints.set(access, (known = this.#compute(access)));
    return known;
  }

  #compute(access: Access, known: Known | null = null): Footprint | null {
    const advice = this.#advice;
    if (access.path === null || mayHaveLeft(advice, access.view)) return null;
    const path: LaneValue[] = [];
    for (const part of access.path) {
      const value = typeof part === "number" ? () => part : laneValue(advice, part, known);
      if (value === null) return null;
      path.push(value);
    }
    const guards: { value: LaneValue; holds: boolean }[] = [];
    for (const { condition, holds } of guardsOf(advice, access.view)) {
      if (holds === null) return null;
      const value = laneValue(advice, condition, known);
      if (value !== null) guards.push({ value, holds });
      else if (!isBoundCheck(advice, condition)) return null;
    }
    return { path, guards, elements: new Map() };
  }

  /** A path that ends earlier holds all below it. */
  #overlap(a: Footprint, b: Footprint): boolean {
    const length = Math.min(a.path.length, b.path.length);
    const [first, second] = [this.#elements(a, length), this.#elements(b, length)];
    // By element: which invocation of `a` is there; -1: several.
    const there = new Map<number, number>();
    for (let lane = 0; lane < first.length; lane++) {
      const element = first[lane];
      if (!Number.isNaN(element)) there.set(element, there.has(element) ? -1 : lane);
    }
    for (let lane = 0; lane < second.length; lane++) {
      const other = there.get(second[lane]);
      if (other !== undefined && other !== lane) return true;
    }
    return false;
  }

  #elements({ path, guards, elements }: Footprint, length: number): Float64Array {
    let known = elements.get(length);
    if (known === undefined) {
      known = new Float64Array(this.#lanes.length);
      for (const [at, lane] of this.#lanes.entries()) {
        const isThere = guards.every(({ value, holds }) => (value(lane) !== 0) === holds);
        known[at] = isThere ? this.#elementNumber(lane, path, length) : Number.NaN;
      }
      elements.set(length, known);
    }
    return known;
  }

  /** Of one index, the index; of several, a number of its own for each combination. */
  #elementNumber(lane: Lane, path: readonly LaneValue[], length: number): number {
    if (length === 0) return 0;
    let number = path[0](lane);
    for (let i = 1; i < length; i++) {
      const key = `${number},${path[i](lane)}`;
      let combined = this.#combinations.get(key);
      if (combined === undefined) this.#combinations.set(key, (combined = this.#combinations.size));
      number = combined;
    }
    return number;
  }
}

/** Where the place or its conditions hang on what the loop changes, the next round may be elsewhere. */
function isMoved(advice: Advice, loop: Loop, accesses: readonly Access[]): boolean {
  const own = loop.kind === "loop" ? null : loop.condition;
  return accesses.some(({ view, path }) => {
    const parts = [
      ...(path ?? []).filter((part): part is ast.Expr => typeof part !== "number"),
      ...guardsOf(advice, view, loop).flatMap(({ condition }) => (condition === own ? [] : [condition])),
    ];
    return parts.some((part) => advice.mentionsThrough(part, (leaf) => isChangedIn(advice, loop, leaf)));
  });
}

// ---------------------------------------------------------------- messages

function barrierFor(variable: VariableInfo): string {
  return variable.space === "workgroup" ? "workgroupBarrier" : "storageBarrier";
}

function report(advice: Advice, first: Access, second: Access): void {
  const { name } = first.variable;
  if (isUpdate(advice, first, second)) {
    const element = advice.text(second.view);
    const way = givesPlaces(advice, second.view)
      ? note("use-atomic-slot", second.view.span, { place: element })
      : updateNote(advice, second.view, name);
    advice.found.report("lost-update", second.view.span, { element }, { notes: [way] });
    return;
  }
  const barrier = barrierFor(first.variable);
  const verb = second.access === "write" ? phrase("write") : phrase("read");
  const code = first.access === "write" ? "written-by-another" : "read-by-another";
  const sameStatement = advice.statementOf(first.view) === advice.statementOf(second.view);
  const way = sameStatement
    ? note(isParted(advice, first, second) ? "read-then-barrier-apart" : "read-then-barrier", second.view.span, {
        barrier,
      })
    : note("put-barrier", second.view.span, { barrier });
  const notes = [note(code, first.view.span, { name }), way];
  advice.found.report("missing-barrier", second.view.span, { name, verb }, { notes });
}

/** The atomic function that does what the statement does, if there is one for it in one step. */
function updateNote(advice: Advice, view: ast.Expr, name: string) {
  const type = advice.program.typeOf[view.id];
  const element = type?.kind === "reference" ? type.store.kind : null;
  const atomic = atomicUpdate(advice, advice.statementOf(view), view);
  if (atomic === null || (element !== "u32" && element !== "i32"))
    return note("use-exchange-loop", view.span, { name });
  return note("use-atomic-update", view.span, { name, type: element, atomic });
}

function atomicUpdate(advice: Advice, node: ast.Statement, view: ast.Expr): string | null {
  if (node.kind === "increment") return node.operator === "++" ? "atomicAdd" : "atomicSub";
  if (node.kind !== "assign") return null;
  const isOwn = (part: ast.Expr) => advice.same(part, view);
  if (node.operator !== null)
    return advice.mentions(node.right, isOwn) ? null : (ATOMIC_OPERATORS[node.operator] ?? null);
  const value = advice.resolved(node.right);
  const operator = operatorOf(advice, value);
  const atomic = operator === null ? undefined : ATOMIC_OPERATORS[operator];
  if (operator === null || atomic === undefined) return null;
  const terms = termsOf(advice, value, SUMS.has(operator) ? SUMS : new Set([operator]));
  const own = terms.find(({ expr, isMinus }) => !isMinus && isOwn(advice.resolved(expr)));
  if (own === undefined) return null;
  return terms.some((term) => term !== own && advice.mentionsThrough(term.expr, isOwn)) ? null : atomic;
}

function operatorOf(advice: Advice, expr: ast.Expr): string | null {
  return expr.kind === "binary" ? expr.operator : expr.kind === "call" ? advice.builtin(expr) : null;
}

/** One of those that are put together by operations in any order. */
interface Term {
  readonly expr: ast.Expr;
  readonly isMinus: boolean;
}

function termsOf(advice: Advice, value: ast.Expr, operators: ReadonlySet<string>): readonly Term[] {
  const found: Term[] = [];
  const pending: Term[] = [{ expr: value, isMinus: false }];
  for (let term = pending.pop(); term !== undefined; term = pending.pop()) {
    const { expr, isMinus } = term;
    const isPart = operators.has(operatorOf(advice, expr) ?? "");
    if (isPart && expr.kind === "binary") {
      pending.push({ expr: expr.left, isMinus });
      pending.push({ expr: expr.right, isMinus: isMinus !== (expr.operator === "-") });
    } else if (isPart && expr.kind === "call") pending.push(...expr.args.map((arg) => ({ expr: arg, isMinus })));
    else found.push(term);
  }
  return found;
}

const SUMS: ReadonlySet<string> = new Set(["+", "-"]);

const ATOMIC_OPERATORS: Readonly<Record<string, string>> = {
  "+": "atomicAdd",
  "-": "atomicSub",
  "&": "atomicAnd",
  "|": "atomicOr",
  "^": "atomicXor",
  max: "atomicMax",
  min: "atomicMin",
};

/** Some invocations do not come to the statement. */
function isParted(advice: Advice, first: Access, second: Access): boolean {
  return isDivergentAt(advice.program, Math.min(first.view.span.start, second.view.span.start));
}

/** `list[n] = …; n += 1u;`: atomic one by one, reading and counting would still give two invocations one place. */
function givesPlaces(advice: Advice, view: ast.Expr): boolean {
  advice.indexing ??= findIndexing(advice);
  if (advice.indexing === "any") return true;
  const root = advice.survey.roots.of(view);
  const parts = root === null ? [] : (advice.indexing.get(root) ?? []);
  for (const part of parts) if (advice.same(part, view)) return true;
  return false;
}

/** What stands in indices, also by the names that `let` gave, by the variable that it comes from. */
function findIndexing(advice: Advice): Indexing {
  const found = new Map<Root, Set<ast.Expr>>();
  const take = (part: ast.Expr): boolean => {
    const root = advice.survey.roots.of(part);
    if (root !== null) found.set(root, (found.get(root) ?? new Set()).add(part));
    return false;
  };
  for (const expr of advice.program.expressionOf) {
    if (expr?.kind === "index" && advice.mentionsThrough(expr.index, take)) return "any";
  }
  return found;
}

/** `x[i] += …`, `x[i] = x[i] + …` of an element that several invocations share; also in two statements. */
function isUpdate(advice: Advice, first: Access, second: Access): boolean {
  if (!advice.same(first.view, second.view)) return false;
  const statement = advice.statementOf(second.view);
  if (advice.statementOf(first.view) === statement) return true;
  if (second.access !== "write" || statement.kind !== "assign") return false;
  const isRead = (part: ast.Expr): boolean => part === first.view;
  return advice.mentionsThrough(statement.right, (part) => {
    const entity = part.kind === "identifier" ? advice.program.entityOf[part.id] : null;
    if (entity?.kind !== "variable" || entity.scope !== "function") return isRead(part);
    // What a variable of the function was given.
    const given = (advice.survey.writesOf.get(entity.declaration.id) ?? []).map(({ node }) => advice.statementOf(node));
    const values = given.map((each) => (each.kind === "assign" ? each.right : null));
    return [entity.declaration.initializer, ...values].some(
      (value) => value !== null && advice.mentionsThrough(value, isRead),
    );
  });
}

function reportNextRound(advice: Advice, loop: Loop, first: Access, second: Access): void {
  const { name } = first.variable;
  const barrier = barrierFor(first.variable);
  const verb = first.access === "write" ? phrase("write") : phrase("read");
  const code = second.access === "write" ? "written-by-another" : "read-by-another";
  const end = { start: loop.body.span.end - 1, end: loop.body.span.end };
  const notes = [note(code, second.view.span, { name }), note("barrier-at-end", end, { barrier })];
  advice.found.report("missing-barrier", first.view.span, { name, verb }, { notes });
}
