import { expect, test } from "vitest";
import type { Launch } from "../../src/launch/launch.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";

/** What is told of the order of a launch, by the text of its places. */
async function told(shader: string, launch: Partial<Launch>): Promise<string[]> {
  const { findings } = await sanitize({ shader, ...launch }, { checks: ["order"] });
  return findings.map(({ span, source }) => source.text.slice(span.start, span.end));
}

/** Everyone goes into the list of a cell, in a step before the one that is looked at. */
const listed = (use: string, at = "k"): string => `
struct P { pos: f32, vel: f32 }
@group(0) @binding(0) var<storage, read_write> ps: array<P>;
@group(0) @binding(1) var<storage, read_write> count: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> list: array<u32>;
fn sum(a: f32, b: f32) -> f32 { return a + b; }
fn put(to: ptr<function, f32>, b: f32) { *to += b; }
@compute @workgroup_size(64) fn insert(@builtin(global_invocation_id) id: vec3u) {
  let k = atomicAdd(&count, 1u);
  list[${at}] = id.x;
}
@compute @workgroup_size(64) fn gather(@builtin(global_invocation_id) id: vec3u) {
  let x = ps[id.x].pos;
  ${use}
}
@compute @workgroup_size(64) fn move_on(@builtin(global_invocation_id) id: vec3u) {
  ps[id.x].pos += ps[id.x].vel;
}`;
const LISTED: Partial<Launch> = {
  buffers: { ps: "random:64:seed=3:min=-1000:max=1000", list: "zeros:64" },
  steps: ["insert", "gather", "move_on"].map((entry) => ({ entry, workgroups: [1] })),
};
const loop = (body: string): string => `for (var k = 0u; k < 64u; k++) { ${body} }`;

test.each([
  [`var push = 0.0; ${loop("let d = x - ps[list[k]].pos; push += d * d;")} ps[id.x].vel = push;`, "push += d * d"],
  [`var push = 0.0; ${loop("var d = x - ps[list[k]].pos; push += d * d;")} ps[id.x].vel = push;`, "push += d * d"],
  [
    `var me = ps[id.x]; var push = 0.0; ${loop("let d = me.pos - ps[list[k]].pos; push += d / max(d * d, 0.01);")} me.vel += push * 1e7; ps[id.x].vel = me.vel;`,
    "push += d / max(d * d, 0.01)",
  ],
  [
    `var me = ps[id.x]; ${loop("me.vel += (me.pos - ps[list[k]].pos) * 0.01;")} ps[id.x].vel = me.vel;`,
    "me.vel += (me.pos - ps[list[k]].pos) * 0.01",
  ],
  [`var v = vec2f(); ${loop("v.x += ps[list[k]].pos;")} ps[id.x].vel = v.x - v.y;`, "v.x += ps[list[k]].pos"],
  [`var s = 0.0; ${loop("s = s * 0.5 + ps[list[k]].pos;")} ps[id.x].vel = s;`, "s * 0.5 + ps[list[k]].pos"],
  [`var s = 0.0; ${loop("s = max(s + ps[list[k]].pos, -9.0);")} ps[id.x].vel = s;`, "s + ps[list[k]].pos"],
  [`var s = 0.0; ${loop("let t = s + ps[list[k]].pos; s = t;")} ps[id.x].vel = s;`, "s + ps[list[k]].pos"],
  [`var s = 0.0; ${loop("s = sum(s, ps[list[k]].pos);")} ps[id.x].vel = s;`, "a + b"],
  [`var s = 0.0; ${loop("put(&s, ps[list[k]].pos);")} ps[id.x].vel = s;`, "*to += b"],
])("where terms that come in any order are added: %s", async (use, expected) => {
  expect(await told(listed(use), LISTED)).toEqual([expected]);
  expect(await told(listed(use, "id.x"), LISTED)).toEqual([]);
});

test.each([
  ["", "tile[lane] += tile[lane + n]"],
  ["let own = tile[lane];", "own + tile[lane + n]"],
])("where a tree adds them, %s", async (own, expected) => {
  const text = (at: string) => `
@group(0) @binding(0) var<storage, read> xs: array<f32>;
@group(0) @binding(1) var<storage, read_write> list: array<f32>;
@group(0) @binding(2) var<storage, read_write> total: f32;
var<workgroup> tile: array<f32, 64>;
var<workgroup> count: atomic<u32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
  let k = atomicAdd(&count, 1u);
  list[${at}] = xs[lane];
  storageBarrier();
  tile[lane] = list[lane];
  for (var n = 32u; n > 0u; n /= 2u) {
    workgroupBarrier();
    if (lane < n) { ${own} ${own === "" ? expected : `tile[lane] = ${expected}`}; }
  }
  workgroupBarrier();
  if (lane == 0u) { total = tile[0] * 2.0 - 1.0; }
}`;
  const launch = { workgroups: [1], buffers: { xs: "random:64:seed=3:min=-1000:max=1000", list: "zeros:64" } };
  expect(await told(text("k"), launch)).toEqual([expected]);
  expect(await told(text("lane"), launch)).toEqual([]);
});

test.each(["race", "barrier"])("a sum of what races is told as the race alone: %s", async (how) => {
  const shader = `
@group(0) @binding(0) var<storage, read_write> xs: array<f32>;
var<workgroup> part: array<f32, 64>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
  part[lane] = xs[lane];
  ${how === "race" ? "" : "workgroupBarrier();"}
  var s = 0.0;
  for (var k = 0u; k < 64u; k++) { s += part[k]; }
  xs[lane] = s;
}`;
  const { findings } = await sanitize({ shader, workgroups: [1], buffers: { xs: "random:64:seed=3" } });
  expect(findings.map(({ code }) => code)).toEqual(how === "race" ? ["race-workgroup"] : []);
});
