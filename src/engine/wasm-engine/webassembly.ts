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
}

export const wasm: WasmInterface = (globalThis as unknown as { WebAssembly: WasmInterface }).WebAssembly;

export const PAGE_SIZE = 65536;
