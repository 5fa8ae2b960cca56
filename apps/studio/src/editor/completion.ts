/** Completion of what is predeclared and what the text declares. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertBracket,
} from "@codemirror/autocomplete";
import { type Extension, Prec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Completions } from "halay/ide";
import { language } from "../engine/client.ts";
import { activeName, isLaunchName } from "../state/store.ts";
import { element } from "./language.ts";

const TYPES: Readonly<Record<string, string>> = {
  "builtin-function": "function",
  function: "function",
  variable: "variable",
  parameter: "variable",
  constant: "constant",
  type: "type",
  member: "property",
  swizzle: "property",
  keyword: "keyword",
  enumerant: "enum",
};

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  if (isLaunchName(activeName.value)) return null;
  const word = context.matchBefore(/[\w@.]+/);
  if (word === null && !context.explicit) return null;
  const text = context.state.doc.toString();
  const found = await language.call("completions", { path: activeName.value, text, offset: context.pos });
  if (found.items.length === 0) return null;
  return { from: found.replace.start, to: found.replace.end, options: found.items.map(optionOf), validFor: /^\w*$/ };
}

function optionOf(item: Completions["items"][number]): Completion {
  const { label, kind, detail, documentation, isCall, rank } = item;
  return {
    label,
    type: TYPES[kind] ?? "text",
    detail,
    boost: -rank,
    ...(documentation === null ? {} : { info: () => element("div", plain(documentation)) }),
    ...(isCall ? { apply: applyCall(label) } : {}),
  };
}

/** Markdown without its marks: links by their text. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");
}

/** Where the cursor stands between parentheses that came with a name: who types one means that one. */
let completedAt = -1;

const typedOver = EditorView.inputHandler.of((_, from, to, text) => {
  const isThere = text === "(" && from === to && from === completedAt;
  completedAt = -1;
  return isThere;
});

/** With the parentheses, and the cursor between them. The closing one may be typed too, as any that came by itself. */
function applyCall(label: string): NonNullable<Completion["apply"]> {
  return (view, _, from, to) => {
    const follows = view.state.sliceDoc(to, to + 1) === "(";
    view.dispatch({
      changes: { from, to, insert: label },
      selection: { anchor: from + label.length + (follows ? 1 : 0) },
      userEvent: "input.complete",
    });
    const opened = follows ? null : insertBracket(view.state, "(");
    if (opened === null) return;
    view.dispatch(opened);
    completedAt = view.state.selection.main.head;
  };
}

export const completion: Extension = [
  Prec.high(typedOver),
  autocompletion({ override: [complete], activateOnTyping: true }),
];
