/** Keeps what is known of each open text up to date: one question at a time to the worker, always about the newest text. */
import { effect } from "@preact/signals";
import { language } from "../engine/client.ts";
import { languageName } from "./settings.ts";
import { files, inspections, isLaunchName, type OpenFile } from "./store.ts";

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
      const result = await language.call(method, { path: file.name, text: file.text, language: languageName.peek() });
      inspections.value = { ...inspections.value, [file.name]: result };
      if (!isMarked) performance.mark("halay-first-diagnostic");
      isMarked = true;
    }
  } finally {
    isAsking = false;
  }
}

function nextStale(): OpenFile | undefined {
  return files.peek().find(({ name, text }) => {
    const known = inspections.peek()[name];
    return known === undefined || known.text !== text || known.language !== languageName.peek();
  });
}
