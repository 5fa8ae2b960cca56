/**
 * Every code and text that halay can say, in one place. A text is a template: `{name}` stands for a value of
 * `args`. Split by layer; each file is `as const`, so that the names of a template's values are checked by the compiler.
 * Here are those that the rules of the language need; `catalogue-beyond.ts` puts in all others, for who can say them.
 *
 * House style: lower case, one sentence, no full stop, names in ‘…’, says what would be accepted.
 */
import type { ADVICE, ADVICE_NOTES, ADVICE_PHRASES } from "./catalogue-advice.ts";
import { ANALYSIS, ANALYSIS_PHRASES } from "./catalogue-analysis.ts";
import { RETURNS } from "./catalogue-builtins.ts";
import { EARLY_ADVICE } from "./catalogue-early-advice.ts";
import { EVALUATION_PHRASES } from "./catalogue-evaluation.ts";
import type { ACCESS_PHRASES, FINDING_NOTES, FINDING_PHRASES, FINDINGS } from "./catalogue-findings.ts";
import { FIX_TITLES } from "./catalogue-fixes.ts";
import type { RENAME_NOTES } from "./catalogue-ide.ts";
import type { LAUNCH, LAUNCH_PHRASES } from "./catalogue-launch.ts";
import { NOTE_TEXTS } from "./catalogue-notes.ts";
import { SYNTAX, SYNTAX_PHRASES } from "./catalogue-syntax.ts";
import { UNIFORMITY, UNIFORMITY_FIXES, UNIFORMITY_NOTES } from "./catalogue-uniformity.ts";

const CODES_OF_RULES = { ...SYNTAX, ...ANALYSIS, ...UNIFORMITY, ...EARLY_ADVICE } as const;
const NOTES_OF_RULES = { ...NOTE_TEXTS, ...UNIFORMITY_NOTES } as const;
const PHRASES_OF_RULES = { ...SYNTAX_PHRASES, ...ANALYSIS_PHRASES, ...EVALUATION_PHRASES, ...RETURNS } as const;

export const CATALOGUE = CODES_OF_RULES as typeof CODES_OF_RULES & typeof ADVICE & typeof LAUNCH & typeof FINDINGS;
export const NOTES = NOTES_OF_RULES as typeof NOTES_OF_RULES &
  typeof ADVICE_NOTES &
  typeof FINDING_NOTES &
  typeof RENAME_NOTES;
export const FIXES = { ...FIX_TITLES, ...UNIFORMITY_FIXES } as const;
/** Parts of messages that are words themselves. */
export const PHRASES = PHRASES_OF_RULES as typeof PHRASES_OF_RULES &
  typeof ADVICE_PHRASES &
  typeof ACCESS_PHRASES &
  typeof FINDING_PHRASES &
  typeof LAUNCH_PHRASES;
/** What filters reach although it is an error; empty as long as only rules are loaded. */
export const FINDING_CODES = new Set<string>();

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

/** Whether all codes are there: of an unknown one it can be said that there is none. */
export function isWhole(): boolean {
  return FINDING_CODES.size > 0;
}
