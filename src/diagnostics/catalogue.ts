/**
 * Every code and text that halay can say, in one place. A text is a template: `{name}` stands for a value of
 * `args`. Split by layer; each file is `as const`, so that the names of a template's values are checked by the compiler.
 *
 * House style: lower case, one sentence, no full stop, names in ‘…’, says what would be accepted.
 */
import { ADVICE, ADVICE_NOTES, ADVICE_PHRASES } from "./catalogue-advice.ts";
import { ANALYSIS, ANALYSIS_PHRASES } from "./catalogue-analysis.ts";
import { EVALUATION_PHRASES } from "./catalogue-evaluation.ts";
import { ACCESS_PHRASES, FINDING_NOTES, FINDING_PHRASES, FINDINGS } from "./catalogue-findings.ts";
import { FIX_TITLES } from "./catalogue-fixes.ts";
import { RENAME_NOTES } from "./catalogue-ide.ts";
import { LAUNCH, LAUNCH_PHRASES } from "./catalogue-launch.ts";
import { NOTE_TEXTS } from "./catalogue-notes.ts";
import { SYNTAX, SYNTAX_PHRASES } from "./catalogue-syntax.ts";
import { UNIFORMITY, UNIFORMITY_FIXES, UNIFORMITY_NOTES } from "./catalogue-uniformity.ts";

export const CATALOGUE = { ...SYNTAX, ...ANALYSIS, ...UNIFORMITY, ...ADVICE, ...LAUNCH, ...FINDINGS } as const;
export const NOTES = {
  ...NOTE_TEXTS,
  ...UNIFORMITY_NOTES,
  ...ADVICE_NOTES,
  ...FINDING_NOTES,
  ...RENAME_NOTES,
} as const;
export const FIXES = { ...FIX_TITLES, ...UNIFORMITY_FIXES } as const;
/** Parts of messages that are words themselves. */
export const PHRASES = {
  ...SYNTAX_PHRASES,
  ...ANALYSIS_PHRASES,
  ...ADVICE_PHRASES,
  ...ACCESS_PHRASES,
  ...FINDING_PHRASES,
  ...LAUNCH_PHRASES,
  ...EVALUATION_PHRASES,
} as const;

export type DiagnosticCode = keyof typeof CATALOGUE;
export type NoteCode = keyof typeof NOTES;
export type FixCode = keyof typeof FIXES;
export type PhraseCode = keyof typeof PHRASES;

/** What a message may hold beside names and numbers: a phrase, or what another diagnostic says. */
export type WordsCode = PhraseCode | DiagnosticCode;

/** What a code says, with gaps for its values. */
export function wordsOf(code: WordsCode): string {
  return code in PHRASES ? PHRASES[code as PhraseCode] : CATALOGUE[code as DiagnosticCode].text;
}
