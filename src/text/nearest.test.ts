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

const values = ["global_invocation_id", "global_invocation_index", "local_invocation_id", "workgroup_id"];

test.each([
  ["global_id", "global_invocation_id"],
  ["glob_inv_id", "global_invocation_id"],
  ["local_id", "local_invocation_id"],
  // Two would do.
  ["global_i", null],
  ["invocation_id", null],
  ["id", null],
])("%s stands for a longer one", (wrong, expected) => {
  expect(nearestName(wrong, values)).toBe(expected);
});
