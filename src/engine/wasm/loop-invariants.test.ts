/** What loops do not compute again, and branches that become choices; both engines agree on what comes of it. */
import { describe, expect, test } from "vitest";
import { Bench } from "../../../test/support/engine.ts";
import { compareOn } from "../../../test/support/wasm.ts";
import { chooseInstead } from "./choices.ts";
import { inlineModule } from "./inline.ts";
import { hoistInvariants } from "./loop-invariants.ts";
import { type Code, eachNode, type LoopNode } from "./tree.ts";

function bench(body: string): Bench {
  const source = `
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
var<private> p: u32 = 3u;
fn bump() -> u32 { p++; return p; }
fn deep(n: ptr<function, u32>) { *n += 1u; }
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) { let i = id.x; ${body} }`;
  const values = Array.from({ length: 24 }, (_, index) => (index * 7919 + 13) % 11);
  return new Bench(source, { values, out: values.map(() => 0), counts: values }, { workgroups: [3, 1, 1] });
}

const kernelOf = ({ module }: Bench): Code => inlineModule(module, 0)!.kernel;

/** Kinds of the operations at the start of the first loop. */
function prefix(code: Code): string[] {
  let loop: LoopNode | null = null;
  eachNode(code.nodes, (node) => {
    if (node.kind === "loop") loop ??= node;
  });
  const kinds = loop!.body.map(({ kind }) => kind);
  return kinds.slice(0, kinds.indexOf("if")).filter((kind) => !["local", "variable", "const", "access"].includes(kind));
}

/** Both parts of `k < n && k < 9u`, where all of it changes. */
const SEVEN = ["load", "load", "binary", "binary", "load", "binary", "binary"];

describe("what is left at the start of a round", () => {
  test.each<[string, string[]]>([
    ["for (var k = 0u; k < min(values[i], 4u); k++) { out[i] += k; }", ["load", "binary"]],
    ["for (var k = 0u; k < i * 3u + 1u; k++) { out[i] += k; }", ["load", "binary"]],
    ["for (var k = 0u; k < values[k]; k++) { out[i] += k; }", ["load", "load", "load", "binary"]],
    ["var n = values[i]; for (var k = 0u; k < n; k++) { out[i] += k; }", ["load", "binary"]],
    ["var n = values[i]; for (var k = 0u; k < n; k++) { n -= 1u; out[i] += k; }", ["load", "load", "binary"]],
    ["var n = values[i]; for (var k = 0u; k < n; k += 2u) { deep(&n); out[i] += k; }", ["load", "load", "binary"]],
    ["for (var k = 0u; k < p + 4u && k < 20u; k++) { out[i] = bump(); }", SEVEN],
    ["for (var k = 0u; k < out[i] + 2u && k < 9u; k++) { out[i] = k; }", SEVEN],
    ["loop { if (atomicLoad(&counts[i]) > 3u) { break; } atomicAdd(&counts[i], 1u); }", ["atomic", "binary"]],
  ])("%s", (body, left) => {
    const source = bench(body);
    expect(compareOn(source)).toEqual([]);
    expect(prefix(hoistInvariants(kernelOf(source), source.module, false))).toEqual(left);
  });
});

function branches(code: Code): number {
  let count = 0;
  eachNode(code.nodes, (node) => {
    if (node.kind === "if") count++;
  });
  return count;
}

describe("how many branches are left", () => {
  test.each<[string, number]>([
    ["var n = 0u; if (values[i] > 5u) { n++; } out[i] = n;", 0],
    ["var n = 7u; if (values[i] > 5u) { n = values[i] & n; } out[i] = n;", 1],
    ["var b = false; if (i == 3u) { b = true; } out[i] = u32(b);", 0],
    ["var n = -3; if (i > 3u) { n = (n << 2u) ^ i32(i); } out[i] = u32(n);", 1],
    ["var n = 5u; if (i > 3u) { if (i < 6u) { n = i; } } out[i] = n;", 0],
    ["var n = 5u; if (i > 3u) { n = i; } else { n = 2u; } out[i] = n;", 1],
    ["var n = 5u; if (i > 3u) { n = 100u / i; } out[i] = n;", 1],
    ["var n = 5u; if (i > 3u) { n = bump(); } out[i] = n;", 1],
    ["var n = 5u; if (i > 3u) { n = ((n * i + 3u) * n + i) * n; } out[i] = n;", 1],
    ["var v = vec2u(5u); if (i > 3u) { v.y = i; } out[i] = v.x + v.y;", 1],
    ["if (i > 3u) { out[i] = 1u; }", 1],
    ["var f = 1.5; if (i > 3u) { f += 1.0; } out[i] = u32(f);", 1],
  ])("%s", (body, left) => {
    const source = bench(body);
    expect(compareOn(source)).toEqual([]);
    expect(branches(chooseInstead(kernelOf(source)))).toBe(left);
  });
});
