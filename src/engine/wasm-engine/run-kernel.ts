/** One dispatch on the workers: parameters and buffers in place, a watchdog beside it, what came of it. */
import { product } from "../builtin-values.ts";
import type { DispatchRequest, DispatchResult } from "../dispatch.ts";
import { bindingView, type Memory } from "../memory.ts";
import { PARAMETER } from "../wasm/parameter-block.ts";
import type { Region } from "./address-space.ts";
import type { CallingBoard } from "./calling-board.ts";
import { BOARD } from "./job-board.ts";
import type { Kernel } from "./kernels.ts";
import type { Copies, Job, WorkerReport } from "./messages.ts";
import { engineClosed, type WorkerPool } from "./pool.ts";
import type { HostThreads } from "./threads.ts";
import { timeoutOf } from "./timeout.ts";
import { Transfer } from "./transfer.ts";
import type { WorkerMemory } from "./worker-memory.ts";

/** What a dispatch takes of its engine. */
export interface Resources {
  readonly host: HostThreads;
  readonly pool: WorkerPool;
  readonly memory: WorkerMemory;
  readonly own: ReadonlyMap<Memory, Region>;
  readonly workers: number;
  /** Whether the engine has not been closed since the dispatch was asked for. */
  readonly isOpen: () => boolean;
}

export const DEFAULT_TIMEOUT = 10_000;
/** Milliseconds that workers have to notice that they are to stop. */
const GRACE = 500;
/** Timers cannot be set further ahead. */
const LONGEST_TIMER = 2 ** 31 - 1;
/** How often a loop comes round between two looks at the abort flag: some microseconds. */
const FUEL = 1 << 14;
/** Invocations that one worker is trusted with alone, and for twice how many milliseconds. */
const SMALL = 4096;
const LOOK_AFTER = 10;

/**
 * Runs one dispatch.
 * @throws TypeError, RangeError where the request is wrong; the signal's reason where it was aborted
 */
export async function runKernel(request: DispatchRequest, kernel: Kernel, use: Resources): Promise<DispatchResult> {
  const transfer = new Transfer(use.memory, use.own);
  try {
    const written = checkedBindings(request);
    const jobs = makeJobs(request, kernel, use, transfer);
    const atFirst = workersAtFirst(request, use.workers);
    // Threads take some time to start, once; that is none of this dispatch's.
    if (use.isOpen()) await use.pool.prepare(atFirst);
    request.signal?.throwIfAborted();
    if (!use.isOpen()) throw engineClosed();
    const start = use.host.now();
    const reports = await supervised(request, kernel, use, jobs, atFirst, transfer.copies(written));
    const milliseconds = use.host.now() - start;
    transfer.finish(written, reports);
    return resultOf(request, kernel, reports, milliseconds);
  } finally {
    transfer.free();
  }
}

/** The memories that the dispatch may change. */
function checkedBindings({ module, bindings }: DispatchRequest): ReadonlySet<Memory> {
  const written = new Set<Memory>();
  for (const { id, name, space, access } of module.roots) {
    if (space !== "storage" && space !== "uniform") continue;
    const binding = bindings.get(id);
    if (binding === undefined) throw new TypeError(`nothing is bound to ‘${name}’`);
    bindingView(binding, name);
    if (access !== "read") written.add(binding.memory);
  }
  return written;
}

function makeJobs(
  request: DispatchRequest,
  { id, compiled }: Kernel,
  use: Resources,
  transfer: Transfer,
): readonly Job[] {
  const [first, end] = rangeOf(request);
  const workers = workersAtMost(request, use.workers);
  const board = use.pool.board?.address ?? ownBoard(first, transfer);
  const constants = transfer.allocate(compiled.constants.length).address;
  transfer.put(constants, compiled.constants);
  const shared = sharedParameters(request, compiled.parameterBlock, transfer);
  return Array.from({ length: workers }, (_, worker) => {
    const parameters = transfer.allocate(compiled.parameterBlock.size).address;
    const scratch = transfer.allocate(compiled.scratchBytes).address;
    const block = shared.slice();
    const view = new DataView(block.buffer);
    view.setUint32(PARAMETER.scratch, scratch, true);
    view.setUint32(PARAMETER.constants, constants, true);
    view.setUint32(PARAMETER.abortFlag, board + BOARD.abort * 4, true);
    view.setUint32(PARAMETER.fuel, FUEL, true);
    for (const { root, base, size } of compiled.parameterBlock.roots) {
      if (request.perWorker?.has(root) !== true) continue;
      view.setUint32(base, view.getUint32(base, true) + worker * view.getUint32(size, true), true);
    }
    transfer.put(parameters, block);
    return { kernel: id, parameters, board, workgroups: end, workers };
  });
}

/** Where memory is not shared the worker takes workgroups from words of its own. */
function ownBoard(firstWorkgroup: number, transfer: Transfer): number {
  const words = new Uint32Array(BOARD.words);
  words[BOARD.next] = firstWorkgroup;
  const { address } = transfer.allocate(words.byteLength);
  transfer.put(address, new Uint8Array(words.buffer));
  return address;
}

function rangeOf({ range, workgroups }: DispatchRequest): readonly [from: number, to: number] {
  return range ?? [0, product(workgroups)];
}

/** The words of the parameter block that are the same for all workers. */
function sharedParameters(
  { workgroups, bindings }: DispatchRequest,
  { size, roots }: Kernel["compiled"]["parameterBlock"],
  transfer: Transfer,
): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(size);
  const view = new DataView(block.buffer);
  for (const [axis, count] of workgroups.entries()) view.setUint32(PARAMETER.workgroups + 4 * axis, count, true);
  for (const { root, base, size: length } of roots) {
    const binding = bindings.get(root)!;
    view.setUint32(base, transfer.bind(binding), true);
    view.setUint32(length, binding.size, true);
  }
  return block;
}

// ---------------------------------------------------------------- the watchdog

/** Lets the workers run; stops them when the budget is used up or the signal says so. */
async function supervised(
  request: DispatchRequest,
  { id, module }: Kernel,
  { pool, isOpen }: Resources,
  jobs: readonly Job[],
  atFirst: number,
  copies: Copies | null,
): Promise<readonly (WorkerReport | null)[]> {
  if (jobs.length === 0) return [];
  const { timeout = DEFAULT_TIMEOUT, signal } = request;
  let failure: Error | null = null;
  let grace: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    pool.stop();
    grace ??= setTimeout(() => pool.endBusy(), GRACE);
  };
  const start = (from: number, to: number): void => {
    // The last first: it has the longest way, from being asleep.
    for (let i = to - 1; i >= from; i--) pool.start(i, { id, module }, jobs[i], copies);
  };
  const [first] = rangeOf(request);
  pool.board?.begin(first);
  // The workers first: what the calling thread does meanwhile costs nothing.
  start(0, atFirst);
  const timer = setTimeout(stop, Math.min(timeout, LONGEST_TIMER));
  signal?.addEventListener("abort", stop);
  const help = (): void => {
    if (isOpen()) start(atFirst, jobs.length);
  };
  const lookout = atFirst < jobs.length ? whenItTakesLong(pool.board!, first, help) : undefined;
  request.meanwhile?.();
  // All of them, whatever happens: what they write to is given to others after this.
  const reports = await pool.reports((error) => {
    failure ??= error;
    stop();
  });
  clearTimeout(timer);
  clearTimeout(grace);
  clearInterval(lookout);
  signal?.removeEventListener("abort", stop);
  if (failure !== null) throw failure;
  return reports;
}

/** No more than there are workgroups. */
function workersAtMost(request: DispatchRequest, workers: number): number {
  const [first, end] = rangeOf(request);
  return Math.min(workers, end - first);
}

export function workersAtFirst(request: DispatchRequest, workers: number): number {
  return Math.min(isSmall(request) ? 1 : workers, workersAtMost(request, workers));
}

/** A small dispatch begins on one worker: it is soon over, and ends the same each time, whatever depends on the order. */
export function isSmall({ module, workgroups }: DispatchRequest): boolean {
  return product(workgroups) * product(module.workgroupSize) <= SMALL;
}

/** Calls for help when workgroups have been under way for some time. */
function whenItTakesLong(board: CallingBoard, first: number, help: () => void): ReturnType<typeof setInterval> {
  let seen = 0;
  const timer = setInterval(() => {
    // Before that, the worker may still be starting.
    if (board.next !== first) seen++;
    if (seen < 2) return;
    clearInterval(timer);
    help();
  }, LOOK_AFTER);
  return timer;
}

// ---------------------------------------------------------------- the result

function resultOf(
  request: DispatchRequest,
  { compiled }: Kernel,
  reports: readonly (WorkerReport | null)[],
  milliseconds: number,
): DispatchResult {
  const { module, workgroups, signal, timeout = DEFAULT_TIMEOUT } = request;
  for (const report of reports) if (report?.error != null) throw new Error(`internal: ${report.error}`);
  const size = product(module.workgroupSize);
  const finished = reports.reduce((sum, report) => sum + (report?.finished ?? 0), 0);
  const [first, end] = rangeOf(request);
  const left = end - first - finished;
  if (left > 0) signal?.throwIfAborted();
  const stops = reports.flatMap((report) => report?.stopped ?? []);
  // One that was ended was in a workgroup too.
  const begun = stops.length + reports.filter((report) => report === null).length;
  return {
    status: left > 0 ? "timeout" : "ok",
    faults: [],
    timeout: left > 0 ? timeoutOf(module, compiled.loops, workgroups, timeout, stops, begun * size) : null,
    statistics: { invocations: finished * size, instructions: null, sharedAccesses: null, barriers: null },
    milliseconds,
    turns: null,
    engine: "wasm",
    notes: [],
  };
}
