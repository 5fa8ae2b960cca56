/**
 * The part of a buffer that the application sees while it is mapped. Ranges never overlap, so each can have bytes of its
 * own; what was written to them goes back when the mapping ends. webgpu: #buffer-mapping
 */
import { operationError } from "./errors.ts";

interface View {
  readonly start: number;
  readonly end: number;
  readonly buffer: ArrayBuffer;
}

export interface BufferUpdate {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export class BufferMapping {
  readonly #mode: "read" | "write";
  readonly #start: number;
  readonly #end: number;
  /** Of the buffer; null: it is all zeros. While it is mapped nobody writes to it. */
  readonly #contents: Uint8Array | null;
  /** Memory for all of it, held from the start: whether there is enough shows when it is mapped, not when it is used. */
  #whole: ArrayBuffer | null;
  readonly #views: View[] = [];

  /** @throws RangeError where there is no memory for it. webgpu: #abstract-opdef-initialize-an-active-buffer-mapping */
  constructor(mode: "read" | "write", offset: number, size: number, contents: Uint8Array | null) {
    this.#mode = mode;
    this.#start = offset;
    this.#end = offset + size;
    this.#contents = contents;
    this.#whole = memoryOf(size);
  }

  /** @throws DOMException (OperationError) for a range that cannot be had */
  range(offset: number, size: number, name: string): ArrayBuffer {
    const end = offset + size;
    const problem = this.#rangeProblem(offset, end);
    if (problem !== null) throw operationError(`GPUBuffer.getMappedRange(): ${problem} (${name})`);
    const buffer = this.#take(offset, size);
    if (this.#contents !== null) new Uint8Array(buffer).set(this.#contents.subarray(offset, end));
    this.#views.push({ start: offset, end, buffer });
    return buffer;
  }

  #rangeProblem(offset: number, end: number): string | null {
    if (offset % 8 !== 0) return `the offset ${offset} is no multiple of 8`;
    if ((end - offset) % 4 !== 0) return `the size ${end - offset} is no multiple of 4`;
    if (offset < this.#start || end > this.#end) {
      return `the range from ${offset} to ${end} leaves what is mapped, from ${this.#start} to ${this.#end}`;
    }
    const other = this.#views.find((view) => overlap(view, offset, end));
    if (other === undefined) return null;
    return `the range from ${offset} to ${end} overlaps the one from ${other.start} to ${other.end} that was got before`;
  }

  #take(offset: number, size: number): ArrayBuffer {
    const whole = this.#whole;
    this.#whole = null;
    return whole !== null && offset === this.#start && size === whole.byteLength ? whole : new ArrayBuffer(size);
  }

  /** Detaches what was given out. What was written to it, unless it was mapped for reading. */
  end(): readonly BufferUpdate[] {
    const updates: BufferUpdate[] = [];
    for (const { start, end, buffer } of this.#views) {
      const isDetached = buffer.byteLength !== end - start;
      if (isDetached || buffer.byteLength === 0) continue;
      updates.push({ offset: start, bytes: new Uint8Array(detached(buffer)) });
    }
    return this.#mode === "write" ? updates : [];
  }
}

/** No buffer is larger; hosts may allow more, as long as nobody writes to it. */
const LARGEST = 2 ** 32;

function memoryOf(size: number): ArrayBuffer {
  try {
    if (size <= LARGEST) return new ArrayBuffer(size);
  } catch {
    // Said below, with the size.
  }
  throw new RangeError(`there is no memory to map ${size} bytes`);
}

function overlap(view: View, start: number, end: number): boolean {
  // An empty range overlaps what it lies inside of.
  return start < view.end && view.start < end;
}

/** The bytes in a new buffer; the old one has none any more. */
function detached(buffer: ArrayBuffer): ArrayBuffer {
  return structuredClone(buffer, { transfer: [buffer] });
}
