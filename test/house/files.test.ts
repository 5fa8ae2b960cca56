import { expect, test } from "vitest";
import { parseModule } from "./syntax.ts";
import { isGenerated, lineAt, listFiles, packageSources, read } from "./tree.ts";

/** Beyond this many lines a hand-written file is no longer read as a whole, and a function no longer understood. */
const alarm = { file: 900, function: 80 };

/** Where the specification is followed, comments say which section and why. */
const commented = ["syntax", "analysis", "ir", "engine"];
const leastCommentShare = 0.08;

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
    .filter((file) => file.lines > alarm.file);
  expect(long).toEqual([]);
});

const modules = packageSources()
  .filter((source) => !isGenerated(source.path))
  .map((source) => parseModule(source.path, source.text));

test("functions are short enough to understand, unless they are one flat switch", () => {
  const long = modules.flatMap((module) =>
    module.functions
      .filter((found) => !found.flatSwitch)
      .map((found) => ({
        place: `${module.path}:${lineAt(module.text, found.offset)}`,
        lines: lineAt(module.text, found.end) - lineAt(module.text, found.offset) + 1,
      }))
      .filter((found) => found.lines > alarm.function),
  );
  expect(long).toEqual([]);
});

test.each(commented)("%s says why it does what it does", (folder) => {
  const own = modules.filter((module) => module.path.startsWith(`src/${folder}/`));
  const lines = own.reduce((sum, module) => sum + module.text.split("\n").length, 0);
  const comments = own.reduce(
    (sum, module) => sum + module.comments.reduce((lines, comment) => lines + comment.text.split("\n").length, 0),
    0,
  );
  expect(comments).toBeGreaterThanOrEqual(lines * leastCommentShare);
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
