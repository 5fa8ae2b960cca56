/** What the parser tells of names is what its tree has, whatever the text. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Source } from "../text/source.ts";
import type { CallExpr, GlobalDecl, IdentifierExpr } from "./ast.ts";
import { type Parsed, parse } from "./parser.ts";
import { ENTRY, Scoping } from "./scoping.ts";
import { TOKEN_TEXT } from "./tokens.ts";

/** By declaration of the module, what was told of it, each mention as the name and its node. */
function told({ module, scoping }: Parsed): string[][] {
  const { entries, ends, locals, words } = scoping;
  return module.declarations.map((_, index) => {
    const found: string[] = [];
    for (let at = index === 0 ? 0 : ends[index - 1]; at < ends[index]; at += ENTRY) {
      const [what, second, third] = entries.slice(at, at + ENTRY);
      if (what >= 0) found.push(`${words.texts[what]} ${second}`);
      else if (what === Scoping.declare) found.push(`declare ${locals[third].name.text}`);
      else if (what === Scoping.continue) found.push("continue");
      else found.push(what === Scoping.close ? "}" : "{");
    }
    return found;
  });
}

/** The names of a tree that are to be resolved, as `told` has them, in the order of their nodes. */
function written(declaration: GlobalDecl): string[] {
  const found: [id: number, name: string][] = [];
  const visit = (part: unknown, isStatement: boolean): void => {
    if (typeof part !== "object" || part === null) return;
    const kind = "kind" in part ? part.kind : null;
    if (kind === "identifier" || kind === "call") {
      const { id, text } = kind === "call" ? (part as CallExpr).callee : (part as IdentifierExpr);
      if (text !== "") found.push([id, `${text} ${id}`]);
    } else if (kind === "attribute") {
      if (isStatement) return;
      const { name } = part as unknown as { name: { text: string } };
      if (/^(?:builtin|interpolate|diagnostic|stage)$/.test(name.text)) return;
    }
    for (const value of Object.values(part)) visit(value, isStatement || kind === "compound");
  };
  visit(declaration, false);
  return found.sort(([a], [b]) => a - b).map(([, name]) => name);
}

function isMention(entry: string): boolean {
  return / \d+$/.test(entry);
}

/** Mentions come in the order of their nodes, scopes in pairs. */
function checkTold(text: string): void {
  const parsed = parse(new Source(text));
  for (const [index, entries] of told(parsed).entries()) {
    const declaration = parsed.module.declarations[index];
    if (declaration.kind === "error-declaration") continue;
    expect(entries.filter(isMention)).toEqual(written(declaration));
    let depth = 0;
    for (const entry of entries) {
      if (entry === "{") depth++;
      else if (entry === "}") depth--;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
  }
}

describe("what is told", () => {
  const cases: [text: string, told: string][] = [
    ["var<private> a: array<f32, N> = b;", "private f32 N array b"],
    ["@size(N) @builtin(x) override a = 1;", "N"],
    ["fn f(p: i32) -> u32 { return p; }", "i32 u32 { declare p p }"],
    ["fn f() { let a = a; if (a) { } else { a(); } }", "{ a declare a a { } { a } }"],
    ["fn f() { for (var i = 0; i < 1; i++) { continue; } }", "{ { declare i i i continue } }"],
    ["fn f() { loop { var a = 1; continuing { a = 2; break if a; } } }", "{ { declare a { a a } } }"],
    ["fn f() { @x(y) while a { } switch b { case c: { d = 1; } } }", "{ a { } b c { d } }"],
    ["fn f() { a = b == c == d; e = f; }", "{ a e f }"],
    ["fn f() { float x = (int)y; }", "{ f32 i32 y declare x }"],
    ["shared float a[b], c;", "private"],
    ["@id(a) let b = c;", "c"],
    ["@id(a) static override b = c;", "a c"],
    ["@id(a) public override b = c;", "a c"],
    ["fn f() { continuing { break if a; loop { } } }", "{ { { } } }"],
  ];
  for (const [text, expected] of cases) {
    test(text, () => {
      expect(
        told(parse(new Source(text)))[0]
          .join(" ")
          .replace(/ \d+/g, ""),
      ).toBe(expected);
      checkTold(text);
    });
  }
});

const words = ["a", "b", "f32", "float", "vec3", "inout", "elif", "do", "typedef", "static", "layout", "RWBuffer", "1"];
const token = fc.constantFrom(...TOKEN_TEXT.filter((text) => text !== ""), ...words, "\n", "\n");

test("soup of tokens", () => {
  fc.assert(
    fc.property(fc.array(token, { maxLength: 60 }), (tokens) => checkTold(tokens.join(" "))),
    { numRuns: 500 },
  );
});

test("soup of tokens in functions and beside them", () => {
  const soup = fc.array(token, { maxLength: 20 });
  const text = fc.tuple(soup, soup, soup).map(([before, first, second]) => {
    const [head, one, two] = [before, first, second].map((tokens) => tokens.join(" "));
    return `${head}\nfn f(a: i32) {\n loop { if a { ${one} } continuing { ${two} break if a; } }\n}\n`;
  });
  fc.assert(fc.property(text, checkTold), { numRuns: 500 });
});
