import { describe, expect, test } from "vitest";
import { check, profile, reflect, run, sanitize } from "../index.ts";
import { checkCodeLaunch } from "./code-launch.ts";

const shader = `@group(0) @binding(0) var<storage, read_write> a: array<u32, 4>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { a[i] = i; }`;

/** What nobody's types would let through, from JavaScript. */
const wild = (value: unknown) => value as never;

describe.each([
  ["run", run],
  ["sanitize", sanitize],
  ["profile", profile],
] as const)("%s", (_, execute) => {
  test.each([[0], [[0]], [[1, 0]]])("nothing ran, nothing is right: %j", async (workgroups) => {
    expect((await execute({ shader, workgroups })).ok).toBe(false);
    expect((await execute({ shader, steps: [{ workgroups }, { workgroups: [1] }] })).ok).toBe(true);
  });

  test.each([[[1, true]], [true], [{ values: [false] }]])("a truth is no number: %j", async (contents) => {
    await expect(execute({ shader, workgroups: [1], buffers: { a: wild(contents) } })).rejects.toThrow(/boolean/);
  });

  test.each([
    [null, "expected an object, found null"],
    [undefined, "expected an object, found undefined"],
    ["a.launch.json", "expected an object, found a string"],
    [[], "expected an object, found an array"],
    [{ shader: 5 }, "shader: expected a string or Program, found 5"],
    [{ shader: {} }, "shader: expected a string or Program, found an object"],
    [{ steps: [{ shader: null }] }, "steps.0.shader: expected a string or Program, found null"],
    [{ shader, steps: [] }, "steps: expected 1 or more items, found 0"],
    [{ shader, steps: [{}], workgroups: [1] }, "workgroups: ‘steps’ and ‘workgroups’ exclude each other"],
    [{ shader, buffer: {} }, "buffer: ‘buffer’ is not known here; known are ‘shader’, ‘entry’"],
    [{ shader, workgroup: 1 }, "‘hostLayout’, ‘steps’ (did you mean ‘workgroups’?)"],
    [{ shader, workgroups: [1, 2, 3, 4] }, "workgroups: expected 3 or fewer items, found 4"],
    [{ shader, workgroups: [-1] }, "workgroups.0: -1 is less than 0"],
    [{ shader, workgroups: 1.5 }, "workgroups: expected an array or a whole number or an object, found 1.5"],
    [{ shader, workgroups: {} }, "workgroups: ‘indirect’ is missing"],
    [{ shader, invocations: 0 }, "invocations: 0 is less than 1"],
    [{ shader, buffers: [] }, "buffers: expected an object, found an array"],
    [{ shader, tolerance: { ulp: -1 } }, "tolerance.ulp: -1 is less than 0"],
    [{ shader, read: "a" }, "read: expected an array, found a string"],
  ])("the launch %j", async (launch, message) => {
    await expect(execute(wild(launch))).rejects.toThrow(TypeError);
    await expect(execute(wild(launch))).rejects.toThrow(message);
  });

  test.each([
    [{ timeout: 0 }, "‘timeout’ is a number of seconds above 0, not 0"],
    [{ timeout: Number.NaN }, "‘timeout’ is a number of seconds above 0, not NaN"],
    [{ timeout: "1" }, "‘timeout’ is a number of seconds above 0, not 1"],
    [{ seed: -1 }, "‘seed’ is a whole number from 0, not -1"],
    [{ weakFail: 2 }, "‘weakFail’ is a number from 0 to 1, not 2"],
    [{ workers: 0 }, "‘workers’ is a whole number from 1, not 0"],
    [{ subgroupSize: 3 }, "‘subgroupSize’ is a power of two from 4 to 128, not 3"],
    [{ schedule: "backwards" }, "‘schedule’ is one of in-order, interleave, random, not backwards"],
    [{ outOfBounds: "wrap" }, "‘outOfBounds’ is one of clamp, zero, discard, not wrap"],
    [{ signal: 5 }, "‘signal’ is an AbortSignal, not 5"],
    [{ trace: "a" }, "‘trace’ is a list of paths, not a"],
    [{ gpu: null }, "‘gpu’ is a GPUDevice, not null"],
    [{ trase: [] }, "there is no option ‘trase’: did you mean ‘trace’?"],
    [{ gpuu: null }, "there is no option ‘gpuu’: did you mean ‘gpu’?"],
    [{ shape: 1 }, "there is no option ‘shape’; there are source, files, check, "],
    [{ check: { feature: [] } }, "there is no option ‘check.feature’: did you mean ‘check.features’?"],
    [5, "options are an object, not 5"],
    [null, "options are an object, not null"],
    [{ engine: "gpu" }, "there is no engine ‘gpu’; there are ‘wasm’ and ‘interpreter’"],
  ])("the options %j", async (options, message) => {
    await expect(execute({ shader }, wild(options))).rejects.toThrow(message);
    await expect(execute({ shader }, wild(options))).rejects.toSatisfy(
      (error) => error instanceof TypeError || error instanceof RangeError,
    );
  });

  test("what is undefined is left out", async () => {
    const launch = { shader, workgroups: 1, entry: undefined, buffers: undefined, steps: undefined };
    const result = await execute(wild(launch), wild({ seed: undefined, gpu: undefined, engine: "interpreter" }));
    expect(result.buffers.a.values).toEqual([0, 1, 2, 3]);
  });
});

test.each([
  [{ checkss: ["races"] }, "there is no option ‘checkss’: did you mean ‘checks’?"],
  [{ device: "both" }, "there is no option ‘device’; there are source, "],
  [{ contention: { shares: 1 } }, "there is no option ‘contention.shares’: did you mean ‘contention.share’?"],
  [{ contention: 1 }, "‘contention’ is an object, not 1"],
  [{ checks: ["race"] }, "‘race’ is no check"],
  [{ checks: "races" }, "‘checks’ is a list, not races"],
  [{ maxFindings: -1 }, "‘maxFindings’ is a whole number from 0, not -1"],
  [{ baseline: ["0"] }, "‘baseline’ is a Set of fingerprints, not 0"],
])("what is looked for: %j", async (options, message) => {
  for (const execute of [sanitize, profile]) {
    await expect(execute({ shader }, wild(options))).rejects.toThrow(message);
  }
});

test("options of one are none of the other", async () => {
  await expect(sanitize({ shader }, wild({ addresses: 1 }))).rejects.toThrow("there is no option ‘addresses’");
  await expect(profile({ shader }, wild({ scheduleBudget: 1 }))).rejects.toThrow("there is no option ‘scheduleBudget’");
  await expect(run({ shader }, wild({ checks: [] }))).rejects.toThrow("there is no option ‘checks’");
  await expect(profile({ shader }, { addresses: -1 })).rejects.toThrow("‘addresses’ is a whole number from 0, not -1");
});

test("check and reflect", () => {
  for (const source of [undefined, null, 5, {}, [], new Uint8Array(1)]) {
    expect(() => check(wild(source))).toThrow(TypeError);
    expect(() => reflect(wild(source))).toThrow(TypeError);
  }
  expect(() => check("", wild({ features: "shader-f16" }))).toThrow("‘features’ is a list of names, not shader-f16");
  expect(() => check("", wild({ target: ["opera"] }))).toThrow("‘target’ is one of chrome, firefox, safari, not opera");
});

test("contents are not looked into for the form of a launch", () => {
  const untouched = new Proxy(new Uint8Array(8), {
    ownKeys: () => {
      throw new Error("looked into");
    },
  });
  const launch = { shader, buffers: { a: untouched }, expect: { a: untouched }, set: { a: untouched } };
  expect(() => checkCodeLaunch(wild(launch))).not.toThrow();
});
