/**
 * Faults with twins that differ in one thing and are right: `{{wrong||right}}` in the text. A line that ends in `//!` is
 * where the finding has to be, or one of its accesses.
 */
import type { Launch } from "../../src/launch/launch.ts";
import type { Check } from "../../src/sanitize/finding.ts";

export interface Twin {
  readonly name: string;
  /** Of the finding in the wrong one. */
  readonly code: string;
  readonly text: string;
  /** Workgroups are 1 and buffers as the shader has them if nothing is said. */
  readonly launch?: Partial<Launch>;
  readonly checks?: readonly Check[];
}

const LANE = "@builtin(local_invocation_index) lane: u32";
const WG = "@builtin(workgroup_id) wg: vec3u";
const ID = "@builtin(global_invocation_id) id: vec3u";

function kernel(head: string, size: number, body: string, params = `${LANE}, ${WG}, ${ID}`): string {
  return `${head}\n@compute @workgroup_size(${size}) fn main(${params}) {\n${body}\n}`;
}

const DATA = "@group(0) @binding(0) var<storage, read_write> data: array<u32, 256>;";
const OUT = "@group(0) @binding(1) var<storage, read_write> dst: array<u32, 256>;";
const COUNT = "@group(0) @binding(0) var<storage, read_write> count: atomic<u32>;";
const LIST = "@group(0) @binding(1) var<storage, read_write> list: array<u32, 40>;";
const TILE = "var<workgroup> tile: array<u32, 64>;";

export const TWINS: readonly Twin[] = [
  // ---------------------------------------------------------------- workgroup memory
  {
    name: "reversed through workgroup memory",
    code: "race-workgroup",
    text: kernel(
      `${OUT}\n${TILE}`,
      64,
      `tile[lane] = lane;\n{{||workgroupBarrier();}}\ndst[lane] = tile[63u - lane]; //!`,
    ),
  },
  {
    name: "tile overwritten while others still read it",
    code: "race-workgroup",
    text: kernel(
      `${OUT}\n${TILE}`,
      64,
      `for (var k = 0u; k < 3u; k++) {
  tile[lane] = lane + k; //!
  workgroupBarrier();
  dst[lane] += tile[(lane + 1u) % 64u];
  {{||workgroupBarrier();}}
}`,
    ),
  },
  {
    name: "barrier in one branch of a uniform condition only",
    code: "race-workgroup",
    text: kernel(
      `${OUT}\n${TILE}`,
      32,
      `tile[lane] = lane;
if (wg.x == 0u) { workgroupBarrier(); } {{||else { workgroupBarrier(); }}}
dst[lane + 32u * wg.x] = tile[31u - lane]; //!`,
    ),
    launch: { workgroups: [2] },
  },
  {
    name: "storageBarrier for workgroup memory",
    code: "wrong-barrier",
    text: kernel(
      `${OUT}\n${TILE}`,
      64,
      `tile[lane] = lane;\n{{storageBarrier||workgroupBarrier}}();\ndst[lane] = tile[63u - lane]; //!`,
    ),
  },
  {
    name: "workgroupBarrier for a storage buffer",
    code: "wrong-barrier",
    text: kernel(
      `${DATA}\n${OUT}`,
      64,
      `data[lane] = lane;\n{{workgroupBarrier||storageBarrier}}();\ndst[lane] = data[63u - lane]; //!`,
    ),
  },
  {
    name: "workgroupUniformLoad orders no storage buffer",
    code: "wrong-barrier",
    text: kernel(
      `${DATA}\n${OUT}\nvar<workgroup> one: u32;`,
      64,
      `data[lane] = lane;
let x = workgroupUniformLoad(&one);
{{||storageBarrier();}}
dst[lane] = data[63u - lane] + x; //!`,
    ),
  },
  {
    name: "slot handed round by workgroupUniformLoad, or read as it is",
    code: "race-workgroup",
    text: kernel(
      `${OUT}\nvar<workgroup> slot: u32;`,
      32,
      `var sum = 0u;
for (var k = 0u; k < 3u; k++) {
  if (lane == k) { slot = k + 7u; } //!
  {{workgroupBarrier(); let x = slot;||let x = workgroupUniformLoad(&slot);}}
  sum += x;
}
dst[lane] = sum;`,
    ),
  },
  {
    name: "components of one vector, or vectors of one component each",
    code: "race-workgroup",
    text: kernel(
      `${OUT}\nvar<workgroup> parts: array<{{vec4u, 16||array<u32, 4>, 16}}>;`,
      64,
      `parts[lane / 4u][lane % 4u] = lane; //!\nworkgroupBarrier();\ndst[lane] = parts[lane / 4u][lane % 4u];`,
    ),
  },
  {
    name: "a scalar in the bytes behind a vec3 is its own",
    code: "race-workgroup",
    text: kernel(
      `${OUT}\nstruct Pair { at: vec3u, mass: u32 }\nvar<workgroup> pair: Pair;`,
      2,
      `if (lane == 0u) { pair.at.y = 1u; } else { pair.{{at.z||mass}} = 2u; } //!\nworkgroupBarrier();\ndst[lane] = pair.at.y + pair.mass;`,
    ),
  },
  {
    name: "columns of a matrix",
    code: "race-workgroup",
    text: kernel(
      `${OUT}\nvar<workgroup> m: mat2x2f;`,
      2,
      `m[{{0||lane}}][lane] = 1.0; //!\nworkgroupBarrier();\ndst[lane] = u32(m[1][1]);`,
    ),
  },
  {
    name: "a component read while another one is written",
    code: "race-workgroup",
    text: kernel(
      `${OUT}\nvar<workgroup> v: vec2u;\nvar<workgroup> w: array<u32, 2>;`,
      2,
      `if (lane == 0u) { {{v.x||w[0]}} = 1u; } else { dst[0] = {{v.y||w[1]}}; } //!`,
    ),
  },
  {
    name: "halves beside each other",
    code: "race-workgroup",
    text: `enable f16;\n${kernel(
      `${OUT}\nvar<workgroup> h: array<f16, 8>;`,
      4,
      `h[lane{{ / 2u||}}] = f16(lane); //!\nworkgroupBarrier();\ndst[lane] = u32(h[lane]);`,
    )}`,
  },
  {
    name: "whole structure read while a member is written",
    code: "race-workgroup",
    text: kernel(
      `${OUT}\nstruct S { a: u32, b: u32 }\nvar<workgroup> s: S;`,
      2,
      `if (lane == 0u) { s.a = 5u; } else { let all = {{s||S(0u, s.b)}}; dst[0] = all.b; } //!`,
    ),
  },
  {
    name: "through a helper with a pointer",
    code: "race-workgroup",
    text: kernel(
      `requires unrestricted_pointer_parameters;\n${OUT}\n${TILE}\nfn put(p: ptr<workgroup, u32>, x: u32) {\n  *p = x; //!\n}`,
      8,
      `put(&tile[lane{{ / 2u||}}], lane);\nworkgroupBarrier();\ndst[lane] = tile[lane];`,
    ),
  },

  // ---------------------------------------------------------------- storage buffers
  {
    name: "neighbour in the same workgroup",
    code: "race-storage",
    text: kernel(
      `${DATA}\n${OUT}`,
      64,
      `data[lane] = lane;\n{{||storageBarrier();}}\ndst[lane] = data[lane ^ 1u]; //!`,
    ),
  },
  {
    name: "neighbour in the next workgroup",
    code: "race-across-workgroups",
    text: kernel(
      `${DATA}\n${OUT}`,
      32,
      `data[id.x] = id.x;\nstorageBarrier();\ndst[id.x] = data[{{(id.x + 1u) % 128u||wg.x * 32u + (lane + 1u) % 32u}}]; //!`,
    ),
    launch: { workgroups: [4] },
  },
  {
    name: "two dispatches instead of one",
    code: "race-across-workgroups",
    text: `${DATA}\n${OUT}
@compute @workgroup_size(32) fn main(${ID}) { data[id.x] = id.x; {{dst[id.x] = data[127u - id.x];||}} } //!
@compute @workgroup_size(32) fn second(${ID}) { dst[id.x] = data[127u - id.x]; }`,
    launch: {
      steps: [
        { entry: "main", workgroups: [4] },
        { entry: "second", workgroups: [4] },
      ],
    },
  },
  {
    name: "sum without atomics",
    code: "race-across-workgroups",
    text: kernel(
      "@group(0) @binding(0) var<storage, read_write> total: {{u32||atomic<u32>}};",
      32,
      `{{total += id.x;||atomicAdd(&total, id.x);}} //!`,
    ),
    launch: { workgroups: [2] },
  },
  {
    name: "every workgroup writes its total to one place",
    code: "race-across-workgroups",
    text: kernel(OUT, 32, `if (lane == 0u) {\n  dst[{{0||wg.x}}] = wg.x + 1u; //!\n}`),
    launch: { workgroups: [3] },
  },
  {
    name: "bound twice, each under another type",
    code: "race-storage",
    text: kernel(
      "@group(0) @binding(0) var<storage, read_write> words: array<u32, 64>;\n@group(0) @binding(1) var<storage, read_write> quads: array<vec4u, 16>;",
      16,
      `quads[lane] = vec4u(lane);\n{{||storageBarrier();}}\nwords[63u - lane * 4u] = lane; //!`,
    ),
    launch: { buffers: { words: "zeros", quads: { same: "words" } } },
  },
  {
    name: "one list index twice",
    code: "race-storage",
    text: kernel(`@group(0) @binding(0) var<storage, read> at: array<u32, 8>;\n${OUT}`, 8, `dst[at[lane]] = lane; //!`),
    launch: { buffers: { at: { u32: [0, 1, 2, 3, 4, 5, 6, 0] } } },
  },
  {
    name: "all write the same",
    code: "same-value-write",
    text: kernel(OUT, 32, `{{dst[7] = 1u;||if (lane == 3u) { dst[7] = 1u; }}} //!`),
  },
  {
    name: "all write the same and one reads it meanwhile",
    code: "race-storage",
    text: kernel(OUT, 32, `dst[{{7||lane}}] = 1u;\nif (lane == 9u) { dst[100] = dst[{{7||9}}]; } //!`),
  },
  {
    name: "subgroup operations order no memory",
    code: "race-workgroup",
    text: `enable subgroups;\n${kernel(
      `${OUT}\n${TILE}`,
      32,
      `tile[lane] = lane;\nlet sum = subgroupAdd(lane);\n{{||workgroupBarrier();}}\ndst[lane] = tile[31u - lane] + sum; //!`,
    )}`,
  },
  {
    name: "payload behind an atomic flag",
    code: "race-across-workgroups",
    text: kernel(
      "@group(0) @binding(0) var<storage, read_write> flag: atomic<u32>;\n@group(0) @binding(1) var<storage, read_write> box: {{u32||vec2u}};\n@group(0) @binding(2) var<storage, read_write> seen: u32;",
      1,
      `if (wg.x == 1u) { {{box = 9u;||box = vec2u(9u);}} atomicStore(&flag, 1u); }
else if (atomicLoad(&flag) == {{1u||2u}}) { seen = box{{||.x}}; } //!`,
    ),
    launch: { workgroups: [2] },
  },

  // ---------------------------------------------------------------- atomics that hang on timing
  {
    name: "cleared while others count",
    code: "unordered-atomics",
    text: kernel(
      `${OUT}\nvar<workgroup> bins: array<atomic<u32>, 8>;`,
      64,
      `if (lane < 8u) { atomicStore(&bins[lane], 3u); }
{{||workgroupBarrier();}}
atomicAdd(&bins[lane % 8u], 1u); //!
workgroupBarrier();
if (lane < 8u) { dst[lane] = atomicLoad(&bins[lane]); }`,
    ),
  },
  {
    name: "count read before all have counted",
    code: "unordered-atomics",
    text: kernel(
      `${OUT}\nvar<workgroup> n: atomic<u32>;`,
      64,
      `if (lane % 3u == 0u) { atomicAdd(&n, 1u); }\n{{||workgroupBarrier();}}\ndst[lane] = atomicLoad(&n); //!`,
    ),
  },
  {
    name: "count of the whole dispatch read in it",
    code: "unordered-atomics",
    text: `${COUNT}\n${OUT}
@compute @workgroup_size(32) fn main(${ID}) { atomicAdd(&count, 1u); {{if (id.x == 0u) { dst[0] = atomicLoad(&count); }||}} } //!
@compute @workgroup_size(1) fn second() { dst[0] = atomicLoad(&count); }`,
    launch: {
      steps: [
        { entry: "main", workgroups: [2] },
        { entry: "second", workgroups: [1] },
      ],
    },
  },
  {
    name: "last one wins",
    code: "unordered-atomics",
    text: kernel(COUNT, 32, `atomicStore(&count, {{id.x||1u}}); //!`),
    launch: { workgroups: [2] },
  },
  {
    name: "payload in an atomic behind a flag",
    code: "unordered-atomics",
    text: kernel(
      "@group(0) @binding(0) var<storage, read_write> flag: atomic<u32>;\n@group(0) @binding(1) var<storage, read_write> box: atomic<u32>;\n@group(0) @binding(2) var<storage, read_write> seen: u32;",
      1,
      `if (wg.x == 0u) { atomicStore(&box, 9u); atomicStore(&flag, 1u); }
else if (atomicLoad(&flag) == 1u) { {{seen = atomicLoad(&box);||seen = 1u;}} } //!`,
    ),
    launch: { workgroups: [2] },
  },
  {
    name: "limit looked at before it is taken from",
    code: "unordered-atomics",
    text: kernel(
      COUNT,
      32,
      `if (atomicLoad(&count) < 100u) { {{atomicAdd(&count, 1u);||atomicMax(&count, id.x);}} } //!`,
    ),
  },
  {
    name: "old value of atomicLoad for a compare-exchange, or for a store",
    code: "unordered-atomics",
    text: kernel(
      COUNT,
      32,
      `loop {
let old = atomicLoad(&count);
{{atomicStore(&count, old * 2u + 1u);||if (!atomicCompareExchangeWeak(&count, old, old * 2u + 1u).exchanged) { continue; }}} //!
break;
}`,
    ),
  },
  {
    name: "exchanged once, or until it has taken place",
    code: "unordered-atomics",
    text: kernel(
      COUNT,
      32,
      `var old = atomicLoad(&count);
loop {
let tried = atomicCompareExchangeWeak(&count, old, old + lane); //!
{{break;||if (tried.exchanged) { break; }
old = tried.old_value;}}
}`,
    ),
  },
  {
    name: "what is exchanged made in front of the loop, or in each round",
    code: "unordered-atomics",
    text: kernel(
      COUNT,
      32,
      `var old = atomicLoad(&count);
var sum = old + lane;
loop {
{{||sum = old + lane;}}
let tried = atomicCompareExchangeWeak(&count, old, sum); //!
if (tried.exchanged) { break; }
old = tried.old_value;
}`,
    ),
  },
  {
    name: "next of a list stored in front of the loop, or in each round",
    code: "unordered-atomics",
    text: kernel(
      `@group(0) @binding(0) var<storage, read_write> head: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> next: array<u32, 32>;`,
      32,
      `var first = atomicLoad(&head);
next[lane] = first;
loop {
{{||next[lane] = first;}}
let tried = atomicCompareExchangeWeak(&head, first, lane + 1u); //!
if (tried.exchanged) { break; }
first = tried.old_value;
}`,
    ),
  },
  {
    name: "count set back for the next round while others go by it, or behind a barrier",
    code: "unordered-atomics",
    text: kernel(
      `var<workgroup> found: atomic<u32>;\n${OUT}`,
      32,
      `for (var round = 0u; round < 2u; round++) {
if (lane == 0u) { atomicStore(&found, 0u); }
workgroupBarrier();
if (lane < 4u * (round + 1u)) { atomicAdd(&found, 1u); }
workgroupBarrier();
var sum = 0u;
for (var k = 0u; k < atomicLoad(&found); k++) { sum += k; } //!
dst[lane] += sum;
{{||workgroupBarrier();}}
}`,
    ),
  },
  {
    name: "looked at and then stored, or claimed by whoever finds it as it was",
    code: "unordered-atomics",
    text: kernel(
      `${COUNT}\n${OUT}`,
      32,
      `if (atomicLoad(&count) == 0u) {
{{atomicStore(&count, lane + 1u);||if (atomicCompareExchangeWeak(&count, 0u, lane + 1u).exchanged) { dst[0] = lane; }}} //!
}`,
    ),
  },
  {
    name: "looked at and then counted, or taken by whoever finds it as it was",
    code: "unordered-atomics",
    text: kernel(
      `${COUNT}\n${OUT}`,
      32,
      `if (atomicLoad(&count) == 0u) {
if ({{atomicAdd||atomicExchange}}(&count, 1u) == 0u) { dst[0] = lane; } //!
}`,
    ),
  },
  {
    name: "roots of trees joined by a minimum, or by an exchange that looks again",
    code: "unordered-atomics",
    text: kernel(
      `@group(0) @binding(0) var<storage, read_write> parent: array<atomic<u32>, 33>;
fn find(x: u32) -> u32 {
var r = x;
while (atomicLoad(&parent[r]) != r) { r = atomicLoad(&parent[r]); }
return r;
}`,
      32,
      `loop {
let a = find(lane / 2u);
let b = find(lane + 1u);
if (a == b) { break; }
let old = max(a, b);
{{atomicMin(&parent[old], min(a, b)); break;||if (atomicCompareExchangeWeak(&parent[old], old, min(a, b)).exchanged) { break; }}} //!
}`,
    ),
    launch: { buffers: { parent: "iota:33" } },
  },
  {
    name: "drained by exchange while others add",
    code: "unordered-atomics",
    text: kernel(
      `${COUNT}\n${OUT}`,
      32,
      `{{atomicAdd(&count, 1u);||}} //!\nif (lane == 5u) { dst[0] = atomicExchange(&count, 0u); }`,
    ),
  },

  {
    name: "set back by anybody, or by whoever came last",
    code: "unordered-atomics",
    text: kernel(COUNT, 8, `if (atomicAdd(&count, 1u) {{>||==}} {{3u||15u}}) { atomicStore(&count, 0u); } //!`),
    launch: { workgroups: [2] },
  },
  {
    name: "the last workgroup goes on, and says so to all its invocations",
    code: "unordered-atomics",
    text: kernel(
      `${COUNT}\n${OUT}\nvar<workgroup> is_last: bool;`,
      8,
      `if (lane == 0u) { is_last = atomicAdd(&count, 1u) == 1u; }
if (!workgroupUniformLoad(&is_last)) { {{||return;}} }
if (lane == 0u) { atomicStore(&count, wg.x); } //!`,
    ),
    launch: { workgroups: [2] },
  },
  {
    name: "the last workgroup says so by a number, and sets back in a helper",
    code: "unordered-atomics",
    text: kernel(
      `${COUNT}\nvar<workgroup> is_last: u32;
fn arrive(all: u32) -> u32 { return select(0u, 1u, atomicAdd(&count, 1u) == all - 1u); }
fn clear() { atomicStore(&count, 0u); } //!`,
      8,
      `if (lane == 0u) { is_last = {{1u||arrive(4u)}}; {{_ = arrive(4u);||}} }
if (workgroupUniformLoad(&is_last) != 0u) { if (lane == 0u) { clear(); } }`,
    ),
    launch: { workgroups: [4] },
  },
  {
    name: "exchanged for the first count by whoever came last",
    code: "unordered-atomics",
    text: kernel(COUNT, 8, `if (atomicSub(&count, 1u) == {{3u||1u}}) { atomicExchange(&count, 8u); } //!`),
    launch: { buffers: { count: 8 } },
  },
  {
    name: "a flag that only the last workgroup raises",
    code: "unordered-atomics",
    text: kernel(
      `${COUNT}\nvar<workgroup> is_last: bool;`,
      8,
      `if (lane == 0u) { if (atomicAdd(&count, 1u) + 1u {{<||>=}} 4u) { is_last = true; } }
workgroupBarrier();
if (!is_last) { return; }
if (lane == 0u) { atomicStore(&count, 0u); } //!`,
    ),
    launch: { workgroups: [4] },
  },

  // ---------------------------------------------------------------- bounds
  {
    name: "last workgroup without a guard",
    code: "out-of-bounds",
    text: kernel(
      "@group(0) @binding(0) var<storage, read_write> data: array<u32>;",
      64,
      `{{||if (id.x >= arrayLength(&data)) { return; }}}\ndata[id.x] = 1u; //!`,
    ),
    launch: { workgroups: [2], buffers: { data: "zeros:100" } },
  },
  {
    name: "index below zero",
    code: "out-of-bounds",
    text: kernel(`${OUT}\n${TILE}`, 64, `dst[lane] = tile[i32(lane) - {{1||0}}]; //!`),
  },
  {
    name: "select guards nothing",
    code: "out-of-bounds",
    text: kernel(
      `@group(0) @binding(0) var<storage, read> src: array<u32, 50>;\n${OUT}`,
      64,
      `{{dst[lane] = select(0u, src[lane], lane < 50u);||if (lane < 50u) { dst[lane] = src[lane]; }}} //!`,
    ),
  },
  {
    name: "a component that is not there",
    code: "out-of-bounds",
    text: kernel(OUT, 4, `var v = vec3u(1u, 2u, 3u);\ndst[lane] = v[lane{{||  % 3u}}]; //!`),
  },
  {
    name: "array of the function",
    code: "out-of-bounds",
    text: kernel(OUT, 8, `var own: array<u32, {{7||8}}>;\nown[lane] = lane; //!\ndst[lane] = own[0];`),
  },
  {
    name: "bucket runs into the next one",
    code: "out-of-bounds",
    text: kernel(
      "@group(0) @binding(0) var<storage, read_write> fill: array<atomic<u32>, 4>;\n@group(0) @binding(1) var<storage, read_write> items: array<u32, 16>;",
      16,
      `let cell = lane % 2u;
let slot = atomicAdd(&fill[cell], 1u);
{{||if (slot < 4u)}} { items[cell * 4u + slot] = lane; } //!`,
    ),
  },

  // ---------------------------------------------------------------- counters
  {
    name: "taken without looking",
    code: "counter-underflow",
    text: kernel(COUNT, 8, `{{atomicSub(&count, 1u);||if (lane < 4u) { atomicSub(&count, 1u); }}} //!`),
    launch: { buffers: { count: { u32: [4] } } },
  },
  {
    name: "signed counters go below zero",
    code: "counter-underflow",
    text: kernel(
      "@group(0) @binding(0) var<storage, read_write> n: atomic<{{u32||i32}}>;",
      8,
      `atomicSub(&n, 1{{u||i}}); //!`,
    ),
  },
  {
    name: "minus one added",
    code: "counter-underflow",
    text: kernel(COUNT, 8, `atomicAdd(&count, 0xffffffffu); //!`),
    launch: { buffers: { count: { u32: [7] } } },
  },
  {
    name: "counter at its end",
    code: "counter-overflow",
    text: kernel(COUNT, 8, `atomicAdd(&count, 1u); //!`),
    launch: { buffers: { count: { u32: [4294967290] } } },
  },
  {
    name: "append without limit, guarded, count trusted by the host",
    code: "counter-over-capacity",
    text: kernel(
      `${COUNT}\n${LIST}`,
      64,
      `let at = atomicAdd(&count, 1u); //!
if (at < 40u) { list[at] = lane; }{{|| else { atomicMin(&count, 40u); }}}`,
    ),
  },
  {
    name: "reserved by one for all",
    code: "counter-over-capacity",
    text: kernel(
      `${COUNT}\n${LIST}\nvar<workgroup> base: u32;`,
      32,
      `if (lane == 0u) { base = atomicAdd(&count, {{32u||20u}}); } //!
let first = workgroupUniformLoad(&base);
if (lane < 20u && first + lane < 40u) { list[first + lane] = lane; }`,
    ),
    launch: { workgroups: [2] },
  },
  {
    name: "the next step cuts the count, or does not",
    code: "counter-over-capacity",
    text: `${COUNT}\n${LIST}\n@group(0) @binding(2) var<storage, read_write> size: u32;
@compute @workgroup_size(64) fn main() { let at = atomicAdd(&count, 1u); if (at < 40u) { list[at] = 1u; } } //!
@compute @workgroup_size(1) fn plan() { size = {{atomicLoad(&count)||min(atomicLoad(&count), 40u)}}; }`,
    launch: {
      steps: [
        { entry: "main", workgroups: [1] },
        { entry: "plan", workgroups: [1] },
      ],
    },
  },

  {
    name: "a queue of work goes past its end by design",
    code: "counter-over-capacity",
    text: kernel(
      `${COUNT}\n${LIST}\n@group(0) @binding(2) var<storage, read> work: array<u32, 40>;\nvar<workgroup> next: u32;`,
      4,
      `for (var round = 0u; round < 30u; round++) {
  if (lane == 0u) { next = atomicAdd(&count, 1u); } //!
  let at = workgroupUniformLoad(&next);
  if (at >= 40u) { break; }
  if (lane == 0u) { list[at] = {{round||work[at] * 2u}}; }
}`,
    ),
    launch: { workgroups: [4] },
  },

  // ---------------------------------------------------------------- waiting
  {
    name: "lock that spins",
    code: "no-forward-progress",
    text: kernel(
      "@group(0) @binding(0) var<storage, read_write> lock: atomic<u32>;",
      8,
      `{{loop { if (atomicCompareExchangeWeak(&lock, 0u, 1u).exchanged) { break; } }||for (var n = 0u; n < 9u; n++) { if (atomicCompareExchangeWeak(&lock, 0u, 1u).exchanged) { break; } }}} //!
atomicSub(&lock, 1u);`,
    ),
    launch: {},
    checks: ["progress"],
  },
  {
    name: "exchange as a lock",
    code: "no-forward-progress",
    text: kernel(
      "@group(0) @binding(0) var<storage, read_write> lock: atomic<u32>;",
      8,
      `{{while (atomicExchange(&lock, 1u) == 1u) { }||_ = atomicExchange(&lock, 1u);}} //!\natomicStore(&lock, 0u);`,
    ),
    checks: ["progress"],
  },
  {
    name: "first lane waits for the last",
    code: "no-forward-progress",
    text: kernel(
      "var<workgroup> ready: atomic<u32>;",
      64,
      `if (lane == 63u) { atomicStore(&ready, 1u); }
{{if (lane == 0u) { while (atomicLoad(&ready) == 0u) { } }||workgroupBarrier();}} //!`,
    ),
    checks: ["progress"],
  },
  {
    name: "last lane waits for the first",
    code: "no-forward-progress",
    text: kernel(
      "var<workgroup> ready: atomic<u32>;",
      64,
      `if (lane == 0u) { atomicStore(&ready, 1u); }
{{if (lane == 63u) { while (atomicLoad(&ready) == 0u) { } }||workgroupBarrier();}} //!`,
    ),
    checks: ["progress"],
  },
  {
    name: "workgroups wait for each other",
    code: "no-forward-progress",
    text: kernel(
      COUNT,
      4,
      `if (lane == 0u) {
  atomicAdd(&count, 1u);
  {{loop { if (atomicLoad(&count) >= 8u) { break; } }||}} //!
}`,
    ),
    launch: { workgroups: [8] },
    checks: ["progress"],
  },
  {
    name: "waits in a helper",
    code: "no-forward-progress",
    text: kernel(
      `${COUNT}\nfn full() -> bool {\n  return atomicLoad(&count) >= 4u; //!\n}`,
      1,
      `atomicAdd(&count, 1u);\n{{while (!full()) { }||_ = full();}}`,
    ),
    launch: { workgroups: [4] },
    checks: ["progress"],
  },
  {
    name: "nobody ever sets it",
    code: "no-forward-progress",
    text: kernel(COUNT, 2, `{{while (atomicLoad(&count) != 5u) { }||_ = atomicLoad(&count);}} //!`),
    checks: ["progress"],
  },
  {
    name: "a compare-exchange loop that takes what it saw does not wait",
    code: "no-forward-progress",
    text: kernel(
      COUNT,
      16,
      `var seen = atomicLoad(&count);
loop {
  let r = atomicCompareExchangeWeak(&count, {{0u||seen}}, seen | 1u); //!
  if (r.exchanged) { break; }
  seen = r.old_value;
}`,
    ),
    checks: ["progress"],
  },

  // ---------------------------------------------------------------- order
  {
    name: "floats added as they come",
    code: "order-dependent",
    text: kernel(
      "@group(0) @binding(0) var<storage, read> xs: array<f32, 64>;\n@group(0) @binding(1) var<storage, read_write> sum: atomic<u32>;",
      64,
      `loop {
  let seen = atomicLoad(&sum);
  let next = bitcast<u32>(bitcast<f32>(seen) + xs[lane]);
  if (atomicCompareExchangeWeak(&sum, seen, next).exchanged) { break; } //!
}`,
    ),
    launch: { buffers: { xs: "{{random:64:seed=3||fill:0.5:64}}" } },
    checks: ["order"],
  },
  {
    name: "floats collected as they come, then added",
    code: "order-dependent",
    text: kernel(
      "@group(0) @binding(0) var<storage, read> xs: array<f32, 64>;\n@group(0) @binding(1) var<storage, read_write> total: f32;\nvar<workgroup> n: atomic<u32>;\nvar<workgroup> kept: array<f32, 64>;",
      64,
      `let at = atomicAdd(&n, 1u);
kept[{{at||lane}}] = xs[lane];
workgroupBarrier();
if (lane == 0u) {
  var s = 0.0;
  for (var k = 0u; k < 64u; k++) { s += kept[k]; } //!
  total = s;
}`,
    ),
    launch: { buffers: { xs: "random:64:seed=5:min=-1000:max=1000" } },
    checks: ["order"],
  },

  // ---------------------------------------------------------------- contention and unwritten memory
  {
    name: "one counter for all, or one for each workgroup first",
    code: "contention",
    text: kernel(
      `${COUNT}\nvar<workgroup> own: atomic<u32>;`,
      64,
      `{{atomicAdd(&count, 1u);||atomicAdd(&own, 1u);}} //!
workgroupBarrier();
{{||if (lane == 0u) { atomicAdd(&count, atomicLoad(&own)); }}}`,
    ),
    launch: { workgroups: [8] },
  },
  {
    name: "workgroup memory that nobody has written",
    code: "unwritten-read",
    text: kernel(
      `${OUT}\n${TILE}`,
      64,
      `{{||tile[lane] = 0u;}}\nworkgroupBarrier();\ndst[lane] = tile[63u - lane]; //!`,
    ),
    checks: ["init"],
  },
  {
    name: "a buffer that the host does not fill",
    code: "unwritten-read",
    text: kernel(`${DATA}\n${OUT}`, 64, `{{||data[lane] = lane;}}\ndst[lane] = data[lane]; //!`),
    launch: { buffers: { data: { unwritten: 256 } } },
    checks: ["init"],
  },
];

/** Those whose right twin differs in the launch. */
export const RIGHT_LAUNCH: Readonly<Record<string, Partial<Launch>>> = {
  "one list index twice": { buffers: { at: { u32: [0, 1, 2, 3, 4, 5, 6, 7] } } },
  "minus one added": { buffers: { count: { u32: [8] } } },
  "counter at its end": { buffers: { count: { u32: [4294967287] } } },
};

export function variant(text: string, which: "wrong" | "right"): string {
  return text.replaceAll(
    /\{\{((?:[^{}]|\{[^{}]*\}|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*?)\|\|((?:[^{}]|\{[^{}]*\}|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*?)\}\}/g,
    (_, wrong: string, right: string) => (which === "wrong" ? wrong : right),
  );
}
