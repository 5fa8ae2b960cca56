/** One run of a plan: its memories, its dispatches, what is read back. */
import { hasErrors, type Note, note } from "../diagnostics/diagnostic.ts";
import type { DispatchNote, DispatchRequest, DispatchResult, Engine, EngineName, Wait } from "../engine/dispatch.ts";
import type { Fault, OutOfBounds, Place } from "../engine/execution.ts";
import { createInterpreter } from "../engine/interpreter.ts";
import type { Memory } from "../engine/memory.ts";
import type { Observer } from "../engine/observer.ts";
import type { NamedSchedule, Schedule } from "../engine/schedule.ts";
import { loopOf } from "../engine/waits.ts";
import type { IrModule, LoopInst } from "../ir/ir.ts";
import { BufferView } from "../layout/view.ts";
import { typeName } from "../types/type.ts";
import { looksAt, staysZero } from "./empty-marks.ts";
import type { Plan, PlannedStep, PlanOptions, Triple } from "./plan.ts";
import { checkedWorkgroups } from "./plan-steps.ts";
import { at, type LaunchPath, LaunchReport, launchError, unknownName } from "./problem.ts";
import { type Dispatch, ReadBuffer, sliceView, type Trace } from "./results.ts";
import { boundValue, parseValuePath, type ValuePath, viewAt } from "./value-path.ts";
import { joined, type Watched, watch, watcher } from "./watch.ts";

export interface RunOptions extends PlanOptions {
  /** The interpreter if left out. */
  readonly engine?: Engine;
  readonly signal?: AbortSignal;
  /** Threads of the engine, as far as it has several. */
  readonly workers?: number;
  /** The interpreter's; in order, as it suits the engine, if left out. */
  readonly schedule?: NamedSchedule | Schedule;
  /** Of the random schedule and of spurious failures; 1 if left out. */
  readonly seed?: number;
  /** How often a compare-exchange fails although the values are equal, from 0 to 1. */
  readonly weakFail?: number;
  /** Seconds for all dispatches together; if left out, as many for each as its engine takes by itself. */
  readonly timeout?: number;
  readonly subgroupSize?: number;
  readonly outOfBounds?: OutOfBounds;
  /** Paths of values: who touched them. */
  readonly trace?: readonly string[];
  /** Watches every dispatch. */
  readonly observe?: (step: PlannedStep, dispatch: number) => Observer | null;
}

/** Seconds that a second run, only to find out who wrote what, may take. */
const RERUN = 5;

/** The state of one run. */
export class Session {
  readonly plan: Plan;
  /** The plan's diagnostics, and those of this run. */
  readonly report: LaunchReport;
  readonly dispatches: Dispatch[] = [];
  readonly #options: RunOptions;
  readonly #engine: Engine;
  readonly #engines = new Set<EngineName>();
  readonly notes = new Set<DispatchNote>();
  readonly #memories: Memory[] = [];
  /** By index of the buffer's name: index of the buffer behind it, which `swap` changes. */
  readonly #behind: number[];
  readonly #traces: { readonly path: string; readonly watched: Watched }[] = [];
  #watched: readonly Watched[] = [];
  #keepLast = false;
  /** Milliseconds that the dispatches may still take; null: each has the engine's own budget. */
  #left: number | null;

  constructor(plan: Plan, options: RunOptions) {
    this.plan = plan;
    this.report = new LaunchReport(plan.report.source, plan.report.elsewhere);
    for (const item of plan.report.items) this.report.add(item);
    this.#options = options;
    this.#engine = options.engine ?? createInterpreter();
    this.#behind = plan.buffers.map((_, i) => i);
    this.#left = options.timeout === undefined ? null : options.timeout * 1000;
  }

  /** Fills the buffers. @throws RangeError where the engine has no memory for them */
  open(): void {
    for (const { bytes } of this.plan.memories) this.#memories.push(this.#engine.allocate(bytes));
  }

  /** Gives the memory of the buffers back: views of them are no longer valid, what `readBack` gave is. */
  close(): void {
    for (const memory of this.#memories.splice(0)) this.#engine.release(memory);
  }

  /** Watches the cells that the options name. */
  startTraces(): void {
    for (const [i, text] of (this.#options.trace ?? []).entries()) this.#addTrace(text, ["trace", i]);
    this.#watched = this.#traces.map(({ watched }) => watched);
  }

  get traces(): readonly Trace[] {
    return this.#traces.map(({ path, watched }) => ({ path, events: watched.events, count: watched.count }));
  }

  /** Of the engines that ran the dispatches. */
  get engineName(): string {
    return [...this.#engines].join(", ") || this.#engine.name;
  }

  /** Runs again from the first bytes and watches cells; false: it did not end. The same schedule gives the same result. */
  static async rerun(plan: Plan, options: RunOptions, watched: readonly Watched[]): Promise<boolean> {
    const { observe: _, timeout = RERUN, ...others } = options;
    const session = new Session(plan, { ...others, timeout: Math.min(timeout, RERUN) });
    session.#watched = watched;
    session.#keepLast = true;
    try {
      session.open();
      return await session.execute();
    } finally {
      session.close();
    }
  }

  /** All dispatches; false where one did not end well. */
  async execute(): Promise<boolean> {
    for (const step of this.plan.steps) {
      for (let i = 0; i < step.repeat; i++) {
        if (!(await this.#dispatch(step))) return false;
        if (step.swap !== null) exchange(this.#behind, step.swap);
      }
    }
    return true;
  }

  /** The bytes of the buffer that goes by a name now. */
  view(name: string, path: LaunchPath): BufferView {
    return this.#viewOf(this.#indexOf(name, path));
  }

  /** A path with the name of its buffer in place of `group.binding`. */
  nameOf(path: ValuePath, place: LaunchPath): string {
    return this.plan.buffers[this.#indexOf(path.buffer, place)].name + path.text.slice(path.buffer.length);
  }

  #indexOf(name: string, path: LaunchPath): number {
    const { buffers } = this.plan;
    const index = buffers.findIndex((each) => each.name === name || `${each.group}.${each.binding}` === name);
    if (index < 0)
      throw unknownName(
        path,
        "buffer-unknown",
        name,
        buffers.map((each) => each.name),
      );
    return index;
  }

  #viewOf(index: number): BufferView {
    const { memory } = this.plan.buffers[this.#behind[index]];
    return new BufferView(this.#memories[memory].bytes, this.plan.buffers[index].layout);
  }

  /** Index of the memory that holds these bytes, and where they begin in it. */
  placeOf(bytes: Uint8Array): { readonly memory: number; readonly offset: number } | null {
    // Several memories may lie in one buffer of the engine's.
    const memory = this.#memories.findIndex(
      ({ bytes: all }) =>
        all.buffer === bytes.buffer &&
        bytes.byteOffset >= all.byteOffset &&
        bytes.byteOffset + bytes.byteLength <= all.byteOffset + all.byteLength,
    );
    return memory < 0 ? null : { memory, offset: bytes.byteOffset - this.#memories[memory].bytes.byteOffset };
  }

  #addTrace(text: string, place: LaunchPath): void {
    this.report.try(() =>
      at(place, () => {
        const path = parseValuePath(text);
        const index = this.#inTheEnd(this.#indexOf(path.buffer, place));
        const { bytes } = viewAt(this.#viewOf(index), path);
        const { memory, offset } = this.placeOf(bytes)!;
        this.#traces.push({ path: path.text, watched: watch({ memory, offset, size: bytes.byteLength }) });
      }),
    );
  }

  // ---------------------------------------------------------------- dispatches

  /** The name `index` as results have it, after all swaps. */
  #inTheEnd(index: number): number {
    const behind = [...this.#behind];
    for (const { swap, repeat } of this.plan.steps) if (swap !== null && repeat % 2 === 1) exchange(behind, swap);
    return behind[index];
  }

  async #dispatch(step: PlannedStep): Promise<boolean> {
    const workgroups = this.#workgroups(step);
    const [x, y, z] = workgroups;
    const [width, height, depth] = step.module.workgroupSize;
    const invocations = x * y * z * width * height * depth;
    if (invocations === 0) {
      const args = { entry: step.entry.name };
      this.report.atShader(step.program.source, step.entry.declaration.name.span, "workgroups-none", args);
    }
    const result = await this.#engineFor(step).dispatch(this.#request(step, workgroups));
    const { milliseconds, engine, notes } = result;
    for (const each of notes) this.notes.add(each);
    if (this.#left !== null) this.#left -= milliseconds;
    this.#engines.add(engine);
    const entry = step.call === null ? step.entry.name : step.call.text;
    this.dispatches.push({ entry, workgroups, invocations, milliseconds: Math.round(milliseconds * 1000) / 1000 });
    this.#reportFaults(step, result);
    return result.status === "ok";
  }

  /** Only the interpreter makes something of a shader that breaks rules. */
  #engineFor({ program }: PlannedStep): Engine {
    return hasErrors(program.diagnostics) ? createInterpreter() : this.#engine;
  }

  #request(step: PlannedStep, workgroups: Triple): DispatchRequest {
    const { signal, schedule, seed = 1, weakFail, subgroupSize, outOfBounds } = this.#options;
    const bindings = new Map(
      [...step.bindings].map(([root, index]) => {
        const memory = this.#memories[this.plan.buffers[this.#behind[index]].memory];
        return [root, { memory, offset: 0, size: memory.size }];
      }),
    );
    return {
      module: step.module,
      workgroups,
      bindings,
      seed,
      ...(schedule === undefined ? {} : { schedule: scheduleOf(schedule, seed) }),
      ...(this.#left === null ? {} : { timeout: Math.max(1, this.#left) }),
      observer: this.#observer(step),
      ...(signal === undefined ? {} : { signal }),
      ...(weakFail === undefined ? {} : { weakFail }),
      ...(subgroupSize === undefined ? {} : { subgroupSize }),
      ...(outOfBounds === undefined ? {} : { outOfBounds }),
    };
  }

  #observer(step: PlannedStep): Observer | null {
    const other = this.#options.observe?.(step, this.dispatches.length) ?? null;
    if (this.#watched.length === 0) return other;
    const memoryOf = (root: number) => {
      const index = step.bindings.get(root);
      return index === undefined ? null : this.plan.buffers[this.#behind[index]].memory;
    };
    const own = watcher(step, this.dispatches.length, memoryOf, this.#watched, this.#keepLast);
    return other === null ? own : joined(own, other);
  }

  /** As planned, or as a buffer says at this moment. webgpu: #dom-gpucomputepassencoder-dispatchworkgroupsindirect */
  #workgroups(step: PlannedStep): Triple {
    const { workgroups, indirect, path } = step;
    if (!("indirect" in workgroups)) return workgroups;
    const { bytes } = this.#viewOf(indirect!);
    const { indirect: name, offset = 0 } = workgroups;
    const place = [...path, "workgroups"];
    if (offset + 12 > bytes.byteLength) {
      throw launchError(place, "indirect-bounds", { offset, name, size: bytes.byteLength });
    }
    const data = new DataView(bytes.buffer, bytes.byteOffset + offset, 12);
    return checkedWorkgroups([data.getUint32(0, true), data.getUint32(4, true), data.getUint32(8, true)], place);
  }

  #reportFaults(step: PlannedStep, result: DispatchResult): void {
    for (const fault of result.faults) this.#reportDivergence(step, fault);
    const { timeout } = result;
    if (timeout === null) return;
    const { source } = step.program;
    const places = timeout.places.filter((place) => place.calls.length > 0);
    // Some may not have begun, or wait at a barrier for those who go round.
    const loop = places.map(({ calls }) => loopOf(step.module, calls)).find((each) => each !== null);
    const span = loop?.span ?? places[0]?.calls[0].span ?? step.entry.declaration.name.span;
    const budget =
      timeout.reason === "milliseconds"
        ? `${this.#options.timeout ?? timeout.budget / 1000} s`
        : `${timeout.budget} instructions`;
    const args = { entry: step.entry.name, budget, count: timeout.count };
    const notes = [
      ...placeNotes(places),
      ...waitNotes(timeout.waits, step.module),
      ...this.#defaultNotes(step, loop ?? null),
    ];
    this.report.atShader(source, span, "timeout", args, { notes });
  }

  /** Numbers that nobody meant are why many a loop does not end: a bound of some thousand millions, zeros where a mark is looked for. */
  #defaultNotes({ module, bindings }: PlannedStep, loop: LoopInst | null): readonly Note[] {
    return [...bindings].flatMap(([root, index]) => {
      const { name, span } = module.roots[root];
      if (this.plan.buffers[index].chosen?.startsWith("random") === true)
        return [note("random-by-default", span, { name })];
      const isZero = loop !== null && looksAt(loop, root) && staysZero(this.plan, index);
      return isZero ? [note("zeros-by-default", span, { name })] : [];
    });
  }

  #reportDivergence(step: PlannedStep, fault: Fault): void {
    const [first, ...others] = fault.arrivals;
    const size = step.module.workgroupSize.reduce((product, n) => product * n, 1);
    const args = {
      workgroup: fault.workgroup.join(", "),
      arrived: first.invocations.length,
      size,
      who: rangesText(first.invocations),
    };
    const notes = others.map(({ site, invocations }) => note("others-wait-here", site.span, some(invocations)));
    const { ended } = fault;
    if (ended.length > 0) notes.push(note("others-ended", step.entry.declaration.name.span, some(ended)));
    this.report.atShader(step.program.source, first.site.span, "barrier-divergence", args, { notes });
  }

  // ---------------------------------------------------------------- results

  readBack(): Record<string, ReadBuffer> {
    const buffers: Record<string, ReadBuffer> = {};
    for (const { name, buffer, request, path } of this.plan.reads) {
      this.report.try(() =>
        at(path, () => {
          const { group, binding } = this.plan.buffers[buffer];
          const part = viewAt(this.#viewOf(buffer), request.path);
          const { view, from } = request.range === null ? { view: part, from: 0 } : this.#ranged(part, request, path);
          buffers[name] = new ReadBuffer(new BufferView(view.bytes.slice(), view.layout), group, binding, from);
        }),
      );
    }
    return buffers;
  }

  #ranged(part: BufferView, { path, range }: Plan["reads"][number]["request"], place: LaunchPath) {
    const { layout } = part;
    if (layout.type.kind !== "array") {
      throw launchError(place, "range-no-array", { path: path.text, type: typeName(layout.type) });
    }
    const count = layout.count ?? part.elementCount;
    const viewOf = (name: string, place: LaunchPath) => this.view(name, place);
    const from = boundValue(range!.from, viewOf, place);
    let to = range!.to === null ? count : boundValue(range!.to, viewOf, place);
    // A count that ran past the array is what one wants to see, not an error of who asks.
    if (to > count && typeof range!.to === "object") {
      this.report.atLaunch(place, "range-cut", { path: range!.to!.text, value: to, count, name: path.text });
      to = count;
    }
    if (from > to || to > count) throw launchError(place, "range-bounds", { from, to, count, name: path.text });
    return { view: sliceView(part, from, to), from };
  }
}

function some(invocations: readonly number[]) {
  return { count: invocations.length, who: rangesText(invocations) };
}

/** Ranges that are named, before it is said how many more there are. */
const MOST_RANGES = 6;

/** `0–4, 7`. */
function rangesText(numbers: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  const texts = ranges.slice(0, MOST_RANGES).map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`));
  return ranges.length > MOST_RANGES ? `${texts.join(", ")}, …` : texts.join(", ");
}

function exchange(behind: number[], [a, b]: readonly [number, number]): void {
  [behind[a], behind[b]] = [behind[b], behind[a]];
}

function scheduleOf(schedule: NamedSchedule | Schedule, seed: number): Schedule {
  if (typeof schedule === "object") return schedule;
  return schedule === "random" ? { kind: "random", seed } : { kind: schedule };
}

/** A few places where invocations stand, each once. */
function placeNotes(places: readonly Place[]): readonly Note[] {
  const seen = new Set<number>();
  const notes: Note[] = [];
  for (const { calls, localIndex, workgroup } of places) {
    const { span } = calls[0];
    if (seen.has(span.start) || notes.length === 3) continue;
    seen.add(span.start);
    notes.push(note("invocation-here", span, { invocation: localIndex, workgroup: workgroup.join(", ") }));
  }
  return notes;
}

/** Why it may never end: loops that wait for what other invocations do, each once. */
function waitNotes(waits: readonly Wait[], { roots }: IrModule): readonly Note[] {
  const bySpan = new Map(waits.map((wait) => [wait.origin.span.start, wait]));
  return [...bySpan.values()].map(({ origin, roots: ids }) => {
    const names = ids.map((id) => `‘${roots[id].name}’`).join(", ");
    const inWorkgroup = ids.every((id) => roots[id].space === "workgroup");
    return note(inWorkgroup ? "waits-in-workgroup" : "waits-for-others", origin.span, { names });
  });
}
