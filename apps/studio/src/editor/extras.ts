/** What editing needs and the first diagnostic does not: loaded right after it. */
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { completion } from "./completion.ts";
import { signatures } from "./signature.ts";

export const extras: Extension = [
  history(),
  indentUnit.of("  "),
  bracketMatching(),
  closeBrackets(),
  highlightSelectionMatches(),
  completion,
  signatures,
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
    ...searchKeymap,
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
    // Escape first, then Tab, leaves the editor: who uses the keyboard alone is not caught in it.
    indentWithTab,
  ]),
];
