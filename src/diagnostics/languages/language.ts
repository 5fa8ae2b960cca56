/** What a language has to say: a text for each code. A missing one does not compile. */
import type { DiagnosticCode, FixCode, NoteCode, PhraseCode } from "../catalogue.ts";

export interface Language {
  readonly texts: Readonly<Record<DiagnosticCode, string>>;
  readonly notes: Readonly<Record<NoteCode, string>>;
  readonly fixes: Readonly<Record<FixCode, string>>;
  readonly phrases: Readonly<Record<PhraseCode, string>>;
}
