/** Compiled kernels, the ones used last. */
import type { IrModule } from "../../ir/ir.ts";
import { type CompiledKernel, type CompileOptions, tryToCompile } from "../wasm/compile.ts";
import { type WasmModule, wasm } from "./webassembly.ts";

export interface Kernel {
  readonly id: number;
  readonly compiled: CompiledKernel;
  readonly module: WasmModule;
}

/** More than any program has in use at a time. */
const MOST = 128;

export class Kernels {
  /** In the order of their last use. */
  readonly #kernels = new Map<string, Promise<Kernel | null>>();
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
    const known = this.#kernels.get(key) ?? make(++this.#count, module, options);
    this.#kernels.delete(key);
    this.#kernels.set(key, known);
    if (this.#kernels.size > MOST) this.#dropOldest();
    try {
      return await known;
    } catch (error) {
      this.#kernels.delete(key);
      throw error;
    }
  }

  #dropOldest(): void {
    const [key, kernel] = this.#kernels.entries().next().value!;
    this.#kernels.delete(key);
    kernel.then(
      (dropped) => dropped !== null && this.#forget(dropped.id),
      () => {},
    );
  }

  #numberOf(module: IrModule): number {
    let number = this.#modules.get(module);
    if (number === undefined) this.#modules.set(module, (number = ++this.#count));
    return number;
  }
}

async function make(id: number, module: IrModule, options: CompileOptions): Promise<Kernel | null> {
  const compiled = tryToCompile(module, options);
  return compiled === null ? null : { id, compiled, module: await wasm.compile(compiled.bytes) };
}
