import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Source } from "../text/source.ts";
import { isNamed } from "./ast.ts";
import { dumpText, syntaxMessages } from "./dump.ts";
import { parse } from "./parser.ts";

describe("directives", () => {
  test.each([
    ["", ""],
    [";;", ""],
    ["enable f16;", "(enable f16)"],
    ["enable f16, subgroups,;", "(enable f16 subgroups)"],
    ["requires a; requires b, c;", "(requires a)\n(requires b c)"],
    ["diagnostic(off, a);", "(diagnostic off a)"],
    ["diagnostic(info, a.b,);", "(diagnostic info a.b)"],
    [
      "enable f16; diagnostic(off, a); requires b; const c = 1;",
      "(enable f16)\n(diagnostic off a)\n(requires b)\n(const c 1)",
    ],
  ])("%s", (text, expected) => {
    expect(dumpText(text)).toBe(expected);
  });
});

describe("declarations", () => {
  test.each([
    ["const a = 1;", "(const a 1)"],
    ["const a: i32 = 1;", "(const a :i32 1)"],
    ["override a: f32;", "(override a :f32)"],
    ["@id(1) override a = 2.5;", "(override @id(1) a 2.5)"],
    ["var<private> a: i32 = 1;", "(var <private> a :i32 1)"],
    [
      "@group(0) @binding(1) var<storage, read_write> a: array<u32>;",
      "(var @group(0) @binding(1) <storage,read_write> a :array<u32>)",
    ],
    ["var a: sampler;", "(var a :sampler)"],
    ["alias T = vec3<f32>;", "(alias T :vec3<f32>)"],
    ["alias T = array<array<f32, 2>, 3>;", "(alias T :array<array<f32, 2>, 3>)"],
    ["struct S { a: i32 }", "(struct S (a :i32))"],
    [
      "struct S { @align(16) @size(32) a: i32, @b c: vec2<f32>, };",
      "(struct S (@align(16) @size(32) a :i32) (@b c :vec2<f32>))",
    ],
    ["struct S { }", "(struct S)"],
    ["const_assert 1 < 2;", "(const_assert (< 1 2))"],
    ["fn f() { }", "(fn f ())"],
    ["fn f() -> i32 { return 1; }", "(fn f () (-> :i32) (return 1))"],
    ["fn f(a: i32, @b(c, 1,) @d e: vec2<f32>,) { };", "(fn f ((a :i32) (@b(c, 1) @d e :vec2<f32>)))"],
    ["@vertex fn f() -> @builtin(position) vec4f { }", "(fn @vertex f () (-> @builtin(position) :vec4f))"],
    [
      "@compute @workgroup_size(8, 8,) fn f() @diagnostic(off, a) { }",
      "(fn @compute @workgroup_size(8, 8) f () @diagnostic(off, a))",
    ],
    ["@must_use() @const fn f() { }", "(fn @must_use() @const f ())"],
    ["@diagnostic(off, a.b,) fn f() { }", "(fn @diagnostic(off, a.b) f ())"],
    ["fn Δέλτα(朝焼け: i32) { }", "(fn Δέλτα ((朝焼け :i32)))"],
    ["/* a */ const /* b */ c = 1; // d", "(const c 1)"],
    ["struct S { alias_: i32, _a: i32 }", "(struct S (alias_ :i32) (_a :i32))"],
  ])("%s", (text, expected) => {
    expect(dumpText(text)).toBe(expected);
  });
});

describe("mistakes", () => {
  test.each([
    [
      "let a = 1;",
      "1:1: let-at-module-scope ‘let’ is allowed only in functions, expected ‘const’, ‘override’ or ‘var<private>’",
    ],
    [
      "a = 1;",
      "1:1: statement-at-module-scope a statement must stand in a function, expected a declaration, found ‘a’",
    ],
    [
      "if a { b = ; }",
      "1:1: statement-at-module-scope a statement must stand in a function, expected a declaration, found ‘if’",
    ],
    ["a", "1:1: unexpected-token expected a declaration, found ‘a’"],
    ["a\nvar<private> b: u32;", "1:1: unexpected-token expected a declaration, found ‘a’"],
    ["{ }", "1:1: unexpected-token expected a declaration, found ‘{’"],
    ["}", "1:1: unmatched-bracket ‘}’ closes nothing, expected a declaration"],
    ["const a = 1\nconst b = 2;", "1:12: missing-semicolon expected ‘;’ before ‘const’"],
    ["const a;", "1:8: unexpected-token expected ‘=’ and an initial value, found ‘;’"],
    ["const fn = 1;", "1:7: keyword-as-name ‘fn’ is a keyword, expected another name"],
    ["enable;", "1:7: unexpected-token expected the name of an extension, found ‘;’"],
    ["enable f16\nconst a = 1;", "1:11: missing-semicolon expected ‘;’ before ‘const’"],
    ["const a = 1; enable f16;", "1:14: misplaced-directive ‘enable’ must stand before all declarations"],
    ["; enable f16;", "1:3: misplaced-directive ‘enable’ must stand before all declarations"],
    ["diagnostic off, a;", "1:12: unexpected-token expected ‘(’, found ‘off’"],
    ["diagnostic(off);", "1:15: unexpected-token expected ‘,’, found ‘)’"],
    ["diagnostic(off, a.b.c);", "1:20: unexpected-token expected ‘)’, found ‘.’"],
    ["@a const b = 1;", "1:1: attribute-not-allowed attributes are not allowed before ‘const’"],
    ["@a struct S { b: i32 }", "1:1: attribute-not-allowed attributes are not allowed before ‘struct’"],
    ["@a alias T = i32;", "1:1: attribute-not-allowed attributes are not allowed before ‘alias’"],
    ["@a const_assert true;", "1:1: attribute-not-allowed attributes are not allowed before ‘const_assert’"],
    ["@a;", "1:1: attribute-not-allowed attributes are not allowed before ‘;’"],
    ["@compute", "1:9: unexpected-token expected a declaration, found the end of the text"],
    ["@1 fn f() { }", "1:2: unexpected-token expected the name of an attribute, found ‘1’"],
    ["@if fn f() { }", "1:2: keyword-as-name ‘if’ is a keyword, expected another name"],
    ["@const() fn f() { }", "1:7: unexpected-token expected a declaration, found ‘(’"],
    ["alias T i32;", "1:9: unexpected-token expected ‘=’, found ‘i32’"],
    ["struct S { a: i32; b: i32; }", "1:18: struct-semicolon members end with ‘,’, found ‘;’"],
    ["struct S { a: i32 b: i32 }", "1:19: unexpected-token expected ‘,’ or ‘}’, found ‘b’"],
    ["struct S { a i32 }", "1:14: unexpected-token expected ‘:’, found ‘i32’"],
    ["struct S { float a, }", "1:12: type-before-name the type stands after the name, expected ‘a: f32’"],
    ["struct S { a: i32\nfn f() { }", "2:1: unexpected-token expected ‘,’ or ‘}’, found ‘fn’"],
    ["fn f(a: i32 b: i32) { }", "1:13: unexpected-token expected ‘,’ or ‘)’, found ‘b’"],
    ["fn f(int a) { }", "1:6: type-before-name the type stands after the name, expected ‘a: i32’"],
    ["fn f(a: i32,, b: i32) { }", "1:13: unexpected-token expected a parameter ‘name: type’, found ‘,’"],
    ["fn f() i32 { }", "1:8: unexpected-token expected ‘->’ or ‘{’, found ‘i32’"],
    ["fn f(): i32 { }", "1:7: unexpected-token expected ‘->’ or ‘{’, found ‘:’"],
    ["fn f() -> { }", "1:11: unexpected-token expected a type, found ‘{’"],
    ["fn f();", "1:7: unexpected-token expected ‘{’, found ‘;’"],
    ["fn f { }", "1:6: unexpected-token expected ‘(’, found ‘{’"],
    ["function f() { }", "1:1: foreign-keyword ‘function’ is no keyword of WGSL, expected ‘fn’"],
    ["pub fn f() { }", "1:1: foreign-keyword ‘pub’ is no keyword of WGSL, expected the declaration alone"],
    ["fnn f() { }", "1:1: foreign-keyword ‘fnn’ is no keyword of WGSL, expected ‘fn’"],
    ["class S { a: i32 }", "1:1: foreign-keyword ‘class’ is no keyword of WGSL, expected ‘struct’"],
    ["typedef i32 T;", "1:1: foreign-keyword ‘typedef’ is no keyword of WGSL, expected ‘alias’"],
    ["import a;", "1:1: foreign-keyword ‘import’ is no keyword of WGSL, expected all declarations in one text"],
    ["void f() { }", "1:1: type-before-name the type stands after the name, expected ‘fn f()’"],
    [
      "float f(a: f32) { return a; }",
      "1:1: type-before-name the type stands after the name, expected ‘fn f(a: f32) -> f32’",
    ],
    ["uint a = 1;", "1:1: type-before-name the type stands after the name, expected ‘var<private> a: u32’"],
    [
      "[[stage(compute), workgroup_size(1)]]\nfn f() { }",
      "1:1: bracket-attribute attributes are not written in brackets, expected ‘@compute @workgroup_size(1)’",
    ],
    [
      "#include <a>\nfn f() { }",
      "1:1: preprocessor-directive ‘#include’ is left over from another language, WGSL has no preprocessor",
    ],
    [
      "var<private a: i32;",
      "1:4: unclosed-template-list the ‘<’ after ‘var’ is not closed, expected ‘>’ at the end of the template list",
    ],
    [
      "\ufeffconst a = 1;",
      "1:1: byte-order-mark the text begins with a byte order mark (U+FEFF), save it as UTF-8 without one",
    ],
  ])("%s", (text, expected) => {
    expect(syntaxMessages(text)).toBe(expected);
  });

  test("each declaration has its own message, and the rest is there", () => {
    const text =
      "const a = ;\nstruct S { a: , b: i32 }\nfn f(a: , b: i32) -> { c = ; }\nvar<private> d: i32\nalias T = u32;";
    const { module, diagnostics } = parse(new Source(text));
    const source = new Source(text);
    expect(diagnostics.map((item) => source.position(item.span.start).line)).toEqual([1, 2, 3, 3, 3, 4]);
    const names = module.declarations.map((node) => (isNamed(node) ? node.name.text : node.kind));
    expect(names).toEqual(["a", "S", "f", "d", "T"]);
  });

  test("a text that is no WGSL does not bring endless messages", () => {
    const { diagnostics } = parse(new Source("fn\n".repeat(5000)));
    expect(diagnostics).toHaveLength(201);
    expect(diagnostics.at(-1)?.code).toBe("too-many-errors");
  });
});

test("spans reach from the first to the last token", () => {
  const text = "@a fn f(b: i32) -> i32 { let c = (1 + 2) * d[0].e; }";
  const { module } = parse(new Source(text));
  const [node] = module.declarations;
  if (node.kind !== "function") throw new TypeError("no function");
  const slice = (part: { span: { start: number; end: number } }) => text.slice(part.span.start, part.span.end);
  expect(slice(module)).toBe(text);
  expect(slice(node)).toBe(text);
  expect(slice(node.attributes[0])).toBe("@a");
  expect(slice(node.params[0])).toBe("b: i32");
  const [declaration] = node.body.statements;
  expect(slice(declaration)).toBe("let c = (1 + 2) * d[0].e");
  if (declaration.kind !== "let" || declaration.initializer.kind !== "binary") throw new TypeError("no product");
  expect(slice(declaration.initializer)).toBe("(1 + 2) * d[0].e");
  expect(slice(declaration.initializer.left)).toBe("1 + 2");
  expect(slice(declaration.initializer.right)).toBe("d[0].e");
});

test("every production of the grammar stands in a comment above what reads it", () => {
  const pinned = JSON.parse(readFileSync("test/spec/spec.gen.json", "utf8")) as { productions: readonly string[] };
  const sources = readdirSync("src/syntax").filter((name) => /^(?:parser.*|lexer|number|tokens)\.ts$/.test(name));
  const comments = sources
    .filter((name) => !name.endsWith(".test.ts"))
    .flatMap((name) => readFileSync(`src/syntax/${name}`, "utf8").match(/^\s*\/\/.*$/gm) ?? [])
    .join("\n");
  expect(pinned.productions.filter((name) => !new RegExp(`\\b${name}\\b`).test(comments))).toEqual([]);
});
