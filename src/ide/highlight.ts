/** Colours: each token with what it is, by the lexer and by what names denote. No types, so that it is quick. */
import { type NamedModule, resolveNames } from "../analysis/analyze.ts";
import { predeclared } from "../analysis/predeclared.ts";
import type { Declaration } from "../analysis/program.ts";
import { isNamed } from "../syntax/ast.ts";
import { type LexicalToken, tokenize } from "../syntax/lexer.ts";
import { Source } from "../text/source.ts";
import type { AddressSpace } from "../types/type.ts";
import { classOfDeclaration, type NamedPlace, namesOf, type Predeclared } from "./names.ts";
import type { Token, TokenClass } from "./types.ts";

/** The tokens of any text, in order; blankspace is between them. */
export function highlight(text: string): readonly Token[] {
  const named = resolveNames(new Source(text));
  const colours = new Colours(text, named);
  return tokenize(text).map((token, at, all) => colours.of(token, all[at - 1], all[at + 1]));
}

/** Of names that are not in the tree: what is declared in the module by that name. */
type ByName = ReadonlyMap<string, Declaration>;

class Colours {
  readonly #text: string;
  readonly #names: readonly NamedPlace[];
  readonly #module: ReadonlySet<unknown>;
  readonly #byName: ByName;
  #next = 0;

  constructor(text: string, { module, declarationOf, predeclaredOf }: NamedModule) {
    this.#text = text;
    this.#names = namesOf(text, module, {
      identifier: (node) => declarationOf[node.id] ?? (predeclaredOf[node.id] as Predeclared | null),
      member: () => null,
    });
    this.#module = new Set(module.declarations);
    this.#byName = new Map(module.declarations.flatMap((node) => (isNamed(node) ? [[node.name.text, node]] : [])));
  }

  of(token: LexicalToken, before: LexicalToken | undefined, after: LexicalToken | undefined): Token {
    const { start, end } = token.span;
    const plain = (as: TokenClass): Token => ({ start, end, class: as, isDeclaration: false, space: null });
    switch (token.class) {
      case "comment":
      case "number":
      case "operator":
      case "reserved-word":
      case "invalid":
        return plain(token.class);
      case "punctuation":
        return plain(this.#is(token, "@") && after !== undefined && isWordLike(after) ? "attribute" : "punctuation");
      case "keyword":
        if (this.#is(before, "@")) return plain("attribute");
        return plain(/^(?:enable|requires|diagnostic)$/.test(this.#word(token)) ? "directive" : "keyword");
      case "identifier": {
        const name = this.#nameAt(start, end);
        return name === null ? plain(this.#loose(token, before, after)) : this.#named(name, before, after);
      }
      default:
        return token.class satisfies never;
    }
  }

  #word({ span }: LexicalToken): string {
    return this.#text.slice(span.start, span.end);
  }

  #is(token: LexicalToken | undefined, text: string): boolean {
    return token !== undefined && this.#word(token) === text;
  }

  #nameAt(start: number, end: number): NamedPlace | null {
    while (this.#next < this.#names.length && this.#names[this.#next].start < start) this.#next++;
    const name = this.#names[this.#next];
    return name?.start === start && name.end === end ? name : null;
  }

  #named(name: NamedPlace, before: LexicalToken | undefined, after: LexicalToken | undefined): Token {
    const { start, end, meaning, isDeclaration } = name;
    const token = (as: TokenClass, space: AddressSpace | null = null): Token => {
      return { start, end, class: as, isDeclaration, space };
    };
    switch (meaning.kind) {
      case "declared":
        return token(classOfDeclaration(meaning.declaration), this.#spaceOf(meaning.declaration));
      case "predeclared":
        return token(classOfPredeclared(meaning.entity));
      case "member":
      case "result-member":
      case "swizzle":
        return token("member");
      case "word":
        return token(isOfDirective(meaning.word) ? "directive" : "attribute");
      case "unknown":
        if (name.expression?.kind === "member") return token("member");
        return token(this.#loose({ class: "identifier", span: { start, end } }, before, after));
      default:
        return meaning satisfies never;
    }
  }

  #spaceOf(node: Declaration): AddressSpace | null {
    if (node.kind !== "var") return null;
    const [first] = node.template ?? [];
    if (first?.kind === "identifier") return first.name.text as AddressSpace;
    return this.#module.has(node) ? "handle" : "function";
  }

  /** A name of which nothing is known: by its neighbours, and by what bears that name elsewhere. */
  #loose(token: LexicalToken, before: LexicalToken | undefined, after: LexicalToken | undefined): TokenClass {
    if (this.#is(before, ".")) return "member";
    if (this.#is(before, "@")) return "attribute";
    const word = this.#word(token);
    const declaration = this.#byName.get(word);
    if (declaration !== undefined) return classOfDeclaration(declaration);
    const entity = predeclared(word);
    if (entity !== null) return classOfPredeclared(entity as Predeclared);
    return this.#is(after, "(") ? "function" : "variable";
  }
}

function isWordLike(token: LexicalToken): boolean {
  return token.class === "identifier" || token.class === "keyword" || token.class === "reserved-word";
}

function isOfDirective(word: string): boolean {
  return word === "enable-extension" || word === "language-extension" || word === "severity" || word === "rule";
}

function classOfPredeclared({ kind }: Predeclared): TokenClass {
  if (kind === "builtin-function") return "builtin-function";
  return kind === "builtin-type" ? "type" : "enumerant";
}
