/**
 * The binary format of WebAssembly, as much of it as kernels need: one imported memory, functions, globals, exports, the
 * names of functions and a custom section that says where in the shader code comes from.
 */
import type { Span } from "../../text/source.ts";
import { VALUE_TYPES, type ValueType } from "./instructions.ts";

const utf8 = new TextEncoder();
const scratch = new DataView(new ArrayBuffer(8));

/** Bytes that grow at their end. */
export class ByteWriter {
  #bytes: Uint8Array;
  length = 0;

  constructor(capacity = 64) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** What was written; a view that later writes may leave behind. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** LEB128 of a u32. */
  unsigned(value: number): void {
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** LEB128 of an i32 (a u32 is taken as the i32 with its bits). */
  signed(value: number): void {
    let rest = value | 0;
    for (;;) {
      const low = rest & 0x7f;
      rest >>= 7;
      if ((rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40)) {
        this.byte(low);
        return;
      }
      this.byte(low | 0x80);
    }
  }

  /** LEB128 of an i64 that a number holds exactly. */
  signedLong(value: number): void {
    let rest = BigInt(value);
    for (;;) {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      if ((rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40)) {
        this.byte(low);
        return;
      }
      this.byte(low | 0x80);
    }
  }

  float(value: number): void {
    scratch.setFloat32(0, value, true);
    for (let i = 0; i < 4; i++) this.byte(scratch.getUint8(i));
  }

  double(value: number): void {
    scratch.setFloat64(0, value, true);
    for (let i = 0; i < 8; i++) this.byte(scratch.getUint8(i));
  }

  opcode(code: number): void {
    if (code < 0x100) this.byte(code);
    else {
      this.byte(code >> 8);
      this.unsigned(code & 0xff);
    }
  }

  /** A length and the bytes. */
  sized(bytes: Uint8Array): void {
    this.unsigned(bytes.length);
    this.append(bytes);
  }

  name(text: string): void {
    this.sized(utf8.encode(text));
  }
}

export interface FunctionType {
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** From this byte of a function's code on, instructions come from this span. */
export interface Position {
  readonly offset: number;
  readonly span: Span;
}

export interface FunctionBody {
  /** Parameters not included. */
  readonly locals: readonly ValueType[];
  /** With the last `end`. */
  readonly code: Uint8Array;
  readonly positions: readonly Position[];
}

interface DeclaredFunction {
  readonly name: string;
  readonly type: number;
  body: FunctionBody | null;
}

const SECTION = { custom: 0, type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 } as const;
const FUNCTION_KIND = 0;
const MEMORY_KIND = 2;
const LARGEST_MEMORY = 65536;

/** Name of the custom section that `readPositions` reads. */
export const POSITIONS_SECTION = "halay.positions";

export class ModuleBuilder {
  readonly #types: FunctionType[] = [];
  readonly #typeIndices = new Map<string, number>();
  readonly #functions: DeclaredFunction[] = [];
  readonly #globals: ValueType[] = [];
  readonly #exports: { readonly name: string; readonly index: number }[] = [];
  readonly #sharedMemory: boolean;

  /** Imports `env.memory`. */
  constructor(sharedMemory: boolean) {
    this.#sharedMemory = sharedMemory;
  }

  type(type: FunctionType): number {
    const key = `${type.params.join()}:${type.results.join()}`;
    let index = this.#typeIndices.get(key);
    if (index === undefined) {
      index = this.#types.push(type) - 1;
      this.#typeIndices.set(key, index);
    }
    return index;
  }

  /** Calls may name it before it is defined. */
  declare(name: string, type: FunctionType): number {
    return this.#functions.push({ name, type: this.type(type), body: null }) - 1;
  }

  define(index: number, body: FunctionBody): void {
    this.#functions[index].body = body;
  }

  /** A mutable global that starts at zero. */
  global(type: ValueType): number {
    return this.#globals.push(type) - 1;
  }

  export(name: string, index: number): void {
    this.#exports.push({ name, index });
  }

  finish(): Uint8Array<ArrayBuffer> {
    const out = new ByteWriter(4096);
    out.append(Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
    section(out, SECTION.type, list(this.#types, writeType));
    section(out, SECTION.import, this.#imports());
    section(
      out,
      SECTION.function,
      list(this.#functions, (to, { type }) => to.unsigned(type)),
    );
    section(out, SECTION.global, list(this.#globals, writeGlobal));
    section(
      out,
      SECTION.export,
      list(this.#exports, (to, { name, index }) => {
        to.name(name);
        to.byte(FUNCTION_KIND);
        to.unsigned(index);
      }),
    );
    const positions: Position[] = [];
    section(out, SECTION.code, this.#code(out.length, positions));
    section(out, SECTION.custom, this.#names());
    section(out, SECTION.custom, writePositions(positions));
    return out.bytes.slice() as Uint8Array<ArrayBuffer>;
  }

  #imports(): ByteWriter {
    return list([null], (to) => {
      to.name("env");
      to.name("memory");
      to.byte(MEMORY_KIND);
      to.byte(this.#sharedMemory ? 3 : 1);
      to.unsigned(1);
      to.unsigned(LARGEST_MEMORY);
    });
  }

  /** `start`: where in the module the section will begin; positions count from the start of the module. */
  #code(start: number, positions: Position[]): ByteWriter {
    const bodies = this.#functions.map(({ name, body }) => {
      if (body === null) throw new Error(`internal: the function ‘${name}’ has no body`);
      return { body, head: localDeclarations(body.locals) };
    });
    const sizes = bodies.map(({ body, head }) => head.length + body.code.length);
    const payload = sizes.reduce((sum, size) => sum + lebLength(size) + size, lebLength(bodies.length));
    let at = start + 1 + lebLength(payload) + lebLength(bodies.length);
    const out = new ByteWriter(payload);
    out.unsigned(bodies.length);
    for (const [index, { body, head }] of bodies.entries()) {
      out.unsigned(sizes[index]);
      out.append(head.bytes);
      out.append(body.code);
      const code = at + lebLength(sizes[index]) + head.length;
      for (const { offset, span } of body.positions) positions.push({ offset: code + offset, span });
      at += lebLength(sizes[index]) + sizes[index];
    }
    return out;
  }

  /** The name section: what stack traces show. */
  #names(): ByteWriter {
    const out = new ByteWriter();
    out.name("name");
    const names = new ByteWriter();
    names.unsigned(this.#functions.length);
    for (const [index, { name }] of this.#functions.entries()) {
      names.unsigned(index);
      names.name(name);
    }
    out.byte(1);
    out.sized(names.bytes);
    return out;
  }
}

function section(out: ByteWriter, id: number, content: ByteWriter): void {
  out.byte(id);
  out.sized(content.bytes);
}

function list<T>(items: readonly T[], write: (to: ByteWriter, item: T) => void): ByteWriter {
  const out = new ByteWriter();
  out.unsigned(items.length);
  for (const item of items) write(out, item);
  return out;
}

function writeType(to: ByteWriter, { params, results }: FunctionType): void {
  to.byte(0x60);
  for (const types of [params, results]) {
    to.unsigned(types.length);
    for (const type of types) to.byte(VALUE_TYPES[type]);
  }
}

function writeGlobal(to: ByteWriter, type: ValueType): void {
  to.byte(VALUE_TYPES[type]);
  to.byte(1);
  to.byte(type === "i32" ? 0x41 : 0x42);
  to.byte(0);
  to.byte(0x0b);
}

/** Runs of equal types, as the format wants them. */
function localDeclarations(locals: readonly ValueType[]): ByteWriter {
  const runs: { type: ValueType; count: number }[] = [];
  for (const type of locals) {
    const last = runs.at(-1);
    if (last?.type === type) last.count++;
    else runs.push({ type, count: 1 });
  }
  return list(runs, (to, { type, count }) => {
    to.unsigned(count);
    to.byte(VALUE_TYPES[type]);
  });
}

function lebLength(value: number): number {
  let length = 1;
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) length++;
  return length;
}

/** Ascending: the distance to the last offset, start and length of the span. */
function writePositions(positions: readonly Position[]): ByteWriter {
  const out = new ByteWriter();
  out.name(POSITIONS_SECTION);
  out.unsigned(positions.length);
  let last = 0;
  for (const { offset, span } of positions) {
    out.unsigned(offset - last);
    out.unsigned(span.start);
    out.unsigned(span.end - span.start);
    last = offset;
  }
  return out;
}

/** What the custom section holds, by offset from the first byte of the module, as stack traces name it. */
export function readPositions(section: ArrayBuffer): Position[] {
  const bytes = new Uint8Array(section);
  let at = 0;
  const unsigned = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  const positions: Position[] = [];
  let offset = 0;
  for (let count = unsigned(); count > 0; count--) {
    offset += unsigned();
    const start = unsigned();
    positions.push({ offset, span: { start, end: start + unsigned() } });
  }
  return positions;
}

/** The span of the code at an offset of the module; null before any. */
export function spanAt(positions: readonly Position[], offset: number): Span | null {
  let found: Span | null = null;
  for (const position of positions) {
    if (position.offset > offset) break;
    found = position.span;
  }
  return found;
}
