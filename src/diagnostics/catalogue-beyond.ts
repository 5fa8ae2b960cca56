/**
 * Puts into the catalogue what goes beyond the rules of the language: for who advises, launches, sanitizes, renames or
 * translates. Whoever says such a thing imports this file; who asks for the rules alone, and quickly, need not load it.
 */
import { CATALOGUE, FINDING_CODES, NOTES, PHRASES } from "./catalogue.ts";
import { ADVICE, ADVICE_NOTES, ADVICE_PHRASES } from "./catalogue-advice.ts";
import { ACCESS_PHRASES, FINDING_NOTES, FINDING_PHRASES, FINDINGS } from "./catalogue-findings.ts";
import { RENAME_NOTES } from "./catalogue-ide.ts";
import { LAUNCH, LAUNCH_PHRASES } from "./catalogue-launch.ts";

Object.assign(CATALOGUE, ADVICE, LAUNCH, FINDINGS);
Object.assign(NOTES, ADVICE_NOTES, FINDING_NOTES, RENAME_NOTES);
Object.assign(PHRASES, ADVICE_PHRASES, ACCESS_PHRASES, FINDING_PHRASES, LAUNCH_PHRASES);
for (const code of Object.keys(FINDINGS)) FINDING_CODES.add(code);
