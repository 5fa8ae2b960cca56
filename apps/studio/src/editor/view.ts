/** The one editor of the page: a state for each file, and what the page asks of it. */
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { effect, signal } from "@preact/signals";
import type { LanguageName } from "halay";
import { language } from "../engine/client.ts";
import type { Inspection } from "../engine/protocol.ts";
import { setText } from "../state/actions.ts";
import { commonEnds } from "../state/common-ends.ts";
import { placeNow } from "../state/followed.ts";
import { languageName } from "../state/settings.ts";
import * as store from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { type Mark, setMarked, setMemory, setNonUniform, setTokens } from "./effects.ts";
import { addExtras, extensions, refreshExtras, refreshWrapping, speak, underline } from "./setup.ts";

/** null while no editor is on the page. */
export let editor: EditorView | null = null;

export function openEditor(parent: HTMLElement): () => void {
  const states = new Map<string, EditorState>();
  let shown = "";
  let workShown = 0;
  let knownShown: Inspection | null = null;
  let memoryShown = true;
  let textsShown = t.peek();
  let hasExtras: Promise<void> | null = null;
  const shownName = signal("");
  const view = new EditorView({ parent, state: stateOf("", "") });
  editor = view;

  function stateOf(name: string, text: string): EditorState {
    return EditorState.create({ doc: text, extensions: extensions((next) => setText(name, next)) });
  }

  function showFile(): void {
    const file = store.activeFile.value;
    const name = file?.name ?? "";
    const text = file?.text ?? "";
    const { number } = store.work.value;
    if (name !== shown || number !== workShown) {
      // Undoing must not lead into other files of the same name.
      if (number !== workShown) states.clear();
      else states.set(shown, view.state);
      workShown = number;
      const known = states.get(name);
      view.setState(known !== undefined && known.doc.toString() === text ? known : stateOf(name, text));
      refreshExtras(view);
      shown = name;
      knownShown = null;
      shownName.value = name;
    } else if (view.state.doc.toString() !== text) {
      // Changed elsewhere: by the forms, a fix, another file of that name.
      view.dispatch({ changes: changed(view.state.doc.toString(), text) });
    }
  }

  function showInspection(): void {
    const known = store.inspection.value;
    const memory = store.showsMemory.value;
    const text = view.state.doc.toString();
    // Titles in the gutter are texts of the interface, which come on their own when another language is chosen.
    const isShown = known === knownShown && memory === memoryShown && t.value === textsShown;
    if (known === null || known.text !== text || isShown) return;
    [knownShown, memoryShown, textsShown] = [known, memory, t.value];
    view.dispatch({ effects: [setTokens.of(known.tokens), setMemory.of(memory ? known.memory : null)] });
    underline(view, { file: shown, text, diagnostics: known.diagnostics });
    void (hasExtras ??= addExtras(view).then(() => {
      knownShown = null;
      showInspection();
    }));
  }

  /** They follow the text by themselves; only a finding that is chosen, or another file, puts them anew. */
  function showMarks(): void {
    const name = shownName.value;
    const marks = store.marked.value.flatMap(({ found, texts, role, label }): Mark[] => {
      const place = found.path === name ? placeNow(texts, found, store.files.peek()) : null;
      return place === null ? [] : [{ from: place.from, to: place.to, role, label }];
    });
    view.dispatch({ effects: setMarked.of(marks) });
    if (marks.length > 0) reveal(marks[0].from);
  }

  const stops = [
    // One after the other: a state that is put in place knows nothing yet.
    effect(() => {
      showFile();
      showInspection();
    }),
    effect(() => {
      void shownName.value;
      speak(view);
    }),
    effect(showMarks),
    effect(() => {
      void shownName.value;
      refreshWrapping(view);
    }),
    effect(() => void showNonUniform(view, store.showsNonUniform.value, store.activeFile.value, languageName.value)),
  ];
  return () => {
    for (const stop of stops) stop();
    view.destroy();
    editor = null;
  };
}

async function showNonUniform(
  view: EditorView,
  wanted: boolean,
  file: store.OpenFile | null,
  said: LanguageName,
): Promise<void> {
  const isShader = file !== null && !store.isLaunchName(file.name);
  const ranges =
    wanted && isShader
      ? await language.call("nonUniformFlow", { path: file.name, text: file.text, language: said })
      : [];
  if (view.state.doc.toString() === (file?.text ?? "")) view.dispatch({ effects: setNonUniform.of(ranges) });
}

/** The one stretch in which two texts differ. */
function changed(before: string, after: string): { from: number; to: number; insert: string } {
  const { head, tail } = commonEnds(before, after, (i, j) => before[i] === after[j]);
  return { from: head, to: before.length - tail, insert: after.slice(head, after.length - tail) };
}

function reveal(offset: number): void {
  if (editor === null) return;
  const at = Math.min(offset, editor.state.doc.length);
  editor.dispatch({ effects: EditorView.scrollIntoView(at, { y: "center" }) });
}

/** Shows a place of a file and puts the cursor there. */
export function goToPlace(file: string, from: number, to = from): void {
  if (!store.files.value.some(({ name }) => name === file)) return;
  store.activeName.value = file;
  if (editor === null) return;
  const { length } = editor.state.doc;
  editor.dispatch({ selection: { anchor: Math.min(from, length), head: Math.min(to, length) } });
  reveal(from);
  focusEditor();
}

/** In a narrow window it has to be put on the page first. */
export function focusEditor(): void {
  const isHidden = editor?.dom.offsetParent === null;
  store.showsCode.value = true;
  editor?.focus();
  if (!isHidden) return;
  requestAnimationFrame(() => {
    if (editor === null) return;
    reveal(editor.state.selection.main.from);
    editor.focus();
  });
}
