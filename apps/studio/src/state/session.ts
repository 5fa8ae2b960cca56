/** What the studio opens with: a link's fragment, what `halay studio FILE` was given, what was kept, or the start page. */
import { language } from "../engine/client.ts";
import { loadAll } from "../parts/lazy.tsx";
import { t } from "../texts/texts.ts";
import { keptWork, lastWork, workOfTab } from "./read-work.ts";
import { warmUp } from "./running.ts";
import { bytesOfBase64, fromFragment } from "./share.ts";
import { type OpenFile, tell } from "./store.ts";
import { isChanged, openInstead, snapshot } from "./work.ts";

/** What the command serves beside its own files. */
interface Served {
  readonly files: readonly OpenFile[];
  readonly data: Readonly<Record<string, string>>;
  readonly active: string;
}

export async function openSession(): Promise<void> {
  // Its worker starts while the rest is being put on the page.
  const nothing = { path: "", text: "", language: "en", isSecond: false } as const;
  const asking = () => language.call("inspect", nothing).catch(() => {});
  const isAnswering = asking();
  await openFirst();
  addEventListener("hashchange", () => void followAddress());
  // What runs shaders, and what keeps files, comes after the first diagnostic, which it must not slow down.
  await isAnswering;
  await asking();
  (await import("./keeping.ts")).startKeeping();
  const idle = globalThis.requestIdleCallback ?? ((action: () => void) => setTimeout(action, 500));
  idle(() => void loadTheRest());
}

async function loadTheRest(): Promise<void> {
  await warmUp();
  // What names, completion and launch files ask for is one part.
  await language.call("rename", { path: "", text: "", offset: 0, name: "", language: "en" }).catch(() => {});
  await loadAll();
}

async function openFirst(): Promise<void> {
  if (await openFragment()) return;
  if (new URLSearchParams(location.search).has("session") && (await openServed())) return;
  if (openKept(workOfTab()) || openKept(await lastWork())) return;
  openInstead([]);
}

/** To a link, and back from it where nothing came of it. */
async function followAddress(): Promise<void> {
  const now = snapshot();
  if (!(await openFragment()) && location.hash === "" && !now.work.isOwn && !isChanged(now)) openKept(workOfTab());
}

/** False: nothing is kept under that name. */
export function openKept(id: string): boolean {
  const kept = keptWork(id);
  if (kept === null) return false;
  openInstead(kept.files, { ...kept, data: new Map(), id });
  return true;
}

/** Whatever is open stays in its place: going back leads to it. */
async function openFragment(): Promise<boolean> {
  const { hash } = location;
  const shared = await fromFragment(hash);
  // Another link may have come meanwhile.
  if (shared === null || location.hash !== hash) return false;
  if (typeof shared === "string") {
    tell(shared === "damaged" ? t.value.work.linkDamaged : t.value.work.linkTooLarge, "error");
    return false;
  }
  openInstead(shared.files, { active: shared.active, isOwn: false });
  return true;
}

async function openServed(): Promise<boolean> {
  try {
    const response = await fetch("./session.json");
    const { files, data, active } = (await response.json()) as Served;
    const named = Object.entries(data).map(([name, base64]) => [name, bytesOfBase64(base64)] as const);
    openInstead(files, { active, data: new Map(named), isOwn: false });
    return true;
  } catch {
    return false; // Another server stands where the command was.
  }
}
