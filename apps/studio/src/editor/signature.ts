/** The parameters of the call that is being written, above it. Escape puts it away. */
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, keymap, showTooltip, type Tooltip, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { SignatureHelp } from "halay/ide";
import { language } from "../engine/client.ts";
import { activeName, isLaunchName } from "../state/store.ts";
import { element } from "./language.ts";

const setTip = StateEffect.define<Tooltip | null>();

const tip = StateField.define<Tooltip | null>({
  create: () => null,
  update(value, transaction) {
    let next = value;
    for (const effect of transaction.effects) if (effect.is(setTip)) next = effect.value;
    return next;
  },
  provide: (field) => showTooltip.from(field),
});

/** Asks after each key, and forgets answers that came too late. */
const asking = ViewPlugin.fromClass(
  class {
    #asked = 0;

    update(update: ViewUpdate): void {
      const moved = update.docChanged || update.selectionSet;
      // Only who writes is helped: a click into a call asks for nothing.
      if (!moved || (!update.docChanged && update.state.field(tip) === null)) return;
      void this.#ask(update.view);
    }

    async #ask(view: EditorView): Promise<void> {
      const asked = ++this.#asked;
      const { doc, selection } = view.state;
      const offset = selection.main.head;
      const help = isLaunchName(activeName.value)
        ? null
        : await language.call("signatureHelp", { path: activeName.value, text: doc.toString(), offset });
      if (asked !== this.#asked || view.state.doc !== doc) return;
      const next = help === null || help.signatures.length === 0 ? null : tooltipOf(help, offset);
      if (next !== null || view.state.field(tip) !== null) view.dispatch({ effects: setTip.of(next) });
    }
  },
);

function tooltipOf(help: SignatureHelp, offset: number): Tooltip {
  return { pos: offset, above: true, create: () => ({ dom: domOf(help) }) };
}

function domOf({ signatures, activeSignature, activeParameter }: SignatureHelp): HTMLElement {
  const dom = element("div", "");
  dom.className = "hover-card signature";
  const { label, parameters } = signatures[Math.min(activeSignature, signatures.length - 1)];
  const active = parameters[activeParameter];
  const code = dom.appendChild(element("code", active === undefined ? label : label.slice(0, active.start)));
  if (active !== undefined) {
    code.append(element("strong", label.slice(active.start, active.end)), label.slice(active.end));
  }
  if (signatures.length > 1) dom.append(element("span", `${activeSignature + 1} / ${signatures.length}`));
  return dom;
}

export const signatures: Extension = [
  tip,
  asking,
  keymap.of([
    {
      key: "Escape",
      run: (view) => {
        if (view.state.field(tip) === null) return false;
        view.dispatch({ effects: setTip.of(null) });
        return true;
      },
    },
  ]),
];
