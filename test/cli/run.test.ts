import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileIn, folder, halay, halayIn, split } from "./cli.ts";

const SHADER = `struct P { at: vec3f, mass: f32 }
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read_write> ps: array<P, 3>;
@group(0) @binding(2) var<storage, read> data: array<u32>;
override gain: f32 = 2;
fn twice(x: u32) -> u32 { return x * 2; }
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
  out[id.x] = f32(data[id.x]) * gain;
  ps[id.x % 3].mass = 1;
}
`;
const COUNTER = `@group(0) @binding(0) var<storage, read_write> n: atomic<u32>;
@compute @workgroup_size(2) fn main() { atomicAdd(&n, 3u); }
`;
const HANG = `@group(0) @binding(0) var<storage, read_write> n: u32;
@compute @workgroup_size(1) fn main() { loop { n = n + 1; if n == 0 { break; } } }
`;
const files = { "a.wgsl": SHADER, "counter.wgsl": COUNTER };

/** Times differ from run to run. */
const timeless = (text: string) => text.replace(/ +\d[\d.]* m?s$/gm, "  TIME");

const run = async (line: string, setting: Parameters<typeof halay>[1] = {}) => {
  const { code, out, err } = await halay(`run ${line}`, { files, columns: 70, ...setting });
  return { code, out: timeless(out), err };
};

const json = async (line: string, more: Record<string, string> = {}) => {
  const { out } = await halay(`run ${line} --format json`, { files: { ...files, ...more } });
  return JSON.parse(out) as {
    results: readonly Record<string, never>[];
    summary: { errors: number; warnings: number; infos: number; failed: number };
  };
};

describe("a bare shader", () => {
  test("runs with defaults, which are printed", async () => {
    expect(await run("counter.wgsl")).toEqual({
      code: 0,
      out: `counter.wgsl
  main  4 workgroups, 8 invocations  TIME
  chosen: entry point main, workgroups [4], n = zeros

n  24  atomic<u32>

`,
      err: "",
    });
  });

  test("arrays stand in rows, structures in tables", async () => {
    const { out, code } = await run("a.wgsl --workgroups 2 --buffer data=iota:8 --set 'ps[1].at=[1,2,3]'");
    expect(out).toBe(`a.wgsl
  main  2 workgroups, 8 invocations  TIME
  chosen: entry point main, out = zeros:8, ps = zeros

out  array<f32>
  [0] │  0   2   4   6   8  10  12  14

ps  array<P, 3>
      │        at  mass
  [0] │ (0, 0, 0)     1
  [1] │ (1, 2, 3)     1
  [2] │ (0, 0, 0)     1

`);
    expect(code).toBe(0);
  });

  test("from standard input", async () => {
    const { code, out } = await run("- --workgroups 1", { stdin: COUNTER });
    expect(out).toMatch(/^<stdin>\n[\s\S]*\nn {2}6 {2}atomic<u32>\n/);
    expect(code).toBe(0);
  });

  test("with errors is not run; they are told as check tells them", async () => {
    const bad = { "bad.wgsl": "@compute @workgroup_size(1) fn main() { _ = x; }" };
    const [ran, checked] = [await halay("run bad.wgsl", { files: bad }), await halay("check bad.wgsl", { files: bad })];
    expect(ran).toEqual(checked);
    expect(ran.code).toBe(1);
  });
});

describe("options", () => {
  test.each([
    ["--entry second", "6", "@compute @workgroup_size(1) fn second() { n = 6u; }"],
    ["--workgroups 2,3", "12", ""],
    ["--workgroups 2,3,2", "24", ""],
    ["--invocations 5", "6", ""],
    ["--entry first --override step=5", "20", ""],
    ["--entry first --set n=100", "108", ""],
    ["--entry first --buffer n=7", "15", ""],
    ["--entry first --buffer 0.0=7", "15", ""],
    ["--entry first --buffer n=n.bin", "16909068", ""],
    ["--entry first --buffer n=n.json", "17", ""],
  ])("%s", async (options, expected, more) => {
    const text = `override step = 2u;
      @group(0) @binding(0) var<storage, read_write> n: u32;
      @compute @workgroup_size(2) fn first(@builtin(local_invocation_index) i: u32) { if i == 0 { n += step; } }
      ${more}`;
    const entry = options.includes("--entry") ? "" : "--entry first";
    const all = { "b.wgsl": text, "n.bin": Buffer.of(4, 3, 2, 1), "n.json": "9" };
    const { out } = await run(`b.wgsl ${entry} ${options}`, { files: all });
    expect(out).toMatch(new RegExp(`^n {2}${expected} {2}u32$`, "m"));
  });

  test("--call runs one function per invocation", async () => {
    const { code, out } = await run("a.wgsl --call 'twice(invocation + 1)' --invocations 6");
    expect(out).toMatch(/\[0\] │ +2 +4 +6 +8 +10 +12\n/);
    expect(code).toBe(0);
  });

  test("--read takes parts, with their indices", async () => {
    const { out } = await run("a.wgsl --buffer data=iota:16 --read out:6..9 --read 'ps[1]'");
    expect(out).toContain("out  array<f32>\n  [6] │ 12  14  16\n\nps[1]  P\n");
  });

  test("--trace shows who touched a value", async () => {
    const { out } = await run("counter.wgsl --workgroups 1 --trace n");
    expect(out).toContain(`trace n  2 accesses
  invocation  workgroup  line  access     value
           0          0     2  atomicAdd  0 → 3
           1          0     2  atomicAdd  3 → 6
`);
  });

  test("--plot shows bars", async () => {
    const { out } = await run("a.wgsl --workgroups 2 --buffer data=iota:8 --plot out");
    expect(out).toContain(`
  14 │                            ████
     │                        ▇▇▇▇████
     │                    ▆▆▆▆████████
     │                ▅▅▅▅████████████
     │            ▃▃▃▃████████████████
     │        ▂▂▂▂████████████████████
     │    ▁▁▁▁████████████████████████
   0 │    ████████████████████████████
     └0                              7
`);
  });

  test("--plot and --out read what is not read otherwise", async () => {
    const { out } = await run("a.wgsl --workgroups 1 --buffer data=iota:4 --plot data");
    expect(out).toMatch(/\nout {2}[\s\S]*\nps {2}[\s\S]*\ndata {2}[\s\S]*█/);
  });

  test("--schedule, --seed and --weak-fail are printed", async () => {
    const { out } = await run("counter.wgsl --schedule random --seed 7 --weak-fail 0.5");
    expect(out).toContain("  schedule random, seed 7, compare-exchange fails at rate 0.5, seed 7\n");
  });

  test("--emulate: several devices are several runs", async () => {
    const text = `@group(0) @binding(0) var<storage, read_write> a: array<u32, 2>;
      @compute @workgroup_size(1) fn main() { var i = 5u; a[i] = 1; }`;
    const { results } = await json("b.wgsl --emulate oob=clamp,oob=discard", { "b.wgsl": text });
    expect(results).toMatchObject([
      { emulate: "oob=clamp", buffers: { a: { values: [0, 1] } } },
      { emulate: "oob=discard", buffers: { a: { values: [0, 0] } } },
    ]);
  });

  test("--out writes files that --buffer reads", async () => {
    const path = folder(files);
    for (const name of ["out.npy", "out.bin", "out.json", "out.csv"]) {
      expect(
        (await halayIn(path, split(`run a.wgsl --workgroups 1 --buffer data=iota:4 --out out=${name}`))).code,
      ).toBe(0);
      const line = `run a.wgsl --workgroups 1 --buffer data=zeros:4 --buffer out=${name} --override gain=0 --expect out=zeros:4 --format json`;
      const { results } = JSON.parse((await halayIn(path, split(line))).out) as { results: { launch: object }[] };
      expect(results[0]).toMatchObject({ ok: true, launch: { buffers: { out: { file: name } } } });
    }
    expect(JSON.parse(fileIn(path, "out.json"))).toEqual([0, 2, 4, 6]);
    expect(readFileSync(join(path, "out.bin"))).toEqual(Buffer.from(new Float32Array([0, 2, 4, 6]).buffer));
  });

  test("--out writes one buffer to several files", async () => {
    const path = folder(files);
    await halayIn(path, split("run counter.wgsl --workgroups 1 --out n=n.json --out n=n.csv --out n=n.bin"));
    expect([fileIn(path, "n.json"), fileIn(path, "n.csv")]).toEqual(["6\n", "6\n"]);
    expect(readFileSync(join(path, "n.bin"))).toEqual(Buffer.of(6, 0, 0, 0));
  });

  test("--out keeps what JSON has no number for, and -0", async () => {
    const text = `@group(0) @binding(0) var<storage, read_write> a: array<f32, 5>;
      @compute @workgroup_size(1) fn main() { a[4] += 0.5; }`;
    const path = folder({ "b.wgsl": text });
    const line = `run b.wgsl --workgroups 1 --buffer 'a=["NaN","Infinity","-Infinity",-0,0]' --out a=a.json`;
    await halayIn(path, split(line));
    expect(fileIn(path, "a.json")).toBe('["NaN", "Infinity", "-Infinity", -0, 0.5]\n');
  });

  test("two parts of one buffer", async () => {
    const { out } = await run("a.wgsl --buffer data=iota:16 --read out:0..2 --read out:6..8");
    expect(out).toContain("out  array<f32>\n  [0] │ 0  2\n\nout:6..8  array<f32>\n  [6] │ 12  14\n");
    const { out: byBinding } = await run("a.wgsl --buffer data=iota:16 --read 0.0:3..5");
    expect(byBinding).toContain("out  array<f32>\n  [3] │ 6  8\n");
  });

  describe("contents in the forms of a launch file", () => {
    const shader = `struct Numbers { values: array<u32, 2>, count: u32 }
      @group(0) @binding(0) var<storage, read_write> a: array<u32, 4>;
      @group(0) @binding(1) var<storage, read> b: array<u32, 4>;
      @group(0) @binding(2) var<storage, read_write> n: Numbers;
      @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { a[i] += b[i]; n.count += 1; }`;
    const buffersOf = async (options: string) => {
      const { results } = await json(`s.wgsl --workgroups 1 ${options}`, { "s.wgsl": shader });
      return results[0] as unknown as { ok: boolean; buffers: Record<string, { values: unknown }> };
    };

    test.each([
      [`--buffer 'a={"values":[1,2,3]}' --buffer b=zeros`, { a: [1, 2, 3, 0] }],
      [`--buffer 'a={"u32":[9,8,7,6]}' --buffer b=zeros`, { a: [9, 8, 7, 6] }],
      [`--buffer b=iota --buffer 'a={"same":"b"}'`, { a: [0, 2, 4, 6] }],
      [`--buffer b=iota --buffer 'a={"unwritten":4}'`, { a: [0, 1, 2, 3] }],
      // These are the members of the structure.
      [`--buffer 'n={"values":[5,6],"count":7}'`, { n: { values: [5, 6], count: 11 } }],
      [`--buffer 'n={"values":[5,6]}'`, { n: { values: [5, 6], count: 4 } }],
    ])("%s", async (options, expected) => {
      const { buffers } = await buffersOf(options);
      const found = Object.fromEntries(Object.keys(expected).map((name) => [name, buffers[name].values]));
      expect(found).toEqual(expected);
    });

    test("an expectation, too", async () => {
      const given = "--buffer b=iota --buffer a=zeros";
      expect(await buffersOf(`${given} --expect 'a={"values":[0,1],"count":2}'`)).toMatchObject({ ok: true });
      expect(await buffersOf(`${given} --expect 'a={"values":[3,2,1,0],"unordered":true}'`)).toMatchObject({
        ok: true,
      });
      expect(await buffersOf(`${given} --expect 'a={"values":[0,1],"count":3}'`)).toMatchObject({ ok: false });
    });
  });

  test.each([
    ["--buffer out=zero:4", "--buffer out=zero:4", 10],
    ["--buffer outt=zeros:4", "--buffer outt=zeros:4", 10],
    ["--buffer data=data.npy", "--buffer data=data.npy", 10],
    ["--set ps[3].mass=1", "--set ps[3].mass=1", 7],
    ["--set ps[0].mass=heavy", "--set ps[0].mass=heavy", 7],
    ["--set ps[0].mass=1e999", "--set ps[0].mass=1e999", 7],
    ["--override gian=1", "--override gian=1", 12],
    ["--override gain=1e39", "--override gain=1e39", 12],
    ["--workgroups 65535,65535", "--workgroups 65535,65535", 14],
    ["--expect out=", "--expect out=", 10],
    ["--read out:1", "--read out:1", 8],
    ["--read in", "--read in", 8],
    ["--trace out[", "--trace out[", 9],
    ["--tolerance 3", "--tolerance 3", 13],
    ["--tolerance ulp=-1", "--tolerance ulp=-1", 13],
    ["--entry mian", "--entry mian", 9],
    ["--call f(", "--call f(", 8],
  ])("a wrong one is shown: %s", async (options, text, column) => {
    const { code, out } = await run(`a.wgsl --format pretty ${options}`);
    expect(out).toContain(` --> command line:1:${column}\n  │\n1 │ ${text}\n`);
    expect(code).toBe(2);
  });
});

describe("json", () => {
  test("a result is as the contract says", async () => {
    const { results, summary } = await json(
      "a.wgsl --workgroups 1 --buffer data=iota:4 --expect out='[0,2,4,7]' --raw",
    );
    expect(results[0]).toEqual({
      path: "a.wgsl",
      ok: false,
      device: "cpu",
      engine: expect.any(String),
      launch: expect.objectContaining({
        shader: "a.wgsl",
        entry: "main",
        workgroups: [1],
        buffers: { data: "iota:4", out: "zeros:4", ps: "zeros" },
      }),
      defaults: expect.any(Array),
      dispatches: [{ entry: "main", workgroups: [1, 1, 1], invocations: 4, milliseconds: expect.any(Number) }],
      buffers: {
        out: { group: 0, binding: 0, type: "array<f32>", values: [0, 2, 4, 6], bytes: expect.any(String) },
        ps: {
          group: 0,
          binding: 1,
          type: "array<P, 3>",
          values: [0, 1, 2].map(() => ({ at: [0, 0, 0], mass: 1 })),
          bytes: expect.any(String),
        },
      },
      comparisons: [
        {
          name: "out",
          ok: false,
          count: 1,
          compared: 4,
          maxUlp: expect.any(Number),
          first: {
            path: "out[3]",
            expected: 7,
            actual: 6,
            writtenBy: {
              invocation: { global: [3, 0, 0], workgroup: [0, 0, 0], localIndex: 3 },
              path: "a.wgsl",
              start: expect.objectContaining({ line: 9, column: 3 }),
            },
          },
        },
      ],
      diagnostics: [],
    });
    expect(summary).toEqual({ errors: 0, warnings: 0, infos: 0, failed: 1 });
  });

  test("floats that JSON has no number for are texts, and -0 stays", async () => {
    const text = `@group(0) @binding(0) var<storage, read_write> a: array<f32, 5>;
      @compute @workgroup_size(1) fn main() { a[4] = 0.1f + 0.2f; }`;
    const { out } = await halay(
      `run b.wgsl --buffer a='["NaN","Infinity","-Infinity",-0,0]' --format json`.replaceAll("'", "'"),
      {
        files: { "b.wgsl": text },
      },
    );
    expect(out).toContain(`"values": ["NaN", "Infinity", "-Infinity", -0, 0.3]`);
  });

  test("a long array is one line", async () => {
    const { out } = await halay("run a.wgsl --workgroups 4096 --format json", { files });
    expect(out.split("\n").length).toBeLessThan(200);
  });
});

describe.each<[string, object]>([
  ["run", {}],
  ["sanitize", { findings: [], checked: expect.objectContaining({ dispatches: 0 }) }],
  ["profile", { findings: [], profile: [] }],
])("json of what did not %s has the form of every other result", (command, more) => {
  test.each([
    ["nothing.wgsl", 2, "file-unreadable", {}],
    ["x.launch.json", 1, "launch-unknown-key", {}],
    ["cut.launch.json", 1, "launch-syntax", {}],
    ["lost.launch.json", 2, "file-unreadable", { shader: "lost.wgsl" }],
    ["bad.wgsl", 1, "unresolved-identifier", { shader: "bad.wgsl" }],
    ["a.wgsl --buffer nope=zeros", 2, "buffer-unknown", {}],
    ["none.wgsl", 2, "entry-none", {}],
  ])("%s", async (line, code, problem, launch) => {
    const wrong = {
      "x.launch.json": '{"shader": "a.wgsl", "bufers": {}}',
      "cut.launch.json": '{"shader": ',
      "lost.launch.json": '{"shader": "lost.wgsl"}',
      "bad.wgsl": "@compute @workgroup_size(1) fn main() { _ = x; }",
      "none.wgsl": "fn f() {}",
    };
    const { code: found, out } = await halay(`${command} ${line} --format json`, { files: { ...files, ...wrong } });
    const { results, summary } = JSON.parse(out) as { results: readonly object[]; summary: object };
    expect(results).toEqual([
      {
        path: line.split(" ")[0],
        ok: false,
        device: "cpu",
        engine: expect.any(String),
        launch,
        defaults: [],
        dispatches: [],
        buffers: {},
        comparisons: [],
        diagnostics: [expect.objectContaining({ code: problem })],
        ...more,
      },
    ]);
    expect(summary).toEqual({ errors: 1, warnings: 0, infos: 0, failed: 1 });
    expect(found).toBe(code);
  });
});

describe("expectations", () => {
  test("that are met", async () => {
    const { code, out } = await run("counter.wgsl --expect n=24");
    expect(out).toContain("\n✓ n: 1 value as expected\n");
    expect(code).toBe(0);
  });

  test("that are not: the first difference, and who wrote it", async () => {
    const { code, out } = await run("a.wgsl --workgroups 1 --buffer data=iota:4 --expect out='[0,2,5,7]'");
    expect(out).toContain(`
✗ out: 2 of 4 values differ`);
    expect(out).toContain(`
  out[2]  expected 5, found 4
  last written by invocation 2 of workgroup 0 at a.wgsl:9:3
`);
    expect(code).toBe(1);
  });

  test("with a tolerance", async () => {
    const line = "a.wgsl --workgroups 1 --buffer data=iota:4 --expect out='[0,2,4,6.000001]'";
    expect((await run(line)).code).toBe(1);
    expect((await run(`${line} --tolerance rel=1e-6`)).code).toBe(0);
  });
});

describe("launch files", () => {
  const launch = (entries: object) => JSON.stringify({ shader: "a.wgsl", workgroups: [1], ...entries });

  test("options change what they say", async () => {
    const text = launch({
      buffers: { data: "iota:8" },
      overrides: { gain: 3 },
      expect: { out: { values: [0, 3, 6, 9] } },
    });
    const all = { "t/a.wgsl": SHADER, "t/x.launch.json": text, "other.json": "[5,5,5,5]" };
    expect((await run("t/x.launch.json", { files: all })).code).toBe(0);
    expect((await run("t/x.launch.json --override gain=2", { files: all })).code).toBe(1);
    const both = "t/x.launch.json --buffer data=other.json --expect out='[15,15,15,15]'";
    expect((await run(both, { files: all })).code).toBe(0);
  });

  test("several: those that went well have a line each, and a summary", async () => {
    const good = JSON.stringify({ shader: "counter.wgsl", expect: { n: { values: 24 } } });
    const bad = JSON.stringify({ shader: "counter.wgsl", expect: { n: { values: 23 } } });
    const all = { ...files, "1.launch.json": good, "2.launch.json": bad };
    const { code, out } = await run("--format pretty", { files: all });
    expect(out).toMatch(/^✓ 1\.launch\.json {2}n as expected, .*\n2\.launch\.json\n {2}main/);
    expect(out).toMatch(/\n✗ n: the value differs[\s\S]*\n✗ 2 launches, 1 failed: failed\n$/);
    expect(code).toBe(1);
  });

  test("from standard input", async () => {
    const { code, out } = await run("-", { stdin: JSON.stringify({ shader: "counter.wgsl", workgroups: [1] }) });
    expect(out).toContain("n  6  atomic<u32>");
    expect(code).toBe(0);
  });

  test("--save-launch writes one that says all that was chosen, and runs the same", async () => {
    const path = folder({ "s/a.wgsl": SHADER, "data.json": "[1,2,3,4]", "l/keep": "" });
    const line =
      "run s/a.wgsl --invocations 4 --buffer data=data.json --expect out='[2,4,6,8]' --save-launch l/x.launch.json";
    expect((await halayIn(path, split(line))).code).toBe(0);
    expect(JSON.parse(fileIn(path, "l/x.launch.json"))).toEqual({
      shader: "../s/a.wgsl",
      entry: "main",
      invocations: 4,
      read: ["out", "ps"],
      buffers: { data: { file: "../data.json" }, out: "zeros:4", ps: "zeros" },
      expect: { out: { values: [2, 4, 6, 8] } },
    });
    const { code, out } = await halayIn(path, ["run", "l/x.launch.json"]);
    expect(out).toContain("✓ out: 4 values as expected");
    expect(out).not.toContain("chosen");
    expect(code).toBe(0);
  });

  test("--save-launch says of a file that a launch names where it is from there, and what its text holds", async () => {
    const path = folder({
      "x/a.wgsl": SHADER,
      "x/data.json": "[1,2,3,4]",
      "x/out.json": "[2,4,6,8]",
      "x/a.launch.json": JSON.stringify({
        shader: "a.wgsl",
        invocations: 4,
        buffers: { data: "data.json" },
        read: ["out"],
        expect: { out: "out.json" },
      }),
      "l/keep": "",
    });
    expect((await halayIn(path, split("run x/a.launch.json --save-launch l/x.launch.json"))).code).toBe(0);
    const saved = JSON.parse(fileIn(path, "l/x.launch.json"));
    expect([saved.buffers.data, saved.expect.out]).toEqual([{ file: "../x/data.json" }, { file: "../x/out.json" }]);
    const { code, out } = await halayIn(path, ["run", "l/x.launch.json"]);
    expect(out).toContain("✓ out: 4 values as expected");
    expect(code).toBe(0);
  });

  test("--save-launch writes the members of a structure as they are", async () => {
    const shader = `struct P { gain: u32, list: array<u32, 2> }
@group(0) @binding(0) var<storage, read_write> p: P;
@compute @workgroup_size(1) fn main() { p.gain += 1u; }`;
    const path = folder({ "a.wgsl": shader });
    const line = `run a.wgsl --workgroups 1 --buffer p='{"gain":3,"list":[1,2]}' --save-launch x.launch.json`;
    expect((await halayIn(path, split(line))).code).toBe(0);
    expect(JSON.parse(fileIn(path, "x.launch.json")).buffers.p).toEqual({ values: { gain: 3, list: [1, 2] } });
    expect((await halayIn(path, ["run", "x.launch.json"])).code).toBe(0);
  });

  test.each([
    ["--buffer datta=zeros:4", "buffer-unknown"],
    ["--buffer data=data.npy", "file-unreadable"],
    ["--buffer 'data=[1,true,[]]'", "value-mismatch"],
    ["--set 'ps[9].mass=1'", "path-unknown"],
    ["--override gian=1", "override-unknown"],
    ["--expect 'out=[\"x\"]'", "value-mismatch"],
    ["--read out:0..99", "range-bounds"],
    ["--trace 'out[99]'", "path-unknown"],
    ["--entry mian", "entry-unknown"],
    ["--invocations 99999999", "workgroups-limit"],
    ["--tolerance abs=1,abs=2", "tolerance-invalid"],
  ])("a fault of an option is shown in the option, exit code 2: %s", async (options, problem) => {
    const text = launch({ buffers: { data: [1, 2, 3, 4] }, read: ["out"], expect: { out: [2, 4, 6, 8] } });
    for (const command of ["run", "sanitize", "profile"]) {
      const line = `${command} x.launch.json ${options}`;
      const { code, out } = await halay(line, { files: { ...files, "x.launch.json": text } });
      expect(out).toMatch(new RegExp(`^command line:1:\\d+: error ${problem} `));
      expect(code).toBe(2);
    }
  });

  test("a fault in it is shown in it, exit code 1", async () => {
    const { code, out } = await run("x.launch.json", {
      files: { ...files, "x.launch.json": launch({ entry: "mian" }) },
    });
    expect(out).toMatch(/^x\.launch\.json:1:\d+: error entry-unknown /);
    expect(code).toBe(1);
  });
});

describe("never 0 when nothing ran", () => {
  test.each([
    ["no workgroups", "counter.wgsl --workgroups 0", 1],
    ["no entry point", "none.wgsl", 2],
    ["several entry points", "two.wgsl", 2],
    ["no compute entry point", "vertex.wgsl", 2],
  ])("%s", async (_, line, expected) => {
    const more = {
      "none.wgsl": "fn f() {}",
      "two.wgsl": "@compute @workgroup_size(1) fn a() {}\n@compute @workgroup_size(1) fn b() {}",
      "vertex.wgsl": "@vertex fn v() -> @builtin(position) vec4f { return vec4f(); }",
    };
    const { code, out } = await run(line, { files: { ...files, ...more } });
    expect(code).toBe(expected);
    expect(out).not.toBe("");
  });
});

test("--timeout ends what does not end by itself, exit code 1", async () => {
  const { code, out } = await run("hang.wgsl --timeout 0.2", { files: { "hang.wgsl": HANG } });
  expect(out).toMatch(/^hang\.wgsl:2:\d+: error timeout /);
  expect(code).toBe(1);
});

test("progress is shown on a terminal only", async () => {
  const hang = { "hang.wgsl": HANG };
  const line = "hang.wgsl --timeout 1.2 --format compact";
  expect((await run(line, { files: hang, terminal: true })).err).toMatch(
    /\r.*hang\.wgsl {2}main, dispatch 1 {2}\d\.\d s/,
  );
  expect((await run(line, { files: hang })).err).toBe("");
});

test("all launch files of the examples give what they expect", async () => {
  const { code, out } = await halayIn(join(import.meta.dirname, "../../examples"), ["run", "--format", "pretty"]);
  expect(out).not.toContain("✗");
  expect(code).toBe(0);
});

describe("what runs it", () => {
  const engineOf = async (options: string, file = "counter.wgsl", more: Record<string, string> = {}) => {
    const { code, out } = await run(`${file} --format json ${options}`, { files: { ...files, ...more } });
    const [{ engine, buffers }] = (JSON.parse(out) as { results: { engine: string; buffers: object }[] }).results;
    return { code, engine, buffers };
  };

  test.each([
    ["", "wasm"],
    ["--engine wasm --workers 1", "wasm"],
    ["--workers 3", "wasm"],
    ["--engine interpreter", "interpreter"],
    ["--schedule random", "interpreter"],
    ["--schedule in-order", "interpreter"],
    ["--trace n", "interpreter"],
    ["--emulate oob=clamp", "interpreter"],
  ])("%s: %s", async (options, engine) => {
    const found = await engineOf(options);
    expect(found).toMatchObject({ code: 0, engine, buffers: { n: { values: 24 } } });
  });

  test("a shader with errors runs on the interpreter", async () => {
    const illegal = `${COUNTER} fn f() { let x: u32 = 1.5; }`;
    expect(await engineOf("--allow-illegal", "i.wgsl", { "i.wgsl": illegal })).toMatchObject({ engine: "interpreter" });
  });

  test("what the wasm engine does not know runs on the interpreter, and that is said", async () => {
    const shader = `enable subgroups;
@group(0) @binding(0) var<storage, read_write> n: array<u32, 4>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { n[i] = subgroupAdd(1u); }`;
    const { code, out } = await run("s.wgsl --workgroups 1 --format pretty", { files: { "s.wgsl": shader } });
    expect(code).toBe(0);
    expect(out).toContain("on the interpreter: the shader uses what the wasm engine does not know");
  });

  test.each(["--workers 0", "--workers two", "--engine fast"])("%s is refused", async (options) => {
    expect((await run(`counter.wgsl ${options}`)).code).toBe(2);
  });
});
