/** Compiled kernels, the ones used last. */
import type { IrModule } from "../../ir/ir.ts";
import { type CompiledKernel, type CompileOptions, tryToCompile } from "../wasm/compile.ts";
import { type WasmModule, wasm } from "./webassembly.ts";

export interface Kernel {
  readonly id: number;
  readonly compiled: Omit<CompiledKernel, "bytes">;
  readonly module: WasmModule;
}

interface Entry {
  readonly kernel: Promise<Kernel | null>;
  /** Of its code, once that is there. */
  bytes: number;
}

/** More than any program has in use at a time. */
const MOST = 128;
/** … of as much code, in bytes; what hosts make of it is several times that. */
const MOST_BYTES = 2 ** 23;

export class Kernels {
  /** In the order of their last use. */
  readonly #kernels = new Map<string, Entry>();
  readonly #modules = new WeakMap<IrModule, number>();
  readonly #forget: (kernel: number) => void;
  #count = 0;

  /** `forget` is told of kernels that are kept no longer. */
  constructor(forget: (kernel: number) => void) {
    this.#forget = forget;
  }

  /** null: the module is for the interpreter. */
  async get(module: IrModule, options: CompileOptions): Promise<Kernel | null> {
    const key = `${this.#numberOf(module)} ${JSON.stringify(options)}`;
    const entry = this.#kernels.get(key) ?? this.#make(module, options);
    this.#kernels.delete(key);
    this.#kernels.set(key, entry);
    this.#dropOld();
    try {
      const kernel = await entry.kernel;
      this.#dropOld();
      return kernel;
    } catch (error) {
      this.#kernels.delete(key);
      throw error;
    }
  }

  #make(module: IrModule, options: CompileOptions): Entry {
    const id = ++this.#count;
    const make = async (): Promise<Kernel | null> => {
      const made = tryToCompile(module, options);
      if (made === null) return null;
      const { bytes, ...compiled } = made;
      entry.bytes = bytes.length;
      return { id, compiled, module: await compileModule(bytes) };
    };
    const entry: Entry = { kernel: Promise.resolve().then(make), bytes: 0 };
    return entry;
  }

  #dropOld(): void {
    let bytes = 0;
    for (const each of this.#kernels.values()) bytes += each.bytes;
    for (const [key, { kernel, bytes: own }] of this.#kernels) {
      const isMuch = this.#kernels.size > MOST || (bytes > MOST_BYTES && this.#kernels.size > 1);
      if (!isMuch) break;
      bytes -= own;
      this.#kernels.delete(key);
      kernel.then(
        (dropped) => dropped !== null && this.#forget(dropped.id),
        () => {},
      );
    }
  }

  #numberOf(module: IrModule): number {
    let number = this.#modules.get(module);
    if (number === undefined) this.#modules.set(module, (number = ++this.#count));
    return number;
  }
}

/** Milliseconds: longer than anybody waits. */
const LONG = 2 ** 30;

/** Node waits for all that V8 optimises, of other kernels too, where its event loop is empty. */
async function compileModule(bytes: Uint8Array): Promise<WasmModule> {
  const wait = setTimeout(() => {}, LONG);
  try {
    return await wasm.compile(bytes);
  } finally {
    clearTimeout(wait);
  }
}
