import { expect, test } from "vitest";
import { readPairs } from "../../test/sanitize/pairs.ts";
import { analyze } from "../analysis/analyze.ts";
import { Source } from "../text/source.ts";
import { sanitize } from "./sanitize.ts";

/** The repair hints of the races in a body; `tile` holds a value of each of the 64 lanes. */
async function hints(body: string, access = "read_write"): Promise<readonly string[]> {
  const text = `var<workgroup> tile: array<u32, 64>;
@group(0) @binding(0) var<storage, ${access}> all: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
  tile[lane] = lane; workgroupBarrier();
${body}
}`;
  const shader = analyze(new Source(text, "shader.wgsl"));
  const { findings } = await sanitize({ shader, workgroups: [1], buffers: { all: "iota:64" } });
  return findings.filter(({ code }) => code.startsWith("race-")).map(({ notes }) => notes.at(-1)!.message);
}

const within = ["read into a variable, then ‘workgroupBarrier();’, then write"];
const apart = (barrier: string) => [
  `read into a variable in one ‘if’ and write in another, with ‘${barrier}();’ between them where all invocations come to it`,
];
const loop = "for (var step = 1u; step < 64u; step *= 2u)";
const downwards = "for (var step = 32u; step > 0u; step /= 2u)";

test.each([
  ["a scan", `${loop} { if (lane >= step) { tile[lane] += tile[lane - step]; }\nworkgroupBarrier();\n}`],
  ["barrier first", `${loop} { workgroupBarrier();\nif (lane >= step) { tile[lane] += tile[lane - step]; }\n}`],
  ["written out", `${loop} { if (lane >= step) { tile[lane] = tile[lane - step] + 1u; }\nworkgroupBarrier();\n}`],
  ["without a loop", "if (lane > 0u) { tile[lane] = tile[lane - 1u]; }\nworkgroupBarrier();"],
])("both in one statement, %s: a barrier behind it is there already", async (_, body) => {
  expect(await hints(body)).toEqual(apart("workgroupBarrier"));
});

test.each([
  "tile[lane] = tile[63u - lane];",
  "if (all[5] == 0u) { return; }\ntile[lane] = tile[63u - lane];",
  "for (var k = 0u; k < 3u; k++) {\nworkgroupBarrier();\ntile[lane] += tile[63u - lane];\n}",
])("both in one statement to which all come: %s", async (body) => {
  expect(await hints(body, "read")).toEqual(within);
});

test("both in one statement behind a return", async () => {
  const body = "if (lane == 0u) { return; }\ntile[lane] = tile[lane - 1u];";
  expect(await hints(body)).toEqual(apart("workgroupBarrier"));
});

test("in storage it is the barrier for storage", async () => {
  const body = `${loop} { if (lane >= step) { all[lane] += all[lane - step]; }\nstorageBarrier();\n}`;
  expect(await hints(body)).toEqual(apart("storageBarrier"));
});

test.each([
  ["another round", `${downwards} {\nif (lane < step) {\ntile[lane] += tile[lane + step];\n}\n}`, 9],
  [
    "two statements",
    `${loop} { var x = 0u;\nif (lane >= step) { x = tile[lane - step]; }\ntile[lane] += x;\nworkgroupBarrier();\n}`,
    7,
  ],
  ["no barrier at the end", `${loop} { var x = tile[63u - lane];\nworkgroupBarrier();\ntile[lane] = x;\n}`, 8],
])("a barrier where there is none, %s", async (_, body, line) => {
  expect(await hints(body)).toEqual([`a workgroupBarrier() after line ${line - 1} orders them`]);
});

const races = readPairs().filter(({ code }) => code.startsWith("race-workgroup") || code.startsWith("race-storage"));

test.each(races)("$name: no hint asks for a barrier that stands there", async ({ wrong }) => {
  const shader = analyze(new Source(wrong.text, "shader.wgsl"));
  const { findings } = await sanitize({ ...wrong.launch, shader }, wrong.options);
  const lines = wrong.text.split("\n");
  for (const { notes } of findings) {
    const { line, barrier } = notes.at(-1)?.args ?? {};
    if (line === undefined || barrier === undefined) continue;
    expect(lines[Number(line)].trim().startsWith(`${barrier}()`)).toBe(false);
  }
});

const parted = [
  "a workgroupBarrier() that all invocations come to orders them: end the branch before it and take it up again behind it",
];

test.each([
  ["two statements under a condition", "if (lane < 9u) { tile[lane] = 2u;\nall[lane] = tile[lane + 1u]; }"],
  ["two branches of one condition", "if (lane < 9u) { tile[lane] = 2u; } else {\nall[lane] = tile[lane - 9u]; }"],
  ["two cases", "switch lane { case 0: { tile[lane] = 2u; }\ndefault: { all[lane] = tile[lane - 1u]; } }"],
  ["behind a return", "if (lane > 9u) { return; }\ntile[lane] = 2u;\nall[lane] = tile[lane + 1u];"],
])("%s: a barrier cannot stand between them as they are", async (_, body) => {
  expect(await hints(body)).toContainEqual(parted[0]);
});

test("what decides over a branch is read in time", async () => {
  expect(await hints("if (tile[lane] > 9u) { tile[lane - 1u] = 0u; }")).toEqual(within);
});

test("a barrier that a ‘continue’ passes by does not end each round", async () => {
  const body = `for (var i = 0u; i < 3u; i++) { tile[lane] = i;\nworkgroupBarrier();\nall[lane] = tile[63u - lane];
    if (all[i] == 0u) { continue; }\nworkgroupBarrier(); }`;
  const shared = "@group(0) @binding(0) var<storage, read> all: array<u32>;";
  const text = `var<workgroup> tile: array<u32, 64>;\n${shared}
    @group(0) @binding(1) var<storage, read_write> dst: array<u32, 64>;
    @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {\n${body.replace("all[lane] =", "dst[lane] +=")}\n}`;
  const { findings } = await sanitize({
    shader: analyze(new Source(text)),
    workgroups: [1],
    buffers: { all: "zeros:64" },
  });
  expect(findings.map(({ notes }) => notes.at(-1)!.message)).toEqual(["a workgroupBarrier() after line 7 orders them"]);
});

test.each([
  ["if (lane > all[lane & 3u]) { all[lane & 3u] = lane; }", "atomicMax"],
  ["if (all[lane & 3u] <= lane) { all[lane & 3u] = lane; }", "atomicMax"],
  ["let v = 9u - lane;\nif (all[0] >= v) {\nall[0] = v;\n}", "atomicMin"],
  ["if (tile[lane] > all[0]) { all[0] = tile[lane]; }", "atomicMax"],
])("the greatest or least that several keep: %s", async (body, name) => {
  expect(new Set(await hints(body))).toEqual(
    new Set([`an ${name} here makes reading, computing and writing one step`]),
  );
});

test.each([
  "if (lane > all[1]) { all[0] = lane; all[1] = 2u; }",
  "if (lane > all[0]) { all[0] = lane; } else { all[2] = 4u; }",
  "if (lane != all[0]) { all[0] = lane; }",
  "if (lane > all[0]) { all[0] = lane + 1u; }",
])("what no atomic function does: %s", async (body) => {
  const found = await hints(body);
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((hint) => hint.startsWith("an atomic"))).toEqual([]);
});

test.each([
  ["count", "let before = atomicLoad(&n[lane & 3]);\natomicStore(&n[lane & 3], before + 1u);", "atomicAdd"],
  ["greatest", "atomicStore(&n[lane & 3], max(atomicLoad(&n[lane & 3]), lane));", "atomicMax"],
])("an atomic that several load, change and store: %s", async (_, body, name) => {
  const text = `@group(0) @binding(0) var<storage, read_write> n: array<atomic<u32>, 4>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {\n${body}\n}`;
  const { findings } = await sanitize({ shader: analyze(new Source(text)), workgroups: [2] });
  const found = findings.filter(({ code }) => code === "unordered-atomics").map(({ notes }) => notes.at(-1)!.message);
  expect(new Set(found)).toEqual(new Set([`an ${name} here makes reading, computing and writing one step`]));
});

test("a place that several read, add to and write", async () => {
  const body = "let before = tile[lane / 2u];\ntile[lane / 2u] = before + 1u;";
  expect(new Set(await hints(body))).toEqual(
    new Set(["an atomicAdd here makes reading, computing and writing one step"]),
  );
});

test("what one function keeps the greatest of and another one the least is no one step", async () => {
  const text = `@group(0) @binding(0) var<storage, read_write> all: array<u32, 4>;
fn up(v: u32) { if (v > all[0]) { all[0] = v; } }
fn down(v: u32) { if (v < all[0]) { all[0] = v; } }
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) { up(lane); down(lane + 3u); }`;
  const { findings } = await sanitize({ shader: analyze(new Source(text)), workgroups: [1] });
  const told = findings.flatMap(({ source, accesses, notes }) => {
    const [first, second] = accesses.map(({ span }) => source.position(span.start).line);
    return first === undefined ? [] : [`${first} and ${second}: ${notes.at(-1)!.args.atomic}`];
  });
  expect([...new Set(told)]).toEqual(["2 and 2: atomicMax", "2 and 3: undefined", "3 and 3: atomicMin"]);
});

test.each([
  ["all[id.x] = (all[id.x - 1u] + all[id.x + 1u]) / 2u;", "other"],
  ["let before = all[id.x + 1u];\nvar x = before * 2u;\nx += 1u;\nall[id.x] = x;", "other"],
  ["all[id.x] = id.x;\nout[id.x] = all[id.x + 1u];", "dispatches"],
  ["out[id.x] = all[id.x + 1u];\nall[id.x] = id.x;", "dispatches"],
])("across workgroups, what is read goes into what is written, or not: %s", async (body, which) => {
  const text = `@group(0) @binding(0) var<storage, read_write> all: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {
_ = out[0];
${body}
}`;
  const { findings } = await sanitize({
    shader: analyze(new Source(text, "shader.wgsl")),
    workgroups: [16],
    buffers: { all: "iota:17", out: "zeros:16" },
  });
  const told = findings.filter(({ code }) => code === "race-across-workgroups").map(({ notes }) => notes.at(-1)!.code);
  expect(new Set(told)).toEqual(new Set([which === "other" ? "hint-other-buffer" : "hint-dispatches"]));
});

test.each([
  ["behind it", "let base = tile[5];\nall[lane] = base;\nif (lane == 63u) { tile[5] = base + 1u; }", 5],
  [
    "in a loop",
    "for (var k = 0u; k < 3u; k++) {\nall[lane] += tile[5];\nif (lane == 0u) { tile[5] += k; }\nworkgroupBarrier();\n}",
    6,
  ],
])("what one counts for all is read in time, and counted by no atomic function, %s", async (_, body, line) => {
  expect(await hints(body)).toEqual([`a workgroupBarrier() after line ${line} orders them`]);
});

const rounds = (barrier: string) =>
  `let all invocations make the same rounds, ask in each who has something to do, and end it with a ${barrier}()`;

test.each([
  ["all", "storageBarrier", "for (var n = (64u + lane) / 2u; n > 0u; n /= 2u) { all[n] = all[(2u * n) % 64u] + 1u; }"],
  [
    "tile",
    "workgroupBarrier",
    "var n = lane + 1u;\nwhile (n < 64u && n % 2u == 0u) {\nn /= 2u;\ntile[n] = tile[2u * n] + 1u;\n}",
  ],
  [
    "tile",
    "workgroupBarrier",
    "var n = 32u;\nloop {\nif (lane >= n) { break; }\ntile[lane] += tile[lane + n];\nn /= 2u;\n}",
  ],
])("a loop that each leaves when it is through, %s by %s", async (_, barrier, body) => {
  expect(await hints(body)).toContainEqual(rounds(barrier));
});

test.each([
  "var a = lane;\nwhile (all[a] != a) { a = all[a]; }\nall[a / 2u] = lane / 4u;",
  "var a = lane;\nloop {\nlet next = all[a];\nif (next == a) { break; }\na = next;\n}\nall[a / 2u] = lane / 2u;",
])("a place that is found from element to element: %s", async (body) => {
  const found = await hints(body);
  const chase =
    "its place is found by what others change: make ‘all’ atomic, write by atomicCompareExchangeWeak what is still as it was found, and look again where it is not";
  expect(new Set(found)).toEqual(new Set([chase]));
});

test.each([
  [
    "a flag of a place that two have",
    "if (tile[lane / 2u] != 99u) {\ntile[lane / 2u] = 99u;\nall[lane] = 1u;\n}",
    5,
    6,
  ],
  ["looked at before", "let is = all[lane / 2u];\nif (is < 40u) { all[lane / 2u] = 40u + lane; }", 5, 6],
])("who looks and takes, %s", async (_, body, load, store) => {
  const claim = `make it atomic: an atomicCompareExchangeWeak in place of what is read on line ${load} and written on line ${store} looks and takes in one step: where ‘exchanged’ is false, look again`;
  expect(new Set(await hints(body))).toEqual(new Set([claim]));
});

test.each([
  "fn put(i: u32) { tile[i] = i; }\nfn take(i: u32) -> u32 { return tile[63u - i]; }",
  "fn put(i: u32) { set_it(i); }\nfn set_it(i: u32) { tile[i] = i; }\nfn take(i: u32) -> u32 { return tile[63u - i]; }",
])("functions of one line: the barrier stands between their calls: %s", async (functions) => {
  const text = `${functions}\nvar<workgroup> tile: array<u32, 64>;
@group(0) @binding(0) var<storage, read_write> all: array<u32, 64>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
  put(lane);
  all[lane] = take(lane);
}`;
  const { findings } = await sanitize({ shader: analyze(new Source(text)), workgroups: [1] });
  const line = text.split("\n").indexOf("  put(lane);") + 1;
  expect(findings.map(({ notes }) => notes.at(-1)!.message)).toEqual([
    `a workgroupBarrier() after line ${line} orders them`,
  ]);
});

test("two statements of one line have none behind it", async () => {
  expect(await hints("tile[lane] = 1u + lane; all[lane] = tile[63u - lane];")).toEqual([
    "a workgroupBarrier() between the two orders them",
  ]);
});

test.each([
  ["two", "if (lane == 0u) { v.x = 1u; }\nif (lane == 1u) { v.w = 2u; }"],
  ["one, chosen by the lane", "v[lane % 4u] = lane;"],
])("components of one vector by several invocations: %s", async (_, body) => {
  const text = `var<workgroup> v: vec4u;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) {
${body}
}`;
  const { findings } = await sanitize({ shader: analyze(new Source(text)), workgroups: [1] });
  expect(findings.map(({ code, notes }) => `${code}: ${notes.at(-1)!.code}`)).toEqual([
    "race-workgroup: hint-own-vector",
  ]);
});
