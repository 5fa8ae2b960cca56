/** What the tables of a program say, seen through the text of the nodes. */
import { expect, test } from "vitest";
import type * as ast from "../syntax/ast.ts";
import { forEachExpression } from "../syntax/walk.ts";
import { Source } from "../text/source.ts";
import { typeName } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { analyze, withDiagnostics } from "./analyze.ts";
import type { Program } from "./program.ts";

function legal(text: string): Program {
  const program = analyze(new Source(text));
  expect(program.diagnostics.map((item) => item.message)).toEqual([]);
  return program;
}

/** Every expression of the last function whose text is `wanted`. */
function find(program: Program, wanted: string): ast.Expr {
  const found: ast.Expr[] = [];
  const visit = (expr: ast.Expr): void => {
    if (program.source.slice(expr.span) === wanted) found.push(expr);
  };
  forEachExpression(program.functions[program.functions.length - 1].declaration.body, visit);
  expect(found.length).toBeGreaterThan(0);
  return found[0];
}

/** `type → used as` and, for const-expressions, the value. */
function facts(program: Program, wanted: string): string {
  const { id } = find(program, wanted);
  const type = typeName(program.typeOf[id]!);
  const used = typeName(program.usedAs[id]!);
  const known = program.constOf[id];
  return `${type}${used === type ? "" : ` → ${used}`}${known === null ? "" : ` = ${shown(known)}`}`;
}

function shown({ value }: ConstValue): string {
  return Array.isArray(value) ? `(${value.map(shown).join(", ")})` : String(value);
}

test.each([
  ["fn f() { let a: f32 = 1; }", "1", "abstract integer → f32 = 1"],
  ["fn f() { let a = 1 + 2; }", "1 + 2", "abstract integer → i32 = 3"],
  ["fn f() { let a = 1.5; }", "1.5", "abstract float → f32 = 1.5"],
  ["fn f(b: u32) { let a = b + 1; }", "1", "abstract integer → u32 = 1"],
  ["fn f() { var b = 1; let a = b; }", "b", "ref<function, i32, read_write> → i32"],
  ["fn f() { var b = 1; b = 2; }", "b", "ref<function, i32, read_write>"],
  ["fn f() { var b = vec2f(); let a = b.x; }", "b.x", "ref<function, f32, read_write> → f32"],
  ["fn f() { var b = vec2f(); let a = b.yx; }", "b", "ref<function, vec2<f32>, read_write> → vec2<f32>"],
  ["fn f() { var b = vec2f(); let a = (b.x); }", "b.x", "ref<function, f32, read_write> → f32"],
  ["fn f(i: i32) { let a = vec3(1, 2, 3)[i]; }", "vec3(1, 2, 3)", "vec3<abstract integer> → vec3<i32> = (1, 2, 3)"],
  ["fn f() { let a = vec3(1, 2, 3)[1]; }", "vec3(1, 2, 3)[1]", "abstract integer → i32 = 2"],
  ["fn f(p: ptr<function, vec2i>) { let a = p.x; }", "p", "ptr<function, vec2<i32>, read_write>"],
  ["fn f(b: bool) { let a = select(1, 2u, b); }", "1", "abstract integer → u32 = 1"],
  ["fn f() { let a = false && (1 / 0 == 1); }", "false && (1 / 0 == 1)", "bool = false"],
  [
    "fn f() { let a = mat2x2(1, 2, 3, 4) * vec2(1, 1); }",
    "mat2x2(1, 2, 3, 4) * vec2(1, 1)",
    "vec2<abstract float> → vec2<f32> = (4, 6)",
  ],
  ["fn f() { let a = array(1, 2.5); }", "array(1, 2.5)", "array<abstract float, 2> → array<f32, 2> = (1, 2.5)"],
  ["struct S { a: i32 } const s = S(3); fn f() { let a = s.a; }", "s.a", "i32 = 3"],
  ["override o = 1; fn f() { let a = o + 1; }", "o + 1", "i32"],
  ["var<workgroup> w: atomic<u32>; fn f() { atomicAdd(&w, 1); }", "&w", "ptr<workgroup, atomic<u32>, read_write>"],
  ["fn f() { let a = frexp(1.5).exp; }", "frexp(1.5).exp", "abstract integer → i32 = 1"],
])("%s: %s", (text, wanted, expected) => {
  expect(facts(legal(text), wanted)).toBe(expected);
});

test("what is used comes before its user, whatever the order of the text", () => {
  const program = legal(
    "fn a() { b(); v = n; } fn b() { c(); } fn c() {} var<private> v: T; alias T = i32; const n = 1; struct S { t: U } struct U { i: i32 }",
  );
  expect(program.functions.map((info) => info.name)).toEqual(["c", "b", "a"]);
  expect(program.structs.map((info) => info.name)).toEqual(["U", "S"]);
});

test("a function knows what it reaches, in order of declaration", () => {
  const program = legal(
    "override n = 1; override m = n; var<workgroup> a: array<i32, m>; var<private> b = 1; fn g() { a[0] = b; } fn f() { g(); g(); }",
  );
  const info = program.functions[1];
  expect(info.callees.map((callee) => callee.name)).toEqual(["g"]);
  expect(info.usedVariables.map((variable) => variable.name)).toEqual(["a", "b"]);
  expect(info.usedOverrides.map((override) => override.name)).toEqual(["n", "m"]);
});

test("an operator gives the same of the same operand, whatever was asked in between", () => {
  const operands = [
    "-1",
    "~1",
    "-1",
    "-1i",
    "-1f",
    "-ONE",
    "~ONE",
    "-1",
    "-(-1)",
    "!true",
    "!true",
    "!false",
    "-vec2(1)",
  ];
  const { module, constOf } = legal(`const ONE = 1;${operands.map((text, at) => `const c${at} = ${text};`).join("")}`);
  const values = module.declarations.slice(1).map((node) => shown(constOf[(node as ast.ConstDecl).initializer!.id]!));
  const expected = ["-1", "-2", "-1", "-1", "-1", "-1", "-2", "-1", "1", "false", "false", "true", "(-1, -1)"];
  expect(values).toEqual(expected);
});

test("an entry point takes and gives single values", () => {
  const program = legal(
    "struct O { @builtin(position) @invariant p: vec4f, @location(1) @interpolate(flat, either) c: u32 } @vertex fn f(@location(0) a: vec2f, @builtin(vertex_index) i: u32) -> O { return O(); }",
  );
  const [entry] = program.entryPoints;
  const words = [...entry.inputs, ...entry.outputs].map((io) =>
    [io.name, io.builtin ?? io.location, io.interpolation?.type ?? "", io.invariant].join(" "),
  );
  expect(words).toEqual(["a 0  false", "i vertex_index  false", "p position  true", "c 1 flat false"]);
});

test("filters are kept with the range that they hold for", () => {
  const text = "diagnostic(off, derivative_uniformity); fn f() { @diagnostic(info, halay.layout_mismatch) if true {} }";
  const program = legal(text);
  const seen = program.diagnosticFilters.map(({ severity, rule, range }) => [
    severity,
    rule,
    text.slice(range.start, range.end),
  ]);
  expect(seen).toEqual([
    ["off", "derivative_uniformity", text],
    ["info", "halay.layout_mismatch", "@diagnostic(info, halay.layout_mismatch) if true {}"],
  ]);
});

test("what is found when first asked for is no getter of the object itself", () => {
  const program = legal("fn f(x: i32) -> i32 { return x + 1; }");
  for (const found of [program, ...program.functions, ...program.variables]) {
    const accessors = Object.entries(Object.getOwnPropertyDescriptors(found)).filter(
      ([, { get }]) => get !== undefined,
    );
    expect(accessors).toEqual([]);
  }
  const expression = find(program, "x + 1");
  expect(program.expressionOf[expression.id]).toBe(expression);
  expect(program.expressionOf[program.functions[0].declaration.returnType!.id]?.kind).toBe("identifier");
});

test("a program with other diagnostics is the same otherwise", () => {
  const program = legal("fn f(x: i32) -> i32 { return x + 1; }");
  const other = withDiagnostics(program, []);
  expect(Object.keys(other)).toEqual(Object.keys(program));
  expect(other.expressionOf).toBe(program.expressionOf);
});
