/** Colours as the protocol has them: five numbers for each token, counted from the one before. */
import type { SemanticTokensLegend } from "vscode-languageserver/node";
import type { Token, TokenClass } from "../ide/types.ts";
import type { Places } from "./text.ts";

/** null: left to the client. */
const TYPES: Readonly<Record<TokenClass, string | null>> = {
  comment: "comment",
  keyword: "keyword",
  directive: "macro",
  attribute: "decorator",
  type: "type",
  "builtin-function": "function",
  function: "function",
  variable: "variable",
  parameter: "parameter",
  constant: "variable",
  member: "property",
  enumerant: "enumMember",
  number: "number",
  operator: "operator",
  punctuation: null,
  "reserved-word": null,
  invalid: null,
};

const MODIFIERS = ["declaration", "readonly", "defaultLibrary", "workgroup", "storage"] as const;

export const LEGEND: SemanticTokensLegend = {
  tokenTypes: [...new Set(Object.values(TYPES))].filter((name) => name !== null),
  tokenModifiers: [...MODIFIERS],
};

function modifiersOf({ class: kind, isDeclaration, space }: Token): number {
  const has: Readonly<Record<(typeof MODIFIERS)[number], boolean>> = {
    declaration: isDeclaration,
    readonly: kind === "constant" || kind === "parameter",
    defaultLibrary: kind === "builtin-function",
    workgroup: space === "workgroup",
    storage: space === "storage",
  };
  return MODIFIERS.reduce((bits, name, at) => (has[name] ? bits | (1 << at) : bits), 0);
}

/** Tokens of several lines are given line by line: few clients take them whole. */
export function semanticTokens(places: Places, tokens: readonly Token[]): { readonly data: number[] } {
  const data: number[] = [];
  let line = 0;
  let character = 0;
  for (const token of tokens) {
    const type = TYPES[token.class];
    if (type === null) continue;
    for (const part of linesOf(places, token)) {
      const delta = part.line - line;
      const from = delta === 0 ? part.character - character : part.character;
      data.push(delta, from, part.length, LEGEND.tokenTypes.indexOf(type), modifiersOf(token));
      ({ line, character } = part);
    }
  }
  return { data };
}

function linesOf(places: Places, { start, end }: Token) {
  const { line, character } = places.position(start);
  const parts = places.text.slice(start, end).split(/\r\n?|\n/);
  return parts
    .map((part, at) => ({ line: line + at, character: at === 0 ? character : 0, length: part.length }))
    .filter(({ length }) => length > 0);
}
