/**
 * Where a program means to keep others out: between taking a word and giving it back. Atomics order nothing but themselves,
 * so that no lock orders what is done under it, however it is taken. spec: #memory-model
 */
import type { AccessSite } from "../engine/flat.ts";
import { waitIn } from "../engine/waits.ts";
import type { FunctionId, InstId, Instruction, IrModule, RootId } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import { onceFor } from "../text/once.ts";
import type { Span } from "../text/source.ts";
import { isSharedAccess, type MemoryInst } from "./access-class.ts";
import { usesOf } from "./atomic-uses.ts";
import { type ValueGraph, valueGraph } from "./value-graph.ts";

/** What is done to a word that may be a lock, where it is done or in a call. */
interface Step {
  readonly root: RootId;
  readonly span: Span;
  /** "wait": a loop goes round until it is changed; "add": nobody asks what it was; "count": somebody does. */
  readonly kind: "wait" | "exchange" | "set" | "add" | "count";
  /** What it becomes; null: no constant. */
  readonly value: number | null;
  /** What it has to be before. */
  readonly from: number | null;
  /** The access; null: the rounds of a loop. */
  readonly access: { readonly function: FunctionId; readonly inst: MemoryInst } | null;
}

/** How a flag is set. */
type Flag = NonNullable<Step["access"]>;

interface Lock {
  readonly root: RootId;
  readonly start: number;
  readonly end: number;
}

/** Functions with more steps are not looked at. */
const MOST_STEPS = 64;

export const locksOf = onceFor((module: IrModule) => new Locks(module));

class Locks {
  readonly #module: IrModule;
  readonly #graph: ValueGraph;
  /** By function: all that is done to words that may be locks or flags. */
  readonly #steps: readonly (readonly Step[])[];
  /** By function. */
  readonly #locks: readonly (readonly Lock[])[];
  /** By function: variables whose locks all of it may stand under, as it is called there. */
  readonly #around: readonly Set<RootId>[];
  readonly #roots: ReadonlySet<RootId>;

  constructor(module: IrModule) {
    this.#module = module;
    this.#graph = valueGraph(module);
    const steps: Step[][] = [];
    // Callees come before callers.
    for (const { id, body } of module.functions) {
      const found: Step[] = [];
      eachInstruction(body, (inst) => {
        if (inst.kind === "call") found.push(...steps[inst.function].map((step) => ({ ...step, span: inst.span })));
        else found.push(...this.#stepsOf(id, inst));
      });
      steps.push(found.length > MOST_STEPS ? [] : found);
    }
    this.#steps = steps;
    this.#locks = steps.map(locksAmong);
    this.#roots = new Set(this.#locks.flat().map(({ root }) => root));
    this.#around = module.functions.map(() => new Set<RootId>());
    for (const { id, body } of [...module.functions].reverse()) {
      eachInstruction(body, (inst) => {
        if (inst.kind !== "call") return;
        for (const root of [...this.#around[id], ...this.#at(id, inst.span)]) this.#around[inst.function].add(root);
      });
    }
  }

  isLock(root: RootId | null): boolean {
    return root !== null && this.#roots.has(root);
  }

  /** Whether an atomic function is of a lock, stands under one, or says whose turn it is. */
  concerns(site: AccessSite): boolean {
    return this.isLock(site.root) || this.over(site).size > 0 || this.#isTicket(site);
  }

  #isTicket({ function: fn, instruction }: AccessSite): boolean {
    return usesOf(this.#graph, this.#graph.node(fn, instruction)).some(
      (use) => use.kind === "branch" && this.#at(use.function, use.inst.span).length > 0,
    );
  }

  /** What is set behind a write, and waited for in front of a read, or where it is read in a round; null: there is none. */
  flagBetween(write: AccessSite, read: AccessSite): Flag | null {
    const waits = this.#steps[read.function].filter(
      ({ kind, span }) => kind === "wait" && (span.end <= read.span.start || isInside(read.span, span)),
    );
    const sets = this.#steps[write.function].filter(
      ({ kind, span }) => (kind === "set" || kind === "add") && span.start >= write.span.end,
    );
    // No word is accessed plainly and atomically.
    const isOther = ({ root, access }: Step) => root !== write.root || access!.inst.kind === "atomic";
    const found = sets.find((set) => isOther(set) && waits.some(({ root }) => root === set.root));
    return found === undefined ? null : found.access;
  }

  /** The variables of the locks that an access stands under. */
  over({ function: fn, span }: Pick<AccessSite, "function" | "span">): ReadonlySet<RootId> {
    return new Set([...this.#around[fn], ...this.#at(fn, span)]);
  }

  #at(fn: FunctionId, span: Span): readonly RootId[] {
    return this.#locks[fn].filter((lock) => isInside(span, lock)).map(({ root }) => root);
  }

  #stepsOf(fn: FunctionId, inst: Instruction): readonly Step[] {
    if (inst.kind === "loop") {
      const { span } = inst;
      const roots = waitIn(this.#module, this.#module.functions[fn], inst)?.roots ?? [];
      return roots.map((root) => ({ root, span, kind: "wait", value: null, from: null, access: null }));
    }
    if (!isSharedAccess(inst) || inst.root === null) return [];
    const step = { root: inst.root, span: inst.span, access: { function: fn, inst } };
    const constant = (id: InstId) => this.#graph.constant(fn, id);
    if (inst.kind === "store") return [{ ...step, kind: "set", value: constant(inst.value), from: null }];
    if (inst.kind !== "atomic") return [];
    const isAsked = this.#graph.isUsed(this.#graph.node(fn, inst.id));
    const [from, value] = inst.operation === "compare-exchange-weak" ? inst.args.map(constant) : [null, null];
    switch (inst.operation) {
      case "compare-exchange-weak":
        return [{ ...step, kind: "exchange", value, from }];
      case "exchange":
        return [{ ...step, kind: isAsked ? "exchange" : "set", value: constant(inst.args[0]), from: null }];
      case "store":
        return [{ ...step, kind: "set", value: constant(inst.args[0]), from: null }];
      case "add":
      case "sub":
        return [{ ...step, kind: isAsked ? "count" : "add", value: null, from: null }];
      default:
        return [];
    }
  }
}

function isInside(inner: Span, outer: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function locksAmong(steps: readonly Step[]): readonly Lock[] {
  const found: Lock[] = [];
  // What counts is set to a number to begin with, and to nought to begin anew.
  const counts = new Set(steps.filter(({ kind }) => kind === "count").map(({ root }) => root));
  const ordered = steps
    .filter(({ root, kind }) => kind !== "set" || !counts.has(root))
    .sort((a, b) => a.span.start - b.span.start);
  for (const [at, taken] of ordered.entries()) {
    const given = ordered.slice(at + 1).findLast((step, i, all) => isGivenBack(taken, step, all.slice(0, i)));
    if (given !== undefined) found.push({ root: taken.root, start: taken.span.start, end: given.span.end });
  }
  return found;
}

/** `between`: what comes between the two. */
function isGivenBack(taken: Step, given: Step, between: readonly Step[]): boolean {
  if (given.root !== taken.root || given.span.start === taken.span.start) return false;
  const isSet = given.kind === "set" && given.value !== null;
  switch (taken.kind) {
    case "wait": {
      // Whoever has waited for its turn gives the next one its turn, or has marked the word as taken meanwhile.
      const isMarked = between.some(
        ({ root, kind, value }) => root === taken.root && kind === "set" && value !== null && value !== given.value,
      );
      return given.kind === "add" || (isSet && isMarked);
    }
    case "exchange":
      return isSet && taken.value !== null && given.value !== taken.value && [null, given.value].includes(taken.from);
    case "set":
      return isSet && given.value === 0 && taken.value !== null && taken.value !== 0;
    default:
      return false;
  }
}
