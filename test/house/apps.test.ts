/** Applications use the package as others do: what they cannot do through its public subpaths is missing from it. */
import { expect, test } from "vitest";
import { lineAt, listFiles, read } from "./tree.ts";

const sources = listFiles("apps", ".ts", ".tsx");
const manifest = JSON.parse(read("package.json")) as { readonly exports: Readonly<Record<string, unknown>> };

function specifiersIn(text: string): { specifier: string; offset: number }[] {
  const found = text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"]+)"/g);
  return [...found].map((match) => ({ specifier: match[1], offset: match.index }));
}

function problemOf(path: string, specifier: string): string | null {
  const app = path.split("/").slice(0, 2).join("/");
  if (specifier.startsWith(".")) {
    const target = new URL(specifier, `file:///${path}`).pathname.slice(1);
    return target.startsWith(`${app}/`) ? null : "leaves its application";
  }
  // Tests run in Node, with the tools of the repository.
  const isTest = path.endsWith(".test.ts");
  if (specifier.startsWith("node:")) return isTest || path.endsWith("vite.config.ts") ? null : "needs Node";
  if (specifier === "halay" || specifier.startsWith("halay/")) {
    return `.${specifier.slice("halay".length)}` in manifest.exports ? null : "is no public subpath";
  }
  const own = JSON.parse(read(`${app}/package.json`)) as { readonly devDependencies: Readonly<Record<string, string>> };
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  return name in own.devDependencies || name === "vite" || (isTest && ["vitest", "fast-check"].includes(name))
    ? null
    : "is not among its dependencies";
}

test("applications import public subpaths, their own files and their own dependencies", () => {
  expect(sources.length).toBeGreaterThan(0);
  const problems = sources.flatMap((path) => {
    const text = read(path);
    return specifiersIn(text).flatMap(({ specifier, offset }) => {
      const problem = problemOf(path, specifier);
      return problem === null ? [] : [`${path}:${lineAt(text, offset)}: ‘${specifier}’ ${problem}`];
    });
  });
  expect(problems).toEqual([]);
});

test.each([
  ["../../../src/check.ts", /leaves/],
  ["halay/analysis", /no public/],
  ["left-pad", /dependencies/],
  ["node:fs", /Node/],
])("%s is refused", (specifier, message) => {
  expect(problemOf("apps/studio/src/main.tsx", specifier)).toMatch(message);
});
