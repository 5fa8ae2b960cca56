import { expect, test } from "vitest";
import { readPairs } from "../../test/sanitize/pairs.ts";
import { check } from "../check.ts";
import type { Finding } from "../sanitize/finding.ts";
import { sanitize } from "../sanitize/sanitize.ts";
import { applyEdits } from "../text/edit.ts";
import { codeActions, fixesOf } from "./actions.ts";

/** The text with what is offered for what is said about a race; null: nothing is. */
function mended(text: string): string | null {
  const actions = codeActions(check(text).analysis, { start: 0, end: text.length });
  const action = actions.find(({ diagnostic: { code } }) => code === "lost-update" || code === "missing-barrier");
  return action === undefined ? null : applyEdits(text, action.edits);
}

const MAIN = "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u)";
const ONE = "@group(0) @binding(0) var<storage, read_write> one: u32;";
const MANY = "@group(0) @binding(0) var<storage, read_write> many: array<i32>;";

test.each([
  ["a scalar", `${ONE}\n${MAIN} { one += 1u; }`, "one: atomic<u32>;", "atomicAdd(&one, 1u);"],
  ["an element", `${MANY}\n${MAIN} { many[0] = many[0] - 3; }`, "array<atomic<i32>>", "atomicSub(&many[0], 3);"],
  [
    "a member",
    `struct S { a: f32, hits: u32 } @group(0) @binding(0) var<storage, read_write> s: S;\n${MAIN} { s.hits++; }`,
    "hits: atomic<u32> }",
    "atomicAdd(&s.hits, 1);",
  ],
  [
    "other accesses with it",
    `${MANY}\n${MAIN} { many[0] += 1; }\nfn f() { many[2] = many[1] + many[many[3]]; }`,
    "atomicAdd(&many[0], 1);",
    "atomicStore(&many[2], atomicLoad(&many[1]) + atomicLoad(&many[atomicLoad(&many[3])]));",
  ],
])("an update of %s becomes atomic", (_, text, declared, access) => {
  const result = mended(text);
  expect(result).toContain(declared);
  expect(result).toContain(access);
  expect(check(result!).diagnostics.filter(({ code }) => code === "lost-update")).toEqual([]);
});

test.each([
  ["floats have no atomics", `@group(0) @binding(0) var<storage, read_write> one: f32;\n${MAIN} { one += 1.0; }`],
  ["no atomic function multiplies", `${ONE}\n${MAIN} { one += 1u;\n if id.x == 0u { one *= 2u; } }`],
  ["it is handed on", `${ONE} fn f(p: ptr<storage, u32, read_write>) {}\n${MAIN} { one += 1u; f(&one); }`],
  ["a vector has no atomic part", `@group(0) @binding(0) var<storage, read_write> v: vec2u;\n${MAIN} { v.x += 1u; }`],
])("nothing is offered where %s", (_, text) => {
  expect(mended(text)).toBeNull();
});

const TILE = `var<workgroup> tile: array<u32, 64>;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
`;

test.each([
  [
    "between two lines",
    "  tile[i] = i;\n  out[i] = tile[63u - i];\n}",
    "  tile[i] = i;\n+\n  out[i] = tile[63u - i];\n}",
  ],
  [
    "before the branch that not all take",
    "  tile[i] = i;\n  let n = 2u;\n  if i < n {\n    out[i] = tile[63u - i];\n  }\n}",
    "  tile[i] = i;\n  let n = 2u;\n+\n  if i < n {\n    out[i] = tile[63u - i];\n  }\n}",
  ],
  ["not in one line", "  tile[i] = i; out[i] = tile[63u - i];\n}", null],
])("a missing barrier is put %s", (_, body, expected) => {
  const text = expected === null ? null : TILE + expected.replace("+", "  workgroupBarrier();");
  expect(check(TILE + body).diagnostics).toMatchObject([{ code: "missing-barrier" }]);
  expect(mended(TILE + body)).toBe(text);
});

test("a barrier ends the round of a loop", () => {
  const loop = (end: string) => `${TILE}  for (var step = 32u; step > 0u; step /= 2u) {
    out[i] = tile[63u - i];
    workgroupBarrier();
    tile[i] = step;
${end}  }
}`;
  expect(check(loop("")).diagnostics).toMatchObject([{ code: "missing-barrier" }]);
  expect(mended(loop(""))).toBe(loop("    workgroupBarrier();\n"));
  expect(check(loop("    workgroupBarrier();\n")).diagnostics).toEqual([]);
});

/** What is left of the findings of a text after each with its first fix; null: there is nothing to mend it. */
async function leftOf(body: string, head = TILE): Promise<readonly (readonly string[] | null)[]> {
  const { program } = check(head + body);
  const { findings } = await sanitize({ shader: program!, workgroups: [1], buffers: { out: "iota:64" } });
  const left = findings.map(async (finding) => {
    const [first] = fixesOf(program!, finding);
    if (first === undefined) return null;
    const again = await sanitize({
      shader: applyEdits(head + body, first.edits),
      workgroups: [1],
      buffers: { out: "iota:64" },
    });
    return again.findings.map(({ code }) => code);
  });
  return Promise.all(left);
}

const COUNTS = TILE.replace("array<u32, 64>", "array<atomic<u32>, 64>");
const clear = "  if (i < 8u) { atomicStore(&tile[i], 0u); }\n";
const gather = "  if (i > 3u) {\n    atomicAdd(&tile[i % 8u], 1u);\n  }\n";
const give = "  if (i < 8u) { out[i] = atomicLoad(&tile[i]); }\n}";
const [own, other] = ["  workgroupBarrier();\n", "  storageBarrier();\n"];

test.each([
  ["before they are counted", clear + gather + own + give, [[]]],
  ["before the counts are read", clear + own + gather + give, [[]]],
  ["where another one stands", clear + other + gather + own + give, [[]]],
  ["where two others stand", clear + other + gather + other + give, [["unordered-atomics"], ["unordered-atomics"]]],
])("counts are mended by a barrier %s", async (_, body, expected) => {
  expect(await leftOf(body, COUNTS)).toEqual(expected);
});

const rounds = "  for (var k = 0u; k < 4u; k++) {\n    tile[i] = out[i] + k;\n    workgroupBarrier();";

test.each([
  ["a round that ends in the access", `${rounds}\n    out[i] += tile[63u - i];\n  }\n}`, [[]]],
  [
    "… in a loop of it",
    `${rounds}\n    var x = 0u;\n    for (var j = 0u; j < 64u; j++) { x += tile[j]; }\n  }\n}`,
    [[]],
  ],
  ["the bracket stands on its line", `${rounds}\n    out[i] += tile[63u - i]; }\n}`, [null]],
  ["another barrier", "  tile[i] = out[i];\n  storageBarrier();\n  out[i] = tile[63u - i];\n}", [[]]],
  [
    "another barrier in a round",
    "  for (var k = 0u; k < 4u; k++) {\n    let x = tile[63u - i];\n    storageBarrier();\n    tile[i] = x + k;\n    workgroupBarrier();\n  }\n}",
    [[]],
  ],
  [
    "two others in a round, for both",
    "  for (var k = 0u; k < 4u; k++) {\n    let x = tile[63u - i];\n    storageBarrier();\n    tile[i] = x + k;\n    storageBarrier();\n  }\n}",
    [[]],
  ],
  [
    "others in rounds of rounds",
    "  for (var k = 0u; k < 4u; k++) {\n    for (var j = 0u; j < 2u; j++) {\n      let x = tile[63u - i];\n      storageBarrier();\n      tile[i] = x + k;\n      storageBarrier();\n    }\n  }\n  storageBarrier();\n}",
    [[]],
  ],
  [
    "one of two stands on the line of an access",
    "  for (var k = 0u; k < 4u; k++) {\n    let x = tile[63u - i]; storageBarrier();\n    tile[i] = x + k;\n    storageBarrier();\n  }\n}",
    [null],
  ],
  ["it stands on the line", "  tile[i] = out[i]; storageBarrier();\n  out[i] = tile[63u - i];\n}", [null]],
])("a finding is mended by a barrier: %s", async (_, body, left) => {
  expect(await leftOf(body)).toEqual(left);
});

/** Two findings of one race: their accesses stand in lines of the same text. */
function raceOf(text: string, { code, accesses }: Finding): string {
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length - 1;
  return [code, ...accesses.map(({ kind, span }) => `${kind} ${text.split("\n")[lineOf(span.start)].trim()}`)].join(
    "; ",
  );
}

test("what is offered for the races of all pairs is legal, and what it is offered for is gone", async () => {
  const kinds = new Set<string>();
  const left: string[] = [];
  for (const { file, name, wrong } of readPairs()) {
    if (wrong.expected.every(({ code }) => !code.startsWith("race-") && code !== "wrong-barrier")) continue;
    const { program } = check(wrong.text);
    const { findings } = await sanitize({ ...wrong.launch, shader: program! }, wrong.options);
    for (const finding of findings) {
      for (const { code, edits, title } of fixesOf(program!, finding)) {
        kinds.add(code);
        const text = applyEdits(wrong.text, edits);
        const again = check(text);
        expect(again.ok, `${file}, ${name}: ${title}`).toBe(true);
        const after = await sanitize({ ...wrong.launch, shader: again.program! }, wrong.options);
        const races = after.findings.map((each) => raceOf(text, each));
        if (races.includes(raceOf(wrong.text, finding))) left.push(`${name}: ${title}`);
      }
    }
  }
  expect(left).toEqual([]);
  expect([...kinds].sort()).toEqual(["insert-behind-line", "insert-behind-lines", "make-atomic"]);
}, 300_000);
