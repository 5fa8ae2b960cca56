/** Files on disk, for launches that name them. */
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { FileError, type FileReader, type FileWriter } from "../../launch/files.ts";

/** Paths are relative to `folder`. */
export function nodeFiles(folder: string = process.cwd()): FileReader & FileWriter {
  const full = (path: string) => (path.startsWith("file:") ? fileURLToPath(path) : resolve(folder, path));
  return {
    read: (path) => named(async () => new Uint8Array(await readFile(full(path)))),
    write: (path, bytes) => named(() => writeFile(full(path), bytes), "write"),
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is no folder",
  EACCES: "access is denied",
  EPERM: "access is denied",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
  ELOOP: "its links go round in circles",
  ENAMETOOLONG: "its name is too long",
  ERR_FS_FILE_TOO_LARGE: "it is too large",
};

async function named<T>(action: () => Promise<T>, attempt: Attempt = "read"): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw new FileError(fileReason(error, attempt));
  }
}

type Attempt = "read" | "write";

/** Why a file system operation failed, in words. */
export function fileReason(error: unknown, attempt: Attempt = "read"): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  // A file that is written need not be there; its folder has to be.
  if (attempt === "write" && code === "ENOENT") return "there is no such folder";
  return REASONS[code] ?? message;
}
