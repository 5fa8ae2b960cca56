/** Which finding is looked at, and what is done about it. */
import { batch } from "@preact/signals";
import type { JsonFinding, Severity } from "halay";
import { lineStarts, placeNow } from "./followed.ts";
import * as store from "./store.ts";

export function selectFinding(index: number | null): void {
  const finding = index === null ? undefined : store.findingsReport.value?.findings?.[index];
  batch(() => {
    store.selectedFinding.value = finding === undefined ? null : index;
    store.marked.value = finding === undefined ? [] : marksOf(finding, store.findingsReport.value!.texts);
    const first = store.marked.value[0]?.found.path;
    if (store.files.value.some(({ name }) => name === first)) store.activeName.value = first;
  });
}

function marksOf(finding: JsonFinding, texts: store.Texts): readonly store.Marked[] {
  const accesses = finding.accesses.slice(0, 2);
  if (accesses.length === 0) return [{ found: finding, texts, role: "first", label: "" }];
  return accesses.map((found, i) => ({
    found,
    texts,
    role: i === 0 ? "first" : "second",
    label: i === 0 ? "A" : "B",
  }));
}

interface Counted {
  readonly severity: Severity;
  readonly count: number;
}

/** How many there are of each severity, the gravest first; of some there are none. */
export function countedBySeverity(items: readonly { readonly severity: Severity }[]): readonly Counted[] {
  return (["error", "warning", "info"] as const)
    .map((severity) => ({ severity, count: items.filter((each) => each.severity === severity).length }))
    .filter(({ count }) => count > 0);
}

export function clearMarks(): void {
  store.selectedFinding.value = null;
  store.marked.value = [];
}

/** Writes above the line of a finding, wherever it stands by now, that it is known, and why. */
export function suppress(finding: JsonFinding, reason: string): void {
  const texts = store.findingsReport.value?.texts ?? new Map();
  const place = placeNow(texts, finding, store.files.value);
  const file = store.files.value.find(({ name }) => name === place?.file);
  if (place === null || file === undefined || reason.trim() === "") return;
  const start = lineStarts(file.text)[place.line - 1];
  const indent = /^[ \t]*/.exec(file.text.slice(start))![0];
  const comment = `${indent}// halay-allow-next-line ${finding.code} -- ${reason.trim()}\n`;
  const text = file.text.slice(0, start) + comment + file.text.slice(start);
  store.files.value = store.files.value.map((each) => (each === file ? { ...file, text } : each));
}
