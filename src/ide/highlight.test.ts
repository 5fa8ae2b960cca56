import { expect, test } from "vitest";
import { highlight } from "./highlight.ts";

/** Each token as `class:text`, with `!` where it is declared and the address space behind; punctuation left out. */
function colours(text: string): string {
  return highlight(text)
    .filter((token) => token.class !== "punctuation")
    .map(({ class: kind, start, end, isDeclaration, space }) => {
      return `${kind}:${text.slice(start, end)}${isDeclaration ? "!" : ""}${space === null ? "" : `(${space})`}`;
    })
    .join(" ");
}

test.each([
  ["enable f16; // half", "directive:enable directive:f16 comment:// half"],
  ["diagnostic(off, derivative_uniformity);", "directive:diagnostic directive:off directive:derivative_uniformity"],
  ["const N = 4u;", "keyword:const constant:N! operator:= number:4u"],
  ["alias V = vec2<f32>;", "keyword:alias type:V! operator:= type:vec2 type:f32"],
  ["struct S { @align(16) a: u32 }", "keyword:struct type:S! attribute:@ attribute:align number:16 member:a! type:u32"],
  [
    "@group(0) @binding(1) var<storage, read_write> a: array<u32>;",
    "attribute:@ attribute:group number:0 attribute:@ attribute:binding number:1 keyword:var enumerant:storage " +
      "enumerant:read_write variable:a!(storage) type:array type:u32",
  ],
  [
    "fn f(x: f32) -> f32 { return max(x, g().x); } fn g() -> vec2f { return vec2f(); }",
    "keyword:fn function:f! parameter:x! type:f32 type:f32 keyword:return builtin-function:max " +
      "parameter:x function:g member:x keyword:fn function:g! type:vec2f keyword:return type:vec2f",
  ],
  ["fn f() { var max = 1; max = 2; }", /variable:max!\(function\) operator:= number:1 variable:max\(function\)/],
  ["@compute @workgroup_size(1) fn f(@builtin(local_invocation_index) i: u32) {}", /attribute:local_invocation_index/],
  ["@diagnostic(off, subgroup_uniformity) fn f() {}", /^attribute:@ attribute:diagnostic directive:off/],
  ["@const fn f() {}", /^attribute:@ attribute:const keyword:fn/],
  // What the parser could not read is coloured by what bears the name.
  ["var<workgroup> t: u32; fn f( { t = max(1, g(2)); $ }", /type:u32.*builtin-function:max.*invalid:\$/],
  ["fn f() { let class = 1; }", /reserved-word:class/],
] as const)("%s", (text, expected) => {
  if (typeof expected === "string") expect(colours(text)).toBe(expected);
  else expect(colours(text)).toMatch(expected);
});

test("tokens are in order and do not overlap", () => {
  const text = "fn f() { let x = array<u32, 2>(1, 2)[0] >> 1u; /* a */ } // b";
  const tokens = highlight(text);
  for (const [at, token] of tokens.entries()) expect(token.start).toBeGreaterThanOrEqual(tokens[at - 1]?.end ?? 0);
});
