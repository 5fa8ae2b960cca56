import { describe, expect, test } from "vitest";
import { Bench, runText } from "../../test/support/engine.ts";
import { dispatchSync } from "./interpreter.ts";
import { Memory } from "./memory.ts";

const MAIN = "@compute @workgroup_size(1) fn main()";

describe("layout", () => {
  test("stores of composites leave padding alone", () => {
    const bench = new Bench(
      `struct Cell { a: vec3f, @size(8) b: u32, c: mat2x3f }
       @group(0) @binding(0) var<storage, read_write> out: Cell;
       ${MAIN} { out = Cell(vec3f(1, 2, 3), 4, mat2x3f(5, 6, 7, 8, 9, 10)); }`,
    );
    const memory = bench.memories.get("out")!;
    memory.bytes.fill(0xee);
    bench.run();
    const words = bench.u32("out");
    const padding = words.flatMap((word, index) => (word === 0xeeeeeeee ? [index] : []));
    expect(padding).toEqual([4, 5, 6, 7, 11, 15]);
    expect(bench.f32("out").filter((_, index) => !padding.includes(index) && index !== 3)).toEqual([
      1, 2, 3, 5, 6, 7, 8, 9, 10,
    ]);
    expect(words[3]).toBe(4);
  });

  test("f16 takes two bytes", () => {
    const bench = runText(
      `enable f16;
       @group(0) @binding(0) var<storage, read_write> out: array<f16, 6>;
       @group(0) @binding(1) var<storage> input: vec4<f16>;
       ${MAIN} { out[1] = input.y; out[2] = input[2] * 2; let all = input; out[5] = all.w; }`,
      { input: new Uint32Array([0x3c00_3c00, 0xc000_4200]) },
    );
    expect(bench.u32("out")).toEqual([0x3c00_0000, 0x4600, 0xc000_0000]);
  });

  test("members, elements, columns and components by dynamic index", () => {
    const bench = runText(
      `struct Item { head: u32, m: mat3x3f, list: array<vec2u, 3> }
       @group(0) @binding(0) var<storage, read_write> items: array<Item>;
       @group(0) @binding(1) var<storage> at: array<u32, 3>;
       ${MAIN} {
         items[at[1]].list[at[2]][at[0]] = 7;
         items[at[1]].m[at[2]][at[1]] = 1.5;
         items[at[0]].m[at[0]] = items[at[1]].m[at[2]];
         items[at[0]].head = arrayLength(&items);
       }`,
      { items: 2 * 96, at: [0, 1, 2] },
    );
    const words = bench.u32("items");
    const floats = bench.f32("items");
    expect([words[0], words[24 + 16 + 4]]).toEqual([2, 7]);
    expect([floats[24 + 4 + 8 + 1], floats[5]]).toEqual([1.5, 1.5]);
  });

  test("matrices, structures and arrays are loaded and stored as a whole", () => {
    const bench = runText(
      `struct S { a: array<vec3u, 2>, b: u32 }
       @group(0) @binding(0) var<storage, read_write> to: array<S, 2>;
       @group(0) @binding(1) var<storage> input: array<S, 2>;
       var<private> own: array<S, 2>;
       ${MAIN} { own = input; own[1].a[0].y += 100; to = own; }`,
      { input: Array.from({ length: 24 }, (_, i) => i + 1) },
    );
    expect(bench.u32("to")).toEqual([1, 2, 3, 0, 5, 6, 7, 0, 9, 0, 0, 0, 13, 114, 15, 0, 17, 18, 19, 0, 21, 0, 0, 0]);
  });

  test("a uniform buffer", () => {
    const bench = runText(
      `struct U { scale: f32, list: array<vec4u, 2> }
       @group(0) @binding(0) var<uniform> u: U;
       @group(0) @binding(1) var<storage, read_write> out: vec2u;
       ${MAIN} { out = vec2u(u.list[1].z, u32(u.scale)); }`,
      { u: new Float32Array(12).map((_, i) => (i === 0 ? 3 : 0)) },
    );
    expect(bench.u32("out")).toEqual([0, 3]);
  });
});

describe("bindings", () => {
  const copy = `
    @group(0) @binding(0) var<storage> input: array<u32>;
    @group(0) @binding(1) var<storage, read_write> to: array<u32>;
    ${MAIN} { for (var i = 0u; i < arrayLength(&to); i++) { to[i] = input[i] + arrayLength(&input); } }`;

  test("a runtime-sized array has as many elements as fit the binding", () => {
    const bench = new Bench(copy, { input: 4, to: 4 });
    const memory = new Memory(64);
    memory.bytes.set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    const bindings = new Map([
      [0, { memory, offset: 1, size: 11 }],
      [1, { memory, offset: 32, size: 15 }],
    ]);
    dispatchSync({ ...bench.request, bindings });
    expect([...memory.bytes.subarray(32, 48)]).toEqual([4, 3, 4, 5, 8, 7, 8, 9, 2, 0, 0, 0, 0, 0, 0, 0]);
  });

  test("one buffer bound twice is one memory", () => {
    const bench = new Bench(copy, { input: 4, to: 4 });
    const memory = new Memory(new Uint8Array(new Uint32Array([1, 0, 0, 0]).buffer));
    const bindings = new Map([
      [0, { memory, offset: 0, size: 12 }],
      [1, { memory, offset: 4, size: 12 }],
    ]);
    dispatchSync({ ...bench.request, bindings });
    expect([...new Uint32Array(memory.bytes.buffer as ArrayBuffer)]).toEqual([1, 4, 7, 10]);
  });

  test("a missing one is the caller's error", () => {
    const bench = new Bench(copy, { input: 4, to: 4 });
    expect(() => bench.run({ bindings: new Map() })).toThrow(/nothing is bound to ‘input’/);
  });
});

describe("out of bounds", () => {
  const source = `
    @group(0) @binding(0) var<storage, read_write> out: array<u32, 8>;
    @group(0) @binding(1) var<storage, read_write> data: array<u32>;
    @group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>, 2>;
    @group(0) @binding(3) var<storage> indices: array<i32, 3>;
    var<workgroup> shared_: array<u32, 2>;
    fn through(p: ptr<function, u32>) -> u32 { let old = *p; *p = 77; return old; }
    ${MAIN} {
      let far = indices[0];
      let before = indices[1];
      var own = array(5u, 6u);
      shared_[1] = 3;
      out[0] = data[far];
      out[1] = data[before];
      data[far] = 100;
      out[2] = atomicAdd(&counters[far], 10u);
      out[3] = u32(atomicCompareExchangeWeak(&counters[far], 20u, 30u).exchanged);
      out[4] = shared_[far];
      shared_[before] = 50;
      out[5] = shared_[1];
      out[6] = through(&own[far]);
      out[7] = own[1];
    }`;
  const buffers = { data: [11, 12, 13], counters: [20, 20], indices: new Int32Array([9, -1, 0]) };

  const outcome = (outOfBounds: "zero" | "clamp" | "discard") => {
    const bench = runText(source, buffers, { outOfBounds });
    return [bench.u32("out"), bench.u32("data"), bench.u32("counters")];
  };

  test("zero: loads give zero, stores and atomics do nothing", () => {
    expect(outcome("zero")).toEqual([
      [0, 0, 0, 0, 0, 3, 0, 6],
      [11, 12, 13],
      [20, 20],
    ]);
  });

  test("clamp: everything goes to the last element", () => {
    expect(outcome("clamp")).toEqual([
      [13, 13, 20, 0, 3, 50, 6, 77],
      [11, 12, 100],
      [20, 30],
    ]);
  });

  test("discard: loads go to the last element, stores and atomics do nothing", () => {
    expect(outcome("discard")).toEqual([
      [13, 13, 0, 0, 3, 3, 6, 6],
      [11, 12, 13],
      [20, 20],
    ]);
  });

  test("what lies behind a binding that is too small is not reached", () => {
    const bench = new Bench(`@group(0) @binding(0) var<storage, read_write> pair: array<u32, 2>;
      ${MAIN} { pair[1] = pair[0] + 1; pair[0] = 9; }`);
    const memory = new Memory(8);
    dispatchSync({ ...bench.request, bindings: new Map([[0, { memory, offset: 0, size: 4 }]]) });
    expect([...memory.bytes]).toEqual([9, 0, 0, 0, 0, 0, 0, 0]);
  });

  test("a known index into a runtime-sized array", () => {
    const bench = runText(
      `@group(0) @binding(0) var<storage, read_write> data: array<u32>;
       ${MAIN} { data[0] = data[5] + 1; data[5] = 3; }`,
      { data: [7, 8] },
    );
    expect(bench.u32("data")).toEqual([1, 8]);
  });
});
