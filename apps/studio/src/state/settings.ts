/** What is kept from one visit to the next. */
import { effect, signal } from "@preact/signals";

export type Theme = "light" | "dark";
export const LANGUAGES = ["en", "es", "tr"] as const;
export type Language = (typeof LANGUAGES)[number];

const KEY = "halay-studio";

interface Saved {
  readonly theme?: Theme;
  readonly language?: Language;
  readonly split?: number;
}

function load(): Saved {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {}) as Saved;
  } catch {
    return {}; // Storage may be forbidden; then nothing is kept.
  }
}

const saved = load();
const systemTheme: Theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
const systemLanguage = LANGUAGES.find((each) => navigator.language.toLowerCase().startsWith(each)) ?? "en";

export const theme = signal<Theme>(saved.theme ?? systemTheme);
export const languageName = signal<Language>(saved.language ?? systemLanguage);

/** Per cent of the window that the code takes. */
export const split = signal(typeof saved.split === "number" ? saved.split : 52);

export function startSettings(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    document.documentElement.lang = languageName.value;
    try {
      localStorage.setItem(
        KEY,
        JSON.stringify({ theme: theme.value, language: languageName.value, split: split.value }),
      );
    } catch {
      // As above.
    }
  });
}

export function toggleTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
}
