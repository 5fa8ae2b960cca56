/** Modules: directives and declarations. spec: #wgsl-module, #directives, #declaration-and-scope */

import { type Diagnostic, fix, insertion, type MessageValue, removal, replacement } from "../diagnostics/diagnostic.ts";
import { listOf, pushAll } from "../text/list.ts";
import { nearestName } from "../text/nearest.ts";
import { type Source, span } from "../text/source.ts";
import {
  Attribute,
  DiagnosticDirective,
  type Directive,
  EnableDirective,
  type GlobalDecl,
  type IdentifierExpr,
  isNamed,
  type Module,
  Name,
  type Param,
  RequiresDirective,
  StructMember,
} from "./ast.ts";
import { looksLikeType, namesDefined, typeInWgsl } from "./foreign.ts";
import { lex, type Tokens } from "./lexer.ts";
import * as make from "./make-statement.ts";
import { NO_ATTRIBUTES } from "./parser-attributes.ts";
import { type Broken, quote } from "./parser-base.ts";
import { ForeignParser } from "./parser-foreign.ts";
import { SAY } from "./phrases.ts";
import { Reporter } from "./reporter.ts";
import { NO_WORD, type ScopeLog } from "./scoping.ts";
import { isKeyword, isWord, Token } from "./tokens.ts";

export interface Parsed {
  readonly module: Module;
  readonly scoping: ScopeLog;
  readonly broken: Broken | null;
  /** In the order of reports. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The tree of any text and what is wrong with its syntax. Never throws, takes linear time. */
export function parse(source: Source): Parsed {
  const reporter = new Reporter();
  const tokens = lex(source.text, reporter);
  const parser = new Parser(tokens, reporter);
  const module = parser.translationUnit();
  return { module, scoping: parser.scoping, broken: parser.broken, diagnostics: reporter.sorted() };
}

const DECLARATION_WORDS = ["fn", "var", "const", "override", "alias", "struct", "const_assert", "enable", "requires"];

/** Tokens of a structure that are looked at. */
const LONGEST_STRUCT = 4096;

class Parser extends ForeignParser {
  readonly #tokens: Tokens;
  readonly #directives: Directive[] = [];
  readonly #declarations: GlobalDecl[] = listOf();
  /** A statement stood at module scope; more of them follow from the same mistake. */
  #isAstray = false;

  constructor(tokens: Tokens, reporter: Reporter) {
    super(tokens, reporter);
    this.#tokens = tokens;
  }

  // translation_unit : global_directive * ( global_decl | global_assert | ';' ) *
  translationUnit(): Module {
    while (this.#isDirective()) this.#recovering(() => this.#directives.push(...this.globalDirective()));
    while (this.kind !== Token.end) this.#recovering(() => this.#globalItem());
    if (this.hasTold("preprocessor-directive")) this.#bindDefined();
    const text = this.text;
    return {
      kind: "module",
      span: span(0, text.length),
      directives: this.#directives,
      declarations: this.#declarations,
      comments: this.#tokens.comments,
      nodeCount: this.ids.count,
    };
  }

  #recovering(production: () => void): void {
    const first = this.index;
    production();
    if (this.panicking || this.index === first) this.#recover(first);
  }

  #globalItem(): void {
    if (this.accept(Token.semicolon)) return;
    if (this.#isDirective()) {
      this.report("misplaced-directive", this.tokenSpan(), { directive: this.tokenText() });
      this.#directives.push(...this.globalDirective());
    } else {
      this.#add(this.globalDeclaration());
    }
  }

  #add(declaration: GlobalDecl): void {
    this.#declarations.push(declaration);
    this.scoping.endDeclaration(isNamed(declaration) ? this.wordOf(declaration.name) : NO_WORD);
  }

  // ---------------------------------------------------------------- directives

  #isDirective(): boolean {
    return this.kind === Token.enable || this.kind === Token.requires || this.kind === Token.diagnostic;
  }

  // global_directive : diagnostic_directive | enable_directive | requires_directive
  // diagnostic_directive : 'diagnostic' diagnostic_control ';'
  // enable_directive : 'enable' enable_extension_list ';'
  // requires_directive : 'requires' language_extension_list ';'
  protected globalDirective(): readonly Directive[] {
    const start = this.start;
    const kind = this.kind;
    this.advance();
    if (kind === Token.diagnostic) {
      const control = this.diagnosticControl();
      this.semicolon();
      return control === null ? [] : [new DiagnosticDirective(this.ids, start, this.previousEnd, control)];
    }
    const names = this.extensionList();
    const place = this.spanFrom(start);
    this.semicolon();
    return [
      kind === Token.enable
        ? new EnableDirective(this.ids, place.start, place.end, names)
        : new RequiresDirective(this.ids, place.start, place.end, names),
    ];
  }

  // enable_extension_list : enable_extension_name ( ',' enable_extension_name ) * ',' ?
  // enable_extension_name : ident_pattern_token
  // language_extension_list : language_extension_name ( ',' language_extension_name ) * ',' ?
  // language_extension_name : ident_pattern_token
  protected extensionList(): readonly Name[] {
    const names: Name[] = [];
    do names.push(this.contextDependentName(SAY["an-extension"]));
    while (!this.panicking && this.accept(Token.comma) && this.kind !== Token.semicolon);
    return names;
  }

  // ---------------------------------------------------------------- declarations

  // global_decl :
  //   global_variable_decl ';'
  // | global_value_decl ';'
  // | type_alias_decl ';'
  // | struct_decl
  // | function_decl
  // global_assert : const_assert ';'
  /** `before`: attributes before words that were too much; `start`: that of the first. */
  protected globalDeclaration(before = NO_ATTRIBUTES, start = this.start): GlobalDecl {
    const own = this.attributes();
    const attributes = before.length === 0 ? own : [...before, ...own];
    switch (this.kind) {
      case Token.var:
        return this.#terminated(this.variableDecl(start, attributes));
      case Token.override:
        return this.#terminated(this.overrideDecl(start, attributes));
      case Token.fn:
        this.#isAstray = false;
        return this.functionDecl(start, attributes);
      case Token.const:
        this.#refuseAll(attributes);
        return this.#terminated(this.constDecl());
      case Token.constAssert:
        this.#refuseAll(attributes);
        return this.#terminated(this.constAssert());
      case Token.alias:
        this.#refuseAll(attributes);
        return this.#terminated(this.typeAliasDecl());
      case Token.struct:
        this.#isAstray = false;
        this.#refuseAll(attributes);
        return this.structDecl();
      default:
        return this.#noDeclaration(start, attributes);
    }
  }

  /** At the keyword of a declaration that takes no attributes. */
  #refuseAll(attributes: readonly Attribute[]): void {
    if (attributes.length > 0) this.refuseAttributes(attributes, this.found());
  }

  #terminated(declaration: GlobalDecl): GlobalDecl {
    this.semicolon();
    return declaration;
  }

  // global_value_decl :
  //   'const' optionally_typed_ident '=' expression
  // | attribute * 'override' optionally_typed_ident ( '=' expression ) ?
  protected overrideDecl(start: number, attributes: readonly Attribute[]): GlobalDecl {
    this.advance();
    const { name, type } = this.optionallyTypedIdent();
    const initializer = this.acceptEqual() ? this.expression() : null;
    return make.overrideDecl(this.ids, start, this.previousEnd, attributes, name, type, initializer);
  }

  // type_alias_decl : 'alias' ident '=' type_specifier
  protected typeAliasDecl(): GlobalDecl {
    const start = this.start;
    this.accept(Token.alias);
    const name = this.ident();
    this.expect(Token.equal);
    const type = this.typeSpecifier();
    return make.aliasDecl(this.ids, start, this.previousEnd, name, type);
  }

  // struct_decl : 'struct' ident struct_body_decl
  // struct_body_decl : '{' struct_member ( ',' struct_member ) * ',' ? '}'
  // That there is at least one member is a rule of analysis.
  protected structDecl(): GlobalDecl {
    const start = this.start;
    this.accept(Token.struct);
    const name = this.ident();
    const opening = this.index;
    const base = this.beginList();
    if (this.panicking || !this.#openStruct())
      return make.structDecl(this.ids, start, this.previousEnd, name, this.endList(base));
    let isSemicolonReported = false;
    while (this.kind !== Token.braceRight && this.kind !== Token.end && !this.panicking) {
      if (this.kind === Token.attr && this.#isOutside(start)) {
        this.close(Token.braceRight, opening);
        this.panicking = false;
        return make.structDecl(this.ids, start, this.previousEnd, name, this.endList(base));
      }
      this.addItem(this.structMember());
      if (this.kind === Token.semicolon && !this.panicking) {
        if (!isSemicolonReported) this.#structSemicolon();
        isSemicolonReported = true;
        this.advance();
      } else if (!this.#separator(Token.braceRight, SAY["comma-or-brace"])) break;
    }
    if (this.kind === Token.braceRight || this.kind === Token.end || this.panicking) {
      this.close(Token.braceRight, opening);
    }
    return make.structDecl(this.ids, start, this.previousEnd, name, this.endList(base));
  }

  /** The brace before the first member; where only that lacks, the members are read. */
  #openStruct(): boolean {
    if (this.accept(Token.braceLeft)) return true;
    const isMember = this.kind === Token.attr || (this.kind === Token.identifier && this.peek(1) === Token.colon);
    const end = this.previousEnd;
    const fixes = isMember ? [insertion(end, "{", " {")] : [];
    this.unexpected("‘{’", { fixes });
    if (isMember) this.panicking = false;
    return isMember;
  }

  /** Attributes of a declaration that stands no further right than the structure that starts at `start`. */
  #isOutside(start: number): boolean {
    if (!this.isFirstOnLine() || this.indentation(this.start) > this.indentation(start)) return false;
    const next = this.kindAfterAttributes();
    return next === Token.var || next === Token.fn || next === Token.override;
  }

  /** Told once for all members of a structure; the fix is for all. */
  #structSemicolon(): void {
    const edits = [{ span: this.tokenSpan(), text: "," }];
    for (let at = this.index + 1; at - this.index < LONGEST_STRUCT; at++) {
      const kind = this.peek(at - this.index);
      if (kind === Token.braceRight || kind === Token.braceLeft || kind === Token.end) break;
      if (kind === Token.semicolon) edits.push({ span: this.tokenSpan(at), text: "," });
    }
    this.report("struct-semicolon", this.tokenSpan(), {}, { fixes: [fix("replace-with", { text: "," }, edits)] });
  }

  // struct_member : attribute * member_ident ':' type_specifier
  protected structMember(): StructMember {
    const start = this.start;
    const attributes = this.itemAttributes();
    if (this.kind === Token.reservedWord && isWord(this.peek(1))) this.acceptForeignKeyword();
    const { name, type } = this.typedIdent(SAY["a-member"]);
    this.passSemantic();
    return new StructMember(this.ids, start, this.previousEnd, attributes, name, type);
  }

  /**
   * What stands between members and parameters. Where only the comma lacks, or what could not be read ends with one, the
   * list goes on; false where it cannot.
   */
  #separator(end: number, expected: MessageValue): boolean {
    if (this.panicking) return this.#skipToSeparator(end);
    if (this.accept(Token.comma)) return true;
    if (this.kind === end) return false;
    const isNext = this.kind === Token.attr || (this.kind === Token.identifier && this.peek(1) === Token.colon);
    const fixes = isNext ? [insertion(this.previousEnd, ",")] : [];
    this.unexpected(expected, { fixes });
    if (!isNext) return this.#skipToSeparator(end);
    this.panicking = false;
    return true;
  }

  /** Whether a member or parameter can begin, or the list end, `distance` tokens ahead. */
  #isItem(distance: number, end: number): boolean {
    const [kind, next] = [this.peek(distance), this.peek(distance + 1)];
    return (
      kind === Token.attr ||
      kind === end ||
      kind === Token.end ||
      (isWord(kind) && (next === Token.colon || isWord(next)))
    );
  }

  #skipToSeparator(end: number): boolean {
    while (this.kind !== Token.end && this.kind !== end && !this.#beginsDeclaration()) {
      if (this.kind === Token.semicolon && end === Token.parenRight) return false;
      const isBetween = this.kind === Token.comma && this.#isItem(1, end);
      if (isBetween || this.kind === Token.semicolon) {
        this.endPanic();
        this.advance();
        return true;
      }
      if (this.kind === Token.braceLeft) return false;
      if (this.isOpening()) this.skipBalanced();
      else this.advance();
    }
    if (this.kind === end) this.endPanic();
    return false;
  }

  // function_decl : attribute * function_header compound_statement
  // function_header :
  //   'fn' ident '(' param_list ? ')' ( '->' attribute * template_elaborated_ident ) ?
  // `before`: a result type that stood before the name, as in other languages.
  protected functionDecl(
    start: number,
    attributes: readonly Attribute[],
    before: IdentifierExpr | null = null,
  ): GlobalDecl {
    this.accept(Token.fn);
    const name = this.ident();
    const params = this.panicking ? [] : this.paramList();
    let returnAttributes = NO_ATTRIBUTES;
    let returnType = before;
    if (!this.panicking && this.#acceptArrow()) {
      returnAttributes = this.isBracketed ? this.bracketAttributes() : this.attributes();
      returnType = this.typeSpecifier();
      if (this.passSemantic()) {
        this.scoping.forgetMentions(returnType.start);
        returnType = this.unknownType();
      }
    }
    // Parameters and what the body declares end their scope together; types and attributes see the module only.
    this.scoping.open();
    for (const param of params) this.declare(param);
    const body = this.functionBody(start);
    this.scoping.close();
    return make.functionDecl(
      this.ids,
      start,
      this.previousEnd,
      attributes,
      name,
      params,
      returnAttributes,
      returnType,
      body,
    );
  }

  /** `fn f() i32` and `fn f(): i32` are taken for `fn f() -> i32`. */
  #acceptArrow(): boolean {
    if (this.accept(Token.arrow)) return true;
    if (this.passSemantic()) return false;
    const next = this.peek(1);
    const isResult = next === Token.braceLeft || next === Token.templateArgsStart || next === Token.lessThan;
    const isType = this.kind === Token.colon || (this.kind === Token.identifier && isResult && !this.isFirstOnLine());
    const isAttribute = this.kind === Token.attr && this.kindAfterAttributes() === Token.identifier;
    if (!isType && !isAttribute) return false;
    const { start } = this;
    const isColon = this.kind === Token.colon;
    const edit = { span: span(start, isColon ? start + 1 : start), text: isColon ? " ->" : "-> " };
    this.unexpected(SAY["arrow-or-body"], { fixes: [fix("insert", { text: "->" }, [edit])] });
    this.panicking = false;
    this.accept(Token.colon);
    return true;
  }

  // param_list : param ( ',' param ) * ',' ?
  protected paramList(): readonly Param[] {
    const opening = this.index;
    const base = this.beginList();
    if (!this.accept(Token.parenLeft)) {
      this.unexpected("‘(’");
      // Only the parenthesis lacks.
      const isParam =
        this.kind === Token.attr ||
        this.kind === Token.parenRight ||
        (this.kind === Token.identifier && this.peek(1) === Token.colon);
      if (!isParam) return this.endList(base);
      this.panicking = false;
    }
    while (this.kind !== Token.parenRight && this.kind !== Token.end && !this.#isBehindParams()) {
      this.addItem(this.param());
      if (this.#isBehindParams() && !this.panicking) break;
      if (!this.#separator(Token.parenRight, SAY["comma-or-paren"])) break;
    }
    if (this.#isBehindParams() && !this.panicking) {
      // Only the parenthesis lacks.
      this.close(Token.parenRight, opening, SAY["comma-or-paren"]);
      this.panicking = false;
      this.hasLostTemplates = true;
    } else this.close(Token.parenRight, opening);
    return this.endList(base);
  }

  #isBehindParams(): boolean {
    return this.kind === Token.arrow || this.kind === Token.braceLeft;
  }

  // param : attribute * ident ':' type_specifier
  protected param(): Param {
    const start = this.start;
    const { isBracketed } = this;
    const attributes = this.itemAttributes();
    const passed = this.#passed();
    const { name } = passed;
    // What stands for an attribute was told; that the attribute lacks is the same mistake.
    const hasSemantic = this.passSemantic() || (isBracketed && attributes.length === 0);
    if (hasSemantic) this.scoping.forgetMentions(passed.type.start);
    const type = hasSemantic ? this.unknownType() : passed.type;
    return make.param(this.ids, start, this.previousEnd, attributes, name, type);
  }

  // ---------------------------------------------------------------- mistakes

  /** Name and type of a parameter; `inout float x` is told as one mistake. */
  #passed(): { readonly name: Name; readonly type: IdentifierExpr } {
    const isPassing = (this.kind === Token.identifier || this.kind === Token.const) && isWord(this.peek(1));
    if (!isPassing || !this.acceptPassing()) return this.typedIdent(SAY["a-parameter"]);
    if (isWord(this.peek(1))) {
      const type = this.passType();
      return { name: this.ident(), type };
    }
    const { name, type } = this.typedIdent(SAY["a-parameter"]);
    this.scoping.forgetMentions(type.start);
    return { name, type: this.unknownType() };
  }

  /** The token at the cursor begins no declaration. */
  #noDeclaration(start: number, attributes: readonly Attribute[]): GlobalDecl {
    const place = this.tokenSpan();
    const text = this.tokenText();
    switch (this.kind) {
      case Token.let:
        if (this.#isAstray) this.panicking = true;
        else {
          const fixes = [replacement(place, "const")];
          this.report("let-at-module-scope", place, {}, { fixes });
        }
        this.scoping.forgetDeclaration();
        return this.#terminated(this.constDecl());
      case Token.braceRight:
        if (this.unclosedBlocks > 0) this.unclosedBlocks--;
        else if (!this.#isAstray) {
          this.report("unmatched-bracket", place, { bracket: text, expected: SAY["a-declaration"] });
          this.#isAstray = true;
        }
        this.advance();
        break;
      case Token.bracketLeft:
        if (this.isBracketed) {
          const all = this.#pastBrackets(attributes);
          if (this.kind !== Token.end) return this.globalDeclaration(all, start);
          break;
        }
        if (this.tokenText(this.index + 1) === "numthreads") return this.#numthreads(start);
        this.#refuse();
        break;
      case Token.identifier:
      case Token.reservedWord:
        return this.#foreignDeclaration(start, attributes);
      default:
        if (this.kind === Token.semicolon) this.refuseAttributes(attributes, this.found());
        else if (this.kind === Token.lessThan && attributes.length > 0) this.#varLacks("var");
        else if (attributes.length > 0) this.unexpected(SAY["a-declaration"]);
        else this.#refuse();
    }
    return make.errorDecl(this.ids, start, this.previousEnd);
  }

  /** However many there are, one behind the other. */
  #pastBrackets(before: readonly Attribute[]): readonly Attribute[] {
    const all = [...before];
    do {
      pushAll(all, this.bracketAttributes());
      pushAll(all, this.attributes());
    } while (this.isBracketed);
    return all;
  }

  /** `@group(0) @binding(0) <storage> a: u32;`, and `@group(0) @binding(0) a: texture_2d<f32>;` */
  #varLacks(text: string): void {
    const padded = this.previousEnd === this.start ? ` ${text}` : text;
    this.unexpected("‘var’", { fixes: [insertion(this.start, "var", padded)] });
  }

  #refuse(): void {
    if (this.#beginsStatement() && !this.panicking) {
      const fixes = this.#isValueNext() ? [insertion(this.start, "const", "const ")] : [];
      if (!this.#isAstray)
        this.report("statement-at-module-scope", this.tokenSpan(), { found: this.found() }, { fixes });
      this.#isAstray = true;
    }
    if (this.#isAstray) this.panicking = true;
    this.unexpected(SAY["a-declaration"]);
  }

  /** `SIZE = 64u;` */
  #isValueNext(): boolean {
    return this.kind === Token.identifier && this.peek(1) === Token.equal && !this.#isAstray;
  }

  #beginsStatement(): boolean {
    switch (this.kind) {
      case Token.if:
      case Token.for:
      case Token.while:
      case Token.loop:
      case Token.switch:
      case Token.return:
      case Token.break:
      case Token.continue:
      case Token.continuing:
      case Token.discard:
      case Token.else:
      case Token.underscore:
      case Token.star:
      case Token.parenLeft:
        return true;
      case Token.identifier:
        return !isWord(this.peek(1)) && this.peek(1) !== Token.end;
      default:
        return false;
    }
  }

  /** A declaration that begins with a word of another language or with its type. */
  #foreignDeclaration(start: number, attributes: readonly Attribute[]): GlobalDecl {
    const named = this.glslLayout();
    if (named !== null) return this.#named(start, named);
    const count = this.wordsBeforeFunction();
    if (count > 0) {
      this.#isAstray = false;
      return this.foreignFunction(start, attributes, count);
    }
    const word = this.tokenText();
    const next = this.peek(1);
    if (/^(?:static|global)$/.test(word) && isKeyword(next)) {
      this.#passAlone();
      return this.globalDeclaration(attributes, start);
    }
    if (/^(?:vertex|fragment|compute)$/.test(word) && (next === Token.attr || next === Token.fn)) {
      return this.#stageWithoutAt(start, attributes);
    }
    if (next === Token.invalid || next === Token.braceLeft) {
      if (/^(?:import|include|use|require|from|export|enum)$/.test(word) && this.acceptForeignKeyword()) {
        if (this.kind === Token.braceLeft) this.skipBalanced();
        this.panicking = true;
        return make.errorDecl(this.ids, start, this.previousEnd);
      }
    }
    const isWordNext = isWord(next) || next === Token.templateArgsStart || next === Token.parenLeft;
    if (isWordNext && !looksLikeType(word) && this.acceptForeignKeyword()) {
      return this.#afterForeignKeyword(word, start, attributes);
    }
    const near = isWord(next) ? nearestName(word, DECLARATION_WORDS) : null;
    if (near !== null && !looksLikeType(word)) {
      this.fail("foreign-keyword", this.tokenSpan(), { word, expected: `‘${near}’` });
    } else if (next === Token.identifier && this.peek(2) === Token.parenLeft) {
      this.#isAstray = false;
      return this.foreignFunction(start, attributes, 1);
    } else if ((isWord(next) && !isKeyword(next)) || next === Token.templateArgsStart) {
      return this.#typeFirst(start, attributes);
    } else if (next === Token.colon && attributes.length > 0 && !this.#isAstray) this.#varLacks("var ");
    else this.#refuse();
    return make.errorDecl(this.ids, start, this.previousEnd);
  }

  /** `static const n = 1;`: what stands before a declaration of WGSL is too much. */
  #passAlone(): void {
    const word = this.tokenText();
    const place = this.tokenSpan();
    const fixes = [removal(span(place.start, this.tokenSpan(this.index + 1).start), word)];
    this.report("foreign-keyword", place, { word, expected: SAY["declaration-alone"] }, { fixes });
    this.advance();
  }

  /** `compute @workgroup_size(64) fn main() {` */
  #stageWithoutAt(start: number, attributes: readonly Attribute[]): GlobalDecl {
    const word = this.tokenText();
    const place = this.tokenSpan();
    const fixes = [insertion(place.start, "@")];
    this.report("foreign-keyword", place, { word, expected: `‘@${word}’` }, { fixes });
    this.advance();
    const stage = new Attribute(this.ids, place.start, place.end, new Name(word, place.start, place.end), null, null);
    const all = [...attributes, stage, ...this.attributes()];
    if (this.kind === Token.fn) return this.functionDecl(start, all);
    this.unexpected("‘fn’");
    return make.errorDecl(this.ids, start, this.previousEnd);
  }

  /** What `#define` would define is known, so that its uses are not told one by one. */
  #bindDefined(): void {
    const known = new Set(this.#declarations.flatMap((each) => (isNamed(each) ? [each.name.text] : [])));
    for (const { name, type } of namesDefined(this.text)) {
      if (!known.has(name.text)) this.#add(type === null ? this.declared(name) : this.#definedType(name, type));
      known.add(name.text);
    }
  }

  #definedType(name: Name, type: string): GlobalDecl {
    return make.aliasDecl(this.ids, name.start, name.end, name, this.mentionAs(name.start, name.end, type));
  }

  /** Variables of which only the names are known, so that their uses are not told one by one. */
  #named(start: number, names: readonly Name[]): GlobalDecl {
    this.panicking = false;
    for (const name of names) this.#add(this.declared(name));
    return make.errorDecl(this.ids, start, this.previousEnd);
  }

  /** What follows a foreign keyword is read as the declaration that was meant, where that is plain. */
  #afterForeignKeyword(word: string, start: number, attributes: readonly Attribute[]): GlobalDecl {
    if (/^(?:function|func|fun|def|proc|sub|kernel|__kernel)$/.test(word) && this.kind === Token.identifier) {
      return this.functionDecl(start, attributes);
    }
    if (
      /^(?:class|interface|record|union|cbuffer)$/.test(word) &&
      this.kind === Token.identifier &&
      this.peek(1) !== Token.colon
    ) {
      return this.structDecl();
    }
    if (this.kind === Token.identifier) {
      const isValue = this.peek(1) === Token.equal;
      if (isValue && /^(?:type|using)$/.test(word) && this.peek(2) === Token.identifier) {
        return this.#terminated(this.typeAliasDecl());
      }
      if (isValue && /^(?:auto|val|local)$/.test(word)) return this.#terminated(this.#foreignConst(start));
      const isTypedef = word === "typedef" && this.peek(1) === Token.identifier && this.peek(2) === Token.semicolon;
      if (isTypedef) return this.#terminated(this.#typedef(start));
    }
    if (/^(?:impl|trait|mod)$/.test(word)) {
      while (isWord(this.kind)) this.advance();
      if (this.kind === Token.braceLeft) this.skipBalanced();
      else this.panicking = true;
      return make.errorDecl(this.ids, start, this.previousEnd);
    }
    const isWordNext = this.kind === Token.identifier || this.kind === Token.reservedWord;
    if (!isWordNext && this.kind !== Token.invalid && word !== "template") {
      return this.globalDeclaration(attributes, start);
    }
    if (isWordNext && isWord(this.peek(1)) && this.peek(2) === Token.parenLeft)
      return this.#typeFirst(start, attributes);
    if (isWordNext && word !== "typedef") return this.#named(start, this.namesDeclared());
    this.panicking = true;
    return make.errorDecl(this.ids, start, this.previousEnd);
  }

  /** `auto x = 1;`, behind its keyword: like `let` at module scope. */
  #foreignConst(start: number): GlobalDecl {
    const name = this.ident();
    const initializer = this.initializer();
    return make.constDecl(this.ids, start, this.previousEnd, NO_ATTRIBUTES, name, null, initializer);
  }

  /** `typedef int T;`, behind its keyword. */
  #typedef(start: number): GlobalDecl {
    const place = this.tokenSpan();
    const text = typeInWgsl(this.tokenText());
    this.advance();
    const name = this.ident();
    return make.aliasDecl(this.ids, start, this.previousEnd, name, this.mentionAs(place.start, place.end, text));
  }

  /** `float f(int x) {` and `uint x = 1;` */
  #typeFirst(start: number, attributes: readonly Attribute[]): GlobalDecl {
    const type = this.templateElaboratedIdent(SAY["a-type"]);
    if (this.kind !== Token.identifier || this.panicking) {
      this.unexpected(SAY["a-declaration"]);
      return make.errorDecl(this.ids, start, this.previousEnd);
    }
    const named = this.binding(type.name, this.text.slice(type.span.start, type.span.end));
    if (named !== null) return this.#named(start, named);
    if (this.peek(1) !== Token.parenLeft) {
      const name = this.ident();
      const inWgsl = this.typeBeforeName(type, name, "var<private> ");
      const initializer = this.accept(Token.equal) ? this.expression() : null;
      const place = this.spanFrom(start);
      return this.#terminated(
        make.varDecl(this.ids, place.start, place.end, attributes, this.privately(name), name, inWgsl, initializer),
      );
    }
    this.scoping.forgetMentions(type.start);
    this.#isAstray = false;
    return this.functionBehind(start, attributes, type.span, this.text.slice(type.start, type.end));
  }

  /** `[numthreads(64, 1, 1)]` */
  #numthreads(start: number): GlobalDecl {
    this.skipBalanced();
    const place = this.spanFrom(start);
    const sizes = /\(([\w\s,*]*)\)/.exec(this.text.slice(place.start, place.end))?.[1] ?? "64";
    const modern = `@compute @workgroup_size(${sizes})`;
    const fixes = [replacement(place, modern)];
    this.report("bracket-attribute", place, { expected: `‘${quote(modern)}’` }, { fixes });
    return make.errorDecl(this.ids, place.start, place.end);
  }

  // ---------------------------------------------------------------- recovery

  /** Goes on behind the declaration that began at the token `first`. */
  #recover(first: number): void {
    this.#skipDeclaration(first);
    if (this.panicking) this.endPanic();
  }

  #skipDeclaration(first: number): void {
    if (this.index === first) this.advance();
    let depth = this.openBrackets(first);
    while (this.kind !== Token.end) {
      if (this.#beginsDeclaration()) return;
      if (this.kind === Token.braceLeft) {
        this.skipBalanced();
        if (depth === 0) return;
        continue;
      }
      if (this.kind === Token.braceRight) {
        if (depth === 0) return;
        this.advance();
        return;
      }
      if (this.accept(Token.semicolon)) return;
      if (this.isOpening()) depth++;
      else if (this.isClosing() && depth > 0) depth--;
      this.advance();
    }
  }

  #beginsDeclaration(): boolean {
    switch (this.kind) {
      case Token.fn:
      case Token.struct:
      case Token.alias:
      case Token.override:
      case Token.attr:
      case Token.var:
      case Token.const:
      case Token.constAssert:
      case Token.enable:
      case Token.requires:
        return this.isFirstOnLine();
      default:
        return false;
    }
  }
}
