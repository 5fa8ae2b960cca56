/**
 * Each code that `check` gives has a folder `test/fixtures/CODE`: `invalid.wgsl` with the expected messages beside it in
 * `invalid.txt`, and `valid.wgsl`, which differs in that one thing and is legal. Further pairs end in `-2`, `-3` …;
 * `options.json` holds the options of `check` for the whole folder. `UPDATE=1` writes the expected messages anew.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADVICE } from "../src/diagnostics/catalogue-advice.ts";
import { ANALYSIS } from "../src/diagnostics/catalogue-analysis.ts";
import { FINDINGS } from "../src/diagnostics/catalogue-findings.ts";
import { LAUNCH } from "../src/diagnostics/catalogue-launch.ts";
import { SYNTAX } from "../src/diagnostics/catalogue-syntax.ts";
import { UNIFORMITY } from "../src/diagnostics/catalogue-uniformity.ts";
import { type CheckOptions, check, type Diagnostic, Source } from "../src/index.ts";
import { listFiles, read, root } from "./house/tree.ts";

const folder = "test/fixtures";
/** What only the making of a pipeline can say: shown in `src/analysis/overrides.test.ts`. */
const ofPipelines: ReadonlySet<string> = new Set([
  "unknown-override",
  "override-value",
  "override-missing",
  "workgroup-too-large",
  "workgroup-storage-too-large",
  "subgroup-size-divides",
]);
const codes = Object.keys({ ...SYNTAX, ...ANALYSIS, ...UNIFORMITY, ...ADVICE }).filter(
  (code) => !ofPipelines.has(code),
);
/** What is said about runs has fixtures of another kind. */
const elsewhere: ReadonlySet<string> = new Set(Object.keys({ ...LAUNCH, ...FINDINGS }));

/** Names of files by the code that they belong to. */
const files = new Map<string, string[]>();
for (const path of listFiles(folder, ".wgsl", ".txt", ".json")) {
  const [code, ...rest] = path.slice(folder.length + 1).split("/");
  if (!elsewhere.has(code)) files.set(code, [...(files.get(code) ?? []), rest.join("/")]);
}

function optionsOf(code: string): CheckOptions {
  const path = `${folder}/${code}/options.json`;
  const advice = Object.hasOwn(ADVICE, code);
  return { advice, ...(existsSync(join(root, path)) ? (JSON.parse(read(path)) as CheckOptions) : {}) };
}

/** `line:column: severity code message`, one line each. */
function compact(text: string, diagnostics: readonly Diagnostic[]): string {
  const source = new Source(text);
  const lines = diagnostics.map(({ span, severity, code, message }) => {
    const { line, column } = source.position(span.start);
    return `${line}:${column}: ${severity} ${code} ${message}\n`;
  });
  return lines.join("");
}

function pairs(code: string): string[] {
  return (files.get(code) ?? [])
    .flatMap((name) => /^invalid(-\d+)?\.wgsl$/.exec(name)?.slice(1) ?? [])
    .map((part) => part ?? "");
}

test("every code has a fixture", () => {
  expect(codes.filter((code) => pairs(code).length === 0)).toEqual([]);
});

test("every fixture belongs to a code and is complete", () => {
  const wrong = [...files].flatMap(([code, names]) => {
    if (!codes.includes(code)) return [`${code} is no code of the catalogue`];
    const wanted = pairs(code).flatMap((part) => [`invalid${part}.wgsl`, `invalid${part}.txt`, `valid${part}.wgsl`]);
    const expected = new Set([...wanted, ...names.filter((name) => name === "options.json")]);
    return [
      ...names.filter((name) => !expected.has(name)).map((name) => `${code}/${name} has no counterpart`),
      ...[...expected].filter((name) => !names.includes(name)).map((name) => `${code}/${name} is missing`),
    ];
  });
  expect(process.env.UPDATE ? wrong.filter((line) => !line.includes(".txt is missing")) : wrong).toEqual([]);
});

describe.each([...files.keys()].filter((code) => codes.includes(code)))("%s", (code) => {
  test.each(pairs(code).map((part) => [`invalid${part}.wgsl`, part]))("%s", (name, part) => {
    const text = read(`${folder}/${code}/${name}`);
    const { diagnostics } = check(text, optionsOf(code));
    const actual = compact(text, diagnostics);
    const expected = `${folder}/${code}/invalid${part}.txt`;
    if (process.env.UPDATE) writeFileSync(join(root, expected), actual);
    expect(diagnostics.map((item) => item.code as string)).toContain(code);
    expect(actual).toBe(read(expected));
  });

  test.each(pairs(code).map((part) => [`valid${part}.wgsl`]))("%s", (name) => {
    const text = read(`${folder}/${code}/${name}`);
    const { ok, diagnostics } = check(text, optionsOf(code));
    expect(
      compact(
        text,
        diagnostics.filter((item) => item.code === code || item.severity === "error"),
      ),
    ).toBe("");
    expect(ok).toBe(true);
  });
});
