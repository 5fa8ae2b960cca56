/** What can stand at a place in a text that is being written: from the tokens before it, so that it may be broken. */
import { lex } from "../syntax/lexer.ts";
import { Reporter } from "../syntax/reporter.ts";
import { isWord, Token, type TokenKind } from "../syntax/tokens.ts";

export interface TokenAt {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A bracket that is open at the cursor; the outermost is the module. */
export interface Level {
  readonly kind: "module" | "brace" | "paren" | "bracket" | "template";
  /** Index of the bracket; -1: the module. */
  readonly opening: number;
  /** Index of the first token of the statement, declaration or member at the cursor. */
  start: number;
  /** Commas since the bracket. */
  commas: number;
}

export interface Cursor {
  /** All before the word at the cursor. */
  readonly tokens: readonly TokenAt[];
  /** Innermost last. */
  readonly levels: readonly Level[];
  /** Where the word at the cursor begins; the cursor itself where there is none. */
  readonly wordStart: number;
  /** In a comment, number or the like: nothing can be completed. */
  readonly isInert: boolean;
}

export function cursorAt(text: string, offset: number): Cursor {
  const all = tokensOf(text.slice(0, offset));
  const last = all.tokens.at(-1);
  const isTouching = last !== undefined && last.end === offset;
  const isInWord = isTouching && isName(last.kind);
  const tokens = isInWord ? all.tokens.slice(0, -1) : all.tokens;
  const isInert = all.isInComment || (isTouching && last.kind === Token.number);
  return { tokens, levels: levelsOf(tokens), wordStart: isInWord ? last.start : offset, isInert };
}

function isName(kind: TokenKind): boolean {
  return isWord(kind) || kind === Token.true || kind === Token.false || kind === Token.underscore;
}

function tokensOf(before: string): { readonly tokens: TokenAt[]; readonly isInComment: boolean } {
  const { count, kinds, starts, ends, comments, isCut } = lex(before, new Reporter());
  const tokens: TokenAt[] = [];
  for (let i = 0; i < count; i++) {
    if (kinds[i] === Token.end) break;
    tokens.push({ kind: kinds[i], start: starts[i], end: ends[i], text: before.slice(starts[i], ends[i]) });
  }
  const comment = comments.at(-1)?.span;
  const isLine = comment !== undefined && comment.end === before.length && before.startsWith("//", comment.start);
  return { tokens, isInComment: isCut || isLine };
}

/** Names that take a template list: behind them an unclosed `<` is no comparison. */
const GENERATORS = /^(?:var|array|vec[234]|mat[234]x[234]|atomic|ptr|buffer|bitcast|texture_\w+)$/;

function levelsOf(tokens: readonly TokenAt[]): readonly Level[] {
  const levels: Level[] = [level("module", -1)];
  for (const [at, token] of tokens.entries()) {
    switch (token.kind) {
      case Token.braceLeft:
        dropTemplates(levels);
        levels.push(level("brace", at));
        break;
      case Token.parenLeft:
        levels.push(level("paren", at));
        break;
      case Token.bracketLeft:
        levels.push(level("bracket", at));
        break;
      case Token.templateArgsStart:
        levels.push(level("template", at));
        break;
      case Token.lessThan:
        if (at > 0 && GENERATORS.test(tokens[at - 1].text)) levels.push(level("template", at));
        break;
      case Token.templateArgsEnd:
      case Token.greaterThan:
        if (levels.at(-1)!.kind === "template") levels.pop();
        break;
      case Token.parenRight:
        close(levels, "paren");
        break;
      case Token.bracketRight:
        close(levels, "bracket");
        break;
      case Token.braceRight:
        close(levels, "brace");
        levels.at(-1)!.start = at + 1;
        break;
      case Token.comma:
        levels.at(-1)!.commas++;
        if (isMemberList(tokens, levels.at(-1)!)) levels.at(-1)!.start = at + 1;
        break;
      case Token.semicolon:
        dropTemplates(levels);
        closeForgotten(tokens, levels);
        levels.at(-1)!.start = at + 1;
        break;
    }
  }
  return levels;
}

function level(kind: Level["kind"], opening: number): Level {
  return { kind, opening, start: opening + 1, commas: 0 };
}

function dropTemplates(levels: Level[]): void {
  while (levels.at(-1)!.kind === "template") levels.pop();
}

/** A bracket that closes none is passed over. */
function close(levels: Level[], kind: Level["kind"]): void {
  const at = levels.findLastIndex((each) => each.kind === kind);
  const isInside = at > 0 && (kind === "brace" || levels.slice(at + 1).every((each) => each.kind !== "brace"));
  if (isInside) levels.length = at;
}

/** A `;` ends what is open in its statement, but for the header of a `for`. */
function closeForgotten(tokens: readonly TokenAt[], levels: Level[]): void {
  while (levels.length > 1) {
    const { kind, opening } = levels.at(-1)!;
    if (kind === "brace" || (kind === "paren" && tokens[opening - 1]?.kind === Token.for)) return;
    levels.pop();
  }
}

/** The braces of a structure. */
export function isMemberList(tokens: readonly TokenAt[], { kind, opening }: Level): boolean {
  return kind === "brace" && tokens[opening - 2]?.kind === Token.struct;
}

/** Index of the bracket that a closing one closes; -1: none. */
export function openingOf(tokens: readonly TokenAt[], closing: number): number {
  let depth = 0;
  for (let at = closing; at >= 0; at--) {
    const { kind } = tokens[at];
    if (kind === Token.parenRight || kind === Token.bracketRight || kind === Token.templateArgsEnd) depth++;
    else if (kind === Token.parenLeft || kind === Token.bracketLeft || kind === Token.templateArgsStart) depth--;
    if (depth === 0) return at;
  }
  return -1;
}
