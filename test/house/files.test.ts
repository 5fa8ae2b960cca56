import { expect, test } from "vitest";
import { isGenerated, lineAt, listFiles, read } from "./tree.ts";

/** Beyond this many lines a hand-written file is no longer read as a whole. */
const alarm = 900;

/** Spelled in parts, so that this file does not find itself. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/\b(?:test|it|describe|suite)\.(?:skip|todo|only)\b/g, "skipped or focused test: assert today's answer, write why"],
  [new RegExp(`@ts-${"(?:ignore|nocheck|expect-error)"}`, "g"), "switched-off type check"],
  [new RegExp(`biome-${"ignore-all"}`, "g"), "a whole file without lint"],
];

const handWritten = ["src", "test", "tools"]
  .flatMap((folder) => listFiles(folder, ".ts", ".mjs", ".js"))
  .filter((path) => !isGenerated(path));

test("files are short enough to read", () => {
  const long = handWritten
    .map((path) => ({ path, lines: read(path).split("\n").length }))
    .filter((file) => file.lines > alarm);
  expect(long).toEqual([]);
});

test("no test is skipped and no check is switched off", () => {
  const found = handWritten.flatMap((path) => {
    const text = read(path);
    return forbidden.flatMap(([pattern, why]) =>
      [...text.matchAll(pattern)].map((match) => `${path}:${lineAt(text, match.index)}: ${match[0]}: ${why}`),
    );
  });
  expect(found).toEqual([]);
});

test("no committed text names a path of one machine", () => {
  const machinePath = new RegExp(`(?:^|[^\\w.])/(?:${["work", "root", "home"].join("|")})/[\\w.]`, "m");
  const texts = [...handWritten, ...listFiles("docs", ".md"), ...listFiles("examples", ".md", ".json", ".wgsl")];
  expect(texts.filter((path) => machinePath.test(read(path)))).toEqual([]);
});
