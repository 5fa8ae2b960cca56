/** Where a name is declared, and all places that name the same. */
import type { Program } from "../analysis/program.ts";
import { nameAt, placesOf } from "./name-at.ts";
import type { NamedPlace } from "./names.ts";
import type { Definition, Reference } from "./types.ts";

/** null where nothing stands that is declared in this text. */
export function definition(program: Program, offset: number): Definition | null {
  const meaning = nameAt(program, offset)?.meaning;
  if (meaning?.kind === "declared") {
    return { name: meaning.declaration.name.span, declaration: meaning.declaration.span };
  }
  return meaning?.kind === "member" ? { name: meaning.member.name.span, declaration: meaning.member.span } : null;
}

/** All places that name what is named at an offset, in the order of the text; none for what is predeclared. */
export function references(program: Program, offset: number): readonly Reference[] {
  const at = nameAt(program, offset);
  return at === null ? [] : placesOf(program, at.meaning).map(reference);
}

function reference({ start, end, isDeclaration }: NamedPlace): Reference {
  return { start, end, isDeclaration };
}
