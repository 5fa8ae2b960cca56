import { expect, test } from "vitest";
import {
  ABSTRACT_FLOAT,
  ABSTRACT_INT,
  atomicType,
  BOOL,
  F16,
  F32,
  I32,
  pointerType,
  referenceType,
  storageTextureType,
  type Type,
  typeName,
  U32,
  vectorType,
} from "../types/type.ts";
import { type Resolution, resolveBinary, resolveBuiltin, resolveConstructor } from "./resolve.ts";

const TYPES: Readonly<Record<string, Type>> = {
  bool: BOOL,
  i32: I32,
  u32: U32,
  f32: F32,
  f16: F16,
  int: ABSTRACT_INT,
  float: ABSTRACT_FLOAT,
  vec2f: vectorType(2, F32),
  vec3f: vectorType(3, F32),
  vec3int: vectorType(3, ABSTRACT_INT),
};

function types(text: string): Type[] {
  return text
    .split(" ")
    .filter((name) => name !== "")
    .map((name) => TYPES[name]);
}

function shown(resolution: Resolution): string {
  if (!resolution.ok) return resolution.ambiguous ? "ambiguous" : "none";
  return `(${resolution.args.map(typeName).join(", ")}) -> ${typeName(resolution.result)}`;
}

test.each([
  ["+", "int", "int", "(abstract integer, abstract integer) -> abstract integer"],
  ["+", "int", "float", "(abstract float, abstract float) -> abstract float"],
  ["+", "int", "u32", "(u32, u32) -> u32"],
  ["+", "float", "u32", "none"],
  ["*", "vec3int", "f32", "(vec3<f32>, f32) -> vec3<f32>"],
  ["<", "vec3f", "vec3int", "(vec3<f32>, vec3<f32>) -> vec3<bool>"],
  ["<<", "int", "int", "(abstract integer, u32) -> abstract integer"],
])("%s of %s and %s", (operator, left, right, expected) => {
  expect(shown(resolveBinary(operator as "+", TYPES[left], TYPES[right], true))).toBe(expected);
});

test("an abstract result needs constant arguments", () => {
  expect(shown(resolveBinary("<<", ABSTRACT_INT, U32, false))).toBe("(i32, u32) -> i32");
  expect(shown(resolveBuiltin("select", null, types("int int bool"), false))).toBe("(i32, i32, bool) -> i32");
});

test.each([
  ["vec3", "int float f32", "(f32, f32, f32) -> vec3<f32>"],
  ["vec3", "vec2f int", "(vec2<f32>, f32) -> vec3<f32>"],
  ["vec3", "", "() -> vec3<abstract integer>"],
  ["vec3", "int", "(abstract integer) -> vec3<abstract integer>"],
  ["array", "int float", "(abstract float, abstract float) -> array<abstract float, 2>"],
])("%s(%s)", (name, args, expected) => {
  expect(shown(resolveConstructor(name as "vec3", types(args), true))).toBe(expected);
});

test("the overload that fits most of the call comes first", () => {
  const resolution = resolveBuiltin("mix", null, types("vec2f vec2f bool"), true);
  expect(resolution.ok).toBe(false);
  if (resolution.ok) return;
  expect(resolution.candidates).toHaveLength(2);
  expect(resolution.ambiguous).toBe(false);
  const extract = resolveBuiltin("extractBits", null, types("u32 f32 u32"), true);
  expect(extract.ok || extract.candidates[0].signature).toContain("u32|vecN<u32>");
});

test("a reference is loaded where it can be read", () => {
  const readable = referenceType("storage", U32, "read_write");
  expect(shown(resolveBinary("+", readable, ABSTRACT_INT, false))).toBe("(u32, u32) -> u32");
  expect(shown(resolveBinary("+", referenceType("storage", U32, "write"), U32, false))).toBe("none");
});

test("pointers are taken as they are", () => {
  const counter = pointerType("workgroup", atomicType(U32), "read_write");
  expect(shown(resolveBuiltin("atomicAdd", null, [counter, ABSTRACT_INT], false))).toBe(
    "(ptr<workgroup, atomic<u32>, read_write>, u32) -> u32",
  );
  const plain = pointerType("workgroup", U32, "read_write");
  expect(shown(resolveBuiltin("atomicAdd", null, [plain, U32], false))).toBe("none");
  expect(shown(resolveBuiltin("workgroupUniformLoad", null, [counter], false))).toBe(
    "(ptr<workgroup, atomic<u32>, read_write>) -> u32",
  );
});

test("the value of a texel follows from the format", () => {
  const texture = storageTextureType("2d", "rgba8uint", "write");
  const store = (value: Type) => resolveBuiltin("textureStore", null, [texture, vectorType(2, I32), value], false);
  expect(store(vectorType(4, U32)).ok).toBe(true);
  expect(store(vectorType(4, F32)).ok).toBe(false);
});
