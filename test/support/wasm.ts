/** Runs a bench's dispatch as WebAssembly too, in one thread and plain memory, and compares what both engines leave behind. */
import type { DispatchRequest, DispatchResult, Engine } from "../../src/engine/dispatch.ts";
import { createInterpreter } from "../../src/engine/interpreter.ts";
import { type BufferBinding, bindingView, type Memory } from "../../src/engine/memory.ts";
import {
  type CompiledKernel,
  type CompileOptions,
  compileKernel,
  type RunKernel,
  whyInterpreted,
} from "../../src/engine/wasm/compile.ts";
import { PARAMETER } from "../../src/engine/wasm/parameter-block.ts";
import type { IrModule } from "../../src/ir/ir.ts";
import { layoutOf, roundUp } from "../../src/layout/layout.ts";
import type { Type } from "../../src/types/type.ts";
import { Bench, type Buffers, type RunOptions } from "./engine.ts";

const PAGE = 65536;
/** Filled with this before a run, so that memory that should be zero and is not shows. */
const GARBAGE = 0xa5;

export interface LaidOut {
  readonly memory: WebAssembly.Memory;
  readonly run: RunKernel;
  readonly parameters: number;
  /** Address of each binding, by root. */
  readonly addresses: ReadonlyMap<number, number>;
  readonly abortFlag: number;
  /** Bytes in use. */
  readonly end: number;
  readonly writable: readonly { readonly at: number; readonly size: number }[];
}

/** Places a kernel and its bindings in a memory of its own. */
export function layOut(
  module: IrModule,
  kernel: CompiledKernel,
  bindings: Bench["request"]["bindings"],
  workgroups: readonly number[],
): LaidOut {
  let end = 16;
  const place = (bytes: number): number => {
    const at = roundUp(16, end);
    end = at + bytes + 16;
    return at;
  };
  const parameters = place(kernel.parameterBlock.size);
  const abortFlag = place(4);
  const constants = place(kernel.constants.length);
  const scratch = place(kernel.scratchBytes);
  const addresses = new Map([...bindings].map(([root, { size }]) => [root, place(size)]));
  const pages = Math.ceil(end / PAGE);
  const { sharedMemory } = kernel;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: Math.max(pages, 65536), shared: sharedMemory });
  const bytes = new Uint8Array(memory.buffer);
  bytes.fill(GARBAGE, 0, end);
  bytes.fill(0, abortFlag, abortFlag + 4);
  bytes.set(kernel.constants, constants);
  const view = new DataView(memory.buffer);
  for (const [axis, count] of workgroups.entries()) {
    view.setUint32(parameters + PARAMETER.workgroups + 4 * axis, count, true);
  }
  view.setUint32(parameters + PARAMETER.scratch, scratch, true);
  view.setUint32(parameters + PARAMETER.constants, constants, true);
  view.setUint32(parameters + PARAMETER.abortFlag, abortFlag, true);
  view.setUint32(parameters + PARAMETER.fuel, 1000, true);
  for (const { root, base, size } of kernel.parameterBlock.roots) {
    const binding = bindings.get(root)!;
    const { buffer, byteOffset, byteLength } = bindingView(binding, module.roots[root].name);
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), addresses.get(root)!);
    view.setUint32(parameters + base, addresses.get(root)!, true);
    view.setUint32(parameters + size, binding.size, true);
  }
  const compiled = new WebAssembly.Module(kernel.bytes);
  const instance = new WebAssembly.Instance(compiled, { env: { memory } });
  const writable = [
    { at: parameters + PARAMETER.status, size: PARAMETER.roots - PARAMETER.status },
    { at: scratch, size: kernel.scratchBytes },
    ...[...addresses].map(([root, at]) => ({ at, size: bindings.get(root)!.size })),
  ];
  return { memory, run: instance.exports.run as RunKernel, parameters, addresses, abortFlag, end, writable };
}

/** Fails where a kernel has written outside of its own memory and its bindings. */
function checkRest(before: Uint8Array, { memory, end, writable }: LaidOut): void {
  const after = new Uint8Array(memory.buffer, 0, end).slice();
  for (const { at, size } of writable) after.set(before.subarray(at, at + size), at);
  const at = after.findIndex((byte, index) => byte !== before[index]);
  if (at >= 0) throw new Error(`byte ${at} was written, which is nobody's`);
}

/** What each binding holds after the dispatch, by root. */
export function runWasm(request: DispatchRequest, options: Partial<CompileOptions> = {}): Map<number, Uint8Array> {
  const { module } = request;
  const kernel = compileKernel(module, { sharedMemory: false, ...options });
  const [x, y, z] = request.workgroups;
  const laidOut = layOut(module, kernel, request.bindings, request.workgroups);
  const { memory, run, parameters, addresses, end } = laidOut;
  const before = new Uint8Array(memory.buffer, 0, end).slice();
  // Several calls, as workers make them.
  const total = x * y * z;
  const part = Math.max(1, Math.ceil(total / 3));
  for (let first = 0; first < total; first += part) run(parameters, first, Math.min(part, total - first));
  checkRest(before, laidOut);
  const bytes = new Uint8Array(memory.buffer);
  return new Map([...addresses].map(([root, at]) => [root, bytes.slice(at, at + request.bindings.get(root)!.size)]));
}

/** Runs the source on both engines; gives the differences, none where the bytes are the same (but for the bits of NaNs). */
export function compareEngines(source: string, buffers: Buffers = {}, options: RunOptions = {}): string[] {
  return compareOn(new Bench(source, buffers, options));
}

/** One invocation at a time, four at once, with calls of functions and of pieces of functions, and with real atomics. */
const VARIANTS: readonly Partial<CompileOptions>[] = [
  { simd: "never" },
  { simd: "always" },
  { longestInlined: 0, longestFunction: 16 },
  { sharedMemory: true },
];

export function compareOn(bench: Bench): string[] {
  const { request } = bench;
  const results = VARIANTS.map((variant) => runWasm(request, variant));
  const { status } = bench.run();
  if (status !== "ok") throw new Error(`the interpreter ends with ${status}`);
  return results.flatMap((result) => differencesOf(request, result));
}

function differencesOf({ module, bindings }: DispatchRequest, results: ReadonlyMap<number, Uint8Array>): string[] {
  const differences: string[] = [];
  for (const [root, bytes] of results) {
    const { name, type } = module.roots[root];
    const { buffer, byteOffset, byteLength } = bindingView(bindings.get(root)!, name);
    const found = firstDifference(type, bytes, new Uint8Array(buffer, byteOffset, byteLength));
    if (found !== null) differences.push(`${name}: ${found}`);
  }
  return differences;
}

/** What each binding holds after the engine has run the dispatch on copies, by root; fails where it leaves it to another one. */
async function runOn(engine: Engine, request: DispatchRequest): Promise<Map<number, Uint8Array>> {
  const copies = new Map<Memory, Memory>();
  for (const { memory } of request.bindings.values()) {
    if (!copies.has(memory)) copies.set(memory, engine.allocate(memory.bytes));
  }
  const bindings = new Map(
    [...request.bindings].map(
      ([root, binding]) => [root, { ...binding, memory: copies.get(binding.memory)! }] as const,
    ),
  );
  const { status, engine: ran } = await engine.dispatch({ ...request, bindings });
  if (status !== "ok" || ran !== engine.name) throw new Error(`${status} on ${ran}`);
  const bytesOf = ({ memory, offset, size }: BufferBinding): Uint8Array => memory.bytes.slice(offset, offset + size);
  const results = new Map([...bindings].map(([root, binding]) => [root, bytesOf(binding)] as const));
  for (const memory of copies.values()) engine.release(memory);
  return results;
}

/**
 * The interpreter, with a look at what WebAssembly makes of each dispatch, and what other engines do; dispatches that
 * WebAssembly may not run are counted.
 */
export function createComparingEngine(others: readonly Engine[] = []): Engine & {
  readonly differences: string[];
  compared: number;
  readonly left: string[];
} {
  const interpreter = createInterpreter();
  const engine = {
    ...interpreter,
    differences: [] as string[],
    left: [] as string[],
    compared: 0,
    async dispatch(request: DispatchRequest): Promise<DispatchResult> {
      const reason = whyInterpreted(request.module);
      const variants = reason === null ? VARIANTS : [];
      const results = variants.map((variant) => runWasm(request, variant));
      if (reason !== null) engine.left.push(reason);
      else for (const other of others) results.push(await runOn(other, request));
      const result = await interpreter.dispatch(request);
      if (result.status !== "ok") return result;
      for (const found of results) {
        engine.compared++;
        engine.differences.push(...differencesOf(request, found));
      }
      return result;
    },
  };
  return engine;
}

function firstDifference(type: Type, actual: Uint8Array, expected: Uint8Array): string | null {
  const [a, b] = [actual, expected].map(({ buffer, byteOffset, length }) => new DataView(buffer, byteOffset, length));
  for (let at = 0; at < expected.length; at++) {
    if (actual[at] === expected[at]) continue;
    const kind = kindAt(type, at, expected.length);
    if (
      kind?.kind === "f32" &&
      Number.isNaN(a.getFloat32(kind.at, true)) &&
      Number.isNaN(b.getFloat32(kind.at, true))
    ) {
      at = kind.at + 3;
      continue;
    }
    const word = at & ~3;
    const hex = (view: DataView): string =>
      word + 4 <= view.byteLength ? view.getUint32(word, true).toString(16) : "?";
    const shown = kind?.kind === "f32" ? ` (${a.getFloat32(kind.at, true)}, not ${b.getFloat32(kind.at, true)})` : "";
    return `byte ${at} is ${hex(a)}, not ${hex(b)}${shown}`;
  }
  return null;
}

/** The scalar that lies at a byte. */
function kindAt(type: Type, at: number, size: number, base = 0): { readonly kind: string; readonly at: number } | null {
  const layout = layoutOf(type);
  if (layout.members.length > 0) {
    const member = layout.members.findLast(({ offset }) => offset <= at);
    return member === undefined ? null : kindAt(member.layout.type, at - member.offset, size, base + member.offset);
  }
  if (layout.element === null) return { kind: type.kind, at: base };
  const stride = layout.stride ?? layout.element.size;
  const index = Math.floor(at / stride);
  return kindAt(layout.element.type, at - index * stride, size, base + index * stride);
}
