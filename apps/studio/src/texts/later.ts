/**
 * The texts of what is not shown at once, in the language that was chosen. Whoever shows them loads this file, and so the
 * English ones; other languages have all of theirs in one file.
 */
import { computed } from "@preact/signals";
import { enLater } from "./en-later.ts";
import { type AllTexts, type LaterTexts, type Texts, t } from "./texts.ts";

const hasAll = (texts: Texts): texts is AllTexts => "contract" in texts;

export const later = computed<LaterTexts>(() => (hasAll(t.value) ? t.value : enLater));
