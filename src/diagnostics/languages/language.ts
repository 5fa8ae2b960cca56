/** What a language has to say: a text for each code. A missing one does not compile, but for launch files and options. */
import type { DiagnosticCode, FixCode, NoteCode, PhraseCode } from "../catalogue.ts";
import type { LAUNCH } from "../catalogue-launch.ts";

/** What is said of launch files may be in English. */
type LaunchCode = keyof typeof LAUNCH;

export interface Language {
  readonly texts: Readonly<Record<Exclude<DiagnosticCode, LaunchCode>, string> & Partial<Record<LaunchCode, string>>>;
  readonly notes: Readonly<Record<NoteCode, string>>;
  readonly fixes: Readonly<Record<FixCode, string>>;
  readonly phrases: Readonly<Record<PhraseCode, string>>;
}
