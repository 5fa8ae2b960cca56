import { describe, expect, test } from "vitest";
import { plain } from "../diagnostics/print-palette.ts";
import { ENGLISH } from "../diagnostics/words.ts";
import { layoutOf } from "../layout/layout.ts";
import { BufferView } from "../layout/view.ts";
import { arrayType, F32, matrixType, type StructType, structType, type Type, U32, vectorType } from "../types/type.ts";
import { bufferText } from "./print-buffer.ts";

function struct(name: string, members: Readonly<Record<string, Type>>): StructType {
  const list = Object.entries(members).map(([name, type]) => ({ name, type, align: null, size: null }));
  return structType(name, list, null);
}

/** What is printed for a value of a type; `bytes` is needed where the type is runtime-sized. */
function shown(type: Type, value: unknown, bytes?: number, width = 60): string {
  const layout = layoutOf(type);
  const view = new BufferView(new Uint8Array(bytes ?? layout.size), layout);
  view.write(value);
  const { inline, lines } = bufferText(view, { paint: plain, width, words: ENGLISH });
  return [inline ?? "", ...lines].join("\n");
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

test.each([
  [U32, 42, "42"],
  [F32, 0.1, "0.1"],
  [F32, "NaN", "NaN"],
  [F32, -0, "-0"],
  [vectorType(3, F32), [1, 2.5, -3], "(1, 2.5, -3)"],
  [
    matrixType(2, 3, F32),
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    "[(1, 2, 3), (4, 5, 6)]",
  ],
  [arrayType(U32, 1), [7], "[7]"],
] as const)("inline: %j %j", (type, value, expected) => {
  expect(shown(type, value)).toBe(expected);
});

describe("arrays", () => {
  test("rows are aligned and numbered", () => {
    expect(shown(arrayType(U32, 20), range(20), undefined, 80)).toBe(`
 [0] │  0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15
[16] │ 16  17  18  19`);
  });

  test("fewer fit in a narrow terminal, and no row is wider", () => {
    const lines = shown(
      arrayType(F32, 9),
      range(9).map((i) => i / 3),
      undefined,
      55,
    ).split("\n");
    expect(lines[2]).toMatch(/^\[4\] │ +1.3333334 /);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(55);
  });

  test("vectors and arrays stand in cells", () => {
    expect(
      shown(arrayType(vectorType(2, U32), 3), [
        [1, 2],
        [30, 4],
        [5, 6],
      ]),
    ).toBe("\n[0] │  (1, 2)  (30, 4)   (5, 6)");
    expect(
      shown(arrayType(arrayType(U32, 2), 2), [
        [1, 2],
        [3, 4],
      ]),
    ).toBe("\n[0] │ [1, 2]  [3, 4]");
  });

  test("long ones are folded, with what was left out", () => {
    const lines = shown(arrayType(U32, null), range(1_048_576), 4 * 1_048_576, 80).split("\n");
    expect(lines).toHaveLength(1 + 12 + 1 + 4);
    expect(lines[13]).toBe("          ⋮ 1,048,512 more");
    expect(lines.at(-1)).toMatch(/^\[1048572\] │ 1048572 .* 1048575$/);
  });

  test("that all which is folded is the same is said", () => {
    expect(shown(arrayType(U32, null), [], 4000)).toContain("⋮ 752 more, all 0");
    expect(shown(arrayType(U32, null), range(500), 4000)).not.toContain("all");
  });

  test("one without elements says so", () => {
    expect(shown(arrayType(U32, null), [], 0)).toBe("no elements");
  });
});

describe("structures", () => {
  const body = struct("Body", {
    mass: F32,
    at: struct("Pose", { p: vectorType(3, F32), angle: F32 }),
    tags: arrayType(U32, 2),
  });

  test("by member", () => {
    expect(shown(body, { mass: 2, at: { p: [1, 2, 3], angle: 0.5 }, tags: [8, 9] })).toBe(`
mass  2
at
  p      (1, 2, 3)
  angle  0.5
tags
  [0] │ 8  9`);
  });

  test("with a runtime-sized array at the end", () => {
    const list = struct("List", { count: U32, values: arrayType(F32, null) });
    expect(shown(list, { count: 2, values: [0.5, 1.5] }, 12)).toBe("\ncount   2\nvalues\n  [0] │ 0.5  1.5");
  });

  test("arrays of them are tables", () => {
    expect(
      shown(arrayType(body, 2), [{ mass: 2, at: { p: [1, 2, 3], angle: 0.5 }, tags: [8, 9] }, { mass: 10 }]),
    ).toBe(`
    │ mass       at.p  at.angle    tags
[0] │    2  (1, 2, 3)       0.5  [8, 9]
[1] │   10  (0, 0, 0)         0  [0, 0]`);
  });

  test("and blocks where a table would be too wide", () => {
    const text = shown(arrayType(body, 20), [{ mass: 2 }], undefined, 30);
    expect(text).toContain("[0] │ mass  2\n     │ at\n");
    expect(text).toContain("⋮ 16 more, all {mass: 0, at: {p: (0, 0, 0), angle: 0}, tags: [0, 0]}");
  });

  test("long tables are folded", () => {
    const lines = shown(
      arrayType(struct("P", { x: U32 }), 100),
      range(100).map((x) => ({ x })),
    ).split("\n");
    expect(lines).toHaveLength(1 + 1 + 12 + 1 + 4);
    expect(lines[14]).toBe("     ⋮ 84 more");
    expect(lines.at(-1)).toBe("[99] │ 99");
  });
});
