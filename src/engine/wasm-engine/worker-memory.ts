/**
 * The memory in which workers find everything: one that all of them share with the calling thread, so that a dispatch
 * copies nothing; or, where threads cannot share memory, that of the only worker, of which only the addresses are known here.
 */
import { clear } from "../memory.ts";
import { AddressSpace, type Region } from "./address-space.ts";
import { PAGE_SIZE, type WasmMemory, wasm } from "./webassembly.ts";

/** All that an address of 32 bits can name; hosts that reserve it beforehand may allow less. */
const MOST_PAGES: readonly number[] = [65536, 32768, 16384, 8192];
/** At least so much is added at once, as a share of what there is. */
const GROWTH = 1 / 4;

export class WorkerMemory {
  /** null: it is the worker's alone. */
  readonly shared: WasmMemory | null;
  readonly #space: AddressSpace;
  /** Where what nobody has had yet begins. */
  #fresh = 0;

  /** `mostPages`: of 64 KiB; as many as the host allows if left out. */
  constructor(isShared: boolean, mostPages?: number) {
    const choices = mostPages === undefined ? MOST_PAGES : [mostPages];
    const [memory, pages] = isShared ? reserve(choices) : [null, choices[0]];
    this.shared = memory;
    // Nothing lies at address 0. The very last page stays free: no end of a region may be 2 ** 32.
    this.#space = new AddressSpace(64, Math.min(pages, 65535) * PAGE_SIZE);
  }

  /** @throws RangeError if the addresses or the memory of the machine do not suffice. */
  allocate(size: number): Region {
    const region = this.#space.allocate(size);
    if (region === null) throw new RangeError(this.#full(size));
    if (this.shared !== null && !this.#reach(this.shared, region.address + region.size)) {
      this.#space.free(region);
      throw new RangeError(`there is no memory left for another ${size} bytes`);
    }
    this.#fresh = Math.max(this.#fresh, region.address + region.size);
    return region;
  }

  /**
   * A region of shared memory whose first `size` bytes are zero. What nobody has had yet is so: left alone, it takes nothing
   * of the machine's memory until it is used.
   * @throws RangeError as `allocate` does
   */
  allocateZeroed(size: number): Region {
    const fresh = this.#fresh;
    const region = this.allocate(size);
    clear(this.bytes(region, Math.max(0, Math.min(size, fresh - region.address))));
    return region;
  }

  #full(size: number): string {
    const gigabytes = (bytes: number) => `${Number((bytes / 2 ** 30).toFixed(2))} GiB`;
    const { limit, freeBytes } = this.#space;
    return (
      `${size} bytes do not fit: the wasm engine can address ${gigabytes(limit)}, of which ` +
      `${gigabytes(freeBytes)} are free`
    );
  }

  /** Grows so that `end` is inside; false where the host has no more. */
  #reach(memory: WasmMemory, end: number): boolean {
    const { byteLength } = memory.buffer;
    if (end <= byteLength) return true;
    const needed = Math.ceil((end - byteLength) / PAGE_SIZE);
    const most = Math.floor((this.#space.limit - byteLength) / PAGE_SIZE);
    const ample = Math.min(most, Math.ceil((byteLength * GROWTH) / PAGE_SIZE));
    return (ample > needed && grow(memory, ample)) || grow(memory, needed);
  }

  free(region: Region): void {
    this.#space.free(region);
  }

  /** A view of the first `size` bytes of a region of shared memory. It stays valid when the memory grows. */
  bytes({ address }: Region, size: number): Uint8Array {
    return new Uint8Array(this.shared!.buffer, address, size);
  }
}

function grow(memory: WasmMemory, pages: number): boolean {
  try {
    memory.grow(pages);
    return true;
  } catch {
    return false;
  }
}

/** Asks for less where the host does not allow more. */
function reserve(choices: readonly number[]): readonly [WasmMemory, number] {
  let problem: unknown;
  for (const maximum of choices) {
    try {
      return [new wasm.Memory({ initial: 1, maximum, shared: true }), maximum];
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}
