/** Races across workgroups: what stands between and does not help, and what would. */
import { describe, expect, test } from "vitest";
import { sanitize } from "./sanitize.ts";

const HEAD = `struct State { flag: atomic<u32>, value: u32 }
@group(0) @binding(0) var<storage, read_write> a: array<u32, 256>;
@group(0) @binding(1) var<storage, read_write> b: array<u32, 256>;
@group(0) @binding(2) var<storage, read_write> state: array<State, 4>;
@group(0) @binding(3) var<storage, read_write> n: atomic<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32, @builtin(workgroup_id) w: vec3u) {
`;

/** Of each finding the hint, and the lines of storageBarriers() that it names; lines count from that of the body. */
async function told(body: string, code = "race-across-workgroups") {
  const shader = `${HEAD}${body}\n}`;
  const { findings } = await sanitize({ shader, workgroups: [4], buffers: { a: "random:256:seed=3" } });
  return findings
    .filter((finding) => finding.code === code)
    .map(({ source, notes }) => ({
      hint: notes.at(-1)!.code,
      text: notes.at(-1)!.message,
      barriers: notes
        .filter((note) => note.code === "own-barrier")
        .map(({ span }) => source.position(span.start).line - HEAD.split("\n").length + 1),
    }));
}

describe("a storageBarrier() between two workgroups", () => {
  test.each([
    ["behind the write", "a[id.x] = 1u;\nstorageBarrier();\nb[id.x] = a[(id.x + 64u) % 256u];", [2]],
    ["in front of the write", "let x = a[(id.x + 64u) % 256u];\nstorageBarrier();\na[id.x] = x;", [2]],
    ["among others", "storageBarrier();\na[id.x] = 1u;\nstorageBarrier();\nb[id.x] = a[(id.x + 64u) % 256u];", [3]],
    ["elsewhere", "storageBarrier();\na[id.x] = 1u;\nb[id.x] = a[(id.x + 64u) % 256u];\nstorageBarrier();", []],
    ["of another kind", "a[id.x] = 1u;\nworkgroupBarrier();\nb[id.x] = a[(id.x + 64u) % 256u];", []],
  ])("%s", async (_, body, barriers) => {
    const found = await told(body);
    expect(found.length).toBeGreaterThan(0);
    for (const each of found) expect(each.barriers).toEqual(barriers);
  });

  test("of atomics too", async () => {
    const body = "if (id.x == 0u) { atomicStore(&n, 0u); }\nstorageBarrier();\natomicAdd(&n, 1u);";
    const found = await told(body, "unordered-atomics");
    expect(found.map(({ barriers }) => barriers)).toEqual([[2]]);
  });
});

const SORT = `for (var size = 2u; size <= 256u; size <<= 1u) {
for (var stride = size >> 1u; stride > 0u; stride >>= 1u) {
let j = id.x ^ stride;
if (j > id.x && (a[id.x] > a[j]) == ((id.x & size) == 0u)) {
let t = a[id.x];
a[id.x] = a[j];
a[j] = t; }
storageBarrier(); } }`;

test("what is done in rounds takes a dispatch for each, whichever pair is told", async () => {
  const found = await told(SORT);
  expect(found.length).toBeGreaterThan(3);
  for (const { hint, barriers } of found)
    expect({ hint, barriers }).toEqual({ hint: "hint-round-dispatches", barriers: [8] });
});

test.each([
  [
    "one round reads what it writes",
    "for (var k = 0u; k < 4u; k++) {\na[id.x] = a[(id.x + 1u) % 256u];\nstorageBarrier(); }",
    "hint-other-buffer",
  ],
  [
    "all write one place in each round",
    "for (var k = 0u; k < 4u; k++) {\nif (i == 0u) { b[k] = id.x; }\nstorageBarrier(); }",
    "hint-own-place",
  ],
  ["no rounds", "b[id.x] = a[(id.x + 64u) % 256u];\nstorageBarrier();\na[id.x] = 1u;", "hint-dispatches"],
])("no dispatch for each round: %s", async (_, body, hint) => {
  const found = await told(body);
  expect(found.map((each) => each.hint)).toContain(hint);
  expect(found.map((each) => each.hint)).not.toContain("hint-round-dispatches");
});

describe("what a flag announces belongs into the flag's word", () => {
  const set = "if (i == 0u) { state[w.x].value = id.x + 1u;\natomicStore(&state[w.x].flag, 1u); }\n";
  test.each([
    ["read behind the loop that waits", `${set}while (atomicLoad(&state[0].flag) == 0u) {}\nb[id.x] = state[0].value;`],
    [
      "read in the loop that waits",
      `${set}var x = 0u;\nloop {\nif (atomicLoad(&state[0].flag) == 1u) { x = state[0].value;\nbreak; } }\nb[id.x] = x;`,
    ],
    [
      "written behind the loop that waits",
      `if (i == 0u && w.x > 0u) { var x = 0u;\nloop {\nif (atomicLoad(&state[w.x - 1u].flag) == 1u) { x = state[w.x - 1u].value;\nbreak; } }
state[w.x].value = x + 1u;\natomicStore(&state[w.x].flag, 1u); }\nif (id.x == 0u) { state[0].value = 1u;\natomicStore(&state[0].flag, 1u); }`,
    ],
  ])("%s", async (_, body) => {
    const found = await told(body);
    expect(found.length).toBeGreaterThan(0);
    for (const { hint, text } of found) {
      expect(hint).toBe("hint-flag-word");
      expect(text).toMatch(/^‘state\[(…|0)\]\.flag’ says nothing of other memory/);
    }
  });
});
