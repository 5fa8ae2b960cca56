/**
 * The name at a place, also where the text is so broken that it is not in the tree: there it stands for what bears that
 * name in scope.
 */
import { predeclared } from "../analysis/predeclared.ts";
import type { Program } from "../analysis/program.ts";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import { tokenize } from "../syntax/lexer.ts";
import type { Span } from "../text/source.ts";
import { find, type Meaning, meansSame, type NamedPlace, namesIn, type Predeclared } from "./names.ts";
import { visibleAt } from "./scope.ts";

export function nameAt(program: Program, offset: number): NamedPlace | null {
  const name = find(namesIn(program), offset);
  if (name !== null) return name;
  const word = find(looseWords(program), offset);
  return word === null ? null : looseName(program, word);
}

/** All places that name the same, in the order of the text. */
export function placesOf(program: Program, meaning: Meaning): readonly NamedPlace[] {
  const found = namesIn(program).filter((name) => meansSame(name.meaning, meaning));
  const [first] = found;
  if (first === undefined) return found;
  const loose = looseWords(program)
    .filter(({ text }) => text === first.text)
    .map((word) => looseName(program, word))
    .filter((name) => name !== null && meansSame(name.meaning, meaning));
  if (loose.length === 0) return found;
  return [...found, ...(loose as NamedPlace[])].sort((a, b) => a.start - b.start);
}

interface Word extends Span {
  readonly text: string;
}

const known = new WeakMap<Program, readonly Word[]>();

/** Identifiers that are not in the tree, without those behind a period or an `@`. */
function looseWords(program: Program): readonly Word[] {
  let words = known.get(program);
  if (words === undefined) known.set(program, (words = findLooseWords(program)));
  return words;
}

function findLooseWords(program: Program): readonly Word[] {
  if (!hasErrors(program.diagnostics)) return [];
  const { text } = program.source;
  const names = namesIn(program);
  const words: Word[] = [];
  let next = 0;
  let before = "";
  for (const { class: kind, span } of tokenize(text)) {
    const isPart = before === "." || before === "@";
    if (kind !== "comment") before = span.end === span.start + 1 ? text[span.start] : "";
    if (kind !== "identifier" || isPart) continue;
    while (next < names.length && names[next].start < span.start) next++;
    if (names[next]?.start !== span.start) words.push({ ...span, text: text.slice(span.start, span.end) });
  }
  return words;
}

function looseName(program: Program, { start, end, text }: Word): NamedPlace | null {
  const place = { start, end, text, isDeclaration: false, expression: null, call: null };
  const declaration = visibleAt(program, start).get(text);
  if (declaration !== undefined) return { ...place, meaning: { kind: "declared", declaration } };
  const entity = predeclared(text) as Predeclared | null;
  return entity === null ? null : { ...place, meaning: { kind: "predeclared", entity } };
}
