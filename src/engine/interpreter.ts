/** The interpreter as an engine: runs an execution under a schedule, a watchdog beside it. */
import type { DispatchRequest, DispatchResult, Engine, Host, Timeout } from "./dispatch.ts";
import { Execution, type Place } from "./execution.ts";
import { Memory } from "./memory.ts";
import { createScheduler, type Scheduler, type Turn } from "./schedule.ts";
import { waitAt } from "./waits.ts";
import { AT_BARRIER, AT_SUBGROUP, READY } from "./workgroup.ts";

/** Instructions between two looks at the clock: some milliseconds. */
const SLICE = 2 ** 19;
/** What a turn costs beside its instructions. */
const TURN_COST = 8;
/** How long the host waits at most. */
const PAUSE_AFTER = 40;
/** How many places a timeout names. */
const MAX_PLACES = 16;

const DEFAULT_TIMEOUT = 60_000;

/** Gives turns until the execution has finished (true) or about `instructions` have run. */
export function runTurns(
  execution: Execution,
  scheduler: Scheduler,
  instructions: number,
  record: Turn[] | null,
): boolean {
  /** Whether the invocation of the last turn could go on: only then another turn of it may be one with that. */
  let open = false;
  for (let left = instructions; left > 0; ) {
    const choice = scheduler.next(execution);
    if (choice === null) return true;
    const { workgroup, local, accesses } = choice;
    // Read now: an invocation that ends may take its workgroup with it.
    const invocation = workgroup.index * workgroup.size + local;
    const { statistics } = execution;
    const { instructions: instructionsBefore, sharedAccesses: accessesBefore } = statistics;
    const stop = execution.advance(workgroup, local, accesses, SLICE);
    scheduler.after(execution, stop);
    left -= statistics.instructions - instructionsBefore + TURN_COST;
    if (record !== null) keepTurn(record, { invocation, accesses: statistics.sharedAccesses - accessesBefore }, open);
    open = stop === "turn" || stop === "fuel";
  }
  return execution.finished;
}

function keepTurn(record: Turn[], turn: Turn, open: boolean): void {
  const last = record.at(-1);
  if (!open || last?.invocation !== turn.invocation) record.push(turn);
  else record[record.length - 1] = { ...turn, accesses: last.accesses + turn.accesses };
}

/** Clock and event loop as far as the language itself has them; hosts have better ones. */
const PLAIN_HOST: Host = {
  now: () => Date.now(),
  pause: () => new Promise((resolve) => setTimeout(resolve, 0)),
};

export function createInterpreter(host: Host = PLAIN_HOST): Engine {
  return {
    name: "interpreter",
    dispatch: (request) => dispatch(host, request),
    allocate: (contents) => new Memory(typeof contents === "number" ? contents : contents.slice()),
    release: () => {},
    close: () => {},
  };
}

async function dispatch(host: Host, request: DispatchRequest): Promise<DispatchResult> {
  const run = new Run(host, request);
  while (!run.slice()) {
    if (host.now() - run.lastPause < PAUSE_AFTER) continue;
    await host.pause();
    request.signal?.throwIfAborted();
    run.lastPause = host.now();
  }
  return run.result();
}

/** The same without yielding to the host: for short dispatches, many of them. */
export function dispatchSync(request: DispatchRequest, host: Host = PLAIN_HOST): DispatchResult {
  const run = new Run(host, request);
  while (!run.slice());
  return run.result();
}

class Run {
  readonly #host: Host;
  readonly #request: DispatchRequest;
  readonly #execution: Execution;
  readonly #scheduler: Scheduler;
  readonly #turns: Turn[] | null;
  readonly #start: number;
  #timeout: Timeout | null = null;
  lastPause: number;

  constructor(host: Host, request: DispatchRequest) {
    request.signal?.throwIfAborted();
    this.#host = host;
    this.#request = request;
    this.#start = this.lastPause = host.now();
    this.#execution = new Execution(request.module, request);
    this.#scheduler = createScheduler(request.schedule ?? { kind: "in-order" }, request.residency);
    this.#turns = request.record === true ? [] : null;
  }

  /** Runs for some milliseconds; true when there is nothing more to run. */
  slice(): boolean {
    const { maxInstructions = Infinity, timeout = DEFAULT_TIMEOUT } = this.#request;
    const left = maxInstructions - this.#execution.statistics.instructions;
    if (runTurns(this.#execution, this.#scheduler, Math.min(SLICE, left), this.#turns)) return true;
    if (this.#execution.statistics.instructions >= maxInstructions) this.#timeout = this.#timedOut("instructions");
    else if (this.#host.now() - this.#start >= timeout) this.#timeout = this.#timedOut("milliseconds");
    return this.#timeout !== null;
  }

  #timedOut(reason: Timeout["reason"]): Timeout {
    const places: Place[] = [];
    let count = 0;
    // Who is under way is to blame, not who waits at a barrier.
    for (const statuses of [[READY], [AT_BARRIER, AT_SUBGROUP]]) {
      for (const workgroup of this.#execution.resident) {
        for (let local = 0; local < workgroup.size; local++) {
          if (!statuses.includes(workgroup.status[local])) continue;
          if (count++ < MAX_PLACES) places.push(this.#execution.place(workgroup, local));
        }
      }
    }
    const { module, maxInstructions = Infinity, timeout = DEFAULT_TIMEOUT } = this.#request;
    const waits = places.flatMap(({ calls }) => waitAt(module, calls[0]) ?? []);
    return { reason, budget: reason === "instructions" ? maxInstructions : timeout, places, count, waits };
  }

  result(): DispatchResult {
    const { faults, statistics } = this.#execution;
    return {
      status: this.#timeout !== null ? "timeout" : faults.length > 0 ? "fault" : "ok",
      faults,
      timeout: this.#timeout,
      statistics,
      milliseconds: this.#host.now() - this.#start,
      turns: this.#turns,
      engine: "interpreter",
      notes: [],
    };
  }
}
