/** How examples are called in the interface. */
import { t } from "../texts/texts.ts";

export function exampleTitle(name: string): string {
  const words = name.replace(/-/g, " ");
  return words[0].toUpperCase() + words.slice(1);
}

export function exampleText(name: string): string {
  const texts = t.value.examples as Readonly<Record<string, string>>;
  return texts[name] ?? "";
}
