/** All open files, handed to the browser at once. */
import { download } from "../parts/download.ts";
import { freeName } from "./names.ts";
import type { Snapshot } from "./work.ts";
import { writtenText } from "./written.ts";
import { zip } from "./zip.ts";

export function saveAll({ files, data }: Pick<Snapshot, "files" | "data">): void {
  const all = new Map<string, Uint8Array>();
  const add = (name: string, bytes: Uint8Array) => {
    // An archive must not lead out of its folder.
    const inside = name.replace(/^([a-z]:)?\/+/i, "").replace(/(^|\/)\.\.(?=\/|$)/g, "$1_");
    all.set(
      freeName(inside, (each) => all.has(each)),
      bytes,
    );
  };
  for (const file of files) add(file.name, new TextEncoder().encode(writtenText(file)));
  for (const [name, bytes] of data) add(name, bytes);
  if (all.size === 0) return;
  const [[name, bytes]] = all;
  if (all.size === 1) download(name.replace(/^.*\//, ""), bytes);
  else download("halay-files.zip", zip(all));
}
