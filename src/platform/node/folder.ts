/** A folder to write into; made where it is not there. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { nodeFiles } from "./files.ts";

/** Writes files by name. Their paths. @throws FileError */
export async function writeFolder(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const writer = nodeFiles(folder);
  for (const [name, bytes] of files) await writer.write(name, bytes);
  return [...files.keys()].map((name) => join(folder, name));
}
