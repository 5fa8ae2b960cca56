/** What the house tests read: the repository's own files as text. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

export interface SourceFile {
  /** Path from the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const ignoredFolders = new Set(["node_modules", "dist", "coverage", ".git", ".gl", ".carry"]);

/** Every file below `folder` (relative to the root) whose name ends in one of `endings`, in a stable order. */
export function listFiles(folder: string, ...endings: readonly string[]): string[] {
  const found: string[] = [];
  const visit = (directory: string) => {
    for (const name of readdirSync(directory).sort()) {
      if (ignoredFolders.has(name)) continue;
      const path = join(directory, name);
      if (statSync(path).isDirectory()) visit(path);
      else if (endings.some((ending) => name.endsWith(ending))) found.push(relative(root, path).split(sep).join("/"));
    }
  };
  if (existsSync(join(root, folder))) visit(join(root, folder));
  return found;
}

export function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The sources that end up in the package: everything in `src` but its tests. */
export function packageSources(): SourceFile[] {
  return listFiles("src", ".ts")
    .filter((path) => !path.endsWith(".test.ts"))
    .map((path) => ({ path, text: read(path) }));
}

export function isGenerated(path: string): boolean {
  return /\.gen\.(ts|json)$/.test(path);
}

/** 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf("\n"); i >= 0 && i < offset; i = text.indexOf("\n", i + 1)) line++;
  return line;
}
