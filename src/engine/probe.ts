/** Between the interpreter's loop and an observer: makes the events. Exists only while someone observes accesses. */
import { layoutOf } from "../layout/layout.ts";
import type { AccessSite, FlatProgram } from "./flat.ts";
import type { AccessEvent, BoundsFault } from "./observer.ts";
import type { Workgroup } from "./workgroup.ts";

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export class Probe {
  readonly #program: FlatProgram;
  readonly #report: (event: AccessEvent) => void;
  readonly #event: Writable<AccessEvent>;
  /** Where the bytes lie; null if they are not read for the event. */
  #view: DataView | null = null;
  #start = 0;

  constructor(program: FlatProgram, workgroup: Workgroup, report: (event: AccessEvent) => void) {
    this.#program = program;
    this.#report = report;
    const longest = program.shapes.reduce((length, shape) => Math.max(length, shape.offsets.length), 1);
    this.#event = {
      site: program.sites[0],
      workgroup,
      localIndex: 0,
      offset: 0,
      inBounds: true,
      fault: null,
      before: new Int32Array(longest),
      after: new Int32Array(longest),
    };
  }

  /** Before the memory instruction at `position` runs. `fits`: it lies inside of the binding. */
  enter(workgroup: Workgroup, local: number, position: number, fits: boolean, fault: number): void {
    const { code } = this.#program;
    const frame = local * workgroup.frameSize;
    const event = this.#begin(workgroup, local, position);
    const start = workgroup.frames[frame + code[position + 2]] + code[position + 4];
    event.inBounds = fits && fault === 0;
    event.fault = fault === 0 ? null : this.#fault(workgroup, frame, fault);
    event.offset = event.fault === null ? start : start + overshoot(event.fault) * code[fault + 6];
    this.#view = event.inBounds ? workgroup.memory[code[position + 1]] : null;
    this.#start = start;
    this.#read(event.site, event.before);
  }

  /** After it ran. */
  leave(): void {
    this.#read(this.#event.site, this.#event.after);
    this.#report(this.#event);
  }

  /** An access to function or private memory, out of bounds. */
  frame(workgroup: Workgroup, local: number, position: number, fault: number): void {
    const event = this.#begin(workgroup, local, position);
    this.#reportOutside(event, this.#fault(workgroup, local * workgroup.frameSize, fault));
  }

  /** Dynamic indexing of a value, out of bounds. */
  extract(workgroup: Workgroup, local: number, position: number): void {
    const { code, originAt, origins } = this.#program;
    const view = workgroup.views[code[position + 6] === 1 ? 0 : 1];
    const index = view[local * workgroup.frameSize + code[position + 2]];
    const event = this.#begin(workgroup, local, position);
    this.#reportOutside(event, {
      instruction: origins[originAt[position]].instruction,
      index,
      count: code[position + 4],
    });
  }

  #begin(workgroup: Workgroup, local: number, position: number): Writable<AccessEvent> {
    const event = this.#event;
    event.site = this.#program.sites[this.#program.siteAt[position]];
    event.workgroup = workgroup;
    event.localIndex = local;
    return event;
  }

  #reportOutside(event: Writable<AccessEvent>, fault: BoundsFault): void {
    event.offset = fault.index * layoutOf(event.site.type).size;
    event.inBounds = false;
    event.fault = fault;
    event.before.fill(0);
    event.after.fill(0);
    this.#report(event);
  }

  /** The frame still holds the index: a pointer does not outlive the functions whose values it was made of. */
  #fault(workgroup: Workgroup, frame: number, position: number): BoundsFault {
    const { code, originAt, origins } = this.#program;
    const [i32, u32] = workgroup.views;
    const signed = code[position + 7] === 1;
    return {
      instruction: origins[originAt[position]].instruction,
      index: (signed ? i32 : u32)[frame + code[position + 4]],
      count: u32[frame + code[position + 5]],
    };
  }

  #read({ shape }: AccessSite, into: Int32Array): void {
    const { offsets, halves } = shape;
    for (let k = 0; k < offsets.length; k++) {
      if (this.#view === null) into[k] = 0;
      else if (halves[k] === 1) into[k] = this.#view.getUint16(this.#start + offsets[k], true);
      else into[k] = this.#view.getInt32(this.#start + offsets[k], true);
    }
  }
}

/** How many parts the index lies behind the one that it was moved to. */
function overshoot({ index, count }: BoundsFault): number {
  return index - Math.max(0, count - 1);
}
