/** Kernels are stopped from outside, and say where they were. */
import { describe, expect, test } from "vitest";
import { Bench } from "../../../test/support/engine.ts";
import { layOut } from "../../../test/support/wasm.ts";
import { compileKernel } from "./compile.ts";
import { POSITIONS_SECTION, readPositions, spanAt } from "./encoder.ts";
import { NO_INVOCATION, PARAMETER } from "./parameter-block.ts";

interface Stop {
  /** Text of the loop that is named. */
  readonly loop: string;
  readonly function: string;
  readonly workgroup: number;
  readonly invocation: number;
  /** Text that the trap's place in the code belongs to. */
  readonly place: string;
}

/** Runs with the abort flag set; null where the kernel ends by itself. */
function stopped(source: string, options: { longestInlined?: number } = {}): Stop | null {
  const bench = new Bench(source, {}, { workgroups: [2, 3, 1] });
  const kernel = compileKernel(bench.module, { sharedMemory: false, ...options });
  const { memory, run, parameters, abortFlag } = layOut(bench.module, kernel, bench.request.bindings, [2, 3, 1]);
  const view = new DataView(memory.buffer);
  view.setUint32(abortFlag, 1, true);
  view.setUint32(parameters + PARAMETER.status, 0, true);
  try {
    run(parameters, 4, 2);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(WebAssembly.RuntimeError);
    const word = (offset: number): number => view.getUint32(parameters + offset, true);
    expect(word(PARAMETER.status)).toBe(1);
    const { span, function: name } = kernel.loops[word(PARAMETER.loop)];
    const offset = Number.parseInt(/wasm-function\[\d+\]:0x([0-9a-f]+)/.exec((error as Error).stack!)![1], 16);
    const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(kernel.bytes), POSITIONS_SECTION);
    const place = spanAt(readPositions(section), offset)!;
    return {
      loop: source.slice(span.start, span.end),
      function: name,
      workgroup: word(PARAMETER.workgroup),
      invocation: word(PARAMETER.invocation),
      place: source.slice(place.start, place.end),
    };
  }
}

const HEAD = "@group(0) @binding(0) var<storage, read_write> flag: atomic<u32>; var<workgroup> w: array<u32, 8>;\n";

describe("a loop that does not end", () => {
  test("in a piece of a long kernel with barriers", () => {
    const step = (c: number): string =>
      `if (l == ${c % 8}u) { w[(l + 1u) % 8u] += ${c}u; } workgroupBarrier(); w[l] ^= ${c}u; workgroupBarrier();`;
    const steps = Array.from({ length: 400 }, (_, c) => step(c)).join("\n");
    const loop = "while (atomicLoad(&flag) == 0u) { w[l] += 77u; }";
    const found = stopped(`${HEAD}@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) l: u32) {
  ${steps}
  if (l == 5u) { ${loop} }
  ${steps}
}`);
    expect(found).toMatchObject({ function: "main", workgroup: 4, invocation: 5, loop });
    expect(loop).toContain(found?.place);
  });

  test("of one invocation", () => {
    const found = stopped(`${HEAD}@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) l: u32) {
  if (l == 5u) { while (atomicLoad(&flag) == 0u) { w[l]++; } }
  w[l] = 3u;
}`);
    expect(found?.loop).toMatch(/^while/);
    expect(found).toMatchObject({ function: "main", workgroup: 4, invocation: 5 });
    expect(found?.place).not.toBe("");
  });

  test("of the whole workgroup", () => {
    const found = stopped(`${HEAD}@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) l: u32) {
  loop { workgroupBarrier(); w[l]++; continuing { break if workgroupUniformLoad(&w[0]) == 0u; } }
}`);
    expect(found?.loop).toMatch(/^loop/);
    expect(found).toMatchObject({ workgroup: 4, invocation: NO_INVOCATION });
  });

  test("that all go through together, though nothing makes them", () => {
    const found = stopped(`${HEAD}@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) l: u32) {
  for (var i = l; i < 20u; i += 0u) { w[l]++; }
}`);
    expect(found?.loop).toMatch(/^for/);
    expect(found).toMatchObject({ workgroup: 4, invocation: NO_INVOCATION });
    expect(found?.place).not.toBe("");
  });

  test("in a function", () => {
    const source = `${HEAD}fn wait() -> u32 { var n = 0u; for (; atomicLoad(&flag) == 0u; n++) {} return n; }
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) l: u32) { if (l == 2u) { w[l] = wait(); } }`;
    for (const options of [{}, { longestInlined: 0 }]) {
      const found = stopped(source, options);
      expect(found?.loop).toMatch(/^for/);
      expect(found).toMatchObject({ workgroup: 4, invocation: 2 });
      expect(found?.function).toBe("longestInlined" in options ? "wait" : "main");
    }
  });
});

test("short loops do not look, and end", () => {
  expect(
    stopped(`${HEAD}@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) l: u32) {
  for (var k = 0; k < 1000; k++) { w[l] += u32(k); }
  for (var k = 100u; k > 0u; k /= 2u) { w[l] += k; }
}`),
  ).toBe(null);
});

test("long nests of short loops look", () => {
  expect(
    stopped(`${HEAD}@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) l: u32) {
  for (var k = 0; k < 1000; k++) { for (var j = 0; j < 1000; j++) { for (var i = 0; i < 1000; i++) { w[l] += u32(i ^ k); } } }
}`),
  ).not.toBe(null);
});
