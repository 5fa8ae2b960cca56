/** Declarations of GLSL, HLSL, CUDA and Metal at module scope: what WGSL has instead, and which names they declare. */

import { type Note, note, removal, replacement } from "../diagnostics/diagnostic.ts";
import { type Span, span } from "../text/source.ts";
import { type Attribute, type CompoundStatement, type GlobalDecl, type IdentifierExpr, Name } from "./ast.ts";
import {
  foreignKeyword,
  foreignParam,
  isFunctionWord,
  layoutInWgsl,
  looksLikeType,
  semanticInWgsl,
  typeInWgsl,
} from "./foreign.ts";
import { foreignName } from "./foreign-names.ts";
import * as make from "./make-statement.ts";
import { quote } from "./parser-base.ts";
import { StatementParser } from "./parser-statements.ts";
import { SAY } from "./phrases.ts";
import { isWord, Token } from "./tokens.ts";

/** Words before the name of a function. */
const MOST_WORDS = 6;

function isName(kind: number): boolean {
  return kind === Token.identifier || kind === Token.reservedWord;
}

interface PassedParam {
  readonly name: Name;
  readonly inWgsl: string | null;
  readonly notes: readonly Note[];
}

function passedParam(written: string, start: number): PassedParam {
  const param = foreignParam(written);
  if (param === null) return { name: new Name("", start, start), inWgsl: null, notes: [] };
  const at = start + param.at;
  const name = new Name(param.name, at, at + param.name.length);
  const [, type] = /(\w+)\s*\*/.exec(written) ?? [];
  const notes: Note[] = [];
  if (type !== undefined) notes.push(note("own-buffer", name.span, { name: name.text, type: typeInWgsl(type) }));
  else if (written === name.text) notes.push(note("typed-parameter", name.span, { name: name.text }));
  return { name, inWgsl: param.inWgsl, notes };
}

/** How far the end of a declaration is looked for, in tokens. */
const FARTHEST = 4096;

export abstract class ForeignParser extends StatementParser {
  /** `layout(…) …;`; null: this is none. */
  protected glslLayout(): readonly Name[] | null {
    if (this.tokenText() !== "layout" || this.peek(1) !== Token.parenLeft) return null;
    const place = this.tokenSpan();
    this.advance();
    const inside = this.start;
    this.skipBalanced();
    const expected = layoutInWgsl(this.text.slice(inside, this.previousEnd), this.tokenText());
    this.report("foreign-keyword", place, { word: "layout", expected });
    return this.namesDeclared();
  }

  /** `RWStructuredBuffer<float> data : register(u0);`, behind its type; null: WGSL has no such binding. */
  protected binding(type: Name, all: string): readonly Name[] | null {
    const wgsl = foreignName(type.text);
    if (wgsl === null || !/^[A-Z]/.test(type.text) || this.kind !== Token.identifier) return null;
    const variable = /^(var<[^>]*>) name: (.*)$/.exec(wgsl);
    const [head, inWgsl] = variable === null ? ["var", wgsl] : [variable[1], variable[2]];
    const expected = `‘@group(0) @binding(0) ${head} ${quote(this.tokenText())}: ${inWgsl}’`;
    this.report("foreign-keyword", type.span, { word: quote(all), expected });
    return this.namesDeclared();
  }

  /** The names that stand between here and the `;`, as in `float tile[64], x;` and `buffer Data { float data[]; };`. */
  protected namesDeclared(): readonly Name[] {
    const found: Name[] = [];
    this.scoping.forgetDeclaration();
    let depth = 0;
    let isValue = false;
    for (let passed = 0; passed < FARTHEST && this.kind !== Token.end; passed++) {
      if (this.kind === Token.semicolon && depth === 0) break;
      if (this.isFirstOnLine() && this.#isDeclarationOfWgsl()) break;
      if (this.kind === Token.braceLeft) depth++;
      else if (this.kind === Token.braceRight) depth--;
      else if (this.kind === Token.parenLeft || this.kind === Token.bracketLeft) {
        this.skipBalanced();
        continue;
      }
      if (this.kind === Token.equal) isValue = true;
      else if (this.kind === Token.comma || this.kind === Token.semicolon) isValue = false;
      const isName = this.kind === Token.identifier && !isValue && this.#endsDeclarator(this.peek(1));
      if (isName && !looksLikeType(this.tokenText())) {
        const { start, end } = this.tokenSpan();
        found.push(new Name(this.tokenText(), start, end));
      }
      this.advance();
    }
    this.accept(Token.semicolon);
    return found;
  }

  /** A variable of which nothing but its name is known. */
  protected declared(name: Name): GlobalDecl {
    return make.varDecl(this.ids, name.start, name.end, [], this.privately(name), name, this.unknownType(), null);
  }

  /** The template of a variable whose address space is no mistake of its own. */
  protected privately({ start, end }: Name): readonly IdentifierExpr[] {
    return [this.mentionAs(start, end, "private")];
  }

  /**
   * How many words stand before the name of a function that is at the cursor, where one of them is of another language:
   * `def f(`, `static inline float f(`; 0: there is none, or it is the only thing that is not of WGSL.
   */
  protected wordsBeforeFunction(): number {
    let distance = 0;
    while (distance < MOST_WORDS && isName(this.peek(distance)) && isName(this.peek(distance + 1))) distance++;
    if (distance === 0 || this.peek(distance + 1) !== Token.parenLeft) return 0;
    const word = this.tokenText();
    if (!isFunctionWord(word)) return 0;
    return distance === 1 && !looksLikeType(word) && this.#isHeadOfWgsl(distance + 1) ? 0 : distance;
  }

  /** Whether what begins with the parenthesis `distance` tokens ahead looks like parameters and a result of WGSL. */
  #isHeadOfWgsl(distance: number): boolean {
    const [first, second] = [this.peek(distance + 1), this.peek(distance + 2)];
    if (first !== Token.parenRight && first !== Token.attr && second !== Token.colon) return false;
    const next = this.peek(this.behindBalanced(distance, Token.parenLeft, Token.parenRight, FARTHEST));
    return next === Token.arrow || next === Token.braceLeft;
  }

  /** A function of another language, with `count` words before its name. */
  protected foreignFunction(start: number, attributes: readonly Attribute[], count: number): GlobalDecl {
    const first = this.tokenSpan();
    const type = this.tokenText(this.index + count - 1);
    for (let passed = 0; passed < count; passed++) this.advance();
    return this.functionBehind(start, attributes, first, type);
  }

  /** The same at its name: its head is told as a whole, its body is read. `first`, `type`: the first word, and the last. */
  protected functionBehind(start: number, attributes: readonly Attribute[], first: Span, type: string): GlobalDecl {
    const word = this.text.slice(first.start, first.end);
    const keyword = foreignKeyword(word);
    const isTyped = foreignKeyword(type) === null;
    const name = new Name(this.tokenText(), this.tokenSpan().start, this.tokenSpan().end);
    this.advance();
    const params = this.#foreignParams();
    const result = this.#foreignResult(isTyped && type !== "void" ? typeInWgsl(type) : "");
    if (this.kind === Token.semicolon) return this.#prototype(start);
    const isKnown = params.every(({ inWgsl }) => inWgsl !== null);
    const list = isKnown ? params.map(({ inWgsl }) => inWgsl).join(", ") : "…";
    const head = `fn ${name.text}(${list})${result === "" ? "" : ` -> ${result}`}`;
    const isIndented = this.kind === Token.colon;
    const isKernel = typeof keyword === "string" && keyword.includes("@compute");
    const text = isKernel ? `@compute @workgroup_size(64) ${head}` : head;
    const fixes = isKnown && !isIndented ? [replacement(span(first.start, this.previousEnd), text)] : [];
    const notes = params.flatMap((param) => param.notes);
    if (keyword !== null && (isKernel || keyword === "‘fn’")) {
      this.report("foreign-keyword", first, { word, expected: keyword }, { notes, fixes });
    } else {
      this.report("type-before-name", span(first.start, name.end), { expected: quote(head) }, { notes, fixes });
    }
    const returnType = isTyped && type === "void" ? null : this.unknownType();
    this.scoping.open();
    const declared = params.map(({ name: own }) =>
      this.declare(make.param(this.ids, own.start, own.end, [], own, this.unknownType())),
    );
    const body = isIndented ? this.#indentedBody(start) : this.functionBody(start);
    this.scoping.close();
    const end = this.previousEnd;
    return make.functionDecl(this.ids, start, end, attributes, name, declared, [], returnType, body);
  }

  /** `float f(float x);`, for which WGSL has no use: functions are known before they are declared. */
  #prototype(start: number): GlobalDecl {
    const place = this.tokenSpan();
    const fixes = [removal(span(start, place.end), quote(this.text.slice(start, place.end)))];
    this.report("unexpected-token", place, { expected: SAY["a-body"], found: "‘;’" }, { fixes });
    this.advance();
    return make.errorDecl(this.ids, start, this.previousEnd);
  }

  /** The names between the parentheses, and how WGSL writes each parameter. */
  #foreignParams(): readonly PassedParam[] {
    const found: PassedParam[] = [];
    let depth = 0;
    let { start } = this;
    do {
      if (this.isOpening() || this.kind === Token.templateArgsStart) depth++;
      else if (this.isClosing() || this.kind === Token.templateArgsEnd) depth--;
      const isEnd = depth === 0 || (depth === 1 && this.kind === Token.comma);
      const written = isEnd ? this.text.slice(start, this.previousEnd).trim() : "";
      if (written !== "" && written !== "void") found.push(passedParam(written, start));
      const isOpening = depth === 1 && this.kind === Token.parenLeft && found.length === 0 && written === "";
      this.advance();
      if (isEnd || isOpening) start = this.start;
    } while (depth > 0 && this.kind !== Token.end);
    return found;
  }

  /** The result as WGSL writes it: what stands between the parameters and the body, or the type `before` the name. */
  #foreignResult(before: string): string {
    const isMarked = this.kind === Token.arrow || (this.kind === Token.colon && !this.isFirstOnLine(this.index + 1));
    if (isMarked) this.advance();
    if (!isName(this.kind) || this.isFirstOnLine()) return before;
    const word = this.tokenText();
    this.advance();
    const semantic = semanticInWgsl(word);
    return semantic === null ? typeInWgsl(word) : `${semantic.slice(1, -1)} ${before}`;
  }

  /** `def f(x):`, passed to where a line begins no further right than the function. */
  #indentedBody(start: number): CompoundStatement {
    const least = this.indentation(start);
    this.advance();
    while (this.kind !== Token.end && !(this.isFirstOnLine() && this.indentation(this.start) <= least)) this.advance();
    return this.emptyBody([]);
  }

  /** `: SV_DispatchThreadID` behind a parameter or a function; false: there is none. */
  protected passSemantic(): boolean {
    if (this.kind !== Token.colon || this.panicking) return false;
    const word = this.tokenText(this.index + 1);
    const expected = semanticInWgsl(word);
    if (expected === null) return false;
    this.advance();
    this.report("foreign-keyword", this.tokenSpan(), { word, expected });
    this.advance();
    return true;
  }

  #endsDeclarator(kind: number): boolean {
    return (
      kind === Token.semicolon ||
      kind === Token.braceRight ||
      kind === Token.comma ||
      kind === Token.equal ||
      kind === Token.bracketLeft ||
      kind === Token.colon
    );
  }

  #isDeclarationOfWgsl(): boolean {
    return this.kind === Token.fn || this.kind === Token.attr || (this.kind === Token.struct && isWord(this.peek(1)));
  }
}
