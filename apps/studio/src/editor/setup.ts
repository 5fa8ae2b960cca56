/** The extensions of every editor state. */
import { forEachDiagnostic } from "@codemirror/lint";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import {
  type Command,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { t } from "../texts/texts.ts";
import { languageServices } from "./language.ts";
import { findingMarks } from "./marks.ts";
import { memoryGutter } from "./memory-gutter.ts";
import { tokenColours } from "./tokens.ts";

/** Applies the first fix of what is wrong at the cursor. */
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

const later = new Compartment();
let extras: Extension = [];

/** History, completion, search and all keys: put into the view as soon as they have been loaded. */
export async function addExtras(view: EditorView): Promise<void> {
  ({ extras } = await import("./extras.ts"));
  refreshExtras(view);
}

/** A state from before they came lacks them. */
export function refreshExtras(view: EditorView): void {
  if (later.get(view.state) !== extras) view.dispatch({ effects: later.reconfigure(extras) });
}

export function extensions(onText: (text: string) => void): Extension {
  return [
    memoryGutter,
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    EditorState.tabSize.of(2),
    tokenColours,
    findingMarks,
    languageServices,
    EditorView.contentAttributes.of({
      "aria-label": t.value.editor.label,
      tabindex: "0",
      spellcheck: "false",
      autocapitalize: "off",
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onText(update.state.doc.toString());
    }),
    keymap.of([{ key: "Mod-.", run: quickFix }]),
    later.of(extras),
  ];
}
