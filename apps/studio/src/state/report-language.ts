/** What has been reported already follows the language of the interface. */
import { effect } from "@preact/signals";
import { language } from "../engine/client.ts";
import type { Said } from "../engine/protocol.ts";
import { languageName } from "./settings.ts";
import { findingsReport, profileReport, type Ran, report } from "./store.ts";

const reports = [report, findingsReport, profileReport];

export function startFollowingLanguage(): void {
  effect(() => {
    const wanted = languageName.value;
    // One report may be shown in two panels.
    for (const each of new Set(reports.map(({ value }) => value))) {
      if (each !== null && each.language !== wanted) void say(each);
    }
  });
}

async function say(given: Ran): Promise<void> {
  const wanted = languageName.peek();
  const { diagnostics, findings } = given.sayable;
  const said = await language.call("say", { items: [...diagnostics, ...findings], language: wanted });
  const next: Ran = {
    ...given,
    language: wanted,
    diagnostics: given.diagnostics.map((item, i) => saidAnew(item, said[i])),
    findings: given.findings?.map((item, i) => saidAnew(item, said[diagnostics.length + i])) ?? null,
  };
  if (languageName.peek() !== wanted) return;
  for (const each of reports) if (each.peek() === given) each.value = next;
}

type Item = Ran["diagnostics"][number];

function saidAnew<T extends Item>(item: T, { message, notes, fixes }: Said): T {
  return {
    ...item,
    message,
    notes: item.notes.map((note, i) => ({ ...note, message: notes[i] ?? note.message })),
    fixes: item.fixes.map((fix, i) => ({ ...fix, title: fixes[i] ?? fix.title })),
  };
}
