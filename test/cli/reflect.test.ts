import { describe, expect, test } from "vitest";
import { halay } from "./cli.ts";

const SHADER = `override size: u32;
struct P { at: vec3f, @size(16) mass: f32, tag: u32 }
struct List { count: atomic<u32>, items: array<P> }
@group(0) @binding(0) var<storage, read_write> list: List;
@group(1) @binding(2) var<uniform> gain: vec2f;
var<workgroup> tile: array<f32, 5>;
@compute @workgroup_size(size, 2)
fn main(@builtin(local_invocation_index) i: u32) {
  tile[i] = gain.x;
  list.items[atomicAdd(&list.count, 1u)].mass = tile[i];
}
`;

describe("pretty", () => {
  test("tables, with the padding of structures", async () => {
    const { code, out } = await halay("reflect a.wgsl --override size=4", { files: { "a.wgsl": SHADER } });
    expect(out).toBe(`a.wgsl

entry point main
  stage             compute
  workgroup         4 × 2 × 1 = 8 invocations
  builtins          local_invocation_index
  bindings          list (0.0), gain (1.2)
  workgroup memory  tile (32 bytes)
  overrides         size
  accesses          tile write/read; gain read; list write/atomic

bindings
       name  kind     type          size  smallest  stride
  0.0  list  storage  List       runtime        48
  1.2  gain  uniform  vec2<f32>  8 bytes         8

workgroup memory
  tile  array<f32, 5>  20 bytes

overrides
  size  u32  no default

struct P
  offset  size  align  member     type
       0    12     16  at         vec3<f32>
      12    16      4  mass       f32
      16    12         – padding
      28     4      4  tag        u32
  32 bytes, aligned to 16

struct List
  offset  size  align  member     type
       0     4      4  count      atomic<u32>
       4    12         – padding
      16     …     16  items      array<P>  stride 32
  16 bytes before the runtime-sized array, aligned to 16
`);
    expect(code).toBe(0);
  });

  test("what hangs on an override says so", async () => {
    const { out } = await halay("reflect a.wgsl", { files: { "a.wgsl": SHADER } });
    expect(out).toContain("workgroup         needs the value of an override");
  });

  test("one invocation is one", async () => {
    const { out } = await halay("reflect a.wgsl", { files: { "a.wgsl": "@compute @workgroup_size(1) fn main() {}" } });
    expect(out).toContain("workgroup  1 × 1 × 1 = 1 invocation\n");
  });
});

describe("overrides", () => {
  const text = `override wide: u32;
@id(7) override high: u32 = 2;
override both = wide * high;
@compute @workgroup_size(wide, high) fn main() { _ = both; }
`;
  const reflected = (options: string) => halay(`reflect a.wgsl ${options}`, { files: { "a.wgsl": text } });

  test("defaults are shown as they are written where they hang on others", async () => {
    expect((await reflected("")).out).toContain(`
  wide  u32  no default
  high  u32  = 2            @id(7)
  both  u32  = wide * high
`);
  });

  test.each([
    ["--override wide=8 --override high=4", "8 × 4 × 1 = 32 invocations"],
    ["--override wide=8 --override 7=4", "8 × 4 × 1 = 32 invocations"],
    ["--override wide=8", "8 × 2 × 1 = 16 invocations"],
  ])("%s", async (options, expected) => {
    const { out, code } = await reflected(options);
    expect(out).toContain(expected);
    expect(code).toBe(0);
  });

  test.each([
    ["--override wide=-1", /^error\[override-value\]: -1 is no value for the override ‘wide’ of type ‘u32’/],
    ["--override wide=0", /^error\[attribute-value\]/],
  ])("no contract with what no pipeline takes: %s", async (options, expected) => {
    const { code, out, err } = await reflected(`${options} --format pretty`);
    expect(err).toMatch(expected);
    expect({ code, out }).toEqual({ code: 1, out: "" });
  });
});

test("json", async () => {
  const { code, out } = await halay("reflect a.wgsl --format json", { files: { "a.wgsl": SHADER } });
  expect(JSON.parse(out)).toMatchObject({
    version: 1,
    path: "a.wgsl",
    entryPoints: [{ name: "main", workgroupSize: null, bindings: ["0.0", "1.2"], workgroupBytes: 32 }],
    bindings: [
      { group: 0, binding: 0, name: "list", kind: "storage", minBindingSize: 48 },
      { group: 1, binding: 2, name: "gain", kind: "uniform", minBindingSize: 8 },
    ],
    structs: { P: { size: 32, align: 16 }, List: { runtimeSized: true } },
    overrides: [{ name: "size", id: null, type: "u32", default: null }],
  });
  expect(code).toBe(0);
});

test("ts", async () => {
  const { code, out } = await halay("reflect - --format ts", { stdin: SHADER });
  expect(out).toMatch(/^\/\/ Made by `halay reflect --format ts` from <stdin>/);
  expect(out).toContain("export interface List {\n  count: number;\n  items: P[];\n");
  expect(code).toBe(0);
});

test("a shader with errors has no contract", async () => {
  const { code, out, err } = await halay("reflect a.wgsl --format json", { files: { "a.wgsl": "fn f() { _ = x; }" } });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toBe("a.wgsl:1:14: error unresolved-identifier ‘x’ is not declared\n");
});

test("a file that cannot be read", async () => {
  const { code, out, err } = await halay("reflect b.wgsl", { files: { "a.wgsl": "" } });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("‘b.wgsl’ cannot be read: there is no such file");
});
