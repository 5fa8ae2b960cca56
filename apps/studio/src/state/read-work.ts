/**
 * Reads work as the browser's storage holds it: what was changed in `localStorage`, where later visits find it, what was only
 * opened in `sessionStorage`, for a reload of its tab. Storage may be forbidden, full, or hold what nobody understands.
 */
import { type Shared, sharedOf } from "./share.ts";

export const PREFIX = "halay-studio-work:";
export const TAB = "halay-studio-tab";
export const LAST = "halay-studio-last";

export interface KeptWork extends Shared {
  readonly isOwn: boolean;
  readonly wasChanged: boolean;
  /** When, in milliseconds since 1970. */
  readonly changed: number;
  /** Names of the files for buffers, which are kept elsewhere. */
  readonly data: readonly string[];
}

/** null: nothing that is understood. */
export function keptWork(id: string): KeptWork | null {
  return (
    attempt(() => keptIn(sessionStorage.getItem(PREFIX + id))) ??
    attempt(() => keptIn(localStorage.getItem(PREFIX + id)))
  );
}

function keptIn(text: string | null): KeptWork | null {
  const value: unknown = JSON.parse(text ?? "null");
  const shared = sharedOf(value);
  if (shared === null) return null;
  const { isOwn, wasChanged, changed, data } = value as { readonly [K in keyof KeptWork]?: unknown };
  return {
    ...shared,
    isOwn: isOwn === true,
    wasChanged: wasChanged === true,
    changed: typeof changed === "number" ? changed : 0,
    data: Array.isArray(data) ? data.filter((name) => typeof name === "string") : [],
  };
}

/** What this tab had open before a reload; empty: nothing. */
export function workOfTab(): string {
  return attempt(() => sessionStorage.getItem(TAB)) ?? "";
}

/** What was changed last and is open in no other tab; empty: nothing. */
export async function lastWork(): Promise<string> {
  const id = attempt(() => localStorage.getItem(LAST)) ?? "";
  return id === "" || (await openElsewhere()).has(id) ? "" : id;
}

/** Work that some tab has open. */
export async function openElsewhere(): Promise<ReadonlySet<string>> {
  try {
    const { held = [] } = await navigator.locks.query();
    return new Set(held.map(({ name = "" }) => name.slice(PREFIX.length)));
  } catch {
    return new Set(); // Only secure contexts have locks.
  }
}

export function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}
