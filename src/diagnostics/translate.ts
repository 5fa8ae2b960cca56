/** Diagnostics in another language: made anew from codes and values, whatever language they were in before. */
import "./catalogue-beyond.ts";
import { type DiagnosticCode, FIXES, NOTES, type PhraseCode, type WordsCode, wordsOf } from "./catalogue.ts";
import { type Diagnostic, fillTemplate, type Note } from "./diagnostic.ts";
import { ES } from "./languages/es.ts";
import type { Language } from "./languages/language.ts";
import { TR } from "./languages/tr.ts";

export const LANGUAGES = ["en", "es", "tr"] as const;
export type LanguageName = (typeof LANGUAGES)[number];

const OTHERS: Readonly<Record<Exclude<LanguageName, "en">, Language>> = { es: ES, tr: TR };

/** The same diagnostic with its message, notes and titles of fixes in a language. */
export function translated<Item extends Diagnostic>(item: Item, name: LanguageName): Item {
  const own = name === "en" ? null : OTHERS[name];
  const words = (code: WordsCode): string => templateOf(code, name);
  return {
    ...item,
    message: fillTemplate(words(item.code), item.args, words),
    notes: item.notes.map((note) => translatedNote(note, name)),
    fixes: item.fixes.map((fix) => ({
      ...fix,
      title: fillTemplate((own?.fixes ?? FIXES)[fix.code], fix.args, words),
    })),
  };
}

/** As `translated`, for a note alone: the way to a place, a reason why not. */
export function translatedNote<Item extends Pick<Note, "code" | "message" | "args">>(
  item: Item,
  name: LanguageName,
): Item {
  const own = name === "en" ? null : OTHERS[name];
  const message = fillTemplate((own?.notes ?? NOTES)[item.code], item.args, (code) => templateOf(code, name));
  return { ...item, message };
}

/** What a code says, with gaps for its values. */
export function templateOf(code: WordsCode, name: LanguageName): string {
  if (name === "en") return wordsOf(code);
  const { texts, phrases } = OTHERS[name];
  return code in phrases ? phrases[code as PhraseCode] : texts[code as DiagnosticCode];
}

/** The language of a locale name: `es_MX.UTF-8` is `es`; null where there are no texts in it. */
export function languageOf(locale: string): LanguageName | null {
  const [name] = locale.toLowerCase().split(/[-_.@]/);
  return LANGUAGES.find((language) => language === name) ?? null;
}
