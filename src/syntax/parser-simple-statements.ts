/** Statements without a body. spec: #assignment, #increment-decrement, #function-call-statement, #value-decls */

import { type DiagnosticExtras, fix, insertion, note, type Phrase, replacement } from "../diagnostics/diagnostic.ts";
import { nearestName } from "../text/nearest.ts";
import { span } from "../text/source.ts";
import type { ConstAssert, ConstDecl, ErrorStatement, Expr, IdentifierExpr, LocalDecl, Statement } from "./ast.ts";
import { foreignKeyword, looksLikeType } from "./foreign.ts";
import * as make from "./make-statement.ts";
import { AttributeParser, NO_ATTRIBUTES } from "./parser-attributes.ts";
import { quote } from "./parser-base.ts";
import { SAY } from "./phrases.ts";
import {
  assignOperator,
  canBeginOperand,
  isAssignment,
  isBinaryOperator,
  isWord,
  TOKEN_TEXT,
  Token,
} from "./tokens.ts";

/** What a misspelled first word of a statement may have been meant to be. */
const STATEMENT_WORDS = ["return", "let", "var", "const", "const_assert", "continue", "discard", "break"];

/** Tokens of an expression that is looked at to its end. */
const LONGEST_EXPRESSION = 256;

export abstract class SimpleStatementParser extends AttributeParser {
  // break_statement : 'break'
  // continue_statement : 'continue'
  /** A statement that ends with `;`, without it. */
  protected simpleStatement(): Statement {
    const start = this.start;
    switch (this.kind) {
      case Token.return:
        return this.returnStatement();
      case Token.break:
        this.advance();
        return make.breakStatement(this.ids, start, this.previousEnd);
      case Token.continue:
        this.advance();
        this.scoping.continue(start);
        return make.continueStatement(this.ids, start, this.previousEnd);
      case Token.discard:
        this.advance();
        return make.discardStatement(this.ids, start, this.previousEnd);
      case Token.constAssert:
        return this.constAssert();
      case Token.var:
      case Token.let:
      case Token.const: {
        const keyword = this.kind;
        const statement = this.variableOrValueStatement();
        if (this.kind === Token.comma) this.#nextName(keyword, false);
        return statement;
      }
      case Token.enable:
      case Token.requires:
      case Token.diagnostic: {
        const place = this.tokenSpan();
        this.fail("misplaced-directive", place, { directive: this.tokenText() });
        return this.errorStatement(place.start, place.end);
      }
      default: {
        const statement = this.variableUpdatingOrCallStatement();
        // `int a, b;`: that the type stands first was told.
        if (this.kind === Token.comma && statement.kind === "var") this.#nextName(Token.var, true);
        return statement;
      }
    }
  }

  /** `var a, b;`: each name is read as a declaration of its own. */
  #nextName(keyword: number, isTold: boolean): void {
    if (this.peek(1) !== Token.identifier || this.panicking || this.lacksParenthesis) return;
    if (!isTold) this.report("several-names", this.tokenSpan(), { keyword: TOKEN_TEXT[keyword] });
    this.beginListed(keyword);
  }

  // return_statement : 'return' expression ?
  protected returnStatement(): Statement {
    const start = this.start;
    this.advance();
    const isAlone = this.kind === Token.semicolon || this.kind === Token.braceRight || this.kind === Token.end;
    let value = isAlone ? null : this.expression();
    if (value !== null && this.kind === Token.braceLeft) value = this.structLiteral(value);
    return make.returnStatement(this.ids, start, this.previousEnd, value);
  }

  // const_assert : 'const_assert' expression
  // assert_statement : const_assert
  protected constAssert(): ConstAssert {
    const start = this.start;
    this.advance();
    const condition = this.expression();
    return make.constAssert(this.ids, start, this.previousEnd, condition);
  }

  // variable_or_value_statement :
  //   variable_decl
  // | variable_decl '=' expression
  // | 'let' optionally_typed_ident '=' expression
  // | 'const' optionally_typed_ident '=' expression
  protected variableOrValueStatement(): Statement {
    switch (this.kind) {
      case Token.var:
        return this.declare(this.variableDecl(this.start, NO_ATTRIBUTES));
      case Token.let:
        return this.declare(this.letDecl());
      default:
        return this.declare(this.constDecl());
    }
  }

  protected letDecl(): LocalDecl {
    const start = this.start;
    this.advance();
    if (this.kind === Token.reservedWord && this.tokenText() === "mut") return this.#letMut(start);
    const { name, type } = this.optionallyTypedIdent();
    const isWhole = type !== null && this.kind === Token.semicolon;
    const initializer = this.initializer(isWhole ? [replacement({ start, end: start + 3 }, "var")] : []);
    return make.letDecl(this.ids, start, this.previousEnd, name, type, initializer);
  }

  /** `let mut x = 1` declares what `var x = 1` does. */
  #letMut(start: number): LocalDecl {
    const place = { start, end: this.tokenSpan().end };
    const fixes = [replacement(place, "var")];
    this.report("foreign-keyword", place, { word: "let mut", expected: "‘var’" }, { fixes });
    return this.variableDecl(start, NO_ATTRIBUTES);
  }

  protected constDecl(): ConstDecl {
    const start = this.start;
    this.advance();
    const { name, type } = this.optionallyTypedIdent();
    const initializer = this.initializer();
    return make.constDecl(this.ids, start, this.previousEnd, NO_ATTRIBUTES, name, type, initializer);
  }

  // variable_updating_statement : assignment_statement | increment_statement | decrement_statement
  // assignment_statement :
  //   lhs_expression ( '=' | compound_assignment_operator ) expression
  // | '_' '=' expression
  // compound_assignment_operator :
  //   '+=' | '-=' | '*=' | '/=' | '%=' | '&=' | '|=' | '^=' | _shift_right_assign | _shift_left_assign
  // increment_statement : lhs_expression '++'
  // decrement_statement : lhs_expression '--'
  // func_call_statement : call_phrase
  protected variableUpdatingOrCallStatement(): Statement {
    const start = this.start;
    switch (this.kind) {
      case Token.underscore:
        return this.#phonyAssignment();
      case Token.plusPlus:
      case Token.minusMinus:
        return this.#prefixIncrement();
      case Token.identifier:
      case Token.reservedWord:
        if (isWord(this.peek(1)) && !this.isFirstOnLine(this.index + 1)) return this.#foreignStart();
        break;
      default:
        if (!canBeginOperand(this.kind)) {
          this.unexpected(SAY["a-statement"]);
          return this.errorStatement(start, this.previousEnd);
        }
    }
    const left = this.unaryExpression();
    if (this.panicking) return this.errorStatement(start, this.previousEnd);
    if (isAssignment(this.kind)) return this.#assignment(start, left);
    if (this.kind === Token.plusPlus || this.kind === Token.minusMinus) return this.#increment(start, left);
    // In parentheses it is no statement.
    if (left.kind === "call" && !left.isParenthesized && !isBinaryOperator(this.kind))
      return make.callStatement(this.ids, start, left.end, left);
    return this.#noUpdate(start, left);
  }

  #phonyAssignment(): Statement {
    const start = this.start;
    this.advance();
    this.expect(Token.equal);
    const value = this.panicking ? this.errorExpression(start, this.previousEnd) : this.expression();
    return make.phonyAssignStatement(this.ids, start, this.previousEnd, value);
  }

  #assignment(start: number, left: Expr): Statement {
    const operator = assignOperator(this.kind);
    const target = this.#target(start, left);
    this.advance();
    const right = this.expression();
    return make.assignStatement(this.ids, start, this.previousEnd, operator, target, right);
  }

  #increment(start: number, left: Expr): Statement {
    const operator = this.kind === Token.plusPlus ? "++" : "--";
    const target = this.#target(start, left);
    this.advance();
    return make.incrementStatement(this.ids, start, this.previousEnd, operator, target);
  }

  // lhs_expression :
  //   core_lhs_expression component_or_swizzle_specifier ?
  // | '*' lhs_expression
  // | '&' lhs_expression
  // core_lhs_expression :
  //   ident
  // | '(' lhs_expression ')'
  // | call_expression
  /** `left`, which was read as any operand, if it is of this form; the cursor is at the operator. */
  #target(start: number, left: Expr): Expr {
    let what: Phrase = SAY["a-calculation"];
    for (let target = left; ; ) {
      if (target.kind === "index" || target.kind === "member") target = target.object;
      else if (target.kind === "unary" && (target.operator === "*" || target.operator === "&")) target = target.operand;
      else {
        if (target.kind === "call" || target.kind === "error-expression") return left;
        if (target.kind === "identifier") {
          if (target.template === null) return left;
          what = SAY["a-type-name"];
        } else if (target.kind === "literal") what = SAY["a-literal"];
        break;
      }
    }
    const place = this.spanFrom(start);
    this.report("invalid-assignment-target", place, { what, operator: this.tokenText() });
    return this.errorExpression(place.start, place.end);
  }

  // ---------------------------------------------------------------- mistakes

  /** Stands for a statement without a body that could not be read; a message was given. */
  protected errorStatement(start: number, end: number): ErrorStatement {
    this.scoping.forgetMentions(start);
    return make.errorStatement(this.ids, start, end);
  }

  /** `++i` */
  #prefixIncrement(): Statement {
    const start = this.start;
    const operator = this.kind === Token.plusPlus ? "++" : "--";
    this.advance();
    const operandStart = this.start;
    const left = this.unaryExpression();
    const place = this.spanFrom(start);
    const expected = `${this.text.slice(operandStart, place.end)}${operator}`;
    if (!this.panicking) {
      const fixes = [replacement(place, expected)];
      this.report("prefix-increment", place, { operator, expected: quote(expected) }, { fixes });
    }
    return make.incrementStatement(this.ids, place.start, place.end, operator, left);
  }

  /** An operand that nothing is done with. */
  #noUpdate(start: number, left: Expr): Statement {
    const place = this.tokenSpan();
    const root = rootOf(left);
    // Of a reserved word it was told that it is one.
    if (root.kind === "error-expression" || (root.kind === "identifier" && root.text === ""))
      return this.errorStatement(start, this.previousEnd);
    if (this.kind === Token.equalEqual) {
      // `a === b`
      const isTriple = this.text[place.end] === "=";
      const fixes = [replacement(span(place.start, place.end + Number(isTriple)), "=")];
      this.report("comparison-as-statement", place, {}, { fixes });
      this.advance();
      if (isTriple) this.accept(Token.equal);
      const right = this.expression();
      return make.assignStatement(this.ids, start, this.previousEnd, null, left, right);
    }
    if (
      this.kind === Token.identifier &&
      left.kind === "identifier" &&
      !left.isParenthesized &&
      !this.isFirstOnLine()
    ) {
      return this.#cStyleDeclaration(left);
    }
    if (this.kind === Token.andAnd || this.kind === Token.orOr) {
      const operator = `${this.tokenText()}=`;
      const text = quote(this.text.slice(start, this.previousEnd));
      if (this.text.startsWith(operator, this.start)) {
        const expected = `‘${text} = ${text} ${this.tokenText()} …’`;
        this.fail("no-operator", span(this.start, this.start + operator.length), { operator, expected });
        return this.errorStatement(start, this.previousEnd);
      }
    }
    const isOperator = isBinaryOperator(this.kind);
    const ends = this.kind === Token.semicolon || this.kind === Token.braceRight || this.isFirstOnLine();
    if (isOperator || ends) {
      const whole = this.spanFrom(start);
      // `workgroupBarrier;`
      const isName = left.kind === "identifier" && this.kind === Token.semicolon;
      const extras = isName
        ? { notes: [note("with-parentheses", whole, { name: left.text })] }
        : this.#returnInstead(start);
      this.fail("expression-as-statement", whole, {}, extras);
    } else {
      this.unexpected("‘=’");
    }
    return this.errorStatement(start, this.previousEnd);
  }

  /** The last expression of a block, without a `;`, as Rust returns values. */
  #returnInstead(start: number): DiagnosticExtras {
    for (let distance = 0; distance < LONGEST_EXPRESSION; distance++) {
      const kind = this.peek(distance);
      if (kind === Token.semicolon || kind === Token.braceLeft || kind === Token.end) return {};
      if (kind !== Token.braceRight) continue;
      const { end } = this.tokenSpan(this.index + distance - 1);
      const text = quote(this.text.slice(start, end));
      const edits = [
        { span: span(start, start), text: "return " },
        { span: span(end, end), text: ";" },
      ];
      const notes = [note("return-it", span(start, end), { text })];
      return { notes, fixes: [fix("replace-with", { text: `return ${text};` }, edits)] };
    }
    return {};
  }

  /** Two words in a row begin no statement of WGSL. */
  #foreignStart(): Statement {
    const start = this.start;
    const word = this.tokenText();
    const expected = foreignKeyword(word);
    if (/^(?:auto|val|local)$/.test(word) && this.peek(1) === Token.identifier && this.peek(2) === Token.equal) {
      this.acceptForeignKeyword();
      // What it declares may be changed further down.
      const name = this.ident();
      const initializer = this.initializer();
      return this.declare(
        make.varDecl(this.ids, start, this.previousEnd, NO_ATTRIBUTES, null, name, null, initializer),
      );
    }
    if (expected !== null) {
      const place = this.tokenSpan();
      this.fail("foreign-keyword", place, { word, expected });
      if (!isWord(this.peek(2))) return this.errorStatement(place.start, place.end);
      // `shared float x;`: its uses are not to be told one by one.
      this.advance();
      this.advance();
      const name = this.ident();
      return this.declare(
        make.varDecl(this.ids, place.start, place.end, NO_ATTRIBUTES, null, name, this.unknownType(), null),
      );
    }
    const near = nearestName(word, STATEMENT_WORDS);
    if (near !== null) {
      this.fail("foreign-keyword", this.tokenSpan(), { word, expected: `‘${near}’` });
      return this.errorStatement(start, this.tokenSpan().end);
    }
    const behind = this.peek(2);
    if (!looksLikeType(word) && this.#isTargetGoingOn(behind)) {
      this.advance();
      this.unexpected("‘=’");
      return this.errorStatement(start, this.previousEnd);
    }
    const isValue =
      behind === Token.parenLeft ||
      behind === Token.templateArgsStart ||
      behind === Token.period ||
      isBinaryOperator(behind);
    const type = this.templateElaboratedIdent(SAY["a-type"]);
    if (isValue && this.kind === Token.identifier && !looksLikeType(word)) return this.#withoutEqual(type);
    if (this.kind === Token.identifier && !this.panicking) return this.#cStyleDeclaration(type);
    this.unexpected("‘=’");
    return this.errorStatement(start, this.previousEnd);
  }

  /** `a i] = 1`, `p x += 1`, `p x.y = 1`, `f x, 1);`: something lacks between two names, and they declare nothing. */
  #isTargetGoingOn(behind: number): boolean {
    const next = behind === Token.bracketLeft ? this.#kindBehindBrackets() : behind;
    if (next === Token.period || isBinaryOperator(next) || (isAssignment(next) && next !== Token.equal)) return true;
    return this.balance(Token.bracketLeft, Token.bracketRight) < 0 || this.lacksParenthesis;
  }

  /** Of what follows the brackets two tokens ahead. */
  #kindBehindBrackets(): number {
    return this.peek(this.behindBalanced(2, Token.bracketLeft, Token.bracketRight, LONGEST_EXPRESSION));
  }

  /** `x f(1);`, read as `x = f(1);` */
  #withoutEqual(target: Expr): Statement {
    const { start } = this;
    this.unexpected("‘=’", { fixes: [insertion(start, "=", "= ")] });
    this.panicking = false;
    const right = this.expression();
    return make.assignStatement(this.ids, target.start, this.previousEnd, null, target, right);
  }

  /** `uint x = 1;` */
  #cStyleDeclaration(written: IdentifierExpr): Statement {
    const name = this.ident();
    const type = this.typeBeforeName(written, name, "var ");
    const initializer = this.accept(Token.equal) ? this.expression() : null;
    return this.declare(
      make.varDecl(this.ids, written.start, this.previousEnd, NO_ATTRIBUTES, null, name, type, initializer),
    );
  }
}

/** What components and elements are taken of. */
function rootOf(expression: Expr): Expr {
  while (expression.kind === "member" || expression.kind === "index") expression = expression.object;
  return expression;
}
