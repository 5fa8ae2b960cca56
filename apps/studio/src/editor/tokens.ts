/** Colours by our own lexer: the worker's tokens as marks, moved along with the text until newer ones come. */
import { type Extension, RangeSetBuilder, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Token } from "halay/ide";
import { setTokens } from "./effects.ts";

const marks = new Map<string, Decoration>();

function markOf({ class: kind, space, isDeclaration }: Token): Decoration {
  const name = `tok-${kind}${space === null ? "" : ` space-${space}`}${isDeclaration ? " tok-declared" : ""}`;
  let mark = marks.get(name);
  if (mark === undefined) {
    mark = Decoration.mark({ class: name });
    marks.set(name, mark);
  }
  return mark;
}

function decorations(tokens: readonly Token[], length: number): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const token of tokens) {
    if (token.class === "punctuation" || token.end > length || token.start >= token.end) continue;
    builder.add(token.start, token.end, markOf(token));
  }
  return builder.finish();
}

export const tokenColours: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    let next = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setTokens)) next = decorations(effect.value, transaction.newDoc.length);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});
