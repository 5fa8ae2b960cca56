/** Whatever stands in an example is offered where it stands: in the whole text, and when nothing is written behind it yet. */
import { expect, test } from "vitest";
import { type NamedPlace, namesIn } from "../../src/ide/names.ts";
import { check, completions } from "../../src/ide.ts";
import { listFiles, read } from "../house/tree.ts";

/** Not offered one by one: `.xz`, and what filters of other makers are called. */
function isOffered({ meaning, isDeclaration, text }: NamedPlace): boolean {
  if (isDeclaration) return false;
  if (meaning.kind === "swizzle") return /^(?:[xyzwrgba]|xy|xyz|xyzw|rg|rgb|rgba)$/.test(text);
  return meaning.kind !== "unknown";
}

/** What stands further down is not known yet. */
function isDeclaredBefore({ meaning, end }: NamedPlace): boolean {
  if (meaning.kind === "declared") return meaning.declaration.name.span.end <= end;
  return meaning.kind !== "member" || meaning.member.span.end <= end;
}

function missing(text: string, whole: string, names: readonly NamedPlace[]): readonly string[] {
  const program = check(text).analysis;
  return names.flatMap(({ start, end, text: name }) => {
    if (end > text.length) return [];
    const { items, replace } = completions(program, end);
    if (replace.start === start && items.some(({ label }) => label === name)) return [];
    return [
      `${name} at ${whole.slice(0, start).split("\n").length}: ${whole.slice(start - 30, end).replaceAll("\n", " ")}`,
    ];
  });
}

const shaders = [...listFiles("examples", ".wgsl"), ...listFiles("test/cases", ".wgsl")];

test.each(shaders)("%s", (path) => {
  const text = read(path);
  const names = namesIn(check(text).analysis).filter(isOffered);
  expect(names.length).toBeGreaterThan(5);
  expect(missing(text, text, names)).toEqual([]);
  // As it is written: cut behind every third name.
  const cut = names.filter((name, at) => at % 3 === 0 && isDeclaredBefore(name));
  expect(cut.flatMap((name) => missing(text.slice(0, name.end), text, [name]))).toEqual([]);
});
