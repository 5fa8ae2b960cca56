import { expect, test } from "vitest";
import { marked } from "../../test/support/marked.ts";
import { check } from "../check.ts";
import { applyEdits } from "../text/edit.ts";
import { codeActions } from "./actions.ts";
import { inlayHints } from "./hints.ts";

/** The text with its hints in ⟦ ⟧. */
function hinted(text: string): string {
  const { program } = marked(text);
  return applyEdits(
    text,
    inlayHints(program).map(({ offset, text }) => ({ span: { start: offset, end: offset }, text: `⟦${text}⟧` })),
  );
}

test.each([
  ["fn f(a: f32) { let b = a * 2; }", "fn f(a: f32) { let b⟦: f32⟧ = a * 2; }"],
  ["fn f() { var i = 0; }", "fn f() { var i⟦: i32⟧ = 0; }"],
  ["fn f() { let v = vec2(1, 2); }", "fn f() { let v⟦: vec2<i32>⟧ = vec2(1, 2); }"],
  ["override n = 1.5;", "override n⟦: f32⟧ = 1.5;"],
  ["const N = 1;", "const N = 1;"],
  ["fn f() { let a = 1u; let v = vec2f(1); let b = true; let c: i32 = 1; }", null],
  ["fn f() { let a = unknown; }", null],
  ["struct S { a: f32, @size(8) b: vec3f }", "struct S { ⟦offset 0⟧a: f32, ⟦offset 16⟧@size(8) b: vec3f }"],
  ["struct S { a: f32, b: vec3f }", "struct S { ⟦offset 0⟧a: f32, ⟦offset 16⟧b: vec3f }"],
  ["struct V { @location(0) a: f32, @builtin(position) p: vec4f }", null],
  ["struct S { a: sampler }", null],
])("%s", (text, expected) => {
  expect(hinted(text)).toBe(expected ?? text);
});

test.each([
  ["fn f() { let value = 1; _ = va▮lve; }", ["fn f() { let value = 1; _ = value; }"]],
  ["@alig▮n(1) fn f() {}", []],
  ["@comput▮ @workgroup_size(1) fn f() {}", ["@compute @workgroup_size(1) fn f() {}"]],
  ["struct S { size: u32 } fn f(s: S) { _ = s.si▮se; }", ["struct S { size: u32 } fn f(s: S) { _ = s.size; }"]],
  ["fn f() { var x▮: f16; }", []],
  ["fn f() { var x: f▮16; }", ["enable f16;\nfn f() { var x: f16; }"]],
  ["@compute @workgroup_size(1) fn f() { var a▮ = 1; }", ["@compute @workgroup_size(1) fn f() { var _a = 1; }"]],
] as const)("%s can be mended", (withMark, expected) => {
  const offset = withMark.indexOf("▮");
  const text = withMark.replace("▮", "");
  const program = check(text).analysis;
  const actions = codeActions(program, { start: offset, end: offset });
  expect(actions.map(({ edits }) => applyEdits(text, edits))).toEqual(expected);
});

test("fixes of what stands at a place", () => {
  const { program, text, offset } = marked("fn f() { let a = 1▮\n let b = 2; }");
  const [action] = codeActions(program, { start: offset, end: offset });
  expect(action).toMatchObject({ diagnostic: { code: "missing-semicolon", severity: "error" } });
  expect(applyEdits(text, action.edits)).toBe("fn f() { let a = 1;\n let b = 2; }");
  expect(codeActions(program, { start: 0, end: 1 })).toEqual([]);
});
