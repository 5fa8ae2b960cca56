import { inspect } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { buffer, errorOf, MAP_READ, makeDevice, STORAGE, thrownBy } from "../../test/support/gpu.ts";
import { create } from "../gpu.ts";

const gpu = create({ engine: "interpreter" });

async function adapter(): Promise<GPUAdapter> {
  return (await gpu.requestAdapter())!;
}

describe("adapters", () => {
  test.each<[GPURequestAdapterOptions, boolean]>([
    [{}, true],
    [{ featureLevel: "core" }, true],
    [{ featureLevel: "compatibility" }, true],
    [{ featureLevel: "webgl" }, false],
    [{ powerPreference: "low-power", xrCompatible: true }, true],
  ])("%j", async (options, found) => {
    expect((await gpu.requestAdapter(options)) !== null).toBe(found);
  });

  test("say what they are", async () => {
    const { info, limits, features } = await adapter();
    expect({ vendor: info.vendor, isFallback: info.isFallbackAdapter }).toEqual({ vendor: "halay", isFallback: false });
    expect((await gpu.requestAdapter({ forceFallbackAdapter: true }))!.info.isFallbackAdapter).toBe(true);
    expect(limits.maxComputeInvocationsPerWorkgroup).toBe(1024);
    expect(features.has("shader-f16")).toBe(true);
    expect([...features]).toContain("core-features-and-limits");
    expect(gpu.wgslLanguageFeatures.has("pointer_composite_access")).toBe(true);
  });

  test("make one device each", async () => {
    const one = await adapter();
    await one.requestDevice();
    expect(await thrownBy(() => one.requestDevice())).toMatch(/^OperationError: .*this adapter has made its device/);
  });

  test.each<[string, unknown, RegExp]>([
    [
      "a feature that there is not",
      { requiredFeatures: ["none"] },
      /^TypeError: .*must be a GPUFeatureName, not "none"/,
    ],
    [
      "a limit that there is not",
      { requiredLimits: { none: 1 } },
      /^OperationError: .*‘none’ in requiredLimits is no limit/,
    ],
    [
      "too high a limit",
      { requiredLimits: { maxBindGroups: 5 } },
      /^OperationError: .*maxBindGroups of at most 4, not 5/,
    ],
    ["too low an alignment", { requiredLimits: { minStorageBufferOffsetAlignment: 16 } }, /of at least 32, not 16/],
    ["a crooked alignment", { requiredLimits: { minStorageBufferOffsetAlignment: 65 } }, /must be a power of two/],
    ["a negative limit", { requiredLimits: { maxBindGroups: -1 } }, /^TypeError/],
  ])("refuse %s", async (_, descriptor, message) => {
    const one = await adapter();
    expect(await thrownBy(() => one.requestDevice(descriptor as GPUDeviceDescriptor))).toMatch(message);
    expect(await one.requestDevice()).toBeInstanceOf(GPUDevice);
  });
});

describe("devices", () => {
  test("have what was asked for and no more", async () => {
    const device = await (await adapter()).requestDevice({
      label: "d",
      requiredFeatures: ["texture-formats-tier2" as GPUFeatureName],
      requiredLimits: {
        maxBufferSize: 2 ** 29,
        maxBindGroups: 2,
        maxStorageBuffersInVertexStage: 12,
        maxSamplersPerShaderStage: undefined,
      },
      defaultQueue: { label: "q" },
    });
    expect([device.label, device.queue.label]).toEqual(["d", "q"]);
    expect([...device.features].sort()).toEqual([
      "core-features-and-limits",
      "rg11b10ufloat-renderable",
      "texture-formats-tier1",
      "texture-formats-tier2",
    ]);
    const { maxBufferSize, maxBindGroups, maxStorageBuffersPerShaderStage, maxTextureDimension2D } = device.limits;
    expect([maxBufferSize, maxBindGroups, maxStorageBuffersPerShaderStage, maxTextureDimension2D]).toEqual([
      2 ** 29,
      4,
      12,
      8192,
    ]);
  });

  test("give the same objects every time", async () => {
    const device = await makeDevice();
    for (const key of ["features", "limits", "adapterInfo", "queue", "lost"] as const)
      expect(device[key]).toBe(device[key]);
  });

  test("are lost when they are destroyed, and then say nothing", async () => {
    const device = await makeDevice();
    const made = buffer(device, 16, MAP_READ);
    device.destroy();
    const info = await device.lost;
    expect(info).toBeInstanceOf(GPUDeviceLostInfo);
    expect(info.reason).toBe("destroyed");
    expect(await errorOf(device, () => buffer(device, 16, 0))).toBeNull();
    expect(await thrownBy(() => made.mapAsync(GPUMapMode.READ))).toMatch(/^AbortError/);
    await device.queue.onSubmittedWorkDone();
    const module = device.createShaderModule({ code: "wrong" });
    expect((await module.getCompilationInfo()).messages).toEqual([]);
    const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
    expect(pipeline).toBeInstanceOf(GPUComputePipeline);
  });
});

describe("errors", () => {
  let device: GPUDevice;

  beforeEach(async () => {
    device = await makeDevice();
  });

  const wrong = () => buffer(device, 16, 0);

  test("go to the innermost scope for their kind", async () => {
    device.pushErrorScope("validation");
    device.pushErrorScope("validation");
    device.pushErrorScope("out-of-memory");
    wrong();
    expect(await device.popErrorScope()).toBeNull();
    expect(await device.popErrorScope()).toBeInstanceOf(GPUValidationError);
    expect(await device.popErrorScope()).toBeNull();
    expect(await thrownBy(() => device.popErrorScope())).toMatch(/^OperationError: .*no error scope to pop/);
  });

  test("the first of a scope is told", async () => {
    device.pushErrorScope("validation");
    buffer(device, 2 ** 30, STORAGE);
    wrong();
    expect((await device.popErrorScope())!.message).toMatch(/maxBufferSize/);
  });

  test("that no scope takes are events", async () => {
    const events: Event[] = [];
    const listener = (event: Event) => {
      event.preventDefault();
      events.push(event);
    };
    device.addEventListener("uncapturederror", listener);
    wrong();
    expect(events).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(events).toHaveLength(1);
    expect(events[0]).toBeInstanceOf(GPUUncapturedErrorEvent);
    expect((events[0] as GPUUncapturedErrorEvent).error).toBeInstanceOf(GPUValidationError);
    device.removeEventListener("uncapturederror", listener);
    device.onuncapturederror = listener;
    expect(device.onuncapturederror).toBe(listener);
    wrong();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(events).toHaveLength(2);
  });

  test("name the cause once, however far it went", async () => {
    device.pushErrorScope("validation");
    const module = device.createShaderModule({ code: "fn f() { x(); }", label: "m.wgsl" });
    const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
    const layout = pipeline.getBindGroupLayout(0);
    await device.popErrorScope();
    expect(await errorOf(device, () => device.createBindGroup({ layout, entries: [] }))).toMatch(
      /^GPUDevice.createBindGroup\(\): the bind group layout without label is invalid: m.wgsl:1:10: [^:]*$/,
    );
  });
});

describe("error classes", () => {
  test("can be made, but for the one that they share", () => {
    expect(new GPUValidationError("text").message).toBe("text");
    expect(new GPUOutOfMemoryError("text")).toBeInstanceOf(GPUError);
    expect(() => new (GPUError as unknown as new () => object)()).toThrow(/illegal constructor/);
    expect(() => new (GPUInternalError as unknown as new () => object)()).toThrow(/takes a message/);
    const error = new GPUPipelineError("text", { reason: "internal" });
    expect([error.name, error.message, error.reason]).toEqual(["GPUPipelineError", "text", "internal"]);
    expect(error).toBeInstanceOf(DOMException);
    const event = new GPUUncapturedErrorEvent("x", { error: new GPUValidationError("y") });
    expect([event.type, event.error.message]).toEqual(["x", "y"]);
    expect(Object.prototype.toString.call(error)).toBe("[object GPUPipelineError]");
    expect(inspect(event.error)).toBe("GPUValidationError { message: 'y' }");
  });
});

test("labels can be changed", async () => {
  const device = await makeDevice();
  const made = buffer(device, 16, MAP_READ, "before");
  made.label = "after";
  expect(made.label).toBe("after");
  expect(await errorOf(device, () => device.queue.writeBuffer(made, 0, new Uint8Array(4)))).toMatch(/‘after’/);
});
