/** What editing needs and the first diagnostic does not: loaded right after it. */
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { forEachDiagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { type Command, type EditorView, keymap } from "@codemirror/view";
import { completion } from "./completion.ts";
import { type Underlined, underlinesOf } from "./diagnostics.ts";
import { indentation } from "./indent.ts";
import { signatures } from "./signature.ts";

export const extras: Extension = [
  history(),
  indentUnit.of("  "),
  indentation,
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

export function underline(view: EditorView, known: Underlined): void {
  view.dispatch(setDiagnostics(view.state, underlinesOf(known, view.state.doc.length)));
}

export const quickFix: Command = (view) => {
  const { head } = view.state.selection.main;
  let done = false;
  forEachDiagnostic(view.state, (item, from, to) => {
    if (done || head < from || head > to || item.actions === undefined || item.actions.length === 0) return;
    item.actions[0].apply(view, from, to);
    done = true;
  });
  return done;
};
