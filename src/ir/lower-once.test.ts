import { expect, test } from "vitest";
import { legalProgram, overridesOf } from "../../test/support/ir.ts";
import { lowerOnce } from "./lower-once.ts";

const program = legalProgram(`
override count: u32 = 1u;
override gain: f32 = 0.0;
var<workgroup> w: array<f32, 4>;
@compute @workgroup_size(1) fn a() { w[count] = 1.0 / gain; }
@compute @workgroup_size(1) fn b() { w[count] = gain; }`);
const lowered = (entry: string, given: Record<string, number> = {}) =>
  lowerOnce(program, entry, overridesOf(program, given));

test("the same entry point with the same overrides is one module", () => {
  expect(lowered("a", { count: 2 })).toBe(lowered("a", { count: 2 }));
  expect(lowered("a")).toBe(lowered("a", { count: 1 }));
});

test("others are not", () => {
  const modules = [lowered("a"), lowered("b"), lowered("a", { count: 2 }), lowered("a", { gain: -0 })];
  expect(new Set(modules).size).toBe(4);
});

test("the ones used last are kept", () => {
  const first = lowered("a");
  for (let count = 2; count < 30; count++) lowered("a", { count });
  expect(lowered("a")).toBe(first);
  for (let count = 100; count < 140; count++) lowered("a", { count });
  expect(lowered("a")).not.toBe(first);
});
