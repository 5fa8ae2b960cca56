import { describe, expect, test } from "vitest";
import { double, runFile, said } from "../../test/support/launches.ts";
import { Source } from "../text/source.ts";
import type { Launch } from "./launch.ts";
import { LaunchError } from "./problem.ts";
import { runResultToJson } from "./result-json.ts";
import { run } from "./run.ts";

/** Reads \`source\`, writes \`target\`. */
const step = `@group(0) @binding(0) var<storage> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> target_: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { target_[i] = source[i] + 1u; }`;

describe("a launch in code", () => {
  test("a shader as text, a buffer as values", async () => {
    const result = await run({ shader: double, workgroups: 1, buffers: { data: [1, 2, 3] } });
    expect(result.ok).toBe(true);
    expect(result.buffers.data.values).toEqual([2, 4, 6]);
    expect(result.buffers.data.array()).toEqual(Uint32Array.of(2, 4, 6));
    expect(result.buffers.data.view.at(1).read()).toBe(4);
    expect(result.dispatches).toMatchObject([{ entry: "main", workgroups: [1, 1, 1], invocations: 4 }]);
  });

  test.each<[string, NonNullable<Launch["buffers"]>[string]]>([
    ["typed array", Uint32Array.of(1, 2)],
    ["array buffer", Uint32Array.of(1, 2).buffer],
    ["part of an array buffer", new DataView(Uint32Array.of(9, 1, 2).buffer, 4)],
    ["spec", "[1, 2]"],
    ["values", { values: [1, 2] }],
    ["words", { i32: [1, 2] }],
    ["base64", { bytes: "AQAAAAIAAAA=" }],
    ["group.binding", "iota:2"],
  ])("a buffer as %s", async (form, contents) => {
    const key = form === "group.binding" ? "0.0" : "data";
    const { buffers } = await run({ shader: double, buffers: { [key]: contents } });
    expect(buffers.data.values).toEqual(form === "group.binding" ? [0, 2] : [2, 4]);
  });

  test("what the caller gave is not changed", async () => {
    const data = Uint32Array.of(1, 2);
    await run({ shader: double, buffers: { data } });
    expect(data).toEqual(Uint32Array.of(1, 2));
  });

  test("errors of the caller are thrown", async () => {
    await expect(run({ shader: double, buffers: { date: "zeros:4" } })).rejects.toThrow(
      "buffers.date: there is no buffer ‘date’; there is ‘data’ (did you mean ‘data’?)",
    );
    await expect(run({ shader: double, entry: "mian" })).rejects.toThrow(LaunchError);
    await expect(run({ shader: double, buffers: { data: new Float64Array(2) } })).rejects.toThrow(TypeError);
    await expect(run({})).rejects.toThrow("there is no shader");
  });

  test("errors of the shader are diagnostics", async () => {
    const result = await run({ shader: "fn f() { x = 1; }" });
    expect(result.ok).toBe(false);
    expect(result.diagnostics.map(({ code }) => code)).toContain("unresolved-identifier");
    expect(result.dispatches).toEqual([]);
  });

  test("a signal stops it", async () => {
    const shader =
      "override last = 0u; @compute @workgroup_size(1) fn main() { loop { workgroupBarrier(); if last > 0u { break; } } }";
    const signal = AbortSignal.timeout(50);
    await expect(run({ shader, workgroups: 1 }, { signal })).rejects.toThrow();
  });
});

describe("defaults", () => {
  const shader = `@group(0) @binding(0) var<storage> a: array<f32>;
@group(0) @binding(1) var<uniform> gain: vec4f;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> unused: array<f32>;
@compute @workgroup_size(8) fn scale(@builtin(global_invocation_id) id: vec3u) { b[id.x] = a[id.x] * gain.x; }`;

  test("four workgroups, an element for each invocation, random in, zeros out", async () => {
    const result = await run({ shader });
    expect(result.defaults.map(({ kind, name, value }) => `${kind} ${name} ${value}`)).toEqual([
      "entry scale scale",
      "workgroups scale [4]",
      "buffer a random:32:seed=1",
      "buffer gain random:seed=1",
      "buffer b zeros:32",
    ]);
    expect(Object.keys(result.buffers)).toEqual(["b"]);
    expect(result.buffers.b.array()).toHaveLength(32);
    expect(result.buffers.b.array()[5]).toBeGreaterThan(0);
  });

  test("what was chosen can be saved and gives the same", async () => {
    const { launch, buffers } = await run({ shader });
    expect(launch).toEqual({
      shader,
      entry: "scale",
      workgroups: [4],
      buffers: { a: "random:32:seed=1", gain: "random:seed=1", b: "zeros:32" },
      read: ["b"],
    });
    const again = await run(JSON.parse(JSON.stringify(launch)));
    expect(again.buffers.b.bytes).toEqual(buffers.b.bytes);
    expect(again.defaults).toEqual([]);
  });

  test("as many workgroups as the invocations take", async () => {
    const { dispatches } = await run({ shader, invocations: 17 });
    expect(dispatches).toMatchObject([{ workgroups: [3, 1, 1], invocations: 24 }]);
  });
});

describe("several dispatches", () => {
  const shaders = { "a.wgsl": step };

  test("variables are bound to buffers of other names", async () => {
    const first = { workgroups: 1, bind: { source: "a", target_: "b" } };
    const second = { workgroups: 1, bind: { source: "b", "0.1": "c" } };
    const { buffers, ok } = await runFile(
      { shader: "a.wgsl", steps: [first, second], buffers: { a: "iota:4" } },
      shaders,
    );
    expect(ok).toBe(true);
    expect(Object.entries(buffers).map(([name, { values }]) => [name, values])).toEqual([
      ["b", [1, 2, 3, 4]],
      ["c", [2, 3, 4, 5]],
    ]);
  });

  test.each([1, 2, 5])("%i repetitions with swapped buffers: the newest is always the first", async (repeat) => {
    const steps = [{ workgroups: 1, repeat, swap: ["source", "target_"] }];
    const launch = { shader: "a.wgsl", steps, buffers: { source: "iota:4", target_: "zeros:4" }, read: ["source"] };
    const { buffers, dispatches } = await runFile(launch, shaders);
    expect(buffers.source.values).toEqual([0, 1, 2, 3].map((x) => x + repeat));
    expect(dispatches).toHaveLength(repeat);
  });

  test("a shader of its own for a step", async () => {
    const steps = [
      { workgroups: 1, bind: { target_: "data" } },
      { shader: "b.wgsl", workgroups: 1 },
    ];
    const { buffers } = await runFile(
      { shader: "a.wgsl", steps, buffers: { source: "iota:4", data: "zeros:4" } },
      { ...shaders, "b.wgsl": double },
    );
    expect(buffers.data.values).toEqual([2, 4, 6, 8]);
  });

  test("the number of workgroups from a buffer, as it is then", async () => {
    const shader = `@group(0) @binding(0) var<storage, read_write> args: array<u32, 4>;
      @group(0) @binding(1) var<storage, read_write> n: atomic<u32>;
      @compute @workgroup_size(1) fn plan() { args = array(9, 3, 2, 1); }
      @compute @workgroup_size(2) fn work() { atomicAdd(&n, 1); }`;
    const steps = [
      { entry: "plan", workgroups: 1 },
      { entry: "work", workgroups: { indirect: "args", offset: 4 } },
    ];
    const { buffers, dispatches } = await runFile({ shader: "a.wgsl", steps }, { "a.wgsl": shader });
    expect(buffers.n.values).toBe(12);
    expect(dispatches[1].workgroups).toEqual([3, 2, 1]);
  });
});

describe("overrides", () => {
  const shader = `override n: u32; @id(7) override m = 1.5; override size = 2u;
    @group(0) @binding(0) var<storage, read_write> out: vec2f;
    @compute @workgroup_size(size) fn main() { out = vec2f(f32(n), m); }`;

  test.each([
    [{ n: 3, m: 2 }, [3, 2]],
    [{ n: 3, "7": 4 }, [3, 4]],
    [{ n: 3 }, [3, 1.5]],
  ])("by name and by id: %j", async (overrides, expected) => {
    const { buffers } = await runFile({ shader: "a.wgsl", overrides }, { "a.wgsl": shader });
    expect(buffers.out.values).toEqual(expected);
  });

  test("a step has its own besides those of all", async () => {
    const steps = [{ overrides: { n: 5 } }];
    const { buffers } = await runFile({ shader: "a.wgsl", overrides: { m: 9 }, steps }, { "a.wgsl": shader });
    expect(buffers.out.values).toEqual([5, 9]);
  });

  test.each([
    [{ m: 9 }, { "7": 4 }],
    [{ "7": 9 }, { m: 4 }],
  ])("a step has the last word, by name or by id: %j, %j", async (overrides, own) => {
    const launch = { shader: "a.wgsl", overrides, steps: [{ overrides: { n: 5, ...own } }] };
    const { buffers } = await runFile(launch, { "a.wgsl": shader });
    expect(buffers.out.values).toEqual([5, 4]);
  });

  test("one of name and id is enough", async () => {
    const launch = { shader: "a.wgsl", overrides: { n: 3, m: 1, "7": 2 } };
    const expected = 'launch-conflict at "m": ‘7’ and ‘m’ exclude each other';
    expect(said(await runFile(launch, { "a.wgsl": shader }))).toEqual([expected]);
  });

  test("one without a default needs a value", async () => {
    const result = await runFile({ shader: "a.wgsl" }, { "a.wgsl": shader });
    expect(said(result)).toEqual([expect.stringContaining("override-missing at n: ")]);
  });

  test("a large workgroup is a warning", async () => {
    const result = await runFile(
      { shader: "a.wgsl", workgroups: 1, overrides: { n: 1, size: 1024 } },
      { "a.wgsl": shader },
    );
    expect(result.ok).toBe(true);
    expect(result.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["workgroup-too-large", "warning"],
    ]);
    expect(result.dispatches[0].invocations).toBe(1024);
  });

  test.each([1025, 4294967295])("a workgroup of %i invocations is an error", async (size) => {
    const launch = { shader: "a.wgsl", workgroups: 1, overrides: { n: 1, size } };
    const result = await runFile(launch, { "a.wgsl": shader });
    expect(result.ok).toBe(false);
    expect(result.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["workgroup-too-large", "error"],
    ]);
  });
});

describe("a part that a buffer bounds", () => {
  const shader = `@group(0) @binding(0) var<storage, read_write> live: u32;
    @group(0) @binding(1) var<storage, read_write> list: array<u32, 4>;
    @compute @workgroup_size(1) fn main() { live += 3u; list[2] = 9u; }`;
  const reading = (live: number, read: string) =>
    runFile({ shader: "a.wgsl", workgroups: 1, buffers: { live }, read: [read] }, { "a.wgsl": shader });

  test("ends where the buffer says", async () => {
    const result = await reading(0, "list:0..live");
    expect(result.buffers.list.values).toEqual([0, 0, 9]);
    expect(said(result)).toEqual([]);
  });

  test("is cut with a warning where the buffer says more than there is", async () => {
    const result = await reading(4, "list:1..live");
    expect(result.buffers.list.values).toEqual([0, 9, 0]);
    expect(said(result)).toEqual([
      'range-cut at "list:1..live": ‘live’ is 7, more than the 4 elements of ‘list’, of which all are read',
    ]);
    expect(result.ok).toBe(true);
  });

  test("is cut in code, too", async () => {
    const launch = { shader, workgroups: 1, buffers: { live: 4 }, read: ["list:0..live"] };
    const { buffers, diagnostics } = await run(launch);
    expect([buffers.list.values, diagnostics.map(({ code }) => code)]).toEqual([[0, 0, 9, 0], ["range-cut"]]);
  });

  test("that a number bounds is not cut", async () => {
    expect(said(await reading(0, "list:0..5"))).toEqual([expect.stringContaining("range-bounds")]);
  });
});

describe("one buffer under two names", () => {
  const launch = { shader: "a.wgsl", workgroups: 1, buffers: { source: "iota:4", target_: { same: "0.0" } } };

  test("is one memory, and WebGPU would refuse it", async () => {
    const result = await runFile(launch, { "a.wgsl": step });
    expect(result.ok).toBe(true);
    expect(result.buffers.target_.values).toEqual([1, 2, 3, 4]);
    expect(said(result)).toEqual([
      expect.stringMatching(
        /^binding-aliased at \{\s+"same": "0.0"\s+\}: ‘source’ and ‘target_’ are one buffer and ‘target_’ can be written/,
      ),
    ]);
  });

  test("by bind, too", async () => {
    const steps = [{ workgroups: 1, bind: { target_: "source" } }];
    const result = await runFile({ shader: "a.wgsl", steps, buffers: { source: "iota:4" } }, { "a.wgsl": step });
    expect(result.buffers.source.values).toEqual([1, 2, 3, 4]);
    expect(said(result)).toEqual([expect.stringContaining('binding-aliased at "source"')]);
  });
});

describe("values before the run", () => {
  const shader = `struct Cell { live: atomic<u32>, at: vec3f }
    @group(0) @binding(0) var<storage, read_write> cells: array<Cell>;
    @compute @workgroup_size(1) fn main() { atomicAdd(&cells[1].live, 1); }`;

  test("set by path", async () => {
    const set = { "cells[1].live": 41, "cells[1].at.y": 0.5, "0.0[0].at": [1, 2, 3] };
    const { buffers } = await runFile(
      { shader: "a.wgsl", workgroups: 1, buffers: { cells: "zeros:2" }, set },
      { "a.wgsl": shader },
    );
    expect(buffers.cells.values).toEqual([
      { live: 0, at: [1, 2, 3] },
      { live: 42, at: [0, 0.5, 0] },
    ]);
  });
});

describe("reading back", () => {
  const shader = `struct List { live: u32, items: array<u32> }
    @group(0) @binding(0) var<storage, read_write> list: List;
    @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) { list.items[i] = i * i; list.live = 3u; }`;

  test.each<[string, string, unknown, number]>([
    ["list.items:0..list.live", "list.items", [0, 1, 4], 0],
    ["list.items:5..", "list.items", [25, 36, 49], 5],
    ["list.items:list.live..4", "list.items", [9], 3],
    ["list.items[3]", "list.items[3]", 9, 0],
    ["list.live", "list.live", 3, 0],
    ["0.0", "list", { live: 3, items: [0, 1, 4, 9, 16, 25, 36, 49] }, 0],
  ])("%s", async (read, name, expected, from) => {
    const { buffers, diagnostics } = await runFile(
      { shader: "a.wgsl", workgroups: 1, read: [read] },
      { "a.wgsl": shader },
    );
    expect(diagnostics).toEqual([]);
    expect(Object.keys(buffers)).toEqual([name]);
    expect([buffers[name].values, buffers[name].from]).toEqual([expected, from]);
  });
});

describe("one function, called", () => {
  const shader = `const offset = 10.0;
    @group(0) @binding(3) var<storage, read_write> seen: atomic<u32>;
    struct Pair { a: u32, b: vec2f }
    fn half(x: f32) -> f32 { return x / 2.0; }
    fn even(x: u32) -> bool { return x % 2u == 0u; }
    fn pair(x: i32, y: vec2f) -> Pair { return Pair(u32(x), y + offset); }
    fn count(by: ptr<storage, atomic<u32>, read_write>) { atomicAdd(by, 1u); }`;
  const call = async (text: string, invocations?: number) => {
    const others = invocations === undefined ? {} : { invocations };
    const result = await runFile({ shader: "a.wgsl", call: text, ...others }, { "a.wgsl": shader });
    return result;
  };

  test.each<[string, number, unknown]>([
    ["half(invocation)", 4, [0, 0.5, 1, 1.5]],
    ["half(f32(invocation) + offset)", 2, [5, 5.5]],
    ["even(invocation)", 3, [1, 0, 1]],
    ["pair(-1 + 2, vec2f(1, f32(invocation)))", 1, [{ a: 1, b: [11, 10] }]],
  ])("%s", async (text, invocations, expected) => {
    const result = await call(text, invocations);
    expect(result.diagnostics).toEqual([]);
    expect(result.buffers.result.values).toEqual(expected);
  });

  test("without a number there are four workgroups of 64", async () => {
    const { buffers, launch } = await call("half(invocation)");
    expect(buffers.result.array()).toHaveLength(256);
    expect(launch).toMatchObject({ call: "half(invocation)", workgroups: [4] });
    expect(launch).not.toHaveProperty("entry");
  });

  test("a large number is rounded up to workgroups, the results are not", async () => {
    const { buffers, dispatches } = await call("half(invocation)", 1000);
    expect(dispatches).toMatchObject([{ entry: "half(invocation)", workgroups: [16, 1, 1], invocations: 1024 }]);
    expect(buffers.result.array()).toHaveLength(1000);
  });

  test("for its effects", async () => {
    const { buffers } = await call("count(&seen)", 5);
    expect(buffers.seen.values).toBe(5);
    expect(buffers).not.toHaveProperty("result");
  });

  test.each([
    ["half", 'call-syntax at "half": ‘half’ is no call: expected fn(args)'],
    ["half(1.0); }", "call-syntax"],
    ["half(1.0, 2.0)", 'call-invalid at "half(1.0, 2.0)": ‘half(1.0, 2.0)’: '],
    ["half(x)", 'call-invalid at "half(x)": ‘half(x)’: ‘x’'],
    ["hafl(1.0)", 'call-unknown at "hafl(1.0)": there is no function ‘hafl’ to call'],
  ])("%s is refused", async (text, expected) => {
    expect(said(await call(text))).toEqual([expect.stringContaining(expected)]);
  });
});

describe("expectations", () => {
  const shader = `struct Cont { live: u32 }
    @group(0) @binding(0) var<storage, read_write> list: array<vec2f>;
    @group(0) @binding(1) var<storage, read_write> cont: Cont;
    @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
      list[3u - i] = vec2f(f32(i), 0.1);
      if i == 0u { cont.live = 2u; }
    }`;
  const expecting = async (expect: object, tolerance?: object) => {
    const others = tolerance === undefined ? {} : { tolerance };
    const launch = { shader: "a.wgsl", workgroups: 1, buffers: { list: "zeros:4" }, expect, ...others };
    const result = await runFile(launch, { "a.wgsl": shader });
    return { ...result.comparisons[0], said: said(result), ok: result.ok };
  };
  const whole = [
    [3, 0.1],
    [2, 0.1],
    [1, 0.1],
    [0, 0.1],
  ];
  const backwards = [...whole].reverse();

  test.each<[object, object?]>([
    [{ list: { values: whole } }],
    [{ list: whole }],
    [{ list: { values: backwards, unordered: true } }],
    [{ list: { values: whole.slice(0, 2), count: "cont.live" } }],
    [{ list: { values: whole, count: 1 } }],
    [{ list: { values: whole.map(([x, y]) => [x + 0.5, y]) } }, { abs: 0.5 }],
    [{ list: { values: whole.map(([x, y]) => [x, y * 1.0000001]) } }, { ulp: 2 }],
    [{ list: { values: whole.map(([x, y]) => [x * 1.01, y]) } }, { rel: 0.02 }],
    [{ list: { values: backwards.map(([x, y]) => [x + 0.001, y]), unordered: true } }, { abs: 0.01 }],
    [{ "list[0].x": 3 }],
    [{ "cont.live": 2 }],
    [{ cont: { values: { live: 2 } } }],
    [{ "0.1": { u32: [2] } }],
    [{ list: { f32: [3, 0.1, 2, 0.1, 1, 0.1, 0, 0.1] } }],
    [{ list: { same: "list" } }],
  ])("%j holds", async (expected, tolerance) => {
    const found = await expecting(expected, tolerance);
    expect(found).toMatchObject({ ok: true, count: 0, first: null, said: [] });
  });

  test.each<[object, object | undefined, object]>([
    [
      {
        list: {
          values: [
            [3, 0.1],
            [2, 0.2],
            [1, 0.1],
            [0, 0.3],
          ],
        },
      },
      undefined,
      { count: 2, compared: 8, first: { path: "list[1].y", expected: 0.2, actual: 0.1 } },
    ],
    [
      { list: { values: whole.slice(0, 3) } },
      undefined,
      { count: 1, first: { path: "number of elements in list", expected: 3, actual: 4 } },
    ],
    [
      { list: { values: whole, count: "cont.live" } },
      undefined,
      { first: { path: "number of elements in list", expected: 4, actual: 2 } },
    ],
    [
      { list: { values: [...whole.slice(0, 3), [7, 0.1]], unordered: true } },
      undefined,
      { count: 1, first: { path: "list[3]", expected: [7, 0.1], actual: [0, 0.1] } },
    ],
    [{ list: { values: whole.map(([x, y]) => [x, y * 1.0000001]) } }, { ulp: 0 }, { count: 4, maxUlp: 1 }],
    [{ cont: { values: { live: 3 } } }, { abs: 9 }, { count: 1, first: { path: "cont.live", expected: 3, actual: 2 } }],
    [{ "0.1": { u32: [3] } }, undefined, { first: { path: "cont.live", expected: 3, actual: 2 } }],
    [{ "0.1": { u32: [2, 0] } }, undefined, { first: { expected: 2, actual: 1 } }],
    [{ list: "zeros" }, undefined, { count: 7 }],
    [
      {
        list: {
          values: [
            ["NaN", 0.1],
            [2, 0.1],
            [1, 0.1],
            [0, 0.1],
          ],
        },
      },
      { abs: 5 },
      { count: 1, maxUlp: Infinity, first: { path: "list[0].x", expected: "NaN", actual: 3 } },
    ],
  ])("%j does not hold", async (expected, tolerance, found) => {
    expect(await expecting(expected, tolerance)).toMatchObject({ ok: false, ...found });
  });

  describe.each(["array<u32>", "array<u32, 8>", "array<u32, 5>"])("of an %s, some of whose elements count", (type) => {
    const files = {
      "a.wgsl": `@group(0) @binding(0) var<storage, read_write> live: u32;
        @group(0) @binding(1) var<storage, read_write> list: ${type};
        @compute @workgroup_size(1) fn main() { list[0] = 7u; list[1] = 5u; list[2] = 6u; live = 3u; }`,
    };
    const buffers = type === "array<u32>" ? { list: "zeros:8" } : {};
    const outcome = async (list: object) => {
      const launch = { shader: "a.wgsl", workgroups: 1, buffers, expect: { list } };
      return (await runFile(launch, files)).comparisons[0];
    };

    test.each([
      { values: [7, 5, 6], count: "live" },
      { values: [5, 6, 7], count: "live", unordered: true },
      { u32: [6, 5, 7], count: "live", unordered: true },
      { u32: [7, 5, 6], count: "live" },
      { values: [7, 5], count: 2 },
      { values: [7, 5, 9], count: 2 },
      { values: [7, 5, 6], count: 3, unordered: true },
    ])("%j holds", async (expected) => {
      expect(await outcome(expected)).toMatchObject({ ok: true, count: 0, first: null });
    });

    const wrong = { path: "number of elements in list" };
    test.each<[object, object]>([
      [
        { values: [7, 5], count: "live" },
        { count: 1, compared: 3, first: { ...wrong, expected: 2, actual: 3 } },
      ],
      [
        { values: [7, 5, 6, 0], count: "live" },
        { count: 1, first: { ...wrong, expected: 4, actual: 3 } },
      ],
      [{ values: [7, 5, 6] }, { count: 1, first: { ...wrong, expected: 3 } }],
      [{ u32: [7, 5], count: "live", unordered: true }, { first: { ...wrong, expected: 2, actual: 3 } }],
      [{ u32: [7], unordered: true }, { first: wrong }],
      [
        { values: [7, 5, 9], count: "live" },
        { count: 1, first: { path: "list[2]", expected: 9, actual: 6 } },
      ],
    ])("%j does not hold", async (expected, found) => {
      expect(await outcome(expected)).toMatchObject({ ok: false, ...found });
    });
  });

  test("who wrote the wrong value last", async () => {
    const { first } = await expecting({
      list: {
        values: [
          [3, 0.1],
          [2, 0.1],
          [1, 9],
          [0, 0.1],
        ],
      },
    });
    expect(first?.writtenBy).toEqual({
      invocation: { global: [1, 0, 0], workgroup: [0, 0, 0], localIndex: 1 },
      path: "dir/a.wgsl",
      start: expect.objectContaining({ line: 5 }),
    });
  });

  test("only arrays are unordered", async () => {
    expect((await expecting({ "cont.live": { values: 2, unordered: true } })).said).toEqual([
      expect.stringContaining("expect-no-array"),
    ]);
  });

  test("after a swap the names mean the other buffers", async () => {
    const steps = [{ workgroups: 1, repeat: 3, swap: ["source", "target_"] }];
    const expected = { source: { values: [3, 4, 5, 9] } };
    const launch = { shader: "a.wgsl", steps, buffers: { source: "iota:4", target_: "zeros:4" }, expect: expected };
    const { comparisons } = await runFile(launch, { "a.wgsl": step });
    expect(comparisons[0].first).toMatchObject({
      path: "source[3]",
      expected: 9,
      actual: 6,
      writtenBy: { path: "dir/a.wgsl" },
    });
  });
});

describe("traces", () => {
  const shader = `@group(0) @binding(0) var<storage, read_write> bins: array<atomic<u32>, 4>;
    @group(0) @binding(1) var<storage, read_write> h: vec4i;
    @compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) {
      atomicAdd(&bins[id.x % 2u], 5u);
      if id.x == 3u { h.y -= 1; }
    }`;

  test("who touched a cell, old and new value", async () => {
    const result = await runFile(
      { shader: "a.wgsl", workgroups: 2 },
      { "a.wgsl": shader },
      { trace: ["bins[1]", "h.y", "bins"] },
    );
    const [cell, component, all] = result.traces;
    expect(
      cell.events.map(({ invocation, atomic, kind, before, after }) => [
        invocation.global[0],
        atomic,
        kind,
        before,
        after,
      ]),
    ).toEqual([
      [1, "atomicAdd", "atomic-rmw", 0, 5],
      [3, "atomicAdd", "atomic-rmw", 5, 10],
    ]);
    expect(
      component.events.map(({ kind, cell, before, after, start }) => [kind, cell, before, after, start.line]),
    ).toEqual([
      ["read", "h.y", 0, 0, 5],
      ["write", "h.y", 0, -1, 5],
    ]);
    expect(all.count).toBe(4);
  });

  test("go by the names in the end, as results do", async () => {
    const step = `@group(0) @binding(0) var<storage, read> source: array<u32>;
      @group(0) @binding(1) var<storage, read_write> target_: array<u32>;
      @compute @workgroup_size(2) fn main(@builtin(local_invocation_index) i: u32) { target_[i] = source[i] + 1u; }`;
    const files = { "a.wgsl": step };
    for (const repeat of [1, 2, 3]) {
      const steps = [{ workgroups: 1, repeat, swap: ["source", "target_"] }];
      const launch = { shader: "a.wgsl", steps, buffers: { source: "zeros:2", target_: "zeros:2" }, read: ["source"] };
      const { traces, buffers } = await runFile(launch, files, { trace: ["source[1]"] });
      expect(buffers.source.values).toEqual([repeat, repeat]);
      expect(traces[0].events.findLast(({ kind }) => kind === "write")).toMatchObject({ after: repeat });
    }
  });

  test("another observer sees the dispatches too", async () => {
    let ended = 0;
    const observe = () => ({ workgroupEnded: () => void ended++ });
    const { traces } = await runFile(
      { shader: "a.wgsl", workgroups: 2 },
      { "a.wgsl": shader },
      { trace: ["h"], observe },
    );
    expect([traces[0].count, ended]).toEqual([2, 2]);
  });

  test("of something that is not there", async () => {
    await expect(run({ shader }, { trace: ["binz[1]"] })).rejects.toThrow("there is no buffer ‘binz’");
  });
});

describe("runs that do not end well", () => {
  test("a timeout says where the invocations were", async () => {
    const shader = `@group(0) @binding(0) var<storage, read_write> flag: atomic<u32>;
@compute @workgroup_size(2) fn main() {
  loop {
    if atomicLoad(&flag) == 1u { break; }
  }
}`;
    const result = await runFile(
      { shader: "a.wgsl", workgroups: 1, expect: { flag: 1 } },
      { "a.wgsl": shader },
      { timeout: 0.1 },
    );
    expect(result.ok).toBe(false);
    const [{ code, source, span, args, notes }] = result.diagnostics;
    expect({ code, line: source.position(span.start).line, args }).toEqual({
      code: "timeout",
      line: expect.toSatisfy((line: number) => line >= 3 && line <= 5),
      args: { entry: "main", budget: "0.1 s", count: 2 },
    });
    expect(notes[0].message).toContain("invocation 0 of workgroup (0, 0, 0) is here");
    expect(result.comparisons).toEqual([]);
    expect(result.buffers.flag.values).toBe(0);
  });

  test.each([
    ["storage", "flag", "another invocation changes ‘flag’"],
    ["workgroup", "own", "another invocation of the same workgroup changes ‘own’"],
  ])("a timeout tells what a loop waits for in %s memory", async (_, name, text) => {
    const shader = `@group(0) @binding(0) var<storage, read_write> flag: atomic<u32>;
var<workgroup> own: atomic<u32>;
@compute @workgroup_size(2) fn main() {
  while atomicLoad(&${name}) == 0u {}
  atomicStore(&flag, 0u);
}`;
    const result = await runFile({ shader: "a.wgsl", workgroups: 1 }, { "a.wgsl": shader }, { timeout: 0.1 });
    const [{ notes }] = result.diagnostics;
    expect(notes.map(({ message }) => message)).toContainEqual(
      expect.stringContaining(`this loop ends only when ${text}`),
    );
  });

  test("a timeout tells of buffers that hold random numbers because nobody filled them", async () => {
    const shader = `@group(0) @binding(0) var<uniform> bound: u32;
@group(0) @binding(1) var<storage, read> filled: array<u32>;
@group(0) @binding(2) var<storage, read_write> sum: u32;
@compute @workgroup_size(1) fn main() { for (var i = 0u; i < bound; i++) { sum += filled[i % 4]; } }`;
    const launch = { shader: "a.wgsl", workgroups: 1, buffers: { filled: "iota:4" } };
    const result = await runFile(launch, { "a.wgsl": shader }, { timeout: 0.05 });
    const notes = result.diagnostics[0].notes.map(({ message }) => message);
    expect(notes).toContain("‘bound’ was given nothing, so it holds random numbers");
    expect(notes.join()).not.toContain("filled");
  });

  test("no workgroups are a warning", async () => {
    const result = await runFile({ shader: "a.wgsl", workgroups: 0 }, { "a.wgsl": double });
    expect(said(result)).toEqual(["workgroups-none at main: ‘main’ runs with no workgroup at all"]);
  });

  test("a texture is not run", async () => {
    const shader = `@group(0) @binding(0) var t: texture_2d<f32>;
      @compute @workgroup_size(1) fn main() { _ = textureLoad(t, vec2u(), 0); }`;
    expect(said(await runFile({ shader: "a.wgsl" }, { "a.wgsl": shader }))).toEqual([
      "resource-unsupported at t: halay does not run shaders with a texture_2d<f32> yet: ‘t’",
    ]);
  });

  test.each([
    ["@group(0) @binding(0) var<storage, read_write> a: u32; fn f() { let x: u32 = 1.5; }", "a = 3u;", 3],
    ["@group(0) @binding(0) var<storage, read_write> a: u32;", "a = 1.5; a = x;", null],
  ])("what is not legal runs as far as it can where that is allowed: %s %s", async (head, body, value) => {
    const shaders = { "a.wgsl": `${head}\n@compute @workgroup_size(1) fn main() { ${body} }` };
    const refused = await runFile({ shader: "a.wgsl", workgroups: 1 }, shaders);
    expect([refused.ok, refused.dispatches]).toEqual([false, []]);
    const allowed = await runFile({ shader: "a.wgsl", workgroups: 1 }, shaders, { allowIllegal: true });
    expect([allowed.ok, allowed.buffers.a?.values ?? null]).toEqual([value !== null, value]);
  });

  test("no entry point", async () => {
    expect(said(await runFile({ shader: "a.wgsl" }, { "a.wgsl": "fn f() {}" }))).toEqual([
      "entry-none at : there is no compute entry point; a function runs with --call 'fn(args)', or ‘call’ in a launch file",
    ]);
  });
});

describe("host layouts", () => {
  const shader = `struct View { zoom: f32, offset: vec2f, gain: f32 }
struct Item { position: vec3f, view: View }
@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read_write> items: array<Item>;
@compute @workgroup_size(1) fn main() { items[0].view = view; }`;
  const mismatches = async (hostLayout: object) => {
    const result = await runFile({ shader: "a.wgsl", workgroups: 1, hostLayout }, { "a.wgsl": shader });
    return said(result).map((line) => line.replace("layout-mismatch at ", ""));
  };

  test.each<[object, readonly string[]]>([
    [{ View: { size: 24, members: { zoom: 0, offset: 8, gain: 16 } } }, []],
    [
      { view: { members: { offset: { offset: 4, size: 8 }, gain: 12 } } },
      [
        "offset: vec2f: the host takes the offset of ‘view.offset’ to be 4, the shader has 8",
        "gain: f32: the host takes the offset of ‘view.gain’ to be 12, the shader has 16",
      ],
    ],
    [{ items: { stride: 40 } }, ["items: the host takes the stride of ‘items’ to be 40, the shader has 48"]],
    [
      { Item: { stride: 40, size: 40 } },
      [
        "Item: the host takes the stride of ‘Item’ to be 40, the shader has 48",
        "Item: the host takes the size of ‘Item’ to be 40, the shader has 48",
      ],
    ],
    [
      { "0.1": { stride: 48, size: 48, members: { "view.gain": 30 } } },
      ["gain: f32: the host takes the offset of ‘items.view.gain’ to be 30, the shader has 32"],
    ],
    [
      { Item: { members: { position: { offset: 0, size: 16 } } } },
      ["position: vec3f: the host takes the size of ‘Item.position’ to be 16, the shader has 12"],
    ],
  ])("%j", async (hostLayout, expected) => {
    expect(await mismatches(hostLayout)).toEqual(expected);
  });

  test("the launch runs all the same, and a filter speaks", async () => {
    const launch = { shader: "a.wgsl", workgroups: 1, hostLayout: { items: { stride: 4 } } };
    const result = await runFile(launch, { "a.wgsl": shader });
    expect([result.ok, result.dispatches.length]).toEqual([false, 1]);
    const quiet = await runFile(launch, { "a.wgsl": `diagnostic(off, halay.layout_mismatch);\n${shader}` });
    expect([quiet.ok, quiet.diagnostics]).toEqual([true, []]);
  });

  test("a member that is not there", async () => {
    expect(await mismatches({ View: { members: { gian: 0 } } })).toEqual([
      'host-member-unknown at "gian": View has no member ‘gian’; it has ‘zoom’, ‘offset’, ‘gain’',
    ]);
  });
});

test("the JSON of a result is that of the contract", async () => {
  const launch = { shader: "a.wgsl", workgroups: 1, buffers: { data: [1, 2] }, expect: { data: [2, 5] } };
  const json = runResultToJson(await runFile(launch, { "a.wgsl": double }), true);
  expect(JSON.parse(JSON.stringify(json))).toEqual({
    path: "dir/a.launch.json",
    ok: false,
    device: "cpu",
    engine: "interpreter",
    launch: {
      shader: "a.wgsl",
      entry: "main",
      workgroups: [1],
      buffers: { data: { values: [1, 2] } },
      expect: { data: { values: [2, 5] } },
      read: ["data"],
    },
    defaults: [{ kind: "entry", name: "main", value: "main" }],
    dispatches: [{ entry: "main", workgroups: [1, 1, 1], invocations: 4, milliseconds: expect.any(Number) }],
    buffers: { data: { group: 0, binding: 0, type: "array<u32>", values: [2, 4], bytes: "AgAAAAQAAAA=" } },
    comparisons: [
      {
        name: "data",
        ok: false,
        count: 1,
        compared: 2,
        maxUlp: 0,
        first: {
          path: "data[1]",
          expected: 5,
          actual: 4,
          writtenBy: {
            invocation: { global: [1, 0, 0], workgroup: [0, 0, 0], localIndex: 1 },
            path: "dir/a.wgsl",
            start: { line: 3, column: expect.any(Number), offset: expect.any(Number) },
          },
        },
      },
    ],
    diagnostics: [],
  });
});

test("a source without text is enough for errors to be diagnostics", async () => {
  const result = await run({ shader: "missing.wgsl" }, { source: new Source("", "options") });
  expect(result.diagnostics.map(({ code }) => code)).toEqual(["file-no-access"]);
});
