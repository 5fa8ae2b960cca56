/** Reads of memory that nobody wrote: workgroup memory, and buffers that the host does not fill. */
import type { AccessSite } from "../engine/flat.ts";
import type { AccessEvent } from "../engine/observer.ts";
import type { Workgroup } from "../engine/workgroup.ts";
import { type Witness, witness } from "./witness.ts";

export interface UnwrittenFound {
  readonly witness: Witness;
  count: number;
}

/** What has been written of some memory, by half word. */
export class WrittenBytes {
  readonly #halves: Uint8Array;

  constructor(bytes: number) {
    this.#halves = new Uint8Array((bytes + 1) >> 1);
  }

  write(offset: number, size: number): void {
    this.#halves.fill(1, offset >> 1, (offset + size + 1) >> 1);
  }

  /** True where some of it was not written. */
  lacks(offset: number, size: number): boolean {
    for (let at = offset >> 1; at < (offset + size + 1) >> 1; at++) if (this.#halves[at] === 0) return true;
    return false;
  }
}

export class UnwrittenMonitor {
  readonly #found = new Map<AccessSite, UnwrittenFound>();
  readonly #sizes: Int32Array;
  readonly #buffers: ReadonlyMap<number, { readonly written: WrittenBytes; readonly offset: number }>;
  readonly #own = new Map<Workgroup, Map<number, WrittenBytes>>();

  /** @param buffers what has been written of the buffers that the host did not fill, by root, and where the binding begins */
  constructor(
    sizes: Int32Array,
    buffers: ReadonlyMap<number, { readonly written: WrittenBytes; readonly offset: number }>,
  ) {
    this.#sizes = sizes;
    this.#buffers = buffers;
  }

  workgroupStarted(workgroup: Workgroup): void {
    this.#own.set(workgroup, new Map());
  }

  workgroupEnded(workgroup: Workgroup): void {
    this.#own.delete(workgroup);
  }

  /** Only accesses in bounds. */
  access(event: AccessEvent): void {
    const { site, workgroup, offset } = event;
    const { root, kind } = site;
    if (root === null) return;
    const area = site.space === "workgroup" ? this.#workgroupArea(workgroup, root) : this.#buffers.get(root);
    if (area === undefined) return;
    const start = area.offset + offset;
    const reads = kind === "read" || kind === "atomic-read" || kind === "atomic-rmw";
    const runs = site.shape.runs;
    if (reads && runs.some((run) => area.written.lacks(start + run.offset, run.size))) this.#note(event);
    if (kind !== "read" && kind !== "atomic-read") {
      for (const run of runs) area.written.write(start + run.offset, run.size);
    }
  }

  #workgroupArea(workgroup: Workgroup, root: number): { readonly written: WrittenBytes; readonly offset: number } {
    const areas = this.#own.get(workgroup)!;
    let written = areas.get(root);
    if (written === undefined) {
      written = new WrittenBytes(this.#sizes[root]);
      areas.set(root, written);
    }
    return { written, offset: 0 };
  }

  #note(event: AccessEvent): void {
    const known = this.#found.get(event.site);
    if (known !== undefined) known.count++;
    else this.#found.set(event.site, { witness: witness(event), count: 1 });
  }

  finish(): readonly UnwrittenFound[] {
    return [...this.#found.values()];
  }
}
