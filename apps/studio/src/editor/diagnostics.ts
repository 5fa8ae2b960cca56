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
  return fixes.map((fix) => ({ name: fix.title, apply: (view) => applyEdits(view, fix.edits.map(editOf)) }));
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function editOf({ start, end, text }: JsonDiagnostic["fixes"][number]["edits"][number]): Edit {
  return { from: start.offset, to: end.offset, text };
}

export function applyEdits(view: EditorView, edits: readonly Edit[]): void {
  view.dispatch({
    changes: edits.map(({ from, to, text }) => ({ from, to, insert: text })),
    userEvent: "input.fix",
  });
  view.focus();
}
