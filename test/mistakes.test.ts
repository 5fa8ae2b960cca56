/**
 * Typical mistakes of people who come from GLSL, HLSL, CUDA, Metal, C, Rust and older WGSL, each in a whole small shader, in
 * `test/mistakes/mistakes.txt`: its name behind `###`, the shader with the place marked by `¦`, what is said there, then ways
 * out (`-` a note, `+` a fix). One mistake gives one message. `UPDATE=1` writes what is said anew.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyEdits, check } from "../src/index.ts";
import { read, root } from "./house/tree.ts";

const path = "test/mistakes/mistakes.txt";
const MARK = "¦";

/** Each with its name, its shader and what is expected. */
const mistakes = read(path)
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [name, ...lines] = text.trimEnd().split("\n");
    const end = lines.findIndex((line) => /^[a-z0-9-]+: /.test(line));
    return { name, marked: lines.slice(0, end).join("\n"), said: lines.slice(end).join("\n") };
  });

function told(marked: string): { readonly count: number; readonly marked: string; readonly said: string } {
  const text = marked.replace(MARK, "");
  const { diagnostics } = check(text, { advice: false });
  const lines = diagnostics.flatMap(({ code, message, notes, fixes }) => [
    `${code}: ${message}`,
    ...notes.map((note) => `- ${note.message}`),
    ...fixes.map((fix) => `+ ${fix.title}`),
  ]);
  const at = diagnostics[0]?.span.start ?? 0;
  return { count: diagnostics.length, marked: text.slice(0, at) + MARK + text.slice(at), said: lines.join("\n") };
}

test("there are many, with names of their own", () => {
  expect(mistakes.length).toBeGreaterThan(250);
  expect(new Set(mistakes.map(({ name }) => name)).size).toBe(mistakes.length);
});

test.each(mistakes.map((each) => [each.name, each] as const))("%s", (_, { marked, said }) => {
  const { count, ...now } = told(marked);
  expect(count).toBe(1);
  if (!process.env.UPDATE) expect(now).toEqual({ marked, said });
});

/** Fixes are edits that leave no error behind, or at least not this one. */
test.each(mistakes.map((each) => [each.name, each] as const))("the fix of %s", (_, { marked }) => {
  const text = marked.replace(MARK, "");
  const [{ code, fixes }] = check(text, { advice: false }).diagnostics;
  for (const { edits } of fixes) {
    expect(check(applyEdits(text, edits), { advice: false }).diagnostics.map((item) => item.code)).not.toContain(code);
  }
});

if (process.env.UPDATE) {
  const texts = mistakes.map(({ name, marked }) => {
    const now = told(marked);
    return `### ${name}\n${now.marked}\n${now.said}\n`;
  });
  writeFileSync(join(root, path), texts.join(""));
}
