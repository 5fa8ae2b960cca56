/** Files on disk, for launches that name them. */
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { FileError, type FileReader, type FileWriter } from "../../launch/files.ts";
import { type Attempt, reasonOf } from "./file-reason.ts";

/** Paths are relative to `folder`. */
export function nodeFiles(folder: string = process.cwd()): FileReader & FileWriter {
  const full = (path: string) => (path.startsWith("file:") ? fileURLToPath(path) : resolve(folder, path));
  return {
    read: (path) => named(async () => new Uint8Array(await readFile(full(path)))),
    write: (path, bytes) => named(() => writeFile(full(path), bytes), "write"),
  };
}

async function named<T>(action: () => Promise<T>, attempt: Attempt = "read"): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw new FileError(reasonOf(error, attempt));
  }
}
