/** What is asked of a module takes no longer because there are many ways through its functions. */
import { expect, test } from "vitest";
import { ALL_CHECKS } from "../../test/sanitize/all-checks.ts";
import { lowerText } from "../../test/support/ir.ts";
import { pollsWorkgroup, waitsTogether } from "../engine/waits.ts";
import { hasBarrier } from "../ir/barriers.ts";
import type { IrModule } from "../ir/ir.ts";
import { atomicUses } from "./atomic-uses.ts";
import { storageEpochs } from "./barrier-kinds.ts";
import { addLog } from "./log-pass.ts";
import { hangsOnOrder, hangsOnRaces } from "./order-dependence.ts";
import { keepsOrder } from "./phase-order.ts";
import { mayWait } from "./progress.ts";
import { addShadow } from "./shadow-pass.ts";

/** Functions that each call the one before it twice: there are as many ways as two to that power. */
function doubling(last: string, main = "f50();"): IrModule {
  const calls = Array.from({ length: 50 }, (_, i) => `fn f${i + 1}() { f${i}(); f${i}(); }`);
  return lowerText(`var<workgroup> w: array<u32, 4>;
@group(0) @binding(0) var<storage, read_write> c: atomic<u32>;
fn f0() { ${last} } ${calls.join(" ")}
@compute @workgroup_size(1) fn main() { ${main} }`);
}

test.each([
  ["w[0] = 1u;", false, true],
  ["atomicAdd(&c, 1u);", false, true],
  ["workgroupBarrier();", true, true],
  ["_ = workgroupUniformLoad(&w[0]);", true, true],
  ["if true { for (var i = 0; i < 3; i++) { storageBarrier(); } }", true, true],
  ["w[0] = 1u; if true { w[1] = 1u; workgroupBarrier(); }", true, false],
])("%s", (last, holds, keeps) => {
  const module = doubling(last);
  const roots = new Set(module.roots.map(({ id }) => id));
  expect(hasBarrier(module, module.functions[module.entryPoint].body)).toBe(holds);
  expect(keepsOrder(module, roots)).toBe(keeps);
  for (const ask of [atomicUses, storageEpochs, hangsOnOrder, mayWait]) ask(module);
  hangsOnRaces(module, roots);
  addLog(module, [...roots], { counters: true, bounds: true, states: 4 });
  addShadow(module, { ...ALL_CHECKS, isAlong: [true, false, false] });
});

test("loops in loops that each count", () => {
  const nested = Array.from({ length: 40 }, (_, i) => `for (var i${i} = 0u; i${i} < 3u; i${i}++) {`);
  const module = lowerText(`@group(0) @binding(0) var<storage, read_write> c: array<atomic<u32>, 4>;
@compute @workgroup_size(1) fn main() {
  var n = 0u;
  ${nested.join(" ")} n = atomicLoad(&c[n]); ${"}".repeat(40)}
  atomicStore(&c[0], n);
}`);
  expect([...atomicUses(module).goesOn]).toHaveLength(1);
  for (const ask of [storageEpochs, hangsOnOrder, mayWait, pollsWorkgroup]) ask(module);
  addLog(module, [0], { counters: true, bounds: true, states: 4 });
  addShadow(module, { ...ALL_CHECKS, isAlong: [true, false, false] });
});

const FLAGS = Array.from({ length: 20 }, (_, i) => `f${i}`);

test.each([
  ["what it was not", (flag: string) => `${flag} = u32(${flag} == 0u);`],
  ["one of two numbers", (flag: string) => `${flag} = select(1u, 0u, ${flag} == 1u);`],
  ["what is in memory", (flag: string) => `a = select(1u, 0u, a == 1u); ${flag} = a;`],
  ["what all others were", (flag: string) => `${flag} = u32(${FLAGS.map((each) => `(${each} == 0u)`).join(" & ")});`],
])("flags that become, in each round, %s", (_, step) => {
  const module = lowerText(`@group(0) @binding(0) var<storage, read_write> c: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> a: u32;
@compute @workgroup_size(1) fn main() {
  ${FLAGS.map((flag) => `var ${flag} = u32(atomicAdd(&c, 1u) == 0u);`).join(" ")}
  for (var i = 0u; i < 3u; i++) { ${FLAGS.map(step).join(" ")} }
  if (f0 == 1u) { atomicStore(&c, 0u); }
}`);
  expect([...atomicUses(module).byTheLast]).toHaveLength(1);
});

const ALONE = "loop { f50(); if atomicLoad(&c) > 7u { break; } }";
const TOGETHER = "loop { f50(); w[0] = atomicLoad(&c); if workgroupUniformLoad(&w[0]) > 7u { break; } }";

test.each([
  [ALONE, "atomicAdd(&c, 1u);", true],
  [TOGETHER, "atomicAdd(&c, 1u);", false],
  [TOGETHER, "storageBarrier();", true],
])("%s with %s", (loop, last, waits) => {
  const module = doubling(last, loop);
  expect(mayWait(module)).toBe(waits);
  expect(waitsTogether(module)).toBe(waits && loop === TOGETHER);
  expect(pollsWorkgroup(module)).toBe(false);
});
