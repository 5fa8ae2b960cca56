import type { Diagnostic, LanguageName } from "halay";

/** Diagnostics with their texts in a language; the texts are loaded when they are first asked for. */
export async function inLanguage<Item extends Diagnostic>(
  items: readonly Item[],
  language: LanguageName,
): Promise<readonly Item[]> {
  if (language === "en") return items;
  const { translated } = await import("./translate.ts");
  return items.map((item) => translated(item, language));
}
