import { expect, test } from "vitest";
import {
  arrayType,
  atomicType,
  F16,
  F32,
  I32,
  matrixType,
  type StructType,
  structType,
  type Type,
  U32,
  vectorType,
} from "../types/type.ts";
import { layoutOf, minBindingSize, pathAt, runtimeElementCount, sizeWithElements } from "./layout.ts";
import { BufferView, ValueError } from "./view.ts";

const vec3f = vectorType(3, F32);

function struct(
  name: string,
  members: Record<string, Type | { type: Type; align?: number; size?: number }>,
): StructType {
  const list = Object.entries(members).map(([member, given]) => {
    const full = "type" in given ? given : { type: given };
    return { name: member, type: full.type, align: full.align ?? null, size: full.size ?? null };
  });
  return structType(name, list, null);
}

// spec: #alignment-and-size
test.each<[string, Type, number, number]>([
  ["u32", U32, 4, 4],
  ["f16", F16, 2, 2],
  ["atomic<i32>", atomicType(I32), 4, 4],
  ["vec2<f32>", vectorType(2, F32), 8, 8],
  ["vec3<f32>", vec3f, 16, 12],
  ["vec4<f32>", vectorType(4, F32), 16, 16],
  ["vec3<f16>", vectorType(3, F16), 8, 6],
  ["mat2x2<f32>", matrixType(2, 2, F32), 8, 16],
  ["mat3x2<f32>", matrixType(3, 2, F32), 8, 24],
  ["mat2x3<f32>", matrixType(2, 3, F32), 16, 32],
  ["mat4x3<f16>", matrixType(4, 3, F16), 8, 32],
  ["array<vec3<f32>, 4>", arrayType(vec3f, 4), 16, 64],
  ["array<u32>", arrayType(U32, null), 4, 0],
])("%s: align and size", (_, type, align, size) => {
  const layout = layoutOf(type);
  expect([layout.align, layout.size]).toEqual([align, size]);
});

const ray = struct("Ray", {
  origin: vec3f,
  direction: arrayType(vec3f, 1),
  scale: F32,
  info: struct("Info", { a: vec3f }),
  friction: F32,
});

test("structure members", () => {
  const layout = layoutOf(ray);
  expect(layout.members.map((m) => [m.name, m.offset, m.size])).toEqual([
    ["origin", 0, 12],
    ["direction", 16, 16],
    ["scale", 32, 4],
    ["info", 48, 16],
    ["friction", 64, 4],
  ]);
  expect([layout.size, layout.align]).toEqual([80, 16]);
});

test("@size and @align", () => {
  const layout = layoutOf(struct("M", { a: { type: vectorType(2, F32), size: 16 }, b: { type: F32, align: 32 } }));
  expect(layout.members.map((m) => m.offset)).toEqual([0, 32]);
  expect(layout.size).toBe(64);
});

test("runtime-sized tail", () => {
  const layout = layoutOf(struct("List", { count: U32, items: arrayType(vec3f, null) }));
  expect(layout.runtimeSized).toBe(true);
  expect([sizeWithElements(layout, 0), minBindingSize(layout), sizeWithElements(layout, 3)]).toEqual([16, 32, 64]);
  expect(runtimeElementCount(layout, 65)).toBe(3);
  expect(runtimeElementCount(layout, 63)).toBe(2);
});

test("paths of bytes", () => {
  const layout = layoutOf(arrayType(ray, null));
  expect([0, 4, 12, 40, 80 + 52, 80 + 64].map((offset) => pathAt(layout, offset, "rays"))).toEqual([
    "rays[0].origin.x",
    "rays[0].origin.y",
    null,
    null,
    "rays[1].info.a.y",
    "rays[1].friction",
  ]);
});

test("values go in and come out by layout", () => {
  const type = struct("P", { position: vec3f, id: U32, turn: matrixType(2, 2, F32), half: vectorType(2, F16) });
  const layout = layoutOf(type);
  const view = new BufferView(new Uint8Array(layout.size), layout);
  const value = {
    position: [0.1, -2, "NaN"],
    id: 4294967295,
    turn: [
      [1, 2],
      [3, 4],
    ],
    half: [0.1, 65504],
  };
  view.write(value);
  expect(view.read()).toEqual(value);
  expect(view.at("turn", 1, 0).read()).toBe(3);
  expect(view.at("position", "y").read()).toBe(-2);
  view.write({ turn: [5, 6, 7, 8] });
  expect(view.read()).toEqual({
    ...value,
    turn: [
      [5, 6],
      [7, 8],
    ],
  });
});

test.each([
  0.1,
  1 / 3,
  16777216,
  16777217,
  123456789,
  3.4028234663852886e38,
  1.17549435e-38,
  1e-40,
  2 ** -149,
  2 ** -148,
  5e-41,
  -0,
])("%s comes out with the fewest digits that are this f32", (number) => {
  const view = new BufferView(new Uint8Array(4), layoutOf(F32));
  view.write(number);
  const shown = view.read() as number;
  const digits = (value: number) =>
    value
      .toExponential()
      .replace(/e.*|\D/g, "")
      .replace(/0+$/, "").length;
  expect(Object.is(Math.fround(shown), Math.fround(number))).toBe(true);
  for (let fewer = 1; fewer < digits(shown); fewer++) {
    expect(Math.fround(Number(Math.fround(number).toPrecision(fewer)))).not.toBe(Math.fround(number));
  }
});

test.each<[string, unknown, string]>([
  ["a member that is not there", { x: 1 }, "P has no member ‘x’; it has id"],
  ["a fraction for an integer", { id: 0.5 }, ".id: u32 takes whole numbers from 0 to 4294967295, not 0.5"],
  ["a string", { id: "7" }, '.id: u32 takes a number, not the string "7"'],
  ["a number for a structure", 7, "P is written as an object with its members, not as the number 7"],
])("refuses %s", (_, value, message) => {
  const layout = layoutOf(struct("P", { id: U32 }));
  const view = new BufferView(new Uint8Array(layout.size), layout);
  expect(() => view.write(value)).toThrow(new ValueError("", message).message);
});
