/** What is used of the JavaScript interface of WebAssembly, which the library types of the language leave to those of hosts. */

export interface WasmMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  /** Returns the number of pages before. */
  grow(pages: number): number;
}

/** Compiled code; it can be posted to other threads. */
export type WasmModule = object & { readonly __module?: never };

export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}

interface WasmInterface {
  readonly Memory: new (descriptor: { initial: number; maximum?: number; shared?: boolean }) => WasmMemory;
  readonly Instance: new (module: WasmModule, imports: object) => WasmInstance;
  compile(bytes: Uint8Array): Promise<WasmModule>;
  validate(bytes: Uint8Array): boolean;
}

export const wasm: WasmInterface = (globalThis as unknown as { WebAssembly: WasmInterface }).WebAssembly;

export const PAGE_SIZE = 65536;

/** A function that makes a vector and drops it. */
const WITH_VECTOR = Uint8Array.of(
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0],
  ...[3, 2, 1, 0],
  ...[10, 9, 1, 7, 0, 0x41, 0, 0xfd, 0x11, 0x1a, 0x0b],
);

/** Whether the host knows vectors. */
export function hasVectors(): boolean {
  return wasm.validate(WITH_VECTOR);
}
