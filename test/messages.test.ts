/** Typical mistakes (`test/messages`): one message each, at the place, with a way out; docs/messages.md shows them. */
import { expect, test } from "vitest";
import { check } from "../src/index.ts";
import { renderMessage } from "../tools/messages/render.mjs";
import { listFiles, read } from "./house/tree.ts";

interface Verdict {
  /** Who helps more; `differs`: Tint takes another version of WGSL. */
  readonly helps: "ours" | "equal" | "differs";
  readonly tint: string;
  readonly why: string;
}

const verdicts = JSON.parse(read("test/messages/verdicts.json")) as Readonly<Record<string, Verdict>>;
const files = listFiles("test/messages", ".wgsl");
const page = read("docs/messages.md");

/** The way out stands in the message itself; all others have a note or a fix. Of a wrong value there is none to name. */
const inMessage: ReadonlySet<string> = new Set([
  "missing-template-argument",
  "swizzle-assignment",
  "atomic-in-read-only-storage",
  "atomic-of-float",
  "atomic-on-plain-variable",
  "wrong-builtin-type",
  "missing-binding",
  "override-in-array-size",
  "variable-in-array-size",
  "return-value-in-void",
  "runtime-array-in-uniform",
  "runtime-array-not-last",
  "index-out-of-bounds",
  "missing-workgroup-size",
  "missing-location",
  "increment-as-expression",
  "pointer-to-vector-component",
  "result-not-used",
  "constant-overflow",
  "reserved-word",
]);

const nameOf = (path: string) => path.slice("test/messages/00-".length, -".wgsl".length);

test("there are at least sixty, each with a verdict, in none are we worse", () => {
  expect(files.length).toBeGreaterThanOrEqual(60);
  expect(files.map(nameOf).sort()).toEqual(Object.keys(verdicts).sort());
  for (const { helps } of Object.values(verdicts)) expect(["ours", "equal", "differs"]).toContain(helps);
});

test.each(files)("%s", (path) => {
  const text = read(path);
  const { diagnostics } = check(text, { advice: false });
  expect(diagnostics).toHaveLength(1);
  const [found] = diagnostics;
  expect(found.severity).toBe("error");
  const hasWayOut = found.fixes.length > 0 || found.notes.length > 0;
  expect(hasWayOut).toBe(!inMessage.has(nameOf(path)));
  expect(page).toContain(`\`\`\`wgsl\n${text}\`\`\`\n\n\`\`\`text\n${renderMessage(found, text)}\n\`\`\``);
});
