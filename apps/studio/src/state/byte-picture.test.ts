import { check, reflect } from "halay";
import { expect, test } from "vitest";
import { bytePicture } from "./byte-picture.ts";

/** `offset+size path`, padding as `offset+size`, a rest as `offset+size path…`; of the one binding. */
function pictureOf(declarations: string, type: string): string {
  const text = `${declarations} @group(0) @binding(0) var<storage> b: ${type};`;
  const { program } = check(text);
  const picture = bytePicture(reflect(program!).bindings[0].layout!);
  return picture.stretches
    .map(({ offset, size, path, kind }) => `${offset}+${size}${kind === "padding" ? "" : ` ${path}`}`)
    .join(", ");
}

test.each([
  ["", "f32", "0+4 "],
  ["struct S { a: f32, b: vec3f }", "S", "0+4 a, 4+12, 16+12 b, 28+4"],
  ["struct S { a: vec3f, b: f32 }", "S", "0+12 a, 12+4 b"],
  ["struct S { m: mat3x3f }", "S", "0+12 m[0], 12+4, 16+12 m[1], 28+4, 32+12 m[2], 44+4"],
  ["struct T { x: u32, y: u32 } struct S { t: T, u: u32 }", "S", "0+4 t.x, 4+4 t.y, 8+4 u"],
  [
    "struct S { n: u32, items: array<u32, 9> }",
    "S",
    "0+4 n, 4+4 items[0], 8+4 items[1], 12+4 items[2], 16+24 items[3…8]",
  ],
  ["struct S { n: u32, items: array<vec2f> }", "S", "0+4 n, 4+4, 8+8 items[0]"],
  ["", "array<vec3f>", "0+12 , 12+4"],
  ["", "array<u32, 2>", "0+4 [0], 4+4 [1]"],
  ["", "array<u32>", "0+4 [0], 4+4 [1], 8+4 [2], 12+4 [3]"],
])("%s %s", (declarations, type, expected) => {
  expect(pictureOf(declarations, type)).toBe(expected);
});
