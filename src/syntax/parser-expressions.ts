/** Expressions, template lists and types. spec: #expression-grammar, #operator-precedence-associativity, #type-specifiers */

import { insertion, type MessageValue, note, replacement } from "../diagnostics/diagnostic.ts";
import { type Span, span } from "../text/source.ts";
import type { ErrorExpr, Expr, IdentifierExpr, Name, NodeId } from "./ast.ts";
import { bracketsInWgsl, constantOfPath, functionForMethod, looksLikeType, typeInWgsl } from "./foreign.ts";
import { isForeignOutput } from "./foreign-names.ts";
import * as make from "./make-expression.ts";
import { quote } from "./parser-base.ts";
import { LiteralParser } from "./parser-literals.ts";
import { SAY } from "./phrases.ts";
import {
  canBeginOperand,
  canContinueExpression,
  canFollowExpression,
  isAssignment,
  isBinaryOperator,
  isComparison,
  isKeyword,
  isWord,
  TOKEN_TEXT,
  Token,
} from "./tokens.ts";

/** Expressions inside expressions that are parsed one within the other: brackets, prefix operators, template lists. */
const DEEPEST_NESTING = 255;
/** Height of the tree of an expression; a chain `a + b + c` is as high as it is long. Later passes recurse over it. */
const HIGHEST_TREE = 512;

export abstract class ExpressionParser extends LiteralParser {
  #nesting = 0;
  /** Height of the expression parsed last. */
  #height = 0;
  /** First unit of the operator of the binary expression made last: of those at hand the outermost. */
  #operatorStart = 0;
  /** Something in a bracket that was not closed, or with braces in it: a template list is not found as one any more. */
  protected hasLostTemplates = false;
  /** Operators `?:` whose values are being read; the last one read as a call of `select`, null where it is none. */
  #conditionals = 0;
  #select: string | null = null;
  #ownFunctions: ReadonlySet<string> | null = null;
  /** An argument of an attribute is known as far as it could be read. */
  protected isInAttribute = false;

  // expression :
  //   relational_expression
  // | short_circuit_or_expression '||' relational_expression
  // | short_circuit_and_expression '&&' relational_expression
  // | bitwise_expression
  protected expression(): Expr {
    if (this.#nesting >= DEEPEST_NESTING) return this.#tooDeep(DEEPEST_NESTING);
    this.#nesting++;
    const { start } = this;
    let result = this.unaryExpression();
    if (canContinueExpression(this.kind) && !this.panicking) result = this.#operation(start, result);
    this.#nesting--;
    // Nearly always a bracket, a comma or a semicolon is next.
    const isEnd = this.kind >= Token.parenRight && this.kind <= Token.semicolon;
    return isEnd || this.panicking || canFollowExpression(this.kind) ? result : this.#afterExpression(start, result);
  }

  #operation(start: number, first: Expr): Expr {
    const isBitwise = this.kind === Token.and || this.kind === Token.or || this.kind === Token.xor;
    if (isBitwise) return this.bitwiseExpression(start, first);
    return this.shortCircuitExpression(start, this.relationalExpression(start, first));
  }

  // short_circuit_and_expression :
  //   relational_expression
  // | short_circuit_and_expression '&&' relational_expression
  // short_circuit_or_expression :
  //   relational_expression
  // | short_circuit_or_expression '||' relational_expression
  protected shortCircuitExpression(start: number, left: Expr): Expr {
    const kind = this.kind;
    if (kind !== Token.andAnd && kind !== Token.orOr) return left;
    while (this.kind === kind && !this.panicking) {
      const height = this.#height;
      const operator = this.#passOperator();
      const right = this.relationalExpression(this.start, this.unaryExpression());
      left = this.#binary(start, left, height, kind, operator, right);
    }
    return left;
  }

  // bitwise_expression :
  //   binary_and_expression '&' unary_expression
  // | binary_or_expression '|' unary_expression
  // | binary_xor_expression '^' unary_expression
  // binary_or_expression : unary_expression | binary_or_expression '|' unary_expression
  // binary_and_expression : unary_expression | binary_and_expression '&' unary_expression
  // binary_xor_expression : unary_expression | binary_xor_expression '^' unary_expression
  protected bitwiseExpression(start: number, left: Expr): Expr {
    const kind = this.kind;
    while (this.kind === kind && !this.panicking) {
      const height = this.#height;
      const operator = this.#passOperator();
      left = this.#binary(start, left, height, kind, operator, this.unaryExpression());
    }
    return left;
  }

  // relational_expression :
  //   shift_expression
  // | shift_expression _less_than shift_expression
  // | shift_expression _greater_than shift_expression
  // | shift_expression _less_than_equal shift_expression
  // | shift_expression _greater_than_equal shift_expression
  // | shift_expression '==' shift_expression
  // | shift_expression '!=' shift_expression
  protected relationalExpression(start: number, first: Expr): Expr {
    const left = this.shiftExpression(start, first);
    const kind = this.kind;
    if (!isComparison(kind) || this.panicking) return left;
    const height = this.#height;
    const operator = this.#passOperator();
    const right = this.shiftExpression(this.start, this.unaryExpression());
    return this.#binary(start, left, height, kind, operator, right);
  }

  // shift_expression :
  //   additive_expression
  // | unary_expression _shift_left unary_expression
  // | unary_expression _shift_right unary_expression
  protected shiftExpression(start: number, first: Expr): Expr {
    const kind = this.kind;
    if (kind !== Token.shiftLeft && kind !== Token.shiftRight) return this.additiveExpression(start, first);
    const height = this.#height;
    const operator = this.#passOperator();
    return this.#binary(start, first, height, kind, operator, this.unaryExpression());
  }

  // additive_expression :
  //   multiplicative_expression
  // | additive_expression additive_operator multiplicative_expression
  // additive_operator : '+' | '-'
  protected additiveExpression(start: number, first: Expr): Expr {
    let left = this.multiplicativeExpression(start, first);
    while (!this.panicking) {
      const isDouble = this.kind === Token.minusMinus && this.#isTwoMinuses();
      const kind = isDouble ? Token.minus : this.kind;
      if (kind !== Token.plus && kind !== Token.minus) break;
      const height = this.#height;
      const operator = isDouble ? this.#passHalf(Token.minus) : this.#passOperator();
      const right = this.multiplicativeExpression(this.start, this.unaryExpression());
      left = this.#binary(start, left, height, kind, operator, right);
    }
    return left;
  }

  // multiplicative_expression :
  //   unary_expression
  // | multiplicative_expression multiplicative_operator unary_expression
  // multiplicative_operator : '*' | '/' | '%'
  protected multiplicativeExpression(start: number, left: Expr): Expr {
    while (this.kind >= Token.star && this.kind <= Token.modulo && !this.panicking) {
      const kind = this.kind;
      const height = this.#height;
      const operator = this.#passOperator();
      left = this.#binary(start, left, height, kind, operator, this.unaryExpression());
    }
    return left;
  }

  // unary_expression :
  //   singular_expression
  // | '-' unary_expression
  // | '!' unary_expression
  // | '~' unary_expression
  // | '*' unary_expression
  // | '&' unary_expression
  protected unaryExpression(): Expr {
    // Most operands begin with a name, a number or a parenthesis.
    return this.kind < Token.bang ? this.singularExpression() : this.#otherUnary();
  }

  #otherUnary(): Expr {
    switch (this.kind) {
      case Token.minus:
      case Token.bang:
      case Token.tilde:
      case Token.star:
      case Token.and:
        return this.#prefixed(this.kind, this.#passOperator());
      case Token.minusMinus:
        if (this.#isTwoMinuses()) return this.#prefixed(Token.minus, this.#passHalf(Token.minus));
        break;
      case Token.andAnd:
        return this.#prefixed(Token.and, this.#passHalf(Token.and));
    }
    return this.singularExpression();
  }

  /** One more behind what stands before an operand. */
  #innerUnary(): Expr {
    if (this.#nesting >= DEEPEST_NESTING) return this.#tooDeep(DEEPEST_NESTING);
    this.#nesting++;
    const result = this.unaryExpression();
    this.#nesting--;
    return result;
  }

  #prefixed(operation: number, start: number): Expr {
    const operand = this.#innerUnary();
    const end = Math.max(start + 1, this.previousEnd);
    return this.#higher(make.unary(this.ids, start, end, operation, operand), this.#height);
  }

  // singular_expression : primary_expression component_or_swizzle_specifier ?
  // component_or_swizzle_specifier :
  //   '[' expression ']' component_or_swizzle_specifier ?
  // | '.' member_ident component_or_swizzle_specifier ?
  // | '.' swizzle_name component_or_swizzle_specifier ?
  protected singularExpression(): Expr {
    const { start } = this;
    let object = this.primaryExpression();
    while (!this.panicking) {
      if (this.kind === Token.period) object = this.#memberOf(start, object);
      else if (this.kind === Token.bracketLeft) object = this.#elementOf(start, object);
      else if (this.kind === Token.arrow && this.#isMemberArrow()) object = this.#memberOf(start, object);
      else break;
    }
    return object;
  }

  #memberOf(start: number, object: Expr): Expr {
    const height = this.#height;
    const period = this.start;
    this.advance();
    const text = this.identText(SAY["a-member-name"]);
    const member = make.member(this.ids, start, this.previousEnd, object, text);
    const result = this.#higher(member, height);
    return this.kind === Token.parenLeft && !this.panicking ? this.#methodCall(start, period, member.member) : result;
  }

  #elementOf(start: number, object: Expr): Expr {
    const height = this.#height;
    const opening = this.index;
    this.advance();
    const index = this.expression();
    this.close(Token.bracketRight, opening);
    if (this.panicking) return this.errorExpression(start, this.previousEnd);
    const tallest = Math.max(height, this.#height);
    const element = this.#higher(make.index(this.ids, start, this.previousEnd, object, index), tallest);
    return this.kind === Token.parenLeft && !this.panicking ? this.#arrayConstructor(element) : element;
  }

  // primary_expression :
  //   template_elaborated_ident
  // | call_expression
  // | literal
  // | paren_expression
  protected primaryExpression(): Expr {
    this.#height = 1;
    switch (this.kind) {
      case Token.identifier: {
        // As a type is read, but without an object for the callee of a call.
        const { start, word } = this;
        const text = this.identText(SAY["an-expression"]);
        const template = this.#templateList();
        this.scoping.tell(word, this.ids.count, start);
        if (this.kind === Token.parenLeft && !this.panicking)
          return this.callPhrase(start, this.previousEnd, text, template);
        if (template === null) return make.plainIdentifier(this.ids, start, text);
        return make.identifier(this.ids, start, this.previousEnd, text, template);
      }
      case Token.reservedWord:
        return this.#reservedWord();
      case Token.number:
      case Token.true:
      case Token.false:
        return this.literal();
      case Token.parenLeft:
        return this.parenExpression();
      default:
        return this.#noExpression();
    }
  }

  /** Read as a name or a call. */
  #reservedWord(): Expr {
    const name = this.#noName(SAY["an-expression"]);
    if (this.kind !== Token.parenLeft || this.panicking) return name;
    return this.callPhrase(name.start, name.end, "", name.template);
  }

  // paren_expression : '(' expression ')'
  protected parenExpression(): Expr {
    const opening = this.index;
    const start = this.start;
    this.advance();
    const expression = this.expression();
    this.close(Token.parenRight, opening);
    if (expression.kind === "identifier" && this.#isCast(expression)) return this.#cast(start, expression);
    return make.parenthesized(expression);
  }

  // call_expression : call_phrase
  // call_phrase : template_elaborated_ident argument_expression_list
  /** At its argument list; the next id is that of the callee. */
  protected callPhrase(start: number, calleeEnd: number, text: string, template: readonly Expr[] | null): Expr {
    const id = this.#callId();
    const height = this.#height;
    const base = this.beginList();
    // Of `printf("…")`, that there is no such function is enough.
    if (this.peek(1) === Token.invalid && isForeignOutput(text)) this.skipBalanced();
    else this.#arguments();
    const tallest = Math.max(height, this.#height);
    return this.#higher(this.endCall(id, start, calleeEnd, text, template, base), tallest);
  }

  /** Gives the callee of a call the next id, and the call the one behind. */
  #callId(): NodeId {
    this.ids.count += 2;
    return this.ids.count - 1;
  }

  // argument_expression_list : '(' expression_comma_list ? ')'
  protected argumentExpressionList(): readonly Expr[] {
    const base = this.beginList();
    this.#arguments();
    return this.endList(base);
  }

  #arguments(): void {
    const opening = this.index;
    this.advance();
    this.#height = 0;
    if (this.kind !== Token.parenRight) this.#commaList(Token.parenRight);
    this.close(Token.parenRight, opening, SAY["comma-or-paren"]);
    if (this.panicking) this.addItem(this.missingExpression());
  }

  // expression_comma_list : expression ( ',' expression ) * ',' ?
  // template_arg_comma_list : template_arg_expression ( ',' template_arg_expression ) * ',' ?
  // template_arg_expression : expression
  protected expressionCommaList(end: number): readonly Expr[] {
    const base = this.beginList();
    this.#commaList(end);
    return this.endList(base);
  }

  #commaList(end: number): void {
    let tallest = 0;
    do {
      this.addItem(this.expression());
      tallest = Math.max(tallest, this.#height);
    } while (!this.panicking && this.accept(Token.comma) && this.kind !== end);
    this.#height = tallest;
  }

  // type_specifier : template_elaborated_ident
  protected typeSpecifier(): IdentifierExpr {
    if (this.kind === Token.bracketLeft && !this.panicking) return this.#arrayOfRust();
    const type = this.templateElaboratedIdent(SAY["a-type"]);
    if (this.kind === Token.lessThan && type.template === null && !this.panicking) {
      this.scoping.forgetMentions(type.start);
      const template = this.unclosedTemplateList(type.text);
      return this.mentionAs(type.start, this.previousEnd, type.text, template);
    }
    return this.kind === Token.bracketLeft && !this.panicking ? this.#arraySuffix(type) : type;
  }

  /** `f32[4]` */
  #arraySuffix(element: IdentifierExpr): IdentifierExpr {
    const opening = this.index;
    if (this.peek(1) === Token.bracketLeft) return this.#bracketsBehindType(element);
    this.advance();
    const args: Expr[] = [element];
    if (this.kind !== Token.bracketRight) args.push(this.expression());
    this.close(Token.bracketRight, opening);
    const place = this.spanFrom(element.start);
    const expected = `array<${args.map((arg) => this.textInTemplate(arg)).join(", ")}>`;
    this.report("array-suffix", place, { expected }, { fixes: [replacement(place, expected)] });
    return this.mentionAs(place.start, place.end, "array", args);
  }

  /** What is written, for a template list, which `>` would end. */
  protected textInTemplate({ kind, start, end }: Expr): string {
    const text = this.text.slice(start, end);
    return kind === "binary" && text.includes(">") ? `(${text})` : text;
  }

  /** `id: uint [[thread_position_in_grid]]` */
  #bracketsBehindType(type: IdentifierExpr): IdentifierExpr {
    const { start } = this;
    this.scoping.forgetMentions(type.start);
    this.skipBalanced();
    const end = this.previousEnd;
    const written = this.text.slice(start, end).replace(/^\[\[\s*|\s*\]\]$/g, "");
    this.report("bracket-attribute", span(start, end), { expected: `‘@${quote(bracketsInWgsl(written))}’` });
    return make.identifier(this.ids, end, end, "", null);
  }

  /** `[f32; 4]` and `[4]f32`, where a type is wanted. */
  #arrayOfRust(): IdentifierExpr {
    const { start } = this;
    this.skipBalanced();
    const end = this.previousEnd;
    const [, element, size] = /^\[\s*([\w<>]+)\s*(?:;\s*([^\]]*?))?\s*\]$/.exec(this.text.slice(start, end)) ?? [];
    const expected = `array<${element === undefined ? "T" : typeInWgsl(element)}${size === undefined ? "" : `, ${size}`}>`;
    const fixes = element === undefined ? [] : [replacement(span(start, end), expected)];
    this.report("array-suffix", span(start, end), { expected: quote(expected) }, { fixes });
    return make.identifier(this.ids, end, end, "", null);
  }

  // template_elaborated_ident : ident template_list ?
  protected templateElaboratedIdent(expected: MessageValue): IdentifierExpr {
    if (this.kind !== Token.identifier) return this.#noName(expected);
    const { start, word } = this;
    const text = this.identText(expected);
    const template = this.#templateList();
    // As `mention` does, without a call for each name.
    this.scoping.tell(word, this.ids.count, start);
    if (template === null) return make.plainIdentifier(this.ids, start, text);
    return make.identifier(this.ids, start, this.previousEnd, text, template);
  }

  /** A reserved word never resolves: without its text nobody else complains about it. */
  #noName(expected: MessageValue): IdentifierExpr {
    const { start } = this;
    this.identText(expected);
    const template = this.#templateList();
    const end = this.previousEnd;
    return make.identifier(this.ids, Math.min(start, end), end, "", template);
  }

  #templateList(): readonly Expr[] | null {
    return this.kind === Token.templateArgsStart && !this.panicking ? this.templateList() : null;
  }

  // template_list : _template_args_start template_arg_comma_list _template_args_end
  protected templateList(): readonly Expr[] {
    const opening = this.index;
    this.advance();
    let list = this.expressionCommaList(Token.templateArgsEnd);
    if (isWord(this.kind) && !this.panicking) {
      // `var<storage read_write>`
      const end = this.previousEnd;
      const fixes = [insertion(end, ",")];
      this.unexpected(SAY["comma-or-end-of-template"], { fixes });
      this.panicking = false;
      list = [...list, ...this.expressionCommaList(Token.templateArgsEnd)];
    }
    this.close(Token.templateArgsEnd, opening, SAY["comma-or-end-of-template"]);
    this.#height++;
    return this.#complete(list);
  }

  /** A list that was not read to its end goes on with an error: nobody shall count it. */
  #complete(list: readonly Expr[]): readonly Expr[] {
    return this.panicking ? [...list, this.missingExpression()] : list;
  }

  /** `vec3<f32` where nothing but a template list can follow the name: its operands, as far as they are plain. */
  protected unclosedTemplateList(name: string): readonly Expr[] {
    const opening = this.tokenSpan();
    const list: Expr[] = [];
    do {
      this.advance();
      list.push(this.unaryExpression());
    } while (this.kind === Token.comma && !this.panicking && !this.#isItemNext());
    if (this.hasLostTemplates && this.accept(Token.greaterThan)) return list;
    const end = this.previousEnd;
    const fixes = [insertion(end, ">")];
    this.report("unclosed-template-list", opening, { name: quote(name) }, { fixes });
    return list;
  }

  /** Behind the comma at the cursor begins another member or parameter. */
  #isItemNext(): boolean {
    return this.peek(1) === Token.attr || (isWord(this.peek(1)) && this.peek(2) === Token.colon);
  }

  // ---------------------------------------------------------------- nodes with operators

  /** Passes the operator at the cursor and gives its first unit. */
  #passOperator(): number {
    const start = this.start;
    this.advance();
    return start;
  }

  /**
   * Passes the first half of `--` or `&&`. A token is the longest one that the grammar allows where it stands, and in an
   * expression it allows no decrement, before an operand no conjunction. spec: #parsing
   */
  #passHalf(half: number): number {
    const start = this.start;
    if (half === Token.minus) this.report("double-negation", this.tokenSpan(), {});
    this.split(half);
    return start;
  }

  /** Whether the `--` at the cursor has an operand behind it. */
  #isTwoMinuses(): boolean {
    return canBeginOperand(this.peek(1));
  }

  /** `start`, `operatorStart`: first units of the left operand, with its parentheses, and of the operator. */
  #binary(start: number, left: Expr, leftHeight: number, kind: number, operatorStart: number, right: Expr): Expr {
    const end = Math.max(this.previousEnd, operatorStart + TOKEN_TEXT[kind].length);
    const expression = make.binary(this.ids, start, end, kind, left, right);
    this.#operatorStart = operatorStart;
    return this.#higher(expression, Math.max(leftHeight, this.#height));
  }

  /** Notes that `expression` stands on parts of height `below`. */
  #higher(expression: Expr, below: number): Expr {
    this.#height = below + 1;
    return this.#height <= HIGHEST_TREE ? expression : this.#tooHigh(expression);
  }

  #tooHigh(expression: Expr): ErrorExpr {
    this.scoping.forgetMentions(expression.start);
    return this.#tooDeep(HIGHEST_TREE);
  }

  #tooDeep(limit: number): ErrorExpr {
    const place = this.tokenSpan();
    this.fail("nesting-too-deep", place, { what: SAY.expressions, limit });
    this.#height = 1;
    return this.errorExpression(place.start, place.end);
  }

  // ---------------------------------------------------------------- mistakes

  /** What stands behind a whole expression cannot be there. */
  #afterExpression(start: number, expression: Expr): Expr {
    if (this.kind === Token.colon) return this.peek(1) === Token.colon ? this.#path(expression) : expression;
    const place = this.tokenSpan();
    const operator = this.tokenText();
    if (this.kind === Token.invalid) {
      if (this.passSeparatedDigits()) return this.#passOperands(expression);
      if (operator === "?") return this.#conditional(start, expression);
      this.unexpected("");
      return this.#incomplete(expression);
    }
    if (this.kind === Token.number) {
      return this.#isUnopened(expression) ? this.#unopenedCall(expression) : this.#beforeOperand(expression);
    }
    if (isWord(this.kind)) {
      if (this.tokenText(this.index - 1) === "not" && !this.isFirstOnLine()) {
        this.fail("no-operator", this.tokenSpan(this.index - 1), { operator: "not", expected: "‘!’" });
        return this.#incomplete(expression);
      }
      const expected = FOREIGN_OPERATORS.get(operator);
      if (expected === undefined && this.#isUnopened(expression)) return this.#unopenedCall(expression);
      if (expected === undefined) return this.#beforeOperand(expression);
      if (operator === "as" && isWord(this.peek(1))) return this.#castBehind(expression);
      const text = expected.slice(1, -1);
      const fixes = [replacement(place, text)];
      this.fail("foreign-keyword", place, { word: operator, expected }, { fixes });
      return this.#incomplete(expression);
    }
    if (this.kind === Token.plusPlus || this.kind === Token.minusMinus) {
      this.report("increment-in-expression", place, { operator });
      this.advance();
      this.panicking = canBeginOperand(this.kind);
      return expression;
    }
    if (isAssignment(this.kind)) {
      return this.#isUnclosed() ? expression : this.#assignmentInExpression(start, expression);
    }
    if (expression.kind !== "binary") return expression;
    // `a < max &b, c)`: that more is closed than opened is told where that is certain.
    if (this.lacksParenthesis) return this.#passOperands(expression);
    const other = span(this.#operatorStart, this.#operatorStart + expression.operator.length);
    const notes = [note("other-operator", other, { operator: expression.operator })];
    // `a > 0 & b > 0`: of conditions, not of bits.
    if (isComparison(expression.operation) && (this.kind === Token.and || this.kind === Token.or))
      notes.push(note("use-logical", place, { operator: operator + operator }));
    this.report("missing-parentheses", place, { left: expression.operator, right: operator }, { notes });
    return this.#passOperands(expression);
  }

  /** `c ? a : b`, behind the condition: read to its end, so that the edit is known. */
  #conditional(start: number, condition: Expr): ErrorExpr {
    const place = this.tokenSpan();
    const conditionText = this.text.slice(start, this.previousEnd);
    const arms: (string | null)[] = [];
    this.#conditionals++;
    this.advance();
    if (this.#conditionals < DEEPEST_NESTING && canBeginOperand(this.kind)) {
      arms.push(this.#arm());
      if (!this.panicking && this.accept(Token.colon) && canBeginOperand(this.kind)) arms.push(this.#arm());
    }
    this.#conditionals--;
    const [whenTrue, whenFalse] = arms;
    const isKnown = whenTrue && whenFalse && !this.panicking;
    this.#select = isKnown
      ? `select(${whenFalse}, ${whenTrue}, ${withoutParentheses(conditionText, condition)})`
      : null;
    const isLost = this.panicking || arms.length < 2;
    if (this.#conditionals === 0) {
      const fixes = this.#select === null ? [] : [replacement(this.spanFrom(start), this.#select)];
      this.panicking = false;
      this.report("conditional-operator", place, {}, { fixes });
    }
    this.panicking = isLost;
    return this.errorExpression(start, this.previousEnd);
  }

  /** What one of the values is written as; null: as `select` takes both, this one must not do anything, or it is not known. */
  #arm(): string | null {
    const { start } = this;
    this.#select = "";
    const value = this.expression();
    const select = this.#select;
    if (select !== "") return value.kind === "error-expression" ? select : null;
    const text = this.text.slice(start, this.previousEnd);
    return this.#hasEffects(text) ? null : withoutParentheses(text, value);
  }

  /** Whether something that is called may do more than give a value. */
  #hasEffects(text: string): boolean {
    for (const [, name] of text.matchAll(/\b(\w+)\s*\(/g)) {
      this.#ownFunctions ??= new Set(Array.from(this.text.matchAll(FUNCTION_HEAD), ([, own]) => own));
      if (this.#ownFunctions.has(name) || EFFECTS.test(name)) return true;
    }
    return false;
  }

  /** `a i]`, `x 0u`: an operator or a bracket lacks, whoever goes on with the expression says so. */
  #beforeOperand(expression: Expr): Expr {
    if (this.isInAttribute) return expression;
    const isNext = isKeyword(this.kind) || this.isFirstOnLine() || this.peek(1) === Token.templateArgsEnd;
    return isNext ? expression : this.#incomplete(expression);
  }

  /** `a[i = 1`: before an assignment that stands behind what it assigns to, a bracket is not closed. */
  #isUnclosed(): boolean {
    return (
      this.balance(Token.bracketLeft, Token.bracketRight) > 0 || this.balance(Token.parenLeft, Token.parenRight) > 0
    );
  }

  /** `max a, b)`: in this statement more parentheses are closed than opened, and a name has an operand behind it. */
  #isUnopened(expression: Expr): boolean {
    if (expression.kind !== "identifier" || expression.isParenthesized || this.isFirstOnLine()) return false;
    return this.lacksParenthesis;
  }

  #unopenedCall(callee: Expr): ErrorExpr {
    const end = this.previousEnd;
    this.unexpected("‘(’", { fixes: [insertion(end, "(")] });
    this.panicking = false;
    this.expressionCommaList(Token.parenRight);
    this.accept(Token.parenRight);
    return this.#passOperands(callee);
  }

  /** `x as f32` */
  #castBehind(value: Expr): ErrorExpr {
    const place = this.tokenSpan();
    const type = typeInWgsl(this.tokenText(this.index + 1));
    const { end } = this.tokenSpan(this.index + 1);
    // It binds more tightly than any operator but those before its operand.
    const operand = value.kind === "binary" && !value.isParenthesized ? value.right : value;
    const { isParenthesized } = operand;
    const start = isParenthesized ? this.#openingBehind() : operand.start;
    const inner = this.text.slice(start, this.previousEnd);
    const text = isParenthesized ? `${type}${inner}` : `${type}(${inner})`;
    const fixes = [replacement(span(start, end), text)];
    this.fail("foreign-keyword", place, { word: "as", expected: `‘${quote(text)}’` }, { fixes });
    return this.#incomplete(value);
  }

  /** First unit of the bracket that the one before the cursor closes. */
  #openingBehind(): number {
    let at = this.index;
    let depth = 0;
    do {
      at--;
      if (this.isClosing(at)) depth++;
      else if (this.isOpening(at)) depth--;
    } while (depth > 0 && at > 0);
    return this.tokenSpan(at).start;
  }

  /** Stands for an expression of which only the beginning could be read. */
  #incomplete(beginning: Expr): ErrorExpr {
    return this.errorExpression(beginning.start, beginning.end);
  }

  /** `a = b` is read as the comparison that was meant. */
  #assignmentInExpression(start: number, left: Expr): Expr {
    const place = this.tokenSpan();
    const isPlain = this.kind === Token.equal;
    // `a = b = 1`
    const isChain = /[^=!<>]=\s*$/.test(this.text.slice(Math.max(0, start - 16), start));
    const expected = SAY[isChain ? "own-statement" : "equal-to-compare"];
    const fixes = isPlain && !isChain ? [replacement(place, "==")] : [];
    this.report("assignment-in-expression", place, { operator: this.tokenText(), expected }, { fixes });
    this.advance();
    const right = this.shiftExpression(this.start, this.unaryExpression());
    this.panicking ||= (this.kind >= Token.plusPlus && this.kind <= Token.shiftLeftAssign) || !isPlain;
    if (!isPlain || isChain) return this.#incomplete(left);
    return make.binary(this.ids, start, this.previousEnd, Token.equalEqual, left, right);
  }

  /** Passes the rest of an expression that lacks parentheses. */
  #passOperands(first: Expr): ErrorExpr {
    while (isBinaryOperator(this.kind) && !this.panicking) {
      this.advance();
      this.unaryExpression();
    }
    return this.errorExpression(first.start, this.previousEnd);
  }

  /** `v.length()` */
  #methodCall(start: number, period: number, method: Name): ErrorExpr {
    const opening = this.start + 1;
    const args = this.argumentExpressionList();
    const object = quote(this.text.slice(start, period).trimEnd());
    const others = args.length === 0 ? "" : `, ${quote(this.text.slice(opening, this.previousEnd - 1).trim())}`;
    const isCount = /^(?:length|len|size|count)$/.test(method.text) && args.length === 0;
    const isArray = isCount && this.text.includes(`${object.split(".").pop()}: array<`);
    const known = isArray ? "arrayLength" : functionForMethod(method.text);
    const expected = `${known ?? quote(method.text)}(${isArray ? "&" : ""}${object}${others})`;
    const fixes = known === null || expected.includes("…") ? [] : [replacement(this.spanFrom(start), expected)];
    const notes = isCount ? [note("array-length", method.span, { name: object })] : [];
    this.report("method-call", method.span, { expected }, { notes, fixes });
    return this.errorExpression(start, this.previousEnd);
  }

  /** The token at the cursor begins no expression. */
  #noExpression(): Expr {
    const place = this.tokenSpan();
    const operator = this.tokenText();
    switch (this.kind) {
      case Token.plus:
        this.report("unary-plus", place, {});
        this.advance();
        return this.#innerUnary();
      case Token.plusPlus:
      case Token.minusMinus:
        this.report("increment-in-expression", place, { operator });
        this.advance();
        return this.#innerUnary();
      case Token.underscore:
        this.report("underscore-as-name", place, {});
        this.advance();
        return this.errorExpression(place.start, place.end);
      case Token.invalid: {
        // A string stands where a value can stand; after any other character nothing is certain.
        const isString = /^["']/.test(operator);
        this.reportInvalid();
        this.panicking ||= !isString;
        return this.errorExpression(place.start, place.end);
      }
      case Token.equal:
        if (this.#isTripleEqual()) return this.#innerUnary();
        break;
      case Token.bracketLeft:
      case Token.braceLeft:
        if (this.#isPlaceholder()) return this.#placeholder();
        if (this.kind === Token.bracketLeft || this.isBehind(Token.equal)) return this.#listWithoutType(place);
    }
    this.unexpected(SAY["an-expression"]);
    return this.missingExpression();
  }

  /** `a === b`: says so at its last `=`, and passes that. */
  #isTripleEqual(): boolean {
    const { start } = this;
    const operator = this.text.slice(start - 2, start + 1);
    if (operator !== "===" && operator !== "!==") return false;
    const expected = `‘${operator.slice(0, 2)}’`;
    const place = span(start - 2, start + 1);
    const fixes = [replacement(place, operator.slice(0, 2))];
    this.report("no-operator", place, { operator, expected }, { fixes });
    this.advance();
    return true;
  }

  /** `p->x`, read as `p.x` */
  #isMemberArrow(): boolean {
    if (!isWord(this.peek(1))) return false;
    const place = this.tokenSpan();
    const fixes = [replacement(place, ".")];
    this.report("no-operator", place, { operator: "->", expected: "‘.’" }, { fixes });
    return true;
  }

  /** `u32::MAX` and `Kind::First`, behind its first name. */
  #path(beginning: Expr): ErrorExpr {
    const place = span(this.start, this.start + 2);
    const isKnown = this.panicking;
    while (this.kind === Token.colon && this.peek(1) === Token.colon) {
      this.advance();
      this.advance();
      if (isWord(this.kind)) this.advance();
    }
    const all = span(beginning.start, this.previousEnd);
    const text = constantOfPath(this.text.slice(all.start, all.end));
    const fixes = text === null ? [] : [replacement(all, text)];
    const expected = text === null ? SAY["plain-name"] : `‘${text}’`;
    if (!isKnown) this.report("no-operator", place, { operator: "::", expected }, { fixes });
    if (this.kind === Token.parenLeft) this.skipBalanced();
    return this.#incomplete(beginning);
  }

  /** `P { x: 1.0 }`, behind its name, where no block can follow. */
  protected structLiteral(value: Expr): Expr {
    if (value.kind !== "identifier" || value.isParenthesized || this.panicking || this.isFirstOnLine()) return value;
    const opening = this.start;
    this.skipBalanced();
    const members = this.text.slice(opening + 1, this.previousEnd - 1).replace(/\b\w+\s*:\s*/g, "");
    const expected = `${value.text}(${quote(members.replace(/\s+/g, " ").replace(/,\s*$/, "").trim())})`;
    this.report("struct-literal", span(value.start, this.previousEnd), { expected });
    return this.#incomplete(value);
  }

  /** `{name}` or `{{name}}` */
  #isPlaceholder(): boolean {
    if (this.kind !== Token.braceLeft || this.isBehind(Token.equal)) return false;
    const inner = this.peek(1) === Token.braceLeft ? 2 : 1;
    return isWord(this.peek(inner)) && this.peek(inner + 1) === Token.braceRight;
  }

  /** What a tool should have put something in place of. */
  #placeholder(): ErrorExpr {
    const { start } = this;
    const found = this.found();
    this.skipBalanced();
    const place = span(start, this.previousEnd);
    const notes = [note("placeholder", place, {})];
    this.report("unexpected-token", place, { expected: SAY["an-expression"], found }, { notes });
    this.hasLostTemplates = true;
    // `{size}u`
    if (this.previousEnd === this.start && /^[iufh]$/.test(this.tokenText())) this.advance();
    return this.errorExpression(start, this.previousEnd);
  }

  /** `{1, 2}` and `[1, 2]` */
  #listWithoutType(place: Span): ErrorExpr {
    this.report("list-without-type", place, { bracket: this.tokenText() });
    this.skipBalanced();
    this.panicking = this.kind !== Token.semicolon && this.kind !== Token.comma;
    return this.errorExpression(place.start, this.previousEnd);
  }

  /** `f32[2](a, b)` */
  #arrayConstructor(indexed: Expr): Expr {
    if (indexed.kind !== "index" || indexed.object.kind !== "identifier" || !looksLikeType(indexed.object.name.text))
      return indexed;
    const element = typeInWgsl(this.textInTemplate(indexed.object));
    const expected = `array<${element}, ${this.textInTemplate(indexed.index)}>`;
    const fixes = [replacement(indexed.span, expected)];
    this.report("array-suffix", indexed.span, { expected }, { fixes });
    this.argumentExpressionList();
    return this.errorExpression(indexed.start, this.previousEnd);
  }

  /** Whether `(float)` has an operand behind it, which nothing in parentheses can have. */
  #isCast({ name, template }: IdentifierExpr): boolean {
    if (template !== null || !looksLikeType(name.text) || this.panicking || this.isFirstOnLine()) return false;
    return this.kind === Token.identifier || this.kind === Token.number || this.kind === Token.parenLeft;
  }

  /** `(float)x`, read as `f32(x)` */
  #cast(start: number, { name }: IdentifierExpr): Expr {
    const place = this.spanFrom(start);
    const type = typeInWgsl(name.text);
    this.scoping.forgetMentions(start);
    this.tellAs(name.start, type);
    const id = this.#callId();
    const { start: operandStart } = this;
    const operand = this.#innerUnary();
    const all = this.spanFrom(start);
    const value = this.text.slice(operandStart, this.previousEnd);
    const expected = operand.isParenthesized ? `${type}${value}` : `${type}(${value})`;
    const fixes = [replacement(all, expected)];
    this.report("cast-before-value", place, { expected: quote(expected) }, { fixes });
    return this.#higher(make.cast(id, all.start, all.end, name.span, type, operand), this.#height);
  }
}

/** The text of an expression, which its parentheses may be around. */
function withoutParentheses(text: string, { isParenthesized }: Expr): string {
  return isParenthesized ? text.slice(1, -1).trim() : text;
}

/** As WGSL and other languages begin one. */
const FUNCTION_HEAD =
  /\b(?:fn|def|fun|func|function|void|bool|[iu]32|f(?:16|32)|u?int\d?|float\d?|[iub]?vec\d\w?)\s+(\w+)\s*\(/g;

/** Functions that write, or that some invocations must not leave out. */
const EFFECTS = /^(?:atomic|texture|workgroup|storage|subgroup|quad|dpd|fwidth|Interlocked|image|__|.*[bB]arrier)/;

/** Words that are operators elsewhere. */
const FOREIGN_OPERATORS: ReadonlyMap<string, string> = new Map([
  ["and", "‘&&’"],
  ["or", "‘||’"],
  ["as", "‘type(value)’"],
]);
