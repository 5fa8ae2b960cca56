import { describe, expect, test } from "vitest";
import { analyze } from "../analysis/analyze.ts";
import { type Layout, layoutOf } from "../layout/layout.ts";
import { BufferView } from "../layout/view.ts";
import { Source } from "../text/source.ts";
import { valuesToBytes } from "./files.ts";
import { generate, isGenerated, parseSpec } from "./spec.ts";

function layoutIn(type: string): Layout {
  const text = `enable f16; struct Body { at: vec3f, id: u32, v: vec2i } @group(0) @binding(0) var<storage> a: ${type};`;
  return layoutOf(analyze(new Source(text)).variables[0].type);
}

function bytes(spec: string, type: string): Uint8Array {
  const parsed = parseSpec(spec);
  if (!isGenerated(parsed)) throw new TypeError(`${spec} makes nothing`);
  return generate(parsed, layoutIn(type), 4);
}

function values(spec: string, type: string): unknown {
  const parsed = parseSpec(spec);
  if (parsed.kind === "values") return parsed.values;
  return new BufferView(bytes(spec, type), layoutIn(type)).read();
}

/** The bytes of a buffer, of a JSON literal too. */
function filled(spec: string, type: string): Uint8Array {
  const parsed = parseSpec(spec);
  return parsed.kind === "values" ? valuesToBytes(parsed.values, layoutIn(type)) : bytes(spec, type);
}

const words = "array<u32>";

describe("what a spec makes", () => {
  test.each<[string, string, unknown]>([
    ["zeros:3", words, [0, 0, 0]],
    ["zeros", words, [0, 0, 0, 0]],
    ["zeros:9", "array<u32, 2>", [0, 0]],
    ["iota:3", words, [0, 1, 2]],
    ["iota", "f32", 0],
    [
      "iota:2",
      "array<vec3f>",
      [
        [0, 1, 2],
        [3, 4, 5],
      ],
    ],
    [
      "iota:2",
      "array<Body>",
      [
        { at: [0, 1, 2], id: 3, v: [4, 5] },
        { at: [6, 7, 8], id: 9, v: [10, 11] },
      ],
    ],
    [
      "iota",
      "mat2x3f",
      [
        [0, 1, 2],
        [3, 4, 5],
      ],
    ],
    ["fill:7:2", words, [7, 7]],
    ["fill:-1.5:2", "array<f32>", [-1.5, -1.5]],
    ["fill:NaN", "f32", "NaN"],
    ["fill:0.1:2", "array<f16>", [0.1, 0.1]],
    ["[1, 2]", words, [1, 2]],
    ["-5", "i32", -5],
    ["NaN", "f32", "NaN"],
    ['{"a": 1}', "i32", { a: 1 }],
  ])("%s", (spec, type, expected) => {
    expect(values(spec, type)).toEqual(expected);
  });
});

/** The definition in examples/README.md, in integers of any size. */
function hash(index: number, seed: number): bigint {
  const u32 = (x: bigint) => BigInt.asUintN(32, x);
  const pcg = (x: bigint) => {
    const state = u32(u32(x) * 747796405n + 2891336453n);
    const word = u32(((state >> ((state >> 28n) + 4n)) ^ state) * 277803737n);
    return (word >> 22n) ^ word;
  };
  return pcg(BigInt(index) + pcg(BigInt(seed)));
}

describe("random is as examples/README.md says", () => {
  test.each([0, 1, 7, 4294967295])("seed %i", (seed) => {
    const hashes = Array.from({ length: 50 }, (_, i) => hash(i, seed));
    expect(values(`random:50:seed=${seed}`, words)).toEqual(hashes.map(Number));
    expect(values(`random:50:seed=${seed}`, "array<i32>")).toEqual(hashes.map((h) => Number(BigInt.asIntN(32, h))));
    const range = (low: number, high: number) => hashes.map((h) => low + Number((h * BigInt(high - low + 1)) >> 32n));
    expect(values(`random:50:min=3:max=9:seed=${seed}`, words)).toEqual(range(3, 9));
    expect(values(`random:50:seed=${seed}:min=-9:max=10`, "array<i32>")).toEqual(range(-9, 10));
    // The product of hash and range has more than 53 bits.
    expect(values(`random:50:seed=${seed}:min=0:max=4294967295`, words)).toEqual(hashes.map(Number));
    expect(values(`random:50:seed=${seed}:min=1:max=4294967290`, words)).toEqual(range(1, 4294967290));
    const floats = bytes(`random:50:seed=${seed}`, "array<f32>");
    expect([...new Float32Array(floats.buffer)]).toEqual(hashes.map((h) => Number(h >> 8n) / 2 ** 24));
    const scaled = bytes(`random:50:seed=${seed}:min=-2:max=3`, "array<f32>");
    expect([...new Float32Array(scaled.buffer)]).toEqual(
      hashes.map((h) => Math.fround(-2 + 5 * (Number(h >> 8n) / 2 ** 24))),
    );
  });

  test("padding is not counted", () => {
    const found = values("random:2", "array<Body>") as { at: number[]; id: number; v: number[] }[];
    expect(found[1].id).toBe(Number(hash(9, 1)));
    expect(found[1].v).toEqual([10, 11].map((i) => Number(BigInt.asIntN(32, hash(i, 1)))));
  });

  test("the seed is 1 where it is not said", () => {
    expect(values("random:5", words)).toEqual(values("random:5:seed=1", words));
  });

  test("f16 stays below 1", () => {
    for (const value of values("random:2000", "array<f16>") as number[]) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1);
    }
  });
});

describe("zipf", () => {
  function counts(spec: string, size: number): number[] {
    const found = new Array<number>(size).fill(0);
    for (const value of values(spec, words) as number[]) found[value]++;
    return found;
  }

  test("weights fall as a power of the rank", () => {
    const found = counts("random:100000:zipf=1:max=63", 64);
    const total = Math.log(65);
    for (const rank of [1, 2, 4, 10, 40]) {
      const share = Math.log((rank + 1) / rank) / total;
      expect(found[rank - 1] / 100_000).toBeCloseTo(share, 2);
    }
    expect(found.every((count) => count > 0)).toBe(true);
  });

  test("an exponent of 0 is even", () => {
    for (const count of counts("random:64000:zipf=0:max=15", 16)) expect(Math.abs(count - 4000)).toBeLessThan(300);
  });

  test("it stays in its range", () => {
    const found = values("random:10000:zipf=2.5:min=10:max=12", words) as number[];
    expect(new Set(found)).toEqual(new Set([10, 11, 12]));
    expect(Math.max(...(values("random:10000:zipf=0.5", words) as number[]))).toBeLessThanOrEqual(255);
  });
});

test("a million elements take milliseconds of the processor", () => {
  const start = process.cpuUsage();
  for (const spec of ["zeros:1048576", "iota:1048576", "random:1048576:seed=3"]) {
    expect(bytes(spec, words)).toHaveLength(4 * 1048576);
  }
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(1000);
});

describe("what is no spec says what would be", () => {
  test.each([
    [
      "nothing",
      "‘nothing’ is no contents of a buffer: expected zeros:N, iota:N, fill:VALUE:N, random:N, a JSON literal, or a file ending in .bin, .npy, .json, .csv, .png or .safetensors#name",
    ],
    ["zeros:x", "‘x’ in ‘zeros:x’ is no number of elements"],
    ["zeros:-4", "‘-4’ in ‘zeros:-4’ is no number of elements"],
    ["zeros:4:5", "‘zeros’ has no option ‘5’; known are N"],
    ["fill:4:4:4", "‘fill’ has no option ‘4’; known are VALUE, N"],
    ["fill", "‘fill’ lacks its value: write fill:VALUE:N"],
    ["fill:x:4", "‘x’ in ‘fill:x:4’ is no number"],
    ["random:4:sed=1", "‘random’ has no option ‘sed’; known are N, seed=S, min=A, max=B, zipf=S"],
    ["random:4:seed=1.5", "‘1.5’ in ‘random:4:seed=1.5’ is no whole number"],
    ["random:4:min=5:max=4", "min=5 is more than max=4"],
    ["[1, 2", "expected ‘,’ or ‘]’, found the end of the text"],
    ["fill:-1:4", "[0]: u32 takes whole numbers from 0 to 4294967295, not -1"],
    ["random:4:min=-5", "-5 is no u32"],
    ["random:4:max=5000000000:zipf=1", "5000000000 is no u32"],
    ["random:4:min=0.5", "0.5 is no u32"],
    ["zeros:1000000000", "‘array<u32>’ would take 4000000000 bytes, more than 1073741824"],
  ])("%s", (spec, expected) => {
    expect(() => values(spec, words)).toThrow(expected);
  });

  const floats = '[0]: f32 takes numbers up to ±3.4028235e+38 and "Infinity", not';
  test.each([
    ["[1e39]", "array<f32>", `${floats} 1e+39`],
    ["[-3.5e38]", "array<f32>", `${floats} -3.5e+38`],
    ["fill:1e39:2", "array<f32>", `${floats} 1e+39`],
    ["[70000]", "array<f16>", '[0]: f16 takes numbers up to ±65504 and "Infinity", not 70000'],
    ["fill:70000:2", "array<f16>", 'f16 takes numbers up to ±65504 and "Infinity", not 70000'],
    [
      "[1e400]",
      "array<f32>",
      'expected a number up to ±3.4028235e+38, the largest f32, or "Infinity" in quotes, found ‘1e400’',
    ],
    ["fill:-1e400:2", "array<f32>", '‘-1e400’ in ‘fill:-1e400:2’ is no number up to ±3.4028235e+38 and not "Infinity"'],
  ])("%s as %s is not made infinite", (spec, type, expected) => {
    expect(() => filled(spec, type)).toThrow(expected);
  });

  test.each([
    ['["Infinity", "-Infinity", 3.4028235e38, 1e-400]', ["Infinity", "-Infinity", 3.4028235e38, 0]],
    ["fill:-Infinity:1", ["-Infinity"]],
  ])("%s is", (spec, expected) => {
    expect(new BufferView(filled(spec, "array<f32>"), layoutIn("array<f32>")).read()).toEqual(expected);
  });
});

test.each(["a.bin", "dir/a.NPY", "model.safetensors#layer.0", "C:\\data\\a.csv", "a.png"])("%s is a file", (file) => {
  expect(parseSpec(file)).toEqual({ kind: "file", file });
});
