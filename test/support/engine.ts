/** WGSL in, buffers out: runs a shader on the interpreter. */

import { analyze } from "../../src/analysis/analyze.ts";
import type { DispatchRequest, DispatchResult } from "../../src/engine/dispatch.ts";
import { dispatchSync } from "../../src/engine/interpreter.ts";
import { type BufferBinding, Memory } from "../../src/engine/memory.ts";
import type { IrModule } from "../../src/ir/ir.ts";
import { lower } from "../../src/ir/lower.ts";
import { layoutOf } from "../../src/layout/layout.ts";
import { Source } from "../../src/text/source.ts";
import { lowerText, overridesOf, verified } from "./ir.ts";

/** By variable: initial words (floats if one is no integer), a typed array, or a size in bytes. Left out: zeros, of the type's size. */
export type Buffers = Readonly<Record<string, readonly number[] | Uint32Array | Int32Array | Float32Array | number>>;

export type RunOptions = Partial<Omit<DispatchRequest, "module" | "bindings">> & {
  readonly entry?: string;
  readonly overrides?: Readonly<Record<string, number>>;
  /** Run it although it breaks rules: only types have to be right. */
  readonly allowIllegal?: boolean;
};

export class Bench {
  readonly module: IrModule;
  readonly memories = new Map<string, Memory>();
  readonly request: DispatchRequest;

  constructor(source: string, buffers: Buffers = {}, { entry, overrides, allowIllegal, ...options }: RunOptions = {}) {
    this.module = allowIllegal === true ? lowerIllegal(source) : lowerText(source, overrides, entry);
    const bindings = new Map<number, BufferBinding>();
    for (const root of this.module.roots) {
      if (!["storage", "uniform", "immediate"].includes(root.space)) continue;
      const memory = memoryOf(buffers[root.name] ?? layoutOf(root.type).size);
      this.memories.set(root.name, memory);
      bindings.set(root.id, { memory, offset: 0, size: memory.size });
    }
    this.request = { workgroups: [1, 1, 1], timeout: 5000, ...options, module: this.module, bindings };
  }

  run(more: Partial<DispatchRequest> = {}): DispatchResult {
    return dispatchSync({ ...this.request, ...more });
  }

  #bytes(name: string): ArrayBuffer {
    return this.memories.get(name)!.bytes.slice().buffer as ArrayBuffer;
  }

  u32(name: string): number[] {
    return [...new Uint32Array(this.#bytes(name))];
  }

  i32(name: string): number[] {
    return [...new Int32Array(this.#bytes(name))];
  }

  f32(name: string): number[] {
    return [...new Float32Array(this.#bytes(name))];
  }
}

function lowerIllegal(source: string): IrModule {
  const program = analyze(new Source(source));
  return verified(lower(program, program.entryPoints[0].name, overridesOf(program)).module);
}

function memoryOf(contents: Buffers[string]): Memory {
  if (typeof contents === "number") return new Memory(contents);
  if (!Array.isArray(contents)) {
    const typed = contents as Uint32Array;
    return new Memory(new Uint8Array(typed.buffer, typed.byteOffset, typed.byteLength).slice());
  }
  const isFloat = contents.some((value) => !Number.isInteger(value) || Object.is(value, -0));
  const words = isFloat ? new Float32Array(contents) : new Uint32Array(contents);
  return new Memory(new Uint8Array(words.buffer));
}

/** Runs it once; fails unless it ended well. */
export function runText(source: string, buffers: Buffers = {}, options: RunOptions = {}): Bench {
  const bench = new Bench(source, buffers, options);
  const result = bench.run();
  if (result.status !== "ok") throw new Error(`${result.status}: ${JSON.stringify(result.timeout ?? result.faults)}`);
  return bench;
}
