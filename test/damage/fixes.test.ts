/**
 * The fixtures with one character less: each edit that is offered for an error makes that error go away. It may leave
 * others.
 */
import { expect, test } from "vitest";
import type { Diagnostic, Fix } from "../../src/index.ts";
import { applyEdits, check } from "../../src/index.ts";
import { listFiles, read } from "../house/tree.ts";

const LARGEST = 4000;

const files = listFiles("test/fixtures", "valid.wgsl").filter((path) => read(path).length < LARGEST);

/** Without each of its brackets, separators and operators in turn. */
function* damagedTexts(text: string): Iterable<string> {
  yield text;
  for (const { index } of text.matchAll(/[^\w\s]/g)) yield text.slice(0, index) + text.slice(index + 1);
}

/** Where the place of a diagnostic begins and ends once the edits are made. */
function placeAfter({ span }: Diagnostic, { edits }: Fix): readonly [start: number, end: number] {
  const moved = (at: number) =>
    edits.reduce((sum, { span: { start, end }, text }) => (end <= at ? sum + text.length - (end - start) : sum), at);
  return [Math.min(span.start, moved(span.start)), moved(span.end)];
}

function isLeft(text: string, found: Diagnostic, fix: Fix): boolean {
  const [start, end] = placeAfter(found, fix);
  return check(applyEdits(text, fix.edits), { advice: false }).diagnostics.some(
    ({ code, span }) => code === found.code && span.start >= start && span.start < Math.max(end, start + 1),
  );
}

test.each([
  "fn f(a: u32) { switch a { case 1: { }",
  "fn f(a: u32) { switch a {ase 1: {}",
  "fn f(a: i32) {\n  a === 1;\n}",
  "@group(0) @binding<storage> a: u32;",
])("%s", (text) => {
  for (const found of check(text, { advice: false }).diagnostics) {
    for (const fix of found.fixes) expect(isLeft(text, found, fix)).toBe(false);
  }
});

test("an edit makes the error go away that it is offered for", () => {
  let tried = 0;
  const left: string[] = [];
  for (const path of files) {
    for (const text of damagedTexts(read(path))) {
      for (const found of check(text, { advice: false }).diagnostics) {
        for (const fix of found.fixes) {
          tried++;
          if (isLeft(text, found, fix)) left.push(`${path}: ${found.code}: ${fix.title}\n${text}`);
        }
      }
    }
  }
  expect(tried).toBeGreaterThan(2000);
  expect(left).toEqual([]);
}, 300_000);
