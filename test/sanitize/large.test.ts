/** Dispatches of some size, that all workers take part in: found is what a small one of the same kind has. */
import { afterAll, describe, expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import type { Launch } from "../../src/launch/launch.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { type SanitizeOptions, sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";

const engines = [
  ...[1, 2].map((workers) => createWasmEngine(nodeThreads, { workers })),
  // As in a page that is not cross-origin isolated.
  createWasmEngine({ ...nodeThreads, sharesMemory: false }),
];
afterAll(() => {
  for (const engine of engines) engine.close();
});

async function look(text: string, launch: Omit<Launch, "shader">, options: SanitizeOptions = {}) {
  const program = analyze(new Source(text, "shader.wgsl"));
  const result = await sanitize({ ...launch, shader: program }, options);
  const findings = result.findings.map(({ code, source, span, resource, count, accesses }) => ({
    code,
    line: source.position(span.start).line,
    path: resource?.path ?? null,
    count,
    invocations: accesses.map(({ invocation }) => invocation.global),
    values: accesses.map(({ value }) => value),
  }));
  return { findings, engine: result.engine, accesses: result.checked.accesses, schedules: result.checked.schedules };
}

/** On both engines the same; it is what is returned. */
async function onBoth(text: string, launch: Omit<Launch, "shader">, options: SanitizeOptions = {}) {
  const [one, two] = [
    await look(text, launch, { ...options, engine: engines[0] }),
    await look(text, launch, { ...options, engine: engines[1] }),
  ];
  expect(two).toEqual(one);
  return one;
}

const HEAD = `
@group(0) @binding(0) var<storage, read_write> cells: array<u32>;
@group(0) @binding(1) var<storage, read_write> flag: u32;
var<workgroup> tile: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) wg: vec3u) {
`;
/** 2^17 invocations: of so many only a part is watched where something is wrong. */
const LARGE = { workgroups: [2048], buffers: { cells: `zeros:${2 ** 17}`, flag: "0" } };
/** 2^14 invocations: all of them are. */
const MIDDLE = { workgroups: [256], buffers: { cells: `zeros:${2 ** 14}`, flag: "0" } };
const BRIEF: SanitizeOptions = { scheduleBudget: 0 };

describe.each([
  ["large", LARGE],
  ["middle", MIDDLE],
] as const)("a %s dispatch", (_, launch) => {
  test("is settled by the first pass alone where nothing is wrong", async () => {
    const body = `tile[lane] = cells[id.x]; workgroupBarrier(); cells[id.x] = tile[63u - lane] + flag;`;
    const { findings, accesses, engine } = await onBoth(`${HEAD}${body}}`, launch, BRIEF);
    expect(findings).toEqual([]);
    expect(engine).toBe("wasm");
    expect(accesses).toBe(launch.workgroups[0] * 64 * 5);
  });

  test("two workgroups that write one word, on whichever worker", async () => {
    const body = `cells[id.x] = lane; if (lane == 3u && wg.x % 100u == 50u) { flag = wg.x; }`;
    const text = `${HEAD}${body}}`;
    const expected = await look(text, launch, BRIEF);
    for (const engine of engines) {
      const found = await look(text, launch, { ...BRIEF, engine });
      expect(found.findings).toEqual(expected.findings);
      expect(found.accesses).toBe(expected.accesses);
    }
    expect(expected.findings).toMatchObject([{ code: "race-across-workgroups", path: "flag" }]);
  });

  test("one workgroup far behind reads what another one writes", async () => {
    const last = launch.workgroups[0] - 1;
    const body = `cells[id.x] = lane; if (wg.x == ${last}u) { _ = cells[lane]; }`;
    const { findings } = await onBoth(`${HEAD}${body}}`, launch, BRIEF);
    expect(findings).toMatchObject([{ code: "race-across-workgroups", count: 64 }]);
  });

  test("races in workgroup memory", async () => {
    const body = `tile[lane] = id.x; cells[id.x] = tile[63u - lane];`;
    const { findings } = await onBoth(`${HEAD}${body}}`, launch, BRIEF);
    expect(findings.map(({ code }) => code)).toEqual(["race-workgroup"]);
  });

  test("indices out of bounds are counted", async () => {
    const body = `if (id.x % 1000u == 999u) { cells[id.x + arrayLength(&cells)] = 1u; }`;
    const text = `${HEAD}${body}}`;
    const expected = await look(text, launch, BRIEF);
    const { findings } = await onBoth(text, launch, BRIEF);
    expect(findings).toEqual(expected.findings);
    expect(findings).toMatchObject([{ code: "out-of-bounds", count: Math.floor((launch.workgroups[0] * 64) / 1000) }]);
  });
});

const COUNTING = `
struct List { count: atomic<u32>, items: array<u32> }
@group(0) @binding(0) var<storage, read_write> list: List;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
`;

describe("counters of a large dispatch", () => {
  const launch = {
    workgroups: [2048],
    buffers: { list: JSON.stringify({ count: 0, items: new Array<number>(1000).fill(0) }) },
  };

  test("one that is left too high, and queued at", async () => {
    const body = `let at = atomicAdd(&list.count, 1u); if (at < arrayLength(&list.items)) { list.items[at] = id.x; }`;
    const { findings } = await onBoth(`${COUNTING}${body}}`, launch, BRIEF);
    expect(findings).toMatchObject([
      { code: "counter-over-capacity", path: "list.count", count: 1 },
      { code: "contention", path: "list.count", count: 2 ** 17 },
    ]);
  });

  test("one that goes below zero", async () => {
    const { findings } = await onBoth(
      `${COUNTING} if (id.x == 70000u) { _ = atomicSub(&list.count, 1u); }}`,
      launch,
      BRIEF,
    );
    expect(findings).toMatchObject([{ code: "counter-underflow", path: "list.count", count: 1 }]);
    expect(findings[0].invocations).toEqual([[70000, 0, 0]]);
  });

  test("one that is queued at late", async () => {
    const body = `if (id.x >= 100000u) { _ = atomicAdd(&list.count, 1u); }`;
    const { findings } = await onBoth(`${COUNTING}${body}}`, launch, BRIEF);
    expect(findings).toMatchObject([{ code: "contention", path: "list.count", count: 2 ** 17 - 100000 }]);
  });

  test("what is found from counts is what the interpreter sees", async () => {
    const body = `_ = atomicAdd(&list.count, 1u); if (id.x % 2u == 0u) { _ = atomicAdd(&list.count, 2u); }`;
    const small = { ...launch, workgroups: [64] };
    const expected = await look(`${COUNTING}${body}}`, small, BRIEF);
    const found = await look(`${COUNTING}${body}}`, small, { ...BRIEF, engine: engines[1] });
    expect(found.findings).toEqual(expected.findings);
    expect(found.findings.map(({ code }) => code)).toEqual(["contention"]);
  });
});

test.each([
  ["what races in both of two variables", "a[id.x / 2u] = id.x; b[id.x / 3u] = id.x;", 3],
  ["what does not race", "a[id.x] = id.x; b[id.x] = a[id.x];", 0],
])("with little memory for cells, %s", async (_, body, count) => {
  const text = `
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { ${body} }`;
  const launch = { workgroups: [256], buffers: { a: "zeros:16384", b: "zeros:16384" } };
  const expected = await look(text, launch, BRIEF);
  expect(expected.findings).toHaveLength(count);
  // Cells of both do not fit, of one they do; then those of none.
  for (const shadowBytes of [2 ** 19, 2 ** 14]) {
    const { findings } = await onBoth(text, launch, { ...BRIEF, shadowBytes });
    expect(findings).toEqual(expected.findings);
  }
});

test.each([
  ["all invocations", "cells[lane % 8u] += 1u; cells[id.x + 9u] = lane;"],
  ["a few of them", "cells[lane % 8u] = id.x; if (wg.x % 50u == 7u && lane > 60u) { cells[id.x * 4u] += 1u; }"],
  [
    "in what races, and is racy where it is not",
    "cells[(id.x % 3u) * 8000u] += 1u; tile[id.x % 70u] = lane; flag = tile[3];",
  ],
  [
    "in values and variables of a function",
    "var own = array<u32, 4>(); own[lane % 5u] = 1u; cells[lane % 3u] = own[lane % 6u] + vec4u(1u, 2u, 3u, 4u)[lane % 5u];",
  ],
  ["of a pointer that is passed on", "cells[lane % 8u] = id.x; put(&cells[id.x + 1u]);"],
  ["of one that nobody uses", "cells[lane % 8u] = id.x; let p = &cells[id.x * 2u]; if (wg.x == 200u) { *p += 1u; }"],
  ["behind barriers", "cells[lane % 8u] = id.x; workgroupBarrier(); storageBarrier(); cells[id.x * 3u] = 1u;"],
])("races, and indices out of bounds, %s", async (_, body) => {
  const text = `fn put(p: ptr<storage, u32, read_write>) { *p += 1u; }\n${HEAD}${body}}`;
  const expected = await look(text, MIDDLE, BRIEF);
  const codes = new Set(expected.findings.map(({ code }) => code));
  expect([...codes]).toEqual(expect.arrayContaining(["out-of-bounds", "race-across-workgroups"]));
  for (const engine of engines) {
    expect((await look(text, MIDDLE, { ...BRIEF, engine })).findings).toEqual(expected.findings);
  }
});

test.each([
  ["on a part", 512, 4, ["interleave", "random"]],
  ["on a small part, and one alone, where it is not so large", 255, 2, ["interleave"]],
] as const)("of a large dispatch other schedules are tried %s", async (_, workgroups, part, others) => {
  const text = `
@group(0) @binding(0) var<storage, read_write> sum: atomic<u32>;
@group(0) @binding(1) var<storage> values: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  var old = atomicLoad(&sum);
  loop {
    let swap = atomicCompareExchangeWeak(&sum, old, bitcast<u32>(bitcast<f32>(old) + values[id.x]));
    if (swap.exchanged) { break; }
    old = swap.old_value;
  }
}`;
  const { findings, schedules } = await onBoth(text, {
    workgroups: [workgroups],
    buffers: { values: `random:${64 * workgroups}`, sum: "0" },
  });
  expect(findings.map(({ code }) => code)).toContain("order-dependent");
  expect(schedules).toEqual([
    { schedule: "in-order", seed: 1 },
    ...others.map((schedule) => ({ schedule, seed: 1, workgroups: part })),
  ]);
});

test("what is looked at again begins as earlier dispatches have left the memory", async () => {
  const shader = `
@group(0) @binding(0) var<storage, read_write> cells: array<u32>;
@compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) id: vec3u) { cells[id.x] += 5u + id.x / 64u; }
@compute @workgroup_size(64) fn race(@builtin(global_invocation_id) id: vec3u) {
  let old = cells[id.x];
  if (id.x % 64u == 1u) { cells[id.x + 1u] = old + 100u; }
}`;
  const step = (entry: string, repeat = 1) => ({ entry, workgroups: [256], repeat });
  const launch = (...steps: readonly ReturnType<typeof step>[]) => ({ steps, buffers: { cells: `fill:3:${2 ** 14}` } });
  const valuesOf = async (...steps: readonly ReturnType<typeof step>[]) => {
    const { findings } = await onBoth(shader, launch(...steps), BRIEF);
    return findings.map(({ code, values }) => [code, ...values]);
  };
  // In order: who reads finds what was written on top of that.
  expect(await valuesOf(step("race"))).toEqual([["race-storage", 103, 103]]);
  expect(await valuesOf(step("fill"), step("race"))).toEqual([["race-storage", 108, 108]]);
  expect(await valuesOf(step("fill", 3), step("race"))).toEqual([["race-storage", 118, 118]]);
});
