/** Statements. spec: #statements */

import { insertion, note } from "../diagnostics/diagnostic.ts";
import { listOf } from "../text/list.ts";
import { span } from "../text/source.ts";
import {
  type Attribute,
  type CompoundStatement,
  ContinuingBlock,
  DefaultSelector,
  type Expr,
  type GlobalDecl,
  type IfStatement,
  type LoopStatement,
  type Statement,
  SwitchClause,
} from "./ast.ts";
import * as make from "./make-statement.ts";
import { NO_ATTRIBUTES } from "./parser-attributes.ts";
import { BraceParser } from "./parser-braces.ts";
import { SAY } from "./phrases.ts";
import { canBeginOperand, isKeyword, isWord, Token } from "./tokens.ts";

/** spec: #limits. The body of the function is the first level. */
const DEEPEST_NESTING = 127;

/** `else if` one within the other: each is a node within the one before. Later passes recurse over them. */
const MOST_LINKS = 512;

/** What can end a list of statements besides the brace: in a loop body `continuing`, in a continuing block `break if`. */
type BlockKind = "plain" | "loop" | "continuing" | "case";

export abstract class StatementParser extends BraceParser {
  /** The body at hand ended where the text or the next declaration made clear that its brace is missing. */
  #isAbandoned = false;
  /** Blocks that were left without their brace so far; it may follow later. */
  protected unclosedBlocks = 0;
  #depth = 0;
  /** Clauses `else if` that the statement at hand is part of. */
  #links = 0;
  /** Indentation of the function at hand: a declaration that stands no further right is not part of it. */
  #functionIndentation = 0;

  /** A declaration at module scope; here for what stands in a function by mistake. */
  protected abstract globalDeclaration(): GlobalDecl;

  /** The body of a function whose first token starts at `start`. */
  protected functionBody(start: number): CompoundStatement {
    const outer = this.#functionIndentation;
    this.#functionIndentation = this.indentation(start);
    this.beginBraces();
    if (this.panicking) this.skipToBody(true);
    const attributes = this.statementAttributes();
    let body: CompoundStatement;
    if (this.kind === Token.braceLeft) body = this.compoundStatement(attributes);
    else {
      const isBody = !this.panicking && this.#beginsBody();
      const end = this.previousEnd;
      const fixes = isBody ? [insertion(end, "{", " {")] : [];
      this.unexpected(SAY["a-body"], { fixes });
      body = isBody ? this.#bodyWithoutBrace(attributes) : this.emptyBody(attributes);
    }
    this.#functionIndentation = outer;
    if (this.#depth === 0) this.#isAbandoned = false;
    return body;
  }

  /** A statement on a line of its own, further right than the function: only the brace before it lacks. */
  #beginsBody(): boolean {
    if (canBeginOperand(this.kind) && this.hasSpareBrace()) return true;
    if (!this.isFirstOnLine() || this.indentation(this.start) <= this.#functionIndentation) return false;
    switch (this.kind) {
      case Token.fn:
      case Token.struct:
      case Token.alias:
      case Token.override:
        return false;
      default:
        return this.kind === Token.identifier || this.#beginsStatement();
    }
  }

  #bodyWithoutBrace(attributes: readonly Attribute[]): CompoundStatement {
    const { start, index } = this;
    this.panicking = false;
    if (!this.#enterBlock()) return this.emptyBody(attributes);
    const statements = this.#statements("plain");
    this.#leaveBlock(index);
    return make.compoundStatement(this.ids, start, this.previousEnd, attributes, statements);
  }

  // statement :
  //   ';'
  // | return_statement ';'
  // | if_statement
  // | switch_statement
  // | loop_statement
  // | for_statement
  // | while_statement
  // | func_call_statement ';'
  // | variable_or_value_statement ';'
  // | break_statement ';'
  // | continue_statement ';'
  // | 'discard' ';'
  // | variable_updating_statement ';'
  // | compound_statement
  // | assert_statement ';'
  protected statement(): Statement {
    const first = this.index;
    const statement = this.#statement();
    if (this.panicking && !this.#isAbandoned) this.#recover(first);
    return statement;
  }

  #statement(): Statement {
    switch (this.kind) {
      case Token.semicolon: {
        const place = this.tokenSpan();
        this.advance();
        return make.emptyStatement(this.ids, place.start, place.end);
      }
      case Token.attr:
        return this.#attributedStatement();
      case Token.braceLeft:
      case Token.if:
      case Token.switch:
      case Token.loop:
      case Token.for:
      case Token.while:
        return this.#blockStatement(NO_ATTRIBUTES);
      case Token.break:
        if (this.peek(1) === Token.if) return this.#misplacedBreakIf();
        return this.#terminated(this.simpleStatement());
      case Token.fn:
      case Token.struct:
      case Token.alias:
      case Token.override: {
        const start = this.start;
        const told = this.scoping.length;
        this.report("misplaced-declaration", this.tokenSpan(), { keyword: this.tokenText() });
        this.globalDeclaration();
        this.scoping.forget(told);
        return make.errorStatement(this.ids, start, this.previousEnd);
      }
      case Token.continuing:
        return this.#misplacedContinuing();
      case Token.bracketLeft:
        if (this.passStatementHint()) return this.#statement();
        return this.#terminated(this.simpleStatement());
      case Token.parenLeft:
        if (this.#isForHeader()) return this.#forWithoutKeyword();
        return this.#terminated(this.simpleStatement());
      case Token.else:
        this.report("misplaced-clause", this.tokenSpan(), { keyword: "else", place: SAY["after-if"] });
        this.advance();
        return this.kind === Token.if ? this.ifStatement(NO_ATTRIBUTES) : this.block("else");
      case Token.case:
      case Token.default:
        this.fail("misplaced-clause", this.tokenSpan(), { keyword: this.tokenText(), place: SAY["in-switch"] });
        return this.errorStatement(this.start, this.tokenSpan().end);
      default:
        return this.#foreignStatement() ?? this.#terminated(this.simpleStatement());
    }
  }

  #terminated(statement: Statement): Statement {
    this.semicolon();
    return statement;
  }

  #attributedStatement(): Statement {
    const first = this.index;
    const attributes = this.statementAttributes();
    if (this.panicking) return this.errorStatement(this.tokenSpan(first).start, this.previousEnd);
    if (this.#isBlockStatement()) return this.#blockStatement(attributes);
    const isEnd = this.kind === Token.braceRight || this.kind === Token.end;
    this.refuseAttributes(attributes, isEnd ? this.found() : SAY["this-statement"]);
    if (isEnd) return this.errorStatement(attributes[0].start, this.previousEnd);
    return this.#statement();
  }

  #isBlockStatement(): boolean {
    switch (this.kind) {
      case Token.braceLeft:
      case Token.if:
      case Token.switch:
      case Token.loop:
      case Token.for:
      case Token.while:
        return true;
      default:
        return false;
    }
  }

  #blockStatement(attributes: readonly Attribute[]): Statement {
    switch (this.kind) {
      case Token.if:
        return this.ifStatement(attributes);
      case Token.switch:
        return this.switchStatement(attributes);
      case Token.loop:
        return this.loopStatement(attributes);
      case Token.for:
        return this.forStatement(attributes);
      case Token.while:
        return this.whileStatement(attributes);
      default: {
        this.scoping.open();
        const statement = this.compoundStatement(attributes);
        this.scoping.close();
        return statement;
      }
    }
  }

  // ---------------------------------------------------------------- blocks

  // compound_statement : attribute * '{' statement * '}'
  protected compoundStatement(attributes: readonly Attribute[]): CompoundStatement {
    const start = this.#startOf(attributes);
    const opening = this.index;
    if (!this.#enterBlock()) return this.emptyBody(attributes);
    this.advance();
    const statements = this.#statements("plain");
    this.#leaveBlock(opening);
    return make.compoundStatement(this.ids, start, this.previousEnd, attributes, statements);
  }

  #startOf(attributes: readonly Attribute[]): number {
    return attributes.length > 0 ? attributes[0].start : this.start;
  }

  /** False, and the block is passed over, where blocks nest too deep. */
  #enterBlock(): boolean {
    if (this.#depth < DEEPEST_NESTING) {
      this.#depth++;
      return true;
    }
    const what = SAY.statements;
    this.report("nesting-too-deep", this.tokenSpan(), { what, limit: DEEPEST_NESTING });
    this.skipBalanced();
    if (this.kind === Token.end) this.#isAbandoned = true;
    return false;
  }

  #leaveBlock(opening: number): void {
    this.#depth--;
    this.#closeBlock(opening);
  }

  #closeBlock(opening: number): void {
    if (!this.#isAbandoned) {
      const isLost = this.kind !== Token.braceRight && !this.panicking;
      this.close(Token.braceRight, isLost ? this.braceLeftOpen(opening) : opening);
      if (this.panicking) this.#isAbandoned = true;
    }
    if (this.#isAbandoned) this.unclosedBlocks++;
  }

  #statements(block: BlockKind): Statement[] {
    const base = this.beginList();
    while (!this.#isEndOfBlock(block)) this.addItem(this.statement());
    return this.endList(base);
  }

  #isEndOfBlock(block: BlockKind): boolean {
    switch (this.kind) {
      case Token.braceRight:
      case Token.end:
        return true;
      case Token.continuing:
        return this.#isAbandoned || block === "loop";
      case Token.break:
        return this.#isAbandoned || (block === "continuing" && this.peek(1) === Token.if);
      case Token.case:
      case Token.default:
        return this.#isAbandoned || block === "case";
      case Token.fn:
      case Token.struct:
      case Token.alias:
      case Token.override:
        return this.#isAbandoned || this.#isOutsideFunction();
      case Token.attr: {
        if (this.#isAbandoned) return true;
        const next = this.#isOutsideFunction() ? this.kindAfterAttributes() : Token.end;
        return next === Token.fn || next === Token.override || next === Token.var;
      }
      default:
        return this.#isAbandoned;
    }
  }

  #isOutsideFunction(): boolean {
    return this.isFirstOnLine() && this.indentation(this.start) <= this.#functionIndentation;
  }

  protected emptyBody(attributes: readonly Attribute[]): CompoundStatement {
    return make.compoundStatement(this.ids, this.previousEnd, this.previousEnd, attributes, []);
  }

  /** The compound statement that belongs to `keyword`, and is a scope of its own. */
  protected block(keyword: string): CompoundStatement {
    this.scoping.open();
    const body = this.body(keyword);
    this.scoping.close();
    return body;
  }

  /** The same in a scope that has begun before. */
  protected body(keyword: string): CompoundStatement {
    if (this.panicking) this.skipToBody(keyword === "for");
    const attributes = this.statementAttributes();
    if (this.kind === Token.braceLeft) return this.compoundStatement(attributes);
    if (this.panicking) return this.emptyBody(attributes);
    return this.#bodyWithoutBraces(keyword, attributes);
  }

  /** `if (x) return;` */
  #bodyWithoutBraces(keyword: string, attributes: readonly Attribute[]): CompoundStatement {
    if (this.kind === Token.parenRight) return this.#bodyBehindParenthesis(keyword);
    if (this.kind === Token.end || this.kind === Token.braceRight || this.kind === Token.invalid) {
      this.unexpected(SAY["a-body"]);
      return this.emptyBody(attributes);
    }
    if (this.isConditionGoingOn()) {
      this.unexpected(SAY["a-body"]);
      return this.body(keyword);
    }
    const { start, lineIndentation, previousEnd } = this;
    const place = this.tokenSpan();
    const args = { keyword, found: this.found() };
    if (!this.#enterBlock()) {
      this.report("missing-braces", place, args);
      return this.emptyBody(attributes);
    }
    const statements = [this.statement()];
    const goesOn = this.#isInBodyOf(lineIndentation);
    const fixes = goesOn ? [insertion(previousEnd, "{", " {")] : this.bracesAround(previousEnd);
    this.report("missing-braces", place, args, { fixes });
    if (goesOn) this.#restOfBody(statements);
    this.#depth--;
    return make.compoundStatement(this.ids, start, this.previousEnd, attributes, statements);
  }

  /** `if x > 0) {`: the body of what the parenthesis would close. */
  #bodyBehindParenthesis(keyword: string): CompoundStatement {
    const before = this.conditionStart();
    const fixes = before === null ? [] : [insertion(before, "(")];
    this.report("unmatched-bracket", this.tokenSpan(), { bracket: ")", expected: "‘{’" }, { fixes });
    this.panicking = true;
    this.advance();
    return this.body(keyword);
  }

  /** Whether the statement at the cursor still belongs to the body of which the opening brace lacks. */
  #isInBodyOf(indentation: number): boolean {
    if (this.#isAbandoned || this.kind === Token.end || !this.hasSpareBrace()) return false;
    if (!this.isFirstOnLine()) return true;
    const own = this.indentation(this.start);
    return this.kind === Token.braceRight ? own >= indentation : own > indentation;
  }

  /** To the brace that ends the body. */
  #restOfBody(statements: Statement[]): void {
    while (!this.#isEndOfBlock("plain")) statements.push(this.statement());
    if (this.accept(Token.braceRight)) this.spendBrace();
  }

  // ---------------------------------------------------------------- control flow

  // if_statement : attribute * if_clause else_if_clause * else_clause ?
  // if_clause : 'if' expression compound_statement
  // else_if_clause : 'else' 'if' expression compound_statement
  // else_clause : 'else' compound_statement
  protected ifStatement(attributes: readonly Attribute[]): Statement {
    let clauses = 0;
    let otherwise: CompoundStatement | IfStatement | null = null;
    let start = this.#startOf(attributes);
    // A chain may be long: it is read in a loop and put together from its end.
    const outerLinks = this.#links;
    do {
      this.advance();
      const told = this.scoping.length;
      const condition = this.expression();
      const body = this.block("if");
      if (this.#links <= MOST_LINKS) {
        clauses++;
        this.addItem(start);
        this.addItem(condition);
        this.addItem(body);
      } else this.scoping.forget(told);
      if (this.panicking || !this.accept(Token.else)) break;
      start = this.start;
      if (this.kind !== Token.if) otherwise = this.block("else");
      else if (++this.#links === MOST_LINKS + 1) {
        const what = SAY["else-ifs"];
        this.report("nesting-too-deep", this.tokenSpan(), { what, limit: MOST_LINKS });
      }
    } while (otherwise === null);
    this.#links = outerLinks;
    while (clauses-- > 0) {
      const body = this.takeItem<CompoundStatement>();
      const condition = this.takeItem<Expr>();
      const from = this.takeItem<number>();
      const own = clauses === 0 ? attributes : NO_ATTRIBUTES;
      otherwise = make.ifStatement(this.ids, from, this.previousEnd, own, condition, body, otherwise);
    }
    return otherwise as Statement;
  }

  // switch_statement : attribute * 'switch' expression switch_body
  // switch_body : attribute * '{' switch_clause + '}'
  // That there is a clause, namely for `default`, is a rule of analysis.
  protected switchStatement(attributes: readonly Attribute[]): Statement {
    const start = this.#startOf(attributes);
    this.advance();
    const selector = this.expression();
    if (this.panicking) this.skipToBody(false);
    const bodyAttributes = this.statementAttributes();
    const opening = this.index;
    const base = this.beginList();
    if (this.#openSwitch()) {
      while (!this.#isEndOfSwitch()) this.switchClause();
      this.#closeBlock(opening);
    }
    return make.switchStatement(
      this.ids,
      start,
      this.previousEnd,
      attributes,
      selector,
      bodyAttributes,
      this.endList(base),
    );
  }

  /** The brace before the first clause; where only that lacks, the clauses are read. */
  #openSwitch(): boolean {
    if (this.accept(Token.braceLeft)) return true;
    const isClause = (this.kind === Token.case || this.kind === Token.default) && this.hasSpareBrace();
    const fixes = isClause ? [insertion(this.previousEnd, "{", " {")] : [];
    this.unexpected("‘{’", { fixes });
    if (!isClause) return false;
    this.panicking = false;
    this.spendBrace();
    return true;
  }

  #isEndOfSwitch(): boolean {
    return (
      this.#isAbandoned || this.kind === Token.braceRight || this.kind === Token.end || this.#isEndOfBlock("plain")
    );
  }

  // switch_clause : case_clause | default_alone_clause
  // case_clause : 'case' case_selectors ':' ? compound_statement
  // default_alone_clause : 'default' ':' ? compound_statement
  /** One more item of the list at hand, where it can be read. */
  protected switchClause(): void {
    const start = this.start;
    let selectors: (Expr | DefaultSelector)[];
    if (this.kind === Token.default) selectors = listOf(this.#defaultSelector());
    else if (this.accept(Token.case)) selectors = this.caseSelectors();
    else {
      this.unexpected(SAY["a-clause"]);
      this.#skipToClause();
      return;
    }
    this.accept(Token.colon);
    this.scoping.open();
    const body = this.#clauseBody();
    this.scoping.close();
    this.addItem(new SwitchClause(this.ids, start, this.previousEnd, selectors, body));
  }

  // case_selectors : case_selector ( ',' case_selector ) * ',' ?
  // case_selector : 'default' | expression
  protected caseSelectors(): (Expr | DefaultSelector)[] {
    const base = this.beginList();
    do {
      this.addItem(this.kind === Token.default ? this.#defaultSelector() : this.expression());
    } while (!this.panicking && this.accept(Token.comma) && !this.#isEndOfSelectors());
    return this.endList(base);
  }

  #isEndOfSelectors(): boolean {
    return this.kind === Token.colon || this.kind === Token.braceLeft || this.kind === Token.attr;
  }

  #defaultSelector(): DefaultSelector {
    const place = this.tokenSpan();
    this.advance();
    return new DefaultSelector(this.ids, place.start, place.end);
  }

  /** A clause without braces goes on to the next clause, as in C. */
  #clauseBody(): CompoundStatement {
    if (this.panicking) this.skipToBody(false);
    const attributes = this.statementAttributes();
    if (this.kind === Token.braceLeft) return this.compoundStatement(attributes);
    if (this.panicking) {
      this.#skipToClause();
      return this.emptyBody(attributes);
    }
    if (this.kind === Token.end) {
      this.unexpected(SAY["a-body"]);
      return this.emptyBody(attributes);
    }
    const start = this.start;
    const isClause = this.kind === Token.case || this.kind === Token.default;
    const notes = isClause ? [note("values-in-one-case", this.tokenSpan(), {})] : [];
    const { previousEnd } = this;
    const place = this.tokenSpan();
    const args = { keyword: "case", found: this.found() };
    if (!this.#enterBlock()) {
      this.report("missing-braces", place, args, { notes });
      return this.emptyBody(attributes);
    }
    const statements = this.#statements("case");
    const isLost = this.panicking;
    this.panicking = false;
    const fixes = isClause || this.#isAbandoned ? [] : this.bracesAround(previousEnd);
    this.report("missing-braces", place, args, { notes, fixes });
    this.panicking = isLost;
    if (this.kind === Token.braceRight && !this.#isAbandoned && this.hasSpareBrace()) {
      this.advance();
      this.spendBrace();
    }
    this.#depth--;
    return make.compoundStatement(this.ids, start, this.previousEnd, attributes, statements);
  }

  // loop_statement : attribute * 'loop' attribute * '{' statement * continuing_statement ? '}'
  protected loopStatement(attributes: readonly Attribute[]): Statement {
    const start = this.#startOf(attributes);
    this.advance();
    this.scoping.openLoop();
    const { body, continuing } = this.#loopBody();
    this.scoping.close();
    return make.loopStatement(this.ids, start, this.previousEnd, attributes, body, continuing);
  }

  #loopBody(): Pick<LoopStatement, "body" | "continuing"> {
    const bodyAttributes = this.statementAttributes();
    const bodyStart = this.#startOf(bodyAttributes);
    const lacksBrace = this.kind !== Token.braceLeft;
    const isKnown = this.isFirstOnLine() && this.kind !== Token.braceRight && !this.panicking;
    if (this.panicking || (lacksBrace && !(isKnown && this.hasSpareBrace()))) {
      return { body: this.body("loop"), continuing: null };
    }
    if (lacksBrace) {
      const fixes = [insertion(this.previousEnd, "{", " {")];
      this.report("missing-braces", this.tokenSpan(), { keyword: "loop", found: this.found() }, { fixes });
      this.spendBrace();
    }
    const opening = this.index;
    if (!this.#enterBlock()) return { body: this.emptyBody(bodyAttributes), continuing: null };
    if (!lacksBrace) this.advance();
    const statements = this.#statements("loop");
    let continuing: ContinuingBlock | null = null;
    while (this.kind === Token.continuing && !this.#isAbandoned) {
      const keyword = this.tokenSpan();
      const told = this.scoping.length;
      this.scoping.openContinuing();
      const block = this.continuingStatement();
      this.scoping.close();
      if (continuing === null) continuing = block;
      else this.scoping.forget(told);
      const rest = this.#statements("loop");
      if (rest.length > 0 || this.kind === Token.continuing) this.report("misplaced-continuing", keyword, {});
      for (const statement of rest) statements.push(statement);
    }
    this.#leaveBlock(opening);
    return {
      body: make.compoundStatement(this.ids, bodyStart, this.previousEnd, bodyAttributes, statements),
      continuing,
    };
  }

  // continuing_statement : 'continuing' continuing_compound_statement
  // continuing_compound_statement : attribute * '{' statement * break_if_statement ? '}'
  /** `isPlain`: of a `break if` nothing is kept. */
  protected continuingStatement(isPlain = false): ContinuingBlock {
    const start = this.start;
    this.advance();
    const attributes = this.statementAttributes();
    const opening = this.index;
    const bodyStart = this.#startOf(attributes);
    if (this.kind !== Token.braceLeft || this.panicking) {
      const body = this.body("continuing");
      return new ContinuingBlock(this.ids, start, this.previousEnd, body, null);
    }
    if (!this.#enterBlock())
      return new ContinuingBlock(this.ids, start, this.previousEnd, this.emptyBody(attributes), null);
    this.advance();
    const statements = this.#statements("continuing");
    let breakIf: Expr | null = null;
    while (this.kind === Token.break && !this.#isAbandoned) {
      const keyword = this.tokenSpan();
      const condition = this.breakIfStatement();
      if (breakIf === null && !isPlain) breakIf = condition;
      else this.scoping.forgetMentions(condition.start);
      const rest = this.#statements("continuing");
      if (rest.length > 0 || this.kind === Token.break) this.report("misplaced-break-if", keyword, {});
      for (const statement of rest) statements.push(statement);
    }
    this.#leaveBlock(opening);
    const body = make.compoundStatement(this.ids, bodyStart, this.previousEnd, attributes, statements);
    return new ContinuingBlock(this.ids, start, this.previousEnd, body, breakIf);
  }

  // break_if_statement : 'break' 'if' expression ';'
  protected breakIfStatement(): Expr {
    const first = this.index;
    this.advance();
    this.advance();
    const condition = this.expression();
    this.semicolon();
    if (this.panicking) this.#recover(first);
    return condition;
  }

  /** Read as the `if … { break; }` that was meant. */
  #misplacedBreakIf(): Statement {
    const start = this.start;
    this.report("misplaced-break-if", span(start, this.tokenSpan(this.index + 1).end), {});
    const condition = this.breakIfStatement();
    const place = this.spanFrom(start);
    const body = make.compoundStatement(this.ids, place.start, place.end, NO_ATTRIBUTES, [
      make.breakStatement(this.ids, place.start, place.end),
    ]);
    return make.ifStatement(this.ids, place.start, place.end, NO_ATTRIBUTES, condition, body, null);
  }

  // for_statement : attribute * 'for' '(' for_header ')' compound_statement
  // for_header : for_init ? ';' expression ? ';' for_update ?
  // for_init : variable_or_value_statement | variable_updating_statement | func_call_statement
  // for_update : variable_updating_statement | func_call_statement
  protected forStatement(attributes: readonly Attribute[]): Statement {
    const start = this.#startOf(attributes);
    this.advance();
    this.scoping.openLoop();
    const isForeign = this.kind === Token.identifier || this.#isForeignHeader();
    const statement = isForeign ? this.#forEach(start, attributes) : this.#forStatement(start, attributes);
    this.scoping.close();
    return statement;
  }

  #forStatement(start: number, attributes: readonly Attribute[]): Statement {
    const opening = this.index;
    this.expect(Token.parenLeft);
    const initializer = this.kind === Token.semicolon || this.panicking ? null : this.#forInit();
    if (this.kind === Token.comma && initializer !== null) {
      this.fail("several-names", this.tokenSpan(), { keyword: "var" });
    }
    this.expect(Token.semicolon);
    const condition = this.kind === Token.semicolon || this.panicking ? null : this.expression();
    this.expect(Token.semicolon);
    const update = this.kind === Token.parenRight || this.panicking ? null : this.#forUpdate();
    this.close(Token.parenRight, opening);
    const body = this.body("for");
    return make.forStatement(this.ids, start, this.previousEnd, attributes, initializer, condition, update, body);
  }

  #isForHeader(): boolean {
    const next = this.peek(1);
    return (next === Token.var || next === Token.let || next === Token.const) && !this.isFirstOnLine(this.index + 1);
  }

  /** `(var i = 0; i < 4; i++) {` */
  #forWithoutKeyword(): Statement {
    const { start } = this;
    this.unexpected("‘for’", { fixes: [insertion(start, "for ")] });
    this.panicking = false;
    this.scoping.openLoop();
    const statement = this.#forStatement(start, NO_ATTRIBUTES);
    this.scoping.close();
    return statement;
  }

  /** `(i in` and `(let i of` begin a loop over something, elsewhere. */
  #isForeignHeader(): boolean {
    const distance = this.peek(1) === Token.identifier ? 2 : 3;
    return isWord(this.peek(distance)) && /^(?:in|of)$/.test(this.tokenText(this.index + distance));
  }

  /** `for i in 0..4 {`: its variable is known in its body. */
  #forEach(start: number, attributes: readonly Attribute[]): Statement {
    this.report("unexpected-token", this.tokenSpan(), { expected: SAY["counting-loop"], found: this.found() });
    while (this.kind === Token.parenLeft || isKeyword(this.kind)) this.advance();
    const name = this.ident();
    const place = this.spanFrom(start);
    const { ids } = this;
    const type = this.unknownType();
    const variable = this.declare(make.varDecl(ids, place.start, place.end, NO_ATTRIBUTES, null, name, type, null));
    const condition = this.errorExpression(place.start, place.end);
    this.panicking = true;
    const body = this.body("for");
    return make.forStatement(ids, start, this.previousEnd, attributes, variable, condition, null, body);
  }

  #forInit(): Statement {
    switch (this.kind) {
      case Token.var:
      case Token.let:
      case Token.const:
        return this.variableOrValueStatement();
      default:
        return this.#forUpdate();
    }
  }

  #forUpdate(): Statement {
    return this.variableUpdatingOrCallStatement();
  }

  // while_statement : attribute * 'while' expression compound_statement
  protected whileStatement(attributes: readonly Attribute[]): Statement {
    const start = this.#startOf(attributes);
    this.advance();
    const condition = this.expression();
    this.scoping.openLoop();
    const body = this.body("while");
    this.scoping.close();
    return make.whileStatement(this.ids, start, this.previousEnd, attributes, condition, body);
  }

  // ---------------------------------------------------------------- mistakes

  /** Read as a block. */
  #misplacedContinuing(): Statement {
    this.report("misplaced-continuing", this.tokenSpan(), {});
    this.scoping.open();
    const { body } = this.continuingStatement(true);
    this.scoping.close();
    return body;
  }

  /** Statements of other languages that have a body; null if there is none at the cursor. */
  #foreignStatement(): Statement | null {
    if (this.kind === Token.reservedWord) {
      if (this.tokenText() === "match" && isWord(this.peek(1))) return this.#match();
      if (this.tokenText() === "fallthrough") return this.#fallthrough();
    } else if (this.kind !== Token.identifier) return null;
    return this.#isForeignBlock() ? this.#foreignBlock() : null;
  }

  #foreignBlock(): Statement | null {
    const start = this.start;
    const word = this.tokenText();
    const isDo = word === "do" || word === "repeat";
    if (!this.acceptForeignKeyword()) return null;
    if (/^(?:el|un)/.test(word)) this.scoping.forgetMentions(this.expression().start);
    else this.panicking = !isDo;
    const body = this.block("loop");
    if (!isDo || !this.accept(Token.while)) return body;
    this.scoping.forgetMentions(this.expression().start);
    return this.#terminated(make.loopStatement(this.ids, start, this.previousEnd, NO_ATTRIBUTES, body, null));
  }

  /** `match x { … }`: passed as a whole. */
  #match(): Statement {
    const { start } = this;
    this.acceptForeignKeyword();
    while (this.kind !== Token.braceLeft && this.kind !== Token.semicolon && this.kind !== Token.end) this.advance();
    if (this.kind === Token.braceLeft) this.skipBalanced();
    return this.errorStatement(start, this.previousEnd);
  }

  /** `fallthrough;`, which WGSL had once. */
  #fallthrough(): Statement {
    const { start } = this;
    this.acceptForeignKeyword();
    this.accept(Token.semicolon);
    return this.errorStatement(start, this.previousEnd);
  }

  /** `do {`, `elif (x) {`: a word, maybe something in parentheses, and a brace. */
  #isForeignBlock(): boolean {
    const FARTHEST = 64;
    const isFollowed = this.peek(1) === Token.parenLeft;
    const behind = isFollowed ? this.behindBalanced(1, Token.parenLeft, Token.parenRight, FARTHEST) : 1;
    return this.peek(behind) === Token.braceLeft;
  }

  // ---------------------------------------------------------------- recovery

  /** Goes on behind the statement that began at the token `first`. */
  #recover(first: number): void {
    this.#skipStatement(first);
    this.endPanic();
  }

  #skipStatement(first: number): void {
    let depth = this.openBrackets(first);
    // What could not be read is left behind: a list in braces, or the first token.
    if (this.kind === Token.braceLeft) this.skipBalanced();
    else if (this.index === first && this.kind !== Token.braceRight) this.advance();
    for (;;) {
      switch (this.kind) {
        case Token.semicolon:
          this.advance();
          return;
        case Token.end:
          this.#isAbandoned = true;
          return;
        case Token.braceRight:
          return;
        case Token.braceLeft:
          if (depth === 0) return;
          this.skipBalanced();
          continue;
      }
      if (this.isOpening()) depth++;
      else if (this.isClosing() && depth > 0) depth--;
      else if (this.#beginsStatement() && this.isFirstOnLine()) return;
      this.advance();
    }
  }

  #beginsStatement(): boolean {
    switch (this.kind) {
      case Token.break:
      case Token.const:
      case Token.constAssert:
      case Token.continue:
      case Token.discard:
      case Token.let:
      case Token.return:
      case Token.var:
      case Token.fn:
      case Token.struct:
      case Token.alias:
      case Token.override:
        return true;
      default:
        return this.kind !== Token.braceLeft && this.#isBlockStatement();
    }
  }

  /** Goes on at the brace of a body whose header could not be read, if it can be found. */
  protected skipToBody(mayPassSemicolons: boolean): void {
    while (this.kind !== Token.end && this.kind !== Token.braceRight) {
      if (this.kind === Token.braceLeft) {
        this.endPanic();
        return;
      }
      if (this.kind === Token.semicolon && !mayPassSemicolons) return;
      if (this.#beginsStatement() && this.isFirstOnLine()) return;
      this.advance();
    }
  }

  #skipToClause(): void {
    this.#passToClause();
    this.endPanic();
  }

  #passToClause(): void {
    for (;;) {
      switch (this.kind) {
        case Token.case:
        case Token.default:
        case Token.braceRight:
          return;
        case Token.end:
          this.#isAbandoned = true;
          return;
      }
      if (this.isOpening()) this.skipBalanced();
      else this.advance();
    }
  }
}
