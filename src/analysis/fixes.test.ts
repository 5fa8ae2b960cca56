/** Fixes that analysis offers: applied, they make the text legal. */
import { expect, test } from "vitest";
import { applyEdits } from "../text/edit.ts";
import { Source } from "../text/source.ts";
import { analyze } from "./analyze.ts";

function mended(text: string): string {
  const [first] = analyze(new Source(text)).diagnostics;
  return applyEdits(text, first.fixes[0].edits);
}

const ATOMIC = "var<workgroup> a: atomic<u32>;";

test.each([
  [`${ATOMIC} fn f() { let b = a; }`, `${ATOMIC} fn f() { let b = atomicLoad(&a); }`],
  [`${ATOMIC} fn f() { a = 2; }`, `${ATOMIC} fn f() { atomicStore(&a, 2); }`],
  [`${ATOMIC} fn f() { a += 2; }`, `${ATOMIC} fn f() { atomicAdd(&a, 2); }`],
  [`${ATOMIC} fn f() { a -= 2; }`, `${ATOMIC} fn f() { atomicSub(&a, 2); }`],
  [`${ATOMIC} fn f() { a |= 2; }`, `${ATOMIC} fn f() { atomicOr(&a, 2); }`],
  [`${ATOMIC} fn f() { a++; }`, `${ATOMIC} fn f() { atomicAdd(&a, 1); }`],
  [`${ATOMIC} fn f() { a--; }`, `${ATOMIC} fn f() { atomicSub(&a, 1); }`],
  [`${ATOMIC} fn f() { atomicMax(a, 1); }`, `${ATOMIC} fn f() { atomicMax(&a, 1); }`],
  ["fn f(p: ptr<function, i32>) { p = 1; }", "fn f(p: ptr<function, i32>) { *p = 1; }"],
  ["fn f(i: i32) { switch i { case 1: {} } }", "fn f(i: i32) { switch i { case 1: {} default: {} } }"],
  [
    "fn g(p: ptr<function, i32>) {} fn f() { var x = 1; g(x); }",
    "fn g(p: ptr<function, i32>) {} fn f() { var x = 1; g(&x); }",
  ],
  [
    "@group(0) @binding(0) var<storage> b: u32; fn f() { b = 1; }",
    "@group(0) @binding(0) var<storage, read_write> b: u32; fn f() { b = 1; }",
  ],
  [
    "@group(0) @binding(0) var<storage, read> b: u32; fn f() { b = 1; }",
    "@group(0) @binding(0) var<storage, read_write> b: u32; fn f() { b = 1; }",
  ],
  ["const a = 1h;", "enable f16;\nconst a = 1h;"],
])("%s", (text, expected) => {
  const result = mended(text);
  expect(result).toBe(expected);
  expect(analyze(new Source(result)).diagnostics).toEqual([]);
});
