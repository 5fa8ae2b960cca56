/** Attributes, diagnostic controls and what declarations of variables share. spec: #attributes, #var-and-value-decl-grammar */

import { type Fix, insertion, type MessageValue, removal, replacement } from "../diagnostics/diagnostic.ts";
import { Attribute, type DiagnosticControl, type Expr, type IdentifierExpr, Name, type VarDecl } from "./ast.ts";
import {
  bracketsInWgsl,
  foreignKeyword,
  foreignPassing,
  keywordInstead,
  looksLikeType,
  typeInWgsl,
} from "./foreign.ts";
import * as make from "./make-expression.ts";
import { varDecl } from "./make-statement.ts";
import { quote } from "./parser-base.ts";
import { ExpressionParser } from "./parser-expressions.ts";
import { SAY } from "./phrases.ts";
import { isBinaryOperator, isKeyword, isWord, Token } from "./tokens.ts";

export const NO_ATTRIBUTES: readonly Attribute[] = [];

/** Attributes whose arguments are expressions: those of others are names of their own, which are not to be resolved. */
const COMPUTED: ReadonlySet<string> = new Set(
  "align binding blend_src group id location size subgroup_size workgroup_size".split(" "),
);

/** Tokens in which the end of attributes in double brackets is looked for. */
const MOST_IN_BRACKETS = 64;

/** Tokens in which the end of a template list is looked for. */
const MOST_IN_TEMPLATE = 64;

/** Names with words and numbers in parentheses: nothing in them needs a message of its own. */
const PLAIN_ATTRIBUTES = /^\w+(?:\([\w\s,]*\))?(?:\s*,\s*\w+(?:\([\w\s,]*\))?)*$/;
const NAMES_THAT_STAYED =
  /^(?:group|binding|location|builtin|workgroup_size|size|align|interpolate|invariant|id|compute|vertex|fragment)$/;

interface TypedIdent {
  readonly name: Name;
  readonly type: IdentifierExpr | null;
}

export abstract class AttributeParser extends ExpressionParser {
  /** An `=` lacks before the initial value at the cursor; it was told. */
  #lacksEqual = false;

  // ---------------------------------------------------------------- attributes

  /** attribute * */
  protected attributes(): readonly Attribute[] {
    if (this.kind !== Token.attr) return NO_ATTRIBUTES;
    const base = this.beginList();
    while (this.kind === Token.attr && !this.panicking) this.addItem(this.attribute());
    return this.endList(base);
  }

  // attribute :
  //   '@' ident_pattern_token argument_expression_list ?
  // | const_attr | diagnostic_attr | …
  // const_attr : '@' 'const'
  // diagnostic_attr : '@' 'diagnostic' diagnostic_control
  // The others have the general form with a fixed name and a fixed number of arguments, which analysis checks:
  // align_attr, binding_attr, blend_src_attr, builtin_attr, group_attr, id_attr, interpolate_attr, invariant_attr,
  // location_attr, must_use_attr, size_attr, workgroup_size_attr, subgroup_size_attr, vertex_attr, fragment_attr,
  // compute_attr; builtin_value_name, interpolate_type_name and interpolate_sampling_name are read as expressions.
  protected attribute(): Attribute {
    const start = this.start;
    this.advance();
    return this.#attributeFrom(start);
  }

  #attributeFrom(start: number): Attribute {
    if (this.kind === Token.diagnostic) {
      const name = this.#keywordAsName();
      const control = this.diagnosticControl();
      return new Attribute(this.ids, start, this.previousEnd, name, null, control);
    }
    const isConst = this.kind === Token.const;
    const name = isConst ? this.#keywordAsName() : this.contextDependentName(SAY["an-attribute-name"]);
    const hasArguments = this.kind === Token.parenLeft && !isConst && !this.panicking;
    const isUnopened =
      this.kind === Token.number ||
      (this.kind === Token.identifier && (this.peek(1) === Token.parenRight || this.peek(1) === Token.comma));
    if (isUnopened && !this.panicking) return this.#unopened(start, name);
    const args = hasArguments ? this.#arguments() : null;
    if (hasArguments && !COMPUTED.has(name.text)) this.scoping.forgetMentions(start);
    return new Attribute(this.ids, start, this.previousEnd, name, args, null);
  }

  /** Those of a member or parameter, also as others write them, or without their `@`. */
  protected itemAttributes(): readonly Attribute[] {
    let found = this.isBracketed ? this.bracketAttributes() : this.attributes();
    while (this.kind === Token.identifier && this.peek(1) === Token.parenLeft && !this.panicking) {
      const { start } = this;
      this.unexpected("‘@’", { fixes: [insertion(start, "@")] });
      this.panicking = false;
      found = [...found, this.#attributeFrom(start), ...this.attributes()];
    }
    return found;
  }

  protected get isBracketed(): boolean {
    return this.kind === Token.bracketLeft && this.peek(1) === Token.bracketLeft;
  }

  /** `[[group(0), binding(0)]]`, as WGSL had them once: told, and read as they are written now. */
  protected bracketAttributes(): readonly Attribute[] {
    const { start } = this;
    const end = this.#endOfBrackets();
    if (end === null) {
      const name = this.tokenText(this.index + 2);
      this.skipBalanced();
      this.report("bracket-attribute", this.spanFrom(start), { expected: `‘@${quote(name)}’` });
      return NO_ATTRIBUTES;
    }
    const inside = this.text.slice(start, end).replace(/^\[\[\s*|\s*\]\]$/g, "");
    if (inside === "block") return this.#blockAttribute(start, end);
    const expected = `@${bracketsInWgsl(inside)}`;
    const fixes = /^\w[^[\]]*$/.test(inside) ? [replacement({ start, end }, expected)] : [];
    this.report("bracket-attribute", { start, end }, { expected: `‘${quote(expected)}’` }, { fixes });
    if (!PLAIN_ATTRIBUTES.test(inside)) {
      this.skipBalanced();
      return NO_ATTRIBUTES;
    }
    this.advance();
    this.advance();
    const found: Attribute[] = [];
    do found.push(this.#stage(this.#attributeFrom(this.start)));
    while (this.accept(Token.comma));
    this.advance();
    this.advance();
    return found.filter(({ text }) => NAMES_THAT_STAYED.test(text));
  }

  #blockAttribute(start: number, end: number): readonly Attribute[] {
    this.skipBalanced();
    const fixes = [removal({ start, end: this.start }, "[[block]]")];
    this.report("bracket-attribute", { start, end }, { expected: SAY["no-attribute"] }, { fixes });
    return NO_ATTRIBUTES;
  }

  /** `stage(compute)` is `compute` now. */
  #stage(attribute: Attribute): Attribute {
    const argument = attribute.args?.[0];
    if (attribute.text !== "stage" || argument?.kind !== "identifier") return attribute;
    const { start, end, text } = argument;
    return new Attribute(this.ids, attribute.start, attribute.end, new Name(text, start, end), null, null);
  }

  /** Behind the double brackets that close the ones at the cursor; null: they are far away. */
  #endOfBrackets(): number | null {
    for (let distance = 2; distance < MOST_IN_BRACKETS && this.peek(distance) !== Token.end; distance++) {
      if (this.peek(distance) !== Token.bracketRight || this.peek(distance + 1) !== Token.bracketRight) continue;
      return this.tokenSpan(this.index + distance + 1).end;
    }
    return null;
  }

  /** What follows is read as if the parenthesis was there: the attribute itself is known. */
  #arguments(): readonly Expr[] {
    const opening = this.index;
    this.advance();
    this.isInAttribute = true;
    const args = this.kind === Token.parenRight ? [] : this.expressionCommaList(Token.parenRight);
    this.isInAttribute = false;
    if (this.accept(Token.parenRight)) return args;
    this.close(Token.parenRight, opening, SAY["comma-or-paren"]);
    let distance = 0;
    while (this.#isInArguments(distance)) distance++;
    if (this.peek(distance) === Token.parenRight) for (; distance >= 0; distance--) this.advance();
    this.panicking = false;
    this.hasLostTemplates = true;
    return args;
  }

  #isInArguments(distance: number): boolean {
    const kind = this.peek(distance);
    if (kind === Token.parenRight || kind === Token.attr || kind === Token.colon || kind === Token.end) return false;
    return !isKeyword(kind) && !this.isFirstOnLine(this.index + distance);
  }

  /** `@location 0)` */
  #unopened(start: number, name: Name): Attribute {
    this.unexpected("‘(’", { fixes: [insertion(this.start, "(")] });
    this.panicking = false;
    const args = this.expressionCommaList(Token.parenRight);
    this.accept(Token.parenRight);
    if (!COMPUTED.has(name.text)) this.scoping.forgetMentions(start);
    return new Attribute(this.ids, start, this.previousEnd, name, args, null);
  }

  #keywordAsName(): Name {
    const { start, end } = this.tokenSpan();
    const name = new Name(this.tokenText(), start, end);
    this.advance();
    return name;
  }

  // diagnostic_control : '(' severity_control_name ',' diagnostic_rule_name ',' ? ')'
  // severity_control_name : ident_pattern_token
  // diagnostic_rule_name :
  //   diagnostic_name_token
  // | diagnostic_name_token '.' diagnostic_name_token
  // diagnostic_name_token : ident_pattern_token
  protected diagnosticControl(): DiagnosticControl | null {
    const opening = this.index;
    if (!this.expect(Token.parenLeft)) return null;
    const severity = this.contextDependentName(SAY["a-severity"]);
    this.expect(Token.comma);
    if (this.panicking) return null;
    const rule = [this.contextDependentName(SAY["a-rule"])];
    if (this.accept(Token.period)) rule.push(this.contextDependentName(SAY["a-rule"]));
    this.accept(Token.comma);
    this.close(Token.parenRight, opening);
    return this.panicking ? null : { severity, rule };
  }

  /** `what` comes after attributes that it cannot have. */
  protected refuseAttributes(attributes: readonly Attribute[], what: MessageValue): void {
    if (attributes.length === 0) return;
    this.report("attribute-not-allowed", attributes[0].span, { what });
    this.scoping.forgetMentions(attributes[0].start);
  }

  /** Attributes of statements and bodies: no name in them is resolved. */
  protected statementAttributes(): readonly Attribute[] {
    const attributes = this.attributes();
    if (attributes.length > 0) this.scoping.forgetMentions(attributes[0].start);
    return attributes;
  }

  /** The kind of what follows the attributes at the cursor, looked up in the next few tokens; `Token.end` if unknown. */
  protected kindAfterAttributes(): number {
    const FARTHEST = 100;
    let distance = 0;
    while (this.peek(distance) === Token.attr && isWord(this.peek(distance + 1)) && distance < FARTHEST) {
      distance += 2;
      if (this.peek(distance) !== Token.parenLeft) continue;
      distance = this.behindBalanced(distance, Token.parenLeft, Token.parenRight, FARTHEST);
    }
    return distance < FARTHEST ? this.peek(distance) : Token.end;
  }

  // ---------------------------------------------------------------- variables

  // variable_decl : 'var' _disambiguate_template template_list ? optionally_typed_ident
  // global_variable_decl : attribute * variable_decl ( '=' expression ) ?
  protected variableDecl(start: number, attributes: readonly Attribute[]): VarDecl {
    const { isListed } = this;
    this.advance();
    const isUnclosed = this.kind === Token.lessThan;
    let template = this.kind === Token.templateArgsStart ? this.templateList() : null;
    if (isUnclosed) template = this.unclosedTemplateList("var");
    const { name, type } = this.optionallyTypedIdent();
    const initializer = this.acceptEqual() ? this.expression() : null;
    if (type === null && initializer === null && template === null && this.#isUnopenedTemplate()) {
      return this.#variableBehindSpace(start, attributes, name);
    }
    const lacksType = type === null && initializer === null && (isListed || this.kind === Token.comma);
    const end = this.previousEnd;
    const known = lacksType ? this.unknownType() : type;
    return varDecl(this.ids, start, end, attributes, template, name, known, initializer);
  }

  /** Behind `storage` in `var storage, read> x` */
  #isUnopenedTemplate(): boolean {
    if (this.kind === Token.greaterThan) return true;
    return this.kind === Token.comma && this.peek(1) === Token.identifier && this.peek(2) === Token.greaterThan;
  }

  /** The same, read as if the `<` was there. */
  #variableBehindSpace(start: number, attributes: readonly Attribute[], space: Name): VarDecl {
    const found = `‘${quote(space.text)}’`;
    this.report("unexpected-token", space.span, { expected: "‘<’", found }, { fixes: [insertion(space.start, "<")] });
    const template: Expr[] = [this.mentionAs(space.start, space.end, space.text)];
    while (this.accept(Token.comma)) template.push(this.unaryExpression());
    this.accept(Token.greaterThan);
    const { name, type } = this.optionallyTypedIdent();
    const initializer = this.acceptEqual() ? this.expression() : null;
    return varDecl(this.ids, start, this.previousEnd, attributes, template, name, type, initializer);
  }

  // optionally_typed_ident : ident ( ':' type_specifier ) ?
  protected optionallyTypedIdent(): TypedIdent {
    const name = this.ident();
    if (this.accept(Token.colon)) return { name, type: this.typeSpecifier() };
    return this.kind === Token.equal ? { name, type: null } : this.#behindName(name);
  }

  /** Neither a type nor an initial value follows. */
  #behindName(name: Name): TypedIdent {
    if (this.kind === Token.bracketLeft && !this.panicking) return { name, type: this.#sizeBehindName(name) };
    if (this.isFirstOnLine() || this.panicking) return { name, type: null };
    const isLiteral = this.#isLiteralValue();
    if (this.kind !== Token.identifier && !isLiteral) return { name, type: null };
    if (!isLiteral && !this.#isValueNext(name)) return this.typeWithoutColon(name);
    const { start } = this;
    this.unexpected("‘=’", { fixes: [insertion(start, "=", "= ")] });
    this.panicking = false;
    this.#lacksEqual = true;
    return { name, type: null };
  }

  /** `let x 1u;`, `let x true && y;` */
  #isLiteralValue(): boolean {
    if (this.kind !== Token.number && this.kind !== Token.true && this.kind !== Token.false) return false;
    const next = this.peek(1);
    return next === Token.semicolon || isBinaryOperator(next);
  }

  /** `let x points[i];`, `let x f(1);`: no type goes on like this. */
  #isValueNext({ text }: Name): boolean {
    const next = this.peek(1);
    if (looksLikeType(text)) return false;
    if (next === Token.templateArgsStart) {
      const behind = this.behindBalanced(1, Token.templateArgsStart, Token.templateArgsEnd, MOST_IN_TEMPLATE);
      return this.peek(behind) === Token.parenLeft;
    }
    if (looksLikeType(this.tokenText())) return next === Token.parenLeft;
    return next === Token.bracketLeft || next === Token.parenLeft || next === Token.period || isBinaryOperator(next);
  }

  /** The `=` before an initial value, also one that lacks and was told. */
  protected acceptEqual(): boolean {
    const isTold = this.#lacksEqual;
    this.#lacksEqual = false;
    return this.accept(Token.equal) || isTold;
  }

  // param : attribute * ident ':' type_specifier
  // struct_member : attribute * member_ident ':' type_specifier
  protected typedIdent(expected: MessageValue): { readonly name: Name; readonly type: IdentifierExpr } {
    const name = this.ident(expected);
    if (this.kind === Token.identifier && !this.panicking) return this.typeWithoutColon(name);
    if (this.kind === Token.star && isWord(this.peek(1)) && looksLikeType(name.text)) return this.#pointerToType(name);
    this.expect(Token.colon);
    return { name, type: this.#passedType() };
  }

  /** `w[4]: f32`, and `w[4]` alone */
  #sizeBehindName(name: Name): IdentifierExpr {
    const opening = this.index;
    this.skipBalanced();
    const size = this.text.slice(this.tokenSpan(opening).end, this.previousEnd - 1).trim();
    const written = this.accept(Token.colon) ? this.typeSpecifier() : null;
    const element = written === null ? "f32" : this.text.slice(written.start, written.end);
    if (written !== null) this.scoping.forgetMentions(written.start);
    const text = `: array<${element}${size === "" ? "" : `, ${size}`}>`;
    const place = { start: this.tokenSpan(opening).start, end: this.previousEnd };
    const fixes = written === null ? [] : [replacement(place, text)];
    this.report("array-suffix", place, { expected: name.text + text }, { fixes });
    return this.unknownType();
  }

  /** `int* p` */
  #pointerToType(type: Name): { readonly name: Name; readonly type: IdentifierExpr } {
    this.advance();
    const name = this.ident();
    const place = { start: type.span.start, end: name.span.end };
    this.report("pointer-suffix", place, { expected: `${name.text}: ptr<function, ${typeInWgsl(type.text)}>` });
    return { name, type: this.unknownType() };
  }

  /** The type of a parameter or member, where `x: inout f32`, `x: *f32` and `x: &mut f32` are told. */
  #passedType(): IdentifierExpr {
    const place = this.tokenSpan();
    if (this.kind === Token.star || this.kind === Token.and) {
      this.advance();
      if (this.tokenText() === "mut" || this.kind === Token.const) this.advance();
      if (isWord(this.kind)) {
        const type = this.tokenText();
        this.report("pointer-suffix", place, { expected: `ptr<function, ${typeInWgsl(type)}>` });
        return this.passType();
      }
    } else if (isWord(this.peek(1)) && this.acceptPassing()) return this.passType();
    return this.typeSpecifier();
  }

  /** `inout`, `out` or `in` at the cursor. */
  protected acceptPassing(): boolean {
    return this.#acceptForeign(foreignPassing);
  }

  /** Two names in a row: `x f32` lacks its colon, in `float x` the type stands first. */
  protected typeWithoutColon(first: Name): { readonly name: Name; readonly type: IdentifierExpr } {
    const second = this.tokenText();
    if (!looksLikeType(first.text) || looksLikeType(second)) {
      // `fn f(` in a structure that was not closed
      const isName = !isKeyword(this.peek(-1));
      this.unexpected("‘:’", { fixes: isName ? [insertion(first.end, ":")] : [] });
      this.panicking = false;
      return { name: first, type: this.typeSpecifier() };
    }
    const name = this.ident();
    return {
      name,
      type: this.typeBeforeName(this.mentionAs(first.start, first.end, first.text), name, ""),
    };
  }

  /** Says how `uint x` is written, and gives the type by its name in WGSL. */
  protected typeBeforeName(type: IdentifierExpr, name: Name, before: string): IdentifierExpr {
    const written = this.text.slice(type.span.start, type.span.end);
    const { node, inWgsl } = this.#arrayOfC(typeInWgsl(written), type);
    const expected = `${before}${name.text}: ${inWgsl}`;
    const place = { start: type.span.start, end: Math.max(name.span.end, this.previousEnd) };
    this.report("type-before-name", place, { expected: quote(expected) }, { fixes: [replacement(place, expected)] });
    return node;
  }

  /** `float x[4]`: the type of the array, which stands behind its name, and how WGSL writes it. */
  #arrayOfC(element: string, written: IdentifierExpr): { readonly node: IdentifierExpr; readonly inWgsl: string } {
    const { span: place } = written;
    const isSame = element === this.text.slice(place.start, place.end);
    if (!isSame) this.scoping.forgetMentions(place.start);
    let node = isSame ? written : this.mentionAs(place.start, place.end, element);
    let inWgsl = element;
    while (this.kind === Token.bracketLeft && !this.panicking) {
      const opening = this.index;
      this.advance();
      const size = this.kind === Token.bracketRight ? null : this.expression();
      this.close(Token.bracketRight, opening);
      const sizeText = size === null ? "" : `, ${this.textInTemplate(size)}`;
      inWgsl = `array<${inWgsl}${sizeText}>`;
      node = this.mentionAs(place.start, place.end, "array", size === null ? [node] : [node, size]);
    }
    return { node, inWgsl };
  }

  /** Of what cannot be known; nobody complains about it. */
  protected unknownType(): IdentifierExpr {
    const end = this.previousEnd;
    return make.identifier(this.ids, end, end, "", null);
  }

  /** Passes a type that is not what is meant. */
  protected passType(): IdentifierExpr {
    this.scoping.forgetMentions(this.typeSpecifier().start);
    return this.unknownType();
  }

  /** `= expression` of a declaration that must have it; `fixes`: what can be done where it lacks. */
  protected initializer(fixes: readonly Fix[] = []): Expr {
    if (this.acceptEqual()) {
      const value = this.expression();
      return this.kind === Token.braceLeft ? this.structLiteral(value) : value;
    }
    this.unexpected(SAY["an-initializer"], { fixes });
    return this.missingExpression();
  }

  /** A keyword of another language at the cursor. */
  protected acceptForeignKeyword(): boolean {
    return !isKeyword(this.kind) && this.#acceptForeign(foreignKeyword);
  }

  /** A word of another language at the cursor: says what WGSL has instead, passes it and gives true. */
  #acceptForeign(inWgsl: (word: string) => MessageValue | null): boolean {
    const word = this.tokenText();
    const expected = inWgsl(word);
    if (expected === null) return false;
    this.report("foreign-keyword", this.tokenSpan(), { word, expected }, { fixes: this.#keywordFixes(word, expected) });
    this.advance();
    return true;
  }

  #keywordFixes(word: string, expected: MessageValue): readonly Fix[] {
    const place = this.tokenSpan();
    const text = keywordInstead(word);
    if (text !== null) return [replacement(place, text)];
    if (expected !== SAY["declaration-alone"]) return [];
    const next = this.tokenSpan(this.index + 1);
    return [removal({ start: place.start, end: next.start }, word)];
  }
}
