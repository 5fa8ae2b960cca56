/** Long functions with barriers: in pieces that compilers can take, and both engines agree on what comes of it. */
import { describe, expect, test } from "vitest";
import { functionSizes, isValid } from "../../../test/support/binaryen.ts";
import { Bench } from "../../../test/support/engine.ts";
import { compareOn } from "../../../test/support/wasm.ts";
import { compileKernel } from "./compile.ts";
import { LONG } from "./pieces.ts";

const COUNT = 220;

function bench(body: string): Bench {
  const source = `
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
var<workgroup> w: array<u32, 8>;
var<private> p: u32 = 3u;
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
  let i = id.x;
  var sum = 1u;
  ${body}
  out[i] = sum + p;
}`;
  const values = Array.from({ length: 24 }, (_, index) => (index * 7919 + 13) % 11);
  return new Bench(source, { values, out: values.map(() => 0) }, { workgroups: [3, 1, 1] });
}

const lines = (line: (c: number) => string, count = COUNT): string =>
  Array.from({ length: count }, (_, c) => line(c)).join("\n");

/** From barrier to barrier something goes on in variables, values, and what all have together. */
const step = (c: number): string =>
  `if lane == ${c % 8}u { w[(lane + ${c % 5}u) % 8u] = sum ^ ${c}u; }
   workgroupBarrier();
   let t${c} = w[${c % 8}u] * 3u;
   sum = sum * 5u + t${c};
   p += sum & 3u;
   workgroupBarrier();
   sum ^= t${c} >> 1u;`;

const BODIES: Readonly<Record<string, string>> = {
  "one after another": lines(step),
  "in a loop": `for (var n = 0u; n < 3u; n++) { ${lines(step)} }`,
  "in a loop that some of the code leaves": `for (var n = 0u; n < 5u; n++) { ${lines(
    (c) => `${step(c)} if group.x + n == ${3 + (c % 40)}u { break; } if group.x == ${c + 2}u { continue; }`,
  )} }`,
  "where workgroups return": lines((c) => `${step(c)} if group.x == 1u && ${c}u > 100u { out[i] = sum; return; }`),
  "in branches": `if group.x == 1u { ${lines(step)} } else { ${lines(step, 20)} }`,
  "what all have together": lines(
    (c) => `${step(c)} let g${c} = group.x * ${c}u; if g${c} > 3u { workgroupBarrier(); sum += g${c}; }`,
  ),
};

describe("both engines agree", () => {
  test.each(Object.keys(BODIES))("%s", { timeout: 300_000 }, (name) => {
    expect(compareOn(bench(BODIES[name]))).toEqual([]);
  });
});

test.each(Object.keys(BODIES).filter((name) => !/leaves|return/.test(name)))("no function is long: %s", (name) => {
  const { bytes } = compileKernel(bench(BODIES[name]).module, { sharedMemory: false });
  expect(isValid(bytes)).toBe(true);
  const sizes = functionSizes(bytes).map((each) => each.bytes);
  expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(LONG);
  expect(Math.max(...sizes)).toBeLessThan(LONG / 2);
});
