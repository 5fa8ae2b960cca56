/**
 * Splits the text of a module into tokens, in one pass that also finds comments and template lists. spec: #tokens
 *
 * Tokens are columns of numbers, not objects: a shader has many of them, and most are looked at once.
 */
import { isLineBreak, type Span, span } from "../text/source.ts";
import type { Comment } from "./ast.ts";
import {
  codePointName,
  identifierEnd,
  isAsciiIdentifierPart,
  isBlankspace,
  isByteOrderMark,
  isDigit,
  isForbidden,
  isIdentifierStart,
  isInvisible,
} from "./characters.ts";
import { directiveNotes } from "./foreign.ts";
import { numberEnd } from "./number.ts";
import { Reporter } from "./reporter.ts";
import { TemplateLists } from "./template-lists.ts";
import { isKeyword, isWord, TOKEN_TEXT, Token, type TokenKind } from "./tokens.ts";
import { NOT_ASCII, unitsOf } from "./units.ts";
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

/** What the first unit of something says about it. */
const OTHER = 0;
const BLANK = 1;
const WORD = 2;
const DIGIT = 3;
const PUNCTUATION = 4;
const classOf = Uint8Array.from({ length: 256 }, (_, unit) => {
  if (unit >= NOT_ASCII) return OTHER;
  if (isBlankspace(unit)) return BLANK;
  if (isIdentifierStart(unit)) return WORD;
  if (isDigit(unit)) return DIGIT;
  return alone[unit] === 0 ? OTHER : PUNCTUATION;
});

interface Columns {
  readonly kinds: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly words: Uint32Array;
}

function newColumns(capacity: number): Columns {
  return {
    kinds: new Uint8Array(capacity),
    starts: new Uint32Array(capacity),
    ends: new Uint32Array(capacity),
    words: new Uint32Array(capacity),
  };
}

/** Columns used again and again: tokens do not outlive the reading of their text. Those of very long texts go with it. */
const MOST_KEPT = 1 << 18;
let kept = newColumns(1024);
const words = new Words();

function columnsFor(capacity: number): Columns {
  if (capacity <= kept.kinds.length) return kept;
  const columns = newColumns(Math.min(2 * capacity, Math.max(capacity, MOST_KEPT)));
  if (columns.kinds.length <= MOST_KEPT) kept = columns;
  return columns;
}

/** Whether a byte may stand for what no text may contain. */
function isSuspect(unit: number): boolean {
  return unit === 0 || unit === NOT_ASCII;
}

class Lexer {
  readonly #text: string;
  readonly #units: Uint8Array;
  readonly #reporter: Reporter;
  readonly #templateLists = new TemplateLists();
  readonly #comments: Comment[] = [];
  #isCut = false;
  #position = 0;
  #count = 0;
  #kinds: Uint8Array;
  #starts: Uint32Array;
  #ends: Uint32Array;
  #words: Uint32Array;

  constructor(text: string, reporter: Reporter) {
    this.#text = text;
    this.#reporter = reporter;
    // Shaders have about one token in four units.
    const capacity = (text.length >> 2) + (text.length >> 4) + 16;
    const columns = columnsFor(capacity);
    this.#kinds = columns.kinds;
    this.#starts = columns.starts;
    this.#ends = columns.ends;
    this.#words = columns.words;
    this.#units = unitsOf(text);
    words.begin(text, this.#units);
  }

  run(): Tokens {
    const units = this.#units;
    const length = this.#text.length;
    for (let position = 0; position < length; position = this.#position) {
      let unit = units[position];
      // Every third unit is blank: none of them is worth a step of its own.
      while (classOf[unit] === BLANK) unit = units[++position];
      if (position >= length) break;
      this.#position = position;
      switch (classOf[unit]) {
        case WORD:
          this.#word();
          break;
        case DIGIT:
          this.#number();
          break;
        case PUNCTUATION:
          if (unit === SLASH) this.#slash();
          else this.#punctuation(unit);
          break;
        default:
          this.#other();
      }
    }
    this.#push(Token.end, length, length);
    return {
      text: this.#text,
      count: this.#count,
      kinds: this.#kinds,
      starts: this.#starts,
      ends: this.#ends,
      words: this.#words,
      texts: words.texts,
      table: words,
      comments: this.#comments,
      isCut: this.#isCut,
    };
  }

  #push(kind: number, start: number, end: number): void {
    if (this.#count === this.#kinds.length) this.#grow();
    const index = this.#count++;
    this.#kinds[index] = kind;
    this.#starts[index] = start;
    this.#ends[index] = end;
    this.#position = end;
  }

  #grow(): void {
    const larger = newColumns(this.#kinds.length * 2);
    larger.kinds.set(this.#kinds);
    larger.starts.set(this.#starts);
    larger.ends.set(this.#ends);
    larger.words.set(this.#words);
    this.#kinds = larger.kinds;
    this.#starts = larger.starts;
    this.#ends = larger.ends;
    this.#words = larger.words;
  }

  /** A token whose text counts. */
  #pushWord(word: number): void {
    const start = this.#position;
    this.#push(words.kind(word), start, words.end);
    this.#words[this.#count - 1] = word;
  }

  // spec: #identifiers, #keywords
  #word(): void {
    this.#pushWord(words.word(this.#position));
  }

  // spec: #numeric-literals. What runs on behind a number belongs to it: nothing legal can follow without a gap.
  #number(): void {
    const start = this.#position;
    let end = numberEnd(this.#units, start);
    while (isAsciiIdentifierPart(this.#units[end])) end++;
    if (this.#units[end] === NOT_ASCII) end = identifierEnd(this.#text, end);
    this.#pushWord(words.number(start, end));
  }

  #slash(): void {
    const next = this.#units[this.#position + 1];
    if (next === SLASH) this.#lineEndingComment();
    else if (next === STAR) this.#blockComment();
    else this.#punctuation(SLASH);
  }

  // spec: #comments
  #lineEndingComment(): void {
    const start = this.#position;
    const units = this.#units;
    const length = this.#text.length;
    let end = start + 2;
    while (end < length && !this.#isLineBreak(end)) {
      if (isSuspect(units[end])) this.#refuseForbidden(end);
      end++;
    }
    this.#comment(start, end);
  }

  // spec: #comments. Block comments nest.
  #blockComment(): void {
    const start = this.#position;
    const units = this.#units;
    const length = this.#text.length;
    let depth = 0;
    let end = start;
    do {
      const unit = units[end];
      const next = units[end + 1];
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
    this.#comment(start, Math.min(end, length));
  }

  #comment(start: number, end: number): void {
    this.#comments.push({ span: span(start, end) });
    this.#position = end;
  }

  // spec: #syntactic-tokens
  #punctuation(unit: number): void {
    const start = this.#position;
    const next = this.#units[start + 1];
    if (unit === GREATER) this.#greaterThan(start, next);
    else if (unit === PERIOD && isDigit(next)) this.#number();
    else this.#operator(unit, start, next);
  }

  #operator(unit: number, start: number, next: number): void {
    let kind = alone[unit];
    let length = 1;
    if (next === EQUAL && withEqual[unit] !== 0) {
      kind = withEqual[unit];
      length = 2;
    } else if (next === unit && doubled[unit] !== 0) {
      kind = doubled[unit];
      length = 2;
      if (unit === LESS && this.#units[start + 2] === EQUAL) {
        kind = Token.shiftLeftAssign;
        length = 3;
      }
    } else if (unit === MINUS && next === GREATER) {
      kind = Token.arrow;
      length = 2;
    }
    this.#discoverTemplateLists(kind);
    this.#push(kind, start, start + length);
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

  #isAfterName(): boolean {
    return this.#count > 0 && isWord(this.#kinds[this.#count - 1]);
  }

  #greaterThan(start: number, next: number): void {
    const opening = this.#templateLists.close();
    if (opening >= 0) {
      this.#kinds[opening] = Token.templateArgsStart;
      this.#push(Token.templateArgsEnd, start, start + 1);
    } else if (next === EQUAL) {
      this.#push(Token.greaterThanEqual, start, start + 2);
    } else if (next !== GREATER) {
      this.#push(Token.greaterThan, start, start + 1);
    } else if (this.#units[start + 2] === EQUAL) {
      this.#push(Token.shiftRightAssign, start, start + 3);
    } else {
      this.#push(Token.shiftRight, start, start + 2);
    }
  }

  /** What is neither ASCII of the grammar nor common blankspace. */
  #other(): void {
    const unit = this.#text.charCodeAt(this.#position);
    if (isBlankspace(unit)) this.#position++;
    else if (unit === HASH) this.#preprocessorDirective();
    else if (unit === QUOTE || unit === APOSTROPHE) this.#string(unit);
    else if (this.#refuseForbidden(this.#position)) this.#position++;
    else if (unit > 127) this.#unicode();
    else this.#push(Token.invalid, this.#position, this.#position + 1);
  }

  #unicode(): void {
    const start = this.#position;
    const codePoint = this.#text.codePointAt(start) ?? 0;
    const end = start + (codePoint > 0xffff ? 2 : 1);
    if (isIdentifierStart(codePoint)) {
      this.#word();
    } else if (start === 0 && isByteOrderMark(codePoint)) {
      this.#reporter.report("byte-order-mark", span(start, end), {});
      this.#position = end;
    } else if (isInvisible(codePoint)) {
      this.#reporter.report("invisible-character", span(start, end), { codePoint: codePointName(codePoint) });
      this.#position = end;
    } else {
      this.#push(Token.invalid, start, end);
    }
  }

  /** `#include`, `#ifdef`: the line is passed over, so that the rest of the text is still understood. */
  #preprocessorDirective(): void {
    const start = this.#position;
    const end = this.#lineEnd(start);
    const directive = /^#[ \t]*\w*/.exec(this.#text.slice(start, Math.min(end, start + 32)))?.[0] ?? "#";
    const place = span(start, start + directive.length);
    const notes = directiveNotes(this.#text.slice(start, Math.min(end, start + 100)), place);
    this.#reporter.report("preprocessor-directive", place, { directive }, { notes });
    this.#position = end;
  }

  #string(quote: number): void {
    const units = this.#units;
    const start = this.#position;
    let end = start + 1;
    while (end < this.#text.length && units[end] !== quote && !this.#isLineBreak(end)) end++;
    const isClosed = units[end] === quote;
    this.#push(Token.invalid, start, isClosed ? end + 1 : end);
  }

  #lineEnd(position: number): number {
    while (position < this.#text.length && !this.#isLineBreak(position)) position++;
    return position;
  }

  #isLineBreak(position: number): boolean {
    const unit = this.#units[position];
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
