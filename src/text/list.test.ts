import { expect, test } from "vitest";
import { copyOf, pushAll } from "./list.ts";

test("lists of any length are copied and added", () => {
  const long = Array.from({ length: 500_000 }, (_, i) => i);
  const list = [-1];
  pushAll(list, long);
  expect(list.length).toBe(500_001);
  expect(list.at(-1)).toBe(499_999);
  expect(copyOf(long)).toEqual(long);
});
