/**
 * What is loaded at once: a worker runs code that others have compiled, and who checks a text shall not wait for engines.
 */
import { posix } from "node:path";
import { expect, test } from "vitest";
import { ADVICE, ADVICE_NOTES, ADVICE_PHRASES } from "../../src/diagnostics/catalogue-advice.ts";
import { RETURNS } from "../../src/diagnostics/catalogue-builtins.ts";
import { EARLY_ADVICE } from "../../src/diagnostics/catalogue-early-advice.ts";
import { ACCESS_PHRASES, FINDING_NOTES, FINDING_PHRASES, FINDINGS } from "../../src/diagnostics/catalogue-findings.ts";
import { RENAME_NOTES } from "../../src/diagnostics/catalogue-ide.ts";
import { LAUNCH, LAUNCH_PHRASES } from "../../src/diagnostics/catalogue-launch.ts";
import { parseModule } from "./syntax.ts";
import { packageSources, read, type SourceFile } from "./tree.ts";

/** All files of ours that a script loads before it runs, itself included. */
function loadedBy(script: string): string[] {
  const found = new Set([script]);
  for (const path of found) for (const other of importsOf(path)) found.add(other);
  return [...found].sort();
}

const known = new Map<string, readonly string[]>();

function importsOf(path: string): readonly string[] {
  const own =
    known.get(path) ??
    parseModule(path, read(path)).imports.flatMap(({ specifier, typeOnly, isDynamic }) =>
      typeOnly || isDynamic || !specifier.startsWith(".") ? [] : [posix.join(posix.dirname(path), specifier)],
    );
  known.set(path, own);
  return own;
}

const engine = ["bell", "job-board", "webassembly", "worker"].map((name) => `src/engine/wasm-engine/${name}.ts`);

test.each([
  ["src/platform/node/worker.ts", []],
  ["src/platform/browser/worker.ts", ["src/platform/browser/host.ts"]],
])("%s loads no front end and no compiler", (script, own) => {
  const parameters = "src/engine/wasm/parameter-block.ts";
  expect(loadedBy(script)).toEqual([...engine, parameters, ...own, script].sort());
});

test.each(["src/index.ts", "src/browser.ts"])("%s loads no engine", (script) => {
  const engines = loadedBy(script).filter((path) => /^src\/(?:ir|engine|explore|fix)\//.test(path));
  expect(engines).toEqual([]);
});

test.each(["src/gpu.ts", "src/gpu-browser.ts"])("%s loads no checkers", (script) => {
  const checkers = loadedBy(script).filter((path) => /^src\/(?:launch|sanitize|explore|fix)\//.test(path));
  expect(checkers).toEqual([]);
});

test.each([
  ["main", /^src\/(?!cli\/|diagnostics\/|text\/|platform\/|launch\/decode)/],
  ["check", /^src\/(?:ir|engine|sanitize|explore|fix|webgpu|ide|lsp)\/|\/plan\.ts$/],
  ["reflect", /^src\/(?:ir|engine|sanitize|explore|fix|webgpu|ide|lsp)\/|\/plan\.ts$/],
  ["run", /^src\/(?:webgpu|ide|lsp)\/|\/sanitize\/sanitize\.ts$/],
  ["sanitize", /^src\/(?:webgpu|ide|lsp)\/|\/sanitize\/sanitize\.ts$/],
  ["profile", /^src\/(?:webgpu|ide|lsp)\//],
  ["studio", /^src\/(?:analysis|ir|engine|sanitize|webgpu|ide|lsp)\//],
  ["lsp", /^src\/(?:analysis|ir|engine|sanitize|webgpu|ide|lsp)\//],
])("the command line's %s loads nothing that others need", (name, foreign) => {
  expect(loadedBy(`src/cli/${name}.ts`).filter((path) => foreign.test(path))).toEqual([]);
});

// What advises is loaded by one file, which loads the texts as well.
const DOOR = "src/analysis/advice/advised.ts";
const advises = /^src\/analysis\/advice\//;
const beyond = [
  ...[ADVICE, ADVICE_NOTES, ADVICE_PHRASES, LAUNCH, LAUNCH_PHRASES],
  ...[FINDINGS, FINDING_NOTES, FINDING_PHRASES, ACCESS_PHRASES, RENAME_NOTES],
].flatMap((part) => Object.keys(part));
const codesBeyond = new Set(beyond.filter((code) => !Object.hasOwn({ ...EARLY_ADVICE, ...RETURNS }, code)));

test("who says what goes beyond the rules loads the texts for it", () => {
  const others = packageSources().filter(
    ({ path }) => !/^src\/diagnostics\/(?:catalogue|languages)/.test(path) && !advises.test(path),
  );
  const says = ({ text }: SourceFile) =>
    [...text.matchAll(/(?:diagnostic|report|note|fail|phrase)\(\s*"([\w-]+)"/g)].some(([, code]) =>
      codesBeyond.has(code),
    );
  const speakers = [DOOR, ...others.filter(says).map(({ path }) => path)];
  expect(speakers.length).toBeGreaterThan(5);
  expect(speakers.filter((path) => !loadedBy(path).includes("src/diagnostics/catalogue-beyond.ts"))).toEqual([]);
  const doors = others.flatMap(({ path }) => importsOf(path).filter((other) => advises.test(other)));
  expect([...new Set(doors)]).toEqual([DOOR]);
});

test("who analyzes computes constants with our own functions, but for the first answer in a page", () => {
  const analyzes = packageSources().filter(({ text }) =>
    /import \{[^}]*\banalyze\b[^}]*\} from "[^"]*\/analyze\.ts"/.test(text),
  );
  expect(analyzes.length).toBeGreaterThan(5);
  const inexact = analyzes.filter(({ path }) => !loadedBy(path).includes("src/numeric/const-math-exact.ts"));
  expect(inexact.map(({ path }) => path)).toEqual(["src/check-rules.ts"]);
});
