/** Keeps what is known of each open text up to date: one question at a time to the worker, always about the newest text. */
import { effect } from "@preact/signals";
import { language } from "../engine/client.ts";
import { tellUnexpected } from "./actions.ts";
import { languageName } from "./settings.ts";
import { files, inspections, isLaunchName, type OpenFile } from "./store.ts";

/** Of a text over which the worker broke: the next ones have their turn. */
const NOTHING = { isWhole: true, tokens: [], diagnostics: [], reflection: null, memory: { accesses: [], regions: [] } };

let isAsking = false;
/** The first answer has its mark, which tests and measurements read. */
let isMarked = false;

export function startInspecting(): void {
  effect(() => {
    void files.value;
    void languageName.value;
    void ask();
  });
}

async function ask(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  try {
    for (let file = nextStale(); file !== undefined; file = nextStale()) {
      const method = isLaunchName(file.name) ? "inspectLaunch" : "inspect";
      const isSecond = inspections.peek().get(file.name)?.text === file.text;
      const input = { path: file.name, text: file.text, language: languageName.peek(), isSecond };
      const result = await language.call(method, input).catch((error: Error) => {
        tellUnexpected(error.message);
        // What is known of this very text stays: the advice alone may have failed.
        const known = inspections.peek().get(file.name);
        return known?.text === file.text
          ? { ...known, language: input.language, isWhole: true }
          : { ...input, ...NOTHING };
      });
      inspections.value = new Map(inspections.value).set(file.name, result);
      if (!isMarked) performance.mark("halay-first-diagnostic");
      isMarked = true;
    }
  } finally {
    isAsking = false;
  }
}

function nextStale(): OpenFile | undefined {
  return files.peek().find(({ name, text }) => {
    const known = inspections.peek().get(name);
    return known === undefined || known.text !== text || known.language !== languageName.peek() || !known.isWhole;
  });
}
