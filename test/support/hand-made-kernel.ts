import { ModuleBuilder } from "../../src/engine/wasm/encoder.ts";
import { PARAMETER } from "../../src/engine/wasm/parameter-block.ts";
import { type WasmModule, wasm } from "../../src/engine/wasm-engine/webassembly.ts";

/**
 * A kernel made by hand: it adds 1 to the word of each workgroup, in memory from the first root's base on; where the word
 * held 1000 it writes that it was stopped, where it held 2000 it fails.
 */
export async function handMadeKernel(shared: boolean): Promise<WasmModule> {
  const builder = new ModuleBuilder(shared);
  const index = builder.declare("run", { params: ["i32", "i32", "i32"], results: [] });
  const [p, first, count, address] = [0, 1, 2, 3];
  const get = (local: number) => [0x20, local];
  const load = (offset: number) => [0x28, 2, offset];
  const store = (offset: number) => [0x36, 2, offset];
  const constant = (value: number) => [0x41, (value & 0x7f) | 0x80, value >> 7];
  const code = [
    ...[0x03, 0x40], // loop
    ...[...get(count), 0x45, 0x0d, 1], // br_if count == 0
    ...[...get(p), ...load(PARAMETER.roots), ...get(first), ...constant(4), 0x6c, 0x6a, 0x21, address],
    ...[...get(address), ...load(0), ...constant(1000), 0x46, 0x04, 0x40], // if word == 1000
    ...[...get(p), ...constant(1), ...store(PARAMETER.status)],
    ...[...get(p), ...constant(5), ...store(PARAMETER.loop)],
    ...[...get(p), ...get(first), ...store(PARAMETER.workgroup), 0x00, 0x0b], // unreachable, end
    ...[...get(address), ...load(0), ...constant(2000), 0x46, 0x04, 0x40, 0x00, 0x0b], // if word == 2000: unreachable
    ...[...get(address), ...get(address), ...load(0), ...constant(1), 0x6a, ...store(0)],
    ...[...get(first), ...constant(1), 0x6a, 0x21, first],
    ...[...get(count), ...constant(1), 0x6b, 0x21, count],
    ...[0x0c, 0, 0x0b], // again, end
    0x0b,
  ];
  builder.define(index, { locals: ["i32"], code: new Uint8Array(code), positions: [] });
  builder.export("run", index);
  return wasm.compile(builder.finish());
}
