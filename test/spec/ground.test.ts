import { expect, test } from "vitest";
import { groundOverloads, readSignature } from "./ground.ts";

test.each([
  ["fn f(e: T) -> T where S: i32|f32, T: S|vecN<S>", 8],
  ["fn f(e: vecN<T>) -> T where T: f32|f16", 6],
  ["fn f<T>(e: T) -> vec2<T> where T: concrete_scalar", 5],
  ["operator <<(e1: T, e2: TS) -> T where S: i32|u32, T: S|vecN<S>, TS: u32 like T", 8],
  ["fn f(m: matRxC<T>) -> matCxR<T> where T: f32", 9],
  ["fn f(t: texture_storage_1d<F, AM>, v: vec4<CF>) where AM: read|write, CF: channel of F", 2],
  ["fn f(e: vecN<f32>) -> __frexp_result_vecN_f32", 3],
  ["fn f()", 1],
])("%s", (text, count) => {
  expect(groundOverloads(readSignature(text))).toHaveLength(count);
});

test("two notations of one set are the same", () => {
  const a = readSignature("fn f(e: T) -> T where S: f32|f16, T: S|vecN<S>");
  const b = readSignature("fn f(x: V) -> V where V: vecN<f16>|f16|vecN<f32>|f32");
  expect(groundOverloads(a)).toEqual(groundOverloads(b));
  expect(groundOverloads(a)).toContain("f(vec3<f16>) -> vec3<f16>");
});
