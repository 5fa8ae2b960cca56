/** From diagnostics to what the editor underlines, with notes and quick fixes. */
import type { Action, Diagnostic as Underline } from "@codemirror/lint";
import type { JsonDiagnostic } from "halay";
import { writeFix } from "../state/mend.ts";
import type { Texts } from "../state/store.ts";
import { t } from "../texts/texts.ts";

/** What a file and what is known of it are; until the next answer the text may go on without them. */
export interface Underlined {
  readonly file: string;
  readonly text: string;
  readonly diagnostics: readonly JsonDiagnostic[];
}

export function underlinesOf({ file, text, diagnostics }: Underlined, length: number): Underline[] {
  const texts = new Map([[file, text]]);
  return diagnostics.map((item) => ({
    from: Math.min(item.start.offset, length),
    to: Math.min(Math.max(item.end.offset, item.start.offset), length),
    severity: item.severity,
    message: item.message,
    source: item.code,
    renderMessage: () => messageOf(item),
    actions: actionsOf(item, texts),
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

function actionsOf({ fixes }: JsonDiagnostic, texts: Texts): Action[] {
  return fixes.map((fix) => ({
    name: fix.title,
    apply: (view) => {
      writeFix(fix, texts);
      view.focus();
    },
  }));
}
