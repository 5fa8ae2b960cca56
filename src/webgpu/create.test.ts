import { describe, expect, test } from "vitest";
import { buffer, COPY_SRC, dispatch, makeDevice, STORAGE, wordsOf } from "../../test/support/gpu.ts";
import { create } from "../gpu.ts";
import { install } from "./install.ts";

describe("emulated devices", () => {
  test("lack what they are to lack", async () => {
    const adapter = (await create({ emulate: ["no-texture-formats-tier1", "no-shader-f16"] }).requestAdapter())!;
    const missing = ["shader-f16", "texture-formats-tier1", "texture-formats-tier2", "rg11b10ufloat-renderable"];
    expect(missing.map((name) => adapter.features.has(name))).toEqual([false, false, false, true]);
  });

  test("have lower limits", async () => {
    const adapter = (await create({ emulate: "defaults, maxBufferSize=536870912" }).requestAdapter())!;
    expect(adapter.limits.maxComputeInvocationsPerWorkgroup).toBe(256);
    expect(adapter.limits.maxBufferSize).toBe(536870912);
  });

  test("have subgroups of another size", async () => {
    const device = await makeDevice({ emulate: "subgroup-size=8", features: ["subgroups"] });
    expect([device.adapterInfo.subgroupMinSize, device.adapterInfo.subgroupMaxSize]).toEqual([8, 8]);
    const code = `
      enable subgroups;
      @group(0) @binding(0) var<storage, read_write> b: u32;
      @compute @workgroup_size(64) fn main(@builtin(subgroup_size) size: u32) { b = size; }
    `;
    const b = buffer(device, 4, STORAGE | COPY_SRC);
    dispatch(device, code, [b]);
    expect(await wordsOf(device, b)).toEqual([8]);
  });

  test("go another way out of bounds", async () => {
    const code = `
      @group(0) @binding(0) var<storage, read_write> b: array<u32, 4>;
      @compute @workgroup_size(1) fn main() { var i = 9u; b[i] = 7; }
    `;
    const run = async (emulate: string): Promise<number[]> => {
      const device = await makeDevice({ emulate });
      const b = buffer(device, 16, STORAGE | COPY_SRC);
      dispatch(device, code, [b]);
      return wordsOf(device, b);
    };
    expect(await run("oob=zero")).toEqual([0, 0, 0, 0]);
    expect(await run("oob=clamp")).toEqual([0, 0, 0, 7]);
  });

  test.each([
    ["oob=none", /emulate: ‘oob=none’ is none of oob=clamp/],
    ["no-none", /‘no-none’ is none of/],
    ["maxBufferSize=1", /maxBufferSize must be from 268435456 to 1073741824, not 1/],
    ["minUniformBufferOffsetAlignment=16", /must be from 32 to 256, not 16/],
  ])("%s is refused", (emulate, message) => {
    expect(() => create({ emulate })).toThrow(RangeError);
    expect(() => create({ emulate })).toThrow(message);
  });
});

test("options that there are not are refused", () => {
  expect(() => create({ sanitise: true } as never)).toThrow(
    new TypeError("there is no option ‘sanitise’: did you mean ‘sanitize’?"),
  );
  expect(() => create({ sanitize: { check: ["races"] } } as never)).toThrow("did you mean ‘sanitize.checks’?");
});

test("flags of other implementations mean nothing", async () => {
  expect(await create(["backend=null"]).requestAdapter()).toBeInstanceOf(GPUAdapter);
});

test("errors that nobody captures are told, and the others not", async () => {
  const told: string[] = [];
  const onUncapturedError = (error: GPUError, device: GPUDevice): void => {
    told.push(`${device.label}: ${error.constructor.name}: ${error.message}`);
  };
  const device = await makeDevice({ onUncapturedError });
  device.label = "mine";
  device.pushErrorScope("validation");
  buffer(device, 4, 0);
  await device.popErrorScope();
  buffer(device, 4, 0);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(told).toEqual([expect.stringMatching(/^mine: GPUValidationError: GPUDevice.createBuffer\(\): /)]);
  device.onuncapturederror = (event) => event.preventDefault();
  buffer(device, 4, 0);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(told).toHaveLength(1);
});

test("workers are counted", () => {
  expect(() => create({ workers: 0 })).toThrow(new RangeError("workers: 0 is no number of threads"));
});

test("a dispatch that takes too long loses the device, and it is said where it was", async () => {
  expect(() => create({ timeout: 0 })).toThrow(new RangeError("timeout: 0 is no number of seconds"));
  const device = await makeDevice({ timeout: 0.1 });
  const code = `
    @group(0) @binding(0) var<storage, read_write> b: atomic<u32>;
    @compute @workgroup_size(4) fn main() {
      while atomicLoad(&b) != 1u {}
    }
  `;
  dispatch(device, code, [buffer(device, 4, STORAGE)]);
  const { reason, message } = await device.lost;
  expect(reason).toBe("unknown");
  expect(message).toMatch(/did not end within 0\.1 s: 4 invocations were still running; .*:4:\d+: here, among others/);
});

describe("installing", () => {
  const gpu = create();

  test("with and without a navigator", () => {
    const empty: { navigator?: { gpu: GPU }; GPUBuffer?: unknown } = {};
    install(empty, gpu, { GPUBuffer });
    expect([empty.navigator?.gpu, empty.GPUBuffer]).toEqual([gpu, GPUBuffer]);
    const page = { navigator: { userAgent: "x" } };
    install(page, gpu, {});
    expect(page.navigator).toMatchObject({ userAgent: "x", gpu });
  });

  test("again", () => {
    const scope = {};
    install(scope, gpu, {});
    const other = create();
    install(scope, other, {});
    expect((scope as { navigator: { gpu: GPU } }).navigator.gpu).toBe(other);
  });
});
