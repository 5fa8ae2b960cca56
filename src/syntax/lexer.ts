/**
 * Splits the text of a module into tokens, in one pass that also finds comments and template lists. spec: #tokens
 *
 * Tokens are columns of numbers, not objects: a shader has many of them, and most are looked at once.
 */
import { removal, replacement } from "../diagnostics/diagnostic.ts";
import { isLineBreak, type Span, span } from "../text/source.ts";
import type { Comment } from "./ast.ts";
import {
  codePointName,
  isAsciiIdentifierPart,
  isBlankspace,
  isByteOrderMark,
  isDigit,
  isForbidden,
  isIdentifierStart,
  isInvisible,
  isSpace,
} from "./characters.ts";
import { directiveHints } from "./foreign.ts";
import { operatorLike, twinOf } from "./lookalikes.ts";
import { numberEnd } from "./number.ts";
import { Reporter } from "./reporter.ts";
import { TemplateLists } from "./template-lists.ts";
import { isKeyword, isWord, TOKEN_TEXT, Token, type TokenKind } from "./tokens.ts";
import { NOT_ASCII, units as unitsAtHand, unitsOf } from "./units.ts";
import { Words } from "./words.ts";

/** The tokens of a text, one row each; the last is `Token.end`. Good until the next text is split. */
export interface Tokens {
  readonly text: string;
  readonly count: number;
  readonly kinds: Uint8Array;
  /** Offsets of the first unit and after the last one. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Of identifiers, words and numbers: the index of their text in `texts`. */
  readonly words: Uint32Array;
  readonly texts: readonly string[];
  readonly table: Words;
  readonly comments: readonly Comment[];
  /** A block comment without end took the rest of the text. */
  readonly isCut: boolean;
}

const QUOTE = 0x22;
const HASH = 0x23;
const APOSTROPHE = 0x27;
const STAR = 0x2a;
const PLUS = 0x2b;
const MINUS = 0x2d;
const PERIOD = 0x2e;
const SLASH = 0x2f;
const LESS = 0x3c;
const EQUAL = 0x3d;
const GREATER = 0x3e;

/** By ASCII unit: the kind of token that it is alone, followed by `=`, and doubled; 0 for none. */
const alone = new Uint8Array(128);
const withEqual = new Uint8Array(128);
const doubled = new Uint8Array(128);
for (let kind: number = Token.parenLeft; kind <= Token.shiftLeftAssign; kind++) {
  const spelling = TOKEN_TEXT[kind];
  const unit = spelling.charCodeAt(0);
  if (spelling.length === 1) alone[unit] = kind;
  else if (spelling.length === 2 && spelling[1] === "=") withEqual[unit] = kind;
  else if (spelling.length === 2 && spelling[1] === spelling[0]) doubled[unit] = kind;
}

/** What the first unit of something says about it; where no other token begins with it, the kind of token that it is. */
const OTHER = 0;
const BLANK = 1;
const WORD = 2;
const DIGIT = 3;
const OPERATOR = 4;
const FIRST_KIND = Token.parenLeft;
const classOf = Uint8Array.from({ length: 256 }, (_, unit) => {
  if (unit >= NOT_ASCII) return OTHER;
  if (isBlankspace(unit)) return BLANK;
  if (isIdentifierStart(unit)) return WORD;
  if (isDigit(unit)) return DIGIT;
  if (alone[unit] === 0) return OTHER;
  return "()[]{},;:@~".includes(String.fromCharCode(unit)) ? alone[unit] : OPERATOR;
});

/** Of what a comment that ends with its line can hold, the units that need no look at the text. */
const isPlain = Uint8Array.from({ length: 256 }, (_, unit) => Number(!isSuspect(unit) && !isLineBreak(unit)));

/** Used again and again: tokens do not outlive the reading of their text. As with `units`, there is one of this class. */
class Columns {
  declare kinds: Uint8Array;
  declare starts: Uint32Array;
  declare ends: Uint32Array;
  declare words: Uint32Array;

  constructor(capacity: number) {
    this.kinds = new Uint8Array(capacity);
    this.starts = new Uint32Array(capacity);
    this.ends = new Uint32Array(capacity);
    this.words = new Uint32Array(capacity);
  }
}

/** Columns of longer texts go with the next text. */
const KEPT = 1 << 19;
const columns = new Columns(KEPT);
const words = new Words();
/** What a module imports is no constant to an engine. */
const units = unitsAtHand;

function makeRoom(count: number): void {
  const size = Math.max(count, KEPT);
  const kept = columns.kinds.length;
  if (size > kept || (size < kept && size === KEPT)) Object.assign(columns, new Columns(size));
}

/** Whether a byte may stand for what no text may contain. */
function isSuspect(unit: number): boolean {
  return unit === 0 || unit === NOT_ASCII;
}

/** Whoever reads something at a position gives the position behind it. */
class Lexer {
  readonly #text: string;
  readonly #reporter: Reporter;
  readonly #templateLists = new TemplateLists();
  readonly #comments: Comment[] = [];
  #isCut = false;
  #count = 0;

  constructor(text: string, reporter: Reporter) {
    this.#text = text;
    this.#reporter = reporter;
    // Each token has a unit of its own, and the end is one too.
    makeRoom(text.length + 1);
    unitsOf(text);
    words.begin(text);
  }

  run(): Tokens {
    const length = this.#text.length;
    this.#all(length);
    this.#push(Token.end, length, length);
    return {
      text: this.#text,
      count: this.#count,
      kinds: columns.kinds,
      starts: columns.starts,
      ends: columns.ends,
      words: columns.words,
      texts: words.texts,
      table: words,
      comments: this.#comments,
      isCut: this.#isCut,
    };
  }

  #all(length: number): void {
    for (let position = 0; position < length; ) {
      const unit = units.bytes[position];
      const what = classOf[unit];
      if (what === BLANK) position++;
      else if (what >= FIRST_KIND) position = this.#single(what, position);
      else if (what === WORD) position = this.#word(position);
      else if (what === DIGIT) position = this.#number(position);
      else if (what === OPERATOR) position = this.#operator(unit, position);
      else position = this.#other(position);
    }
  }

  #push(kind: number, start: number, end: number): number {
    const index = this.#count++;
    columns.kinds[index] = kind;
    columns.starts[index] = start;
    columns.ends[index] = end;
    return end;
  }

  // spec: #identifiers, #keywords
  #word(start: number): number {
    const word = words.word(start);
    columns.words[this.#count] = word;
    return this.#push(words.kind(word), start, words.end);
  }

  // spec: #numeric-literals. What runs on behind a number belongs to it: nothing legal can follow without a gap.
  #number(start: number): number {
    let end = this.#runEnd(start);
    const next = units.bytes[end];
    if (next === PERIOD || next === PLUS || next === MINUS) end = this.#runEnd(numberEnd(units.bytes, start));
    columns.words[this.#count] = words.number(start, end);
    return this.#push(Token.number, start, words.end);
  }

  #runEnd(start: number): number {
    let end = start;
    while (isAsciiIdentifierPart(units.bytes[end])) end++;
    return end;
  }

  // spec: #comments
  #lineEndingComment(start: number): number {
    const length = this.#text.length;
    for (let end = start + 2; ; end++) {
      while (isPlain[units.bytes[end]] === 1) end++;
      if (end >= length || this.#isLineBreak(end)) return this.#comment(start, end);
      this.#refuseForbidden(end);
    }
  }

  // spec: #comments. Block comments nest.
  #blockComment(start: number): number {
    const length = this.#text.length;
    let depth = 0;
    let end = start;
    do {
      const unit = units.bytes[end];
      const next = units.bytes[end + 1];
      if (unit === SLASH && next === STAR) {
        depth++;
        end += 2;
      } else if (unit === STAR && next === SLASH) {
        depth--;
        end += 2;
      } else {
        if (isSuspect(unit)) this.#refuseForbidden(end);
        end++;
      }
    } while (depth > 0 && end < length);
    if (depth > 0) {
      this.#reporter.report("unterminated-comment", span(start, start + 2), {});
      this.#isCut = true;
    }
    return this.#comment(start, Math.min(end, length));
  }

  #comment(start: number, end: number): number {
    this.#comments.push({ span: span(start, end) });
    return end;
  }

  // spec: #syntactic-tokens
  #single(kind: number, start: number): number {
    if (this.#templateLists.areOpen) this.#discoverTemplateLists(kind);
    return this.#push(kind, start, start + 1);
  }

  #operator(unit: number, start: number): number {
    const next = units.bytes[start + 1];
    let kind = alone[unit];
    let length = 1;
    if (unit === GREATER) return this.#greaterThan(start, next);
    if (next === EQUAL && withEqual[unit] !== 0) {
      kind = withEqual[unit];
      length = 2;
    } else if (unit === SLASH && next === SLASH) return this.#lineEndingComment(start);
    else if (unit === SLASH && next === STAR) return this.#blockComment(start);
    else if (unit === PERIOD && isDigit(next)) return this.#number(start);
    else if (next === unit && doubled[unit] !== 0) {
      kind = doubled[unit];
      length = 2;
      if (unit === LESS && units.bytes[start + 2] === EQUAL) {
        kind = Token.shiftLeftAssign;
        length = 3;
      }
    } else if (unit === MINUS && next === GREATER) {
      kind = Token.arrow;
      length = 2;
    }
    if (kind === Token.lessThan || this.#templateLists.areOpen) this.#discoverTemplateLists(kind);
    return this.#push(kind, start, start + length);
  }

  #discoverTemplateLists(kind: number): void {
    switch (kind) {
      case Token.lessThan:
        if (this.#isAfterName()) this.#templateLists.candidate(this.#count);
        return;
      case Token.lessThanEqual:
        // The algorithm knows `<=` only after a name; elsewhere it takes the `=` for an assignment.
        if (!this.#isAfterName()) this.#templateLists.clear();
        return;
      case Token.parenLeft:
      case Token.bracketLeft:
        this.#templateLists.enter();
        return;
      case Token.parenRight:
      case Token.bracketRight:
        this.#templateLists.leave();
        return;
      case Token.andAnd:
      case Token.orOr:
        this.#templateLists.dropCurrentLevel();
        return;
      default:
        if (kind >= Token.equal || kind === Token.semicolon || kind === Token.braceLeft || kind === Token.colon) {
          this.#templateLists.clear();
        }
    }
  }

  /** `1'000` */
  #isBehindNumber(start: number): boolean {
    const last = this.#count - 1;
    return last >= 0 && columns.kinds[last] === Token.number && columns.ends[last] === start;
  }

  #isAfterName(): boolean {
    return this.#count > 0 && isWord(columns.kinds[this.#count - 1]);
  }

  #greaterThan(start: number, next: number): number {
    const opening = this.#templateLists.close();
    if (opening >= 0) {
      columns.kinds[opening] = Token.templateArgsStart;
      return this.#push(Token.templateArgsEnd, start, start + 1);
    }
    if (next === EQUAL) return this.#push(Token.greaterThanEqual, start, start + 2);
    if (next !== GREATER) return this.#push(Token.greaterThan, start, start + 1);
    return units.bytes[start + 2] === EQUAL
      ? this.#push(Token.shiftRightAssign, start, start + 3)
      : this.#push(Token.shiftRight, start, start + 2);
  }

  /** What is neither ASCII of the grammar nor common blankspace. */
  #other(position: number): number {
    const unit = this.#text.charCodeAt(position);
    if (isBlankspace(unit)) return position + 1;
    if (unit === HASH) return this.#preprocessorDirective(position);
    if (unit === QUOTE || unit === APOSTROPHE) return this.#string(position, unit);
    if (this.#refuseForbidden(position)) return position + 1;
    return unit > 127 ? this.#unicode(position) : this.#push(Token.invalid, position, position + 1);
  }

  #unicode(start: number): number {
    const codePoint = this.#text.codePointAt(start) ?? 0;
    const end = start + (codePoint > 0xffff ? 2 : 1);
    if (isIdentifierStart(codePoint)) return this.#word(start);
    if (this.#isLookalike(start)) return start;
    const operator = operatorLike(codePoint);
    if (operator !== null) {
      this.#reportLookalike(start, operator);
      const kind = TOKEN_TEXT.indexOf(operator);
      if (this.#templateLists.areOpen) this.#discoverTemplateLists(kind);
      return this.#push(kind, start, end);
    }
    if (start === 0 && isByteOrderMark(codePoint)) {
      this.#reporter.report("byte-order-mark", span(start, end), {});
      return end;
    }
    if (isInvisible(codePoint)) {
      const place = span(start, end);
      const name = codePointName(codePoint);
      const fixes = [isSpace(codePoint) ? replacement(place, " ") : removal(place, name)];
      this.#reporter.report("invisible-character", place, { codePoint: name }, { fixes });
      return end;
    }
    return this.#push(Token.invalid, start, end);
  }

  /**
   * Whether the unit at `start`, and those behind it, look like punctuation of WGSL: told, and read as what they look like from
   * now on.
   */
  #isLookalike(start: number): boolean {
    let end = start;
    for (let twin = this.#punctuation(end); twin !== null; twin = this.#punctuation(++end)) {
      this.#reportLookalike(end, twin);
      units.bytes[end] = twin.charCodeAt(0);
    }
    return end > start;
  }

  #reportLookalike(at: number, twin: string): void {
    const place = span(at, at + 1);
    const args = { character: this.#text[at], codePoint: codePointName(this.#text.charCodeAt(at)), twin };
    this.#reporter.report("lookalike-character", place, args, { fixes: [replacement(place, twin)] });
  }

  #punctuation(at: number): string | null {
    const twin = units.bytes[at] === NOT_ASCII ? twinOf(this.#text.charCodeAt(at)) : null;
    return twin !== null && alone[twin.charCodeAt(0)] !== 0 ? twin : null;
  }

  /** `#include`, `#ifdef`: the line is passed over, so that the rest of the text is still understood. */
  #preprocessorDirective(start: number): number {
    const end = this.#lineEnd(start);
    const directive = /^#[ \t]*\w*/.exec(this.#text.slice(start, Math.min(end, start + 32)))?.[0] ?? "#";
    const place = span(start, start + directive.length);
    this.#reporter.report("preprocessor-directive", place, { directive }, directiveHints(this.#text, place, end));
    return end;
  }

  #string(start: number, quote: number): number {
    if (quote === APOSTROPHE && this.#isBehindNumber(start)) {
      const digits = /'[\da-fA-F][\w']*(?:\.\w*)?/y;
      digits.lastIndex = start;
      if (digits.test(this.#text)) return this.#push(Token.invalid, start, digits.lastIndex);
    }
    let end = start + 1;
    while (end < this.#text.length && units.bytes[end] !== quote && !this.#isLineBreak(end)) end++;
    const isClosed = units.bytes[end] === quote;
    return this.#push(Token.invalid, start, isClosed ? end + 1 : end);
  }

  #lineEnd(position: number): number {
    while (position < this.#text.length && !this.#isLineBreak(position)) position++;
    return position;
  }

  #isLineBreak(position: number): boolean {
    const unit = units.bytes[position];
    return isLineBreak(unit === NOT_ASCII ? this.#text.charCodeAt(position) : unit);
  }

  /** spec: #textual-structure. Says so and gives true where a code point stands that no text may contain. */
  #refuseForbidden(position: number): boolean {
    if (!isForbidden(this.#text, position)) return false;
    const codePoint = codePointName(this.#text.charCodeAt(position));
    this.#reporter.report("forbidden-code-point", span(position, position + 1), { codePoint });
    return true;
  }
}

export function lex(text: string, reporter: Reporter): Tokens {
  return new Lexer(text, reporter).run();
}

export type LexicalClass =
  | "comment"
  | "keyword"
  | "reserved-word"
  | "identifier"
  | "number"
  | "operator"
  | "punctuation"
  | "invalid";

export interface LexicalToken {
  readonly class: LexicalClass;
  readonly span: Span;
}

/** The tokens and comments of any text in order, for colouring; see `parse` for what they mean and for mistakes. */
export function tokenize(text: string): readonly LexicalToken[] {
  const tokens = lex(text, new Reporter());
  const result: LexicalToken[] = [];
  let comment = 0;
  for (let i = 0; i < tokens.count; i++) {
    const start = tokens.starts[i];
    while (comment < tokens.comments.length && tokens.comments[comment].span.start < start) {
      result.push({ class: "comment", span: tokens.comments[comment++].span });
    }
    const kind = tokens.kinds[i];
    if (kind !== Token.end) result.push({ class: lexicalClass(kind), span: span(start, tokens.ends[i]) });
  }
  for (; comment < tokens.comments.length; comment++) {
    result.push({ class: "comment", span: tokens.comments[comment].span });
  }
  return result;
}

function lexicalClass(kind: TokenKind): LexicalClass {
  if (isKeyword(kind)) return "keyword";
  if (kind === Token.identifier) return "identifier";
  if (kind === Token.reservedWord) return "reserved-word";
  if (kind === Token.number) return "number";
  if (kind === Token.invalid) return "invalid";
  if (kind >= Token.templateArgsStart || (kind >= Token.underscore && kind <= Token.arrow)) return "punctuation";
  return "operator";
}
