/** Completion of what is predeclared and what the text declares. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
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

/** With the parentheses, and the cursor between them. */
function applyCall(label: string): NonNullable<Completion["apply"]> {
  return (view, _, from, to) => {
    const follows = view.state.sliceDoc(to, to + 1) === "(";
    view.dispatch({
      changes: { from, to, insert: follows ? label : `${label}()` },
      selection: { anchor: from + label.length + 1 },
      userEvent: "input.complete",
    });
  };
}

export const completion: Extension = autocompletion({ override: [complete], activateOnTyping: true });
