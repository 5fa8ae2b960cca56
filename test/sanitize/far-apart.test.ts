/** Of a dispatch with more than 2^16 invocations: what one of them does far behind the others is seen too. */
import { afterAll, describe, expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import type { Finding } from "../../src/sanitize/finding.ts";
import { findingsToJson } from "../../src/sanitize/result-json.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";

const engines = [1, 2].map((workers) => createWasmEngine(nodeThreads, { workers }));
afterAll(() => {
  for (const engine of engines) engine.close();
});

const HEAD = `@group(0) @binding(0) var<storage, read_write> o: array<u32>;
@group(0) @binding(1) var<storage, read_write> q: u32;
@group(0) @binding(2) var<storage, read_write> c: atomic<u32>;
@group(0) @binding(3) var<storage, read_write> wide: array<u32, 65>;
var<workgroup> tile: array<u32, 64>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32) {
`;
/** Of the first line of a body. */
const FIRST = HEAD.split("\n").length;

async function look(body: string, options: object): Promise<readonly Finding[]> {
  const shader = analyze(new Source(`${HEAD}${body}\n}`, "shader.wgsl"));
  const launch = { shader, workgroups: [1025], buffers: { o: "zeros:13000", q: "0", c: "0" } };
  return (await sanitize(launch, { scheduleBudget: 0, ...options })).findings;
}

/** The same on the interpreter and with one worker and two. */
async function races(body: string): Promise<readonly string[]> {
  const expected = await look(body, {});
  for (const engine of engines) expect(findingsToJson(await look(body, { engine }))).toEqual(findingsToJson(expected));
  return texts(expected);
}

/** Code, lines in the body, variable and count. */
function texts(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ code, source, accesses, resource, count }) => {
    const lines = accesses.map(({ span }) => source.position(span.start).line - FIRST + 1);
    return `${code} ${lines.join("-")} ${resource?.name} ${count}`;
  });
}

const SWITCH = Array.from({ length: 12 }, (_, k) => `case ${k}u: { o[${k}u * 1000u + g.x / 12u % 1000u] = g.x; }`);

describe("one far behind", () => {
  test.each([
    [
      "writes another value",
      "o[0] = select(1u, 2u, g.x == 50000u);",
      ["race-across-workgroups 1-1 o 1", "race-storage 1-1 o 1"],
    ],
    [
      "reads what the others write",
      "o[g.x % 1024u] = 1u;\nif g.x == 50000u { q = o[1000]; }",
      ["race-across-workgroups 1-2 o 1"],
    ],
    [
      "writes another value into workgroup memory",
      "tile[0] = select(1u, 2u, g.x == 50000u);",
      ["race-workgroup 1-1 tile 1"],
    ],
    [
      "reads workgroup memory too early",
      "tile[l] = 1u;\nif g.x == 50000u { q = tile[l ^ 1u]; }",
      ["race-workgroup 1-2 tile 1"],
    ],
    [
      "is behind a barrier for other memory",
      "o[g.x % 12800u] = g.x;\nworkgroupBarrier();\nif g.x == 50000u { q = o[(g.x + 1u) % 12800u]; }",
      ["wrong-barrier 1-3 o 1"],
    ],
    [
      "sets what the others count",
      "if g.x % 1000u == 7u { atomicAdd(&c, 1u); }\nif g.x == 50000u { atomicStore(&c, 0u); }",
      ["unordered-atomics 1-2 c 1"],
    ],
  ])("%s", async (_, body, expected) => {
    expect(await races(body)).toEqual(expect.arrayContaining(expected));
  });
});

test("two lines that race each with itself", async () => {
  const body = "if g.x < 60000u { o[g.x % 1000u] = g.x; }\nelse { o[1000u + g.x % 1000u] = g.x; }";
  expect(await races(body)).toEqual(["race-across-workgroups 1-1 o 1000", "race-across-workgroups 2-2 o 1000"]);
});

test("twelve lines that race each with itself", async () => {
  const found = await races(`switch g.x % 12u {\n${SWITCH.join("\n")}\ndefault: {} }`);
  expect(found).toEqual(SWITCH.map((_, k) => `race-across-workgroups ${k + 2}-${k + 2} o 1000`));
});

const OFTEN: readonly (readonly [name: string, body: string, expected: readonly string[]])[] = [
  ["another value by one", "o[g.x % 1000u] = select(1u, 2u, g.x == 50000u);", ["race-across-workgroups 2-2 o 1"]],
  [
    "another value in workgroup memory by one",
    "tile[0] = select(1u, 2u, g.x == 50000u);",
    ["race-workgroup 2-2 tile 1"],
  ],
  [
    "a reader far behind",
    "o[g.x % 1024u] = 1u;\nif g.x == 50000u { q = o[1000]; }",
    ["race-across-workgroups 2-3 o 1"],
  ],
  [
    "two lines that race each with itself",
    "if g.x < 60000u { o[g.x % 1000u] = g.x; }\nelse { o[1000u + g.x % 1000u] = g.x; }",
    ["race-across-workgroups 2-2 o 1000", "race-across-workgroups 3-3 o 1000"],
  ],
  [
    "twelve lines that race each with itself",
    `switch g.x % 12u {\n${SWITCH.join("\n")}\ndefault: {} }`,
    SWITCH.map((_, k) => `race-across-workgroups ${k + 3}-${k + 3} o 1000`),
  ],
];

/** With one worker and with two the same. */
async function onBoth(body: string): Promise<readonly Finding[]> {
  const [one, two] = [await look(body, { engine: engines[0] }), await look(body, { engine: engines[1] })];
  expect(findingsToJson(two)).toEqual(findingsToJson(one));
  return one;
}

const isPart = ({ notes }: Finding) =>
  notes.some(({ message }) => /^looked at were \d+ of the 1025 workgroups/.test(message));

describe("of more than 2^22 accesses all are watched", () => {
  test.each(OFTEN)("%s", async (_, body, expected) => {
    const found = await onBoth(`for (var k = 0u; k < 70u; k++) {\n${body}\n}`);
    expect(texts(found)).toEqual(expect.arrayContaining([...expected]));
    expect(found.some(isPart)).toBe(false);
  });
});

describe("also where phases go on from round to round", () => {
  // Atomic functions on both sides of the barrier.
  const counts = "if l > 99u { atomicAdd(&c, 1u); } workgroupBarrier(); if l > 99u { atomicAdd(&c, 1u); }";

  test.each(OFTEN)(
    "%s",
    async (_, body, expected) => {
      const found = await onBoth(`for (var k = 0u; k < 70u; k++) {\n${body}\n${counts} }`);
      const places = (each: string) => each.replace(/ \d+$/, "");
      expect(texts(found).map(places)).toEqual(expect.arrayContaining(expected.map(places)));
      expect(found.some(isPart)).toBe(false);
    },
    60_000,
  );
});

describe("but a part where what races is too large for the log", () => {
  const large = "if g.x < 2u { wide = array<u32, 65>(); }";

  test.each(OFTEN)(
    "%s",
    async (_, body, expected) => {
      const found = await onBoth(`${large} for (var k = 0u; k < 70u; k++) {\n${body}\n}`);
      const places = (each: string) => each.replace(/ \d+$/, "");
      expect(texts(found).map(places)).toEqual(expect.arrayContaining(expected.map(places)));
      expect(found.every(isPart)).toBe(true);
    },
    60_000,
  );
});
