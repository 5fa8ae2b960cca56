import { describe, expect, test } from "vitest";
import { layerViolations } from "./layers.ts";
import { packageSources } from "./tree.ts";

/** Files given as `path: text`. */
function violations(files: Readonly<Record<string, string>>): string[] {
  return layerViolations(Object.entries(files).map(([path, text]) => ({ path, text })));
}

test("the sources keep the order of folders", () => {
  const sources = packageSources();
  expect(sources.length).toBeGreaterThan(0);
  expect(layerViolations(sources)).toEqual([]);
});

describe("the rules themselves", () => {
  const a = "export const a = 1;";

  test.each([
    ["a later folder", { "src/text/t.ts": `import { a } from "../ir/i.ts";`, "src/ir/i.ts": a }, /text imports ir/],
    [
      "a type of a later folder",
      { "src/text/t.ts": `import type { a } from "../ir/i.ts";`, "src/ir/i.ts": a },
      /later/,
    ],
    ["an export from a later folder", { "src/text/t.ts": `export * from "../ir/i.ts";`, "src/ir/i.ts": a }, /later/],
    ["an import in a type", { "src/text/t.ts": `type T = import("../ir/i.ts").A;`, "src/ir/i.ts": a }, /later/],
    ["a dynamic import", { "src/text/t.ts": `await import("../ir/i.ts");`, "src/ir/i.ts": a }, /later/],
    ["an unknown folder", { "src/misc/m.ts": `import { a } from "../text/t.ts";`, "src/text/t.ts": a }, /no place/],
    ["a public entry", { "src/cli/m.ts": `import { a } from "../index.ts";`, "src/index.ts": a }, /public entry/],
    ["platform", { "src/engine/e.ts": `import { a } from "../platform/p.ts";`, "src/platform/p.ts": a }, /inject/],
    [
      "the other host",
      { "src/platform/node/n.ts": `import { a } from "../browser/b.ts";`, "src/platform/browser/b.ts": a },
      /platform\/node imports platform\/browser/,
    ],
    ["a node module", { "src/engine/e.ts": `import { readFileSync } from "node:fs";` }, /node:fs/],
    ["a package", { "src/engine/e.ts": `import { Command } from "commander";` }, /for cli only/],
    ["an unknown package", { "src/cli/e.ts": `import "left-pad";` }, /not among the dependencies/],
    ["a name of the host", { "src/engine/e.ts": "export const x = process.argv;" }, /e.ts:1: ‘process’/],
    ["a name of the page", { "src/engine/e.ts": "\nexport const x = document.body;" }, /e.ts:2: ‘document’/],
    ["a missing extension", { "src/text/t.ts": `import "./u";` }, /extension/],
    ["a missing file", { "src/text/t.ts": `import "./u.ts";` }, /no source file/],
    ["an enum", { "src/text/t.ts": "enum E { A }" }, /enum/],
    ["a namespace", { "src/text/t.ts": "namespace N { export const x = 1; }" }, /namespace/],
    [
      "a parameter property",
      { "src/text/t.ts": "class C { constructor(private x: number) {} }" },
      /parameter property/,
    ],
    [
      "a cycle",
      { "src/text/t.ts": `import "./u.ts";`, "src/text/u.ts": `import "./v.ts";`, "src/text/v.ts": `import "./t.ts";` },
      /cycle: src\/text\/t.ts → src\/text\/u.ts → src\/text\/v.ts → src\/text\/t.ts/,
    ],
    [
      "an engine that kernels reach",
      {
        "src/kernels/k.ts": `import "../webgpu/w.ts";`,
        "src/webgpu/w.ts": `import "../engine/e.ts";`,
        "src/engine/e.ts": a,
      },
      /src\/kernels\/k.ts reaches src\/engine\/e.ts/,
    ],
  ] as const)("%s is refused", (_, files, message) => {
    expect(violations(files).join("\n")).toMatch(message);
  });

  test.each([
    ["an earlier folder", { "src/ir/i.ts": `import { a } from "../text/t.ts";`, "src/text/t.ts": a }],
    ["the same folder", { "src/ir/i.ts": `import { a } from "./passes/p.ts";`, "src/ir/passes/p.ts": a }],
    ["platform by an entry", { "src/index.ts": `import "./platform/node/n.ts";`, "src/platform/node/n.ts": a }],
    ["a node module in cli", { "src/cli/m.ts": `import "node:fs"; process.exit(0);` }],
    ["a property of that name", { "src/ir/i.ts": "export const f = (x: { process: number }) => x.process;" }],
    [
      "a comment or string that says so",
      { "src/ir/i.ts": `// process.exit, import "node:fs"\nexport const a = "document";` },
    ],
    ["a cycle of types", { "src/ir/a.ts": `import type { B } from "./b.ts";`, "src/ir/b.ts": `import "./a.ts";` }],
  ] as const)("%s is allowed", (_, files) => {
    expect(violations(files)).toEqual([]);
  });
});
