import { check, reflect, run } from "halay";
import { expect, test } from "vitest";
import { exampleValues } from "./example-values.ts";

test.each([
  ["u32", "1"],
  ["atomic<i32>", "1"],
  ["array<f32>", "[0.5, …]"],
  ["array<vec3u, 4>", "[[1, 1, 1], …]"],
  ["mat2x3f", "[[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]"],
  ["array<atomic<u32>, 16>", "[1, …]"],
  ["S", '{ "a": 1, "b": [0.5, 0.5], "c": [[1, …], …] }'],
  ["array<S>", '[{ "a": 1, "b": [0.5, 0.5], "c": [[1, …], …] }, …]'],
])("%s looks like %s, and that is taken", async (type, expected) => {
  const shader = `struct S { a: u32, b: vec2f, c: array<array<i32, 2>, 2> }
@group(0) @binding(0) var<storage, read_write> x: ${type};
@compute @workgroup_size(1) fn main() { _ = &x; }`;
  const [{ layout }] = reflect(check(shader).program!).bindings;
  const text = exampleValues(layout!);
  expect(text).toBe(expected);
  const values: unknown = JSON.parse(text.replace("[[1, …], …]", "[[1, 1], [1, 1]]").replaceAll(", …", ""));
  const result = await run({ shader, workgroups: [1], buffers: { x: { values } } });
  expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});
