/** One dispatch with the checkers watching, and its repetitions. */
import { product } from "../engine/builtin-values.ts";
import type { DispatchRequest, DispatchResult } from "../engine/dispatch.ts";
import { Execution } from "../engine/execution.ts";
import { createInterpreter, runTurns } from "../engine/interpreter.ts";
import { Memory } from "../engine/memory.ts";
import type { Observer } from "../engine/observer.ts";
import { createScheduler } from "../engine/schedule.ts";
import type { IrModule } from "../ir/ir.ts";
import type { PlannedStep } from "../launch/plan.ts";
import { joined } from "../launch/watch.ts";
import { layoutOf } from "../layout/layout.ts";
import { pushAll } from "../text/list.ts";
import { containsAtomic } from "../types/predicates.ts";
import { reservationsOf } from "./append-sites.ts";
import { type AtomicUses, atomicUses, instructionKey } from "./atomic-uses.ts";
import { BoundsMonitor, type OutOfBoundsFound } from "./bounds.ts";
import { type ContentionLimits, ContentionMonitor, ContentionSearch } from "./contention.ts";
import { appends, CounterMonitor } from "./counters.ts";
import { type DispatchScope, lineOf } from "./draft.ts";
import type { Check, Finding, Replay } from "./finding.ts";
import type { FindingRoom } from "./finding-room.ts";
import type { Known } from "./fold.ts";
import type { LeftCounters } from "./left-counters.ts";
import { apart, type Contents, contentsOf, MemoryMap, restore } from "./memory-map.ts";
import { Monitor } from "./monitor.ts";
import { NeededSearch } from "./needed-search.ts";
import type { NeedlessPlaces } from "./needless.ts";
import { NumberMonitor } from "./numbers.ts";
import { addNumericChecks } from "./numeric-pass.ts";
import { hangsOnRaces, hangsOnSchedule } from "./order-dependence.ts";
import { isTiming } from "./pair-keys.ts";
import { type FoundPairs, PairStore } from "./pair-store.ts";
import {
  boundsInAll,
  lengthOf,
  pairsInAll,
  type Ranges,
  rangesOf,
  runRanges,
  suspectsOf,
  workgroupsToWatch,
  wrappedInAll,
} from "./part-look.ts";
import type { FirstLook, LookKind } from "./pass-one.ts";
import type { LoggedPairs } from "./pass-two.ts";
import { keepsOrder } from "./phase-order.ts";
import { INTERPRETED, Runs } from "./portions.ts";
import { findWaits, stuckAt } from "./progress.ts";
import {
  addSuspects,
  type MemoryPart,
  memoryPartsOf,
  RaceDetector,
  type Suspects,
  suspectedCells,
  suspectsIn,
} from "./race-detector.ts";
import { mostKept, type Pair, RaceLog } from "./race-log.ts";
import { numericFinding } from "./report-numbers.ts";
import { boundsFinding, contentionFindings, unwrittenFinding, waitFinding, wrappedFinding } from "./report-others.ts";
import { raceFindings, spotsIn, type Watched } from "./report-races.ts";
import { isComeToAgain, type Rounds, roundsOf } from "./rounds.ts";
import { type OrderCandidate, SampledOrder, samplesOf } from "./samples.ts";
import { isTakenInTurn } from "./taken.ts";
import { UnwrittenMonitor, type WrittenBytes } from "./unwritten.ts";
import { ending, type Patience, timedOut } from "./watchdog.ts";

export interface CheckingOptions {
  /** What need not be told once more; null: nothing is known. */
  readonly known: Known | null;
  /** For findings of all dispatches. */
  readonly room: FindingRoom;
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
  /** Accesses that other schedules may take. */
  readonly scheduleBudget: number;
  /** Of a dispatch of which nobody says how long it may take. */
  readonly patience: Patience;
}

/** What a dispatch has of the engine that it runs on, and what it leaves there. */
export interface DispatchChecks {
  readonly left: LeftCounters;
  readonly needless: NeedlessPlaces;
  /** Takes notice of what was tried on a part of the dispatch, and of results that were not the same in all of that. */
  noteSamples(replays: readonly Replay[], findings: readonly OrderCandidate[]): void;
  /** Runs a request that has an observer; `before` is what the memory holds that it can write. */
  watch(request: DispatchRequest, before: Contents): Promise<DispatchResult>;
  /** What pass 1 sees on the fast engine; null: it is not for this dispatch. The buffers may have been changed. */
  firstLook(request: DispatchRequest, restore: () => void, how?: LookKind): Promise<FirstLook | null>;
  /** Who races at the cells that pass 1 names, and which counters wrap, from a log of the fast engine; null: it does not hold that. Likewise. */
  log(request: DispatchRequest, look: FirstLook, restore: () => void, found: PairStore): Promise<LoggedPairs | null>;
  /** Runs a request that nobody watches. */
  pass(request: DispatchRequest): Promise<DispatchResult>;
  /** What has been written of the buffers bound to a step that the host does not fill, by root. */
  writtenOf(step: PlannedStep): ReadonlyMap<number, { readonly written: WrittenBytes; readonly offset: number }>;
}

/** What other schedules showed on a part of the dispatch, and which they were. */
interface Sampled {
  readonly replays: readonly Replay[];
  readonly findings: readonly Finding[];
  readonly orders: readonly OrderCandidate[];
}

/** Instructions between two looks at whether a search has ended. */
const SEARCH_STEP = 2 ** 10;

/** Of a dispatch with more accesses other schedules are tried on a part. */
export const MOST_ACCESSES = 2 ** 15;
/** Of so many invocations it is likely. */
const MANY_ENOUGH = MOST_ACCESSES / 4;
/** Where there are more, waiting is looked for in a part too. */
const MANY_INVOCATIONS = 2 ** 16;

/** Where something races and there are no more accesses, all are watched, as who races with whom hangs on each of them. */
const WATCHED_ACCESSES = 2 ** 22;

/** Pairs of a dispatch for which barriers are tried. */
const MOST_TRIALS = 8;

/** One dispatch and its repetitions. */
export class CheckedDispatch {
  readonly findings: Finding[] = [];
  readonly #engine: DispatchChecks;
  readonly #options: CheckingOptions;
  readonly #request: DispatchRequest;
  readonly #scope: DispatchScope;
  readonly #before: Contents;
  readonly #restart = (): void => restore(this.#before);
  /** Whether the interpreter saw nothing that pass 1 of the fast engine would have stopped at. */
  #isClean = false;
  /** What pass 1 suspects, where it has run; null: it is not known yet. */
  #suspects: Suspects | null = null;
  /** What the dispatch has left, once something else was run from the same memory. */
  #after: Contents | null = null;
  /** Pairs of which it was tried which barriers they need. */
  #trials = 0;
  /** What other schedules show on a part, where that was tried while others were at work. */
  #sampled: Promise<Sampled> | null = null;
  /** Some invocation was seen to wait for another one. */
  #hasWaits = false;

  /** `before`: what the memory holds that the dispatch can write. */
  constructor(
    engine: DispatchChecks,
    step: PlannedStep,
    request: DispatchRequest,
    options: CheckingOptions,
    before: Contents,
  ) {
    const { module, bindings } = request;
    this.#engine = engine;
    this.#options = options;
    this.#request = request;
    const sizes = module.roots.map(({ id, space, type }) =>
      space === "workgroup" ? layoutOf(type).size : (bindings.get(id)?.size ?? 0),
    );
    this.#scope = { step, module, sizes, replay: options.replay };
    this.#before = before;
  }

  async run(): Promise<DispatchResult> {
    const { checks, isOwn } = this.#options;
    const stuck = isOwn ? this.#waits() : null;
    if (stuck !== null) return stuck;
    const look = await this.#firstLook();
    const result = look !== null ? look.result : await this.#look();
    const accesses = result.statistics.sharedAccesses ?? 0;
    if (isOwn && checks.has("needless") && result.status === "ok") await this.#aside(() => this.#needless(accesses));
    const isLarge = accesses > MOST_ACCESSES;
    if (isOwn && isLarge && result.status === "ok" && isAnySchedule(this.#request)) {
      const isOrdered = (look === null ? this.#isClean : isClean(look)) && checks.has("races") && checks.has("atomics");
      if (this.#hangsOnSchedule(isOrdered)) this.#note(await (this.#sampled ?? this.#samples()));
    }
    return result;
  }

  /** The dispatch with everybody watching, and what they suspect once more. */
  async #look(): Promise<DispatchResult> {
    const { checks } = this.#options;
    const map = new MemoryMap(this.#request);
    const uses = atomicUses(this.#request.module);
    const isWanted = (checks.has("races") || checks.has("atomics")) && this.#suspects === null;
    const memoryParts = isWanted ? memoryPartsOf(map, this.#options.shadowBytes) : [];
    const races = memoryParts.length === 0 ? null : new RaceDetector(map, uses, memoryParts[0]);
    const { monitors, result } = await this.#watched(races);
    this.#report(monitors);
    const { bounds, counters } = monitors;
    const isRight = (bounds?.finish().length ?? 0) === 0 && (counters?.wrapped().length ?? 0) === 0;
    const isCut = result.timeout?.reason === "instructions" && this.#request.range !== undefined;
    if (result.status === "timeout" && !isCut) return result;
    const suspects = races === null ? this.#suspects : await this.#suspected(map, uses, races, memoryParts);
    this.#isClean = isRight && (suspects ?? []).every((cells) => cells.size === 0);
    if (suspects !== null) await this.#races(map, suspects, result.statistics.sharedAccesses ?? 0);
    if (checks.has("numeric")) await this.#numbers();
    return result;
  }

  /** What pass 1 can settle; null: it cannot, and the buffers are as they were. */
  async #firstLook(): Promise<FirstLook | null> {
    const { bindings } = this.#request;
    const { left } = this.#engine;
    if (!this.#options.isOwn) return null;
    left.begin(this.#scope, bindings);
    // Who waits for others needs them to get their turns.
    const isFit = !left.isWatching && !this.#hasWaits;
    const request = { ...this.#request, meanwhile: () => this.#sampleAhead() };
    const seen = isFit ? await this.#engine.firstLook(request, this.#restart) : null;
    const look = seen === null || isClean(seen) ? seen : await this.#secondLook(seen);
    if (look === null) this.#restart();
    else if (look.result.status === "ok") await this.#settle(look);
    return look;
  }

  /** What is known from counts alone. */
  async #settle(look: FirstLook): Promise<void> {
    const { checks, contention } = this.#options;
    const { module, bindings } = this.#request;
    if (checks.has("contention")) await this.#search(new ContentionSearch(look.counts, contention, module));
    if (!checks.has("counters")) return;
    const counted = appends(module).map((index) => {
      const { counter } = index;
      const key = instructionKey(counter.function, counter.inst.id);
      return { index, offsets: look.counts.offsets(counter.inst.root!, key) };
    });
    this.#engine.left.end(this.#scope, bindings, counted);
  }

  /** Where something is wrong; null: all workgroups are to be watched. */
  async #secondLook(seen: FirstLook): Promise<FirstLook | null> {
    if (seen.result.status !== "ok") return null;
    const again = (how: LookKind) => {
      this.#restart();
      return this.#engine.firstLook(this.#request, this.#restart, how);
    };
    // In order, so that it is the same each time.
    const isSame = seen.workers === 1 || !hangsOnRaces(this.#request.module, seen.racy.keys());
    const look = isSame ? seen : await again("in-order");
    if (look === null || look.result.status !== "ok") return null;
    if (await this.#loggedLook(look)) return look;
    if (isMuch(look) || (this.#isManyInvocations && look.racy.size === 0)) {
      const sites = await again("sites");
      const found = sites?.result.status === "ok" ? await this.#partLook(sites) : null;
      if (found !== null) return found;
    }
    this.#suspects = suspectsOf(new MemoryMap(this.#request), look.racy);
    return null;
  }

  /** Where nothing is wrong but that something races, or counters wrap: who does, on the fast engine. False: it does not say. */
  async #loggedLook(look: FirstLook): Promise<boolean> {
    const { racy, bounds, counters } = look;
    if (racy.size === 0 && counters.length === 0) return false;
    // Who comes first, or would have had turns between, is known to the interpreter alone; it is not for many accesses.
    const isWatchable = !isMuch(look);
    if (isWatchable && !keepsOrder(this.#request.module, new Set(racy.keys()))) return false;
    const logged = await this.#engine.log(this.#request, look, this.#restart, this.#pairStore());
    if (logged === null || (isWatchable && logged.isLong)) return false;
    const outside = bounds.length === 0 ? [] : await this.#outside(logged.outside, bounds);
    if (outside === null) return false;
    pushAll(
      this.findings,
      outside.map((found) => boundsFinding(this.#scope, found)),
    );
    pushAll(
      this.findings,
      logged.wrapped.map((found) => wrappedFinding(this.#scope, found)),
    );
    await this.#reportRaces(logged.pairs, logged.watched);
    return true;
  }

  /**
   * What was out of bounds: the log says how often and where first, and the workgroups of that are watched. null: that does
   * not say all, as where a function is given a pointer that is out of bounds.
   */
  async #outside(
    logged: LoggedPairs["outside"],
    seen: FirstLook["bounds"],
  ): Promise<readonly OutOfBoundsFound[] | null> {
    const bounds = new BoundsMonitor();
    const left = this.#options.checks.has("counters") ? this.#engine.left : null;
    const firsts = new Set([...logged.values()].map(({ workgroup }) => workgroup));
    const ranges = rangesOf(firsts, product(this.#request.workgroups));
    const observer = new Monitor({ bounds, left, counters: null, races: null, contention: null, unwritten: null });
    if (!(await this.#watchRanges(ranges, observer))) return null;
    const faults = new Set<string>();
    const found = bounds.finish().map((each) => {
      const { site } = each.witness;
      faults.add(instructionKey(site.function, each.fault?.instruction ?? site.instruction));
      return { ...each, count: logged.get(instructionKey(site.function, site.instruction))?.count ?? 0 };
    });
    const isAll = found.length === logged.size && seen.every(({ key }) => faults.has(key));
    return isAll && found.every(({ count }) => count > 0) ? found : null;
  }

  /** Brings back what the dispatch had left. False: it did not end well. */
  async #watchRanges(ranges: Ranges, observer: Observer): Promise<boolean> {
    const after = contentsOf(this.#before.keys());
    this.#restart();
    const { observer: _, ...request } = this.#request;
    const hasEnded = await runRanges(
      ranges,
      (range) => INTERPRETER.dispatch({ ...ending(request), range, observer }),
      (range) => this.#engine.pass({ ...request, range, workers: 1 }),
    );
    if (hasEnded) restore(after);
    return hasEnded;
  }

  /** Of a large dispatch, the workgroups that pass 1 saw something in; null: they do not say enough. */
  async #partLook(look: FirstLook): Promise<FirstLook | null> {
    const { checks } = this.#options;
    const map = new MemoryMap(this.#request);
    const { module, workgroups } = this.#request;
    const bounds = new BoundsMonitor();
    const counters = new CounterMonitor(module);
    const left = checks.has("counters") ? this.#engine.left : null;
    const monitors = { bounds, counters, left, races: null, contention: null, unwritten: null };
    const ranges = workgroupsToWatch(this.#request, look);
    const watched = { parts: "workgroups", watched: lengthOf(ranges), all: product(workgroups) } as const;
    const found = await this.#partPairs(map, look, ranges, new Monitor(monitors));
    if (found === null) return null;
    const scope = this.#scope;
    const { pairs: seen, more } = found;
    const pairs = pairsInAll(seen, look, ({ span }) => lineOf(scope, span.start));
    if (!areExplained(look, pairs, module)) return null;
    pushAll(this.findings, [
      ...(checks.has("bounds") ? boundsInAll(bounds.finish(), look).map((each) => boundsFinding(scope, each)) : []),
      ...(checks.has("counters")
        ? wrappedInAll(counters.wrapped(), look).map((each) => wrappedFinding(scope, each))
        : []),
    ]);
    await this.#reportRaces({ pairs, more }, watched);
    return look;
  }

  /** Who races in some workgroups, which `observer` watches as well; null: they did not end well. */
  async #partPairs(map: MemoryMap, look: FirstLook, ranges: Ranges, observer: Observer): Promise<FoundPairs | null> {
    const share = lengthOf(ranges) / product(this.#request.workgroups);
    const accesses = (look.result.statistics.sharedAccesses ?? 0) * share;
    const runs = new Runs(suspectedCells(suspectsOf(map, look.racy)), accesses, INTERPRETED, Number.POSITIVE_INFINITY);
    // Others are watched also where nothing races.
    if (runs.next === null && !(await this.#watchRanges(ranges, observer))) return null;
    let isFirst = true;
    return this.#pairsIn(map, runs, accesses, (log) => {
      const all = isFirst ? joined(observer, log) : log;
      isFirst = false;
      return this.#watchRanges(ranges, all);
    });
  }

  /** Runs the dispatch again until what is looked for is found, and brings back what it had left. */
  async #search(search: ContentionSearch): Promise<void> {
    if (!search.isDone) await this.#aside(() => this.#watchFor(search));
    pushAll(this.findings, contentionFindings(this.#scope, search.finish()));
  }

  async #watchFor(search: ContentionSearch): Promise<void> {
    const { module, observer: _, ...options } = this.#request;
    const first = search.firstWorkgroup;
    if (first > 0) await this.#engine.pass({ ...options, module, range: [0, first], workers: 1 });
    const range = [first, product(options.workgroups)] as const;
    const execution = new Execution(module, { ...options, range, observer: search });
    const scheduler = createScheduler({ kind: "in-order" });
    while (!search.isDone && !runTurns(execution, scheduler, SEARCH_STEP, null));
  }

  // ---------------------------------------------------------------- samples

  #hangsOnSchedule(isOrdered: boolean): boolean {
    return this.#options.scheduleBudget > 0 && hangsOnSchedule(this.#request.module, isOrdered);
  }

  /** While pass 1 runs on other threads: where they will be wanted if it ends well and makes many accesses. */
  #sampleAhead(): void {
    const isWanted = isAnySchedule(this.#request) && this.#invocations > MANY_ENOUGH && this.#hangsOnSchedule(true);
    if (this.#sampled !== null || !isWanted) return;
    this.#sampled = this.#samples();
    // Whoever wants them hears what is wrong.
    this.#sampled.catch(() => {});
  }

  /** Other schedules for a dispatch that is too large for them, in memory of their own. */
  async #samples(): Promise<Sampled> {
    const { checks, replay } = this.#options;
    const { request, before } = apart(this.#request, this.#before);
    const samples = samplesOf(request, replay.seed);
    const order = checks.has("order") ? new SampledOrder(this.#scope, request.bindings) : null;
    const findings: Finding[] = [];
    // Another one is at work meanwhile.
    const room = this.#options.room.sample();
    const sample = async (one: DispatchRequest, options: Pick<CheckingOptions, "replay" | "checks">) => {
      restore(before);
      const all = { ...this.#options, ...options, room, isOwn: false };
      const checked = new CheckedDispatch(this.#engine, this.#scope.step, one, all, before);
      await checked.run();
      pushAll(findings, checked.findings);
    };
    if (order?.isWanted === true) {
      await sample(samples[0].request, { replay, checks: new Set() });
      order.start({ ...samples[0].replay, schedule: "in-order" });
    }
    for (const { replay: of, request: one, schedule } of samples) {
      await sample({ ...one, schedule }, { replay: of, checks });
      order?.compare(of);
    }
    return { replays: samples.map((each) => each.replay), findings, orders: order?.findings ?? [] };
  }

  #note({ replays, findings, orders }: Sampled): void {
    pushAll(this.findings, findings);
    this.#engine.noteSamples(replays, orders);
  }

  /** Runs something from the memory that the dispatch began with, and brings back what the dispatch had left. */
  async #aside<T>(action: () => Promise<T>): Promise<T> {
    this.#after ??= contentsOf(this.#before.keys());
    this.#restart();
    const result = await action();
    restore(this.#after);
    return result;
  }

  // ---------------------------------------------------------------- the run itself

  async #watched(races: RaceDetector | null) {
    const { checks, isOwn, contention } = this.#options;
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
    const result = await this.#engine.watch(this.#observed(new Monitor(monitors)), this.#before);
    if (monitors.left !== null && monitors.counters !== null) {
      monitors.left.end(this.#scope, bindings, monitors.counters.counted());
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
    pushAll(this.findings, [
      ...(bounds?.finish() ?? []).map((found) => boundsFinding(scope, found)),
      ...(counters?.wrapped() ?? []).map((found) => wrappedFinding(scope, found)),
      ...contentionFindings(scope, contention?.finish() ?? []),
      ...(unwritten?.finish() ?? []).map((found) => unwrittenFinding(scope, found)),
    ]);
  }

  // ---------------------------------------------------------------- races

  /** What all parts of the memory show. */
  async #suspected(
    map: MemoryMap,
    uses: AtomicUses,
    races: RaceDetector,
    memoryParts: readonly MemoryPart[],
  ): Promise<Suspects> {
    if (memoryParts.length === 1) return races.suspects;
    const suspects = races.suspects.map((cells) => new Set(cells));
    for (const part of memoryParts.slice(1)) {
      const detector = new RaceDetector(map, uses, part);
      await this.#aside(() => this.#again(detector));
      addSuspects(suspects, detector.suspects);
    }
    return suspects;
  }

  async #races(map: MemoryMap, suspects: Suspects, accesses: number): Promise<void> {
    if (suspects.every((cells) => cells.size === 0)) return;
    const { found, watched } = await this.#aside(() => this.#pairs(map, suspects, accesses));
    await this.#reportRaces(found, watched);
  }

  async #reportRaces({ pairs, more }: FoundPairs, watched: Watched | null): Promise<void> {
    const { checks, known, room } = this.#options;
    const wanted = pairs.filter(({ kind }) => checks.has(isTiming(kind) ? "atomics" : "races"));
    const others = { races: checks.has("races") ? more.races : 0, timing: checks.has("atomics") ? more.timing : 0 };
    const trials = { rounds: (pair: Pair) => this.#rounds(pair), isTaken: (pair: Pair) => this.#isTaken(pair) };
    const told = { watched, known, room, more: others };
    pushAll(this.findings, await raceFindings(this.#scope, wanted, told, trials));
  }

  #pairStore(): PairStore {
    return new PairStore(spotsIn(this.#scope));
  }

  /** Which barriers the rounds of a loop or the calls of functions need; of a few pairs, as it takes runs of its own. */
  async #rounds(pair: Pair): Promise<Rounds | null> {
    if (!isComeToAgain(this.#scope, pair) || !this.#mayTry()) return null;
    return this.#aside(() => roundsOf(this.#scope, pair, this.#request, this.#restart));
  }

  /** Whether several take what they have looked at, as it is with a barrier between. */
  async #isTaken(pair: Pair): Promise<boolean> {
    return this.#mayTry() && this.#aside(() => isTakenInTurn(pair, this.#request, this.#restart));
  }

  #mayTry(): boolean {
    return this.#options.isOwn && this.#trials++ < MOST_TRIALS;
  }

  /** Which barriers and atomics it could do without. */
  async #needless(accesses: number): Promise<void> {
    const search = new NeededSearch(this.#scope, this.#request, (observer) => this.#again(observer));
    await search.run(this.#options.shadowBytes, accesses);
    this.#engine.needless.note(this.#scope, search.places, (key) => search.needs(key));
  }

  /** The dispatch once more from the same memory, in the same order. */
  async #again(observer: Observer): Promise<void> {
    this.#restart();
    const { observer: _, ...request } = this.#request;
    await INTERPRETER.dispatch({ ...ending(request), observer });
  }

  /** Pass 2, in parts where too many cells are suspected; `watched`: not all of them could be looked at. */
  async #pairs(map: MemoryMap, suspects: Suspects, accesses: number) {
    const runs = new Runs(suspectedCells(suspects), accesses, INTERPRETED);
    const found = await this.#pairsIn(map, runs, accesses, async (log) => {
      await this.#again(log);
      return true;
    });
    return { found: found!, watched: runs.watched };
  }

  /** Who races at the cells of the runs. `watch` makes one, and gives false where it did not end well: then null. */
  async #pairsIn(
    map: MemoryMap,
    runs: Runs<number, number>,
    accesses: number,
    watch: (log: RaceLog) => Promise<boolean>,
  ): Promise<FoundPairs | null> {
    const { module } = this.#request;
    const [uses, reservations] = [atomicUses(module), reservationsOf(module)];
    const found = this.#pairStore();
    for (let portion = runs.next; portion !== null; portion = runs.next) {
      const part = found.part();
      const log = new RaceLog(map, suspectsIn(map, portion), uses, reservations, part, mostKept(portion));
      if (!(await watch(log))) return null;
      if (log.fullness > 1) {
        runs.divide(log.partsOf(accesses));
        continue;
      }
      log.finish();
      found.add(part);
      runs.made();
    }
    return found.finish();
  }

  // ---------------------------------------------------------------- numbers

  /** The dispatch once more with checks of its operations put in. */
  async #numbers(): Promise<void> {
    const numbers = addNumericChecks(this.#request.module);
    const memory = new Memory(4 * Math.max(1, numbers.sites.length));
    const bindings = new Map(this.#request.bindings).set(numbers.root, { memory, offset: 0, size: memory.size });
    const monitor = new NumberMonitor(numbers);
    const { module } = numbers;
    await this.#aside(() => INTERPRETER.dispatch({ ...ending(this.#request), module, bindings, observer: monitor }));
    pushAll(
      this.findings,
      monitor.finish().map((found) => numericFinding(this.#scope, found)),
    );
  }

  // ---------------------------------------------------------------- waiting

  get #invocations(): number {
    const { module, workgroups } = this.#request;
    return product(workgroups) * product(module.workgroupSize);
  }

  get #isManyInvocations(): boolean {
    return this.#invocations > MANY_INVOCATIONS;
  }

  /** Looks for loops that wait; a result where the dispatch does not end at all. */
  #waits(): DispatchResult | null {
    const found = findWaits(this.#request, this.#restart, this.#isManyInvocations);
    if (found === null) return null;
    this.#hasWaits = found.waits.length > 0;
    if (!this.#options.checks.has("progress")) return null;
    pushAll(
      this.findings,
      found.waits.map((waiting) => waitFinding(this.#scope, waiting)),
    );
    const budget = this.#request.timeout ?? this.#options.patience.budget;
    return found.stuck ? timedOut(budget, stuckAt(found.waits, this.#request.module)) : null;
  }
}

const INTERPRETER = createInterpreter();

function isClean({ bounds, counters, racy }: FirstLook): boolean {
  return bounds.length === 0 && counters.length === 0 && racy.size === 0;
}

/** So many accesses are not watched. */
function isMuch({ result }: FirstLook): boolean {
  return (result.statistics.sharedAccesses ?? 0) > WATCHED_ACCESSES;
}

/** Of each variable without atomics some pair was seen. What pass 1 suspects of atomics may have been meant so. */
function areExplained({ racy }: FirstLook, pairs: readonly Pair[], { roots }: IrModule): boolean {
  const known = new Set(pairs.map(({ first }) => first.site.root));
  return [...racy.keys()].every((root) => known.has(root) || containsAtomic(roots[root].type));
}

/** Nobody asked for another order. */
function isAnySchedule({ schedule }: DispatchRequest): boolean {
  return schedule === undefined || schedule.kind === "in-order";
}
