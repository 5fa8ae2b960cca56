import { expect, test } from "vitest";
import { Source } from "../text/source.ts";
import { analyze } from "./analyze.ts";
import { checkPipeline, evaluateExpression, evaluateOverrides, type OverrideValues } from "./overrides.ts";

function valuesOf(text: string, given: OverrideValues = {}): string {
  const { values, diagnostics } = evaluateOverrides(analyze(new Source(text)), given);
  const shown = [...values].map(([info, { value }]) => `${info.name}=${value}`);
  return [...shown, ...diagnostics.map((item) => item.code)].join(" ");
}

test.each<[string, OverrideValues, string]>([
  ["override a = 2; override b = a * 3;", {}, "a=2 b=6"],
  ["override a = 2; override b = a * 3;", { a: 5 }, "a=5 b=15"],
  ["override b = a * 3; override a = 2;", {}, "a=2 b=6"],
  ["@id(7) override a = 2;", { 7: 4 }, "a=4"],
  ["@id(7) override a = 2;", { a: 4 }, "a=2 unknown-override"],
  ["override a: bool;", { a: true }, "a=true"],
  ["override a: bool;", { a: 0 }, "a=false"],
  ["override a: i32;", { a: 2.9 }, "a=2"],
  ["override a: u32;", { a: -1 }, "override-value"],
  ["override a: f32;", { a: 1e40 }, "override-value"],
  ["override a: f32;", {}, ""],
  ["override a = 0; override b = 1 / a;", {}, "a=0 evaluation-error"],
  ["override a = 0; override b = 1 / a;", { b: 3 }, "a=0 b=3"],
  ["override a = false; override b = a && 1 / i32(a) == 1;", {}, "a=false b=false"],
])("%s with %o", (text, given, expected) => {
  expect(valuesOf(text, given)).toBe(expected);
});

function pipelineErrors(text: string, given: OverrideValues = {}): string {
  const program = analyze(new Source(text));
  const wrong = program.diagnostics.filter((item) => item.severity === "error").map((item) => item.message);
  expect(wrong).toEqual([]);
  return checkPipeline(program, program.entryPoints[0], given)
    .map((item) => item.code)
    .join(" ");
}

const SIZED = "enable subgroup_size_control; override n = 1u; @compute @workgroup_size";
const MAIN = "@compute @workgroup_size(1) fn main()";

test.each<[string, OverrideValues, string]>([
  [`override a: i32; ${MAIN} { _ = a; }`, {}, "override-missing"],
  [`override a: i32; ${MAIN} { _ = a; }`, { a: 1 }, ""],
  [`override a: i32; ${MAIN} { _ = a; }`, { a: 3e9 }, "override-value"],
  [`override a: i32; ${MAIN} {}`, {}, ""],
  [`override a: i32; ${MAIN} {}`, { b: 1 }, "unknown-override"],
  [`override a: i32; var<workgroup> w: array<i32, a>; ${MAIN} { w[0] = 1; }`, { a: 0 }, "count-not-positive"],
  [`override a: i32; var<workgroup> w: array<i32, a>; ${MAIN} { w[0] = 1; }`, { a: 1 }, ""],
  [`override a = 4; var<workgroup> w: array<i32, a>; ${MAIN} { w[a] = 1; }`, {}, "evaluation-error"],
  [`override a = 4; var<workgroup> w: array<i32, a>; ${MAIN} { w[a - 1] = 1; }`, {}, ""],
  [`override a = 0; ${MAIN} { let x = 1 / a; }`, {}, "evaluation-error"],
  [`override a = 0; ${MAIN} { let x = 1 / a; }`, { a: 1 }, ""],
  [`override a = 0; fn other() { let x = 1 / a; } ${MAIN} {}`, {}, ""],
  [`override a = 0; fn other() { let x = 1 / a; } ${MAIN} { other(); }`, {}, "evaluation-error"],
  [`override a = 0; ${MAIN} { let y = 3; let x = y % a; }`, {}, "evaluation-error"],
  [`override a = 32u; ${MAIN} { let y = 3; let x = y << a; }`, {}, "evaluation-error"],
  [`override a = 0; ${MAIN} { let x = a != 0 && 1 / a == 1; }`, {}, ""],
  [`override a = 0; var<private> p = 1 / a; ${MAIN} { _ = p; }`, {}, "evaluation-error"],
  [`override a = 0; var<private> p = 1 / a; ${MAIN} {}`, {}, ""],
  [`override a: u32; var<workgroup> w: array<vec4f, a>; ${MAIN} { w[0].x = 1; }`, { a: 1024 }, ""],
  [
    `override a: u32; var<workgroup> w: array<vec4f, a>; ${MAIN} { w[0].x = 1; }`,
    { a: 1025 },
    "workgroup-storage-too-large",
  ],
  ["override a = 1; @compute @workgroup_size(a) fn main() {}", { a: 0 }, "attribute-value"],
  ["override a = 1; @compute @workgroup_size(a) fn main() {}", { a: 257 }, "workgroup-too-large"],
  ["override a = 1; @compute @workgroup_size(16, a) fn main() {}", { a: 17 }, "workgroup-too-large"],
  ["override a = 1; @compute @workgroup_size(16, a) fn main() {}", { a: 16 }, ""],
  [`${SIZED}(48) @subgroup_size(32) fn main() {}`, {}, "subgroup-size-divides"],
  [`${SIZED}(64) @subgroup_size(32) fn main() {}`, {}, ""],
  [`${SIZED}(n) @subgroup_size(16) fn main() {}`, { n: 24 }, "subgroup-size-divides"],
  [`${SIZED}(64) @subgroup_size(n) fn main() {}`, { n: 12 }, "subgroup-size-power-of-two"],
  [`${SIZED}(64) @subgroup_size(n) fn main() {}`, { n: 16 }, ""],
])("%s with %o", (text, given, expected) => {
  expect(pipelineErrors(text, given)).toBe(expected);
});

/** A buffer of 64 bytes and one of any size, and a view of one. */
const view = (call: string) =>
  `@group(0) @binding(0) var<storage> b: buffer<64>; @group(0) @binding(1) var<storage> any: buffer;
   override o = 0; override n = 64u; var<workgroup> w: buffer<n>; ${MAIN} { var at = 16u; _ = ${call}; }`;

test.each<[string, OverrideValues, string]>([
  ["*bufferView<vec4u>(&b, o)", { o: 48 }, ""],
  ["*bufferView<vec4u>(&b, o)", { o: -16 }, "evaluation-error"],
  ["*bufferView<vec4u>(&b, o)", { o: 8 }, "evaluation-error"],
  ["*bufferView<vec4u>(&b, o)", { o: 64 }, "evaluation-error"],
  ["*bufferView<vec4u>(&any, o)", { o: 6400 }, ""],
  ["*bufferView<vec4u>(&any, o)", { o: 4 }, "evaluation-error"],
  ["bufferArrayView<array<vec4u>>(&any, 0, o)[0]", { o: 32 }, ""],
  ["bufferArrayView<array<vec4u>>(&any, 0, o)[0]", { o: -32 }, "evaluation-error"],
  ["bufferArrayView<array<vec4u>>(&any, 0, o)[0]", { o: 8 }, "evaluation-error"],
  ["bufferArrayView<array<vec4u>>(&any, 0, o)[0]", { o: 24 }, "evaluation-error"],
  ["bufferArrayView<array<vec4u>>(&b, o, 48)[0]", { o: 16 }, ""],
  ["bufferArrayView<array<vec4u>>(&b, o, 48)[0]", { o: 32 }, "evaluation-error"],
  ["bufferArrayView<array<vec4u>>(&b, at, o)[0]", { o: 80 }, "evaluation-error"],
  ["*bufferView<vec4u>(&w, 16)", { n: 32 }, ""],
  ["*bufferView<vec4u>(&w, 16)", { n: 16 }, "evaluation-error"],
  ["*bufferView<vec4u>(&w, at)", { n: 8 }, "evaluation-error"],
])("the view %s with %o", (call, given, expected) => {
  expect(pipelineErrors(view(call), given)).toBe(expected);
});

test("an expression has the type that its place takes", () => {
  const program = analyze(new Source("override n = 3; @compute @workgroup_size(n, 2 * n) fn main() {}"));
  const { values } = evaluateOverrides(program, { n: 5 });
  const sizes = program.entryPoints[0].workgroupSize.map((expr) => evaluateExpression(program, expr.id, values)?.value);
  expect(sizes).toEqual([5, 10]);
});
