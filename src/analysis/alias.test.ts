/** What is handed to a function twice. spec: #alias-analysis */
import { expect, test } from "vitest";
import { Source } from "../text/source.ts";
import { analyze } from "./analyze.ts";

const MARK = "¦";

/** The text with a mark at each argument that is reported, behind the codes. */
function marked(text: string): string {
  const found = analyze(new Source(text)).diagnostics;
  let result = text;
  for (const { span } of found.toReversed()) result = result.slice(0, span.start) + MARK + result.slice(span.start);
  return found.length === 0 ? "" : `${found.map(({ code }) => code).join(", ")}: ${result}`;
}

const HELPERS = `var<private> v: i32; var<private> w: i32; var<workgroup> a: atomic<i32>;
@group(0) @binding(0) var<storage, read_write> s: array<i32>;
fn both(p: ptr<function, i32>, q: ptr<function, i32>) { *p = *q; }
fn inner(p: ptr<function, i32>, q: ptr<function, i32>) { both(p, q); }
fn reads(p: ptr<function, i32>, q: ptr<function, i32>) -> i32 { return *p + *q; }
fn writes(p: ptr<function, i32>, q: ptr<function, i32>) { *p = 1; *q = 2; }
fn unused(p: ptr<function, i32>, q: ptr<function, i32>) { *p = 1; }
fn counts(p: ptr<function, i32>, q: ptr<function, i32>) -> i32 { (*p)++; return *q; }
fn names(p: ptr<private, i32>) { v = *p; }
fn deep(p: ptr<private, i32>) { names(p); }
fn stores(p: ptr<private, i32>) { *p = v; }
fn looks(p: ptr<private, i32>) -> i32 { return *p + v; }
fn apart(p: ptr<private, i32>) { w = 1; }
fn length(p: ptr<storage, array<i32>, read_write>) -> u32 { s[0] = 1; return arrayLength(p); }
fn takes(p: ptr<workgroup, atomic<i32>>) -> i32 { return atomicLoad(p) + atomicAdd(&a, 1); }
fn swaps(p: ptr<function, vec2i>, q: ptr<function, vec2i>) -> vec2i { *p = vec2i(); return q.yx; }
`;

test.each([
  ["var x = 1; both(&x, ¦&x);", "aliased-arguments"],
  ["var x = 1; inner(&x, ¦&x);", "aliased-arguments"],
  ["var x = 1; writes(&x, ¦&x);", "aliased-arguments"],
  ["var x = 1; _ = counts(&x, ¦&x);", "aliased-arguments"],
  ["var x = vec2i(); _ = swaps(&x, ¦&x);", "aliased-arguments"],
  ["var x = 1; let p = &x; both(&x, ¦p);", "aliased-arguments"],
  ["var x = 1; let p = &x; let q = &*p; both(q, (¦&x));", "aliased-arguments"],
  ["var x: array<i32, 2>; both(&x[0], ¦&x[1]);", "aliased-arguments"],
  ["if true { var x: array<i32, 2>; let p = &x; both(&(*p)[0], ¦&p[1]); }", "aliased-arguments"],
  ["var x = 1; _ = reads(&x, &x);", ""],
  ["var x = 1; unused(&x, &x);", ""],
  ["var x = 1; var y = 2; both(&x, &y);", ""],
  ["{ var x = 1; { var x = 2; let p = &x; } var y = 1; both(&x, &y); }", ""],
  ["names(¦&v);", "aliased-variable"],
  ["deep(¦&v);", "aliased-variable"],
  ["stores(¦&v);", "aliased-variable"],
  ["let p = &v; stores(¦p);", "aliased-variable"],
  ["_ = takes(¦&a);", "aliased-variable"],
  ["names(&w);", ""],
  ["stores(&w);", ""],
  ["_ = looks(&v);", ""],
  ["apart(&w);", ""],
  ["_ = length(&s);", ""],
])("%s", (body, code) => {
  const text = `${HELPERS}fn test() { ${body} }`;
  expect(marked(text.replace(MARK, ""))).toBe(code === "" ? "" : `${code}: ${text}`);
});

test.each([
  ["fn g(p: ptr<function, i32>) { both(p, ¦p); }", "aliased-arguments"],
  ["fn g(p: ptr<function, i32>, q: ptr<function, i32>) { both(p, q); }", ""],
  ["fn g(p: ptr<private, i32>) { names(p); stores(p); }", ""],
])("%s", (text, code) => {
  const whole = HELPERS + text;
  expect(marked(whole.replace(MARK, ""))).toBe(code === "" ? "" : `${code}: ${whole}`);
});

test.each([
  "let x = *q;",
  "var x = *q;",
  "let r = q; { { _ = *r; } }",
  "if *q > 0 {}",
  "if false {} else if *q > 0 {}",
  "if false {} else { _ = *q; }",
  "switch *q { default {} }",
  "switch 1 { case 1 { _ = *q; } default {} }",
  "for (var i = *q; i < 2; i++) {}",
  "for (var i = 0; i < *q; i++) {}",
  "for (var i = 0; i < 2; i += *q) {}",
  "for (var i = 0; i < 2; i++) { _ = *q; }",
  "while *q > 0 {}",
  "while false { _ = *q; }",
  "loop { if *q > 0 { break; } }",
  "loop { break; continuing { _ = *q; } }",
  "loop { continuing { break if *q > 0; } }",
  "_ = reads(q, q);",
  "both(q, q);",
  "return *q;",
])("what is read in ‘%s’", (statement) => {
  const end = statement.startsWith("return") ? "" : " return 0;";
  const callee = `fn callee(p: ptr<function, i32>, q: ptr<function, i32>) -> i32 { *p = 1; ${statement}${end} }`;
  const text = `${HELPERS.replace(/fn both.*\n/, "fn both(p: ptr<function, i32>, q: ptr<function, i32>) { _ = *q; }\n")}${callee}
fn test() { var x = 1; _ = callee(&x, ¦&x); }`;
  expect(marked(text.replace(MARK, ""))).toBe(`aliased-arguments: ${text}`);
});

test("the notes name the other argument and the write", () => {
  const text = "fn both(p: ptr<function, i32>, q: ptr<function, i32>) { *p = *q; } fn f() { var x = 1; both(&x, &x); }";
  const source = new Source(text);
  const [{ notes }] = analyze(source).diagnostics;
  expect(notes.map(({ span, message }) => `${span.start} ${source.slice(span)}: ${message}`)).toEqual([
    `${text.indexOf("&x")} &x: ‘x’ is given here as well`,
    `${text.indexOf("*p")} *p: ‘both’ writes through the pointer here`,
  ]);
});
