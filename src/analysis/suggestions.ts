/** Ways out where a name is none of those that can stand at its place. */
import { type DiagnosticExtras, note, replacement } from "../diagnostics/diagnostic.ts";
import { isSameWord, nearestName } from "../text/nearest.ts";
import type { Span } from "../text/source.ts";

/** Lists of more names than this say nothing. */
const MOST_LISTED = 24;

/** The nearest of `names`; where none is near, all of them, if they are `listed`. `mark` is what is written before a name. */
export function suggested(
  wrong: string,
  names: readonly string[],
  place: Span,
  { listed = false, mark = "" } = {},
): DiagnosticExtras {
  const near = nearestName(wrong, names);
  if (near !== null) return meant(wrong, near, place, mark);
  if (!listed || names.length > MOST_LISTED) return {};
  return { notes: [note("builtin-values", place, { names: names.join(", ") })] };
}

/** That `near` may have been meant by the name at `place`; with the edit where nothing else can have been. */
export function meant(wrong: string, near: string, place: Span, mark = ""): DiagnosticExtras {
  const notes = [note("did-you-mean", place, { name: mark + near })];
  return isSameWord(wrong, near) ? { notes, fixes: [replacement(place, near)] } : { notes };
}
