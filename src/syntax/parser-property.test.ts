/** What holds for any text. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Source } from "../text/source.ts";
import type { CallExpr, Module } from "./ast.ts";
import { parse } from "./parser.ts";
import { printModule } from "./print.ts";
import { TOKEN_TEXT } from "./tokens.ts";

/** Every object of a tree that is a node. */
function nodes(root: object): { kind: string; id: number; span: { start: number; end: number } }[] {
  const found: { kind: string; id: number; span: { start: number; end: number } }[] = [];
  const pending: object[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ("id" in next && "kind" in next) found.push(next as (typeof found)[number]);
    if ("kind" in next && next.kind === "call") found.push((next as CallExpr).callee);
    for (const value of Object.values(next)) if (typeof value === "object" && value !== null) pending.push(value);
  }
  return found;
}

/** The tree without what printing changes. */
function bare(module: Module): unknown {
  const strip = (value: unknown): unknown => {
    if (typeof value === "bigint") return `${value}n`;
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).filter(
      ([key]) => !/^(?:id|start|nameStart|end|fourth|length|comments|nodeCount)$/.test(key),
    );
    return Object.fromEntries(entries.map(([key, part]) => [key, strip(part)]));
  };
  return strip(module);
}

function checkInvariants(text: string): void {
  const { module, diagnostics } = parse(new Source(text));
  const all = nodes(module);
  const ids = new Set(all.map((node) => node.id));
  expect(ids.size).toBe(all.length);
  for (const node of all) {
    expect(node.id).toBeLessThan(module.nodeCount);
    expect(node.span.start).toBeGreaterThanOrEqual(0);
    expect(node.span.end).toBeGreaterThanOrEqual(node.span.start);
    expect(node.span.end).toBeLessThanOrEqual(text.length);
    if (/error/.test(node.kind)) expect(diagnostics.length).toBeGreaterThan(0);
  }
  for (const item of diagnostics) {
    expect(item.span.start).toBeGreaterThanOrEqual(0);
    expect(item.span.end).toBeLessThanOrEqual(text.length);
    expect(item.span.end).toBeGreaterThanOrEqual(item.span.start);
    expect(item.message).not.toMatch(/\{\w+\}/);
  }
  if (diagnostics.some((item) => item.severity === "error")) return;
  expect(ids.size).toBe(module.nodeCount);
  const printed = printModule(module);
  const again = parse(new Source(printed));
  expect(again.diagnostics).toEqual([]);
  expect(bare(again.module)).toEqual(bare(module));
  expect(printModule(again.module)).toBe(printed);
}

const words = [
  "a",
  "b",
  "vec3",
  "f32",
  "array",
  "_x",
  "mut",
  "uint",
  "function",
  "elif",
  "do",
  "0",
  "1u",
  "2.5f",
  "0x1p3",
];
const token = fc.constantFrom(...TOKEN_TEXT.filter((text) => text !== ""), ...words);
const junk = fc.constantFrom(
  "\0",
  "\ud800",
  "é",
  "朝",
  "\u00a0",
  "\n",
  "//",
  "/*",
  "*/",
  '"',
  "'",
  "#",
  "$",
  "?",
  "012",
  "1x",
);

const expression: fc.Arbitrary<string> = fc.letrec<{ expression: string; operand: string }>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom("a", "b.c", "1", "2u", "0.5f", "1e-7", "0x1.8p3h", "true", "d[0]", "1e300"),
    tie("expression").map((inner) => `(${inner})`),
    fc.tuple(fc.constantFrom("-", "!", "~", "*", "&", "- -"), tie("operand")).map(([sign, inner]) => sign + inner),
    fc.array(tie("expression"), { maxLength: 3 }).map((args) => `f(${args.join(",")})`),
    tie("operand").map((inner) => `vec2<f32>(${inner})[${inner}].x`),
  ),
  expression: fc.oneof(
    { maxDepth: 5 },
    tie("operand"),
    fc
      .tuple(
        tie("operand"),
        fc.constantFrom("+", "-", "*", "/", "%", "&", "|", "^", "&&", "||", "==", "<", "<<"),
        tie("operand"),
      )
      .map(([left, operator, right]) => `(${left}) ${operator} ${right}`),
  ),
})).expression;

const statement: fc.Arbitrary<string> = fc.letrec<{ statement: string; block: string }>((tie) => ({
  block: fc.array(tie("statement"), { maxLength: 3 }).map((list) => `{ ${list.join(" ")} }`),
  statement: fc.oneof(
    { maxDepth: 4 },
    expression.map((value) => `let x = ${value};`),
    expression.map((value) => `var<function> y: vec2<f32> = ${value};`),
    fc
      .tuple(expression, fc.constantFrom("=", "+=", ">>=", "|="))
      .map(([value, operator]) => `*p[1].q ${operator} ${value};`),
    expression.map((value) => `_ = ${value};`),
    fc.constantFrom(";", "return;", "break;", "continue;", "discard;", "i++;", "(*p)--;", "f(1);", "const_assert a;"),
    tie("block"),
    fc.tuple(expression, tie("block"), tie("block")).map(([c, a, b]) => `if ${c} ${a} else if ${c} ${b} else ${a}`),
    fc.tuple(expression, tie("block")).map(([c, a]) => `switch ${c} { case 1, default: ${a} case ${c} ${a} }`),
    fc
      .tuple(expression, tie("block"))
      .map(([c, a]) => `@diagnostic(off, a.b) loop { ${a} continuing { ${a} break if ${c}; } }`),
    fc.tuple(expression, tie("block")).map(([c, a]) => `for (var i = ${c}; ${c}; i += 1) ${a} while ${c} @d ${a}`),
  ),
})).statement;

describe("any text", () => {
  const runs = { numRuns: 500 };

  test("soup of tokens", () => {
    fc.assert(
      fc.property(fc.array(token, { maxLength: 60 }), (parts) => checkInvariants(parts.join(" "))),
      runs,
    );
  });

  test("soup of tokens in a function, without gaps, with junk", () => {
    const soup = fc.array(fc.oneof({ weight: 6, arbitrary: token }, junk), { maxLength: 40 });
    const property = fc.property(soup, fc.constantFrom("", " ", "\n"), (parts, gap) => {
      checkInvariants(`fn f() {\n${parts.join(gap)}\n}\nfn g() { return; }`);
    });
    fc.assert(property, runs);
  });

  test("strings of any code units", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), checkInvariants), runs);
  });
});

test("programs of all statements and expressions survive printing", () => {
  const program = fc.array(statement, { minLength: 1, maxLength: 4 }).map((list) => `fn f() { ${list.join("\n")} }`);
  const property = fc.property(program, (text) => {
    expect(parse(new Source(text)).diagnostics.filter((item) => item.severity === "error")).toEqual([]);
    checkInvariants(text);
  });
  fc.assert(property, { numRuns: 150 });
});

test("the examples survive printing, and any cut of them is harmless", () => {
  const folder = "examples";
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const texts = names.filter((name) => name.endsWith(".wgsl")).map((name) => readFileSync(`${folder}/${name}`, "utf8"));
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) {
    expect(parse(new Source(text)).diagnostics).toEqual([]);
    checkInvariants(text);
    for (let end = 0; end < text.length; end += 211) checkInvariants(text.slice(0, end) + text.slice(end + 13));
  }
});
