/** One mistake, one message; what else is wrong, elsewhere, is told all the same. */
import { expect, test } from "vitest";
import { Source } from "../text/source.ts";
import { analyze } from "./analyze.ts";

const codes = (text: string) => analyze(new Source(text)).diagnostics.map(({ code }) => code);

const ENTRY = "@compute @workgroup_size(1) fn main(@builtin(local_invocation_index) i: u32)";
const BUFFER = "@group(0) @binding(0) var<storage, read_write> a: array<u32>;";

test.each([
  // The rest of a statement that could not be read.
  [`${BUFFER} fn f(i: u32) -> u32 { let x = a i; return x; }`, ["unexpected-token"]],
  [`${BUFFER} fn f(i: u32) { for (var k = 0u; k 8u; k++) { a[k] = k; } }`, ["unexpected-token"]],
  [`${BUFFER} fn f(i: u32) { if (i 0u) { a[i] = 1u; } }`, ["unexpected-token"]],
  [`struct S { x: u32 } fn f(s: S) -> u32 { return s x; }`, ["unexpected-token"]],
  // What would be declared there.
  ["@group(0) @binding(0) <storage> xs: array<u32>; fn f() -> u32 { return xs[0]; }", ["unexpected-token"]],
  ["SIZE = 64u; fn f() -> u32 { return SIZE + SIZE; } fn g() -> u32 { return SIZE; }", ["statement-at-module-scope"]],
  ["Pair { x: u32 } fn f(p: Pair) -> u32 { return p.x; }", ["statement-at-module-scope"]],
  ["double(x: u32) -> u32 { return 2u * x; } fn f() -> u32 { return double(1u); }", ["statement-at-module-scope"]],
  [`${BUFFER} ${ENTRY.replace("@builtin", "builtin")} { a[i] = i; }`, ["unexpected-token"]],
  // A declaration without its name.
  ["fn f() -> u32 { let = 1u; return at; }", ["unexpected-token"]],
  ["const = 1u; fn f() -> u32 { return at; } fn g() -> u32 { return at; }", ["unexpected-token"]],
  ["@compute @workgroup_size(1) fn< f() { g(); } fn g() { _ = dpdx(1.0); }", ["unexpected-token"]],
  ["@compute @workgroup_size(1) fn () { g(); } fn g() { _ = dpdx(1.0); }", ["unexpected-token"]],
  ["enable", ["unexpected-token"]],
  ["requires", ["unexpected-token"]],
  // What a structure or a function would have.
  ["struct S { x: u32, : u32 } fn f(s: S) -> u32 { return s.y; }", ["unexpected-token"]],
  [`${BUFFER}\n${ENTRY.replace("@compute", "@")} { a[i] = i; }`, ["unexpected-token"]],
])("%s", (text, expected) => {
  expect(codes(text)).toEqual(expected);
});

test.each([
  [`${BUFFER} fn f(i: u32) { let x = a i; a[0] = 1.5; }`, ["unexpected-token", "type-mismatch"]],
  [`${BUFFER} fn f(i: u32) { if (i 0u) { a[i] = 1.5; } }`, ["unexpected-token", "type-mismatch"]],
  ["fn f() -> u32 { let = 1u; return at + other; }", ["unexpected-token", "unresolved-identifier"]],
  ["SIZE = 64u; fn f() -> u32 { return SIZE + COUNT; }", ["statement-at-module-scope", "unresolved-identifier"]],
  [
    "struct S { x: u32, : u32 } struct T { x: u32 } fn f(t: T) -> u32 { return t.y; }",
    ["unexpected-token", "unknown-member"],
  ],
  [
    `@ @workgroup_size(1)\nfn g() { }\nfn f(@builtin(position) p: vec4f) { }`,
    ["unexpected-token", "io-attribute-not-on-entry-point"],
  ],
])("%s: both", (text, expected) => {
  expect(codes(text)).toEqual(expected);
});

test("what is only warned of in the syntax hides no error", () => {
  const text = "fn g() -> i32 { let value = 1; return value; } fn f(a: i32) -> i32 { return --a + value; }";
  const { diagnostics } = analyze(new Source(text));
  expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
    "warning double-negation",
    "error unresolved-identifier",
  ]);
});
