/** Writes what `read-work.ts` reads. */
import { attempt, keptWork, LAST, PREFIX, TAB } from "./read-work.ts";
import { pairsOf } from "./share.ts";
import type { Snapshot } from "./work.ts";

/** There is too much; or the browser keeps nothing. */
export type NotKept = "full" | "forbidden";

export function whyNotKept(error: unknown): NotKept {
  return error instanceof Error && error.name === "QuotaExceededError" ? "full" : "forbidden";
}

export function keepWork(
  { work: { id, isOwn }, files, active, data }: Snapshot,
  wasChanged: boolean,
  now: number,
): "kept" | NotKept {
  const text = JSON.stringify({
    files: pairsOf(files),
    active,
    isOwn,
    wasChanged,
    changed: now,
    data: [...data.keys()],
  });
  leave(id);
  if (!wasChanged) {
    attempt(() => sessionStorage.setItem(PREFIX + id, text));
    return "kept";
  }
  try {
    localStorage.setItem(PREFIX + id, text);
    if (isOwn) localStorage.setItem(LAST, id);
  } catch (error) {
    // It may fit where nothing else lies, for a reload at least.
    attempt(() => sessionStorage.setItem(PREFIX + id, text));
    return whyNotKept(error);
  }
  attempt(() => sessionStorage.removeItem(PREFIX + id));
  return "kept";
}

/** The tab has other work now: what it only looked at before needs no reload any more. */
function leave(id: string): void {
  attempt(() => {
    const before = sessionStorage.getItem(TAB);
    if (before === id) return;
    if (before !== null && keptWork(before)?.wasChanged === false) sessionStorage.removeItem(PREFIX + before);
    sessionStorage.setItem(TAB, id);
  });
}

/** Neither a reload nor the next visit begins with it. */
export function putAside(id: string): void {
  attempt(() => {
    if (sessionStorage.getItem(TAB) === id) sessionStorage.removeItem(TAB);
  });
  attempt(() => {
    if (localStorage.getItem(LAST) === id) localStorage.removeItem(LAST);
  });
}

/** What was kept, for those who want it back. */
export function forgetWork(id: string): string {
  putAside(id);
  const text =
    attempt(() => sessionStorage.getItem(PREFIX + id)) ?? attempt(() => localStorage.getItem(PREFIX + id)) ?? "";
  for (const storage of storages()) storage.removeItem(PREFIX + id);
  return text;
}

export function rememberWork(id: string, text: string): void {
  attempt(() => localStorage.setItem(PREFIX + id, text));
}

export interface EarlierWork {
  readonly id: string;
  readonly names: readonly string[];
  readonly changed: number;
}

/** All work that is kept, the newest first. */
export function earlierWork(): readonly EarlierWork[] {
  const keys = storages().flatMap((storage) => Object.keys(storage).filter((key) => key.startsWith(PREFIX)));
  return [...new Set(keys.map((key) => key.slice(PREFIX.length)))]
    .flatMap((id) => {
      const kept = keptWork(id);
      if (kept === null || !kept.wasChanged) return [];
      return [{ id, names: kept.files.map(({ name }) => name), changed: kept.changed }];
    })
    .sort((a, b) => b.changed - a.changed);
}

/** Those that may be used. */
function storages(): readonly Storage[] {
  return [attempt(() => localStorage), attempt(() => sessionStorage)].filter((each) => each !== null);
}
