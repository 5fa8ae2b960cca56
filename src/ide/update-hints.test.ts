/** What is said of updates that race, and what is offered for it: after that nothing races. */
import { expect, test } from "vitest";
import { check } from "../check.ts";
import { sanitize } from "../sanitize/sanitize.ts";
import { applyEdits } from "../text/edit.ts";
import type { Span } from "../text/source.ts";
import { codeActions, fixesOf } from "./actions.ts";

const shaderOf = (body: string, declared = "alias N = u32;") => `${declared}
var<workgroup> tile: array<u32, 4>;
var<workgroup> sums: array<f32, 4>;
@group(0) @binding(0) var<storage, read_write> n: N;
@group(0) @binding(1) var<storage, read_write> all: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
${body}
}`;

async function racesOf(text: string, workgroups = 1) {
  const { program, diagnostics } = check(text);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const launch = { shader: program!, workgroups: [workgroups], buffers: { all: "zeros:64" } };
  const { findings } = await sanitize(launch, { checks: ["races", "atomics"] });
  return { program: program!, findings };
}

/** By the lines of the body that race: the hint. */
async function hints(text: string, workgroups = 1): Promise<Readonly<Record<string, string>>> {
  const { findings } = await racesOf(text, workgroups);
  const before = text.indexOf("{\n", text.indexOf("@compute")) + 2;
  const first = text.slice(0, before).split("\n").length - 1;
  return Object.fromEntries(
    findings.map(({ source, accesses, notes }) => {
      const lines = accesses.map(({ span }) => source.position(span.start).line - first);
      return [[...lines].sort().join(" and "), notes.at(-1)!.message];
    }),
  );
}

const both = (here: string, there: string, line: number) =>
  `an ${here} here and an ${there} on line ${line} make reading, computing and writing one step each`;
const barrier = (line: number) => `a workgroupBarrier() after line ${line} orders them`;

test.each([
  ["one element of several", "tile[i & 3u] += 1u;\ntile[(i + 1u) & 3u] += 2u;", both("atomicAdd", "atomicAdd", 7)],
  [
    "in other words",
    "tile[i & 3u]++;\nlet old = tile[i >> 4u];\ntile[i >> 4u] = old - 2u;",
    both("atomicSub", "atomicAdd", 7),
  ],
  [
    "the greatest",
    "if (i > tile[0]) { tile[0] = i; }\ntile[i & 1u] = max(tile[i & 1u], 3u);",
    both("atomicMax", "atomicMax", 7),
  ],
  [
    "one by a single invocation",
    "if (i == 5u) { tile[1] += 7u; }\ntile[i & 3u] += 1u;",
    both("atomicAdd", "atomicAdd", 7),
  ],
  [
    "under conditions",
    "if (i > 9u) { tile[1] ^= i; }\nif (i < 5u) { tile[1] ^= 4u; }",
    both("atomicXor", "atomicXor", 7),
  ],
])("two lines that each race with themselves want atomics, no barrier: %s", async (_, body, expected) => {
  const text = shaderOf(body);
  expect(Object.values(await hints(text))).toContain(expected);
  expect(Object.values(await hints(text)).filter((hint) => hint.includes("arrier"))).toEqual([]);
  const { program, findings } = await racesOf(text);
  for (const finding of findings) {
    const lineOf = ({ source }: typeof finding, { start }: Span) => source.position(start).line;
    const linesOf = (each: typeof finding) => each.accesses.map(({ span }) => lineOf(each, span)).join();
    for (const { edits } of fixesOf(program, finding)) {
      const { findings: left } = await racesOf(applyEdits(text, edits));
      expect(left.map(linesOf)).not.toContain(linesOf(finding));
    }
    // What is loaded in one statement and stored in another one is nothing that an edit of single accesses mends.
    if (!/let|if/.test(body)) expect(fixesOf(program, finding).map(({ code }) => code)).toEqual(["make-atomic"]);
  }
});

test("across workgroups, and of floats", async () => {
  const storage = shaderOf("all[i & 3u] += 1u;\nall[i >> 4u] += 2u;");
  expect(new Set(Object.values(await hints(storage, 2)))).toEqual(
    new Set(["an atomicAdd here makes reading, computing and writing one step", both("atomicAdd", "atomicAdd", 7)]),
  );
  const floats = await hints(shaderOf("sums[i & 3u] += 1.0;\nsums[i >> 4u] += 2.0;"));
  expect(new Set(Object.values(floats))).toEqual(
    new Set(["a compare-exchange loop on the bits here, or a sum in a fixed order, makes it one step"]),
  );
});

const slot = (take: string, counter: string, count?: string, index = "slot") =>
  `‘let slot = ${take};’ reads and counts in one step: use slot in place of ‘${counter}’${count === undefined ? "" : `, if (${index} < ${count})`}`;
/** What was read has a name in the text. */
const kept = (name: string, take: string, count: string, index = name) =>
  `‘let ${name} = ${take};’ reads and counts in one step: use it if (${index} < ${count})`;
const exchange = "a loop of atomicCompareExchangeWeak here makes reading, computing and writing one step";
const add = "an atomicAdd here makes reading, computing and writing one step";

/** Sums of as many terms as no one counts: each is twice a term of the next. */
const doubled = (first: string, last: string) => `var x = ${first};\n${"x = x + x;\n".repeat(64)}${last}`;
const named = (first: string, last: string) =>
  `let x0 = ${first};\n${Array.from({ length: 64 }, (_, i) => `let x${i + 1} = x${i} + x${i};\n`).join("")}${last}`;

test.each([
  ["what is added", doubled("i", "n = n + x;"), add],
  ["what is added, by name", named("i", "n = n + x64;"), add],
  ["what was read", doubled("n", "n = x;"), exchange],
  ["what was read, by name", named("n", "n = x64;"), exchange],
  ["what was read, then a term once", `let read = n;\nlet x = read + i;\n${named("x", "n = x64;")}`, exchange],
  ["an index", named("n", "n = x0 + 1u;\nall[x64] = 1u;"), kept("x0", "atomicAdd(&n, 1u)", "arrayLength(&all)", "x64")],
])("as many terms as no one counts: %s", async (_, body, expected) => {
  const all = Object.values(await hints(shaderOf(body)));
  expect(all).toContain(expected);
});

test.each([
  ["lines that each have places of their own", "tile[i] += 1u;\ntile[3u - i] += 2u;", barrier(7)],
  ["a line that sets, before others count", "tile[i & 3u] = 0u;\ntile[i & 3u] += 1u;", barrier(7)],
  [
    "a line that does what must come before what another one does",
    "tile[i & 3u] += 1u;\ntile[i & 3u] |= 64u;",
    barrier(7),
  ],
  ["a line that reads what others counted", "tile[i & 3u] += 1u;\nall[i] = tile[i & 3u];", barrier(7)],
])("a barrier orders %s", async (_, body, expected) => {
  const text = shaderOf(body).replace("array<u32, 4>", body.includes("tile[i]") ? "array<u32, 64>" : "array<u32, 4>");
  expect((await hints(text.replace("3u - i", "63u - i")))["1 and 2"]).toBe(expected);
});

const ATOMIC = "alias N = atomic<u32>;";
const guarded = "let slot = atomicAdd(&n, 1u); if (slot < arrayLength(&all)) { all[slot] = i; }";

test.each([
  [
    "n counts",
    "alias N = u32;",
    "all[n] = i;\nn = n + 1u;",
    slot("atomicAdd(&n, 1u)", "n", "arrayLength(&all)"),
    guarded,
  ],
  [
    "in one line",
    "alias N = u32;",
    "all[n] = i; n += 1u;",
    slot("atomicAdd(&n, 1u)", "n", "arrayLength(&all)"),
    guarded,
  ],
  [
    "counted first",
    "alias N = u32;",
    "n++;\nall[n - 1u] = i;",
    slot("atomicAdd(&n, 1u) + 1u", "n", "arrayLength(&all)", "slot - 1u"),
    guarded,
  ],
  [
    "through a variable",
    "alias N = u32;",
    "let at = n;\nn = at + 1u;\nall[at] = i;",
    kept("at", "atomicAdd(&n, 1u)", "arrayLength(&all)"),
    guarded.replaceAll("slot", "at"),
  ],
  [
    "under a condition",
    "alias N = u32;",
    "if (n < 60u) {\n all[n] = i;\n n += 1u; }",
    slot("atomicAdd(&n, 1u)", "n", "arrayLength(&all)"),
    guarded,
  ],
  [
    "several places",
    "alias N = u32;",
    "all[n] = i;\nall[n + 1u] = i;\nn += 2u;",
    slot("atomicAdd(&n, 2u)", "n", "arrayLength(&all)", "slot + 1u"),
    "let slot = atomicAdd(&n, 2u); if (slot + 1u < arrayLength(&all)) { all[slot] = i; all[slot + 1u] = i; }",
  ],
  [
    "behind it",
    "alias N = u32;",
    "all[n + 1u] = i;\nn += 1u;",
    slot("atomicAdd(&n, 1u)", "n", "arrayLength(&all)", "slot + 1u"),
    "let slot = atomicAdd(&n, 1u); if (slot + 1u < arrayLength(&all)) { all[slot + 1u] = i; }",
  ],
  [
    "behind it, through a variable",
    "alias N = u32;",
    "let at = n;\nn = at + 2u;\nall[at + 1u] = i;\nall[at] = i;",
    kept("at", "atomicAdd(&n, 2u)", "arrayLength(&all)", "at + 1u"),
    null,
  ],
  [
    "in pairs",
    "alias N = u32;",
    "all[2u * n + 1u] = i;\nn += 1u;",
    slot("atomicAdd(&n, 1u)", "n", "arrayLength(&all)", "2u * slot + 1u"),
    "let slot = atomicAdd(&n, 1u); if (2u * slot + 1u < arrayLength(&all)) { all[2u * slot + 1u] = i; }",
  ],
  [
    "in two lists",
    "alias N = u32; var<workgroup> few: array<u32, 8>;",
    "all[n + (i & 1u)] = i;\nfew[n] = i;\nn += 1u;",
    slot("atomicAdd(&n, 1u)", "n", "8u", "slot + (i & 1u) < arrayLength(&all) && slot"),
    null,
  ],
  [
    "a ring",
    "alias N = u32;",
    "all[n % 64u] = i;\nn += 1u;",
    slot("atomicAdd(&n, 1u)", "n"),
    "let slot = atomicAdd(&n, 1u); all[slot % 64u] = i;",
  ],
  [
    "taken from a list",
    "alias N = u32;",
    "n -= 1u;\nall[n & 63u] = i;",
    slot("atomicSub(&n, 1u) - 1u", "n"),
    "let slot = atomicSub(&n, 1u) - 1u; all[slot & 63u] = i;",
  ],
  [
    "a member",
    "struct N { used: u32, items: array<u32, 32> }",
    "n.items[n.used] = i;\nn.used++;",
    slot("atomicAdd(&n.used, 1u)", "n.used", "32u"),
    null,
  ],
  [
    "atomic, in two steps",
    ATOMIC,
    "all[atomicLoad(&n)] = i;\natomicAdd(&n, 1u);",
    slot("atomicAdd(&n, 1u)", "atomicLoad(&n)", "arrayLength(&all)"),
    guarded,
  ],
  [
    "atomic, counted first, where the name is taken",
    ATOMIC,
    "atomicAdd(&n, 1u);\nlet slot = atomicLoad(&n) - 1u;\nall[slot] = i;",
    slot("atomicAdd(&n, 1u) + 1u", "atomicLoad(&n)", "arrayLength(&all)", "slot - 1u").replaceAll("slot", "slot2"),
    "let slot2 = atomicAdd(&n, 1u) + 1u;\nlet slot = slot2 - 1u;\nif (slot2 - 1u < arrayLength(&all)) { all[slot] = i; }",
  ],
  [
    "atomic, in three",
    ATOMIC,
    "let at = atomicLoad(&n);\natomicStore(&n, at + 1u);\nall[at] = i;",
    kept("at", "atomicAdd(&n, 1u)", "arrayLength(&all)"),
    guarded.replaceAll("slot", "at"),
  ],
])("a counter that gives places gives them and counts in one step: %s", async (_, declared, body, expected, mended) => {
  const text = shaderOf(body, declared);
  const { program, findings } = await racesOf(text);
  const about = findings.filter(({ resource }) => resource?.name === "n" && !resource.path.includes("items"));
  expect(about.length).toBeGreaterThan(0);
  for (const finding of about) {
    expect(finding.notes.at(-1)!.message).toBe(expected);
    // Atomic one by one it would race as before.
    expect(fixesOf(program, finding)).toEqual([]);
  }
  if (mended !== null) expect((await racesOf(shaderOf(mended, ATOMIC))).findings).toEqual([]);
});

test.each([
  [
    "a parameter",
    "alias N = u32; fn push(by: u32) { all[n] = by; n += by; }",
    "push(i & 1u);",
    slot("atomicAdd(&n, by)", "n", "arrayLength(&all)"),
  ],
  [
    "by a call that is made once",
    "alias N = u32; var<private> next: u32; fn more() -> u32 { next += 1u; return next; }",
    "let by = more();\nall[n] = i;\nn = by + n;",
    slot("atomicAdd(&n, by)", "n", "arrayLength(&all)"),
  ],
  [
    "a parameter, atomic",
    "alias N = atomic<u32>; fn push(by: u32) { all[atomicLoad(&n)] = by; atomicAdd(&n, by); }",
    "push(i & 1u);",
    slot("atomicAdd(&n, by)", "atomicLoad(&n)", "arrayLength(&all)"),
  ],
  [
    "a sum, taken away",
    "alias N = u32;",
    "n -= i + 1u;\nall[n & 63u] = i;",
    slot("atomicSub(&n, i + 1u) - (i + 1u)", "n"),
  ],
  [
    "a signed number",
    "alias N = i32;",
    "all[n] = i;\nn += 1;",
    slot("atomicAdd(&n, 1i)", "n", "arrayLength(&all)").replace("(slot <", "(u32(slot) <"),
  ],
  [
    "a signed number, behind it",
    "alias N = i32;",
    "all[n + 1] = i;\nn += 1;",
    slot("atomicAdd(&n, 1i)", "n", "arrayLength(&all)", "u32(slot + 1)"),
  ],
  [
    "a signed number, converted",
    "alias N = i32;",
    "all[u32(n) + 1u] = i;\nn += 1;",
    slot("atomicAdd(&n, 1i)", "n", "arrayLength(&all)", "u32(slot) + 1u"),
  ],
  [
    "a number, converted and multiplied",
    "alias N = u32;",
    "all[i32(n) * 2] = i;\nn += 1u;",
    slot("atomicAdd(&n, 1u)", "n", "arrayLength(&all)", "u32(i32(slot) * 2)"),
  ],
  ["with itself", "alias N = u32;", "all[n + n] = i;\nn += 1u;", slot("atomicAdd(&n, 1u)", "n")],
  [
    "through a pointer",
    "alias N = u32;",
    "let p = &n;\nall[*p] = i;\n*p += 1u;",
    slot("atomicAdd(p, 1u)", "*p", "arrayLength(&all)"),
  ],
])("what a counter that gives places counts by, in words that are WGSL: %s", async (_, declared, body, expected) => {
  const { findings } = await racesOf(shaderOf(body, declared));
  const about = findings.filter(({ resource }) => resource?.name === "n");
  expect(about.length).toBeGreaterThan(0);
  for (const { notes } of about) expect(notes.at(-1)!.message).toBe(expected);
});

test.each([
  ["what is looked up there", "all[all[0] & 1u] += i;\ntile[i & 3u] = all[0];"],
  ["one invocation counts", "all[n] = i;\nif (i == 0u) { n += 1u; }"],
])("no counter that gives places: %s", async (_, body) => {
  const said = Object.values(await hints(shaderOf(body)));
  expect(said.length).toBeGreaterThan(0);
  expect(said.filter((hint) => hint.includes("slot"))).toEqual([]);
});

test("what advice offers for a counter that gives places", () => {
  const offered = (body: string) => {
    const text = shaderOf(body).replace("n: N", "n: u32");
    const actions = codeActions(check(text).analysis, { start: 0, end: text.length });
    return actions.filter(({ diagnostic: { code } }) => code === "lost-update").map(({ title }) => title);
  };
  expect(offered("n += 1u;")).toEqual(["make ‘n’ atomic"]);
  expect(offered("all[n] = i;\nn += 1u;")).toEqual([]);
  expect(offered("let at = n;\nn += 1u;\nall[at] = i;")).toEqual([]);
});

const LOOP = "a loop of atomicCompareExchangeWeak here makes reading, computing and writing one step";

test.each([
  ["tile[0] = tile[0] * 31u + i;", "tile[0] = tile[0] + 31u * i;", "atomicAdd"],
  ["tile[0] = i - tile[0];", "tile[0] = tile[0] - i;", "atomicSub"],
  ["tile[0] ^= tile[0] << 13u;", "tile[0] ^= i << 13u;", "atomicXor"],
  ["tile[0] = (tile[0] & 3u) | i;", "tile[0] = i | tile[0] | 3u;", "atomicOr"],
  ["tile[0] = max(tile[0] + 1u, i);", "tile[0] = max(i, tile[0]);", "atomicMax"],
  ["tile[0] = (tile[0] + i) % 16u;", "let old = tile[0]; tile[0] = i + 3u + old;", "atomicAdd"],
])("no single atomic function does %s", async (other, single, atomic) => {
  expect(new Set(Object.values(await hints(shaderOf(other))))).toEqual(new Set([LOOP]));
  const one = `an ${atomic} here makes reading, computing and writing one step`;
  expect(new Set(Object.values(await hints(shaderOf(single))))).toEqual(new Set([one]));
});

test.each([
  ["n |= 1i << (i & 7u);", "i32", "make it ‘atomic<i32>’ and use atomicOr, or"],
  ["n = max(i, n);", "u32", "make it ‘atomic<u32>’ and use atomicMax, or"],
  ["n--;", "u32", "make it ‘atomic<u32>’ and use atomicSub, or"],
  ["n = n * 3u + i;", "u32", "change its bits in a loop of atomicCompareExchangeWeak, or"],
  ["n = i - n;", "u32", "change its bits in a loop of atomicCompareExchangeWeak, or"],
  ["n += f32(i);", "f32", "change its bits in a loop of atomicCompareExchangeWeak, or"],
])("advice says what an update becomes: %s", (body, type, way) => {
  const { diagnostics } = check(shaderOf(body, `alias N = ${type};`));
  const notes = diagnostics.flatMap(({ code, notes }) => (code === "lost-update" ? notes : []));
  expect(notes.map(({ message }) => message)).toEqual([`${way} give each invocation an element of ‘n’ of its own`]);
});
