/** No list is too long for the stack. */
import { expect, test } from "vitest";
import { check } from "../check.ts";

const COUNT = 150_000;

function each(part: (index: number) => string): string {
  return Array.from({ length: COUNT }, (_, index) => part(index)).join("");
}

const ENTRY = "@compute @workgroup_size(1) fn main";

test.each([
  ["members", `struct S { ${each((n) => `m${n}: u32,`)} }`, ["struct-members"]],
  ["parameters", `fn f(${each((n) => `p${n}: u32,`)}) {}`, ["parameter-count"]],
  ["variables", `${each((n) => `var<private> v${n}: u32;`)} ${ENTRY}() { ${each((n) => `v${n} = 1;`)} }`, []],
  ["overrides", `${each((n) => `override o${n}: u32;`)} ${ENTRY}() { ${each((n) => `_ = o${n};`)} }`, []],
  [
    "behind `break if`",
    `fn g() {} fn f() { loop { continuing { break if true; ${"g();".repeat(COUNT)} } } }`,
    ["misplaced-break-if"],
  ],
])("%s", (_, text, codes) => {
  expect(check(text).diagnostics.map(({ code }) => code)).toEqual(codes);
});
