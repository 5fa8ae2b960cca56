import { expect, test } from "vitest";
import { analyze, check, checkRules, Source } from "./api.ts";

const UNUSED = "@compute @workgroup_size(1) fn main() { var unused = 1; }";
const ILLEGAL = "@compute @workgroup_size(1) fn main() { let a: u32 = 1.5; }";

test("the rules alone give the errors of a check, and no advice", () => {
  expect(checkRules(ILLEGAL).diagnostics).toEqual(check(ILLEGAL).diagnostics);
  expect(checkRules(ILLEGAL)).toMatchObject({ ok: false, program: null });
  expect(check(UNUSED).diagnostics.map(({ code }) => code)).toEqual(["unused-variable"]);
  expect(checkRules(UNUSED)).toMatchObject({ ok: true, diagnostics: [] });
  expect(checkRules(UNUSED).program).not.toBeNull();
});

test("an analysis advises where it is asked to", () => {
  const codes = (advice?: boolean) =>
    analyze(new Source(UNUSED), advice === undefined ? {} : { advice }).diagnostics.map(({ code }) => code);
  expect([codes(), codes(false), codes(true)]).toEqual([[], [], ["unused-variable"]]);
});
