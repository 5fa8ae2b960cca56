/** The state of one workgroup that has started and not ended: frames, positions, workgroup memory. */
import { Memory, type MemorySnapshot } from "./memory.ts";
import type { Views } from "./scalar-functions.ts";

/** What an invocation is doing. */
export const READY = 0;
export const AT_BARRIER = 1;
export const AT_SUBGROUP = 2;
export const ENDED = 3;

/** How many barriers of each kind a workgroup has passed. spec: #sync-builtin-functions */
export interface Phases {
  workgroup: number;
  storage: number;
  texture: number;
}

export interface WorkgroupSnapshot {
  readonly index: number;
  readonly frames: Int32Array;
  readonly positions: Int32Array;
  readonly status: Uint8Array;
  readonly ready: Int32Array;
  readonly phases: Phases;
  readonly memories: readonly MemorySnapshot[];
}

/** What a workgroup has before it starts. */
export interface Initial {
  /** Of each invocation, but for builtin values. */
  readonly frame: Int32Array;
  /** Of it only so many slots can have changed in a way that matters. */
  readonly privateSize: number;
  /** Position in the code. */
  readonly start: number;
}

export class Workgroup {
  /** `workgroup_index`: x first, then y, then z. */
  index = 0;
  /** `workgroup_id`. */
  id: readonly [number, number, number] = [0, 0, 0];
  readonly size: number;
  readonly frameSize: number;
  /** All frames: slot `s` of local invocation `i` is `frames[i * frameSize + s]`. */
  readonly frames: Int32Array;
  readonly views: Views;
  /** By local index: position in the code of what comes next. */
  readonly positions: Int32Array;
  readonly status: Uint8Array;
  phases: Phases = { workgroup: 0, storage: 0, texture: 0 };
  /** By root: the memory of variables; of the roots that are no workgroup variables it is the dispatch's. */
  readonly memory: readonly DataView[];
  /** Memory of the workgroup variables alone. */
  readonly memories: readonly Memory[];
  readyCount = 0;
  /** Local indices of the ready invocations, the first `readyCount` of it, in no order; and the place of each in it. */
  readonly ready: Int32Array;
  readonly #readyPlace: Int32Array;

  /** `frame`: what that of each invocation holds at first. `memory` gives the views of the dispatch's roots, null where a workgroup variable of the size in `sizes` goes. */
  constructor(size: number, frame: Int32Array, memory: readonly (DataView | null)[], sizes: Int32Array) {
    this.size = size;
    this.frameSize = frame.length;
    this.frames = new Int32Array(size * frame.length);
    for (let local = 0; local < size; local++) this.frames.set(frame, local * frame.length);
    this.views = [this.frames, new Uint32Array(this.frames.buffer), new Float32Array(this.frames.buffer)];
    this.positions = new Int32Array(size);
    this.status = new Uint8Array(size);
    this.ready = new Int32Array(size);
    this.#readyPlace = new Int32Array(size);
    const memories: Memory[] = [];
    this.memory = memory.map((view, root) => {
      if (view !== null) return view;
      const own = new Memory(sizes[root]);
      memories.push(own);
      return own.view();
    });
    this.memories = memories;
  }

  /** Back to the start of a workgroup: all invocations ready at `start`, memory zero. spec: #zero-value */
  reset(index: number, id: readonly [number, number, number], { frame, privateSize, start }: Initial): void {
    this.index = index;
    this.id = id;
    if (privateSize > 0) {
      const own = frame.subarray(0, privateSize);
      for (let at = 0; at < this.frames.length; at += this.frameSize) this.frames.set(own, at);
    }
    this.positions.fill(start);
    this.phases = { workgroup: 0, storage: 0, texture: 0 };
    for (const memory of this.memories) memory.bytes.fill(0);
    this.allReady();
  }

  allReady(): void {
    this.status.fill(READY);
    this.readyCount = this.size;
    for (let i = 0; i < this.size; i++) this.ready[i] = this.#readyPlace[i] = i;
  }

  makeReady(local: number): void {
    this.status[local] = READY;
    this.#readyPlace[local] = this.readyCount;
    this.ready[this.readyCount++] = local;
  }

  /** `local` was ready and now is `status`. */
  block(local: number, status: number): void {
    this.status[local] = status;
    const place = this.#readyPlace[local];
    const last = this.ready[--this.readyCount];
    this.ready[place] = last;
    this.#readyPlace[last] = place;
  }

  count(status: number): number {
    let count = 0;
    for (let i = 0; i < this.size; i++) if (this.status[i] === status) count++;
    return count;
  }

  snapshot(): WorkgroupSnapshot {
    return {
      index: this.index,
      frames: this.frames.slice(),
      positions: this.positions.slice(),
      status: this.status.slice(),
      ready: this.ready.slice(0, this.readyCount),
      phases: { ...this.phases },
      memories: this.memories.map((memory) => memory.snapshot()),
    };
  }

  restore(snapshot: WorkgroupSnapshot, id: readonly [number, number, number]): void {
    this.index = snapshot.index;
    this.id = id;
    this.frames.set(snapshot.frames);
    this.positions.set(snapshot.positions);
    this.status.set(snapshot.status);
    this.readyCount = snapshot.ready.length;
    this.ready.set(snapshot.ready);
    for (let i = 0; i < this.readyCount; i++) this.#readyPlace[this.ready[i]] = i;
    this.phases = { ...snapshot.phases };
    for (const [index, memory] of this.memories.entries()) memory.restore(snapshot.memories[index]);
  }
}
