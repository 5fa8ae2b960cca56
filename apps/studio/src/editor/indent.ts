/** Where a new line begins: one step further in behind a bracket that opens, one less at one that closes. */
import { getIndentUnit, type IndentContext, indentOnInput, indentService } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";

const OPENS = /[{([]\s*(?:\/\/.*)?$/;
const CLOSES = /^\s*[})\]]/;

function indentationAt(context: IndentContext, position: number): number {
  const { simulatedBreak } = context;
  const isBroken = simulatedBreak === position;
  const before = isBroken ? context.lineAt(position, -1) : lineBefore(context, position);
  if (before === null) return 0;
  const after = isBroken ? context.textAfterPos(position) : context.lineAt(position).text;
  const steps = (OPENS.test(before.text) ? 1 : 0) - (CLOSES.test(after) ? 1 : 0);
  return Math.max(0, context.lineIndent(before.from, isBroken ? -1 : 1) + steps * getIndentUnit(context.state));
}

/** The last line before that of a position that has any text; null: there is none. */
function lineBefore(
  { state }: IndentContext,
  position: number,
): { readonly text: string; readonly from: number } | null {
  for (let { number } = state.doc.lineAt(position); number > 1; number--) {
    const line = state.doc.line(number - 1);
    if (line.text.trim() !== "") return line;
  }
  return null;
}

export const indentation: Extension = [
  indentService.of(indentationAt),
  indentOnInput(),
  EditorState.languageData.of(() => [{ indentOnInput: /^\s*[})\]]$/, commentTokens: { line: "//" } }]),
];
