/** What a client says in `initializationOptions`, as far as it makes sense. */
import type { CheckOptions } from "../analysis/options.ts";
import { BROWSER_NAMES, type BrowserName } from "../analysis/targets.ts";
import { type LanguageName, languageOf } from "../diagnostics/translate.ts";

export interface Settings {
  readonly check: CheckOptions;
  readonly language: LanguageName;
  readonly inlayHints: boolean;
}

export function settingsOf(options: unknown): Settings {
  const given = (typeof options === "object" && options !== null ? options : {}) as Readonly<Record<string, unknown>>;
  const target = words(given.target).filter((name): name is BrowserName => BROWSER_NAMES.includes(name as BrowserName));
  const check: CheckOptions = {
    advice: given.advice !== false,
    off: words(given.off),
    ...(target.length === 0 ? {} : { target }),
    ...(given.features === undefined ? {} : { features: words(given.features) }),
    ...(given.languageFeatures === undefined ? {} : { languageFeatures: words(given.languageFeatures) }),
  };
  const [language] = words(given.language);
  return { check, language: languageOf(language ?? "") ?? "en", inlayHints: given.inlayHints !== false };
}

function words(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((word) => typeof word === "string");
}
