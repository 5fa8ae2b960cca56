import { describe, expect, test } from "vitest";
import { check } from "../../src/check.ts";
import type { Launch, Step } from "../../src/launch/launch.ts";
import { sanitizeResultToJson } from "../../src/sanitize/result-json.ts";
import { type SanitizeOptions, sanitize } from "../../src/sanitize/sanitize.ts";
import { baselineOf } from "../../src/sanitize/suppress.ts";
import { read } from "../house/tree.ts";

const LOST = `@group(0) @binding(0) var<storage, read_write> counts: array<u32, 4>;
@compute @workgroup_size(64)
fn count(@builtin(local_invocation_index) lane: u32) {
  counts[lane % 4u] += 1u;
}`;

async function codes(shader: string, launch: Partial<Launch> = {}, options: SanitizeOptions = {}): Promise<string[]> {
  const { findings } = await sanitize({ shader, workgroups: [1], ...launch }, options);
  return findings.map(({ code }) => code);
}

describe("what a finding holds", () => {
  test("both accesses, who, when, what, how often", async () => {
    const { findings, ok, checked } = await sanitize({ shader: LOST, workgroups: [1] });
    expect(ok).toBe(false);
    expect(checked).toMatchObject({ invocations: 64, accesses: 128, dispatches: 1, suppressed: 0 });
    expect(checked.schedules[0]).toEqual({ schedule: "in-order", seed: 1 });
    expect(checked.schedules.length).toBeGreaterThan(4);
    expect(findings).toHaveLength(1);
    const [finding] = findings;
    expect(finding).toMatchObject({
      code: "race-storage",
      severity: "error",
      count: 4,
      resource: { name: "counts", group: 0, binding: 0, path: "counts[0]", byteOffset: 0 },
      replay: { schedule: "in-order", seed: 1 },
      spec: "#memory-model",
    });
    expect(finding.accesses).toMatchObject([
      { kind: "read", phase: 0, value: 1, invocation: { global: [4, 0, 0], workgroup: [0, 0, 0], localIndex: 4 } },
      { kind: "write", phase: 0, value: 1, invocation: { global: [0, 0, 0], localIndex: 0 } },
    ]);
    expect(finding.notes.at(-1)!.message).toBe("an atomicAdd here makes reading, computing and writing one step");
  });

  test("as the JSON of the contract", async () => {
    const result = await sanitize({ shader: LOST, workgroups: [1] });
    const json = JSON.parse(JSON.stringify(sanitizeResultToJson(result))) as Record<string, unknown>;
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining(["path", "ok", "device", "engine", "launch", "dispatches", "buffers", "comparisons"]),
    );
    const [finding] = json.findings as Record<string, unknown>[];
    expect(Object.keys(finding).sort()).toEqual(
      ["code severity message args path start end spec notes fixes fingerprint", "resource accesses count replay"]
        .flatMap((line) => line.split(" "))
        .sort(),
    );
    const position = { line: expect.any(Number), column: expect.any(Number), offset: expect.any(Number) };
    expect((finding.accesses as unknown[])[0]).toEqual({
      kind: "read",
      atomic: null,
      path: "shader.wgsl",
      start: position,
      end: position,
      invocation: { global: [4, 0, 0], workgroup: [0, 0, 0], localIndex: 4 },
      phase: 0,
      value: 1,
    });
    expect(json.checked).toMatchObject({ checks: expect.any(Array), invocations: 64, accesses: 128, dispatches: 1 });
  });

  test("the result is that of a run", async () => {
    const { buffers, comparisons } = await sanitize({
      shader: LOST,
      workgroups: [1],
      expect: { counts: [16, 16, 16, 16] },
    });
    expect(buffers.counts.values).toEqual([16, 16, 16, 16]);
    expect(comparisons).toMatchObject([{ name: "counts", ok: true }]);
  });

  test("invocations and workgroups in three dimensions", async () => {
    const { findings } = await sanitize({
      shader: `@group(0) @binding(0) var<storage, read_write> x: u32;
        @compute @workgroup_size(2, 3) fn main(@builtin(workgroup_id) wg: vec3u, @builtin(local_invocation_id) l: vec3u) {
          if (all(l == vec3u(1u, 2u, 0u))) { x = wg.y + 1u; } }`,
      workgroups: [1, 2, 1],
    });
    expect(findings).toHaveLength(1);
    expect(findings[0].accesses.map(({ invocation }) => invocation)).toEqual([
      { global: [1, 2, 0], workgroup: [0, 0, 0], localIndex: 5 },
      { global: [1, 5, 0], workgroup: [0, 1, 0], localIndex: 5 },
    ]);
  });
});

test("through a buffer that is bound twice", async () => {
  const shader = `@group(0) @binding(0) var<storage, read_write> a: array<u32>;
    @group(0) @binding(1) var<storage, read> b: array<u32>;
    @group(0) @binding(2) var<storage, read_write> out: array<u32, 8>;
    @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
      a[i] = i;
      out[i] = b[7u - i];
    }`;
  const found = async (other: NonNullable<Launch["buffers"]>[string]) => {
    const { findings } = await sanitize({ shader, workgroups: [1], buffers: { a: "zeros:8", b: other } });
    return findings.map(({ code, notes }) => [
      code,
      notes.map(({ message }) => message).filter((each) => each.includes("one buffer")),
    ]);
  };
  expect(await found("zeros:8")).toEqual([]);
  expect(await found({ same: "0.0" })).toEqual([["race-storage", ["‘b’ and ‘a’ are one buffer"]]]);
});

describe("silencing", () => {
  const allow = (comment: string) => LOST.replace("  counts", `  ${comment}\n  counts`);

  test.each([
    ["// halay-allow-next-line race-storage -- it is a demonstration", []],
    ["// halay-allow-next-line same-value-write, race-storage -- both", []],
    ["// halay-allow-next-line race-storage", ["race-storage"]],
    ["// halay-allow-next-line race-workgroup -- another one", ["race-storage"]],
    ["/* halay-allow-next-line race-storage -- in a comment of the other kind */", []],
    ["// halay-allow-next-line race-storage -- not only\n\n  // directly above", []],
    ["// halay-allow-next-line race-storage -- another line\n  _ = lane;", ["race-storage"]],
  ])("%s", async (comment, expected) => {
    expect(await codes(allow(comment))).toEqual(expected);
  });

  test.each([
    ["// halay-allow-next-line race-storge -- a code that is none", ["allowance-unknown"]],
    ["// halay-allow-next-line race-storage", ["allowance-without-reason"]],
    ["// halay-allow-next-line -- it is a demonstration", ["allowance-without-code"]],
    ["// halay-allow-next-line", ["allowance-without-reason"]],
    ["// halay-alow-next-line race-storage -- a mark that is none", ["allowance-mark"]],
    ["/* halay-ignore race_storage */", ["allowance-mark"]],
    ["// Halay_Allow race -- by its reason", ["allowance-mark"]],
    ["// halay-like, a dance in lockstep", []],
    ["// halay is a dance -- in lockstep", []],
  ])("what silences nothing is told: %s", async (comment, expected) => {
    const shader = allow(comment);
    for (const program of [shader, check(shader).program!]) {
      const { diagnostics, findings } = await sanitize({ shader: program, workgroups: [1] });
      expect(
        diagnostics
          .filter(({ severity }) => severity === "warning")
          .flatMap(({ code }) => (code.startsWith("allow") ? [code] : [])),
      ).toEqual(expected);
      expect(findings).toHaveLength(1);
    }
    const { diagnostics } = await sanitize({
      shader: `diagnostic(off, halay.allowance_mark);\n${shader}`,
      workgroups: [1],
    });
    expect(diagnostics.map(({ code }) => code)).not.toContain("allowance-mark");
  });

  test("filters of the language, on functions and for the module", async () => {
    expect(await codes(LOST.replace("@compute", "@diagnostic(off, halay.race_storage) @compute"))).toEqual([]);
    expect(await codes(`diagnostic(off, halay.race_storage);\n${LOST}`)).toEqual([]);
    const { findings, ok } = await sanitize({
      shader: LOST.replace("@compute", "@diagnostic(info, halay.race_storage) @compute"),
      workgroups: [1],
    });
    expect(findings.map(({ severity }) => severity)).toEqual(["info"]);
    expect(ok).toBe(true);
  });

  const buffers = `@group(0) @binding(0) var<storage, read_write> n: N;
    @group(0) @binding(1) var<storage, read_write> out: array<u32>;`;
  const lane = "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {";
  const explaining = [
    [
      "who waits",
      `alias N = atomic<u32>; ${buffers} ${lane}\n// MARK
        loop { if (atomicLoad(&n) != 0u) { break; } if (i == 3u) { atomicStore(&n, 1u); } }
        out[i] = atomicLoad(&n); atomicStore(&n, i + 1u); }`,
      "no-forward-progress",
      ["unordered-atomics"],
    ],
    [
      "who waits for ever",
      `alias N = atomic<u32>; ${buffers} ${lane}\n// MARK
        loop { if (atomicLoad(&n) == 7u) { break; } } out[i] = 1u; }`,
      "no-forward-progress",
      ["timeout"],
    ],
    [
      "a counter that wraps",
      `alias N = atomic<u32>; ${buffers} ${lane}\n// MARK
        atomicSub(&n, 1u);\n out[i] = atomicLoad(&n); }`,
      "counter-underflow",
      ["unordered-atomics"],
    ],
    [
      "what a race leads to",
      `alias N = u32; ${buffers} ${lane} if (i % 3u != 0u) { return; }\n// MARK
        let at = n; n = at + 1u;\n out[at] = i; }`,
      "race-storage",
      ["race-storage"],
    ],
  ] as const;

  test.each(explaining)("what it explained is told: %s", async (_, text, code, others) => {
    const options = { timeout: 2 };
    const told = async (shader: string) => [...new Set(await codes(shader, {}, options))].sort();
    const whole = await sanitize({ shader: text, workgroups: [1] }, options);
    expect([...new Set(whole.findings.map((found) => found.code))]).toEqual([code]);
    const allowed = text.replace("// MARK", `// halay-allow-next-line ${code} -- it is known`);
    expect(await told(allowed)).toEqual(others);
    if (code !== "race-storage") {
      expect(await told(`diagnostic(off, halay.${code.replaceAll("-", "_")});\n${text}`)).toEqual(others);
    }
    // A baseline knows what was told with it.
    const baseline = baselineOf({ results: [sanitizeResultToJson(whole)] });
    expect(await codes(text, {}, { ...options, baseline })).toEqual([]);
  });

  test("a baseline", async () => {
    const first = await sanitize({ shader: LOST, workgroups: [1] });
    const baseline = baselineOf({ results: [sanitizeResultToJson(first)] });
    const again = await sanitize({ shader: `// A line more.\n${LOST}`, workgroups: [1] }, { baseline });
    expect(again.findings).toEqual([]);
    expect(again.checked.suppressed).toBe(1);
    expect(again.ok).toBe(true);
  });

  test.each([
    ["array<u32>", "list[at]", "list", "arrayLength(&list)"],
    ["struct { used: u32, items: array<u32> }", "list.items[at]", "list.items", "arrayLength(&list.items)"],
    ["struct { items: array<u32, 4> }", "list.items[at]", "list.items", "4u"],
    ["struct { used: u32, items: array<u32> }", "put(&list.items, at)", "list", "arrayLength(&list.items)"],
  ])("of %s, hints say how long ‘%s’ is", async (type, place, array, length) => {
    const isStruct = type.startsWith("struct");
    const shader = `${isStruct ? `struct List ${type.slice("struct".length)}` : "alias List = array<u32>;"}
      @group(0) @binding(0) var<storage, read_write> list: List;
      @group(0) @binding(1) var<storage, read_write> n: atomic<u32>;
      fn put(items: ptr<storage, array<u32>, read_write>, at: u32) { (*items)[at] = 1u; }
      @compute @workgroup_size(8) fn main() {
        let at = atomicAdd(&n, 1u);
        ${place.startsWith("put") ? place : `${place} = 1u`};
      }`;
    const { findings } = await sanitize({ shader, workgroups: [1], buffers: { list: "zeros:4" } });
    const [bounds, capacity] = ["out-of-bounds", "counter-over-capacity"].map(
      (code) => findings.find((finding) => finding.code === code)!,
    );
    expect(bounds.notes.at(-1)!.message).toBe(`let only what is in bounds get here: if (at < ${length})`);
    expect(capacity.message).toContain(`more than the 4 that ‘${array}’ has room for`);
    expect(capacity.notes.at(-1)!.message).toContain(`atomicMin(&n, ${length}) after a failed append`);
  });

  test("no more findings than asked for, the gravest", async () => {
    const shader = `@group(0) @binding(0) var<storage, read_write> a: array<u32, 4>;
      @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) lane: u32) {
        a[0] = 1u;
        a[1] = lane;
        a[lane] = 2u;
      }`;
    const all = await codes(shader);
    expect(all.length).toBeGreaterThan(2);
    const { findings } = await sanitize({ shader, workgroups: [1] }, { maxFindings: 1 });
    expect(findings).toHaveLength(1);
    expect(findings[0].severity).toBe("error");
    const none = await sanitize({ shader, workgroups: [1] }, { maxFindings: 0 });
    expect([none.findings, none.checked.untold, none.ok]).toEqual([[], all.length, false]);
  });
});

describe("several dispatches", () => {
  test("are ordered, and memory carries over", async () => {
    const shader = `@group(0) @binding(0) var<storage, read_write> a: array<u32, 64>;
      @group(0) @binding(1) var<storage, read_write> b: array<u32, 64>;
      @compute @workgroup_size(32) fn shift(@builtin(global_invocation_id) id: vec3u) {
        b[id.x] = a[(id.x + 1u) % 64u] + 1u; }`;
    const launch: Launch = {
      shader,
      steps: [{ entry: "shift", workgroups: [2], repeat: 3, swap: ["a", "b"] }],
      read: ["a"],
      expect: { a: "fill:3:64" },
    };
    const { findings, comparisons } = await sanitize(launch);
    expect(findings).toEqual([]);
    expect(comparisons[0].ok).toBe(true);
  });

  test("one finding for all repetitions", async () => {
    const { findings } = await sanitize({ shader: LOST, steps: [{ entry: "count", workgroups: [1], repeat: 5 }] });
    expect(findings.map(({ code, count }) => [code, count])).toEqual([["race-storage", 20]]);
  });

  test("who reads a counter next that was left too high", async () => {
    const stated = JSON.parse(read("test/cases/073-next-pass-trusts-the-count.json")) as { launch: Launch };
    const shader = read("test/cases/073-next-pass-trusts-the-count.wgsl");
    const steps = stated.launch.steps!.map((step) => ({ ...step, shader }));
    const { findings } = await sanitize({ ...stated.launch, shader, steps });
    const counter = findings.find(({ code }) => code === "counter-over-capacity")!;
    expect(counter.notes.map(({ message }) => message)).toContain(
      "‘place’ takes the counter for the number of elements here",
    );
  });

  test("what the host did not fill is written by an earlier dispatch", async () => {
    const shader = `@group(0) @binding(0) var<storage, read_write> a: array<u32, 64>;
      @compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) id: vec3u) { if (id.x < 60u) { a[id.x] = 1u; } }
      @compute @workgroup_size(64) fn use_it(@builtin(global_invocation_id) id: vec3u) { if (a[id.x] > 3u) { a[id.x] = 0u; } }`;
    const steps = [
      { entry: "fill", workgroups: [1] },
      { entry: "use_it", workgroups: [1] },
    ];
    const buffers = { a: { unwritten: 64 } };
    const { findings } = await sanitize({ shader, steps, buffers }, { checks: ["init"] });
    expect(findings.map(({ code, resource, count }) => [code, resource?.path, count])).toEqual([
      ["unwritten-read", "a[60]", 4],
    ]);
  });
});

describe("where an index leaves its bounds", () => {
  const at = async (body: string) => {
    const shader = `struct Cell { hits: array<vec3u, 4>, more: array<array<u32, 2>, 3> }
      @group(0) @binding(0) var<storage, read_write> cells: array<Cell, 2>;
      @group(0) @binding(1) var<storage, read_write> index: u32;
      fn put(p: ptr<storage, array<u32, 2>, read_write>, i: u32) { (*p)[i] = 1u; }
      @compute @workgroup_size(1) fn main() { let i = index; ${body} }`;
    const { findings } = await sanitize(
      { shader, workgroups: [1], buffers: { index: { values: 5 } } },
      { checks: ["bounds"] },
    );
    return findings.map(({ resource, message }) => [resource?.path, message.slice(message.indexOf(":") + 2)]);
  };

  test.each([
    ["cells[i].hits[0] = vec3u();", "cells[5]", "index 5 of 2 elements"],
    ["cells[1].hits[i].y = 1u;", "cells[1].hits[5]", "index 5 of the 4 elements of ‘cells[1].hits’"],
    ["cells[1].hits[2][i] = 1u;", "cells[1].hits[2][5]", "index 5 of the 3 elements of ‘cells[1].hits[2]’"],
    ["cells[1].more[2][i] = 1u;", "cells[1].more[2][5]", "index 5 of the 2 elements of ‘cells[1].more[2]’"],
    ["cells[1].more[i][1] = 1u;", "cells[1].more[5]", "index 5 of the 3 elements of ‘cells[1].more’"],
    ["put(&cells[0].more[1], i);", "cells[0].more[1][5]", "index 5 of the 2 elements of ‘cells[0].more[1]’"],
  ])("%s", async (body, path, problem) => {
    expect(await at(body)).toEqual([[path, problem]]);
  });
});

describe("barriers that not all arrive at", () => {
  test("who waits, and who does not come", async () => {
    const shader = `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
      @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
        if (i < 3u || i == 6u) { workgroupBarrier(); }
        else if (i == 4u) { workgroupBarrier(); }
      }`;
    const { findings } = await sanitize({ shader, workgroups: [1] }, { allowIllegal: true });
    const [found] = findings.filter(({ code }) => code === "barrier-divergence");
    expect([found.message, ...found.notes.map(({ message }) => message)]).toEqual([
      "not all invocations of workgroup (0, 0, 0) arrive at the same barrier: 4 of 8 wait here, those with local index 0–2, 6",
      "others wait here: 1, local index 4",
      "others ended without arriving: 3, local index 3, 5, 7",
    ]);
  });

  test.each([
    ["121-early-return-in-main-barrier-in-helper", 8],
    ["123-leaves-the-loop-lane-by-lane", 7],
  ])("%s", async (name, line) => {
    const stated = JSON.parse(read(`test/cases/${name}.json`)) as { launch: Launch };
    const shader = read(`test/cases/${name}.wgsl`);
    const { expect: _, ...launch } = stated.launch;
    const buffers = name.startsWith("121") ? { src: "zeros:40", dst: "zeros:40" } : {};
    const { findings, ok } = await sanitize(
      { ...launch, shader, buffers: { ...launch.buffers, ...buffers } },
      { allowIllegal: true },
    );
    const found = findings.filter(({ code }) => code === "barrier-divergence");
    expect(found.map(({ source, span }) => source.position(span.start).line)).toContain(line);
    expect(ok).toBe(false);
  });
});

test("a dispatch that does not end", async () => {
  const shader = `@group(0) @binding(0) var<storage, read_write> a: u32;
    @compute @workgroup_size(1) fn main() { var x = 1u; loop { x = x * 3u + 1u; if (x == 0u) { a = 1u; break; } } }`;
  const { findings, ok } = await sanitize({ shader, workgroups: [1] }, { timeout: 0.2 });
  expect(findings.map(({ code }) => code)).toEqual(["timeout"]);
  expect(ok).toBe(false);
});

test("shadow memory in parts finds the same", async () => {
  const shader = `@group(0) @binding(0) var<storage, read_write> a: array<u32, 1000>;
    var<workgroup> w: array<u32, 64>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
      a[id.x] = id.x; w[lane] = lane;
      if (id.x % 100u == 0u) { a[999u - id.x] = w[63u - lane]; }
    }`;
  const found = async (shadowBytes: number) => {
    const { findings } = await sanitize({ shader, workgroups: [15] }, { shadowBytes, scheduleBudget: 0 });
    return findings.map(({ message, count }) => `${message} ${count}`);
  };
  const whole = await found(2 ** 29);
  expect(whole.length).toBeGreaterThan(1);
  expect(await found(20_000)).toEqual(whole);
});

describe("which dispatch a finding is of", () => {
  const shader = `@group(0) @binding(0) var<uniform> stride: u32;
    @group(0) @binding(1) var<storage, read_write> a: array<u32, 64>;
    @compute @workgroup_size(8) fn spread(@builtin(local_invocation_index) i: u32) { a[i * stride] += 1u; }`;
  const right: Step = { workgroups: 1 };
  const wrong: Step = { workgroups: 1, bind: { stride: "none" } };

  test.each<[string, readonly Step[], string | null]>([
    ["the last of three", [right, right, wrong], "in dispatch 3 of 3, entry point ‘spread’"],
    [
      "one between repeated ones",
      [right, { ...right, repeat: 3 }, wrong, right],
      "in dispatch 5 of 6, entry point ‘spread’",
    ],
    ["two of three", [right, wrong, wrong], "first in dispatch 2 of 3, entry point ‘spread’; in 2 of them"],
    ["all", [{ ...wrong, repeat: 2 }], null],
    ["the only one", [wrong], null],
  ])("%s", async (_, steps, expected) => {
    const some = steps.includes(right) ? { stride: 1 } : {};
    const { findings } = await sanitize({ shader, steps, buffers: { none: 0, ...some } } as Launch);
    expect(findings.map(({ code }) => code)).toEqual(["race-storage"]);
    const said = findings[0].notes.map(({ message }) => message).filter((text) => text.includes(" dispatch "));
    expect(said).toEqual(expected === null ? [] : [expected]);
  });
});

test("checks that are not known", async () => {
  await expect(sanitize({ shader: LOST, workgroups: [1] }, { checks: ["race" as never] })).rejects.toThrow(RangeError);
});

test("the same findings each time", async () => {
  const once = async () =>
    JSON.stringify(sanitizeResultToJson(await sanitize({ shader: LOST, workgroups: [3] })).findings);
  expect(await once()).toBe(await once());
});

test("what a launch expects in one order only", async () => {
  const shader = `@group(0) @binding(0) var<storage, read_write> first: atomic<u32>;
    @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) lane: u32) {
      _ = atomicCompareExchangeWeak(&first, 0u, lane + 1u); }`;
  const { findings } = await sanitize({ shader, workgroups: [1], expect: { first: 1 } });
  expect(findings.map(({ code, resource }) => [code, resource?.name])).toEqual([["order-dependent", "first"]]);
  expect((await sanitize({ shader, workgroups: [1] })).findings).toEqual([]);
});

describe("the last write to what comes out as expected in one order only is shown", () => {
  const HEAD = `@group(0) @binding(0) var<storage, read_write> a: array<u32, 8>;
@group(0) @binding(1) var<storage, read_write> b: array<u32, 8>;
@group(0) @binding(2) var<storage, read_write> n: atomic<u32>;
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
`;
  const inOrder = [0, 1, 2, 3, 4, 5, 6, 7];
  test.each([
    [
      "the place is given by an atomic",
      "b[atomicAdd(&n, 1u)] = i;",
      { b: inOrder },
      1,
      ["first-come 1", "hint-any-order 1"],
    ],
    [
      "the value is",
      "let at =\natomicAdd(&n, 1u);\nb[i] = at;",
      { b: inOrder },
      3,
      ["first-come 2", "hint-any-order 3"],
    ],
    [
      "an atomic decides on it",
      "if (\natomicAdd(&n, 1u) == 0u) {\nb[3] = i + 1u; }",
      { b: [0, 0, 0, 1, 0, 0, 0, 0] },
      3,
      ["first-come 2", "hint-any-order 3"],
    ],
    [
      "it is an atomic",
      "_ = \natomicCompareExchangeWeak(&n, 0u, i + 1u);",
      { n: 1 },
      2,
      ["first-come 2", "hint-any-order 2"],
    ],
  ])("%s", async (_, body, expected, line, notes) => {
    const { findings } = await sanitize({ shader: `${HEAD}${body}\n}`, workgroups: [1], expect: expected });
    const before = HEAD.split("\n").length - 1;
    expect(findings.map(({ code }) => code)).toEqual(["order-dependent"]);
    const [{ source, span, notes: told }] = findings;
    const lineOf = ({ start }: typeof span) => source.position(start).line - before;
    expect(lineOf(span)).toBe(line);
    const all = told.map((each) => `${each.code} ${lineOf(each.span)}`);
    expect(all).toEqual([`results-differ ${line}`, `written-last ${line}`, ...notes]);
  });

  test("as the variable that the buffer is bound as by then", async () => {
    const { findings } = await sanitize({
      shader: `${HEAD}b[atomicAdd(&n, 1u) % 8u] = a[i] + i;\n}`,
      steps: [{ workgroups: [1], swap: ["a", "b"] }],
      expect: { a: inOrder },
    });
    const [{ message, notes }] = findings;
    expect(message).toMatch(/^the result in ‘a’ depends/);
    expect(notes.map((each) => each.message)).toContain("‘a’ is bound as ‘b’ here");
  });
});
