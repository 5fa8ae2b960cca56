import { check, layoutOf } from "halay";
import { expect, test } from "vitest";
import { partsOf } from "./parts.ts";

function partsIn(declarations: string, type: string, byteLength: number): string[] {
  const { program } = check(`${declarations} @group(0) @binding(0) var<storage> b: ${type};`);
  return partsOf(layoutOf(program!.variables[0].type), byteLength).map(
    ({ path, count, stride, offset, columns, inner }) => {
      const names = columns.map((column) => `${column.name || "value"}@${column.offset}`).join(" ");
      const own = inner === null ? "" : ` (${inner.path}[${inner.count}]x${inner.stride})`;
      return `${path || "b"} ${count}x${stride}+${offset}${own}: ${names}`;
    },
  );
}

const listed = (count: number) => Array.from({ length: count }, (_, i) => `[${i}]@${i * 4}`).join(" ");

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
  ["", "array<array<u32, 64>, 4>", 1024, ["b 256x256+0 ([64]x4): value@0"]],
  [
    "struct S { n: u32, bins: array<u32, 17>, pairs: array<vec2u, 2> } struct T { s: array<S, 3> }",
    "T",
    276,
    [
      ".s 3x88+0: .n@0 .pairs[0].x@72 .pairs[0].y@76 .pairs[1].x@80 .pairs[1].y@84",
      ".s 51x88+4 (.bins[17]x4): value@0",
    ],
  ],
  [
    "struct S { deep: array<array<u32, 20>, 2> }",
    "array<S>",
    320,
    ["b 40x160+0 (.deep[0][20]x4): value@0", "b 40x160+80 (.deep[1][20]x4): value@0"],
  ],
  ["", "array<array<array<u32, 20>, 20>>", 1600, [`b 20x1600+0 ([20]x80): ${listed(20)}`]],
])("%s %s", (declarations, type, byteLength, expected) => {
  expect(partsIn(declarations, type, byteLength)).toEqual(expected);
});
