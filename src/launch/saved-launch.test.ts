import { expect, test } from "vitest";
import { readLaunch } from "./read-launch.ts";
import { launchText } from "./saved-launch.ts";

test("a launch in code becomes a file that is read as the same", () => {
  const text = launchText({
    shader: "a.wgsl",
    workgroups: [2],
    buffers: { a: new Uint32Array([1, 2]), b: new Float32Array([0.5, NaN]), c: [[1, 2], 3], d: "zeros:4" },
    expect: { a: [1, 2] },
  });
  expect(readLaunch(text).diagnostics).toEqual([]);
  expect(readLaunch(text).launch).toEqual({
    shader: "a.wgsl",
    workgroups: [2],
    buffers: { a: { u32: [1, 2] }, b: { f32: [0.5, "NaN"] }, c: { values: [[1, 2], 3] }, d: "zeros:4" },
    expect: { a: { values: [1, 2] } },
  });
});
