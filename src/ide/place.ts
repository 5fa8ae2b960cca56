/** Which kind of thing belongs at the cursor. */
import { isWord, Token } from "../syntax/tokens.ts";
import { type Cursor, isMemberList, type Level, type TokenAt } from "./cursor.ts";
import type { Word } from "./names.ts";

export type Place =
  | { readonly kind: "nothing" }
  | { readonly kind: "attribute" }
  /** Behind the period, by its index among the tokens. */
  | { readonly kind: "member"; readonly period: number }
  | { readonly kind: "type" }
  | { readonly kind: "expression"; readonly isModule: boolean }
  | { readonly kind: "statement" }
  | { readonly kind: "clause" }
  | { readonly kind: "declaration" }
  | { readonly kind: "words"; readonly words: Word | "address-space" | "access-mode" | "texel-format" };

const NOTHING: Place = { kind: "nothing" };
const TYPE: Place = { kind: "type" };
const STATEMENT: Place = { kind: "statement" };

/** Behind these a name is declared. */
const NAMING: ReadonlySet<number> = new Set([
  Token.let,
  Token.const,
  Token.var,
  Token.override,
  Token.fn,
  Token.struct,
  Token.alias,
]);

export function placeAt(cursor: Cursor): Place {
  const { tokens, levels, isInert } = cursor;
  if (isInert) return NOTHING;
  const last = tokens.at(-1);
  const before = tokens.at(-2);
  if (last?.kind === Token.attr) return { kind: "attribute" };
  if (last?.kind === Token.period) return { kind: "member", period: tokens.length - 1 };
  if (last !== undefined && NAMING.has(last.kind) && before?.kind !== Token.attr) return NOTHING;
  const level = levels.at(-1)!;
  switch (level.kind) {
    case "module":
      return moduleScope(tokens, level);
    case "brace":
      return braces(cursor, level);
    case "template":
      return templateList(cursor, level);
    case "paren":
      return parentheses(cursor, level);
    case "bracket":
      return expression(cursor);
    default:
      return level.kind satisfies never;
  }
}

function expression({ tokens, levels }: Cursor): Place {
  const isModule = !levels.some((level) => level.kind === "brace" && !isMemberList(tokens, level));
  return { kind: "expression", isModule };
}

/** The tokens of the statement, declaration or member at the cursor, without its attributes. */
function statementTokens(tokens: readonly TokenAt[], from: number): readonly TokenAt[] {
  let at = from;
  while (tokens[at]?.kind === Token.attr && at + 1 < tokens.length) {
    at += 2;
    if (tokens[at]?.kind === Token.parenLeft) at = behindParentheses(tokens, at);
  }
  return tokens.slice(at);
}

function behindParentheses(tokens: readonly TokenAt[], opening: number): number {
  let depth = 0;
  for (let at = opening; at < tokens.length; at++) {
    if (tokens[at].kind === Token.parenLeft) depth++;
    else if (tokens[at].kind === Token.parenRight) depth--;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}

function moduleScope(tokens: readonly TokenAt[], level: Level): Place {
  const own = statementTokens(tokens, level.start);
  const [first] = own;
  if (first === undefined) return { kind: "declaration" };
  const last = own.at(-1)!.kind;
  switch (first.kind) {
    case Token.enable:
      return { kind: "words", words: "enable-extension" };
    case Token.requires:
      return { kind: "words", words: "language-extension" };
    case Token.alias:
      return last === Token.equal ? TYPE : NOTHING;
    case Token.fn: {
      const arrow = own.findIndex(({ kind }) => kind === Token.arrow);
      return arrow >= 0 && statementTokens(own, arrow + 1).length === 0 ? TYPE : NOTHING;
    }
    case Token.constAssert:
      return { kind: "expression", isModule: true };
    case Token.const:
    case Token.override:
    case Token.var:
      return variable(own, true);
    default:
      return NOTHING;
  }
}

/** `let x: TYPE = EXPRESSION` */
function variable(own: readonly TokenAt[], isModule: boolean): Place {
  if (own.some(({ kind }) => kind === Token.equal)) return { kind: "expression", isModule };
  return own.at(-1)!.kind === Token.colon ? TYPE : NOTHING;
}

function braces(cursor: Cursor, level: Level): Place {
  const { tokens } = cursor;
  const own = statementTokens(tokens, level.start);
  const [first] = own;
  if (isMemberList(tokens, level)) return own.at(-1)?.kind === Token.colon ? TYPE : NOTHING;
  if (isSwitch(cursor)) {
    if (first === undefined) return { kind: "clause" };
    return own.at(-1)!.kind === Token.colon ? STATEMENT : { kind: "expression", isModule: false };
  }
  return first === undefined ? STATEMENT : statement(own);
}

/** Whether the innermost braces are the body of a `switch`. */
function isSwitch({ tokens, levels }: Cursor): boolean {
  const { opening } = levels.at(-1)!;
  const from = levels.at(-2)?.start ?? 0;
  return statementTokens(tokens.slice(0, opening), from)[0]?.kind === Token.switch;
}

function statement(own: readonly TokenAt[]): Place {
  const [first] = own;
  const last = own.at(-1)!;
  switch (first.kind) {
    case Token.let:
    case Token.const:
    case Token.var:
      return variable(own, false);
    case Token.case:
    case Token.default:
      return last.kind === Token.colon ? STATEMENT : { kind: "expression", isModule: false };
    case Token.else:
      return own.length === 1 ? STATEMENT : { kind: "expression", isModule: false };
    case Token.for:
    case Token.loop:
    case Token.continuing:
    case Token.continue:
    case Token.discard:
      return NOTHING;
    case Token.identifier:
      // Behind a name stands an operator, never another name.
      return last.kind === Token.identifier ? NOTHING : { kind: "expression", isModule: false };
    default:
      return { kind: "expression", isModule: false };
  }
}

function parentheses(cursor: Cursor, level: Level): Place {
  const { tokens } = cursor;
  const callee = tokens[level.opening - 1];
  const before = tokens[level.opening - 2];
  if (callee === undefined) return expression(cursor);
  if (before?.kind === Token.attr) return attributeArguments(callee.text, level.commas);
  if (callee.kind === Token.diagnostic) return attributeArguments("diagnostic", level.commas);
  if (before?.kind === Token.fn) {
    return tokens.at(-1)!.kind === Token.colon ? TYPE : NOTHING;
  }
  if (callee.kind === Token.for) {
    const own = tokens.slice(level.start);
    if (own.length > 0) return statement(own);
    return level.start === level.opening + 1 ? STATEMENT : { kind: "expression", isModule: false };
  }
  return expression(cursor);
}

function attributeArguments(name: string, commas: number): Place {
  if (name === "builtin") return { kind: "words", words: "builtin-value" };
  if (name === "interpolate") return { kind: "words", words: "interpolation" };
  if (name === "diagnostic") return { kind: "words", words: commas === 0 ? "severity" : "rule" };
  return { kind: "expression", isModule: true };
}

function templateList(cursor: Cursor, { opening, commas }: Level): Place {
  const name = cursor.tokens[opening - 1];
  const last = cursor.tokens.at(-1)!;
  // `array<u32 ` goes on with a comma.
  if (isWord(last.kind) || last.kind === Token.templateArgsEnd) return NOTHING;
  const at = `${/^texture_storage/.test(name.text) ? "texture_storage" : name.text} ${commas}`;
  switch (at) {
    case "var 0":
    case "ptr 0":
      return { kind: "words", words: "address-space" };
    case "var 1":
    case "ptr 2":
    case "texture_storage 1":
      return { kind: "words", words: "access-mode" };
    case "texture_storage 0":
      return { kind: "words", words: "texel-format" };
    case "array 1":
    case "buffer 0":
      return expression(cursor);
    default:
      return TYPE;
  }
}
