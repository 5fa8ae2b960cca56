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

/** A note alone, as the way to a place or a reason why not. */
export async function noteInLanguage<Item extends Pick<Diagnostic["notes"][number], "code" | "message" | "args">>(
  item: Item,
  language: LanguageName,
): Promise<Item> {
  return language === "en" ? item : (await import("./translate.ts")).translatedNote(item, language);
}
