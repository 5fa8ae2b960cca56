/**
 * An engine around an engine: each dispatch that a session asks for is run with the checkers watching, and what they
 * suspect is looked at in a second run from the same memory.
 */
import { product } from "../engine/builtin-values.ts";
import type { DispatchRequest, DispatchResult, Engine, Timeout } from "../engine/dispatch.ts";
import { createInterpreter } from "../engine/interpreter.ts";
import { Memory } from "../engine/memory.ts";
import type { Observer } from "../engine/observer.ts";
import { hasStorageAtomics } from "../engine/wasm-engine/fallback.ts";
import type { Plan, PlannedStep } from "../launch/plan.ts";
import { joined } from "../launch/watch.ts";
import { layoutOf } from "../layout/layout.ts";
import { counterIndices, reservationsOf } from "./append-sites.ts";
import { type AtomicUses, atomicUses } from "./atomic-uses.ts";
import { BoundsMonitor } from "./bounds.ts";
import { type ContentionLimits, ContentionMonitor } from "./contention.ts";
import { CounterMonitor } from "./counters.ts";
import type { DispatchScope } from "./draft.ts";
import type { Check, Finding, Replay } from "./finding.ts";
import { LeftCounters } from "./left-counters.ts";
import { MemoryMap, writtenRoots } from "./memory-map.ts";
import { Monitor } from "./monitor.ts";
import { NumberMonitor } from "./numbers.ts";
import { addNumericChecks } from "./numeric-pass.ts";
import { type FirstLook, PassOne } from "./pass-one.ts";
import { findWaits } from "./progress.ts";
import { type MemoryPart, RaceDetector, type Suspects } from "./race-detector.ts";
import { type Pair, RaceLog } from "./race-log.ts";
import { numericFinding } from "./report-numbers.ts";
import { boundsFinding, contentionFinding, unwrittenFinding, waitFinding, wrappedFinding } from "./report-others.ts";
import { raceFindings } from "./report-races.ts";
import { CELL_BYTES } from "./shadow.ts";
import { UnwrittenMonitor, WrittenBytes } from "./unwritten.ts";

export interface CheckingOptions {
  readonly checks: ReadonlySet<Check>;
  readonly replay: Replay;
  /** The launch's own schedule: only there counters that are left too high and waits are looked for. */
  readonly isOwn: boolean;
  readonly contention: ContentionLimits;
  /** Bytes of shadow that pass 1 may take; above that it is repeated for parts of the memory. */
  readonly shadowBytes: number;
  /** Of each dispatch; a schedule that takes more is given up. */
  readonly maxInstructions: number | null;
  /** Dispatches with fewer invocations are looked at on the interpreter alone. */
  readonly fewInvocations: number;
}

/** Cells that pass 2 looks at in one run, and how many runs it makes as long as each shows something new. */
const CELLS_AT_ONCE = 2 ** 15;
const MOST_RUNS = 8;

export class CheckingEngine implements Engine {
  readonly name: Engine["name"];
  readonly findings: Finding[] = [];
  accesses = 0;
  instructions = 0;
  /** What the plan's buffers are bound to changes with `swap`. */
  readonly #behind: number[];
  readonly #inner: Engine;
  readonly #plan: Plan;
  readonly #options: CheckingOptions;
  readonly #left = new LeftCounters();
  readonly #passOne: PassOne;
  /** By index of the plan's memory: what has been written of those that the host does not fill. */
  readonly #written: readonly (WrittenBytes | null)[];
  #step: PlannedStep | null = null;

  constructor(inner: Engine, plan: Plan, options: CheckingOptions) {
    this.#inner = inner;
    this.name = inner.name;
    this.#plan = plan;
    this.#options = options;
    const { checks, shadowBytes } = options;
    const races = checks.has("races") || checks.has("atomics");
    const shadow = { races, bounds: checks.has("bounds"), counters: checks.has("counters") };
    this.#passOne = new PassOne(inner, shadow, shadowBytes);
    this.#behind = plan.buffers.map((_, i) => i);
    this.#written = plan.memories.map(({ bytes, filled }) => (filled ? null : new WrittenBytes(bytes.byteLength)));
  }

  /** The `observe` option of the session that uses this engine: says which step comes next. */
  readonly observe = (step: PlannedStep): null => {
    this.#step = step;
    return null;
  };

  allocate(contents: number | Uint8Array): Memory {
    return this.#inner.allocate(contents);
  }

  release(memory: Memory): void {
    this.#inner.release(memory);
  }

  close(): void {
    this.#inner.close();
  }

  /** Findings that can be told only when all dispatches have run. */
  finish(): void {
    if (this.#options.isOwn && this.#has("counters")) this.findings.push(...this.#left.findings());
    this.#passOne.close();
  }

  async dispatch(request: DispatchRequest): Promise<DispatchResult> {
    const step = this.#step;
    this.#step = null;
    // The session looks for who wrote a wrong value: that was checked already.
    if (step === null) return this.#inner.dispatch(request);
    const { maxInstructions } = this.#options;
    const limited = maxInstructions === null ? request : { ...request, maxInstructions };
    const result = await new CheckedDispatch(this, step, limited).run();
    this.accesses += result.statistics.sharedAccesses ?? 0;
    this.instructions += result.statistics.instructions ?? 0;
    if (step.swap !== null) {
      const [a, b] = step.swap;
      [this.#behind[a], this.#behind[b]] = [this.#behind[b], this.#behind[a]];
    }
    return result;
  }

  // ---------------------------------------------------------------- for the dispatches

  get options(): CheckingOptions {
    return this.#options;
  }

  get left(): LeftCounters {
    return this.#left;
  }

  #has(check: Check): boolean {
    return this.#options.checks.has(check);
  }

  /** Checkers that watch need the interpreter, which an engine that has it as a way out would have to be told of. */
  watch(request: DispatchRequest): Promise<DispatchResult> {
    return (this.#inner.name === "wasm" ? INTERPRETER : this.#inner).dispatch(request);
  }

  /** What pass 1 sees on the fast engine; null: it is not for this dispatch. The buffers may have been changed. */
  async firstLook(request: DispatchRequest): Promise<FirstLook | null> {
    const { checks, isOwn, fewInvocations } = this.#options;
    const { module, workgroups } = request;
    if (!isOwn || checks.has("init") || checks.has("numeric") || request.timeout === 0) return null;
    if (product(workgroups) * product(module.workgroupSize) < fewInvocations) return null;
    if (checks.has("contention") && hasStorageAtomics(module)) return null;
    if (checks.has("counters") && (this.#left.any || counterIndices(module).length > 0)) return null;
    return this.#passOne.run(request);
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

/** One dispatch and its repetitions. */
class CheckedDispatch {
  readonly #engine: CheckingEngine;
  readonly #request: DispatchRequest;
  readonly #scope: DispatchScope;
  readonly #memories: readonly Memory[];
  readonly #before: readonly Uint8Array[];

  constructor(engine: CheckingEngine, step: PlannedStep, request: DispatchRequest) {
    const { module, bindings } = request;
    this.#engine = engine;
    this.#request = request;
    const sizes = module.roots.map(({ id, space, type }) =>
      space === "workgroup" ? layoutOf(type).size : (bindings.get(id)?.size ?? 0),
    );
    this.#scope = { step, module, sizes, replay: engine.options.replay };
    const written = writtenRoots(module);
    this.#memories = [...new Set([...bindings].flatMap(([root, { memory }]) => (written.has(root) ? [memory] : [])))];
    this.#before = this.#contents();
  }

  async run(): Promise<DispatchResult> {
    const { checks, isOwn } = this.#engine.options;
    const stuck = isOwn && checks.has("progress") ? this.#waits() : null;
    if (stuck !== null) return stuck;
    const look = await this.#engine.firstLook(this.#request);
    if (look !== null && isClean(look)) return look.result;
    this.#restore(this.#before);
    const map = new MemoryMap(this.#request);
    const uses = atomicUses(this.#request.module);
    const memoryParts = this.#memoryParts(map);
    const races = memoryParts.length === 0 ? null : new RaceDetector(map, uses, memoryParts[0]);
    const { monitors, result } = await this.#watched(races);
    this.#report(monitors);
    if (result.status === "timeout") return result;
    if (races !== null) await this.#races(map, uses, races, memoryParts);
    if (checks.has("numeric")) await this.#numbers();
    return result;
  }

  #contents(): readonly Uint8Array[] {
    return this.#memories.map(({ bytes }) => bytes.slice());
  }

  #restore(contents: readonly Uint8Array[]): void {
    for (const [i, memory] of this.#memories.entries()) memory.bytes.set(contents[i]);
  }

  // ---------------------------------------------------------------- the run itself

  async #watched(races: RaceDetector | null) {
    const { checks, isOwn, contention } = this.#engine.options;
    const { module, bindings } = this.#request;
    const monitors = {
      races,
      bounds: checks.has("bounds") ? new BoundsMonitor() : null,
      counters: checks.has("counters") ? new CounterMonitor(module) : null,
      left: checks.has("counters") && isOwn ? this.#engine.left : null,
      contention: checks.has("contention") && isOwn ? new ContentionMonitor(contention) : null,
      unwritten: checks.has("init")
        ? new UnwrittenMonitor(Int32Array.from(this.#scope.sizes), this.#engine.writtenOf(this.#scope.step))
        : null,
    };
    monitors.left?.begin(this.#scope, bindings);
    const result = await this.#engine.watch(this.#observed(new Monitor(monitors)));
    if (monitors.left !== null && monitors.counters !== null) {
      monitors.left.end(this.#scope, bindings, monitors.counters);
    }
    return { monitors, result };
  }

  /** The request with an observer beside the one that it has. */
  #observed(observer: Observer): DispatchRequest {
    const { observer: other } = this.#request;
    return { ...this.#request, observer: other ? joined(other, observer) : observer };
  }

  #report({
    bounds,
    counters,
    contention,
    unwritten,
  }: {
    readonly bounds: BoundsMonitor | null;
    readonly counters: CounterMonitor | null;
    readonly contention: ContentionMonitor | null;
    readonly unwritten: UnwrittenMonitor | null;
  }): void {
    const scope = this.#scope;
    this.#engine.findings.push(
      ...(bounds?.finish() ?? []).map((found) => boundsFinding(scope, found)),
      ...(counters?.wrapped() ?? []).map((found) => wrappedFinding(scope, found)),
      ...(contention?.finish() ?? []).map((found) => contentionFinding(scope, found)),
      ...(unwritten?.finish() ?? []).map((found) => unwrittenFinding(scope, found)),
    );
  }

  // ---------------------------------------------------------------- races

  /** Parts of the memory whose shadow fits the budget; none where nothing is looked for or can race. */
  #memoryParts(map: MemoryMap): readonly MemoryPart[] {
    const { checks, shadowBytes } = this.#engine.options;
    if (!checks.has("races") && !checks.has("atomics")) return [];
    const cells = map.areas.reduce((sum, area) => sum + area.cells, 0);
    if (cells === 0) return [];
    const most = Math.max(1, Math.floor(shadowBytes / CELL_BYTES));
    const memoryParts: MemoryPart[] = [];
    for (let from = 0; from < cells; from += most) memoryParts.push({ from, to: from + most });
    return memoryParts;
  }

  async #races(
    map: MemoryMap,
    uses: AtomicUses,
    races: RaceDetector,
    memoryParts: readonly MemoryPart[],
  ): Promise<void> {
    const suspects = races.suspects.map((cells) => new Set(cells));
    const after = this.#contents();
    for (const part of memoryParts.slice(1)) {
      const detector = new RaceDetector(map, uses, part);
      await this.#again(detector);
      for (const [area, cells] of detector.suspects.entries()) for (const cell of cells) suspects[area].add(cell);
    }
    if (suspects.some((cells) => cells.size > 0)) {
      const pairs = await this.#pairs(map, uses, suspects);
      const { checks } = this.#engine.options;
      const wanted = pairs.filter(({ kind }) => checks.has(kind.startsWith("timing") ? "atomics" : "races"));
      this.#engine.findings.push(...raceFindings(this.#scope, wanted));
    }
    this.#restore(after);
  }

  /** The dispatch once more from the same memory, in the same order. */
  async #again(observer: Observer): Promise<void> {
    this.#restore(this.#before);
    const { observer: _, ...request } = this.#request;
    await INTERPRETER.dispatch({ ...request, observer });
  }

  /** Pass 2, in parts where too many cells are suspected, as long as a part shows a pair that was not known. */
  async #pairs(map: MemoryMap, uses: AtomicUses, suspects: Suspects): Promise<readonly Pair[]> {
    const reservations = reservationsOf(this.#request.module);
    const found = new Map<string, Pair>();
    let isNew = true;
    for (const part of parts(suspects).slice(0, MOST_RUNS)) {
      if (!isNew) break;
      const log = new RaceLog(map, part, uses, reservations);
      await this.#again(log);
      isNew = false;
      for (const pair of log.finish()) {
        const { kind, sameValue, overrun, first, second, count } = pair;
        const key = [kind, sameValue, overrun, first.site.id, second.site.id].join();
        const known = found.get(key);
        if (known !== undefined) known.count += count;
        else {
          found.set(key, pair);
          isNew = true;
        }
      }
    }
    return [...found.values()];
  }

  // ---------------------------------------------------------------- numbers

  /** The dispatch once more with checks of its operations put in. */
  async #numbers(): Promise<void> {
    const numbers = addNumericChecks(this.#request.module);
    const after = this.#contents();
    this.#restore(this.#before);
    const memory = new Memory(4 * Math.max(1, numbers.sites.length));
    const bindings = new Map(this.#request.bindings).set(numbers.root, { memory, offset: 0, size: memory.size });
    const monitor = new NumberMonitor(numbers);
    await INTERPRETER.dispatch({ ...this.#request, module: numbers.module, bindings, observer: monitor });
    this.#restore(after);
    this.#engine.findings.push(...monitor.finish().map((found) => numericFinding(this.#scope, found)));
  }

  // ---------------------------------------------------------------- waiting

  /** Looks for loops that wait; a result where the dispatch does not end at all. */
  #waits(): DispatchResult | null {
    const found = findWaits(this.#request, () => this.#restore(this.#before));
    if (found === null) return null;
    this.#engine.findings.push(...found.waits.map((waiting) => waitFinding(this.#scope, waiting)));
    return found.stuck ? stuckResult(this.#request) : null;
  }
}

const INTERPRETER = createInterpreter();

/** Nothing to look at again. */
function isClean({ bounds, counters, racy }: FirstLook): boolean {
  return !bounds && !counters && racy.size === 0;
}

function stuckResult({ timeout = 0 }: DispatchRequest): DispatchResult {
  const result: Timeout = { reason: "milliseconds", budget: timeout, places: [], count: 0, waits: [] };
  return {
    status: "timeout",
    faults: [],
    timeout: result,
    statistics: { invocations: 0, instructions: 0, sharedAccesses: 0, barriers: 0 },
    milliseconds: 0,
    turns: null,
    engine: "interpreter",
    notes: [],
  };
}

/** Suspected cells in portions. */
function parts(suspects: Suspects): Suspects[] {
  const count = suspects.reduce((sum, cells) => sum + cells.size, 0);
  if (count <= CELLS_AT_ONCE) return [suspects];
  const found: Set<number>[][] = [];
  let current: Set<number>[] = [];
  let size = CELLS_AT_ONCE;
  for (const [area, cells] of suspects.entries()) {
    for (const cell of cells) {
      if (size >= CELLS_AT_ONCE) {
        current = suspects.map(() => new Set<number>());
        found.push(current);
        size = 0;
      }
      current[area].add(cell);
      size++;
    }
  }
  return found;
}
