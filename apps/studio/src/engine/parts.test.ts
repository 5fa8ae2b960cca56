import { check, layoutOf } from "halay";
import { expect, test } from "vitest";
import { partsOf } from "./parts.ts";

function partsIn(declarations: string, type: string, byteLength: number): string[] {
  const { program } = check(`${declarations} @group(0) @binding(0) var<storage> b: ${type};`);
  return partsOf(layoutOf(program!.variables[0].type), byteLength).map(({ path, count, stride, offset, columns }) => {
    const names = columns.map((column) => `${column.name || "value"}@${column.offset}`).join(" ");
    return `${path || "b"} ${count}x${stride}+${offset}: ${names}`;
  });
}

test.each([
  ["", "f32", 4, ["b 1x4+0: value@0"]],
  ["", "array<u32>", 16, ["b 4x4+0: value@0"]],
  ["", "array<vec3f>", 32, ["b 2x16+0: .x@0 .y@4 .z@8"]],
  [
    "struct P { pos: vec2f, id: u32 } struct S { n: u32, items: array<P> }",
    "S",
    40,
    ["b 1x40+0: .n@0", ".items 2x16+8: .pos.x@0 .pos.y@4 .id@8"],
  ],
  [
    "struct S { m: mat2x2f, a: array<u32, 2> }",
    "S",
    24,
    ["b 1x24+0: .m[0].x@0 .m[0].y@4 .m[1].x@8 .m[1].y@12", ".a 2x4+16: value@0"],
  ],
])("%s %s", (declarations, type, byteLength, expected) => {
  expect(partsIn(declarations, type, byteLength)).toEqual(expected);
});
