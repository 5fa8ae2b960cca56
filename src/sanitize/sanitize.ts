/** Runs a launch with every checker watching: under its own schedule, and under others as far as the budget goes. */
import type { Program } from "../analysis/program.ts";
import { FINDINGS } from "../diagnostics/catalogue-findings.ts";
import { gravestFirst, hasErrors, type PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import { createInterpreter } from "../engine/interpreter.ts";
import { checkRunOptions, isCount, number } from "../launch/code-launch.ts";
import type { Launch } from "../launch/launch.ts";
import { makePlan, type Plan } from "../launch/plan.ts";
import { type RunResult, ranNothing, resultWith } from "../launch/results.ts";
import { type RunOptions, runPlan } from "../launch/run.ts";
import { pushAll } from "../text/list.ts";
import { checkNames, type Names, type NamesOf } from "../text/option-names.ts";
import type { Source } from "../text/source.ts";
import { type CheckingOptions, MOST_ACCESSES } from "./checked-dispatch.ts";
import { CheckingEngine } from "./checking-engine.ts";
import { differences, orderFindings, type ScheduledRun, withOutcomes } from "./compare-runs.ts";
import { hangsOn } from "./consequences.ts";
import { CONTENTION_LIMITS, type ContentionLimits } from "./contention.ts";
import {
  CHECKS,
  type Check,
  DEFAULT_CHECKS,
  type Finding,
  type Replay,
  type Resource,
  type SanitizeResult,
} from "./finding.ts";
import { FindingRoom } from "./finding-room.ts";
import { Fold, type HangsOn, Known } from "./fold.ts";
import { leftBySource, silence, wrongMarks } from "./suppress.ts";
import { patienceOf } from "./watchdog.ts";

export interface SanitizeOptions extends RunOptions {
  /** What is looked for; all but `init` and `numeric` if left out. */
  readonly checks?: readonly Check[];
  /** Fingerprints of findings that are known and not reported. */
  readonly baseline?: ReadonlySet<string>;
  /** At most that many findings, those of greatest severity first. */
  readonly maxFindings?: number;
  /** Accesses to shared memory that further schedules may take together; 2^22 if left out, 0: the launch's own alone. */
  readonly scheduleBudget?: number;
  /** Bytes of shadow memory; 2^29 if left out. Above that a dispatch is repeated for parts of its memory. */
  readonly shadowBytes?: number;
  readonly contention?: Partial<ContentionLimits>;
  /** Dispatches with fewer invocations are looked at on the interpreter, whatever the engine; 4096 if left out. */
  readonly fewInvocations?: number;
  /**
   * Seconds that each dispatch may take as it is, without checkers, where there is no `timeout` for all they do; 10 if left
   * out. One that ends in that is looked at for as long as it takes.
   */
  readonly dispatchTimeout?: number;
  /** Called as each further schedule begins. */
  readonly observeSchedule?: (replay: Replay) => void;
}

const SCHEDULE_BUDGET = 2 ** 22;
/** … and instructions: some seconds. */
const INSTRUCTION_BUDGET = 2 ** 28;
const SHADOW_BYTES = 2 ** 29;
const FEW_INVOCATIONS = 4096;
/** Random schedules at most. */
const MOST_RANDOM = 8;
/** Another order may take longer, as more has to be tried again; this much and no more. */
const LONGER = 16;
const ALWAYS = 2 ** 20;
/** Races do not hang on the order but where control does; of a launch with more accesses its own order has to do. */
const RACE_ACCESSES = 2 ** 18;

/**
 * Runs a launch and says what is wrong with how its invocations share memory. The result is that of a run under the
 * launch's own schedule, with findings.
 * @throws LaunchError (a TypeError) for a launch made in code that makes no sense; TypeError, RangeError for options that
 * make none
 */
export async function sanitize(launch: Launch, options: SanitizeOptions = {}): Promise<SanitizeResult> {
  checkSanitizeOptions(options);
  const plan = await makePlan(launch, options);
  return sanitizePlan(plan, options);
}

export async function sanitizePlan(plan: Plan, options: SanitizeOptions = {}): Promise<SanitizeResult> {
  const checks = checkedNames(options.checks ?? DEFAULT_CHECKS);
  const replay = ownReplay(options);
  const start = Date.now();
  const room = new FindingRoom();
  const how = { checks, replay, isOwn: true, known: null, maxInstructions: null, room };
  const own = await runChecked(plan, options, how);
  const fold = new Fold(hangsOnIn(plan));
  fold.addSchedule([...own.engine.findings, ...findingsAmong(plan, own.result.diagnostics, replay)], null);
  const runs: ScheduledRun[] = [{ replay, result: own.result }];
  // Of a large dispatch a part was tried already, in the memory that it ran in.
  const isSampled = own.engine.largest > MOST_ACCESSES;
  const rest = { ...options, ...timeoutOf(secondsLeft(options, start)) };
  if (canRunAgain(own.result) && !isSampled)
    pushAll(runs, await otherSchedules(plan, rest, checks, own.engine, fold, room));
  const orders = own.engine.orders.filter(({ names, madeOf }) => !fold.explainsOrder(names, madeOf));
  fold.add(orders.map(({ finding }) => finding));
  const differing = differences(runs);
  if (checks.has("order")) fold.add(orderFindings(plan, runs, differing, fold));
  const left = leftBySource(programOf(plan));
  const all = withOutcomes(
    plan,
    differing,
    fold.findings((finding) => left(finding) === null),
  );
  const { findings, suppressed } = silence(all, left, options.baseline ?? new Set());
  const marks = plan.programs.flatMap(wrongMarks);
  const { maxFindings: most = Number.POSITIVE_INFINITY } = options;
  return resultOf(own, runs, checks, { findings, suppressed, marks, most, room });
}

/** What `sanitize` takes beside what `run` does. */
export const SANITIZE_OPTIONS: NamesOf<Omit<SanitizeOptions, keyof RunOptions>> = {
  checks: true,
  baseline: true,
  maxFindings: true,
  scheduleBudget: true,
  shadowBytes: true,
  contention: true,
  fewInvocations: true,
  dispatchTimeout: true,
  observeSchedule: true,
};

/**
 * @param names of the options beside those of `run`
 * @throws TypeError, RangeError for options of `sanitize`, or others that look at a launch, that make no sense
 */
export function checkSanitizeOptions(
  options: Omit<SanitizeOptions & ProfileLimits, "engine">,
  names: Names = SANITIZE_OPTIONS,
): void {
  checkRunOptions(options, names);
  number("dispatchTimeout", options.dispatchTimeout, (value) => value > 0, "a number of seconds above 0");
  for (const name of LIMITS) number(name, options[name], isCount, "a whole number from 0");
  const { checks, baseline, contention } = options;
  if (contention !== undefined) checkNames(contention, CONTENTION_OPTIONS, "contention.");
  if (checks !== undefined && !Array.isArray(checks)) throw new TypeError(`‘checks’ is a list, not ${checks}`);
  if (checks !== undefined) checkedNames(checks);
  if (baseline !== undefined && !(baseline instanceof Set))
    throw new TypeError(`‘baseline’ is a Set of fingerprints, not ${baseline}`);
}

const CONTENTION_OPTIONS: NamesOf<ContentionLimits> = { share: true, operations: true };

interface ProfileLimits {
  readonly addresses?: number;
  readonly interleaveBudget?: number;
}

const LIMITS = [
  "maxFindings",
  "scheduleBudget",
  "shadowBytes",
  "fewInvocations",
  "addresses",
  "interleaveBudget",
] as const;

function checkedNames(checks: readonly Check[]): ReadonlySet<Check> {
  const wrong = checks.find((check) => !CHECKS.includes(check));
  if (wrong !== undefined) throw new RangeError(`‘${wrong}’ is no check; known are ${CHECKS.join(", ")}`);
  return new Set(checks);
}

function ownReplay({ schedule = "in-order", seed = 1 }: RunOptions): Replay {
  const kind = typeof schedule === "object" ? schedule.kind : schedule;
  return { schedule: kind, seed };
}

interface CheckedRun {
  readonly engine: CheckingEngine;
  readonly result: RunResult;
}

async function runChecked(
  plan: Plan,
  options: SanitizeOptions,
  how: Pick<CheckingOptions, "checks" | "replay" | "isOwn" | "known" | "maxInstructions" | "room">,
): Promise<CheckedRun> {
  const { contention = {}, shadowBytes = SHADOW_BYTES, fewInvocations = FEW_INVOCATIONS } = options;
  const inner = how.isOwn ? (options.engine ?? createInterpreter()) : createInterpreter();
  const engine = new CheckingEngine(inner, plan, {
    ...how,
    contention: { ...CONTENTION_LIMITS, ...contention },
    shadowBytes,
    fewInvocations,
    scheduleBudget: options.scheduleBudget ?? SCHEDULE_BUDGET,
    patience: patienceOf(options.dispatchTimeout),
  });
  const watched = options.observe;
  const observe: NonNullable<RunOptions["observe"]> = (step, dispatch) => {
    engine.observe(step, dispatch);
    return how.isOwn ? (watched?.(step, dispatch) ?? null) : null;
  };
  try {
    // In order all engines see the same here: where the order would be another one, the interpreter looks again.
    const { schedule, ...others } = options;
    const order = schedule === undefined || how.replay.schedule === "in-order" ? {} : { schedule };
    const result = await runPlan(plan, { ...others, ...order, engine, observe });
    engine.finish();
    return { engine, result };
  } finally {
    engine.leave();
  }
}

function canRunAgain({ dispatches, diagnostics }: RunResult): boolean {
  return dispatches.length > 0 && !diagnostics.some(({ code }) => code === "timeout" || code === "barrier-divergence");
}

/** Counters and retries need other orders than lane by lane. */
async function otherSchedules(
  plan: Plan,
  options: SanitizeOptions,
  checks: ReadonlySet<Check>,
  own: CheckingEngine,
  fold: Fold,
  room: FindingRoom,
): Promise<readonly ScheduledRun[]> {
  const runs: ScheduledRun[] = [];
  let left = options.scheduleBudget ?? SCHEDULE_BUDGET;
  const seed = options.seed ?? 1;
  const replays: Replay[] = [
    { schedule: "interleave", seed },
    ...Array.from({ length: MOST_RANDOM }, (_, i): Replay => ({ schedule: "random", seed: seed + i })),
  ];
  const start = Date.now();
  let instructionsLeft = INSTRUCTION_BUDGET;
  const isLarge = own.accesses > RACE_ACCESSES;
  const wanted = new Set([...checks].filter((check) => !isLarge || (check !== "races" && check !== "atomics")));
  for (const replay of replays) {
    if (isOwnSchedule(options, replay) || left < own.accesses || left === 0) continue;
    if (instructionsLeft < own.instructions) continue;
    const maxInstructions = Math.min(own.instructions * LONGER + ALWAYS, instructionsLeft);
    const { trace: _, timeout: __, ...others } = options;
    const time = secondsLeft(options, start);
    if (time !== null && time <= 0) break;
    const again = {
      ...others,
      ...timeoutOf(time),
      schedule: replay.schedule as "interleave" | "random",
      seed: replay.seed,
    };
    options.observeSchedule?.(replay);
    const known = new Known(fold);
    const how = { checks: wanted, replay, isOwn: false, known, maxInstructions, room };
    const run = await runChecked(plan, again, how);
    left -= Math.max(1, run.engine.accesses);
    instructionsLeft -= run.engine.instructions;
    if (run.result.diagnostics.some(({ code }) => code === "timeout")) continue;
    if (isLarge) fold.add(run.engine.findings);
    else fold.addSchedule(run.engine.findings, known);
    runs.push({ replay, result: run.result });
  }
  return runs;
}

/** Of the time that all has which began at `start`; null: each dispatch has its own. */
export function secondsLeft({ timeout }: RunOptions, start: number): number | null {
  return timeout === undefined ? null : timeout - (Date.now() - start) / 1000;
}

/** `left`: seconds of the whole; null: each dispatch has its own. */
function timeoutOf(left: number | null): Pick<RunOptions, "timeout"> {
  return left === null ? {} : { timeout: left };
}

function isOwnSchedule(options: RunOptions, { schedule, seed }: Replay): boolean {
  const own = ownReplay(options);
  return own.schedule === schedule && (schedule !== "random" || own.seed === seed);
}

// ---------------------------------------------------------------- results

/** Findings that the run itself tells of, as far as they are findings. */
function findingsAmong(plan: Plan, diagnostics: readonly PlacedDiagnostic[], replay: Replay): readonly Finding[] {
  return diagnostics
    .filter(isFinding)
    .map((item) => ({ ...item, resource: namedResource(plan, item), accesses: [], count: 1, replay }));
}

/** What the host lays out otherwise: a variable, or a structure that goes by its own name. */
function namedResource(plan: Plan, { code, args }: PlacedDiagnostic): Resource | null {
  if (code !== "layout-mismatch") return null;
  const path = String(args.name);
  const name = path.split(/[.[]/)[0];
  const { group = null, binding = null } = plan.buffers.find((buffer) => buffer.name === name) ?? {};
  return { name, group, binding, path, byteOffset: 0 };
}

function hangsOnIn(plan: Plan): HangsOn {
  return ({ source, span, accesses }, variable) => {
    const modules = new Set(plan.steps.filter(({ program }) => program.source === source).map(({ module }) => module));
    const spans = accesses.length === 0 ? [span] : accesses.map((access) => access.span);
    return [...modules].some((module) => spans.some((each) => hangsOn(module, each, variable)));
  };
}

export function isFinding({ code }: PlacedDiagnostic): boolean {
  return Object.hasOwn(FINDINGS, code);
}

export function programOf(plan: Plan): (source: Source) => Program | null {
  return (source) => plan.steps.find(({ program }) => program.source === source)?.program ?? null;
}

/** So many, the gravest. */
export function chosen(findings: readonly Finding[], most: number): readonly Finding[] {
  if (findings.length <= most) return findings;
  const kept = new Set(gravestFirst(findings).slice(0, most));
  return findings.filter((finding) => kept.has(finding));
}

interface Found {
  /** All that are not silenced. */
  readonly findings: readonly Finding[];
  readonly suppressed: number;
  /** What is wrong with what was to silence some. */
  readonly marks: readonly PlacedDiagnostic[];
  /** As many are told. */
  readonly most: number;
  readonly room: FindingRoom;
}

function resultOf(
  { engine, result }: CheckedRun,
  runs: readonly ScheduledRun[],
  checks: ReadonlySet<Check>,
  { findings, suppressed, marks, most, room }: Found,
): SanitizeResult {
  const told = chosen(findings, most);
  const said = result.diagnostics.filter((item) => !isFinding(item));
  const isSaid = ({ code, source, span }: PlacedDiagnostic) =>
    said.some((item) => item.code === code && item.source === source && item.span.start === span.start);
  const diagnostics = [...said, ...marks.filter((mark) => !isSaid(mark))];
  return resultWith(result, {
    ok:
      !ranNothing(result.dispatches) &&
      !hasErrors(diagnostics) &&
      !hasErrors(findings) &&
      !room.hasUntoldErrors &&
      result.comparisons.every(({ ok }) => ok),
    diagnostics,
    findings: told,
    checked: {
      checks: CHECKS.filter((check) => checks.has(check)),
      invocations: result.dispatches.reduce((sum, { invocations }) => sum + invocations, 0),
      accesses: engine.accesses,
      dispatches: result.dispatches.length,
      schedules: [...runs.map(({ replay }) => replay), ...engine.sampled],
      suppressed,
      untold: findings.length - told.length + room.untold,
    },
  });
}
