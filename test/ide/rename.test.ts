/** Everything that the examples declare can have another name, and the old one again. */
import { expect, test } from "vitest";
import { namesIn } from "../../src/ide/names.ts";
import { check, definition, references, rename } from "../../src/ide.ts";
import { applyEdits } from "../../src/text/edit.ts";
import { listFiles, read } from "../house/tree.ts";

const NEW = "another_name";

function codes(text: string): readonly string[] {
  return check(text).diagnostics.map(({ code }) => code);
}

/** The text after a renaming; a refusal fails the test. */
function renamed(text: string, offset: number, name: string): string {
  const result = rename(check(text).analysis, offset, name);
  expect(result).toMatchObject({ ok: true });
  return result.ok ? applyEdits(text, result.edits) : text;
}

const shaders = [...listFiles("examples", ".wgsl"), ...listFiles("test/cases", ".wgsl").slice(0, 10)];

test.each(shaders)(
  "%s",
  (path) => {
    const text = read(path);
    const program = check(text).analysis;
    const declared = namesIn(program).filter(({ isDeclaration }) => isDeclaration);
    expect(declared.length).toBeGreaterThan(1);
    for (const { start, text: name } of declared) {
      const places = references(program, start);
      for (const place of places) {
        expect(references(program, place.end)).toEqual(places);
        expect(definition(program, place.start)!.name.start).toBe(start);
      }
      const changed = renamed(text, start, NEW);
      expect(codes(changed)).toEqual(codes(text));
      expect(changed.split(NEW).length - 1).toBe(places.length);
      expect(renamed(changed, start, name)).toBe(text);
    }
  },
  60_000,
);
