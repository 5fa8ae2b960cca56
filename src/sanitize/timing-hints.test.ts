import { describe, expect, test } from "vitest";
import type { BufferContents } from "../launch/launch.ts";
import { sanitize } from "./sanitize.ts";

const head = `@group(0) @binding(0) var<storage, read_write> owner: array<atomic<u32>, 16>;
@group(0) @binding(1) var<storage, read_write> o: array<u32, 256>;
@group(0) @binding(2) var<storage, read_write> n: atomic<u32>;
@group(0) @binding(3) var<storage, read> a: array<u32>;
var<workgroup> base: u32;
var<workgroup> found: u32;
var<workgroup> yes: bool;
var<workgroup> f: f32;
var<workgroup> m: atomic<u32>;
fn isFree(c: u32) -> bool { return atomicLoad(&owner[c]) == 0u; }
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
`;

/** `code: hint` of each finding that is no information; lines count from that of the body. */
async function hints(body: string, workgroups: number, a: BufferContents = "iota:256"): Promise<readonly string[]> {
  const { findings } = await sanitize({ shader: `${head}${body}\n}`, workgroups: [workgroups], buffers: { a } });
  const told = findings.filter(({ severity }) => severity !== "info");
  const own = (text: string) => text.replace(/line (\d+)/g, (_, line) => `line ${Number(line) - 12}`);
  return [...new Set(told.map(({ code, notes }) => `${code}: ${own(notes.at(-1)!.message)}`))];
}

describe.each([1, 4])("what is looked at and then taken is taken in one step, %d workgroups", (workgroups) => {
  test.each([
    [
      "by its number",
      "let c = i % 16u;\nif (atomicLoad(&owner[c]) == 0u) {\natomicStore(&owner[c], id.x + 1u); }",
      2,
      3,
    ],
    [
      "by one number",
      "if (atomicLoad(&owner[i % 16u]) == 0u) {\natomicStore(&owner[i % 16u], 1u);\no[id.x] = 1u; }",
      1,
      2,
    ],
    ["left early", "if (atomicLoad(&n) != 0u) { return; }\natomicStore(&n, id.x + 1u);\no[id.x] = 1u;", 1, 2],
    [
      "by way of a variable",
      "let free = atomicLoad(&n) == 0u;\nif (free && i > 3u) { atomicStore(&n, id.x + 1u); }",
      1,
      2,
    ],
    [
      "each storing the same",
      "let free = atomicLoad(&n) == 0u;\nif (free) { atomicStore(&n, 1u);\no[id.x] = 1u; }",
      1,
      2,
    ],
    [
      "in workgroup memory, by data",
      "let free = atomicLoad(&m);\nif (free == 0u && a[i] % 3u == 0u) { atomicStore(&m, 1u);\no[id.x] = free; }",
      1,
      2,
    ],
    [
      "in rounds",
      "for (var k = 0u; k < 4u; k++) {\nlet free = atomicLoad(&m);\nif (free == k && a[i] > 5u) {\natomicStore(&m, k + 1u);\no[id.x] = free; } }",
      2,
      4,
    ],
  ])("%s", async (_, body, load, store) => {
    const hint = `an atomicCompareExchangeWeak in place of the atomicLoad on line ${load} and the atomicStore on line ${store} looks and takes in one step: where ‘exchanged’ is false, look again`;
    expect(await hints(body, workgroups)).toContain(`unordered-atomics: ${hint}`);
  });
});

test.each([
  ["another place", "if (atomicLoad(&n) == 0u) { atomicStore(&owner[0], id.x); }\natomicStore(&n, 1u);", 4],
  ["one of them stores", "let x = atomicLoad(&n);\nif (x == 0u && i == 0u) { atomicStore(&n, 1u); }\no[id.x] = x;", 1],
  ["… by its data", "let x = atomicLoad(&n);\nif (x == 0u && a[i] == 7u) { atomicStore(&n, 1u); }\no[id.x] = x;", 1],
  [
    "… in each round another one",
    "for (var k = 0u; k < 8u; k++) {\nlet x = atomicLoad(&m);\nif (x == k && i == k) { atomicStore(&m, k + 1u); }\nworkgroupBarrier();\no[id.x] = x; }",
    1,
  ],
  [
    "… early",
    "let x = atomicLoad(&n);\no[id.x] = x;\nif (i > 0u) { return; }\nif (x == 0u) { atomicStore(&n, 1u); }",
    1,
  ],
])("nothing is taken: %s", async (_, body, workgroups) => {
  expect((await hints(body, workgroups)).join()).not.toContain("in one step");
});

describe("a compare-exchange with what was loaded in front of its loop", () => {
  const stale =
    "no-forward-progress: compare with .old_value of the round before, not with what was loaded in front of the loop";

  test.each([
    [
      "a sum",
      "let old = atomicLoad(&n);\nloop { let r = atomicCompareExchangeWeak(&n, old, old + 1u);\nif (r.exchanged) { break; } }",
    ],
    [
      "a maximum",
      "let old = atomicLoad(&n);\nloop { if (id.x < old) { break; }\nif (atomicCompareExchangeWeak(&n, old, id.x + 1u).exchanged) { break; } }",
    ],
    ["a variable", "var old = atomicLoad(&n);\nwhile (!atomicCompareExchangeWeak(&n, old, old + a[i]).exchanged) {}"],
    [
      "workgroup memory",
      "let old = atomicLoad(&m);\nwhile (!atomicCompareExchangeWeak(&m, old, old + 1u).exchanged) {}",
    ],
  ])("%s", async (_, body) => {
    expect(await hints(body, 1, "fill:1:256")).toEqual([stale]);
  });

  test.each([
    [
      "taken anew",
      "var old = atomicLoad(&n);\nloop { let r = atomicCompareExchangeWeak(&n, old, old + 1u);\nif (r.exchanged) { break; }\nold = r.old_value; }",
    ],
    [
      "loaded anew",
      "loop { let old = atomicLoad(&n);\nif (atomicCompareExchangeWeak(&n, old, old + 1u).exchanged) { break; } }",
    ],
  ])("not where it is %s", async (_, body) => {
    expect(await hints(body, 1)).toEqual([]);
  });

  test("not of a lock", async () => {
    const body = "while (!atomicCompareExchangeWeak(&n, 0u, 1u).exchanged) {}\no[0] += 1u;\natomicStore(&n, 0u);";
    expect((await hints(body, 1)).join()).toContain("no-forward-progress: no lock:");
  });
});

describe("two writes to one place that something unordered gave them", () => {
  test.each([
    [
      "a counter",
      "let slot = atomicLoad(&n);\natomicStore(&n, slot + 1u);\nif (slot < 256u) { o[slot] = id.x; }",
      "‘n’, which is read by atomicLoad on line 1",
    ],
    [
      "by way of memory",
      "let k = atomicAdd(&m, 1u);\nif (i == 0u) { base = atomicAdd(&n, atomicLoad(&m)); }\nworkgroupBarrier();\nif (base + k < 256u) { o[base + k] = id.x; }",
      "‘m’, which is read by atomicLoad on line 2",
    ],
    ["a plain one", "o[o[255] % 64u] = i;\no[255] = o[255] + 1u;", "‘o[255]’, which is read on line"],
  ])("%s", async (_, body, expected) => {
    const races = (await hints(body, 2)).filter((each) => /^race.*: its place/.test(each));
    expect(races.length).toBeGreaterThan(0);
    for (const race of races) expect(race).toContain(`its place hangs on ${expected}`);
  });

  test.each([
    ["by number", "o[i / 2u] = id.x;\nlet x = atomicLoad(&n);\natomicStore(&n, x + 1u);"],
    ["by what nobody writes", "o[a[i] / 2u] = id.x;"],
  ])("nothing gave it: %s", async (_, body) => {
    expect((await hints(body, 1)).join()).toContain("let one invocation write it, or give each a place of its own");
  });
});

describe("several write the same", () => {
  const flag = "same-value-write: make it atomic<u32> and set it by atomicStore or atomicOr";
  test.each([
    ["each by its own data", "if (a[i] > 7u) { found = 1u; }\nworkgroupBarrier();\no[id.x] = found;", flag],
    ["a bool", "if (a[i] > 7u) { yes = true; }\nworkgroupBarrier();\no[id.x] = u32(yes);", flag],
    [
      "all of them",
      "found = 1u;\nworkgroupBarrier();\no[id.x] = found;",
      "same-value-write: let one invocation write it",
    ],
    ["a float", "if (a[i] > 7u) { f = 1.0; }\nworkgroupBarrier();\no[id.x] = u32(f);", "same-value-write: let one"],
  ])("%s", async (_, body, expected) => {
    const [hint, ...others] = await hints(body, 1);
    expect(others).toEqual([]);
    expect(hint).toContain(expected);
  });
});

describe("what is looked at and replaced by another value", () => {
  const SWAP =
    "unordered-atomics: an atomicExchange in place of the atomicLoad on line 1 and the atomicStore on line 2 looks and puts in one step";

  test.each([
    ["of a list", "let old = atomicLoad(&owner[i % 4u]);\natomicStore(&owner[i % 4u], id.x + 1u); o[id.x] = old;"],
    ["of one word", "let old = atomicLoad(&n);\natomicStore(&n, id.x + 1u); o[id.x] = old;"],
  ])("is exchanged: %s", async (_, body) => {
    expect(await hints(body, 4)).toEqual([SWAP]);
    const mended = body.replace("atomicLoad", "atomicExchange").replace(/\);\natomicStore\(.*?, (.*?)\);/, ", $1);");
    expect(await hints(mended, 4)).toEqual([]);
  });

  test("is not where nobody looks at what was there", async () => {
    const body = "_ = atomicLoad(&n);\natomicStore(&n, id.x + 1u);";
    expect(await hints(body, 4)).not.toContain(SWAP);
  });
});

describe("what comes of a place that is read too early has that for its cause", () => {
  const CAUSE = "its place hangs on ‘n’, which is read by atomicLoad on line 1 while others change it: mend that first";

  test("also where all write the same there", async () => {
    const body = "let at = atomicLoad(&n) % 256u;\natomicStore(&n, at + 1u);\no[at] = 7u;";
    expect(await hints(body, 1)).toContain(`same-value-write: ${CAUSE}`);
  });

  test("also where the elements of one counter run into those of another", async () => {
    const body = `let c = i % 4u; let slot = atomicAdd(&owner[c], 1u);
if (i == 0u) { base = atomicLoad(&owner[0]); }
workgroupBarrier();
let first = select(0u, base, c > 0u) + 16u * max(c, 1u) - 16u;
o[first + slot] = i;`;
    const told = await hints(body, 1);
    const overrun = told.filter((each) => each.startsWith("out-of-bounds"));
    expect(overrun).toEqual([
      "out-of-bounds: its place hangs on ‘owner[0]’, which is read by atomicLoad on line 2 while others change it: mend that first",
    ]);
  });
});

test.each(["atomicStore(&n, id.x);", "o[0] = id.x;"])(
  "what belongs to a maximum is kept in its word: %s",
  async (store) => {
    const told = await hints(`if (a[i] > atomicMax(&owner[0], a[i])) {\n${store} }`, 4);
    expect(new Set(told.map((each) => each.replace(/^.*?: /, "")))).toEqual(
      new Set(["this and ‘owner’ do not change together: keep both in one word that the atomicMax on line 1 changes"]),
    );
    expect(await hints("atomicMax(&owner[0], (a[i] << 16u) | id.x);", 4)).toEqual([]);
  },
);

test("a value that a flag is to announce is kept in its word", async () => {
  const body = `let w = id.x / 64u;
if (i == 0u) {
if (w > 0u) { while (atomicLoad(&owner[w - 1u]) == 0u) { } }
o[w] = select(0u, o[max(w, 1u) - 1u], w > 0u) + 1u;
atomicStore(&owner[w], 1u); }`;
  const told = await hints(body, 4);
  expect(told.filter((each) => each.startsWith("race"))).toEqual([
    "race-across-workgroups: ‘owner[…]’ says nothing of other memory, as atomics order only themselves: keep it and the value in one atomic, or read it in a later dispatch",
  ]);
  const mended = `let w = id.x / 64u;
if (i == 0u) { var sum = 0u;
if (w > 0u) { loop { sum = atomicLoad(&owner[w - 1u]); if (sum != 0u) { break; } } }
atomicStore(&owner[w], sum + 1u); }`;
  expect((await hints(mended, 4)).filter((each) => each.startsWith("race"))).toEqual([]);
});

test.each([
  "for (var k = 0u; k < atomicLoad(&n); k++) { sum += k; }",
  "for (var k = lane; k < min(atomicLoad(&n), 9u); k += 2u) { sum += k; }",
  "var k = 0u;\nloop {\nlet count = atomicLoad(&n);\nif (k >= count) { break; }\nsum += k;\nk++;\n}",
])("a loop that counts up to what others still count waits for nothing: %s", async (loop) => {
  const told = async (barrier: string) => {
    const text = `var<workgroup> n: atomic<u32>;
@group(0) @binding(0) var<storage, read_write> sums: array<u32, 32>;
@compute @workgroup_size(32) fn main(@builtin(local_invocation_index) lane: u32) {
if (lane % 3u == 0u) { atomicAdd(&n, 1u); }
${barrier}
var sum = 0u;
${loop}
sums[lane] = sum;
}`;
    const { findings } = await sanitize({ shader: text, workgroups: [1] });
    return findings.map(({ code, resource }) => `${code} of ${resource?.name}`);
  };
  expect(await told("")).toEqual(["unordered-atomics of n"]);
  expect(await told("workgroupBarrier();")).toEqual([]);
});
