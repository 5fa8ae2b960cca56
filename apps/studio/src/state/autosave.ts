/** The open files from one visit to the next, on this machine: a reload loses nothing. */
import { effect } from "@preact/signals";
import type { Shared } from "./share.ts";
import { activeName, files } from "./store.ts";

const KEY = "halay-studio-files";
const PATIENCE = 400;

/** null: nothing was kept. */
export function savedFiles(): Shared | null {
  try {
    const saved = JSON.parse(localStorage.getItem(KEY) ?? "null") as Shared | null;
    return saved !== null && saved.files.length > 0 ? saved : null;
  } catch {
    return null; // Storage may be forbidden, or hold what an older version wrote.
  }
}

export function startSaving(): void {
  let timer = 0;
  effect(() => {
    const session: Shared = { files: files.value, active: activeName.value };
    clearTimeout(timer);
    timer = window.setTimeout(() => save(session), PATIENCE);
  });
}

function save(session: Shared): void {
  try {
    if (session.files.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(session));
  } catch {
    // Forbidden or full: nothing is kept.
  }
}
