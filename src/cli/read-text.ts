/** Texts of files, or why they cannot be read. */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { decode, LARGEST_TEXT, type ReadText, tooLarge, unreadable } from "../launch/decode.ts";
import { reasonOf } from "../platform/node/file-reason.ts";
import { nearestName } from "../text/nearest.ts";

export function readTextFile(path: string, cwd: string): ReadText {
  const full = resolve(cwd, path);
  try {
    const stats = statSync(full);
    if (stats.size > LARGEST_TEXT) return tooLarge(path, stats.size);
    const isSized = stats.isFile() || stats.isDirectory();
    return decode(isSized ? readFileSync(full) : readStream(full), path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return unreadable(path, reasonOf(error), code === "ENOENT" ? nearPath(path, cwd) : null);
  }
}

/** What a pipe or a device gives: it may have no end. */
function readStream(path: string): Uint8Array {
  const file = openSync(path, "r");
  try {
    const chunks: Uint8Array[] = [];
    for (let left = LARGEST_TEXT + 1; left > 0; ) {
      const chunk = new Uint8Array(Math.min(left, 2 ** 20));
      const count = readSync(file, chunk);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      left -= count;
    }
    return Buffer.concat(chunks);
  } finally {
    closeSync(file);
  }
}

/** A path that exists and that may have been meant. */
function nearPath(path: string, cwd: string): string | null {
  const name = basename(path);
  try {
    const names = readdirSync(resolve(cwd, dirname(path)));
    const longer = names.find((other) => other === `${name}.wgsl` || other === `${name}.launch.json`);
    const near = longer ?? nearestName(name, names);
    return near === null ? null : join(dirname(path), near);
  } catch {
    return null;
  }
}
