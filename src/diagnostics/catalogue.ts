/**
 * Every code and text that halay can say, in one place. A text is a template: `{name}` stands for a value of
 * `args`. Split by layer; each file is `as const`, so that the names of a template's values are checked by the compiler.
 *
 * House style: lower case, one sentence, no full stop, names in ‘…’, says what would be accepted.
 */
import { ADVICE, ADVICE_NOTES } from "./catalogue-advice.ts";
import { ANALYSIS } from "./catalogue-analysis.ts";
import { FINDING_NOTES, FINDINGS } from "./catalogue-findings.ts";
import { FIX_TITLES } from "./catalogue-fixes.ts";
import { LAUNCH } from "./catalogue-launch.ts";
import { NOTE_TEXTS } from "./catalogue-notes.ts";
import { SYNTAX } from "./catalogue-syntax.ts";
import { UNIFORMITY, UNIFORMITY_FIXES, UNIFORMITY_NOTES } from "./catalogue-uniformity.ts";

export const CATALOGUE = { ...SYNTAX, ...ANALYSIS, ...UNIFORMITY, ...ADVICE, ...LAUNCH, ...FINDINGS } as const;
export const NOTES = { ...NOTE_TEXTS, ...UNIFORMITY_NOTES, ...ADVICE_NOTES, ...FINDING_NOTES } as const;
export const FIXES = { ...FIX_TITLES, ...UNIFORMITY_FIXES } as const;

export type DiagnosticCode = keyof typeof CATALOGUE;
export type NoteCode = keyof typeof NOTES;
export type FixCode = keyof typeof FIXES;
