import { ADVICE_ES, ADVICE_NOTES_ES, ADVICE_PHRASES_ES } from "./es-advice.ts";
import { ANALYSIS_ES, ANALYSIS_PHRASES_ES } from "./es-analysis.ts";
import { EVALUATION_PHRASES_ES } from "./es-evaluation.ts";
import { FINDING_NOTES_ES, FINDING_PHRASES_ES, FINDINGS_ES } from "./es-findings.ts";
import { RENAME_NOTES_ES } from "./es-ide.ts";
import { LAUNCH_ES, LAUNCH_PHRASES_ES } from "./es-launch.ts";
import { FIXES_ES, NOTES_ES } from "./es-notes.ts";
import { SYNTAX_ES, SYNTAX_PHRASES_ES } from "./es-syntax.ts";
import { UNIFORMITY_ES, UNIFORMITY_NOTES_ES } from "./es-uniformity.ts";
import type { Language } from "./language.ts";

export const ES: Language = {
  texts: { ...SYNTAX_ES, ...ANALYSIS_ES, ...UNIFORMITY_ES, ...ADVICE_ES, ...LAUNCH_ES, ...FINDINGS_ES },
  notes: { ...NOTES_ES, ...UNIFORMITY_NOTES_ES, ...ADVICE_NOTES_ES, ...FINDING_NOTES_ES, ...RENAME_NOTES_ES },
  fixes: FIXES_ES,
  phrases: {
    ...SYNTAX_PHRASES_ES,
    ...ANALYSIS_PHRASES_ES,
    ...ADVICE_PHRASES_ES,
    ...FINDING_PHRASES_ES,
    ...LAUNCH_PHRASES_ES,
    ...EVALUATION_PHRASES_ES,
  },
};
