/**
 * Puts the bytes that a dispatch needs where its workers find them, and brings back what they changed. Memories that the
 * engine has allocated lie there already.
 */
import type { BufferBinding, Memory } from "../memory.ts";
import type { Region } from "./address-space.ts";
import type { Copies, WorkerReport } from "./messages.ts";
import type { WorkerMemory } from "./worker-memory.ts";

export class Transfer {
  readonly #memory: WorkerMemory;
  readonly #own: ReadonlyMap<Memory, Region>;
  /** Memories that do not live here, each once however often it is bound. */
  readonly #guests = new Map<Memory, Region>();
  readonly #regions: Region[] = [];
  readonly #into: Copies["into"][number][] = [];
  #end = 0;

  constructor(memory: WorkerMemory, own: ReadonlyMap<Memory, Region>) {
    this.#memory = memory;
    this.#own = own;
  }

  /** A place for the time of the dispatch. @throws RangeError where there is none */
  allocate(size: number): Region {
    const region = this.#memory.allocate(size);
    this.#regions.push(region);
    this.#end = Math.max(this.#end, region.address + region.size);
    return region;
  }

  put(address: number, bytes: Uint8Array): void {
    const { shared } = this.#memory;
    if (shared === null) this.#into.push({ address, bytes });
    else new Uint8Array(shared.buffer, address, bytes.length).set(bytes);
  }

  /** Address of the first bound byte. */
  bind({ memory, offset }: BufferBinding): number {
    const known = this.#own.get(memory) ?? this.#guests.get(memory);
    if (known !== undefined) return known.address + offset;
    const region = this.allocate(memory.size);
    this.#guests.set(memory, region);
    this.put(region.address, memory.bytes);
    return region.address + offset;
  }

  /** What the worker is sent where memory is not shared. */
  copies(written: ReadonlySet<Memory>): Copies | null {
    if (this.#memory.shared !== null) return null;
    const back = this.#returning(written).map(([memory, { address }]) => ({ address, size: memory.size }));
    return { into: this.#into.map(({ address, bytes }) => ({ address, bytes: compact(bytes) })), back, end: this.#end };
  }

  /** Brings home what was written. `reports` as the workers gave them. */
  finish(written: ReadonlySet<Memory>, reports: readonly (WorkerReport | null)[]): void {
    for (const [index, [memory, region]] of this.#returning(written).entries()) {
      const { shared } = this.#memory;
      // A worker that was ended takes its memory with it: the buffers stay as they were.
      const bytes = shared === null ? reports[0]?.back[index] : this.#memory.bytes(region, memory.size);
      if (bytes !== undefined) memory.bytes.set(bytes);
    }
  }

  #returning(written: ReadonlySet<Memory>): readonly (readonly [Memory, Region])[] {
    return [...this.#guests].filter(([memory]) => written.has(memory));
  }

  free(): void {
    for (const region of this.#regions.splice(0)) this.#memory.free(region);
  }
}

/** Posting a view posts the whole buffer that it looks at. */
function compact(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}
