/** Hover, definition and rename: questions to the worker about the text as it stands. */
import type { Extension } from "@codemirror/state";
import { type Command, EditorView, hoverTooltip, keymap, type Tooltip } from "@codemirror/view";
import type { HoverPart } from "halay/ide";
import { language } from "../engine/client.ts";
import { languageName } from "../state/settings.ts";
import { activeName, dialog, isLaunchName, tell } from "../state/store.ts";
import { t } from "../texts/texts.ts";

function place(view: EditorView, offset: number) {
  return { path: activeName.value, text: view.state.doc.toString(), offset };
}

// ---------------------------------------------------------------- hover

const hover = hoverTooltip(async (view, offset): Promise<Tooltip | null> => {
  if (isLaunchName(activeName.value)) return null;
  const found = await language.call("hover", { ...place(view, offset), language: languageName.value });
  if (found === null) return null;
  return {
    pos: found.start,
    end: found.end,
    above: true,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "hover-card";
      for (const part of found.parts) dom.append(domOf(part));
      return { dom };
    },
  };
});

function domOf(part: HoverPart): HTMLElement {
  const dom = document.createElement("div");
  dom.className = `hover-${part.kind}`;
  switch (part.kind) {
    case "declaration":
    case "signature":
    case "needs":
      dom.append(element("code", part.code));
      break;
    case "value":
      dom.append(element("code", `= ${part.text}`));
      break;
    case "layout":
      dom.textContent = t.value.editor.layout(part);
      break;
    case "comment":
    case "returns":
      dom.textContent = part.text;
      break;
    case "specification": {
      const link = element("a", `${t.value.editor.specification} ${part.anchor}`) as HTMLAnchorElement;
      link.href = part.address;
      link.target = "_blank";
      link.rel = "noreferrer";
      dom.append(link);
    }
  }
  return dom;
}

export function element(name: string, text: string): HTMLElement {
  const dom = document.createElement(name);
  dom.textContent = text;
  return dom;
}

// ---------------------------------------------------------------- names

export const goToDefinition: Command = (view) => {
  void goTo(view, view.state.selection.main.head);
  return true;
};

async function goTo(view: EditorView, offset: number): Promise<void> {
  if (isLaunchName(activeName.value)) return;
  const { doc } = view.state;
  const found = await language.call("definition", place(view, offset));
  // Another file may be shown by now, or another text.
  if (view.state.doc !== doc) return;
  if (found === null) tell(t.value.editor.noDefinition);
  else view.dispatch({ selection: { anchor: found.name.start, head: found.name.end }, scrollIntoView: true });
}

export const openRename: Command = () => {
  if (!isLaunchName(activeName.value)) dialog.value = "rename";
  return true;
};

/** What is renamed at the cursor, and how often it is named; null: nothing. */
export async function nameAt(view: EditorView): Promise<{ readonly name: string; readonly count: number } | null> {
  const { doc, selection } = view.state;
  const found = await language.call("references", place(view, selection.main.head));
  const [first] = found;
  return first === undefined ? null : { name: doc.sliceString(first.start, first.end), count: found.length };
}

/** null: done; else why not. */
export async function renameTo(view: EditorView, name: string): Promise<string | null> {
  const { doc, selection } = view.state;
  const asked = { ...place(view, selection.main.head), name, language: languageName.value };
  const result = await language.call("rename", asked);
  if (!result.ok) return result.message;
  if (view.state.doc !== doc) return t.value.problems.gone;
  view.dispatch({
    changes: result.edits.map(({ span, text }) => ({ from: span.start, to: span.end, insert: text })),
    userEvent: "rename",
  });
  return null;
}

const clicks = EditorView.domEventHandlers({
  mousedown(event, view) {
    if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
    const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
    if (offset === null) return false;
    event.preventDefault();
    void goTo(view, offset);
    return true;
  },
});

export const languageServices: Extension = [
  hover,
  clicks,
  keymap.of([
    { key: "F12", run: goToDefinition },
    { key: "F2", run: openRename },
  ]),
];
