/** What is asked of each of many places of a program takes no steps for each of the others. */
import { expect, test } from "vitest";
import { ALL_CHECKS } from "../../test/sanitize/all-checks.ts";
import { Bench } from "../../test/support/engine.ts";
import { lowerText } from "../../test/support/ir.ts";
import { stepsOf } from "../../test/support/steps.ts";
import { flatten } from "../engine/flatten.ts";
import { eachInstruction } from "../ir/walk.ts";
import { atomicUses } from "./atomic-uses.ts";
import { barrierPlace } from "./places.ts";
import { findWaits } from "./progress.ts";
import { addShadow } from "./shadow-pass.ts";

const FEW = 50;
const MANY = 400;

const shader = (body: string): string => `
  @group(0) @binding(0) var<storage, read_write> data: array<atomic<u32>, 512>;
  var<workgroup> own: array<u32, 512>;
  @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { ${body} }`;
const repeated = (line: (c: number) => string, count: number): string =>
  Array.from({ length: count }, (_, c) => line(c)).join("\n");

/** Steps for each of the places, of few and of many. */
function expectAlike(steps: (count: number) => number): void {
  const few = steps(FEW) / FEW;
  expect(few).toBeGreaterThan(1);
  expect(steps(MANY) / MANY).toBeLessThan(2 * few);
}

const ATOMICS: Readonly<Record<string, (count: number) => string>> = {
  "loads that loops make again": (count) =>
    repeated((c) => `for (; atomicLoad(&data[${c}]) < i; ) { atomicAdd(&data[${c}], 1u); }`, count),
  "loads in one loop": (count) =>
    `loop { ${repeated((c) => `if (atomicLoad(&data[${c}]) < i) { break; }`, count)} atomicAdd(&data[i], 1u); }`,
  "loads by which an invocation may end": (count) =>
    repeated((c) => `if (atomicLoad(&data[${c}]) < i) { return; } atomicAdd(&data[${c}], 1u);`, count),
  "compare-exchanges": (count) =>
    repeated((c) => `loop { if (atomicCompareExchangeWeak(&data[${c}], i, 1u).exchanged) { break; } }`, count),
};

test.each(Object.keys(ATOMICS))("what becomes of atomics: %s", (name) => {
  expectAlike((count) => {
    const module = lowerText(shader(ATOMICS[name](count)));
    return stepsOf(() => atomicUses(module));
  });
});

test("which of many loops wait", () => {
  const loop = (c: number): string =>
    `loop { let n = atomicLoad(&data[${c}]); if (atomicCompareExchangeWeak(&data[${c}], n, n + i).exchanged) { break; } }`;
  expectAlike((count) => {
    const { request } = new Bench(shader(repeated(loop, count)));
    flatten(request.module);
    return stepsOf(() => findWaits(request, () => {}));
  });
});

const BARRIERS: Readonly<Record<string, (count: number) => string>> = {
  "statements one after another": (count) => repeated((c) => `own[i + ${c}u] += own[${c}u];`, count),
  "in a loop": (count) =>
    `for (var k = 0u; k < 2u; k++) { ${repeated((c) => `own[k + ${c}u] += own[${c}u]; workgroupBarrier();`, count)} }`,
  "cases of a switch": (count) =>
    `switch i { ${repeated((c) => `case ${c}: { own[${c}] += own[i]; }`, count)} default {} }`,
};

test.each(Object.keys(BARRIERS))("where barriers are needed: %s", (name) => {
  expectAlike((count) => {
    const module = lowerText(shader(BARRIERS[name](count)));
    const sites = flatten(module).sites.filter(({ space }) => space === "workgroup");
    return stepsOf(() => {
      for (let at = 3; at < sites.length; at++) barrierPlace(module, sites[at - 3], sites[at], "workgroup");
    });
  });
});

test("counting what atomic functions do at many places", () => {
  const instructions = (count: number): number => {
    const module = lowerText(shader(repeated((c) => `atomicAdd(&data[i + ${c}u], 1u);`, count)));
    let found = 0;
    for (const { body } of addShadow(module, { ...ALL_CHECKS, mostInline: Number.POSITIVE_INFINITY }).module.functions)
      eachInstruction(body, () => found++);
    return found;
  };
  expectAlike(instructions);
});
