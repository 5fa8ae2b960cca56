/** What is kept from one visit to the next. */
import { computed, effect, signal } from "@preact/signals";

export type Theme = "light" | "dark";
export const LANGUAGES = ["en", "es", "tr"] as const;
export type Language = (typeof LANGUAGES)[number];

const KEY = "halay-studio";

interface Saved {
  readonly theme?: Theme;
  readonly language?: Language;
  readonly split?: number;
  readonly wraps?: boolean;
}

function load(): Saved {
  try {
    return understood(JSON.parse(localStorage.getItem(KEY) ?? "null"));
  } catch {
    return {}; // Storage may be forbidden; then nothing is kept.
  }
}

/** An older version may have written it, or somebody by hand. */
function understood(value: unknown): Saved {
  const { theme, language, split, wraps } = Object(value) as { readonly [K in keyof Saved]?: unknown };
  return {
    ...(theme === "light" || theme === "dark" ? { theme } : {}),
    ...(LANGUAGES.some((each) => each === language) ? { language: language as Language } : {}),
    ...(typeof split === "number" ? { split: Math.min(90, Math.max(10, split)) } : {}),
    ...(typeof wraps === "boolean" ? { wraps } : {}),
  };
}

const saved = load();
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const systemTheme = signal<Theme>(prefersDark.matches ? "dark" : "light");
const systemLanguage = LANGUAGES.find((each) => navigator.language.toLowerCase().startsWith(each)) ?? "en";

const chosenTheme = signal(saved.theme);
/** As the system has it, until somebody chooses. */
export const theme = computed(() => chosenTheme.value ?? systemTheme.value);
export const languageName = signal<Language>(saved.language ?? systemLanguage);

/** Per cent of the window that the code takes. */
export const split = signal(saved.split ?? 52);

/** Long lines go on below, instead of beyond the edge. */
export const wraps = signal(saved.wraps ?? true);

export function startSettings(): void {
  prefersDark.addEventListener("change", ({ matches }) => {
    systemTheme.value = matches ? "dark" : "light";
  });
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    document.documentElement.lang = languageName.value;
    try {
      localStorage.setItem(
        KEY,
        JSON.stringify({
          theme: chosenTheme.value,
          language: languageName.value,
          split: split.value,
          wraps: wraps.value,
        }),
      );
    } catch {
      // As above.
    }
  });
}

export function toggleTheme(): void {
  chosenTheme.value = theme.value === "dark" ? "light" : "dark";
}
