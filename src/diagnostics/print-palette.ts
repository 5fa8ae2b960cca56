/** Colours of a terminal, or none. */
import type { Severity } from "./diagnostic.ts";

export type Style = Severity | "frame" | "note" | "hint" | "strong" | "faint" | "good" | "bad" | "added";

/** Gives a text its style; the text itself where there are no colours. */
export type Paint = (style: Style, text: string) => string;

const CODES: Readonly<Record<Style, string>> = {
  error: "1;31",
  warning: "1;33",
  info: "1;36",
  frame: "34",
  note: "36",
  hint: "32",
  strong: "1",
  faint: "2",
  good: "32",
  bad: "31",
  added: "32",
};

export const plain: Paint = (_, text) => text;

export const coloured: Paint = (style, text) => (text === "" ? "" : `\u001b[${CODES[style]}m${text}\u001b[0m`);
