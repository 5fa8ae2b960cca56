/** Which piece of work is open, and how one takes the place of another: what was there before is kept, and can be had again. */
import { batch } from "@preact/signals";
import { t } from "../texts/texts.ts";
import { activate, forgetResults, openFiles } from "./actions.ts";
import { stop } from "./running.ts";
import * as store from "./store.ts";

interface Opening {
  readonly active?: string;
  readonly data?: ReadonlyMap<string, Uint8Array>;
  readonly id?: string;
  readonly isOwn?: boolean;
  readonly wasChanged?: boolean;
}

/** What is open now. */
export interface Snapshot {
  readonly work: store.Work;
  readonly files: readonly store.OpenFile[];
  readonly active: string;
  readonly data: ReadonlyMap<string, Uint8Array>;
}

export function snapshot(): Snapshot {
  return {
    work: store.work.value,
    files: store.files.value,
    active: store.activeName.value,
    data: store.dataFiles.value,
  };
}

/** It is not what was opened. */
export function isEdited({ work, files, data }: Snapshot): boolean {
  return files !== work.files || data !== work.data;
}

/** Somebody made something of it that would be missed. */
export function isChanged(now: Snapshot): boolean {
  return (now.work.wasChanged || isEdited(now)) && now.files.some(({ text }) => text.trim() !== "");
}

export function newId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}

/** In place of everything that is open, which is kept. */
export function openInstead(opened: readonly store.OpenFile[], how: Opening = {}): void {
  const before = snapshot();
  stop();
  const { active, data = new Map(), id = newId(), isOwn = true, wasChanged = false } = how;
  batch(() => {
    store.files.value = [];
    store.dataFiles.value = data;
    store.inspections.value = new Map();
    store.chosenLaunch.value = "";
    forgetResults();
    openFiles(opened, active);
    store.work.value = { id, isOwn, wasChanged, files: store.files.value, data, number: before.work.number + 1 };
    store.panel.value = opened.length === 0 ? "start" : store.panel.value === "start" ? "launch" : store.panel.value;
  });
  if (!isChanged(before)) return;
  store.tell(t.value.work.kept, "info", { label: t.value.work.back, run: () => openAgain(before) });
}

export function openAgain({ work, files, active, data }: Snapshot): void {
  // The address would open what is left now.
  history.replaceState(null, "", location.pathname);
  openInstead(files, { ...work, active, data, wasChanged: true });
}

/** Closing one file after the other until none is left puts all of them aside, not the last one alone. */
let closing = { left: store.files.peek(), all: store.files.peek() };

export function closeFile(name: string): void {
  const before = store.files.value;
  const at = before.findIndex((file) => file.name === name);
  if (at < 0) return;
  // What runs of it is stopped.
  if (store.running.value?.files.includes(name) === true) stop();
  const all = closing.left === before ? closing.all : before;
  if (before.length === 1) {
    store.files.value = all;
    openInstead([]);
    return;
  }
  batch(() => {
    store.files.value = before.filter((file) => file.name !== name);
    closing = { left: store.files.value, all };
    if (store.activeName.value === name) {
      activate(store.files.value[Math.min(at, store.files.value.length - 1)].name);
    }
  });
  if (before[at].text.trim() === "") return;
  const { id } = store.work.value;
  store.tell(t.value.work.closed(name), "info", {
    label: t.value.work.undo,
    run: () => {
      if (store.work.value.id !== id || store.isTaken(name)) return;
      store.files.value = [...store.files.value.slice(0, at), before[at], ...store.files.value.slice(at)];
      activate(name);
    },
  });
}
