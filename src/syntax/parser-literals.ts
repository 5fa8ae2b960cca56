/** Literals. spec: #literals */

import { replacement } from "../diagnostics/diagnostic.ts";
import { F16_MAX } from "../numeric/float16.ts";
import { F32_MAX } from "../numeric/float32.ts";
import { ABSTRACT_INT_MAX, I32_MAX, U32_MAX } from "../numeric/integer.ts";
import { type LiteralKind, type NumericLiteral, parseNumericLiteral } from "../numeric/literal.ts";
import { type Span, span } from "../text/source.ts";
import type { ErrorExpr, LiteralExpr } from "./ast.ts";
import { numberInWgsl } from "./foreign.ts";
import * as make from "./make-expression.ts";
import { ParserBase, quote } from "./parser-base.ts";
import { Token } from "./tokens.ts";

export abstract class LiteralParser extends ParserBase {
  /** Literals read so far, by the number of their word: most occur often. */
  readonly #literals: (make.Spelling | undefined)[] = new Array(this.wordCount);

  // literal : int_literal | float_literal | bool_literal
  // bool_literal : 'true' | 'false'
  // int_literal : decimal_int_literal | hex_int_literal
  // decimal_int_literal : /0[iu]?/ | /[1-9][0-9]*[iu]?/
  // hex_int_literal : /0[xX][0-9a-fA-F]+[iu]?/
  // float_literal : decimal_float_literal | hex_float_literal
  // decimal_float_literal :
  //   /0[fh]/
  // | /[1-9][0-9]*[fh]/
  // | /[0-9]*\.[0-9]+([eE][+-]?[0-9]+)?[fh]?/
  // | /[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?[fh]?/
  // | /[0-9]+[eE][+-]?[0-9]+[fh]?/
  // hex_float_literal :
  //   /0[xX][0-9a-fA-F]*\.[0-9a-fA-F]+([pP][+-]?[0-9]+[fh]?)?/
  // | /0[xX][0-9a-fA-F]+\.[0-9a-fA-F]*([pP][+-]?[0-9]+[fh]?)?/
  // | /0[xX][0-9a-fA-F]+[pP][+-]?[0-9]+[fh]?/
  protected literal(): LiteralExpr | ErrorExpr {
    const { start, word } = this;
    const spelling = this.#literals[word];
    if (spelling === undefined) return this.#newLiteral(start, word);
    this.advance();
    return make.literal(this.ids, start, spelling);
  }

  #newLiteral(start: number, word: number): LiteralExpr | ErrorExpr {
    const { kind } = this;
    this.advance();
    const text = this.wordText(word);
    if (kind !== Token.number)
      return this.#known(start, new make.Spelling("bool", kind === Token.true, word, text.length));
    const literal = parseNumericLiteral(text);
    if (literal.ok) return this.#known(start, new make.Spelling(literal.kind, literal.value, word, text.length));
    const end = this.previousEnd;
    this.#reportLiteral(span(start, end), text, literal);
    return this.errorExpression(start, end);
  }

  #known(start: number, spelling: make.Spelling): LiteralExpr {
    this.#literals[spelling.word] = spelling;
    return make.literal(this.ids, start, spelling);
  }

  // spec: #numeric-literals
  #reportLiteral(place: Span, written: string, literal: NumericLiteral & { readonly ok: false }): void {
    const text = quote(written);
    switch (literal.reason) {
      case "malformed": {
        const expected = /^0+((?:0|[1-9][0-9]*)[iu]?)$/.exec(text)?.[1];
        if (expected) this.report("leading-zero", place, { expected });
        else this.#malformed(place, written);
        return;
      }
      case "overflow":
        this.report("literal-too-large", place, { text, ...LARGEST[literal.kind] });
        return;
      case "inexact":
        this.report("literal-not-exact", place, { text, type: literal.kind });
    }
  }

  #malformed(place: Span, written: string): void {
    const text = numberInWgsl(written.replaceAll("'", "_"));
    const fixes = text !== null && parseNumericLiteral(text).ok ? [replacement(place, text)] : [];
    if (fixes.length > 0 && SEPARATED.test(written)) {
      this.report("digit-separator", place, { expected: quote(text!) }, { fixes });
    } else this.report("malformed-number", place, { text: quote(written) }, { fixes });
  }

  /** At what stands behind `1` in `1'000`; false: it is nothing of the kind. */
  protected passSeparatedDigits(): boolean {
    const { start } = this.tokenSpan(this.index - 1);
    const { end } = this.tokenSpan();
    if (!this.isBehind(Token.number) || this.tokenText()[0] !== "'" || this.previousEnd < this.start) return false;
    this.#malformed(span(start, end), this.text.slice(start, end));
    this.advance();
    return true;
  }
}

/** `1'000`, `1_000`, `0xff_ff` */
const SEPARATED = /'|\d_+\d|^0[xX][\da-fA-F]+_+[\da-fA-F]/;

const LARGEST: Readonly<Record<LiteralKind, { readonly type: string; readonly largest: string }>> = {
  "abstract-int": { type: "AbstractInt", largest: String(ABSTRACT_INT_MAX) },
  i32: { type: "i32", largest: String(I32_MAX) },
  u32: { type: "u32", largest: String(U32_MAX) },
  "abstract-float": { type: "AbstractFloat", largest: String(Number.MAX_VALUE) },
  f32: { type: "f32", largest: String(F32_MAX) },
  f16: { type: "f16", largest: String(F16_MAX) },
};
