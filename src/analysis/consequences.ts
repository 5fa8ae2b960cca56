/**
 * One mistake, one message: where the syntax is wrong, what the analysis says of it follows from that. What could not be read
 * may also declare what others use. Whatever is left out here is told once the syntax is right.
 */
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { FunctionDecl } from "../syntax/ast.ts";
import type { Parsed } from "../syntax/parser.ts";
import type { Broken } from "../syntax/parser-base.ts";
import type { Span } from "../text/source.ts";
import { ERROR, typeName } from "../types/type.ts";
import type { Context } from "./context.ts";

/** What the analysis says beside what was said of the syntax. */
export function withoutConsequences(context: Context, { diagnostics, broken }: Parsed): readonly Diagnostic[] {
  const found = context.diagnostics.sorted();
  // Warnings about the syntax have no consequences.
  if (found.length === 0 || !diagnostics.some(({ severity }) => severity === "error")) return found;
  const declared = declaredNames(context.source.text);
  const misread = diagnostics.filter(
    ({ code, span }) =>
      code === "type-before-name" && found.some((item) => item.code === "not-a-type" && isIn(item, span)),
  );
  const left = found.filter(
    (item) =>
      !isOfTheNameless(item) &&
      !(item.code === "unresolved-identifier" && declared.has(nameIn(item))) &&
      !(OF_TYPES.has(item.code) && misread.some(({ span }) => isIn(item, span))),
  );
  return broken === null ? left : new Judge(context, broken).own(left);
}

/** What is said of `a b = 1` where it is no declaration with the type first. */
const OF_TYPES: ReadonlySet<string> = new Set(["not-a-type", "count-not-constant", "duplicate-declaration"]);

/** About what has no name, where one was expected: that was told. */
const isOfTheNameless = ({ args }: Diagnostic): boolean => Object.values(args).includes("");

/** Names that are declared somewhere, as far as the text alone tells. */
function declaredNames(text: string): ReadonlySet<string> {
  const declared =
    /\b(?:fn|var(?:\s*<[^<>]*>)?|let|const|override|struct|alias)\s+([\p{XID_Start}_]\p{XID_Continue}*)/gu;
  return new Set([...text.matchAll(declared)].map(([, name]) => name));
}

const nameIn = ({ args }: Diagnostic): string => String(args.name);

const isIn = (item: Diagnostic, { start, end }: Span): boolean => start <= item.span.start && item.span.end <= end;

const UNKNOWN = typeName(ERROR);

class Judge {
  readonly #context: Context;
  readonly #broken: Broken;
  /** Unknown names that declarations without name are taken to have. */
  readonly #given = new Set<string>();

  constructor(context: Context, broken: Broken) {
    this.#context = context;
    this.#broken = broken;
  }

  /** Those that do not follow from what could not be read. */
  own(found: readonly Diagnostic[]): readonly Diagnostic[] {
    return found.filter(
      (item) => item.severity !== "error" || !(this.#isInBroken(item.span.start) || this.#follows(item)),
    );
  }

  /** By halving: there may be many parts, in order. */
  #isInBroken(offset: number): boolean {
    const { parts } = this.#broken;
    let [low, high] = [0, parts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (parts[middle].start <= offset) low = middle + 1;
      else high = middle;
    }
    return low > 0 && offset < parts[low - 1].end;
  }

  #follows(item: Diagnostic): boolean {
    if (Object.values(item.args).some((value) => typeof value === "string" && value.includes(UNKNOWN))) return true;
    switch (item.code) {
      case "unresolved-identifier":
        return this.#broken.names.has(nameIn(item)) || this.#isGiven(nameIn(item));
      case "not-a-value-name":
      case "not-a-type":
        return this.#broken.names.has(nameIn(item)) || this.#isGiven(nameIn(item));
      case "argument-count":
        return this.#hasBrokenHead((each) => each.name.text === nameIn(item));
      case "return-value-not-allowed":
        return this.#hasBrokenHead(({ start, end }) => start <= item.span.start && item.span.start < end);
      case "unknown-member":
        return this.#lacksMembers(String(item.args.type));
      case "io-attribute-not-on-entry-point":
        return this.#lacksAttributes(item.span);
      default:
        return false;
    }
  }

  #isGiven(name: string): boolean {
    if (this.#given.size < this.#broken.nameless) this.#given.add(name);
    return this.#given.has(name);
  }

  #hasBrokenHead(isMeant: (declaration: FunctionDecl) => boolean): boolean {
    const found = this.#context.module.declarations.find((each) => each.kind === "function" && isMeant(each));
    if (found?.kind !== "function") return false;
    return this.#broken.parts.some(({ start, end }) => start <= found.body.start && end >= found.start);
  }

  #lacksMembers(type: string): boolean {
    const struct = this.#context.module.declarations.find((each) => each.kind === "struct" && each.name.text === type);
    if (struct === undefined) return false;
    return this.#broken.parts.some(({ start, end }) => start <= struct.end && end >= struct.start);
  }

  /** Right before the function something could not be read. */
  #lacksAttributes({ start }: Span): boolean {
    const at = this.#context.module.declarations.find((each) => each.start <= start && start < each.end);
    return at !== undefined && this.#broken.parts.some(({ end }) => end === at.start);
  }
}
