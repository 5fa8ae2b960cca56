import { expect, test } from "vitest";
import { nearestName } from "./nearest.ts";

const names = ["return", "retain", "let", "override", "normalize"];

test.each([
  ["retrun", "return"],
  ["Return", "return"],
  ["retur", "return"],
  ["lett", "let"],
  ["normalise", "normalize"],
  ["over", null],
  ["x", null],
  ["", null],
  ["r".repeat(100), null],
])("%s", (wrong, expected) => {
  expect(nearestName(wrong, names)).toBe(expected);
});
