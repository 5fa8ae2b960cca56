/** The extensions of every editor state. */
import { Compartment, EditorState, type Extension, Prec } from "@codemirror/state";
import {
  type Command,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { wraps } from "../state/settings.ts";
import { tell } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import type { Underlined } from "./diagnostics.ts";
import { languageServices } from "./language.ts";
import { findingMarks } from "./marks.ts";
import { memoryGutter } from "./memory-gutter.ts";
import { tokenColours } from "./tokens.ts";

/** After Escape, Tab leaves the editor: whatever else Escape did there. In milliseconds. */
const LEAVING = 2000;
const leaving = Prec.highest(
  keymap.of([
    {
      key: "Escape",
      run: (view) => {
        view.setTabFocusMode(LEAVING);
        return false;
      },
    },
  ]),
);

/** In the language of the interface. */
const spoken = new Compartment();
const spokenNow = (): Extension => [
  EditorView.contentAttributes.of({ "aria-label": t.value.editor.label }),
  EditorState.phrases.of(t.value.editor.phrases),
];

const later = new Compartment();
const wrapping = new Compartment();
const UNWRAPPED: Extension = [];
let extras: Extension = [];
let loaded: typeof import("./extras.ts") | null = null;

/** History, completion, search, underlines and all keys: put into the view as soon as they have been loaded. */
export async function addExtras(view: EditorView): Promise<void> {
  loaded = await import("./extras.ts");
  ({ extras } = loaded);
  refreshExtras(view);
}

/** A state from before it was changed has it otherwise. */
export function refreshWrapping(view: EditorView): void {
  const wanted = wraps.value ? EditorView.lineWrapping : UNWRAPPED;
  if (wrapping.get(view.state) !== wanted) view.dispatch({ effects: wrapping.reconfigure(wanted) });
}

/** Applies the first fix of what is wrong at the cursor. */
export const quickFix: Command = (view) => {
  if (loaded?.quickFix(view) !== true) tell(t.value.problems.noFix);
  return true;
};

/** Does nothing as long as that has not been loaded. */
export function underline(view: EditorView, known: Underlined): void {
  loaded?.underline(view, known);
}

/** A state from before they came lacks them. */
export function refreshExtras(view: EditorView): void {
  if (later.get(view.state) !== extras) view.dispatch({ effects: later.reconfigure(extras) });
}

/** A state from before another language was chosen speaks the old one. */
export function speak(view: EditorView): void {
  if (view.state.facet(EditorState.phrases)[0] !== t.value.editor.phrases) {
    view.dispatch({ effects: spoken.reconfigure(spokenNow()) });
  }
}

export function extensions(onText: (text: string) => void): Extension {
  return [
    memoryGutter,
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    drawSelection(),
    EditorState.allowMultipleSelections.of(true),
    EditorState.tabSize.of(2),
    tokenColours,
    findingMarks,
    languageServices,
    EditorView.contentAttributes.of({
      tabindex: "0",
      spellcheck: "false",
      autocapitalize: "off",
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onText(update.state.doc.toString());
    }),
    keymap.of([{ key: "Mod-.", run: quickFix }]),
    leaving,
    spoken.of(spokenNow()),
    later.of(extras),
    wrapping.of(wraps.peek() ? EditorView.lineWrapping : UNWRAPPED),
  ];
}
