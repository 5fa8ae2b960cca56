import { expect, test } from "vitest";
import { lowerText } from "../../test/support/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import { needlessNotes } from "./needless-notes.ts";

/** Accesses of `a` in the body, in order; those that need no note in parentheses. */
function notes(body: string): string {
  const module = lowerText(`
var<workgroup> a: array<vec2u, 64>;
fn other() { workgroupBarrier(); }
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { ${body} }`);
  const fn = module.functions[module.entryPoint];
  const needless = needlessNotes(module, fn);
  const found: string[] = [];
  eachInstruction(fn.body, (inst) => {
    if ((inst.kind !== "load" && inst.kind !== "store") || inst.root === null) return;
    found.push(needless.has(inst.id) ? `(${inst.kind})` : inst.kind);
  });
  return found.join(" ");
}

test.each([
  ["a[i].x += 1u;", "(load) store"],
  ["let v = a[i]; a[i] = v.yx; a[i].x = 2u; _ = a[i];", "(load) store (store) (load)"],
  ["_ = a[i]; _ = a[i].y;", "load (load)"],
  ["_ = a[i]; _ = a[i + 1u];", "load load"],
  ["_ = a[i]; workgroupBarrier(); a[i].x = 1u;", "load store"],
  ["a[i].x = 1u; workgroupBarrier(); _ = a[i];", "store load"],
  ["a[i].x = 1u; other(); _ = a[i];", "store load"],
  ["_ = a[i]; if (i < 2u) { a[i].x = 1u; } a[i].y = 1u;", "load store store"],
  ["a[i].x = 1u; if (i < 2u) { _ = a[i]; }", "store (load)"],
  ["a[i].x = 1u; for (var k = 0u; k < 2u; k++) { _ = a[i]; a[k].x = 1u; }", "store (load) store"],
  ["a[i].x = 1u; for (var k = 0u; k < 2u; k++) { workgroupBarrier(); _ = a[i]; } _ = a[i];", "store load load"],
  ["if (i < 2u) { _ = a[i]; } _ = a[i];", "load load"],
  ["_ = a[i]; if (i < 2u) { a[i].x = 1u; _ = a[i]; } a[i].y = 1u; _ = a[i];", "load store (load) store (load)"],
  ["if (i < 2u) { a[i].x = 1u; if (i < 1u) { a[1].x = 1u; } a[1].x = 1u; _ = a[i]; }", "store store store (load)"],
  [
    "a[i].x = 1u; if (true) { a[0].x = 1u; if (true) { _ = a[i]; workgroupBarrier(); _ = a[i]; _ = a[i]; } _ = a[0]; }",
    "store store load load (load) load",
  ],
])("%s", (body, expected) => {
  expect(notes(body)).toBe(expected);
});
