/** Where a bracket lacks: what tells which body or condition it belongs to. */
import { type Fix, fix, removal } from "../diagnostics/diagnostic.ts";
import { span } from "../text/source.ts";
import { SimpleStatementParser } from "./parser-simple-statements.ts";
import { SAY } from "./phrases.ts";
import { canBeginOperand, isAssignment, isStatementEnd, Token } from "./tokens.ts";

/** Tokens of a condition that are looked at. */
const LONGEST_CONDITION = 128;

export abstract class BraceParser extends SimpleStatementParser {
  /** The first token of the function at hand, and how many more braces are closed in it than opened; -1: not counted yet. */
  #functionIndex = 0;
  #spareBraces = -1;

  /** At the body of a function. */
  protected beginBraces(): void {
    this.#functionIndex = this.index;
    this.#spareBraces = -1;
  }

  /** Whether a brace lacks in the function at hand that one in it would close. */
  protected hasSpareBrace(): boolean {
    if (this.#spareBraces < 0) this.#spareBraces = Math.max(0, this.#surplusOfBraces());
    return this.#spareBraces > 0;
  }

  /** To the next declaration, of which some may stand in functions by mistake. */
  #surplusOfBraces(): number {
    let surplus = 0;
    for (let distance = this.#functionIndex - this.index; ; distance++) {
      const kind = this.peek(distance);
      if (kind === Token.braceLeft) surplus--;
      else if (kind === Token.braceRight) surplus++;
      else if (kind === Token.fn || kind === Token.struct || kind === Token.end) return surplus;
    }
  }

  /** One of them belongs to a body that has been found. */
  protected spendBrace(): void {
    this.#spareBraces--;
  }

  /** `[unroll]` and `[loop]` of HLSL, at the bracket; false: it is nothing of the kind. */
  protected passStatementHint(): boolean {
    const isAlone = this.peek(2) === Token.bracketRight;
    if (this.peek(1) !== Token.identifier && this.peek(1) !== Token.loop) return false;
    if (!isAlone && !(this.peek(2) === Token.parenLeft && this.peek(5) === Token.bracketRight)) return false;
    const { start } = this;
    const place = this.tokenSpan();
    const found = this.found();
    this.skipBalanced();
    const text = this.text.slice(start, this.previousEnd);
    const fixes = [removal(span(start, this.start), text)];
    this.report("unexpected-token", place, { expected: SAY["a-statement"], found }, { fixes });
    return true;
  }

  /**
   * Of the braces from the token `opening` to the cursor, the one that was not closed where lines stand no further right
   * than what it holds; `opening` where indentation does not tell.
   */
  protected braceLeftOpen(opening: number): number {
    const open: { readonly at: number; readonly line: number; content: number }[] = [];
    for (let at = opening; at < this.index; at++) {
      const kind = this.peek(at - this.index);
      const { start } = this.tokenSpan(at);
      const innermost = open.at(-1);
      if (innermost !== undefined && this.isFirstOnLine(at) && isStatementEnd(this.peek(at - 1 - this.index))) {
        const own = this.indentation(start);
        const isLess = kind === Token.braceRight ? own < innermost.line : own < innermost.content;
        if (isLess) return innermost.at;
        if (innermost.content < 0 && own > innermost.line) innermost.content = own;
      }
      if (kind === Token.braceLeft) open.push({ at, line: this.indentationOfLine(start), content: -1 });
      else if (kind === Token.braceRight) open.pop();
    }
    return opening;
  }

  /** A body that begins behind `before` and ends at the cursor, in braces; none where its end is not certain. */
  protected bracesAround(before: number): readonly Fix[] {
    const end = this.previousEnd;
    const body = this.text.slice(before, end);
    if (!/[;}]$/.test(body) && body !== "") return [];
    const start = before + body.length - body.trimStart().length;
    const line = this.text.slice(before - this.indentation(before), before);
    const isBelow = /[\r\n]/.test(this.text.slice(before, start));
    const edits = isBelow
      ? [
          { span: span(before, before), text: " {" },
          { span: span(end, end), text: `\n${/^[ \t]*/.exec(line)![0]}}` },
        ]
      : [
          { span: span(start, start), text: before === start ? " { " : "{ " },
          { span: span(end, end), text: " }" },
        ];
    return [fix("add-braces", {}, edits)];
  }

  /** Where the condition of the `if`, `while` or `switch` begins that ends before the cursor; null: there is none. */
  protected conditionStart(): number | null {
    for (let distance = -1; distance > -LONGEST_CONDITION && !isStatementEnd(this.peek(distance)); distance--) {
      const kind = this.peek(distance);
      if (kind === Token.if || kind === Token.while || kind === Token.switch)
        return this.tokenSpan(this.index + distance + 1).start;
    }
    return null;
  }

  /** `if lane 0u {`: on this line comes the brace of the body, before anything ends. */
  protected isConditionGoingOn(): boolean {
    if (!canBeginOperand(this.kind) || this.isFirstOnLine()) return false;
    for (let distance = 1; distance < LONGEST_CONDITION; distance++) {
      const kind = this.peek(distance);
      if (kind === Token.braceLeft) return true;
      if (isStatementEnd(kind) || isAssignment(kind) || this.isFirstOnLine(this.index + distance)) return false;
    }
    return false;
  }
}
