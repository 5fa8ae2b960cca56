/** All barriers and atomics in one run against a run without each of them, on random programs. */
import { expect, test } from "vitest";
import type { Observer } from "../../src/engine/observer.ts";
import { Random } from "../../src/engine/random.ts";
import type { Schedule } from "../../src/engine/schedule.ts";
import { atomicUses } from "../../src/sanitize/atomic-uses.ts";
import type { DispatchScope } from "../../src/sanitize/draft.ts";
import { MemoryMap } from "../../src/sanitize/memory-map.ts";
import { NeededSearch } from "../../src/sanitize/needed-search.ts";
import { AtomicKeys } from "../../src/sanitize/needless.ts";
import { RaceDetector } from "../../src/sanitize/race-detector.ts";
import { RaceLog } from "../../src/sanitize/race-log.ts";
import { CELL_BYTES } from "../../src/sanitize/shadow.ts";
import type { GroupObserver } from "../../src/sanitize/what-if.ts";
import { benchOf } from "./oracle-bench.ts";
import { type RandomProgram, randomProgram } from "./programs.ts";
import { Without } from "./without.ts";

/** Whether something is unordered as a dispatch tells it. */
function hasConflicts(program: RandomProgram, schedule: Schedule, told: (inner: GroupObserver) => Observer): boolean {
  const bench = benchOf(program, schedule);
  const [map, uses] = [new MemoryMap(bench.request), atomicUses(bench.module)];
  const detector = new RaceDetector(map, uses);
  bench.run({ observer: told(detector) });
  const log = new RaceLog(map, detector.suspects, uses, new Map());
  benchOf(program, schedule).run({ observer: told(log) });
  return log.finish().size > 0;
}

/** By key of the places, from one search. `bytes` of shadow make it look at the memory in parts. */
async function needed(
  program: RandomProgram,
  schedule: Schedule,
  bytes: number,
): Promise<ReadonlyMap<string, boolean>> {
  const { module, request } = benchOf(program, schedule);
  const scope = { module } as DispatchScope;
  const search = new NeededSearch(scope, request, async (observer) => {
    benchOf(program, schedule).run({ observer });
  });
  await search.run(bytes, 1);
  return new Map([...search.places.keys()].map((key) => [key, search.needs(key)]));
}

const EVERYTHING = 2 ** 29;

/** How many places are needed and not, of a program that has no conflicts as it is; else null. */
async function compare(program: RandomProgram, schedule: Schedule): Promise<readonly [number, number] | null> {
  const found = await needed(program, schedule, EVERYTHING);
  expect(await needed(program, schedule, 64 * CELL_BYTES), program.source).toEqual(found);
  const isUnordered = hasConflicts(program, schedule, (inner) => inner as Observer);
  const keys = new AtomicKeys({ module: benchOf(program, schedule).module } as DispatchScope);
  const wanted = [...found.keys()].map((key) => {
    const isNeeded = () => hasConflicts(program, schedule, (inner) => new Without(inner, key, keys));
    return [key, isUnordered || isNeeded()] as const;
  });
  expect([...found], program.source).toEqual(wanted);
  if (isUnordered) return null;
  const count = wanted.filter(([, isNeeded]) => isNeeded).length;
  return [count, wanted.length - count];
}

async function compareAll(count: number, schedule: Schedule, make: (seed: number) => RandomProgram) {
  const sum = { ordered: 0, needed: 0, needless: 0 };
  for (let seed = 1; seed <= count; seed++) {
    const of = await compare(make(seed), schedule);
    if (of === null) continue;
    sum.ordered++;
    sum.needed += of[0];
    sum.needless += of[1];
  }
  return sum;
}

test.each([
  ["in order", { kind: "in-order" }],
  ["interleaved", { kind: "interleave" }],
] as const)("programs of all kinds, %s", { timeout: 240_000 }, async (_, schedule) => {
  const { ordered, needed, needless } = await compareAll(250, schedule, randomProgram);
  expect(needless).toBeGreaterThan(needed);
  expect(Math.min(ordered, needed)).toBeGreaterThan(5);
});

/** Barriers of both kinds between accesses, in loops, branches and helpers, so that many rows stand behind each other. */
function manyBarriers(seed: number): RandomProgram {
  const random = new Random(seed);
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)];
  const access = (): string => {
    const [at, who] = [random.below(3), random.below(3)];
    return pick([
      "",
      `if lane == ${who}u { w[${at}] = lane; }`,
      `if lane == ${who}u { s[${at}] = w[${at}]; }`,
      `acc += w[(lane + ${at}u) % 4u];`,
      `w[lane] = acc;`,
      `acc += s[(lane + ${at}u) % 4u];`,
      `s[lane] = acc;`,
      `atomicAdd(&n[${at}], 1u);`,
      `if lane == ${who}u { atomicStore(&n[${at}], ${pick(["0u", "0u", "acc"])}); }`,
      `if lane == ${who}u { acc += atomicLoad(&n[${at}]); }`,
      `if atomicLoad(&n[${at}]) > 2u { acc++; }`,
      `if lane == ${who}u { acc += atomicExchange(&n[${at}], ${pick(["0u", "acc"])}); }`,
      `if atomicCompareExchangeWeak(&n[${at}], 0u, 1u).exchanged { acc++; atomicStore(&n[${at}], 0u); }`,
      `if lane == ${who}u { atomicAdd(&p[${at}], acc); }`,
      `acc += atomicLoad(&p[lane]);`,
    ]);
  };
  const barrier = (): string =>
    pick([
      ...Array.from({ length: 6 }, () => "storageBarrier(); workgroupBarrier();"),
      "meet();",
      "meet();",
      "meet_twice();",
      "workgroupBarrier(); workgroupBarrier(); storageBarrier();",
      "acc += workgroupUniformLoad(&one); storageBarrier();",
      "workgroupBarrier();",
      "storageBarrier();",
      "textureBarrier();",
    ]);
  const statement = (depth: number): string => {
    const inner = () => Array.from({ length: 1 + random.below(3) }, () => statement(depth + 1)).join("\n");
    if (depth < 2 && random.chance(0.2))
      return `for (var i${depth} = 0u; i${depth} < 3u; i${depth}++) {\n${inner()}\n}`;
    if (depth < 2 && random.chance(0.1)) return `if group.x == 0u {\n${inner()}\n}`;
    return random.chance(0.15) ? `${barrier()}\n${access()}\n${barrier()}` : `${barrier()}\n${access()}`;
  };
  const size = pick([2, 3, 4]);
  const source = `requires readonly_and_readwrite_storage_textures;
var<workgroup> w: array<u32, 4>;
var<workgroup> one: u32;
var<workgroup> n: array<atomic<u32>, 4>;
@group(0) @binding(0) var<storage, read_write> s: array<u32, 4>;
@group(0) @binding(1) var<storage, read_write> p: array<atomic<u32>, 4>;
fn meet() { workgroupBarrier(); storageBarrier(); }
fn meet_twice() { meet(); meet(); }
@compute @workgroup_size(${size})
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
  var acc = 0u;
${Array.from({ length: 3 + random.below(6) }, () => statement(0)).join("\n")}
  _ = acc;
}`;
  return { source, workgroupSize: size, workgroups: 1, alias: null };
}

test("many barriers behind each other", { timeout: 240_000 }, async () => {
  const { ordered, needed, needless } = await compareAll(150, { kind: "in-order" }, manyBarriers);
  expect(Math.min(ordered, needed, needless)).toBeGreaterThan(50);
});
