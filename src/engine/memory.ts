/** Bytes that invocations share: the contents of a buffer, or a workgroup variable. */

const PAGE = 4096;

/** A state of a `Memory`. Snapshots of one memory share the pages that did not change between them. */
export interface MemorySnapshot {
  readonly pages: readonly Uint8Array[];
}

export class Memory {
  readonly bytes: Uint8Array;
  #last: MemorySnapshot = { pages: [] };

  /** Takes the bytes as they are, without a copy: other views of their buffer see what a dispatch writes. */
  constructor(bytes: Uint8Array | number) {
    this.bytes = typeof bytes === "number" ? new Uint8Array(bytes) : bytes;
  }

  get size(): number {
    return this.bytes.length;
  }

  view(offset = 0, size = this.size - offset): DataView {
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + offset, size);
  }

  snapshot(): MemorySnapshot {
    const pages: Uint8Array[] = [];
    for (let start = 0; start < this.size; start += PAGE) {
      const page = this.bytes.subarray(start, start + PAGE);
      const last = this.#last.pages[pages.length];
      pages.push(last !== undefined && equalBytes(last, page) ? last : page.slice());
    }
    this.#last = { pages };
    return this.#last;
  }

  /** @throws RangeError if the snapshot is of a memory of another size. */
  restore(snapshot: MemorySnapshot): void {
    const size = snapshot.pages.reduce((sum, page) => sum + page.length, 0);
    if (size !== this.size) throw new RangeError(`a snapshot of ${size} bytes does not fit ${this.size} bytes`);
    for (const [index, page] of snapshot.pages.entries()) this.bytes.set(page, index * PAGE);
    this.#last = snapshot;
  }
}

const ZEROS = new Uint8Array(2 ** 16);

/** Clears bytes: where they are shared, `fill` goes through them one by one. */
export function clear(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += ZEROS.length) {
    bytes.set(ZEROS.subarray(0, Math.min(ZEROS.length, bytes.length - at)), at);
  }
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** What a resource variable is bound to. The same memory may be bound several times; it stays one memory. */
export interface BufferBinding {
  readonly memory: Memory;
  /** In bytes; any value, aligned or not. */
  readonly offset: number;
  /** In bytes: what runtime-sized arrays take their length from. */
  readonly size: number;
}

/** @throws RangeError if the binding does not lie inside its memory. */
export function bindingView({ memory, offset, size }: BufferBinding, name: string): DataView {
  if (!(offset >= 0 && size >= 0 && offset + size <= memory.size)) {
    throw new RangeError(
      `the binding of ‘${name}’ (${size} bytes at ${offset}) leaves its buffer of ${memory.size} bytes`,
    );
  }
  return memory.view(offset, size);
}
