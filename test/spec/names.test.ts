/** Lists of names against the pinned specification. */
import { expect, test } from "vitest";
import { predeclaredNames } from "../../src/analysis/predeclared.ts";
import { BUILTIN_VALUES } from "../../src/builtins/builtin-values.ts";
import { ENABLE_EXTENSIONS, LANGUAGE_EXTENSIONS } from "../../src/builtins/extensions.ts";
import { BUILTIN_NAMES } from "../../src/builtins/resolve.ts";
import { TEXEL_FORMAT_NAMES, texelFormat } from "../../src/builtins/texel-formats.ts";
import { typeName } from "../../src/types/type.ts";
import pinned from "./spec.gen.json" with { type: "json" };

test("the same extensions", () => {
  expect([...ENABLE_EXTENSIONS.keys()]).toEqual(pinned.enableExtensions);
  expect([...LANGUAGE_EXTENSIONS]).toEqual(pinned.languageExtensions);
});

test("the same built-in values", () => {
  const ours = BUILTIN_VALUES.map(({ name, stage, direction, type, enable, requires }) => ({
    name,
    stage,
    direction,
    type: type === null ? "array<f32, N>" : typeName(type),
    requires: [enable, requires].filter((extension) => extension !== null),
  }));
  expect(ours).toEqual(pinned.builtinValues);
});

test("the same texel formats", () => {
  const ours = TEXEL_FORMAT_NAMES.map((name) => {
    const { channels, shaderType, requires } = texelFormat(name)!;
    return { name, channels, type: typeName(shaderType), requires };
  });
  expect(ours).toEqual(pinned.texelFormats);
});

test("the same predeclared names", () => {
  const theirs = [
    ...pinned.types,
    ...pinned.typeGenerators,
    ...Object.keys(pinned.typeAliases),
    ...Object.values(pinned.enumerants).flat(),
    // The summaries leave out what came last.
    "buffer",
    "immediate",
    ...BUILTIN_NAMES,
  ];
  expect([...predeclaredNames()].sort()).toEqual(theirs.sort());
});
