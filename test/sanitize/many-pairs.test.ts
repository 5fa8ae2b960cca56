/** More pairs of places race than are told: which are does not hang on how they are looked for, and no place is left out. */
import { afterAll, expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { reservationsOf } from "../../src/sanitize/append-sites.ts";
import { atomicUses } from "../../src/sanitize/atomic-uses.ts";
import { FindingRoom, type Tellable } from "../../src/sanitize/finding-room.ts";
import { MemoryMap } from "../../src/sanitize/memory-map.ts";
import { type FoundPairs, PairStore } from "../../src/sanitize/pair-store.ts";
import { suspectsOf } from "../../src/sanitize/part-look.ts";
import { type FirstLook, PassOne } from "../../src/sanitize/pass-one.ts";
import { logPairs } from "../../src/sanitize/pass-two.ts";
import { type Pair, RaceLog } from "../../src/sanitize/race-log.ts";
import { findingsToJson } from "../../src/sanitize/result-json.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";
import { Bench } from "../support/engine.ts";
import { ALL_CHECKS } from "./all-checks.ts";

const engines = [1, 2].map((workers) => createWasmEngine(nodeThreads, { workers }));
const pass = PassOne.take(engines[0], ALL_CHECKS, 2 ** 26);
afterAll(() => {
  pass.close();
  for (const engine of engines) engine.close();
});

const HEAD = `
@group(0) @binding(0) var<storage, read_write> o: array<u32, 64>;
@group(0) @binding(1) var<storage, read_write> c: array<atomic<u32>, 16>;
var<workgroup> tile: array<u32, 16>;
@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32) {
`;

const lines = (count: number, line: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => line(k)).join("\n");

const BODIES: Readonly<Record<string, string>> = {
  "additions at the same places": lines(12, (k) => `o[g.x % 8u] += ${k}u;`),
  "readers first, then writers": `var s = 0u; ${lines(8, (k) => `s += o[(g.x + ${k}u) % 8u];`)} ${lines(8, (k) => `o[g.x % 8u] = s + ${k}u;`)}`,
  "some come alone": lines(12, (k) => `if (g.x % 37u == ${k}u) { o[${k % 3}] += ${k}u; }`),
  "places that not all come to": lines(
    12,
    (k) => `if ((g.x * ${2 * k + 3}u) % 5u < 2u) { o[(g.x * ${k + 1}u) % 8u] += ${k}u; }`,
  ),
  "equal values at some": lines(12, (k) => `o[${k % 5}] = select(1u, g.x, g.x % ${k + 2}u == 90u);`),
  "in a workgroup": `${lines(10, (k) => `tile[(l + ${k}u) / 4u] += ${k}u;`)}\nstorageBarrier();\ntile[3] += 1u;\no[0] = tile[l];`,
  "atomics out of order": lines(
    8,
    (k) => `atomicStore(&c[g.x % 4u], ${k}u); o[g.x % 4u + 8u] += atomicLoad(&c[${k % 4}]);`,
  ),
};

const plain = ({ kind, sameValue, first, second, count }: Pair): string =>
  [kind, sameValue, first.site.id, second.site.id, count].join();

function text({ pairs, more }: FoundPairs): object {
  return { pairs: pairs.map(plain).sort(), more };
}

async function racyOf(bench: Bench): Promise<FirstLook> {
  return (await pass.run(bench.request, () => {}, "in-order"))!;
}

function watched(bench: Bench, look: FirstLook, store: PairStore): FoundPairs {
  const { module, request } = bench;
  const map = new MemoryMap(request);
  const log = new RaceLog(map, suspectsOf(map, look.racy), atomicUses(module), reservationsOf(module), store);
  bench.run({ observer: log });
  log.finish();
  return store.finish();
}

const USUAL = { states: () => 64, kept: 2 ** 20, budget: { usual: 2 ** 28, divided: 2 ** 28 } };

test.each(Object.keys(BODIES))("%s: the same pairs however they are found", async (name) => {
  const bench = () => new Bench(`${HEAD}${BODIES[name]}\n}`, { o: 256, c: 64 }, { workgroups: [6, 1, 1] });
  const look = await racyOf(bench());
  const all = watched(bench(), look, new PairStore());
  expect(all.more).toEqual({ races: 0, timing: 0 });
  expect(all.pairs.length).toBeGreaterThan(20);
  const counts = new Map(all.pairs.map((pair) => [plain(pair), pair]));
  const placesOf = (pairs: readonly Pair[]) =>
    new Set(pairs.flatMap(({ first, second }) => [first.site.id, second.site.id])).size;
  for (const most of [1, 5, 17]) {
    const found = watched(bench(), look, new PairStore(undefined, most));
    // Each as it was counted where all were kept, and each place.
    expect(found.pairs.filter((pair) => !counts.has(plain(pair)))).toEqual([]);
    expect(placesOf(found.pairs)).toBe(placesOf(all.pairs));
    expect(found.pairs.length).toBeLessThan(all.pairs.length);
    expect(spots(found.pairs) + found.more.races + found.more.timing).toBe(spots(all.pairs));
    for (const kept of [USUAL.kept, 40]) {
      const store = new PairStore(undefined, most);
      const logged = await logPairs(engines[0], bench().request, look, () => {}, store, { ...USUAL, kept });
      expect(text(logged!.pairs)).toEqual(text(found));
    }
  }
});

/** As they are told: what all write alike is no race of its own. */
function spots(pairs: readonly Pair[]): number {
  return new Set(pairs.map(({ kind, overrun, first, second }) => [kind, overrun, first.site.id, second.site.id].join()))
    .size;
}

test("lines that all race with each other, on all engines", { timeout: 300_000 }, async () => {
  const n = 160;
  const body = Array.from({ length: n }, (_, k) => `data[id.x % 2u] += ${k}u;`).join("\n");
  const source = new Source(
    `@group(0) @binding(0) var<storage, read_write> data: array<u32, 2>;
    @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {\n${body}\n}`,
    "lines.wgsl",
  );
  const look = (options: object) =>
    sanitize({ shader: analyze(source), workgroups: [3] }, { scheduleBudget: 0, ...options });
  const expected = await look({});
  const { findings, checked, ok } = expected;
  expect([ok, findings.length + checked.untold]).toEqual([false, n * (n + 1)]);
  expect(checked.untold).toBeGreaterThan(0);
  for (const code of ["race-storage", "race-across-workgroups"]) {
    const own = findings.filter((finding) => finding.code === code);
    const lines = own.flatMap(({ accesses }) => accesses.map(({ span }) => source.position(span.start).line));
    expect(new Set(lines).size).toBe(n);
  }
  expect(findings.every(({ notes }) => notes.some(({ message }) => message.includes(`${checked.untold} more`)))).toBe(
    true,
  );
  const told = JSON.stringify(findingsToJson(findings));
  for (const engine of engines) {
    const other = await look({ engine, fewInvocations: 0 });
    expect(other.checked.untold).toBe(checked.untold);
    expect(JSON.stringify(findingsToJson(other.findings)) === told).toBe(true);
  }
  const few = await look({ maxFindings: 10 });
  expect([few.findings.length, few.checked.untold, few.ok]).toEqual([10, n * (n + 1) - 10, false]);
  // What is not told is not known, though all that is told is.
  const baseline = new Set(findingsToJson(findings).map(({ fingerprint }) => fingerprint));
  const known = await look({ baseline });
  expect([known.findings, known.checked.suppressed, known.ok]).toEqual([[], findings.length, false]);
});

test("errors that the source silences do not fail a launch because warnings are untold", {
  timeout: 300_000,
}, async () => {
  const text = `@group(0) @binding(0) var<storage, read_write> c: atomic<u32>;
    @group(0) @binding(1) var<storage, read_write> d: u32;
    @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
    // MARK
    d = id.x;
    ${lines(300, (k) => `atomicStore(&c, ${k}u);`)}
    if (atomicLoad(&c) == 7u) { atomicStore(&c, 9u); } }`;
  const look = (mark: string) =>
    sanitize({ shader: analyze(new Source(text.replace("MARK", mark))), workgroups: [2] }, { scheduleBudget: 0 });
  const { findings, checked, ok } = await look("halay-allow-next-line race-storage, race-across-workgroups -- known");
  expect([checked.suppressed, checked.untold > 0, ok]).toEqual([2, true, true]);
  expect(new Set(findings.map(({ severity }) => severity))).toEqual(new Set(["warning", "info"]));
});

test.each([
  ["all lines", "", () => true, true],
  ["all lines but one", "", (k: number) => k !== 80, false],
  ["the function", "@diagnostic(off, halay.race_storage) @diagnostic(off, halay.race_across_workgroups)", null, true],
  [
    "the function, as warnings",
    "@diagnostic(warning, halay.race_storage) @diagnostic(warning, halay.race_across_workgroups)",
    null,
    true,
  ],
  ["one kind in the function", "@diagnostic(off, halay.race_storage)", null, false],
] as const)(
  "errors that are untold do not fail where the source silences whatever they may be: %s",
  {
    timeout: 300_000,
  },
  async (_, filters, isAllowed, expected) => {
    const mark = "// halay-allow-next-line race-storage, race-across-workgroups -- known";
    const body = lines(160, (k) => `${isAllowed?.(k) ? mark : ""}\ndata[id.x % 2u] += ${k}u;`);
    const text = `@group(0) @binding(0) var<storage, read_write> data: array<u32, 2>;
    ${filters} @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {\n${body}\n}`;
    const { ok, checked } = await sanitize({ shader: text, workgroups: [3] }, { scheduleBudget: 0 });
    expect([checked.untold > 0, ok]).toEqual([true, expected]);
  },
);

test("findings of all dispatches have one room: each line is told", () => {
  const source = new Source("\n".repeat(30), "x.wgsl");
  const span = (line: number) => ({ start: line, end: line });
  const item = (code: Tellable["place"]["code"], one: number, other: number): Tellable => ({
    place: {
      code,
      source,
      span: span(one),
      accesses: [{ span: span(one) }, { span: span(other) }],
      resource: { name: "x" },
    },
    isError: code !== "same-value-write",
    rank: one === other ? 1 : 0,
  });
  const race = (one: number, other: number) => item("race-storage", one, other);
  const told = (room: FindingRoom, all: readonly Tellable[]) =>
    room.chosen(all).map(({ place }) => place.accesses.map((access) => access.span.start).join("-"));
  const all = [race(9, 9), race(2, 1), item("same-value-write", 5, 1), race(3, 1), race(3, 2), race(8, 8)];
  const room = new FindingRoom(2);
  // Two as they say most, and those of lines that have no other.
  expect(told(room, all)).toEqual(["9-9", "2-1", "5-1", "3-1", "8-8"]);
  // Again, and of another dispatch what is new alone.
  expect(told(room, [race(3, 1), race(9, 8), race(10, 9)])).toEqual(["3-1", "10-9"]);
  expect(told(room, [item("same-value-write", 9, 8), item("same-value-write", 11, 8)])).toEqual(["11-8"]);
});
