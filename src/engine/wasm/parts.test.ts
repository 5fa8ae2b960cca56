/** Long lists of statements: locals are as few as in short ones, and both engines agree on what comes of it. */
import { describe, expect, test } from "vitest";
import { mostLocals } from "../../../test/support/binaryen.ts";
import { Bench } from "../../../test/support/engine.ts";
import { compareOn } from "../../../test/support/wasm.ts";
import { U32 } from "../../types/type.ts";
import { compileKernel } from "./compile.ts";
import { dependencies } from "./dependencies.ts";
import { inlineModule } from "./inline.ts";
import { inParts, PART } from "./parts.ts";
import { resolvePointers } from "./pointers.ts";
import { isControl, type Node } from "./tree.ts";
import { countUses } from "./usage.ts";

const LONG = 300;

function bench(body: string, functions = ""): Bench {
  const source = `
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
var<workgroup> w: array<u32, 8>;
var<private> p: u32 = 3u;
${functions}
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u) { let i = id.x; ${body} }`;
  const values = Array.from({ length: 24 }, (_, index) => (index * 7919 + 13) % 11);
  return new Bench(source, { values, out: values.map(() => 0), counts: values }, { workgroups: [3, 1, 1] });
}

const lines = (count: number, line: (c: number) => string): string =>
  Array.from({ length: count }, (_, c) => line(c)).join("\n");

/** Kinds of long code, of as many statements as are asked for. */
const BODIES: Readonly<Record<string, (count: number) => string>> = {
  "what is computed is used at once": (count) =>
    lines(
      count,
      (c) => `let a${c} = out[i] * ${c + 1}u; out[i] = a${c} * a${c} + (a${c} ^ values[(i + ${c}u) % 24u]);`,
    ),
  "in branches": (count) =>
    `if (values[i] > 3u) { ${lines(count, (c) => `let a${c} = out[i] + ${c}u; out[i] = a${c} * (a${c} | 1u);`)} }
     else { ${lines(count, (c) => `let a${c} = out[i] ^ ${c}u; out[i] = a${c} * (a${c} | 3u);`)} }`,
  "in a loop whose end needs what its body has": (count) =>
    `var n = 0u; loop { let first = out[i] + n;
       ${lines(count, (c) => `let a${c} = out[i] + first; out[i] = a${c} * ${2 * c + 3}u + (a${c} >> 3u);`)}
       continuing { n += 1u; out[i] += first & 15u; break if n > 2u || first == 77u; } }`,
  "values that go on from the first statement to the last": (count) =>
    `let first = values[i] * 5u; var sum = first;
     ${lines(count, (c) => `sum = sum * 3u + ${c}u; out[i] = sum ^ (sum >> 5u); p += out[i] & 1u;`)}
     out[i] += first * first + p;`,
  "with barriers between": (count) =>
    lines(
      count,
      (c) =>
        `w[i % 8u] = out[i] + ${c}u; workgroupBarrier(); let a${c} = w[(i + 1u) % 8u]; workgroupBarrier(); out[i] = a${c} * a${c};`,
    ),
  "where some leave": (count) =>
    lines(
      count,
      (c) =>
        `let a${c} = out[i] + values[i]; if (a${c} == ${40 + c * 977}u) { return; } out[i] = a${c} * (a${c} | ${c}u);`,
    ),
  "what all have together": (count) => lines(count, (c) => `out[i] += group.x * ${c + 7}u + (group.x ^ ${c}u) / 3u;`),
  "atomic functions": (count) =>
    lines(count, (c) => `let a${c} = atomicAdd(&counts[i], ${c}u); out[i] = a${c} * a${c} + atomicLoad(&counts[i]);`),
};

describe("both engines agree", () => {
  test.each(Object.keys(BODIES))("%s", (name) => {
    expect(compareOn(bench(BODIES[name](LONG)))).toEqual([]);
  });

  test("in a function", () => {
    const line = (c: number) =>
      `let a${c} = x + q * ${c + 1}u; x = a${c} * (a${c} | 1u); if (x == ${c}u) { return q; }`;
    const fn = `fn long(q: u32) -> u32 { var x = q; ${lines(LONG, line)} return x; }`;
    expect(compareOn(bench("out[i] = long(i) + long(values[i] + out[i]);", fn))).toEqual([]);
  });
});

describe("ten times the statements take about as many locals", () => {
  // What goes on from barrier to barrier is in memory, and what all have together is asked below.
  test.each(Object.keys(BODIES).filter((name) => name !== "what all have together"))("%s", (name) => {
    const locals = (count: number): number =>
      mostLocals(compileKernel(bench(BODIES[name](count)).module, { sharedMemory: false, simd: "never" }).bytes);
    // Of lists that are short nothing is cut.
    expect(locals(2000)).toBeLessThan(locals(200) + 100);
  });

  test("what all have together, of a large kernel", () => {
    const name = "what all have together";
    const { module } = bench(BODIES[name](2000));
    expect(mostLocals(compileKernel(module, { sharedMemory: false, simd: "never" }).bytes)).toBeLessThan(200);
  });
});

test("a part needs nothing that another one computes", () => {
  const { module } = bench(BODIES["what is computed is used at once"](LONG));
  const kernel = inlineModule(module, 0)!.kernel;
  const pointers = resolvePointers(kernel);
  const cut = inParts(kernel.nodes, countUses(kernel.nodes, pointers, kernel.types.length), pointers);
  const parts = cut.flatMap((node) => (node.kind === "block" && node.label === PART ? [node.body] : []));
  expect(parts.length).toBeGreaterThan(5);
  const flat = (nodes: readonly Node[]): readonly Node[] =>
    nodes.flatMap((node) => (node.kind === "block" && node.label === PART ? node.body : [node]));
  expect(flat(cut)).toEqual(kernel.nodes);
  const needs = (nodes: readonly Node[]): readonly number[] =>
    nodes.flatMap((node) => (isControl(node) ? [] : dependencies(node, pointers)));
  for (const part of parts) {
    const made = new Set(part.flatMap((node) => (isControl(node) || node.kind === "const" ? [] : [node.id])));
    const others = flat(cut.filter((node) => node.kind !== "block" || node.body !== part));
    expect(needs(others).filter((id) => made.has(id))).toEqual([]);
  }
});

test("a list may be long before something in it is needed far behind", () => {
  const count = 200_000;
  const span = { start: 0, end: 0 };
  const nodes = Array.from({ length: count }, (_, id): Node => {
    const left = id < count - 1 ? id - 1 : count - 500;
    return { kind: "binary", id, type: U32, span, operator: "+", left, right: id - 2 };
  });
  // What is behind it is one part.
  expect(inParts(nodes, countUses(nodes, [], count), [])).toHaveLength(count - 498);
});
