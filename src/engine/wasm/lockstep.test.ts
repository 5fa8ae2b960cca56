/** Loops with a stride: those that the workgroup goes through together, and those that it must not. */
import { describe, expect, test } from "vitest";
import { Bench } from "../../../test/support/engine.ts";
import { compareOn } from "../../../test/support/wasm.ts";
import { inlineModule } from "./inline.ts";
import { inLockstep } from "./lockstep.ts";

function program(body: string): string {
  return `
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>, 8>;
@group(0) @binding(3) var<uniform> limit: u32;
var<workgroup> w: array<atomic<u32>, 8>;
fn odd(v: u32) -> u32 { if ((v & 1u) == 1u) { return v * 3u; } return v; }
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) lane: u32, @builtin(num_workgroups) n: vec3u, @builtin(workgroup_id) g: vec3u) {
  ${body}
}`;
}

function run(body: string): { readonly together: boolean; readonly differences: readonly string[] } {
  const values = Array.from({ length: 75 }, (_, index) => (index * 7919 + 13) % 1009);
  const buffers = { values, out: new Array<number>(75).fill(0), bins: new Array<number>(8).fill(0), limit: [50] };
  const bench = new Bench(program(body), buffers, { workgroups: [3, 1, 1] });
  const { kernel } = inlineModule(bench.module)!;
  return { together: inLockstep(kernel, bench.module, new Set()) !== kernel, differences: compareOn(bench) };
}

const global = (body: string, step = "n.x * 8u"): string =>
  `for (var i = id.x; i < arrayLength(&values); i += ${step}) { ${body} }`;

describe("all go round together", () => {
  test.each([
    global("out[i] = values[i] + i;"),
    global("atomicAdd(&bins[values[i] % 8u], 1u);"),
    `${global("atomicAdd(&w[values[i] % 8u], 1u);")} workgroupBarrier(); atomicAdd(&bins[lane], atomicLoad(&w[lane]));`,
    global("var v = values[i]; if (v > 500u) { v = 1u; } out[i] = v;"),
    global("for (var k = 0u; k < 3u; k++) { out[i] += values[i] * k; }"),
    global("for (var k = 0u; ; k++) { if (k > i) { break; } if (k == 4u) { continue; } out[i] += k; }"),
    global("out[i] = odd(values[i]);"),
    global("let j = i + 8u; if (j < 75u) { out[i] = values[j]; }", "24u"),
    global("out[i] = i; let last = i; out[last] += 1u;", "n.x * 8u + 0u"),
    "let before = values[id.x] * 3u; for (var i = id.x; i < 60u; i += 24u) { out[i] = before + i; }",
    "for (var b = lane; b < 30u; b += 8u) { atomicMax(&bins[b % 8u], values[b] + g.x); }",
    "for (var b = local.x; b < 29u; b += 8u) { atomicMax(&bins[b % 8u], values[b] + g.x); }",
    "for (var b = lane; b < 3u; b += 8u) { atomicMax(&bins[b], values[b] + g.x); }",
    `${global("out[i] = 1u;")} ${global("out[i] += values[i];", "24u")}`,
  ])("%s", (body) => {
    expect(run(body)).toEqual({ together: true, differences: [] });
  });
});

describe("each goes its way", () => {
  test.each([
    ["a sum is carried on", `var sum = 0u; ${global("sum += values[i];")} out[id.x] = sum;`],
    ["the round ends early", global("if (values[i] > 500u) { continue; } out[i] = i;")],
    ["the loop ends early", global("if (values[i] > 900u) { break; } out[i] = i;")],
    ["the kernel ends early", `if (id.x == 3u) { return; } ${global("out[i] = i;")}`],
    ["the kernel ends in the loop", global("if (values[i] > 900u) { return; } out[i] = i;")],
    ["the bound may be large", "for (var i = id.x; i < limit; i += 24u) { out[i] = i; }"],
    ["the bound differs", "for (var i = id.x; i < 40u + lane; i += 24u) { out[i] = i; }"],
    ["the step differs", "for (var i = id.x * 2u; i < 60u; i += 3u + lane) { out[i] = i; }"],
    ["the step is large", "for (var i = id.x; i < 60u; i += 0x80000000u) { out[i] = i; }"],
    ["it counts down", "for (var i = id.x + 48u; i >= 24u; i -= 24u) { out[i] = i; }"],
    ["the counter is changed", global("out[i] = i; if (i == 9u) { i += 24u; }")],
    ["the counter is seen behind", "var i = id.x; for (; i < 60u; i += 24u) { out[i] = i; } out[id.x] += i;"],
    ["the counter is pointed to", global("let p = &i; out[*p] = 1u; *p += 0u;")],
    ["it stands in a branch", `if (lane < 5u) { ${global("out[i] = i;")} }`],
    ["a variable is carried on", `var last = 0u; ${global("out[i] = last; last = i;")}`],
    ["a variable is set in some rounds", `var last = 0u; ${global("if (i > 30u) { last = i; }")} out[id.x] = last;`],
  ])("%s", (_, body) => {
    expect(run(body)).toEqual({ together: false, differences: [] });
  });
});
