/**
 * An engine around an engine: each dispatch that a session asks for is run with the checkers watching, and what they
 * suspect is looked at in a second run from the same memory.
 */
import { note } from "../diagnostics/diagnostic.ts";
import { product } from "../engine/builtin-values.ts";
import type { DispatchRequest, DispatchResult, Engine } from "../engine/dispatch.ts";
import type { Memory } from "../engine/memory.ts";
import type { Plan, PlannedStep } from "../launch/plan.ts";
import { pushAll } from "../text/list.ts";
import { CheckedDispatch, type CheckingOptions } from "./checked-dispatch.ts";
import type { Check, Finding, Replay } from "./finding.ts";
import { Folded, keyOf } from "./fold.ts";
import { LeftCounters } from "./left-counters.ts";
import { type Contents, writtenMemories } from "./memory-map.ts";
import { NeedlessPlaces } from "./needless.ts";
import type { PairStore } from "./pair-store.ts";
import { type FirstLook, type LookKind, PassOne } from "./pass-one.ts";
import { type LoggedPairs, logPairs } from "./pass-two.ts";
import type { OrderCandidate } from "./samples.ts";
import { WrittenBytes } from "./unwritten.ts";
import { dispatchWatched, ending, looked, withDeadline } from "./watchdog.ts";

/** Which dispatches of a launch have a finding: the first, by its number from 1, and how many. */
interface Dispatches {
  readonly number: number;
  readonly entry: string;
  readonly count: number;
}

/** The finding, and where it is not of all dispatches, of which; what is told of the launch as a whole is of none. */
function inDispatch(finding: Finding, dispatches: Dispatches | undefined, total: number): Finding {
  if (dispatches === undefined || dispatches.count === total) return finding;
  const { number, entry, count } = dispatches;
  const which =
    count === 1
      ? note("in-dispatch", finding.span, { number, total, entry })
      : note("first-in-dispatch", finding.span, { number, total, entry, count });
  return { ...finding, notes: [which, ...finding.notes] };
}

/** Of the interpreter, for each access, where they were not counted. */
const USUAL_INSTRUCTIONS = 64;

export class CheckingEngine implements Engine {
  readonly name: Engine["name"];
  /** Folded as they come, as many dispatches may find the same. */
  readonly #found = new Folded();
  accesses = 0;
  /** Accesses of the dispatch that had most. */
  largest = 0;
  instructions = 0;
  /** Schedules that were tried on parts of dispatches, as they were too large. */
  readonly sampled: Replay[] = [];
  /** What came out otherwise under these. */
  readonly orders: OrderCandidate[] = [];
  /** What the plan's buffers are bound to changes with `swap`. */
  readonly #behind: number[];
  readonly #inner: Engine;
  readonly #plan: Plan;
  readonly #options: CheckingOptions;
  readonly #left = new LeftCounters();
  readonly needless = new NeedlessPlaces();
  readonly #passOne: PassOne;
  /** By index of the plan's memory: what has been written of those that the host does not fill. */
  readonly #written: readonly (WrittenBytes | null)[];
  /** What memories were made with, as long as no dispatch could write to them. */
  readonly #fresh = new Map<Memory, Uint8Array>();
  #step: PlannedStep | null = null;
  /** Its place among the launch's dispatches, from 0. */
  #dispatch = 0;
  /** By key of a finding: the dispatches that have it. */
  readonly #dispatches = new Map<string, Dispatches>();
  /** What became of the dispatch that is looked at, where it is known that it does not end. */
  #endless: DispatchResult | null = null;

  constructor(inner: Engine, plan: Plan, options: CheckingOptions) {
    this.#inner = inner;
    this.name = inner.name;
    this.#plan = plan;
    this.#options = options;
    const { checks, shadowBytes } = options;
    const [bounds, counters] = [checks.has("bounds"), checks.has("counters")];
    const races = checks.has("races") || checks.has("atomics");
    const counts = counters || checks.has("contention");
    this.#passOne = PassOne.take(inner, { races, bounds, counters, counts }, shadowBytes);
    this.#behind = plan.buffers.map((_, i) => i);
    this.#written = plan.memories.map(({ bytes, filled }) => (filled ? null : new WrittenBytes(bytes.byteLength)));
  }

  /** The `observe` option of the session that uses this engine: says which step comes next. */
  readonly observe = (step: PlannedStep, dispatch: number): null => {
    this.#step = step;
    this.#dispatch = dispatch;
    return null;
  };

  allocate(contents: number | Uint8Array): Memory {
    const memory = this.#inner.allocate(contents);
    if (typeof contents !== "number") this.#fresh.set(memory, contents);
    return memory;
  }

  release(memory: Memory): void {
    this.#fresh.delete(memory);
    this.#inner.release(memory);
  }

  close(): void {
    this.#inner.close();
  }

  get findings(): readonly Finding[] {
    const total = this.#plan.steps.reduce((sum, { repeat }) => sum + repeat, 0);
    return [...this.#found.byKey].map(([key, finding]) => inDispatch(finding, this.#dispatches.get(key), total));
  }

  /** Findings that can be told only when all dispatches have run. */
  finish(): void {
    if (this.#options.isOwn && this.#has("counters")) this.#found.add(this.#left.findings());
    this.#found.add(this.needless.findings());
  }

  /** What the engine behind this one lent is given back. */
  leave(): void {
    this.#passOne.giveBack();
  }

  async dispatch(request: DispatchRequest): Promise<DispatchResult> {
    const step = this.#step;
    this.#step = null;
    const before = this.#contentsBefore(request);
    // The session looks for who wrote a wrong value: that was checked already.
    if (step === null) return this.#inner.dispatch(request);
    const { maxInstructions } = this.#options;
    const limited = maxInstructions === null ? request : { ...request, maxInstructions };
    this.#endless = null;
    const timed = withDeadline(limited);
    const checked = new CheckedDispatch(this, step, timed.request, this.#options, before());
    const result = timed.closed(await this.#findingsOf(checked, step));
    const accesses = result.statistics.sharedAccesses ?? 0;
    this.accesses += accesses;
    this.largest = Math.max(this.largest, accesses);
    this.instructions += result.statistics.instructions ?? accesses * USUAL_INSTRUCTIONS;
    if (step.swap !== null) {
      const [a, b] = step.swap;
      [this.#behind[a], this.#behind[b]] = [this.#behind[b], this.#behind[a]];
    }
    return result;
  }

  /** What the memory holds that a dispatch can write, which is asked for at once, or not at all. */
  #contentsBefore(request: DispatchRequest): () => Contents {
    const written = [...writtenMemories(request)];
    const known = written.map((memory) => this.#fresh.get(memory));
    for (const memory of written) this.#fresh.delete(memory);
    return () => new Map(written.map((memory, i) => [memory, known[i] ?? memory.bytes.slice()]));
  }

  async #findingsOf(checked: CheckedDispatch, step: PlannedStep): Promise<DispatchResult> {
    const first = { number: this.#dispatch + 1, entry: step.entry.name, count: 0 };
    try {
      return await checked.run();
    } finally {
      this.#found.add(checked.findings);
      for (const key of new Set(checked.findings.map(keyOf))) {
        const known = this.#dispatches.get(key) ?? first;
        this.#dispatches.set(key, { ...known, count: known.count + 1 });
      }
    }
  }

  // ---------------------------------------------------------------- for the dispatches

  get left(): LeftCounters {
    return this.#left;
  }

  noteSamples(replays: readonly Replay[], findings: readonly OrderCandidate[]): void {
    const isSame = (a: Replay, b: Replay) => a.schedule === b.schedule && a.workgroups === b.workgroups;
    pushAll(
      this.sampled,
      replays.filter((replay) => !this.sampled.some((known) => isSame(known, replay))),
    );
    pushAll(this.orders, findings);
  }

  #has(check: Check): boolean {
    return this.#options.checks.has(check);
  }

  async watch(request: DispatchRequest, before: Contents): Promise<DispatchResult> {
    return this.#endless ?? dispatchWatched(this.#inner, request, before, this.#options.patience);
  }

  /** What pass 1 sees on the fast engine; null: it is not for this dispatch. The buffers may have been changed. */
  async firstLook(request: DispatchRequest, restore: () => void, how?: LookKind): Promise<FirstLook | null> {
    const { checks, isOwn, fewInvocations, patience } = this.#options;
    const { module, workgroups } = request;
    if (!isOwn || checks.has("init") || checks.has("numeric") || request.timeout === 0) return null;
    if (product(workgroups) * product(module.workgroupSize) < fewInvocations) return null;
    const look = (again: DispatchRequest) => this.#passOne.run(again, restore, how);
    // Who asks for more knows that it ends.
    if (how !== undefined) return look(ending(request));
    const seen = await looked(this.#inner, request, restore, look, patience);
    this.#endless = seen?.result.status === "timeout" ? seen.result : null;
    return seen;
  }

  log(request: DispatchRequest, look: FirstLook, restore: () => void, found: PairStore): Promise<LoggedPairs | null> {
    return logPairs(this.#inner, request, look, restore, found);
  }

  pass(request: DispatchRequest): Promise<DispatchResult> {
    return this.#inner.dispatch(request);
  }

  /** What has been written of the buffers bound to a step that the host does not fill, by root. */
  writtenOf(step: PlannedStep): ReadonlyMap<number, { readonly written: WrittenBytes; readonly offset: number }> {
    const found = new Map<number, { written: WrittenBytes; offset: number }>();
    for (const [root, buffer] of step.bindings) {
      const written = this.#written[this.#plan.buffers[this.#behind[buffer]].memory];
      if (written !== null && written !== undefined) found.set(root, { written, offset: 0 });
    }
    return found;
  }
}
