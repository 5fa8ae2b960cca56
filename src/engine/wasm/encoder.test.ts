import { expect, test } from "vitest";
import { ByteWriter, ModuleBuilder, POSITIONS_SECTION, readPositions, spanAt } from "./encoder.ts";
import { OP } from "./instructions.ts";

function written(write: (out: ByteWriter) => void): number[] {
  const out = new ByteWriter(1);
  write(out);
  return [...out.bytes];
}

test.each([
  [0, [0]],
  [127, [0x7f]],
  [128, [0x80, 1]],
  [624485, [0xe5, 0x8e, 0x26]],
  [0xffffffff, [0xff, 0xff, 0xff, 0xff, 0x0f]],
])("unsigned %d", (value, bytes) => {
  expect(written((out) => out.unsigned(value))).toEqual(bytes);
});

test.each([
  [0, [0]],
  [63, [0x3f]],
  [64, [0xc0, 0]],
  [-1, [0x7f]],
  [-64, [0x40]],
  [-65, [0xbf, 0x7f]],
  [-123456, [0xc0, 0xbb, 0x78]],
  [0x7fffffff, [0xff, 0xff, 0xff, 0xff, 0x07]],
  [-0x80000000, [0x80, 0x80, 0x80, 0x80, 0x78]],
])("signed %d", (value, bytes) => {
  expect(written((out) => out.signed(value))).toEqual(bytes);
  expect(written((out) => out.signedLong(value))).toEqual(bytes);
});

test("signed beyond 32 bits", () => {
  expect(written((out) => out.signedLong(0xffffffff))).toEqual([0xff, 0xff, 0xff, 0xff, 0x0f]);
  expect(written((out) => out.signedLong(-(2 ** 40)))).toEqual([0x80, 0x80, 0x80, 0x80, 0x80, 0x60]);
});

test("opcodes of one and two bytes", () => {
  expect(written((out) => out.opcode(OP.i32_add))).toEqual([0x6a]);
  expect(written((out) => out.opcode(OP.memory_fill))).toEqual([0xfc, 0x0b]);
  expect(written((out) => out.opcode(OP.i32_atomic_rmw_cmpxchg))).toEqual([0xfe, 0x48]);
});

test("a module runs, has names, and says where its code comes from", () => {
  const builder = new ModuleBuilder(false);
  const square = builder.declare("square", { params: ["i32"], results: ["i32"] });
  const fail = builder.declare("fail", { params: [], results: [] });
  const body = new ByteWriter();
  for (const byte of [OP.local_get, 0, OP.local_get, 0, OP.i32_mul, OP.local_set, 1, OP.local_get, 1, OP.end]) {
    body.byte(byte);
  }
  builder.define(square, { locals: ["i32", "i32", "f64"], code: body.bytes, positions: [] });
  const trap = new ByteWriter();
  trap.byte(OP.unreachable);
  trap.byte(OP.end);
  builder.define(fail, { locals: [], code: trap.bytes, positions: [{ offset: 0, span: { start: 7, end: 19 } }] });
  builder.export("square", square);
  builder.export("fail", fail);
  const module = new WebAssembly.Module(builder.finish());
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536 });
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  expect((exports.square as (value: number) => number)(12)).toBe(144);
  let stack = "";
  try {
    (exports.fail as () => void)();
  } catch (error) {
    stack = (error as Error).stack!;
  }
  expect(stack).toMatch(/at .*fail \(wasm:/);
  const offset = Number.parseInt(/wasm-function\[\d+\]:0x([0-9a-f]+)/.exec(stack)![1], 16);
  const positions = readPositions(WebAssembly.Module.customSections(module, POSITIONS_SECTION)[0]);
  expect(spanAt(positions, offset)).toEqual({ start: 7, end: 19 });
  expect(spanAt(positions, 3)).toBe(null);
});

test("a function without a body is an error of ours", () => {
  const builder = new ModuleBuilder(false);
  builder.declare("missing", { params: [], results: [] });
  expect(() => builder.finish()).toThrow("missing");
});
