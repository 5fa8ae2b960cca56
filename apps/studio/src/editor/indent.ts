/** Where a new line begins: one step further in behind a bracket that opens, one less at one that closes. */
import { getIndentUnit, type IndentContext, indentOnInput, indentService } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";

const OPENS = /[{([]\s*(?:\/\/.*)?$/;
const CLOSES = /^\s*[})\]]/;

function indentationAt(context: IndentContext, position: number): number {
  const { state } = context;
  const line = state.doc.lineAt(position);
  const isBroken = context.simulatedBreak === position;
  const before = isBroken ? line.text.slice(0, position - line.from) : lineBefore(state, line.number);
  const after = isBroken ? context.textAfterPos(position) : line.text;
  const steps = (OPENS.test(before) ? 1 : 0) - (CLOSES.test(after) ? 1 : 0);
  const column = context.countColumn(before, before.search(/\S|$/));
  return Math.max(0, column + steps * getIndentUnit(state));
}

/** The last line before that one that has any text; empty: there is none. */
function lineBefore({ doc }: EditorState, number: number): string {
  for (let at = number - 1; at > 0; at--) {
    const { text } = doc.line(at);
    if (text.trim() !== "") return text;
  }
  return "";
}

export const indentation: Extension = [
  indentService.of(indentationAt),
  indentOnInput(),
  EditorState.languageData.of(() => [{ indentOnInput: /^\s*[})\]]$/, commentTokens: { line: "//" } }]),
];
