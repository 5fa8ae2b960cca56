/** What the studio opens with: a link's fragment, what `halay studio FILE` was given, or the start page. */
import { language } from "../engine/client.ts";
import { t } from "../texts/texts.ts";
import { openInstead, tell } from "./actions.ts";
import { savedFiles, startSaving } from "./autosave.ts";
import { warmUp } from "./running.ts";
import { fromFragment } from "./share.ts";
import { dataFiles, type OpenFile, panel } from "./store.ts";

/** What the command serves beside its own files. */
interface Served {
  readonly files: readonly OpenFile[];
  readonly data: Readonly<Record<string, string>>;
  readonly active: string;
}

export async function openSession(): Promise<void> {
  // Its worker starts while the rest is being put on the page.
  const nothing = { path: "", text: "", language: "en" } as const;
  void language.call("inspect", nothing);
  startSaving(await openFirst());
  addEventListener("hashchange", () => void openFragment());
  // What runs shaders comes after the first diagnostic, which it must not slow down.
  await language.call("inspect", nothing);
  const idle = globalThis.requestIdleCallback ?? ((action: () => void) => setTimeout(action, 500));
  idle(() => void warmUp());
}

/** False: what is open came with a link or from the command line. */
async function openFirst(): Promise<boolean> {
  if (await openFragment()) return false;
  if (new URLSearchParams(location.search).has("session")) {
    await openServed();
    return false;
  }
  const kept = savedFiles();
  if (kept === null) return true;
  openInstead(kept.saved.files, kept.saved.active);
  panel.value = "launch";
  return kept.isOwn;
}

async function openFragment(): Promise<boolean> {
  if (!location.hash.startsWith("#s=")) return false;
  const shared = await fromFragment(location.hash);
  if (shared === null) {
    tell(t.value.share.damaged, "error");
    return false;
  }
  openInstead(shared.files, shared.active);
  panel.value = "launch";
  return true;
}

async function openServed(): Promise<void> {
  const response = await fetch("./session.json");
  if (!response.ok) return;
  const { files, data, active } = (await response.json()) as Served;
  openInstead(files, active);
  dataFiles.value = Object.fromEntries(
    Object.entries(data).map(([name, base64]) => [name, Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))]),
  );
  panel.value = "launch";
}
