/**
 * What all areas of the grammar share: the cursor, messages and recovery.
 *
 * One mistake, one message: the first message of a statement or declaration sets `panicking`, which silences what follows
 * from it. Productions go on and give what tree they can; whoever owns a place to start anew (a statement, a declaration,
 * a body) skips to it and ends the panic. Loops stop while panicking.
 */

import type { DiagnosticCode } from "../diagnostics/catalogue.ts";
import {
  type DiagnosticArgs,
  type DiagnosticExtras,
  insertion,
  type MessageValue,
  note,
  replacement,
} from "../diagnostics/diagnostic.ts";
import { listFrom, listOf } from "../text/list.ts";
import { isLineBreak, type Span, span } from "../text/source.ts";
import {
  type ErrorExpr,
  type Expr,
  type IdentifierExpr,
  type LocalDecl,
  Name,
  type NodeId,
  type NodeIds,
  type Param,
} from "./ast.ts";
import { codePointName } from "./characters.ts";
import { foreignName, isRenamed } from "./foreign-names.ts";
import type { Tokens } from "./lexer.ts";
import * as make from "./make-expression.ts";
import { SAY } from "./phrases.ts";
import type { Reporter } from "./reporter.ts";
import { NO_WORD, ScopeLog } from "./scoping.ts";
import { isKeyword, isStatementEnd, isWord, TOKEN_TEXT, Token } from "./tokens.ts";
import type { Words } from "./words.ts";

/** What a message quotes is cut to this length. */
const LONGEST_QUOTE = 40;

const DEEPEST_INDENTATION = 200;

/** Tokens in either direction in which brackets are counted. */
const FARTHEST_BRACKET = 128;

/** Text of the source as a message quotes it. */
export function quote(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}

/** What could not be read of a text: what is said of it, or of what it would declare, follows from a mistake that was told. */
export interface Broken {
  /** Each to where reading went on, in the order of the text. */
  readonly parts: readonly Span[];
  /** What may be declared in them. */
  readonly names: ReadonlySet<string>;
  /** How many declarations lack their name. */
  readonly nameless: number;
}

export abstract class ParserBase {
  protected readonly text: string;
  protected readonly ids: NodeIds = { count: 0 };
  readonly scoping: ScopeLog;
  /** Kind of the token at the cursor. */
  protected kind: number;
  /** Index of the token at the cursor. */
  protected index = 0;
  protected panicking = false;
  readonly #kinds: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #words: Uint32Array;
  readonly #texts: readonly string[];
  readonly #table: Words;
  readonly #count: number;
  readonly #isCut: boolean;
  readonly #reporter: Reporter;
  readonly #toldWords = new Set<string>();
  /** The token at which the last message was given. */
  #toldAt = 0;
  /** Tokens that could not be read: the first of each stretch, and the one behind its last, in turn. */
  readonly #broken: number[] = [];
  #nameless = 0;

  constructor(tokens: Tokens, reporter: Reporter) {
    this.text = tokens.text;
    this.#kinds = tokens.kinds;
    this.#starts = tokens.starts;
    this.#ends = tokens.ends;
    this.#words = tokens.words;
    this.#texts = tokens.texts;
    this.#table = tokens.table;
    this.scoping = new ScopeLog(tokens.table);
    this.#count = tokens.count;
    this.#isCut = tokens.isCut;
    this.#reporter = reporter;
    this.kind = this.#kinds[0];
  }

  // ---------------------------------------------------------------- cursor

  /** The first unit of the token at the cursor. */
  protected get start(): number {
    return this.#starts[this.index];
  }

  /** Behind the last token passed. */
  protected get previousEnd(): number {
    return this.index === 0 ? 0 : this.#ends[this.index - 1];
  }

  protected advance(): void {
    if (this.kind !== Token.end) this.kind = this.#kinds[++this.index];
  }

  protected accept(kind: number): boolean {
    if (this.kind !== kind) return false;
    this.advance();
    return true;
  }

  /** The kind of the token `distance` tokens ahead. */
  protected peek(distance: number): number {
    return this.#kinds[Math.min(this.index + distance, this.#count - 1)];
  }

  /** The comma at the cursor becomes the keyword of a declaration of its own, which begins here. */
  protected beginListed(keyword: number): void {
    this.#kinds[this.index] = keyword;
    this.kind = keyword;
  }

  /** Whether the comma at the cursor has become a keyword. */
  protected get isListed(): boolean {
    return isKeyword(this.kind) && this.#ends[this.index] - this.start === 1;
  }

  /** The first of the two tokens that `--` or `&&` is here becomes the current one, the second stays to come. */
  protected split(half: number): void {
    this.#kinds[this.index] = half;
    this.#starts[this.index]++;
    this.kind = half;
  }

  protected tokenSpan(index = this.index): Span {
    return span(this.#starts[index], this.#ends[index]);
  }

  protected tokenText(index = this.index): string {
    return this.text.slice(this.#starts[index], this.#ends[index]);
  }

  /** Whether the token before the cursor is of this kind. */
  protected isBehind(kind: number): boolean {
    return this.index > 0 && this.#kinds[this.index - 1] === kind;
  }

  /** The number of the identifier or numeric literal at the cursor: the same for all that are written the same. */
  protected get word(): number {
    return this.#words[this.index];
  }

  protected get wordCount(): number {
    return this.#texts.length;
  }

  protected wordText(word: number): string {
    return this.#texts[word];
  }

  /** From `start` to the last token passed. */
  protected spanFrom(start: number): Span {
    return span(start, Math.max(start, this.previousEnd));
  }

  protected isFirstOnLine(index = this.index): boolean {
    for (let i = index === 0 ? 0 : this.#ends[index - 1]; i < this.#starts[index]; i++) {
      if (isLineBreak(this.text.charCodeAt(i))) return true;
    }
    return index === 0;
  }

  /** Units between the beginning of the line and `offset`, as far as they tell of indentation. */
  protected indentation(offset: number): number {
    const farthest = Math.max(0, offset - DEEPEST_INDENTATION);
    let start = offset;
    while (start > farthest && !isLineBreak(this.text.charCodeAt(start - 1))) start--;
    return offset - start;
  }

  /** Units of indentation of the line on which the token before the cursor ends. */
  protected get lineIndentation(): number {
    return this.indentationOfLine(this.previousEnd);
  }

  /** The same of the line that `offset` is on. */
  protected indentationOfLine(offset: number): number {
    let start = offset;
    const farthest = Math.max(0, start - DEEPEST_INDENTATION);
    while (start > farthest && !isLineBreak(this.text.charCodeAt(start - 1))) start--;
    return /^[ \t]*/.exec(this.text.slice(start, offset))![0].length;
  }

  // ---------------------------------------------------------------- messages

  /** Says something after which parsing goes on as if nothing had happened. */
  protected report<Code extends DiagnosticCode>(
    code: Code,
    place: Span,
    args: DiagnosticArgs<Code>,
    extras?: DiagnosticExtras,
  ): void {
    this.#toldAt = this.index;
    // What lacks at the end of a text that ends in a comment stands in the comment.
    if (this.#isCut && this.kind === Token.end) return;
    if (!this.panicking) this.#reporter.report(code, place, args, extras);
  }

  /** Says why the construct at hand cannot be read further. */
  protected fail<Code extends DiagnosticCode>(
    code: Code,
    place: Span,
    args: DiagnosticArgs<Code>,
    extras?: DiagnosticExtras,
  ): void {
    this.report(code, place, args, extras);
    this.panicking = true;
  }

  /** The token at the cursor is not what the grammar wants. */
  protected unexpected(expected: MessageValue, extras?: DiagnosticExtras): void {
    if (this.panicking) return;
    if (this.kind === Token.invalid) this.reportInvalid();
    else {
      // What lacks at the end of the text lacks behind its last token.
      const end = this.previousEnd;
      const place = this.kind === Token.end ? span(end, end) : this.tokenSpan();
      this.report("unexpected-token", place, { expected, found: this.found() }, extras);
    }
    this.panicking = true;
  }

  protected hasTold(code: DiagnosticCode): boolean {
    return this.#reporter.has(code);
  }

  /** How the token at the cursor is named in a message. */
  protected found(): MessageValue {
    if (this.kind === Token.end) return SAY["end-of-text"];
    return `‘${quote(this.tokenText())}’`;
  }

  /** Says what is wrong with an `invalid` token, and passes it. */
  protected reportInvalid(): void {
    const place = this.tokenSpan();
    const character = this.text[place.start];
    if (character === '"' || character === "'") this.report("string-literal", place, {});
    else if (character === "?") this.report("conditional-operator", place, {});
    else {
      const codePoint = this.text.codePointAt(place.start) ?? 0;
      const args = { character: String.fromCodePoint(codePoint), codePoint: codePointName(codePoint) };
      const isPlaceholder = /^[$#]?\{/.test(this.text.slice(place.start + 1, place.start + 3)) && character === "$";
      this.report("invalid-character", place, args, { notes: isPlaceholder ? [note("placeholder", place, {})] : [] });
    }
    this.advance();
  }

  // ---------------------------------------------------------------- expectations

  protected expect(kind: number): boolean {
    if (this.accept(kind)) return true;
    this.unexpected(`‘${TOKEN_TEXT[kind]}’`);
    return false;
  }

  /** The bracket that closes the one at the token `opening`. */
  protected close(kind: number, opening: number, expected?: MessageValue): void {
    if (!this.accept(kind) && !this.panicking) this.#unclosed(kind, opening, expected);
  }

  #unclosed(kind: number, opening: number, expected: MessageValue | undefined): void {
    this.unexpected(expected ?? `‘${TOKEN_TEXT[kind]}’`, {
      notes: [note("opened-here", this.tokenSpan(opening), { bracket: this.tokenText(opening) })],
    });
  }

  /** The `;` of a statement, declaration or directive. Where it seems only forgotten, the parser goes on as if it were there. */
  protected semicolon(): void {
    if (this.accept(Token.semicolon)) {
      if (this.panicking) this.endPanic();
    } else if (!this.panicking && !this.isListed) this.#missingSemicolon();
  }

  #missingSemicolon(): void {
    const isNext = this.kind === Token.braceRight || this.kind === Token.end || isKeyword(this.kind);
    const isForgotten = isNext || this.isFirstOnLine();
    if (!isForgotten || this.kind === Token.invalid) {
      this.unexpected("‘;’");
      return;
    }
    const end = this.previousEnd;
    this.report("missing-semicolon", span(end, end), { found: this.found() }, { fixes: [insertion(end, ";")] });
  }

  // ---------------------------------------------------------------- lists

  /** Items of the lists being read, one list upon the other: a list is made once its length is known. */
  readonly #items: unknown[] = listOf();
  #itemCount = 0;

  /** Begins a list: gives what `endList` wants. */
  protected beginList(): number {
    return this.#itemCount;
  }

  protected addItem(item: unknown): void {
    this.#items[this.#itemCount++] = item;
  }

  /** The last item, which becomes none. */
  protected takeItem<Item>(): Item {
    return this.#items[--this.#itemCount] as Item;
  }

  /** The items since `base`. */
  protected endList<Item>(base: number): Item[] {
    const count = this.#itemCount - base;
    this.#itemCount = base;
    return listFrom(this.#items as Item[], base, count);
  }

  /** As `make.call`, of the items since `base`. */
  protected endCall(
    id: NodeId,
    start: number,
    calleeEnd: number,
    text: string,
    template: readonly Expr[] | null,
    base: number,
  ): Expr {
    const count = this.#itemCount - base;
    this.#itemCount = base;
    const items = this.#items as Expr[];
    return make.call(id, start, this.previousEnd, calleeEnd, text, template, items, base, count);
  }

  // ---------------------------------------------------------------- names

  /** Where the last name that `ident` read starts, and its word: most are declared before the next is read. */
  #nameStart = -1;
  #nameWord = NO_WORD;

  // ident : ident_pattern_token _disambiguate_template
  // member_ident : ident_pattern_token
  // spec: #identifiers
  protected ident(expected: MessageValue = SAY["a-name"]): Name {
    const start = this.start;
    this.#nameStart = start;
    this.#nameWord = this.word;
    return this.#nameFrom(start, this.identText(expected));
  }

  #doubleUnderscore(text: string, place: Span): void {
    const wgsl = foreignName(text);
    const notes = wgsl === null ? [] : [note("wgsl-writes", place, { name: text, wgsl })];
    const fixes = wgsl !== null && isRenamed(text, wgsl) ? [replacement(place, wgsl)] : [];
    this.report("double-underscore", place, { name: quote(text) }, { notes, fixes });
  }

  // ident_pattern_token : /([_\p{XID_Start}][\p{XID_Continue}]+)|([\p{XID_Start}])/u
  // spec: #context-dependent-names
  protected contextDependentName(expected: MessageValue): Name {
    const start = this.start;
    return this.#nameFrom(start, this.#nameText(expected));
  }

  /** Where no name could be read, the place behind the last token passed. */
  #nameFrom(start: number, text: string): Name {
    const end = this.previousEnd;
    return new Name(text, Math.min(start, end), end);
  }

  /** Passes an identifier and gives its text, empty where there is none: a message was given. */
  protected identText(expected: MessageValue): string {
    const start = this.start;
    const text = this.#nameText(expected);
    if (this.#table.hasDoubleUnderscore && text.startsWith("__"))
      this.#doubleUnderscore(text, span(start, this.previousEnd));
    return text;
  }

  #nameText(expected: MessageValue): string {
    if (this.kind === Token.identifier) {
      const text = this.#texts[this.#words[this.index]];
      this.advance();
      return text;
    }
    return this.#otherName(expected);
  }

  #otherName(expected: MessageValue): string {
    const place = this.tokenSpan();
    const text = this.tokenText();
    if (this.kind === Token.equal && this.isBehind(Token.colon) && this.previousEnd === this.start)
      return this.#colonEqual();
    if (text === "mut" && this.isBehind(Token.and) && isWord(this.peek(1))) return this.#mutableReference(expected);
    const isUnderscore = this.kind === Token.underscore;
    if (this.kind === Token.reservedWord) this.#reservedWord(text, place);
    else if (isUnderscore) this.report("underscore-as-name", place, {});
    else if (isKeyword(this.kind) && !this.isFirstOnLine()) this.report("keyword-as-name", place, { word: text });
    else {
      if (!this.panicking && (expected === SAY["a-name"] || expected === SAY["a-parameter"])) this.#nameless++;
      this.unexpected(expected);
      return "";
    }
    this.advance();
    return isUnderscore ? "" : text;
  }

  /** `x := 1`, behind the colon: there is no type. */
  #colonEqual(): string {
    const place = span(this.tokenSpan(this.index - 1).start, this.tokenSpan().end);
    const fixes = [replacement(place, "=")];
    this.report("no-operator", place, { operator: ":=", expected: "‘=’" }, { fixes });
    return "";
  }

  /** `&mut x`, read as `&x` */
  #mutableReference(expected: MessageValue): string {
    const { start } = this.tokenSpan(this.index - 1);
    const { start: next } = this.tokenSpan(this.index + 1);
    const fixes = [replacement(span(start, next), "&")];
    const args = { word: "&mut", expected: "‘&’" };
    this.report("foreign-keyword", span(start, this.tokenSpan().end), args, { fixes });
    this.advance();
    return this.#nameText(expected);
  }

  /** Declared and then used is one mistake: each word is told once. */
  #reservedWord(word: string, place: Span): void {
    if (this.#toldWords.has(word)) return;
    this.#toldWords.add(word);
    const wgsl = this.peek(1) === Token.parenLeft || /^null/i.test(word) ? foreignName(word) : null;
    const notes = wgsl === null ? [] : [note("wgsl-writes", place, { name: word, wgsl })];
    this.report("reserved-word", place, { word }, { notes });
  }

  /** Stands for an expression that could not be read; a message was given. */
  protected missingExpression(): ErrorExpr {
    const end = this.previousEnd;
    return this.errorExpression(end, end);
  }

  /** Stands for all that lies between; a message was given. */
  protected errorExpression(start: number, end: number): ErrorExpr {
    this.scoping.forgetMentions(start);
    return make.errorExpression(this.ids, start, end);
  }

  // ---------------------------------------------------------------- scopes

  /** An identifier by the number of its word: it is to be resolved. */
  protected mention(
    word: number,
    start: number,
    end: number,
    text: string,
    template: readonly Expr[] | null,
  ): IdentifierExpr {
    this.scoping.tell(word, this.ids.count, start);
    return make.identifier(this.ids, start, end, text, template);
  }

  /** An identifier at the place of a word, which may be another one. */
  protected mentionAs(
    start: number,
    end: number,
    text: string,
    template: readonly Expr[] | null = null,
  ): IdentifierExpr {
    this.tellAs(start, text);
    return make.identifier(this.ids, start, end, text, template);
  }

  /** The next id is that of a name at the place of a word, which may be another one. */
  protected tellAs(start: number, text: string): void {
    if (text === "") return;
    const written = this.#table.word(start);
    const word = this.#texts[written] === text ? written : this.#table.ofText(text);
    this.scoping.tell(word, this.ids.count, start);
  }

  /** The number of a word that is declared. */
  protected wordOf({ text, start }: Name): number {
    if (text === "") return NO_WORD;
    return start === this.#nameStart ? this.#nameWord : this.#table.word(start);
  }

  /** The scope at hand has it from here on. */
  protected declare<Declaration extends LocalDecl | Param>(declaration: Declaration): Declaration {
    this.scoping.declare(this.wordOf(declaration.name), declaration);
    return declaration;
  }

  // ---------------------------------------------------------------- recovery

  /** Reading goes on at the cursor. */
  protected endPanic(): void {
    this.panicking = false;
    this.noteBroken();
  }

  /** From the beginning of what the last message is about to the cursor nothing is certain. */
  protected noteBroken(): void {
    const least = this.#broken.at(-1) ?? 0;
    let first = Math.min(this.#toldAt, this.index);
    while (first > least && !isStatementEnd(this.#kinds[first - 1])) first--;
    // The message may be about what stretches before it hold already.
    while (this.#broken.length > 0 && first <= this.#broken.at(-2)!) this.#broken.length -= 2;
    if (this.#broken.length > 0 && first <= this.#broken.at(-1)!) this.#broken.pop();
    else this.#broken.push(first);
    this.#broken.push(this.index);
  }

  /** null: all was read. */
  get broken(): Broken | null {
    if (this.#broken.length === 0) return null;
    const parts: Span[] = [];
    const names = new Set<string>();
    for (let i = 0; i < this.#broken.length; i += 2) {
      const [first, behind] = [this.#broken[i], this.#broken[i + 1]];
      parts.push(span(this.#starts[first], this.#starts[behind]));
      for (let at = first; at < behind; at++) if (this.#mayBeDeclared(at, first)) names.add(this.tokenText(at));
    }
    return { parts, names, nameless: this.#nameless };
  }

  /** Whether the token `at` is a name that stands as if it was declared, in a part that begins with the token `first`. */
  #mayBeDeclared(at: number, first: number): boolean {
    if (this.#kinds[at] !== Token.identifier) return false;
    const next = this.#kinds[at + 1];
    if (next === Token.colon || next === Token.equal) return true;
    return at === first && (next === Token.parenLeft || next === Token.braceLeft);
  }

  /** From a left bracket or brace behind the one that closes it, whatever is in between. */
  protected skipBalanced(): void {
    let depth = 0;
    do {
      if (this.isOpening()) depth++;
      else if (this.isClosing()) depth--;
      this.advance();
    } while (depth > 0 && this.kind !== Token.end);
  }

  /** How far ahead stands what follows the bracket `distance` tokens ahead and all up to its other one; not looked for beyond `farthest`. */
  protected behindBalanced(distance: number, opening: number, closing: number, farthest: number): number {
    let depth = 0;
    let at = distance;
    do {
      const kind = this.peek(at);
      if (kind === Token.end) return at;
      if (kind === opening) depth++;
      else if (kind === closing) depth--;
      at++;
    } while (depth > 0 && at < farthest);
    return at;
  }

  protected isOpening(index = this.index): boolean {
    const kind = this.#kinds[index];
    return kind === Token.parenLeft || kind === Token.bracketLeft || kind === Token.braceLeft;
  }

  protected isClosing(index = this.index): boolean {
    const kind = this.#kinds[index];
    return kind === Token.parenRight || kind === Token.bracketRight || kind === Token.braceRight;
  }

  /**
   * How many more brackets are opened than closed in the statement, header or part of a `for` header around the cursor, as far
   * as it is looked at.
   */
  protected balance(opening: number, closing: number): number {
    let depth = 0;
    let first = this.index;
    const least = Math.max(0, first - FARTHEST_BRACKET);
    while (first > least && !isStatementEnd(this.#kinds[first - 1])) first--;
    const most = Math.min(this.#count - 1, this.index + FARTHEST_BRACKET);
    let at = first;
    for (; at < most && (at < this.index || !isStatementEnd(this.#kinds[at])); at++) {
      if (this.#kinds[at] === opening) depth++;
      else if (this.#kinds[at] === closing) depth--;
    }
    // What follows the last semicolon of a `for` header closes it.
    const isUpdate =
      this.#kinds[at] === Token.braceLeft &&
      this.#kinds[first - 1] === Token.semicolon &&
      !isKeyword(this.#kinds[first]);
    return isUpdate && closing === Token.parenRight ? depth + 1 : depth;
  }

  /** Whether a parenthesis lacks in the statement at hand that one in it would close. */
  protected get lacksParenthesis(): boolean {
    return this.balance(Token.parenLeft, Token.parenRight) < 0;
  }

  /** How many brackets opened by the tokens from `index` on are still open at the cursor. */
  protected openBrackets(index: number): number {
    let depth = 0;
    for (let i = index; i < this.index; i++) {
      if (this.isOpening(i)) depth++;
      else if (this.isClosing(i) && depth > 0) depth--;
    }
    return depth;
  }
}
