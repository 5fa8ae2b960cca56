/**
 * Every name in a text with what it stands for: the index that most services ask. Made by one walk over the tree, from
 * what analysis found out; a name that stands where nothing could be read is not in it.
 */
import type { Declaration, Entity, Program } from "../analysis/program.ts";
import type * as ast from "../syntax/ast.ts";
import { forEachOperand, forEachPart } from "../syntax/walk.ts";
import type { Span } from "../text/source.ts";
import type { Type } from "../types/type.ts";

export type Predeclared = Extract<Entity, { readonly kind: "builtin-type" | "builtin-function" | "enumerant" }>;

/** Words that mean something only where they stand. spec: #context-dependent-names */
export type Word =
  | "attribute"
  | "builtin-value"
  | "interpolation"
  | "severity"
  | "rule"
  | "enable-extension"
  | "language-extension";

export type Meaning =
  | { readonly kind: "declared"; readonly declaration: Declaration }
  | { readonly kind: "member"; readonly member: ast.StructMember }
  /** A member of the result of a builtin function: `old_value`. */
  | { readonly kind: "result-member" }
  | { readonly kind: "swizzle" }
  | { readonly kind: "predeclared"; readonly entity: Predeclared }
  | { readonly kind: "word"; readonly word: Word }
  | { readonly kind: "unknown" };

export interface NamedPlace extends Span {
  readonly text: string;
  readonly meaning: Meaning;
  readonly isDeclaration: boolean;
  /** The expression that the name is or belongs to; null where it is none. */
  readonly expression: ast.IdentifierExpr | ast.MemberExpr | null;
  /** The call that it is the callee of. */
  readonly call: ast.CallExpr | null;
}

/** What is asked of analysis about the names of a tree. */
export interface Resolved {
  /** What an identifier denotes; null: nothing that is known. */
  identifier(node: ast.IdentifierExpr): Declaration | Predeclared | null;
  /** What is behind the period; null: not known. */
  member(node: ast.MemberExpr): ast.StructMember | "result" | "swizzle" | null;
}

const WORD_ATTRIBUTES: Readonly<Record<string, Word>> = { builtin: "builtin-value", interpolate: "interpolation" };

const UNKNOWN: Meaning = { kind: "unknown" };

/** All names of a module in the order of the text, no two at one place. */
export function namesOf(text: string, module: ast.Module, resolved: Resolved): readonly NamedPlace[] {
  const walk = new NameWalk(text, resolved);
  for (const directive of module.directives) walk.directive(directive);
  for (const declaration of module.declarations) walk.declaration(declaration);
  return walk.inOrder();
}

class NameWalk {
  readonly #text: string;
  readonly #resolved: Resolved;
  readonly #found: NamedPlace[] = [];

  constructor(text: string, resolved: Resolved) {
    this.#text = text;
    this.#resolved = resolved;
  }

  inOrder(): readonly NamedPlace[] {
    const ordered = this.#found.sort((a, b) => a.start - b.start || a.end - b.end);
    // Where the parser took one text for another, two names can lie on each other.
    return ordered.filter(({ start }, at) => at === 0 || start >= ordered[at - 1].end);
  }

  #add(name: ast.Name, meaning: Meaning, isDeclaration = false): void {
    this.#place(name, meaning, isDeclaration, null, null);
  }

  #place(
    name: ast.Name,
    meaning: Meaning,
    isDeclaration: boolean,
    expression: NamedPlace["expression"],
    call: ast.CallExpr | null,
  ): void {
    const { start, end } = name.span;
    if (end === start || end - start !== name.text.length || !this.#text.startsWith(name.text, start)) return;
    this.#found.push({ start, end, text: name.text, meaning, isDeclaration, expression, call });
  }

  directive(node: ast.Directive): void {
    if (node.kind === "diagnostic") {
      this.#control(node.control);
      return;
    }
    const word = node.kind === "enable" ? "enable-extension" : "language-extension";
    for (const name of node.names) this.#add(name, { kind: "word", word });
  }

  #control({ severity, rule }: ast.DiagnosticControl): void {
    this.#add(severity, { kind: "word", word: "severity" });
    for (const name of rule) this.#add(name, { kind: "word", word: "rule" });
  }

  #attributes(list: readonly ast.Attribute[]): void {
    for (const attribute of list) {
      this.#add(attribute.name, { kind: "word", word: "attribute" });
      if (attribute.control !== null) this.#control(attribute.control);
      const { text } = attribute.name;
      const word = Object.hasOwn(WORD_ATTRIBUTES, text) ? WORD_ATTRIBUTES[text] : null;
      for (const arg of attribute.args ?? []) {
        if (word === null) this.#expression(arg);
        else if (arg.kind === "identifier") this.#add(arg.name, { kind: "word", word });
      }
    }
  }

  #declared(declaration: Declaration): void {
    this.#add(declaration.name, { kind: "declared", declaration }, true);
  }

  declaration(node: ast.GlobalDecl): void {
    switch (node.kind) {
      case "var":
      case "const":
      case "override":
        this.#variable(node);
        return;
      case "alias":
        this.#declared(node);
        this.#expression(node.type);
        return;
      case "struct":
        this.#struct(node);
        return;
      case "function":
        this.#function(node);
        return;
      case "const-assert":
        this.#expression(node.condition);
        return;
      case "error-declaration":
        return;
      default:
        node satisfies never;
    }
  }

  #variable(node: ast.VarDecl | ast.LetDecl | ast.ConstDecl | ast.OverrideDecl): void {
    this.#variableHead(node);
    if (node.initializer !== null) this.#expression(node.initializer);
  }

  /** All but the initializer. */
  #variableHead(node: ast.VarDecl | ast.LetDecl | ast.ConstDecl | ast.OverrideDecl): void {
    this.#declared(node);
    if (node.kind !== "let") this.#attributes(node.attributes);
    if (node.kind === "var") for (const part of node.template ?? []) this.#expression(part);
    if (node.type !== null) this.#expression(node.type);
  }

  #struct(node: ast.StructDecl): void {
    this.#declared(node);
    for (const member of node.members) {
      this.#attributes(member.attributes);
      this.#add(member.name, { kind: "member", member }, true);
      this.#expression(member.type);
    }
  }

  #function(node: ast.FunctionDecl): void {
    this.#declared(node);
    this.#attributes(node.attributes);
    for (const param of node.params) {
      this.#attributes(param.attributes);
      this.#declared(param);
      this.#expression(param.type);
    }
    this.#attributes(node.returnAttributes);
    if (node.returnType !== null) this.#expression(node.returnType);
    this.#statements(node.body);
  }

  /** No recursion: `else if` and blocks may be deep. */
  #statements(root: ast.Statement): void {
    const pending = [root];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node.kind === "var" || node.kind === "let" || node.kind === "const") this.#variableHead(node);
      if (hasAttributes(node)) this.#attributes(node.attributes);
      if (node.kind === "switch") this.#attributes(node.bodyAttributes);
      forEachPart(
        node,
        (part) => pending.push(part),
        (part) => this.#expression(part),
      );
    }
  }

  #expression(root: ast.Expr): void {
    const pending = [root];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node.kind === "identifier") this.#identifier(node, null);
      else if (node.kind === "call") this.#identifier(node.callee, node);
      else if (node.kind === "member") this.#place(node.member, this.#memberMeaning(node), false, node, null);
      forEachOperand(node, (part) => pending.push(part));
    }
  }

  #identifier(node: ast.IdentifierExpr, call: ast.CallExpr | null): void {
    const found = this.#resolved.identifier(node);
    let meaning = UNKNOWN;
    if (found !== null) {
      const isPredeclared = !("span" in found);
      meaning = isPredeclared ? { kind: "predeclared", entity: found } : { kind: "declared", declaration: found };
    }
    this.#place(node.name, meaning, false, node, call);
  }

  #memberMeaning(node: ast.MemberExpr): Meaning {
    const member = this.#resolved.member(node);
    if (member === null) return UNKNOWN;
    if (member === "swizzle") return { kind: "swizzle" };
    return member === "result" ? { kind: "result-member" } : { kind: "member", member };
  }
}

// ---------------------------------------------------------------- of a program

const known = new WeakMap<Program, readonly NamedPlace[]>();

/** All names of a program, in the order of the text. */
export function namesIn(program: Program): readonly NamedPlace[] {
  let names = known.get(program);
  if (names === undefined) {
    names = namesOf(program.source.text, program.module, resolvedBy(program));
    known.set(program, names);
  }
  return names;
}

function resolvedBy(program: Program): Resolved {
  return {
    identifier(node) {
      const entity = program.entityOf[node.id];
      if (entity === null) return null;
      return "declaration" in entity ? entity.declaration : entity;
    },
    member(node) {
      const info = program.memberOf[node.id];
      if (info === null) return null;
      return info.kind === "swizzle" ? "swizzle" : memberOfStruct(program, node, info.index);
    },
  };
}

function memberOfStruct(program: Program, node: ast.MemberExpr, index: number): ast.StructMember | "result" | null {
  const type = behindView(program.typeOf[node.object.id]);
  if (type?.kind !== "struct") return null;
  if (type.declaration === null) return "result";
  const entity = program.declared[type.declaration];
  return entity?.kind === "struct" ? (entity.declaration.members[index] ?? null) : null;
}

/** What a memory view or pointer gives access to; every other type itself. */
export function behindView(type: Type | null): Type | null {
  return type?.kind === "reference" || type?.kind === "pointer" ? type.store : type;
}

/** Among names in the order of the text, the one that an offset lies in or at the end of. */
export function find<Name extends Span>(names: readonly Name[], offset: number): Name | null {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (names[middle].start <= offset) low = middle + 1;
    else high = middle;
  }
  const name = names[low - 1];
  return name !== undefined && offset <= name.end ? name : null;
}

/** Whether two names stand for the same declaration or member. */
export function meansSame(a: Meaning, b: Meaning): boolean {
  if (a.kind === "declared") return b.kind === "declared" && a.declaration === b.declaration;
  return a.kind === "member" && b.kind === "member" && a.member === b.member;
}

/** What is declared, as colours and completions tell it apart. */
export function classOfDeclaration({ kind }: ast.GlobalDecl | Declaration) {
  switch (kind) {
    case "var":
      return "variable";
    case "param":
      return "parameter";
    case "function":
      return "function";
    case "struct":
    case "alias":
      return "type";
    default:
      return "constant";
  }
}

function hasAttributes(node: ast.Statement): node is Extract<ast.Statement, { readonly attributes: unknown }> {
  switch (node.kind) {
    case "compound":
    case "var":
    case "const":
    case "if":
    case "switch":
    case "loop":
    case "for":
    case "while":
      return true;
    default:
      return false;
  }
}
