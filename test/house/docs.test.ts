import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { read, root } from "./tree.ts";

/** What stands in backticks and looks like a path: it has a slash, or it ends like a file. */
function pathsIn(text: string): string[] {
  const quoted = [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`\n]+)`/g)].map((match) => match[1]);
  return quoted.filter(
    (word) => /^\.?[\w@-][\w.@-]*(?:\/[\w.@-]*)*$/.test(word) && /\/|\.(?:ts|mjs|json|md)$/.test(word),
  );
}

test("every path that the architecture names exists", () => {
  const paths = pathsIn(read("docs/architecture.md"));
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("a path is told from a word", () => {
  expect(pathsIn("`src/text`, `npm run lint`, `Program`, `a.ts` and `.ci/run`")).toEqual([
    "src/text",
    "a.ts",
    ".ci/run",
  ]);
});
