/**
 * What is loaded at once: a worker runs code that others have compiled, and who checks a text shall not wait for engines.
 */
import { posix } from "node:path";
import { expect, test } from "vitest";
import { parseModule } from "./syntax.ts";
import { read } from "./tree.ts";

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
