/** What the functions of one module share while they are emitted: memory they use, helpers, loops that can be stopped. */
import type { FunctionId, IrModule, RootId } from "../../ir/ir.ts";
import { layoutOf, roundUp } from "../../layout/layout.ts";
import { f16ToBits } from "../../numeric/float16.ts";
import type { Span } from "../../text/source.ts";
import type { Type } from "../../types/type.ts";
import type { ConstValue } from "../../types/value.ts";
import type { ModuleBuilder } from "./encoder.ts";
import type { Library } from "./library.ts";

/** Memory that a worker needs for the workgroup it runs: offsets from the worker's scratch memory. */
export class ScratchLayout {
  size = 0;

  /** The offset of so many bytes. */
  allocate(bytes: number, align = 16): number {
    const offset = roundUp(align, this.size);
    this.size = offset + bytes;
    return offset;
  }
}

/** Constant arrays that are indexed, as bytes that lie in memory for all workers. */
export class ConstantPool {
  readonly #chunks: { readonly offset: number; readonly bytes: Uint8Array }[] = [];
  readonly #offsets = new Map<ConstValue, number>();
  #size = 0;

  add(constant: ConstValue): number {
    let offset = this.#offsets.get(constant);
    if (offset === undefined) {
      const { size } = layoutOf(constant.type);
      const bytes = new Uint8Array(size);
      writeConstant(new DataView(bytes.buffer), 0, constant);
      offset = roundUp(16, this.#size);
      this.#size = offset + size;
      this.#chunks.push({ offset, bytes });
      this.#offsets.set(constant, offset);
    }
    return offset;
  }

  addNumber(value: number, type: "f32" | "f64"): number {
    const size = type === "f32" ? 4 : 8;
    const bytes = new Uint8Array(size);
    const view = new DataView(bytes.buffer);
    if (type === "f32") view.setFloat32(0, value, true);
    else view.setFloat64(0, value, true);
    const offset = roundUp(size, this.#size);
    this.#size = offset + size;
    this.#chunks.push({ offset, bytes });
    return offset;
  }

  get bytes(): Uint8Array {
    const all = new Uint8Array(this.#size);
    for (const { offset, bytes } of this.#chunks) all.set(bytes, offset);
    return all;
  }
}

function writeConstant(view: DataView, at: number, { type, value }: ConstValue): void {
  const layout = layoutOf(type);
  if (Array.isArray(value)) {
    for (const [index, part] of (value as readonly ConstValue[]).entries()) {
      const offset =
        type.kind === "struct" ? layout.members[index].offset : index * (layout.stride ?? layout.element!.size);
      writeConstant(view, at + offset, part);
    }
  } else if (type.kind === "f32") view.setFloat32(at, value as number, true);
  else if (type.kind === "f16") view.setUint16(at, f16ToBits(value as number), true);
  else view.setInt32(at, Number(value), true);
}

/** A loop at whose end the kernel looks whether it should stop. */
export interface LoopPlace {
  readonly span: Span;
  readonly function: string;
}

/** A function of the shader that stays a function. */
export interface EmittedFunction {
  readonly index: number;
  readonly returnType: Type;
}

export interface Environment {
  readonly module: IrModule;
  /** The memory is shared between workers. */
  readonly sharedMemory: boolean;
  /** Atomic functions on storage are real atomics. */
  readonly atomics: boolean;
  readonly builder: ModuleBuilder;
  readonly library: Library;
  readonly scratch: ScratchLayout;
  readonly constants: ConstantPool;
  readonly loops: LoopPlace[];
  readonly functions: Map<FunctionId, EmittedFunction>;
  /** Offsets of the workgroup variables in the scratch memory. */
  readonly workgroupOffsets: ReadonlyMap<RootId, number>;
  readonly globals: Globals;
  readonly tallies: ReadonlySet<RootId>;
}

/** Globals by which functions that stay functions know what the kernel knows; made when first asked for. */
export class Globals {
  readonly #builder: ModuleBuilder;
  readonly #indices = new Map<string, number>();

  constructor(builder: ModuleBuilder) {
    this.#builder = builder;
  }

  index(name: GlobalName): number {
    let index = this.#indices.get(name);
    if (index === undefined) {
      index = this.#builder.global("i32");
      this.#indices.set(name, index);
    }
    return index;
  }

  has(name: GlobalName): boolean {
    return this.#indices.has(name);
  }
}

export type GlobalName = "parameters" | "scratch" | "constants" | "lane" | `${"base" | "length" | "private"} ${number}`;

/** The scalars of a constant in order. */
export function constantScalars(constant: ConstValue, into: ConstValue[] = []): ConstValue[] {
  if (!Array.isArray(constant.value)) into.push(constant);
  else for (const part of constant.value) constantScalars(part, into);
  return into;
}
