/** From diagnostics to what the editor underlines, with notes and quick fixes. */
import type { Action, Diagnostic as Underline } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import type { JsonDiagnostic } from "halay";
import { t } from "../texts/texts.ts";

export function underlinesOf(diagnostics: readonly JsonDiagnostic[], length: number): Underline[] {
  return diagnostics.map((item) => ({
    from: Math.min(item.start.offset, length),
    to: Math.min(Math.max(item.end.offset, item.start.offset), length),
    severity: item.severity,
    message: item.message,
    source: item.code,
    renderMessage: () => messageOf(item),
    actions: actionsOf(item),
  }));
}

function messageOf(item: JsonDiagnostic): HTMLElement {
  const dom = document.createElement("div");
  dom.append(item.message);
  for (const note of item.notes) {
    const line = dom.appendChild(document.createElement("div"));
    line.className = "diagnostic-note";
    line.textContent = `${t.value.problems.line(note.start.line)}: ${note.message}`;
  }
  return dom;
}

function actionsOf({ fixes }: JsonDiagnostic): Action[] {
  return fixes.map((fix) => ({ name: fix.title, apply: (view) => applyEdits(view, fix.edits) }));
}

type Edits = JsonDiagnostic["fixes"][number]["edits"];

export function applyEdits(view: EditorView, edits: Edits): void {
  view.dispatch({
    changes: edits.map(({ start, end, text }) => ({ from: start.offset, to: end.offset, insert: text })),
    userEvent: "input.fix",
  });
  view.focus();
}
