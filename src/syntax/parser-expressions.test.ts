import { describe, expect, test } from "vitest";
import { Source } from "../text/source.ts";
import { dumpExpression, syntaxMessages } from "./dump.ts";
import { parse } from "./parser.ts";

/** The tree of an expression, or the messages about it, with columns from its first unit. */
function expression(text: string): string {
  const source = new Source(`const\n${text};`);
  const { module, diagnostics } = parse(source);
  if (diagnostics.length > 0) {
    return diagnostics.map((item) => `${source.position(item.span.start).column}: ${item.code}`).join(" ");
  }
  const declaration = module.declarations[0];
  return declaration.kind === "const" ? dumpExpression(declaration.initializer) : declaration.kind;
}

const initialized = (text: string) => expression(`x = ${text}`);
/** Columns count from the expression. */
const failing = (text: string) =>
  initialized(text).replace(/(\d+): /g, (_, column) => `${Number(column) - "x = ".length}: `);

describe("precedence and associativity", () => {
  test.each([
    ["a + b * c", "(+ a (* b c))"],
    ["a * b + c", "(+ (* a b) c)"],
    ["a - b - c", "(- (- a b) c)"],
    ["a / b % c * d", "(* (% (/ a b) c) d)"],
    ["-a * b", "(* (- a) b)"],
    ["a * -b", "(* a (- b))"],
    ["!-~*&a", "(! (- (~ (* (& a)))))"],
    ["-a.b", "(- (. a b))"],
    ["*a[0]", "(* ([] a 0))"],
    ["a << b", "(<< a b)"],
    ["-a >> -b", "(>> (- a) (- b))"],
    ["a + b < c * d", "(< (+ a b) (* c d))"],
    ["a << b == c >> d", "(== (<< a b) (>> c d))"],
    ["a < b && c >= d && !e", "(&& (&& (< a b) (>= c d)) (! e))"],
    ["a || b == c || d", "(|| (|| a (== b c)) d)"],
    ["a & b & c", "(& (& a b) c)"],
    ["a | -b | c", "(| (| a (- b)) c)"],
    ["a ^ b ^ c", "(^ (^ a b) c)"],
    ["(a & b) == c", "(== (& a b) c)"],
    ["a != b", "(!= a b)"],
    ["a > b", "(> a b)"],
    ["a <= b", "(<= a b)"],
    ["a - -b", "(- a (- b))"],
    ["a & &b", "(& a (& b))"],
    ["a && &b == c", "(&& a (== (& b) c))"],
    ["&&a", "(& (& a))"],
    ["a == &&b", "(== a (& (& b)))"],
  ])("%s", (text, expected) => {
    expect(initialized(text)).toBe(expected);
  });

  const relations = ["==", "!=", "<", "<=", ">", ">="];
  const sums = ["+", "-", "*", "/", "%"];
  const operators = ["&&", "||", "&", "|", "^", "<<", ">>", ...relations, ...sums];

  /** What the grammar says of `a left b right c`, rule by rule. */
  function needsParentheses(left: string, right: string): boolean {
    const isLogic = (operator: string) => operator === "&&" || operator === "||";
    const isBits = (operator: string) => operator === "&" || operator === "|" || operator === "^";
    const isShift = (operator: string) => operator === "<<" || operator === ">>";
    if (isLogic(left) && isLogic(right)) return left !== right;
    if (isBits(left) || isBits(right)) return left !== right;
    if (isShift(left) || isShift(right)) {
      const other = isShift(left) ? right : left;
      return sums.includes(other) || (isShift(left) && isShift(right));
    }
    return relations.includes(left) && relations.includes(right);
  }

  test.each(operators.flatMap((left) => operators.map((right) => [left, right])))("a %s b %s c", (left, right) => {
    // In parentheses each, so that `<` and `>` begin no template list.
    const text = `(a) ${left} (b) ${right} (c)`;
    const column = text.lastIndexOf(` ${right} (c)`) + 2;
    if (needsParentheses(left, right)) expect(failing(text)).toBe(`${column}: missing-parentheses`);
    else expect(initialized(text)).not.toContain("missing");
  });
});

describe("primary expressions", () => {
  test.each([
    ["true", "true"],
    ["false", "false"],
    ["0", "0"],
    ["0x1F", "31"],
    ["12u", "12u"],
    ["7i", "7i"],
    ["1.5", "1.5"],
    ["1.", "1.0"],
    ["1e3f", "1000f"],
    ["0.1f", "0.10000000149011612f"],
    ["2h", "2h"],
    ["0x1p-2", "0.25"],
    ["a", "a"],
    ["((a))", "(a)"],
    ["f()", "(call f)"],
    ["f(a, 1,)", "(call f a 1)"],
    ["vec3<f32>(0)", "(call vec3<f32> 0)"],
    ["array<vec2<u32>, 4>()", "(call array<vec2<u32>, 4>)"],
    ["array<f32, (a > b)>()", "(call array<f32, (a > b)>)"],
    ["a.b.c", "(. (. a b) c)"],
    ["a.xyzw", "(. a xyzw)"],
    ["a[1][b.c]", "([] ([] a 1) (. b c))"],
    ["f().x[0]", "([] (. (call f) x) 0)"],
    ["(a).x", "(. (a) x)"],
    ["1.0.x", "(. 1.0 x)"],
    ["vec2<f32>", "vec2<f32>"],
    ["a < b", "(< a b)"],
    ["f(a < b, c)", "(call f (< a b) c)"],
    ["select(a < b, c > (d), e)", "(call select (call a<b, c> d) e)"],
  ])("%s", (text, expected) => {
    expect(initialized(text)).toBe(expected);
  });
});

describe("what is no expression", () => {
  test.each([
    ["", "1: unexpected-token"],
    ["a +", "4: unexpected-token"],
    ["(a", "3: unexpected-token"],
    ["f(a", "4: unexpected-token"],
    ["f(a b)", "5: unexpected-token"],
    ["f(,)", "3: unexpected-token"],
    ["a[]", "3: unexpected-token"],
    ["a.", "3: unexpected-token"],
    ["a.1", "2: unexpected-token"],
    ["a.if", "3: keyword-as-name"],
    ["a.__b", "3: double-underscore"],
    ["vec2<>()", "6: unexpected-token"],
    ["a b", "3: unexpected-token"],
    ["if", "1: unexpected-token"],
    ["+a", "1: unary-plus"],
    ["a++", "2: increment-in-expression"],
    ["++a", "1: increment-in-expression"],
    ["a--", "2: increment-in-expression"],
    ["a = b", "3: assignment-in-expression"],
    ["a += b", "3: assignment-in-expression"],
    ["a ? b : c", "3: conditional-operator"],
    ["a and b", "3: foreign-keyword"],
    ["a as f32", "3: foreign-keyword"],
    ["a.b()", "3: method-call"],
    ['"a"', "1: string-literal"],
    ["'a' + 1", "1: string-literal"],
    ["_", "1: underscore-as-name"],
    ["__a", "1: double-underscore"],
    ["null", "1: reserved-word"],
    ["sizeof(a)", "1: reserved-word"],
    ["a $ b", "3: invalid-character"],
    ["012", "1: leading-zero"],
    ["00", "1: leading-zero"],
    ["1x", "1: malformed-number"],
    ["0xg", "1: malformed-number"],
    ["4294967296u", "1: literal-too-large"],
    ["2147483648i", "1: literal-too-large"],
    ["9223372036854775808", "1: literal-too-large"],
    ["1e39f", "1: literal-too-large"],
    ["65520h", "1: literal-too-large"],
    ["1e309", "1: literal-too-large"],
    ["0x1.00000001p0f", "1: literal-not-exact"],
    ["a & b == c | d", "7: missing-parentheses"],
    ["--a", "1: double-negation"],
    ["a --b", "3: double-negation"],
    ["a--b", "2: double-negation"],
  ])("%s", (text, expected) => {
    expect(failing(text)).toBe(expected);
  });

  test("a doubled minus is two tokens where an operand follows", () => {
    const { module, diagnostics } = parse(new Source("const x = a--b; const y = --c;"));
    const trees = module.declarations.map((node) => (node.kind === "const" ? dumpExpression(node.initializer) : ""));
    expect(trees).toEqual(["(- a (- b))", "(- (- c))"]);
    expect(diagnostics.map((item) => item.severity)).toEqual(["warning", "warning"]);
  });

  test("both operators are shown", () => {
    expect(syntaxMessages("const x = a && b || c;")).toBe(
      "1:18: missing-parentheses ‘&&’ and ‘||’ cannot stand side by side, add parentheses to say what belongs together",
    );
  });
});

describe("depth is bounded", () => {
  const count = 100_000;
  test.each([
    ["parentheses", "(".repeat(count)],
    ["closed parentheses", `${"(".repeat(count)}1${")".repeat(count)}`],
    ["prefix operators", "! ".repeat(count)],
    ["minuses", "-".repeat(1_000_000)],
    ["calls", "f(".repeat(count)],
    ["indices", "a[".repeat(count)],
    ["template lists", `${"array<".repeat(count)}i32${">".repeat(count)}`],
    ["chains of elements", `a${"[0]".repeat(count)}`],
    ["chains of members", `a${".x".repeat(count)}`],
    ["sums", `1${" + 1".repeat(count)}`],
    ["conjunctions", `a${" && a".repeat(count)}`],
  ])("%s", (_, text) => {
    const codes = failing(text).replaceAll(/\d+: double-negation ?/g, "");
    expect(codes).toMatch(/^\d+: nesting-too-deep$/);
  });

  test("what people write is far from the bound", () => {
    expect(initialized(`${"(".repeat(200)}a${")".repeat(200)}`)).toBe("(a)");
    expect(initialized(`1${" + 1".repeat(500)}`)).toContain("(+");
  });
});
