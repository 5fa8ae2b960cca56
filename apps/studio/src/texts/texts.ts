/** The texts of the interface in the language that was chosen. English is there from the start, others come when asked for. */
import { effect, signal } from "@preact/signals";
import { type Language, languageName } from "../state/settings.ts";
import { en } from "./en.ts";
import type { enLater } from "./en-later.ts";

/** Every language has every text: one that is missing does not compile. */
export type Texts = typeof en;
export type LaterTexts = typeof enLater;
export type AllTexts = Texts & LaterTexts;

const load: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => en,
  es: async () => (await import("./es.ts")).es,
  tr: async () => (await import("./tr.ts")).tr,
};

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", es: "Español", tr: "Türkçe" };

export const t = signal<Texts>(en);

export function startTexts(): void {
  effect(() => {
    const wanted = languageName.value;
    void load[wanted]().then((texts) => {
      if (languageName.peek() === wanted) t.value = texts;
    });
  });
}
