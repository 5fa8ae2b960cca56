/** Pass 2 on the wasm engine: the log says of who races with whom just what the judge sees who watches on the interpreter. */
import { afterAll, expect, test } from "vitest";
import type { Engine } from "../../src/engine/dispatch.ts";
import type { Memory } from "../../src/engine/memory.ts";
import { Random } from "../../src/engine/random.ts";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import { verify } from "../../src/ir/verify.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { reservationsOf } from "../../src/sanitize/append-sites.ts";
import { atomicUses } from "../../src/sanitize/atomic-uses.ts";
import { CounterMonitor, type Wrapped } from "../../src/sanitize/counters.ts";
import { mostStates, stateWords } from "../../src/sanitize/log-code.ts";
import { addLog } from "../../src/sanitize/log-pass.ts";
import { MemoryMap } from "../../src/sanitize/memory-map.ts";
import { Monitor } from "../../src/sanitize/monitor.ts";
import { PairStore } from "../../src/sanitize/pair-store.ts";
import { suspectsOf } from "../../src/sanitize/part-look.ts";
import { type FirstLook, PassOne } from "../../src/sanitize/pass-one.ts";
import { type LogRoom, logPairs } from "../../src/sanitize/pass-two.ts";
import { keepsOrder } from "../../src/sanitize/phase-order.ts";
import { type Pair, RaceLog } from "../../src/sanitize/race-log.ts";
import type { Seen } from "../../src/sanitize/race-scope.ts";
import { Bench } from "../support/engine.ts";
import { ALL_CHECKS } from "./all-checks.ts";
import { benchOf } from "./oracle-bench.ts";
import { randomProgram } from "./programs.ts";

const engine = createWasmEngine(nodeThreads, { workers: 1 });
const pass = PassOne.take(engine, ALL_CHECKS, 2 ** 26);
afterAll(() => {
  pass.close();
  engine.close();
});

/** What the judge sees of these cells on the interpreter. */
function watched(bench: Bench, racy: FirstLook["racy"]): readonly Pair[] {
  const { request, module } = bench;
  const map = new MemoryMap(request);
  const log = new RaceLog(map, suspectsOf(map, racy), atomicUses(module), reservationsOf(module));
  bench.run({ observer: log });
  return [...log.finish().values()];
}

/** The modules are equal but not the same. */
function plain({ first, second, barrier, ...others }: Pair): object {
  const seen = ({ site, ...more }: Seen) => ({ ...more, site: site.id });
  return { ...others, first: seen(first), second: seen(second), barrier: barrier?.id ?? null };
}

/** Room for what small programs need. */
const ROOMY: LogRoom = { states: () => 64, kept: 2 ** 20, budget: { usual: 2 ** 28, divided: 2 ** 28 } };

/** Compares both, where the wasm engine keeps the order of the interpreter; the number of pairs, null: it does not. */
async function compare(make: () => Bench, room?: LogRoom): Promise<number | null> {
  const [first, own, other] = [make(), make(), make()];
  const look = await pass.run(first.request, () => {}, "in-order");
  if (look === null || !keepsOrder(first.module, new Set(look.racy.keys()))) return null;
  if (look.racy.size === 0) return 0;
  const logged = await logPairs(engine, other.request, look, () => {}, new PairStore(), room);
  expect(logged).toMatchObject({ watched: null, isLong: false });
  expect(logged!.pairs.pairs.map(plain)).toEqual(watched(own, look.racy).map(plain));
  return logged!.pairs.pairs.length;
}

test("random programs, few workgroups and many", async () => {
  let [compared, racing] = [0, 0];
  for (let seed = 20_000; seed < 20_500; seed++) {
    const program = { ...randomProgram(seed), workgroups: [2, 3, 40, 150][seed % 4] };
    if (program.alias !== null) continue;
    const pairs = await compare(() => benchOf(program));
    if (pairs !== null) compared++;
    if (pairs !== null && pairs > 0) racing++;
  }
  expect(compared).toBeGreaterThan(150);
  expect(racing).toBeGreaterThan(100);
}, 170_000);

test.each([1, 2])(
  "random programs whose places share %i of the states of a cell",
  async (states) => {
    let racing = 0;
    for (let seed = 20_500; seed < 20_700; seed++) {
      const program = { ...randomProgram(seed), workgroups: [2, 3, 40, 150][seed % 4] };
      if (program.alias !== null) continue;
      const pairs = await compare(() => benchOf(program), { ...ROOMY, states: () => states });
      if (pairs !== null && pairs > 0) racing++;
    }
    expect(racing).toBeGreaterThan(40);
  },
  170_000,
);

test.each([1, 100, 10_000, 65_536])(
  "states of %i cells, of however many places, take no more than is said",
  (cells) => {
    for (const places of [1, 30, 200, 20_000]) {
      const states = mostStates(cells);
      expect(cells * stateWords(places, places > states ? states : null)).toBeLessThanOrEqual(2 ** 24);
    }
  },
);

const HEAD = `
@group(0) @binding(0) var<storage, read_write> o: array<u32, 256>;
@group(0) @binding(1) var<storage, read_write> v: array<vec4u, 8>;
@group(0) @binding(2) var<storage, read_write> c: array<atomic<u32>, 8>;
var<workgroup> tile: array<u32, 64>;
var<workgroup> pair: array<vec2u, 64>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32, @builtin(workgroup_id) w: vec3u) {
`;

test.each([
  ["a few cells that all come to", "o[l % 4u] += 1u;"],
  ["equal values", "o[l % 5u] = 7u;"],
  ["equal values, but for one far behind", "o[l % 5u] = select(7u, 8u, g.x == 9000u);"],
  ["equal values of the workgroup", "o[l % 5u] = w.x;"],
  ["a reader far behind", "o[g.x % 200u] = 1u; if g.x == 9000u { o[255] = o[3]; }"],
  ["cells of neighbouring workgroups", "o[(g.x * 3u) % 256u] = l;"],
  ["the same cells in each workgroup", "tile[l] = g.x; o[l] = tile[63u - l];"],
  [
    "workgroups that do one of two things",
    "if w.x % 3u == 0u { tile[l] = 1u; } else { tile[0] = l; } o[w.x % 256u] = tile[0];",
  ],
  ["a loop that comes again and again", "for (var k = 0u; k < 20u; k++) { o[(l + k) % 7u] += k; }"],
  ["barriers of the other kind", "o[l] = w.x; workgroupBarrier(); o[63u - l] += 1u; storageBarrier(); o[l] = 2u;"],
  ["components of vectors", "v[l % 8u].x = g.x; v[(l + 1u) % 8u].y = 1u; o[0] = v[0].z;"],
  ["vectors of which some are equal", "v[l % 8u] = vec4u(1u, select(0u, 1u, g.x > 5000u), 0u, 0u);"],
  ["vectors in workgroup memory", "pair[l / 2u] = vec2u(1u, l % 2u); o[l] = pair[l].y;"],
  ["a clear among additions", "if l == 0u { atomicStore(&c[w.x % 8u], 0u); } atomicAdd(&c[l % 8u], 1u);"],
  [
    "plain and atomic words",
    "o[atomicAdd(&c[0], 1u) % 256u] = l; if atomicLoad(&c[1]) == 0u { atomicStore(&c[1], l); }",
  ],
  ["exchanges", "let k = atomicExchange(&c[l % 3u], g.x); o[k % 256u] = 1u; atomicStore(&c[l % 2u], 0u);"],
  [
    "workgroupUniformLoad",
    "tile[l] = l; let k = workgroupUniformLoad(&tile[3]); tile[(l + k) % 64u] = 1u; o[0] = tile[l];",
  ],
  ["structures as a whole", "let all = v; v[l % 8u] = all[(l + 1u) % 8u];"],
])("%s", async (_, body) => {
  const pairs = await compare(() => new Bench(`${HEAD}${body}}`, {}, { workgroups: [160, 1, 1] }));
  expect(pairs).toBeGreaterThan(0);
});

test("an engine without room for the log does not say, and keeps nothing of it", async () => {
  const small = createWasmEngine(nodeThreads, { workers: 1, mostPages: 64 });
  try {
    const make = () => new Bench(`${HEAD}o[l % 4u] += 1u;}`, {}, { workgroups: [160, 1, 1] });
    const look = await pass.run(make().request, () => {}, "in-order");
    expect(look!.racy.size).toBeGreaterThan(0);
    const most = await room(small);
    expect(await logPairs(small, make().request, look!, () => {})).toBeNull();
    expect(await room(small)).toBe(most);
  } finally {
    small.close();
  }
});

/** Pages that the engine still has. */
async function room(of: Engine): Promise<number> {
  const taken: Memory[] = [];
  try {
    for (;;) taken.push(of.allocate(2 ** 16));
  } catch {
    for (const memory of taken) of.release(memory);
    await new Promise((resolve) => setTimeout(resolve));
    return taken.length;
  }
}

test("what it makes of a program keeps the contract of the intermediate representation", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const { module } = benchOf(randomProgram(seed));
    const roots = module.roots.flatMap(({ id, space, access }) =>
      space === "workgroup" || (space === "storage" && access === "read_write") ? [id] : [],
    );
    const log = addLog(module, roots, { counters: true, bounds: true, states: 4 });
    if (log !== null) expect(verify(log.module)).toEqual([]);
  }
});

const COUNTING = `
@group(0) @binding(0) var<storage, read_write> up: array<atomic<u32>, 4>;
@group(0) @binding(1) var<storage, read_write> both: array<atomic<i32>, 4>;
var<workgroup> own: array<atomic<u32>, 2>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) l: u32, @builtin(workgroup_id) w: vec3u) {
  let g = w.x * 8u + l;
  var sum = 0u;
`;

/** Additions and subtractions of all sizes, also such as are undone. */
function countingBody(random: Random): string {
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)];
  const one = (): string => {
    const operation = pick(["atomicAdd", "atomicSub"]);
    if (random.chance(0.3)) {
      const operand = pick(["1", "-1", "i32(g)", "2147483647", "-2147483647 - 1", "1073741824"]);
      return `${operation}(&both[${pick(["0u", "1u", "l % 4u"])}], ${operand});`;
    }
    const place = pick(["up[0]", "up[1]", "up[g % 4u]", "own[0]", "own[l % 2u]", "up[l % 6u]"]);
    const operand = pick(["1u", "l", "g % 3u", "0xffffffffu", "0xffff0000u", "0xfffeffffu", "0x80000000u", "0u"]);
    return `sum += ${operation}(&${place}, ${operand});`;
  };
  const guarded = () => (random.chance(0.4) ? `if sum ${pick(["== 0u", "> 5u", "% 2u == 1u"])} { ${one()} }` : one());
  const barrier = () => pick(["", "", "workgroupBarrier();", "storageBarrier();"]);
  return Array.from({ length: 1 + random.below(6) }, () => `${guarded()} ${barrier()}`).join("\n");
}

/** Nobody gets there; with so many additions what stands at each is called. */
const MANY_ADDITIONS = `if sum == 4000000000u { ${"atomicAdd(&up[0], 1u); ".repeat(300)} }`;

test.each([
  ["counters that wrap, as the interpreter's checker counts them", 250, ""],
  ["in a large module too", 12, MANY_ADDITIONS],
])(
  "%s",
  async (_, count, tail) => {
    let wrapping = 0;
    for (let seed = 1; seed <= count; seed++) {
      const body = countingBody(new Random(seed)) + tail;
      const make = () => new Bench(`${COUNTING}${body}}`, {}, { workgroups: [40, 1, 1] });
      const [first, own, other] = [make(), make(), make()];
      const look = await pass.run(first.request, () => {}, "in-order");
      const isLogged = look!.counters.length > 0;
      const logged = isLogged ? await logPairs(engine, other.request, { ...look!, racy: new Map() }, () => {}) : null;
      const counters = new CounterMonitor(own.module);
      const none = { races: null, bounds: null, left: null, contention: null, unwritten: null };
      own.run({ observer: new Monitor({ ...none, counters }) });
      const told = ({ witness: { site, ...witness }, undo, ...others }: Wrapped) => ({
        ...others,
        witness: { ...witness, values: [...(witness.values as Int32Array)], site: site.id },
        undo: undo?.id ?? null,
      });
      expect((logged?.wrapped ?? []).map(told), body).toEqual(counters.wrapped().map(told));
      if (counters.wrapped().length > 0) wrapping++;
    }
    expect(wrapping).toBeGreaterThan(0.4 * count);
  },
  120_000,
);
