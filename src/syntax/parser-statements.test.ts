import { describe, expect, test } from "vitest";
import { Source } from "../text/source.ts";
import type { LocalDecl } from "./ast.ts";
import { dumpText, statement, syntaxMessages } from "./dump.ts";
import { parse } from "./parser.ts";

/** The trees of statements, or the messages about them; columns count from the first statement. */
function statements(text: string): string {
  const source = new Source(`fn f() {\n${text}\n}`);
  const { module, diagnostics } = parse(source);
  if (diagnostics.length > 0) {
    return diagnostics.map((item) => `${source.position(item.span.start).column}: ${item.code}`).join(" ");
  }
  const [declaration] = module.declarations;
  return declaration.kind === "function" ? declaration.body.statements.map(statement).join(" ") : declaration.kind;
}

describe("statements", () => {
  test.each([
    [";", ";"],
    ["return;", "(return)"],
    ["return a + 1;", "(return (+ a 1))"],
    ["break; continue; discard;", "(break) (continue) (discard)"],
    ["f();", "(call f)"],
    ["vec2<f32>(1);", "(call vec2<f32> 1)"],
    ["let x = 1;", "(let x 1)"],
    ["let x: i32 = 1;", "(let x :i32 1)"],
    ["const x = 1;", "(const x 1)"],
    ["var x;", "(var x)"],
    ["var x: array<f32, 4>;", "(var x :array<f32, 4>)"],
    ["var<function> x = 1;", "(var <function> x 1)"],
    ["var<function, read_write,> x: i32 = 1;", "(var <function,read_write> x :i32 1)"],
    ["const_assert a < b;", "(const_assert (< a b))"],
    ["const_assert(a);", "(const_assert (a))"],
    ["a = 1;", "(= a 1)"],
    ["a.b[1] = c;", "(= ([] (. a b) 1) c)"],
    ["*a = 1;", "(= (* a) 1)"],
    ["*&a.b = 1;", "(= (* (& (. a b))) 1)"],
    ["&&a = 1;", "(= (& (& a)) 1)"],
    ["(*a).b = 1;", "(= (. (* a) b) 1)"],
    ["f(a)[1] = 1;", "(= ([] (call f a) 1) 1)"],
    ["f<a>(b).c = 1;", "(= (. (call f<a> b) c) 1)"],
    ["_ = a;", "(_= a)"],
    ["a += 1; a -= 1; a *= 1; a /= 1; a %= 1;", "(+= a 1) (-= a 1) (*= a 1) (/= a 1) (%= a 1)"],
    ["a &= 1; a |= 1; a ^= 1; a <<= 1; a >>= 1;", "(&= a 1) (|= a 1) (^= a 1) (<<= a 1) (>>= a 1)"],
    ["a++; a--; *a++; (a)--;", "(++ a) (-- a) (++ (* a)) (-- (a))"],
    ["{}", "{}"],
    ["{ a = 1; { } }", "{(= a 1) {}}"],
    ["@diagnostic(off, a.b) { }", "{@diagnostic(off, a.b)}"],
  ])("%s", (text, expected) => {
    expect(statements(text)).toBe(expected);
  });
});

describe("control flow", () => {
  test.each([
    ["if a { }", "(if a {})"],
    ["if (a) { b(); }", "(if (a) {(call b)})"],
    ["if a < b { } else { c(); }", "(if (< a b) {} {(call c)})"],
    ["if a { } else if b { } else if c { } else { }", "(if a {} b {} c {} {})"],
    ["@a @b if a @c { }", "(if @a @b a {@c})"],
    ["switch a { default: { } }", "(switch a (default {}))"],
    ["switch (a) { case 1 { } case 2, b,: { } default { } }", "(switch (a) (1 {}) (2 b {}) (default {}))"],
    ["switch a { case 1, default { } }", "(switch a (1 default {}))"],
    ["switch a { case default, 1, { } }", "(switch a (default 1 {}))"],
    ["@a switch b @c { case 1: @d { } }", "(switch @a b @c (1 {@d}))"],
    ["switch a { }", "(switch a)"],
    ["loop { }", "(loop {})"],
    ["loop { break; continuing { a++; } }", "(loop {(break)} (continuing {(++ a)}))"],
    ["loop { continuing { break if a < b; } }", "(loop {} (continuing {} (< a b)))"],
    ["@a loop @b { continuing @c { d(); break if (e); } }", "(loop @a {@b} (continuing {@c (call d)} (e)))"],
    ["for (;;) { }", "(for ; ;  {})"],
    ["for (var i = 0; i < 4; i++) { }", "(for (var i 0); (< i 4); (++ i) {})"],
    ["for (let i = 0; a; b()) { }", "(for (let i 0); a; (call b) {})"],
    ["for (const i = 0;; a = 1) { }", "(for (const i 0); ; (= a 1) {})"],
    ["for (i += 1;; _ = a) { }", "(for (+= i 1); ; (_= a) {})"],
    ["for (f();;) { }", "(for (call f); ;  {})"],
    ["@a for (;;) @b { }", "(for @a ; ;  {@b})"],
    ["while a { }", "(while a {})"],
    ["@a while (a) @b { break; }", "(while @a (a) {@b (break)})"],
  ])("%s", (text, expected) => {
    expect(statements(text)).toBe(expected);
  });
});

describe("mistakes", () => {
  test.each([
    ["let x = 1", "10: missing-semicolon"],
    ["let x = 1 let y = 2;", "10: missing-semicolon"],
    ["return", "7: missing-semicolon"],
    ["x = 1 2;", "7: unexpected-token"],
    ["x = ;", "5: unexpected-token"],
    ["let x;", "6: unexpected-token"],
    ["let = 1;", "5: unexpected-token"],
    ["let x: = 1;", "8: unexpected-token"],
    ["const x: i32;", "13: unexpected-token"],
    ["let _ = 1;", "5: underscore-as-name"],
    ["let for = 1;", "5: keyword-as-name"],
    ["let null = 1;", "5: reserved-word"],
    ["let __x = 1;", "5: double-underscore"],
    ["let mut x = 1;", "1: foreign-keyword"],
    ["let int x = 1;", "5: type-before-name"],
    ["var x f32;", "7: unexpected-token"],
    ["var x: f32[4];", "8: array-suffix"],
    ["var x: vec3<f32;", "12: unclosed-template-list"],
    ["var<function x = 1;", "4: unclosed-template-list"],
    ["uint x = 1;", "1: type-before-name"],
    ["vec3<f32> x;", "1: type-before-name"],
    ["retrun x;", "1: foreign-keyword"],
    ["goto end;", "1: foreign-keyword"],
    ["do { x = 1; } while (x < 3);", "1: foreign-keyword"],
    ["if a { } elif (b) { c = 1; }", "10: foreign-keyword"],
    ["foreach (x in y) { z(); }", "1: foreign-keyword"],
    ["a;", "1: expression-as-statement"],
    ["a + b;", "1: expression-as-statement"],
    ["1;", "1: expression-as-statement"],
    ["1\na = 1;", "1: expression-as-statement"],
    ["(f());", "1: expression-as-statement"],
    ["a == 1;", "3: comparison-as-statement"],
    ["++a;", "1: prefix-increment"],
    ["--a.b;", "1: prefix-increment"],
    ["for (;; ++i) { }", "9: prefix-increment"],
    ["a++ = 1;", "5: unexpected-token"],
    ["a = b = c;", "7: assignment-in-expression"],
    ["if a = b { }", "6: assignment-in-expression"],
    ["1 = a;", "1: invalid-assignment-target"],
    ["-a = 1;", "1: invalid-assignment-target"],
    ["(a + b) = 1;", "1: invalid-assignment-target"],
    ["(a + b)++;", "1: invalid-assignment-target"],
    ["vec2<f32> = a;", "1: invalid-assignment-target"],
    ["a.f(1);", "3: method-call"],
    ["_ += 1;", "3: unexpected-token"],
    ["_ = ;", "5: unexpected-token"],
    ["if (a) return;", "8: missing-braces"],
    ["if a { } else b();", "15: missing-braces"],
    ["while (a) b();", "11: missing-braces"],
    ["for (;;) ;", "10: missing-braces"],
    ["loop b();", "6: missing-braces"],
    ["switch a { case 1: b(); break; default: { } }", "20: missing-braces"],
    ["switch a { case 1: case 2: { } default { } }", "20: missing-braces"],
    ["switch a { b(); default { } }", "12: unexpected-token"],
    ["switch a { case { } }", "17: unexpected-token"],
    ["case 1: { }", "1: misplaced-clause"],
    ["default: { }", "1: misplaced-clause"],
    ["else { }", "1: misplaced-clause"],
    ["continuing { }", "1: misplaced-continuing"],
    ["loop { continuing { } a(); }", "8: misplaced-continuing"],
    ["loop { continuing { } continuing { } }", "8: misplaced-continuing"],
    ["while a { continuing { } }", "11: misplaced-continuing"],
    ["break if a;", "1: misplaced-break-if"],
    ["loop { break if a; }", "8: misplaced-break-if"],
    ["loop { continuing { break if a; b(); } }", "21: misplaced-break-if"],
    ["loop { continuing { { break if a; } } }", "23: misplaced-break-if"],
    ["@a b = 1;", "1: attribute-not-allowed"],
    ["@a let b = 1;", "1: attribute-not-allowed"],
    ["@a ;", "1: attribute-not-allowed"],
    ["for (@a var i = 0;;) { }", "6: unexpected-token"],
    ["for (let i = 0, j = 1;;) { }", "15: several-names"],
    ["for i in 0..4 { a(); }", "5: unexpected-token"],
    ["for (;) { }", "7: unexpected-token"],
    ["  fn g() { }", "3: misplaced-declaration"],
    ["  struct S { a: i32 }", "3: misplaced-declaration"],
    ["  alias T = i32;", "3: misplaced-declaration"],
    ["  override x: i32;", "3: misplaced-declaration"],
    ["enable f16;", "1: misplaced-directive"],
    ["f(1, {2});", "6: unexpected-token"],
    ["var x = {1, 2};", "9: list-without-type"],
    ["x = a ? b : c;", "7: conditional-operator"],
    ["#define x 1", "1: preprocessor-directive"],
    ["discard();", "8: unexpected-token"],
  ])("%s", (text, expected) => {
    expect(statements(text)).toBe(expected);
  });
});

describe("recovery", () => {
  test("each statement has its own message", () => {
    const text =
      "fn f() {\n  let a = ;\n  b = 1\n  c(;\n  if d = 1 { e = ; }\n  for (var i = ; i < 4; i++) { g h; }\n}\nfn k() { l }";
    expect(
      syntaxMessages(text)
        .split("\n")
        .map((line) => line.split(" ").slice(0, 2).join(" ")),
    ).toEqual([
      "2:11: unexpected-token",
      "3:8: missing-semicolon",
      "4:5: unexpected-token",
      "5:8: assignment-in-expression",
      "5:18: unexpected-token",
      "6:16: unexpected-token",
      "6:32: type-before-name",
      "8:10: expression-as-statement",
    ]);
  });

  test("a missing brace costs one message", () => {
    const text =
      "fn f() {\n  if a {\n    b();\n}\n\n@compute @workgroup_size(1)\nfn g() {\n  loop {\n    c();\n}\nstruct S { a: i32 }\nfn h() { }";
    expect(syntaxMessages(text)).toBe(
      "6:1: unexpected-token expected ‘}’, found ‘@’\n11:1: unexpected-token expected ‘}’, found ‘struct’",
    );
    expect(parse(new Source(text)).module.declarations.map((node) => node.kind)).toEqual([
      "function",
      "function",
      "struct",
      "function",
    ]);
  });

  test("a brace too many costs one message", () => {
    expect(syntaxMessages("fn f() { if a { } } }\nb = 1;\nlet c = 1;\nreturn;\nfn g() { }")).toBe(
      "1:21: unmatched-bracket ‘}’ closes nothing, expected a declaration",
    );
  });

  test("text that ends early costs one message", () => {
    for (const text of [
      "fn f() {",
      "fn f() { if a {",
      "fn f() { g(1,",
      "fn f() { let a =",
      "fn f(",
      "fn f() { /* } ",
    ]) {
      expect(syntaxMessages(text).split("\n"), text).toHaveLength(1);
    }
  });

  test("declarations keep their names", () => {
    const { module } = parse(new Source("fn f() { let a = (; var b: i32 = 1 +; const c = ; uint d = 1u; }"));
    const [node] = module.declarations;
    const names = node.kind === "function" ? node.body.statements.map((part) => (part as LocalDecl).name?.text) : [];
    expect(names).toEqual(["a", "b", "c", "d"]);
  });
});

describe("depth is bounded", () => {
  const count = 100_000;
  test.each([
    ["braces", "{".repeat(count)],
    ["closed braces", "{".repeat(count) + "}".repeat(count)],
    ["conditions", "if a {".repeat(count) + "}".repeat(count)],
    ["loops", "loop {".repeat(count)],
    ["continuing blocks", "loop { continuing {".repeat(count)],
    ["switches", "switch a { default {".repeat(count)],
  ])("%s", (_, text) => {
    expect(statements(text)).toMatch(/^\d+: nesting-too-deep$/);
  });

  test("bodies without braces and functions in functions, too", () => {
    expect(statements("if a ".repeat(count))).toContain("nesting-too-deep");
    expect(statements(" fn f() {".repeat(count))).toContain("nesting-too-deep");
  });

  test("126 blocks fit into a body, 127 do not", () => {
    const nested = (depth: number) => "{".repeat(depth) + "}".repeat(depth);
    expect(statements(nested(126))).toBe(nested(126));
    expect(statements(nested(127))).toBe("127: nesting-too-deep");
  });

  test("a chain of ‘else if’ may be longer", () => {
    const chain = (length: number) => `if a { }${" else if a { }".repeat(length)}`;
    expect(dumpText(`fn f() { ${chain(512)} else { } }`)).toContain("{} {})");
    expect(statements(chain(513))).toMatch(/^\d+: nesting-too-deep$/);
    expect(statements(chain(100_000))).toMatch(/^\d+: nesting-too-deep$/);
    const nested = `${chain(300)} else { ${chain(300)} else { ${chain(300)} } }`;
    expect(statements(nested)).toMatch(/^\d+: nesting-too-deep$/);
    expect(statements(`${chain(300)} else { b(); } ${chain(300)}`)).toContain("(call b)");
  });
});
