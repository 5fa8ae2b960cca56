/** Where things lie in the memory of the engine: a list of free stretches, first fit. */

export interface Region {
  readonly address: number;
  readonly size: number;
}

/** A cache line: neighbours do not slow each other down. */
const ALIGNMENT = 64;

export class AddressSpace {
  /** Free stretches by address; no two of them touch. */
  #free: Region[];
  readonly limit: number;

  /** Addresses from `start` (a multiple of the alignment) up to `limit`. */
  constructor(start: number, limit: number) {
    this.limit = limit;
    this.#free = [{ address: start, size: limit - start }];
  }

  /** null: there is no free stretch of that size. */
  allocate(size: number): Region | null {
    const wanted = Math.max(1, Math.ceil(size / ALIGNMENT)) * ALIGNMENT;
    const index = this.#free.findIndex((stretch) => stretch.size >= wanted);
    if (index < 0) return null;
    const { address, size: found } = this.#free[index];
    if (found === wanted) this.#free.splice(index, 1);
    else this.#free[index] = { address: address + wanted, size: found - wanted };
    return { address, size: wanted };
  }

  free(region: Region): void {
    let { address, size } = region;
    const at = this.#free.findIndex((stretch) => stretch.address > address);
    const index = at < 0 ? this.#free.length : at;
    const before = this.#free[index - 1];
    const after = this.#free[index];
    const joinsBefore = before !== undefined && before.address + before.size === address;
    const joinsAfter = after !== undefined && address + size === after.address;
    if (joinsBefore) {
      address = before.address;
      size += before.size;
    }
    if (joinsAfter) size += after.size;
    this.#free.splice(index - Number(joinsBefore), Number(joinsBefore) + Number(joinsAfter), { address, size });
  }

  get freeBytes(): number {
    return this.#free.reduce((sum, { size }) => sum + size, 0);
  }
}
