import { describe, expect, test } from "vitest";
import { double, runFile, said } from "../../test/support/launches.ts";

describe("names that are not known", () => {
  const file = { shader: "a.wgsl" };
  const shaders = {
    "a.wgsl": double,
    "two.wgsl": `${double}\n@compute @workgroup_size(1) fn other() {}`,
    "n.wgsl":
      `enable f16; override n: u32 = 1; @id(3) override i: u32 = 1; override small: f16 = 1;\n${double}`.replace(
        "2u",
        "n",
      ),
  };

  test.each<[object, string]>([
    [{ ...file, entry: "mian" }, 'entry-unknown at "mian": there is no entry point ‘mian’; there is ‘main’'],
    [{ shader: "b.wgsl" }, 'file-unreadable at "b.wgsl": ‘b.wgsl’ cannot be read: there is no such file'],
    [{ shader: "two.wgsl" }, "entry-needed at main: there are several entry points, name one of them with --entry"],
    [{ ...file, buffers: { date: "zeros:4" } }, 'buffer-unknown at "date": there is no buffer ‘date’; there is ‘data’'],
    [{ ...file, buffers: { data: "zero:4" } }, 'spec-unknown at "zero:4": ‘zero:4’ is no contents'],
    [{ ...file, buffers: { data: { values: [1, -1] } } }, "value-mismatch at "],
    [{ ...file, buffers: { data: { f32: [1, 1e39] } } }, "[1]: f32 takes numbers up to ±3.4028235e+38"],
    [{ ...file, buffers: { data: { values: [] } } }, "buffer-too-small"],
    [{ ...file, buffers: { data: { same: "x" } } }, 'buffer-unknown at "x": there is no buffer ‘x’'],
    [{ ...file, buffers: { data: { same: "0.0" } } }, "same-cycle"],
    [
      { ...file, buffers: { data: "zeros", "0.0": "iota" } },
      'launch-conflict at "0.0": ‘data’ and ‘0.0’ exclude each other',
    ],
    [{ ...file, overrides: { n: 1 } }, 'override-unknown at "n": there is no override ‘n’; the shader has none'],
    [{ ...file, read: ["data", "b"] }, 'buffer-unknown at "b": there is no buffer ‘b’'],
    [{ ...file, read: ["data:1..x"] }, 'buffer-unknown at "data:1..x": there is no buffer ‘x’'],
    [{ ...file, read: ["data:5"] }, 'range-syntax at "data:5": ‘5’ is no range'],
    [{ ...file, read: ["data:0..99"] }, 'range-bounds at "data:0..99": 0..99 is no range in the 16 elements of ‘data’'],
    [{ ...file, set: { "data.x": 1 } }, "‘data.x’: array<u32> has no part ‘x’"],
    [{ ...file, set: { "data[99]": 1 } }, 'path-unknown at "data[99]": ‘data[99]’: index 99 of 16 elements'],
    [{ ...file, set: { "data.": 1 } }, 'path-syntax at "data.": ‘data.’ is no path'],
    [{ ...file, set: { "data[0]": "x" } }, 'value-mismatch at "x": u32 takes a number, not the string "x"'],
    [{ ...file, expect: { date: 1 } }, 'buffer-unknown at "date"'],
    [{ ...file, expect: { data: { values: [1], count: "data[0].x" } } }, "path-unknown"],
    [{ ...file, workgroups: { indirect: "data", offset: 3 } }, "indirect-offset at 3: 3 is no offset of words"],
    [{ ...file, workgroups: { indirect: "data", offset: 16 }, buffers: { data: "zeros:4" } }, "indirect-bounds"],
    [{ ...file, workgroups: { indirect: "data" }, buffers: { data: "fill:70000:4" } }, "workgroups-limit"],
    [{ ...file, invocations: 300_000 }, "workgroups-limit at 300000: 75000 workgroups along x are more than the 65535"],
    [
      { ...file, workgroups: [65535, 65535, 65535] },
      "]: an element of ‘data’ for each of 1125848368021500 invocations",
    ],
    [
      { shader: "a.wgsl", steps: [{ workgroups: 65535 }, { workgroups: [65535, 9999] }] },
      "9999\n      ]: an element of ‘data’ for each of 2621137860",
    ],
    [
      { ...file, shader: "n.wgsl", overrides: { small: 65536 } },
      "override-value at 65536: 65536 is no value for the override ‘small’ of type ‘f16’",
    ],
    [{ ...file, shader: "n.wgsl", overrides: { "3": -1 } }, "override-value at -1"],
    [
      {
        steps: [
          { shader: "n.wgsl", overrides: { n: 1 } },
          { shader: "n.wgsl", overrides: { n: 4294967296 } },
        ],
      },
      "override-value at 4294967296",
    ],
    [
      { ...file, hostLayout: { Body: { stride: 4 } } },
      'host-layout-unknown at "Body": there is no structure or buffer ‘Body’; there is ‘data’',
    ],
    [{ ...file, hostLayout: { data: { members: { x: 4 } } } }, "host-no-members at 4: u32 has no members"],
    [{ ...file, call: "f()" }, 'call-unknown at "f()": there is no function ‘f’ to call; the shader has none'],
    [
      { shader: "a.wgsl", steps: [{ bind: { dada: "x" } }] },
      'variable-unknown at "dada": ‘main’ uses no buffer variable ‘dada’; it uses ‘data’',
    ],
    [{ shader: "a.wgsl", steps: [{ swap: ["data", "x"] }] }, 'buffer-unknown at "x"'],
    [{ steps: [{ entry: "main" }] }, "shader-missing"],
  ])("%j", async (launch, expected) => {
    const result = await runFile(launch, shaders);
    expect(result.ok).toBe(false);
    expect(said(result)).toEqual([expect.stringContaining(expected)]);
  });

  test("two buffers that cannot be made are not one", async () => {
    const text = `@group(0) @binding(0) var<storage, read> a: array<u32>;
      @group(0) @binding(1) var<storage, read_write> b: array<u32>;
      @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { b[id.x] = a[id.x]; }`;
    const { diagnostics } = await runFile({ ...file, workgroups: [65535, 65535, 65535] }, { "a.wgsl": text });
    expect(diagnostics.map(({ code, args: { name } }) => `${code} ${name}`)).toEqual([
      "buffer-needs-size a",
      "buffer-needs-size b",
    ]);
  });

  test("near names are offered", async () => {
    const { diagnostics } = await runFile({ ...file, buffers: { date: "zeros:4" } }, shaders);
    expect(diagnostics[0].notes.map(({ message }) => message)).toEqual(["did you mean ‘data’?"]);
  });

  test("several faults are told at once", async () => {
    const result = await runFile({ ...file, buffers: { x1: 1, x2: 2 }, read: ["x3"] }, shaders);
    expect(said(result)).toHaveLength(3);
  });
});
