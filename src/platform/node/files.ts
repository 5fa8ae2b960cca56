/** Files on disk, for launches that name them. */
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type MessageValue, type Phrase, phrase, textOfValue } from "../../diagnostics/diagnostic.ts";
import { FileError, type FileReader, type FileWriter } from "../../launch/files.ts";

/** Paths are relative to `folder`. */
export function nodeFiles(folder: string = process.cwd()): FileReader & FileWriter {
  const full = (path: string) => (path.startsWith("file:") ? fileURLToPath(path) : resolve(folder, path));
  return {
    read: (path) => named(async () => new Uint8Array(await readFile(full(path)))),
    write: (path, bytes) => named(() => writeFile(full(path), bytes), "write"),
  };
}

const REASONS: Readonly<Record<string, Phrase>> = {
  ENOENT: phrase("no-such-file"),
  EISDIR: phrase("is-folder"),
  ENOTDIR: phrase("path-no-folder"),
  EACCES: phrase("access-denied"),
  EPERM: phrase("access-denied"),
  ENOSPC: phrase("disk-full"),
  EROFS: phrase("disk-read-only"),
  ELOOP: phrase("links-round"),
  ENAMETOOLONG: phrase("name-too-long"),
  ERR_FS_FILE_TOO_LARGE: phrase("too-large"),
};

async function named<T>(action: () => Promise<T>, attempt: Attempt = "read"): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw new FileError(reasonOf(error, attempt));
  }
}

type Attempt = "read" | "write";

/** Why a file system operation failed, in English words. */
export function fileReason(error: unknown, attempt: Attempt = "read"): string {
  return textOfValue(reasonOf(error, attempt));
}

/** The same for a message. */
export function reasonOf(error: unknown, attempt: Attempt = "read"): MessageValue {
  const { code = "", message } = error as NodeJS.ErrnoException;
  // A file that is written need not be there; its folder has to be.
  if (attempt === "write" && code === "ENOENT") return phrase("no-such-folder");
  return REASONS[code] ?? message;
}
