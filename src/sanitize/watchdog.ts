/**
 * Whether a dispatch ends at all. The passes of the checkers take many times as long as the dispatch itself, so that it is
 * no sign of an endless loop if they take long: then the dispatch is run as it is, on the fast engine, and has the
 * budget that `run` would give it. If it does not end either, that is the answer, whatever pass was under way.
 */
import type { DispatchRequest, DispatchResult, Engine, Timeout } from "../engine/dispatch.ts";
import { createInterpreter } from "../engine/interpreter.ts";
import type { Memory } from "../engine/memory.ts";
import { whyInterpreted } from "../engine/wasm/compile.ts";
import { interpreterReason } from "../engine/wasm-engine/fallback.ts";
import { boundTo, type Contents, contentsOf, writtenMemories } from "./memory-map.ts";
import { mayWait } from "./progress.ts";

/** In milliseconds. */
export interface Patience {
  /** Of a dispatch as it is. */
  readonly budget: number;
  /** Of a pass, after which somebody asks whether the dispatch ends. */
  readonly moment: number;
  /** Of a pass that watches on the interpreter where nothing can be run beside it; null: the interpreter's own. */
  readonly alone: number | null;
}

/** Milliseconds that the interpreter takes if nobody says how long it may. */
const PATIENCE = 60_000;

const USUAL: Patience = { budget: 10_000, moment: 2_500, alone: null };

/** How many times as long as the interpreter takes by itself it may take while it is watched. */
const WATCHING = 8;

/** The patience of somebody who says how many seconds a dispatch as it is may take. */
export function patienceOf(seconds: number | undefined): Patience {
  if (seconds === undefined) return USUAL;
  const budget = seconds * 1000;
  return { budget, moment: Math.min(USUAL.moment, budget / 4), alone: budget * WATCHING };
}

/**
 * Checkers that watch need the interpreter, which an engine that has it as a way out would have to be told of. `before`:
 * what the memory holds that the dispatch can write; null: nobody has kept it yet.
 */
export async function dispatchWatched(
  inner: Engine,
  request: DispatchRequest,
  before: Contents | null = null,
  patience: Patience = USUAL,
): Promise<DispatchResult> {
  if (inner.name !== "wasm") return inner.dispatch(alone(request, patience));
  const interpreter = createInterpreter();
  // Somebody has said how long it may take, or parts and other orders have budgets of their own.
  const hasBudget = request.timeout !== undefined || request.range !== undefined;
  // Who waits for others may do so in one engine and not in the other.
  if (!hasBudget && mayWait(request.module)) return interpreter.dispatch({ ...request, timeout: patience.budget });
  // Whoever does not wait ends in one order if it does in another.
  const { observer: _, schedule: __, weakFail: ___, ...plain } = request;
  const isWatchedAlone =
    hasBudget ||
    request.maxInstructions !== undefined ||
    interpreterReason(plain) !== null ||
    whyInterpreted(request.module) !== null;
  if (isWatchedAlone) return interpreter.dispatch(alone(request, patience));
  const aside = new Aside(
    inner,
    { ...plain, timeout: patience.budget },
    before ?? contentsOf(writtenMemories(request)),
  );
  return besides(interpreter, request, aside, patience);
}

function alone(request: DispatchRequest, { alone }: Patience): DispatchRequest {
  const isOwn = alone === null || request.timeout !== undefined || request.range !== undefined;
  return isOwn ? request : { ...request, timeout: alone };
}

/**
 * Runs it on the interpreter, however long that takes, and where that is long as it is beside it: whether that ends is what
 * counts. If it cannot be run beside it, both have the interpreter's usual time.
 */
async function besides(
  interpreter: Engine,
  request: DispatchRequest,
  aside: Aside,
  { moment }: Patience,
): Promise<DispatchResult> {
  const stop = new AbortController();
  const { signal } = stop;
  const pass = (): void => stop.abort(request.signal?.reason);
  request.signal?.addEventListener("abort", pass);
  const endless = { result: null as DispatchResult | null };
  const end = (result: DispatchResult): void => {
    endless.result = result;
    stop.abort();
  };
  let timer = setTimeout(async () => {
    const result = await aside.run(signal).catch(() => null);
    if (result === null) timer = setTimeout(() => end(timedOut(PATIENCE)), PATIENCE);
    else if (result.status === "timeout") end(result);
  }, moment);
  try {
    request.signal?.throwIfAborted();
    return await interpreter.dispatch({ ...ending(request), signal });
  } catch (error) {
    if (endless.result === null || request.signal?.aborted === true) throw error;
    return { ...endless.result, engine: "interpreter" };
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", pass);
    stop.abort();
  }
}

/** What becomes of a dispatch that does not end; `at`: where, if that is known. */
export function timedOut(
  budget: number,
  at: Pick<Timeout, "places" | "count" | "waits"> = { places: [], count: 0, waits: [] },
): DispatchResult {
  return {
    status: "timeout",
    faults: [],
    timeout: { reason: "milliseconds", budget, ...at },
    statistics: { invocations: 0, instructions: 0, sharedAccesses: 0, barriers: 0 },
    milliseconds: 0,
    turns: null,
    engine: "interpreter",
    notes: [],
  };
}

/** A dispatch on memory of its own, which begins as `before` has it. */
class Aside {
  readonly #engine: Engine;
  readonly #request: DispatchRequest;
  readonly #before: Contents;

  constructor(engine: Engine, request: DispatchRequest, before: Contents) {
    this.#engine = engine;
    this.#request = request;
    this.#before = before;
  }

  async run(signal: AbortSignal): Promise<DispatchResult> {
    const copies = new Map<Memory, Memory>();
    try {
      for (const [memory, bytes] of this.#before) copies.set(memory, this.#engine.allocate(bytes));
      const bindings = boundTo(copies, this.#request.bindings);
      return await this.#engine.dispatch({ ...this.#request, bindings, signal });
    } finally {
      for (const memory of copies.values()) this.#engine.release(memory);
    }
  }
}

/**
 * What pass 1 sees: it is given a moment; if it does not end in that, the dispatch is run as it is, and pass 1 anew only if
 * that ends. `look` runs it; `restore` brings the buffers back.
 */
export async function looked<Look extends { readonly result: DispatchResult }>(
  inner: Engine,
  request: DispatchRequest,
  restore: () => void,
  look: (request: DispatchRequest) => Promise<Look | null>,
  { budget, moment }: Patience = USUAL,
): Promise<Look | null> {
  if (request.timeout !== undefined) return look({ ...request });
  if (mayWait(request.module)) return look({ ...request, timeout: budget });
  const seen = await look({ ...request, timeout: moment });
  if (seen === null || seen.result.status !== "timeout") return seen;
  restore();
  const { observer: _, ...plain } = request;
  const result = await inner.dispatch({ ...plain, timeout: budget });
  if (result.status === "timeout") return { ...seen, result };
  restore();
  return look(ending(request));
}

/** A request that is known to end: if nobody says how long it may take, it takes as long as it takes. */
export function ending(request: DispatchRequest): DispatchRequest {
  return { ...request, timeout: request.timeout ?? Number.POSITIVE_INFINITY };
}

/**
 * A request whose time is that of all passes together, where it has one: a copy of it, which each pass makes, has what is
 * left. `closed` gives the result, which is a timeout where nothing is left: what checkers found by then is not all.
 */
export function withDeadline(request: DispatchRequest): {
  readonly request: DispatchRequest;
  readonly closed: (result: DispatchResult) => DispatchResult;
} {
  const { timeout } = request;
  if (timeout === undefined) return { request, closed: (result) => result };
  const end = Date.now() + timeout;
  const left = (): number => Math.max(1, end - Date.now());
  return {
    request: Object.defineProperty({ ...request }, "timeout", { get: left, enumerable: true }),
    closed: (result) => {
      if (result.status !== "ok" || Date.now() < end) return result;
      return { ...result, status: "timeout", timeout: timedOut(timeout).timeout };
    },
  };
}
