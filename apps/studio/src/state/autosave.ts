/**
 * The open files from one visit to the next, on this machine: a reload loses nothing. What came with a link or from the
 * command line is kept for its tab alone, so that looking at it costs nobody what was open before.
 */
import { effect } from "@preact/signals";
import type { Shared } from "./share.ts";
import { activeName, files } from "./store.ts";

const KEY = "halay-studio-files";
const PATIENCE = 400;

/** null: nothing was kept. `isOwn` as below. */
export function savedFiles(): { readonly saved: Shared; readonly isOwn: boolean } | null {
  try {
    const ofTab = sessionStorage.getItem(KEY);
    const saved = JSON.parse(ofTab ?? localStorage.getItem(KEY) ?? "null") as Shared | null;
    return saved !== null && saved.files.length > 0 ? { saved, isOwn: ofTab === null } : null;
  } catch {
    return null; // Storage may be forbidden, or hold what an older version wrote.
  }
}

/** `isOwn`: no link and no command line said what is open. */
export function startSaving(isOwn: boolean): void {
  let timer = 0;
  const opened = files.peek();
  effect(() => {
    const session: Shared = { files: files.value, active: activeName.value };
    if (files.value === opened && !isOwn) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => save(session, isOwn), PATIENCE);
  });
}

function save(session: Shared, isOwn: boolean): void {
  try {
    const storage = isOwn ? localStorage : sessionStorage;
    if (session.files.length === 0) storage.removeItem(KEY);
    else storage.setItem(KEY, JSON.stringify(session));
    // The address would open the files as they were.
    if (!isOwn) history.replaceState(null, "", location.pathname);
  } catch {
    // Forbidden or full: nothing is kept.
  }
}
