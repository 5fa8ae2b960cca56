/** The two accesses of a finding: told apart by letter and line style, not by colour alone. */
import { type Extension, type Range, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { type Mark, setMarked } from "./effects.ts";

class Letter extends WidgetType {
  readonly letter: string;
  readonly role: string;

  constructor(letter: string, role: string) {
    super();
    this.letter = letter;
    this.role = role;
  }

  override eq(other: Letter): boolean {
    return other.letter === this.letter && other.role === this.role;
  }

  override toDOM(): HTMLElement {
    const dom = document.createElement("span");
    dom.className = `access-letter access-${this.role}`;
    dom.textContent = this.letter;
    return dom;
  }
}

function decorations(marked: readonly Mark[], length: number): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  for (const { from, to, role, label } of marked) {
    const end = Math.min(to, length);
    if (from >= end) continue;
    ranges.push(Decoration.mark({ class: `access access-${role}` }).range(from, end));
    if (label !== "") ranges.push(Decoration.widget({ widget: new Letter(label, role), side: -1 }).range(from));
  }
  return Decoration.set(ranges, true);
}

export const findingMarks: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    let next = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setMarked)) next = decorations(effect.value, transaction.newDoc.length);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});
