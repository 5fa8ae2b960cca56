import type { Language } from "./language.ts";
import { ADVICE_NOTES_TR, ADVICE_PHRASES_TR, ADVICE_TR } from "./tr-advice.ts";
import { ANALYSIS_PHRASES_TR, ANALYSIS_TR } from "./tr-analysis.ts";
import { EVALUATION_PHRASES_TR } from "./tr-evaluation.ts";
import { FINDING_NOTES_TR, FINDING_PHRASES_TR, FINDINGS_TR } from "./tr-findings.ts";
import { RENAME_NOTES_TR } from "./tr-ide.ts";
import { LAUNCH_PHRASES_TR, LAUNCH_TR } from "./tr-launch.ts";
import { FIXES_TR, NOTES_TR } from "./tr-notes.ts";
import { SYNTAX_PHRASES_TR, SYNTAX_TR } from "./tr-syntax.ts";
import { UNIFORMITY_NOTES_TR, UNIFORMITY_TR } from "./tr-uniformity.ts";

export const TR: Language = {
  texts: { ...SYNTAX_TR, ...ANALYSIS_TR, ...UNIFORMITY_TR, ...ADVICE_TR, ...LAUNCH_TR, ...FINDINGS_TR },
  notes: { ...NOTES_TR, ...UNIFORMITY_NOTES_TR, ...ADVICE_NOTES_TR, ...FINDING_NOTES_TR, ...RENAME_NOTES_TR },
  fixes: FIXES_TR,
  phrases: {
    ...SYNTAX_PHRASES_TR,
    ...ANALYSIS_PHRASES_TR,
    ...ADVICE_PHRASES_TR,
    ...FINDING_PHRASES_TR,
    ...LAUNCH_PHRASES_TR,
    ...EVALUATION_PHRASES_TR,
  },
};
