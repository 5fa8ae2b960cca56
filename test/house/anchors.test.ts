import { describe, expect, test } from "vitest";
import { CATALOGUE } from "../../src/diagnostics/catalogue.ts";
import { citations } from "./citations.ts";
import { isGenerated, listFiles, read } from "./tree.ts";

interface Pinned {
  readonly anchors: readonly string[];
  readonly webgpu: { readonly anchors: readonly string[] };
}

const pinned = JSON.parse(read("test/spec/spec.gen.json")) as Pinned;
const known = { wgsl: new Set(pinned.anchors), webgpu: new Set(pinned.webgpu.anchors) };

/** Near names help who mistyped one. */
function near(anchor: string, set: ReadonlySet<string>): string {
  if (set === known.wgsl && known.webgpu.has(anchor)) return `‘webgpu: #${anchor}’ (the other document)`;
  const words = anchor.toLowerCase().split("-");
  const score = (candidate: string) => words.filter((word) => candidate.includes(word)).length;
  return [...set]
    .sort((a, b) => score(b) - score(a) || a.length - b.length)
    .slice(0, 3)
    .join(", ");
}

test("every section that the sources cite exists in the pinned specification", () => {
  const files = listFiles("src", ".ts").filter((path) => !isGenerated(path));
  const all = files.flatMap((path) => citations(path, read(path)));
  const wrong = all.filter((citation) => !known[citation.document].has(citation.anchor));
  const lines = wrong.map((c) => `${c.path}:${c.line}: no #${c.anchor}; near: ${near(c.anchor, known[c.document])}`);
  expect(lines).toEqual([]);
});

test("every diagnostic of the catalogue has an anchor that exists, or says that it goes beyond the specification", () => {
  for (const [code, entry] of Object.entries(CATALOGUE)) {
    if (entry.spec === null) continue;
    const [, document, anchor] = /^(webgpu)?#(.+)$/.exec(entry.spec) ?? [];
    expect(anchor && known[document === "webgpu" ? "webgpu" : "wgsl"].has(anchor), `${code}: ${entry.spec}`).toBe(true);
  }
});

describe("what counts as a citation", () => {
  const anchors = (text: string, path = "src/ir/a.ts") =>
    citations(path, text).map((citation) => `${citation.document}:${citation.anchor}`);

  test.each([
    ["// spec: #a-b", ["wgsl:a-b"]],
    ["/** Why. spec: #a-b, #c_d and #e. */", ["wgsl:a-b", "wgsl:c_d", "wgsl:e"]],
    ["// spec: #a\n// #not-this", ["wgsl:a"]],
    ["// webgpu: #dom-x", ["webgpu:dom-x"]],
    [`const x = { spec: "#a-b" };`, ["wgsl:a-b"]],
    [`const x = { spec: "webgpu#a-b" };`, ["webgpu:a-b"]],
    [`const x = { anchor: "a-b" };`, ["wgsl:a-b"]],
    [`const colour = "#fff";`, []],
  ])("%s", (text, expected) => {
    expect(anchors(text)).toEqual(expected);
  });

  test("in tables of builtins and diagnostics every literal with a hash is one", () => {
    expect(anchors(`row("abs", "#abs-float-builtin");`, "src/builtins/table.ts")).toEqual(["wgsl:abs-float-builtin"]);
    expect(anchors(`row("abs", "#abs-float-builtin");`, "src/builtins/table.test.ts")).toEqual([]);
  });
});
