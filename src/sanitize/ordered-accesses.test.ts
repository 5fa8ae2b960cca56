import { expect, test } from "vitest";
import { lowerText } from "../../test/support/ir.ts";
import { stepsOf } from "../../test/support/steps.ts";
import { eachInstruction } from "../ir/walk.ts";
import { isSharedAccess } from "./access-class.ts";
import { atomicUses, instructionKey } from "./atomic-uses.ts";
import { orderedAccesses } from "./ordered-accesses.ts";

/** Accesses of the entry point to shared memory, in order; those that are known to be ordered in parentheses. */
function accesses(body: string, size = "64", isAlong: readonly [boolean, boolean, boolean] = [true, false, false]) {
  const module = lowerText(`
@group(0) @binding(0) var<storage, read_write> s: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<array<u32, 8>, 8>;
var<workgroup> a: array<vec2u, 64>;
var<workgroup> t: array<array<u32, 8>, 8>;
var<workgroup> c: atomic<u32>;
fn other() { workgroupBarrier(); }
fn put(k: u32) { a[k].x = 1u; }
fn early(k: u32) { if (k < 9u) { return; } workgroupBarrier(); }
@compute @workgroup_size(${size}) fn main(
  @builtin(local_invocation_index) i: u32,
  @builtin(local_invocation_id) at: vec3u,
  @builtin(global_invocation_id) id: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) n: vec3u,
) { ${body} }`);
  const fn = module.functions[module.entryPoint];
  const ordered = orderedAccesses(module, atomicUses(module), isAlong);
  const found: string[] = [];
  eachInstruction(fn.body, (inst) => {
    if (!isSharedAccess(inst)) return;
    found.push(ordered.has(instructionKey(fn.id, inst.id)) ? `(${inst.kind})` : inst.kind);
  });
  return found.join(" ");
}

test.each([
  ["between barriers nobody writes", "a[1] = vec2u(); workgroupBarrier(); _ = a[i]; _ = a[2];", "store (load) (load)"],
  ["a barrier for other memory", "a[1] = vec2u(); storageBarrier(); _ = a[i];", "store load"],
  ["a barrier in a function", "a[1] = vec2u(); other(); _ = a[i];", "store (load)"],
  ["a store in a function", "other(); put(i); _ = a[2];", "load"],
  ["a barrier by a load for all", "a[1] = vec2u(); let v = workgroupUniformLoad(&t); _ = a[i];", "store (load)"],
  ["on one way alone", "a[1] = vec2u(); if (n.x > 1u) { workgroupBarrier(); } _ = a[i];", "store load"],
  ["on both ways", "a[1] = vec2u(); if (n.x > 1u) { workgroupBarrier(); } else { other(); } _ = a[i];", "store (load)"],
  [
    "around a loop, nothing stands between it and its stores",
    "for (var k = 0u; k < n.x; k++) { _ = a[i]; workgroupBarrier(); a[1] = vec2u(); }",
    "load store",
  ],
  [
    "around a loop, between barriers",
    "for (var k = 0u; k < n.x; k++) { workgroupBarrier(); a[1] = vec2u(); workgroupBarrier(); _ = a[i]; }",
    "store (load)",
  ],
  [
    "a loop within a loop",
    `for (var k = 0u; k < n.x; k++) {
      a[1] = vec2u(); workgroupBarrier();
      for (var j = 0u; j < i; j++) { if (j == 3u) { continue; } if (j == 7u) { break; } _ = a[j]; }
      workgroupBarrier();
    }`,
    "store (load)",
  ],
  [
    "what follows a loop that is left before its barrier",
    "loop { a[1] = vec2u(); if (n.x > 1u) { break; } workgroupBarrier(); continuing { break if n.x > 2u; } } _ = a[i];",
    "store load",
  ],
  [
    "what continues before the barrier",
    "for (var k = 0u; k < 4u; k++) { _ = a[i]; if (n.x > k) { a[1] = vec2u(); continue; } workgroupBarrier(); }",
    "load store",
  ],
  ["a function that is left before its barrier", "a[1] = vec2u(); early(n.x); _ = a[i];", "store load"],
  [
    "a switch",
    "a[1] = vec2u(); switch n.x { case 1u: { workgroupBarrier(); } case 2u: { if (n.y > 1u) { break; } other(); } default: { other(); } } _ = a[i];",
    "store load",
  ],
  [
    "a switch that passes one in any case",
    "a[1] = vec2u(); switch n.x { case 1u: { workgroupBarrier(); } default: { other(); } } _ = a[i];",
    "store (load)",
  ],
  [
    "own elements",
    "a[i] = vec2u(); a[i].y += 1u; _ = a[at.x]; _ = a[i32(i)][n.x];",
    "(store) (load) (store) (load) (load)",
  ],
  ["own elements and another one", "a[i] = vec2u(); _ = a[i + 1u];", "store load"],
  ["own elements, then others", "a[i] = vec2u(); workgroupBarrier(); _ = a[i + 1u];", "(store) (load)"],
  ["components are no elements", "a[1][i] = 1u;", "store"],
  ["of a place that is given the number by hand", "a[id.x] = vec2u(); a[group.x] = vec2u();", "store store"],
  ["changes alone", "atomicAdd(&c, 1u); workgroupBarrier(); _ = atomicLoad(&c);", "(atomic) (atomic)"],
  ["a change and a look", "let v = atomicAdd(&c, 1u); s[id.x] = atomicLoad(&c) + v;", "atomic atomic (store)"],
  ["storage, by the global index", "s[id.x] += 1u; workgroupBarrier(); _ = s[id.x];", "(load) (store) (load)"],
  ["storage, by the local index", "s[i] += 1u;", "load store"],
  ["storage, once otherwise", "s[id.x] += 1u; storageBarrier(); _ = s[i];", "load store load"],
])("%s", (_, body, expected) => {
  expect(accesses(body)).toBe(expected);
});

test.each([
  ["t[at.y][at.x] = 1u;", "8, 8", [true, true, false], "(store)"],
  ["t[at.x][at.x] = 1u;", "8, 8", [true, true, false], "store"],
  ["t[at.y][at.x] = 1u; _ = t[at.x][at.y];", "8, 8", [true, true, false], "store load"],
  ["t[at.y][at.x] = 1u;", "8, 2, 4", [true, true, true], "store"],
  ["a[i] = vec2u(); t[i][1] = 1u;", "8, 8", [true, true, false], "(store) (store)"],
  ["a[i] = vec2u(); _ = a[at.x];", "8, 8", [true, true, false], "store load"],
  ["s[id.x] = 1u;", "64", [true, true, false], "store"],
  ["b[id.x][id.y] = 1u;", "64", [true, true, false], "(store)"],
  ["b[0][0] = 1u;", "1", [false, false, false], "(store)"],
] as const)("%s in %s, %j", (body, size, isAlong, expected) => {
  expect(accesses(body, size, isAlong)).toBe(expected);
});

/** `count` barriers, all on the way, on some ways, or around. */
const MANY: Readonly<Record<string, (count: number) => string>> = {
  "one after another": (count) => "a[i] = vec2u(); workgroupBarrier(); _ = a[63u - i];".repeat(count),
  "where some go": (count) => "a[1].y = 3u; if (n.x > 4u) { workgroupBarrier(); } _ = a[i];".repeat(count),
  "in a loop each": (count) =>
    "loop { a[1].x = 2u; workgroupBarrier(); _ = a[i]; if (n.x > 3u) { break; } }".repeat(count),
  "in a loop that is left at each": (count) =>
    `loop { ${"a[1].x = 2u; workgroupBarrier(); if (n.x > 3u) { break; }".repeat(count)} break; } _ = a[i];`,
  "around calls": (count) => "put(i); workgroupBarrier(); put(n.x); other();".repeat(count),
};

test.each(Object.keys(MANY))("many barriers %s take steps of their number", (name) => {
  const steps = (count: number): number => {
    const module = lowerText(`var<workgroup> a: array<vec2u, 64>;
fn other() { workgroupBarrier(); }
fn put(k: u32) { a[k].x = 1u; }
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(num_workgroups) n: vec3u) { ${MANY[name](count)} }`);
    const uses = atomicUses(module);
    return stepsOf(() => orderedAccesses(module, uses, [true, false, false])) / count;
  };
  // A set of barriers takes as many steps as their number has digits.
  const few = steps(250);
  expect(few).toBeGreaterThan(10);
  expect(steps(4000)).toBeLessThan(2 * few);
});
