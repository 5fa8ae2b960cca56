/** Runs a launch and counts what its invocations do to memory: how often, where, how far apart, how many at one address. */
import { hasErrors, note } from "../diagnostics/diagnostic.ts";
import type { DispatchRequest, DispatchResult, Engine } from "../engine/dispatch.ts";
import type { AccessKind } from "../engine/flat.ts";
import { createInterpreter } from "../engine/interpreter.ts";
import type { Memory } from "../engine/memory.ts";
import type { Launch } from "../launch/launch.ts";
import { makePlan, type Plan, type PlannedStep } from "../launch/plan.ts";
import { type RunResult, resultWith } from "../launch/results.ts";
import { type RunOptions, runPlan } from "../launch/run.ts";
import { joined } from "../launch/watch.ts";
import { layoutOf } from "../layout/layout.ts";
import type { NamesOf } from "../text/option-names.ts";
import type { Source, Span } from "../text/source.ts";
import { CONTENTION_LIMITS, type ContentionLimits } from "./contention.ts";
import { type DispatchScope, draft, resourceAt, sourceOf } from "./draft.ts";
import { CHECKS, type Check, type Checked, type Finding, type Replay, type SanitizeResult } from "./finding.ts";
import { locksOf } from "./locks.ts";
import { type AddressCounts, type PlaceCounts, ProfileMonitor } from "./profile-monitor.ts";
import { twoLevelHint } from "./report-others.ts";
import { checkSanitizeOptions, chosen, isFinding, programOf, sanitizePlan, secondsLeft } from "./sanitize.ts";
import { leftBySource, silence } from "./suppress.ts";
import { dispatchWatched } from "./watchdog.ts";

export interface ProfileOptions extends RunOptions {
  /** Hot addresses that are named for each dispatch; 16 if left out. */
  readonly addresses?: number;
  readonly contention?: Partial<ContentionLimits>;
  /** Accesses that a second run, with all invocations in turn, may take; 2^20 if left out. It is made for the sake of retries. */
  readonly interleaveBudget?: number;
  /** What is looked for beside it, as `sanitize` does, in runs of its own; `contention` alone if left out. */
  readonly checks?: readonly Check[];
  /** Fingerprints of findings that are known and not reported. */
  readonly baseline?: ReadonlySet<string>;
  /** At most that many findings, those of greatest severity first. */
  readonly maxFindings?: number;
}

/** What `profile` takes beside what `run` does. */
export const PROFILE_OPTIONS: NamesOf<Omit<ProfileOptions, keyof RunOptions>> = {
  addresses: true,
  contention: true,
  interleaveBudget: true,
  checks: true,
  baseline: true,
  maxFindings: true,
};

/** Operations at one place of the program. */
export interface ProfiledPlace {
  readonly source: Source;
  readonly span: Span;
  readonly kind: AccessKind;
  /** WGSL name of the atomic function; null for loads and stores. */
  readonly atomic: string | null;
  readonly variable: string;
  readonly space: string;
  readonly operations: number;
  readonly bytes: number;
  /** Of atomic functions, else null: how many invocations came here, at how many addresses. */
  readonly invocations: number | null;
  readonly addresses: number | null;
  /** Operations of atomic functions that left what was there: of compare-exchange those that have to be tried again. */
  readonly unchanged: number | null;
  readonly retries: number | null;
  /** Of compare-exchange: operations and retries if all invocations take turns; null where that was not run. */
  readonly interleaved: { readonly operations: number; readonly retries: number } | null;
  /** The address with most operations of this place. */
  readonly hottest: { readonly path: string; readonly operations: number; readonly share: number } | null;
  /** Of 32 neighbouring invocations that make this access together: 128-byte segments; null in workgroup memory. */
  readonly segments: {
    readonly groups: number;
    readonly total: number;
    readonly each: number;
    readonly least: number;
  } | null;
}

export interface ProfiledAddress {
  readonly variable: string;
  readonly path: string;
  readonly byteOffset: number;
  readonly space: string;
  readonly operations: number;
  /** Of all atomic operations on this kind of memory. */
  readonly share: number;
  readonly invocations: number;
  readonly workgroups: number;
}

export interface ProfiledMemory {
  readonly variable: string;
  readonly space: string;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly atomicOperations: number;
}

/** What counting in each workgroup first would cost in place of the atomic operations on a storage variable. */
export interface TwoLevelEstimate {
  readonly variable: string;
  readonly now: number;
  readonly local: number;
  /** At most: an address that several workgroups count at, once for each. */
  readonly global: number;
}

export interface DispatchProfile {
  readonly entry: string;
  readonly dispatches: number;
  readonly workgroups: number;
  readonly invocations: number;
  readonly places: readonly ProfiledPlace[];
  readonly addresses: readonly ProfiledAddress[];
  readonly memory: readonly ProfiledMemory[];
  readonly twoLevel: readonly TwoLevelEstimate[];
}

export interface ProfileResult extends RunResult {
  /** One for each step of the launch, its repetitions added up. */
  readonly profile: readonly DispatchProfile[];
  readonly findings: readonly Finding[];
  /** How much was looked at for the sake of `checks`; null where there are none. */
  readonly checked: Checked | null;
}

const MOST_ADDRESSES = 16;

/** @throws LaunchError (a TypeError) for a launch made in code that makes no sense; TypeError, RangeError for options that make none */
export async function profile(launch: Launch, options: ProfileOptions = {}): Promise<ProfileResult> {
  checkSanitizeOptions(options, PROFILE_OPTIONS);
  return profilePlan(await makePlan(launch, options), options);
}

export async function profilePlan(plan: Plan, options: ProfileOptions = {}): Promise<ProfileResult> {
  const start = Date.now();
  const { engine, result } = await runProfiled(plan, options, options.engine ?? createInterpreter(), null);
  const { schedule = "in-order", seed = 1 } = options;
  const replay: Replay = { schedule: typeof schedule === "object" ? schedule.kind : schedule, seed };
  const left = secondsLeft(options, start);
  const hasTime = result.diagnostics.every(({ code }) => code !== "timeout") && (left === null || left > 0);
  const rest = left === null ? options : { ...options, timeout: Math.max(left, 0.001) };
  const interleaved = hasTime ? await retriesInTurn(plan, rest, engine) : null;
  const most = options.addresses ?? MOST_ADDRESSES;
  const counted = [...engine.steps.values()];
  const profiles = counted.map((each) => profileOf(each, interleaved?.get(each.step) ?? null, replay, most));
  const limits = { ...CONTENTION_LIMITS, ...options.contention };
  const contention = counted.flatMap((each) => contended(scopeOf(each, replay), each, limits));
  return withFindings(result, profiles, contention, hasTime ? await lookedAt(plan, rest) : null, plan, options);
}

/** What checkers find, in runs of their own; null: nobody asks for them. */
async function lookedAt(plan: Plan, options: ProfileOptions): Promise<SanitizeResult | null> {
  const { checks, observe: _, trace: __, maxFindings: ___, ...others } = options;
  if (checks === undefined) return null;
  return sanitizePlan(plan, { ...others, checks: checks.filter((check) => check !== "contention") });
}

function withFindings(
  result: RunResult,
  profile: readonly DispatchProfile[],
  contention: readonly Finding[],
  looked: SanitizeResult | null,
  plan: Plan,
  { checks, baseline = new Set(), maxFindings = Number.POSITIVE_INFINITY }: ProfileOptions,
): ProfileResult {
  const wanted = checks === undefined || checks.includes("contention") ? contention : [];
  const { findings: own, suppressed } = silence(wanted, leftBySource(programOf(plan)), baseline);
  const all = [...(looked?.findings ?? []), ...own];
  const findings = chosen(all, maxFindings);
  // What is a finding is told once.
  const diagnostics = looked === null ? result.diagnostics : result.diagnostics.filter((item) => !isFinding(item));
  const checked =
    looked === null
      ? null
      : {
          ...looked.checked,
          checks: CHECKS.filter((check) => checks!.includes(check)),
          suppressed: looked.checked.suppressed + suppressed,
          untold: looked.checked.untold + all.length - findings.length,
        };
  const ok =
    looked === null
      ? result.ok
      : looked.ok && !hasErrors(diagnostics) && !hasErrors(all) && result.comparisons.every((each) => each.ok);
  return resultWith(result, { ok, diagnostics, profile, findings, checked });
}

async function runProfiled(plan: Plan, options: ProfileOptions, inner: Engine, maxInstructions: number | null) {
  const engine = new ProfilingEngine(inner, maxInstructions);
  const observe: NonNullable<RunOptions["observe"]> = (step, dispatch) => {
    engine.step = step;
    return options.observe?.(step, dispatch) ?? null;
  };
  const result = await runPlan(plan, { ...options, engine, observe });
  return { engine, result };
}

/** Another order may take longer, as more has to be tried again; this much and no more. */
const LONGER = 16;
const ALWAYS = 2 ** 20;
const INTERLEAVE_BUDGET = 2 ** 20;

/** Lane by lane no compare-exchange fails: what is counted when all take turns. null: too much, or there is none. */
async function retriesInTurn(
  plan: Plan,
  options: ProfileOptions,
  own: ProfilingEngine,
): Promise<ReadonlyMap<PlannedStep, ReadonlyMap<string, PlaceCounts>> | null> {
  const places = [...own.steps.values()].flatMap((each) => [...each.places.values()]);
  const accesses = places.reduce((sum, { operations }) => sum + operations, 0);
  if (!places.some(({ site }) => isCompareExchange(site)) || options.schedule === "interleave") return null;
  if (accesses > (options.interleaveBudget ?? INTERLEAVE_BUDGET)) return null;
  const { trace: _, observe: __, ...others } = options;
  const most = own.instructions * LONGER + ALWAYS;
  const { engine } = await runProfiled(plan, { ...others, schedule: "interleave" }, createInterpreter(), most);
  return new Map([...engine.steps].map(([step, counted]) => [step, counted.places]));
}

function isCompareExchange({ atomic }: PlaceCounts["site"]): boolean {
  return atomic === "atomicCompareExchangeWeak";
}

/** What was counted of a step. */
interface Counted {
  readonly step: PlannedStep;
  readonly sizes: readonly number[];
  readonly places: Map<string, PlaceCounts>;
  readonly addresses: Map<number, AddressCounts>;
  dispatches: number;
  workgroups: number;
  invocations: number;
}

/** Counts what each dispatch of a session does. */
class ProfilingEngine implements Engine {
  readonly name: Engine["name"];
  readonly steps = new Map<PlannedStep, Counted>();
  /** What comes next; null: a run that is not the launch's own. */
  step: PlannedStep | null = null;
  instructions = 0;
  readonly #inner: Engine;
  readonly #maxInstructions: number | null;

  constructor(inner: Engine, maxInstructions: number | null) {
    this.#inner = inner;
    this.#maxInstructions = maxInstructions;
    this.name = inner.name;
  }

  async dispatch(request: DispatchRequest): Promise<DispatchResult> {
    const { step } = this;
    this.step = null;
    if (step === null) return this.#inner.dispatch(request);
    const monitor = new ProfileMonitor();
    const { observer } = request;
    const result = await dispatchWatched(this.#inner, {
      ...request,
      ...(this.#maxInstructions === null ? {} : { maxInstructions: this.#maxInstructions }),
      observer: observer ? joined(observer, monitor) : monitor,
    });
    this.instructions += result.statistics.instructions ?? 0;
    this.#add(step, request, result, monitor);
    return result;
  }

  #add(step: PlannedStep, request: DispatchRequest, result: DispatchResult, monitor: ProfileMonitor): void {
    const { module, bindings, workgroups } = request;
    let counted = this.steps.get(step);
    if (counted === undefined) {
      const sizes = module.roots.map(({ id, space, type }) =>
        space === "workgroup" ? layoutOf(type).size : (bindings.get(id)?.size ?? 0),
      );
      counted = { step, sizes, places: new Map(), addresses: new Map(), dispatches: 0, workgroups: 0, invocations: 0 };
      this.steps.set(step, counted);
    }
    counted.dispatches++;
    counted.workgroups += workgroups[0] * workgroups[1] * workgroups[2];
    counted.invocations += result.statistics.invocations;
    for (const place of monitor.places.values()) addPlace(counted.places, place);
    for (const [key, address] of monitor.addresses) addAddress(counted.addresses, key, address);
  }

  allocate(contents: number | Uint8Array): Memory {
    return this.#inner.allocate(contents);
  }

  release(memory: Memory): void {
    this.#inner.release(memory);
  }

  close(): void {
    this.#inner.close();
  }
}

function addPlace(places: Map<string, PlaceCounts>, place: PlaceCounts): void {
  const { function: fn, instruction } = place.site;
  const key = `${fn}:${instruction}:${place.site.kind}`;
  const known = places.get(key);
  if (known === undefined) {
    places.set(key, place);
    return;
  }
  known.operations += place.operations;
  known.bytes += place.bytes;
  known.unchanged += place.unchanged;
  known.groups += place.groups;
  known.segments += place.segments;
  for (const invocation of place.invocations) known.invocations.add(invocation);
  for (const [at, address] of place.addresses) {
    const there = known.addresses.get(at);
    if (there === undefined) known.addresses.set(at, address);
    else there.count += address.count;
  }
}

function addAddress(addresses: Map<number, AddressCounts>, key: number, address: AddressCounts): void {
  const known = addresses.get(key);
  if (known === undefined) {
    addresses.set(key, address);
    return;
  }
  known.operations += address.operations;
  for (const invocation of address.invocations) known.invocations.add(invocation);
  for (const workgroup of address.workgroups) known.workgroups.add(workgroup);
}

// ---------------------------------------------------------------- what is told of it

function scopeOf({ step, sizes }: Counted, replay: Replay): DispatchScope {
  return { step, module: step.module, sizes, replay };
}

function profileOf(
  counted: Counted,
  interleaved: ReadonlyMap<string, PlaceCounts> | null,
  replay: Replay,
  most: number,
): DispatchProfile {
  const { step, dispatches, workgroups, invocations } = counted;
  const scope = scopeOf(counted, replay);
  const places = [...counted.places].map(([key, place]) => placeOf(scope, place, interleaved?.get(key) ?? null));
  return {
    entry: step.call === null ? step.entry.name : step.call.text,
    dispatches,
    workgroups,
    invocations,
    places: places.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end),
    addresses: addressesOf(scope, counted).slice(0, most),
    memory: memoryOf(scope, counted),
    twoLevel: twoLevelOf(scope, counted),
  };
}

function placeOf(scope: DispatchScope, place: PlaceCounts, inTurn: PlaceCounts | null): ProfiledPlace {
  const { site, operations, bytes, unchanged, invocations, addresses, groups, segments } = place;
  const { name, space } = scope.module.roots[site.root!];
  const isAtomic = site.kind.startsWith("atomic");
  const hottest = [...addresses.values()].reduce<{ root: number; offset: number; count: number } | null>(
    (a, b) => (a === null || b.count > a.count ? b : a),
    null,
  );
  return {
    source: sourceOf(scope),
    span: site.span,
    kind: site.kind,
    atomic: site.atomic,
    variable: name,
    space,
    operations,
    bytes,
    invocations: isAtomic ? invocations.size : null,
    addresses: isAtomic ? addresses.size : null,
    unchanged: isAtomic && site.kind !== "atomic-read" ? unchanged : null,
    retries: isCompareExchange(site) ? unchanged : null,
    interleaved:
      inTurn !== null && isCompareExchange(site) ? { operations: inTurn.operations, retries: inTurn.unchanged } : null,
    hottest:
      hottest === null
        ? null
        : {
            path: resourceAt(scope, hottest.root, hottest.offset).path,
            operations: hottest.count,
            share: hottest.count / operations,
          },
    segments: groups === 0 ? null : { groups, total: segments, each: segments / groups, least: leastSegments(place) },
  };
}

/** As many as the bytes of the access fill if neighbours lie side by side. */
function leastSegments({ bytes, groups }: PlaceCounts): number {
  return Math.max(1, Math.ceil(bytes / groups / 128));
}

function addressesOf(scope: DispatchScope, { addresses }: Counted): ProfiledAddress[] {
  const totals = new Map<string, number>();
  const spaceOf = (root: number) => scope.module.roots[root].space;
  for (const { root, operations } of addresses.values()) {
    totals.set(spaceOf(root), (totals.get(spaceOf(root)) ?? 0) + operations);
  }
  return [...addresses.values()]
    .sort((a, b) => b.operations - a.operations || a.root - b.root || a.offset - b.offset)
    .map(({ root, offset, operations, invocations, workgroups }) => {
      const { name, path, byteOffset } = resourceAt(scope, root, offset);
      const space = spaceOf(root);
      return {
        variable: name,
        path,
        byteOffset,
        space,
        operations,
        share: operations / totals.get(space)!,
        invocations: invocations.size,
        workgroups: workgroups.size,
      };
    });
}

function memoryOf({ module }: DispatchScope, { places }: Counted): ProfiledMemory[] {
  const found = module.roots
    .filter(({ space }) => space !== "private")
    .map(({ id, name, space }) => {
      const own = [...places.values()].filter(({ site }) => site.root === id);
      const sum = (of: (place: PlaceCounts) => number) => own.reduce((total, place) => total + of(place), 0);
      return {
        variable: name,
        space,
        bytesRead: sum(({ site, bytes }) => (site.kind === "write" || site.kind === "atomic-write" ? 0 : bytes)),
        bytesWritten: sum(({ site, bytes }) => (site.kind === "read" || site.kind === "atomic-read" ? 0 : bytes)),
        atomicOperations: sum(({ site, operations }) => (site.kind.startsWith("atomic") ? operations : 0)),
      };
    });
  return found.filter(({ bytesRead, bytesWritten }) => bytesRead + bytesWritten > 0);
}

function twoLevelOf(scope: DispatchScope, { addresses }: Counted): TwoLevelEstimate[] {
  const byRoot = new Map<number, { now: number; global: number }>();
  for (const { root, operations, workgroups } of addresses.values()) {
    if (scope.module.roots[root].space !== "storage") continue;
    const known = byRoot.get(root) ?? { now: 0, global: 0 };
    byRoot.set(root, { now: known.now + operations, global: known.global + workgroups.size });
  }
  return [...byRoot].map(([root, { now, global }]) => ({
    variable: scope.module.roots[root].name,
    now,
    local: now,
    global,
  }));
}

const CHANGING: ReadonlySet<AccessKind> = new Set(["atomic-rmw", "atomic-write"]);

/** Advice for addresses that take a large share of the atomic operations on storage. */
function contended(scope: DispatchScope, counted: Counted, { share, operations }: ContentionLimits): Finding[] {
  const twoLevel = new Map(twoLevelOf(scope, counted).map((each) => [each.variable, each]));
  const worst = new Map<string, ProfiledAddress>();
  for (const address of addressesOf(scope, counted)) {
    if (address.space !== "storage" || address.share < share || address.operations < operations) continue;
    if (!worst.has(address.variable)) worst.set(address.variable, address);
  }
  return [...worst.values()].flatMap((address) => {
    const { variable, path, byteOffset } = address;
    const place = [...counted.places.values()]
      .filter(({ site }) => scope.module.roots[site.root!].name === variable && CHANGING.has(site.kind))
      .reduce((a, b) => (b.operations > a.operations ? b : a));
    if (locksOf(scope.module).concerns(place.site)) return [];
    const root = scope.module.roots[place.site.root!];
    const resource = { name: variable, group: root.group, binding: root.binding, path, byteOffset };
    const estimate = twoLevel.get(variable)!;
    const total = Math.round(address.operations / address.share);
    const args = { path, count: address.operations, total, twoLevel: estimate.global };
    const { span } = place.site;
    const { operations: all, unchanged } = place;
    const idle =
      unchanged * 2 < all || isCompareExchange(place.site)
        ? []
        : [note("changed-nothing", span, { count: unchanged, total: all }), note("hint-ask-first", span, {})];
    const notes = [...idle, twoLevelHint(scope.module, place.site)];
    return [draft(scope, "contention", span, args, { resource, notes, count: address.operations })];
  });
}
