import { beforeEach, describe, expect, test } from "vitest";
import {
  buffer,
  COPY_SRC,
  dispatch,
  errorOf,
  groupOf,
  makeDevice,
  pipelineOf,
  STORAGE,
  submitPass,
  thrownBy,
  wordsOf,
} from "../../test/support/gpu.ts";

let device: GPUDevice;

beforeEach(async () => {
  device = await makeDevice();
});

const COPY = `
  override factor: u32 = 2;
  @id(7) override more: u32 = 1;
  @group(0) @binding(0) var<storage, read> a: array<u32>;
  @group(0) @binding(1) var<storage, read_write> b: array<u32>;
  @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { b[id.x] = a[id.x] * factor + more; }
`;

describe("shader modules", () => {
  test("messages have their place in UTF-16 units", async () => {
    device.pushErrorScope("validation");
    const code = "// 😀 smile\nfn f() -> u32 { /* 😀 */ return x; }";
    const module = device.createShaderModule({ code, label: "smile.wgsl" });
    expect((await device.popErrorScope())?.message).toMatch(
      /^GPUDevice.createShaderModule\(\): smile.wgsl:2:33: .*‘x’/,
    );
    const { messages } = await module.getCompilationInfo();
    const [{ type, lineNum, linePos, offset, length }] = messages;
    expect({ type, lineNum, linePos, length }).toEqual({ type: "error", lineNum: 2, linePos: 33, length: 1 });
    expect(code.slice(offset, offset + length)).toBe("x");
    expect(Object.isFrozen(messages)).toBe(true);
    expect(messages[0]).toBeInstanceOf(GPUCompilationMessage);
  });

  test("extensions need the features of the device", async () => {
    const code = "enable f16; var<private> x: f16;";
    expect(await errorOf(device, () => device.createShaderModule({ code }))).toMatch(/shader-f16/);
    const other = await makeDevice({ features: ["shader-f16"] });
    expect(await errorOf(other, () => other.createShaderModule({ code }))).toBeNull();
  });
});

describe("entry points", () => {
  const two = "@compute @workgroup_size(1) fn a() {} @compute @workgroup_size(1) fn b() {}";

  test.each<[string, string, string | undefined, RegExp | null]>([
    ["the only one", "@compute @workgroup_size(1) fn a() {}", undefined, null],
    ["one of two", two, "b", null],
    ["none of two named", two, undefined, /several compute entry points, ‘a’, ‘b’: ‘entryPoint’ must name one/],
    ["a name that there is not", two, "c", /has no compute entry point ‘c’; it has ‘a’, ‘b’/],
    ["another stage", "@fragment fn f() {}", "f", /has no compute entry point ‘f’; it has none/],
    ["a function", "fn f() {}", undefined, /has no compute entry point/],
  ])("%s", async (_, code, entryPoint, message) => {
    const module = device.createShaderModule({ code, label: "m" });
    const compute = entryPoint === undefined ? { module } : { module, entryPoint };
    const error = await errorOf(device, () => device.createComputePipeline({ layout: "auto", compute }));
    if (message === null) expect(error).toBeNull();
    else expect(error).toMatch(message);
  });
});

describe("constants", () => {
  const run = async (constants: Record<string, number>): Promise<number[]> => {
    const b = buffer(device, 16, STORAGE | COPY_SRC);
    const a = device.createBuffer({ size: 16, usage: STORAGE, mappedAtCreation: true });
    new Uint32Array(a.getMappedRange()).set([1, 2, 3, 4]);
    a.unmap();
    const pipeline = pipelineOf(device, COPY, { constants });
    const group = groupOf(device, pipeline, [a, b]);
    submitPass(device, (pass) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(1);
    });
    return wordsOf(device, b);
  };

  test("by name and by number", async () => {
    expect(await run({})).toEqual([3, 5, 7, 9]);
    expect(await run({ factor: 10, 7: 5 })).toEqual([15, 25, 35, 45]);
  });

  test.each<[string, Record<string, number>, RegExp]>([
    ["a name that there is not", { other: 1 }, /constants: .*‘other’/],
    ["the name of one with a number", { more: 1 }, /‘more’/],
    ["a value that does not fit", { factor: -1 }, /factor.*-1|-1.*factor/],
  ])("%s", async (_, constants, message) => {
    expect(await errorOf(device, () => pipelineOf(device, COPY, { constants }))).toMatch(message);
  });

  test("values are finite numbers", async () => {
    expect(await thrownBy(() => pipelineOf(device, COPY, { constants: { factor: Number.NaN } }))).toMatch(/^TypeError/);
  });
});

describe("limits", () => {
  test.each<[string, string, RegExp | null]>([
    ["as many invocations as there may be", "@compute @workgroup_size(256) fn main() {}", null],
    ["too many", "@compute @workgroup_size(16, 17) fn main() {}", /16 × 17/],
    ["too many along z", "@compute @workgroup_size(1, 1, 65) fn main() {}", /65/],
    [
      "too much memory",
      "var<workgroup> a: array<u32, 4097>; @compute @workgroup_size(1) fn main() { a[0] = 1; }",
      /16400|16,400/,
    ],
  ])("%s", async (_, code, message) => {
    const error = await errorOf(device, () => pipelineOf(device, code));
    if (message === null) expect(error).toBeNull();
    else expect(error).toMatch(message);
  });

  test("those that the device was given", async () => {
    const limits = { maxComputeInvocationsPerWorkgroup: 512, maxComputeWorkgroupSizeX: 512 };
    const other = await makeDevice({ limits });
    expect(await errorOf(other, () => pipelineOf(other, "@compute @workgroup_size(512) fn main() {}"))).toBeNull();
  });
});

describe("layouts", () => {
  const explicit = (buffers: readonly (GPUBufferBindingLayout | null)[], visibility = GPUShaderStage.COMPUTE) => {
    const entries = buffers.flatMap((each, binding) => (each === null ? [] : [{ binding, visibility, buffer: each }]));
    return device.createPipelineLayout({ bindGroupLayouts: [device.createBindGroupLayout({ entries })] });
  };
  const readOnly = { type: "read-only-storage" } as const;
  const storage = { type: "storage" } as const;

  test.each<[string, () => GPUPipelineLayout, RegExp | null]>([
    ["what the shader needs", () => explicit([readOnly, storage]), null],
    ["more than that", () => explicit([readOnly, storage, storage]), null],
    ["less", () => explicit([readOnly]), /has nothing for ‘b’ at @group\(0\) @binding\(1\)/],
    [
      "written where it is read",
      () => explicit([storage, storage]),
      /for ‘a’ .* type "storage" instead of "read-only-storage"/,
    ],
    ["for another stage", () => explicit([readOnly, storage], GPUShaderStage.FRAGMENT), /not visible in the stage/],
    ["too small", () => explicit([{ ...readOnly, minBindingSize: 2 }, storage]), /is 2, less than the 4 bytes/],
  ])("%s", async (_, layout, message) => {
    const error = await errorOf(device, () => pipelineOf(device, COPY, { layout: layout() }));
    if (message === null) expect(error).toBeNull();
    else expect(error).toMatch(message);
  });

  test("bind groups of equal layouts are the same, of default layouts they belong to their pipeline", async () => {
    const resources = [0, 1].map(() => buffer(device, 16, STORAGE));
    const first = pipelineOf(device, COPY, { label: "first" });
    const second = pipelineOf(device, COPY, { label: "second" });
    const encode = (pipeline: GPUComputePipeline, group: GPUBindGroup) => () =>
      submitPass(device, (pass) => {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(1);
      });
    const ofFirst = groupOf(device, first, resources);
    expect(await errorOf(device, encode(first, ofFirst))).toBeNull();
    expect(await errorOf(device, encode(second, ofFirst))).toMatch(
      /is not the one of the compute pipeline ‘second’: it was made for another pipeline's default layout/,
    );
    const [a, b] = [0, 1].map(() => pipelineOf(device, COPY, { layout: explicit([readOnly, storage]) }));
    expect(await errorOf(device, encode(a, groupOf(device, b, resources)))).toBeNull();
  });

  test("the layout of a group", async () => {
    const pipeline = pipelineOf(device, COPY);
    expect(pipeline.getBindGroupLayout(0)).not.toBe(pipeline.getBindGroupLayout(0));
    expect(await errorOf(device, () => pipeline.getBindGroupLayout(3))).toBeNull();
    expect(await errorOf(device, () => pipeline.getBindGroupLayout(4))).toMatch(/4 is not below maxBindGroups/);
    const empty = device.createBindGroup({ layout: pipeline.getBindGroupLayout(3), entries: [] });
    expect(empty).toBeInstanceOf(GPUBindGroup);
  });

  test("a default layout is for nobody else", async () => {
    const bindGroupLayouts = [pipelineOf(device, COPY).getBindGroupLayout(0)];
    expect(await errorOf(device, () => device.createPipelineLayout({ bindGroupLayouts }))).toMatch(/that one only/);
  });
});

describe("asynchronously", () => {
  test("gives the pipeline", async () => {
    const module = device.createShaderModule({ code: COPY });
    const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
    expect(pipeline).toBeInstanceOf(GPUComputePipeline);
  });

  test("tells errors by the promise alone", async () => {
    const module = device.createShaderModule({ code: COPY });
    const compute = { module, entryPoint: "none" };
    device.pushErrorScope("validation");
    const error = await device.createComputePipelineAsync({ layout: "auto", compute }).catch((each) => each);
    expect(error).toBeInstanceOf(GPUPipelineError);
    expect(error.reason).toBe("validation");
    expect(error.message).toMatch(/no compute entry point ‘none’/);
    expect(await device.popErrorScope()).toBeNull();
  });
});

describe("textures", () => {
  const CODE = `
    @group(0) @binding(0) var t: texture_2d<f32>;
    @group(0) @binding(1) var s: sampler;
    fn look(x: texture_2d<f32>, y: sampler) -> vec4f { return textureSampleLevel(x, y, vec2f(0), 0); }
    @compute @workgroup_size(1) fn main() { _ = look(t, s); }
  `;
  const layoutWith = (sampleType: GPUTextureSampleType, type: GPUSamplerBindingType) => {
    const visibility = GPUShaderStage.COMPUTE;
    const entries = [
      { binding: 0, visibility, texture: { sampleType } },
      { binding: 1, visibility, sampler: { type } },
    ];
    return device.createPipelineLayout({ bindGroupLayouts: [device.createBindGroupLayout({ entries })] });
  };

  test.each<[GPUTextureSampleType, GPUSamplerBindingType, RegExp | null]>([
    ["float", "filtering", null],
    ["unfilterable-float", "non-filtering", null],
    ["unfilterable-float", "filtering", /‘t’, .* is read through the filtering sampler ‘s’/],
    ["uint", "non-filtering", /the layout has the sampleType "uint"/],
    ["float", "comparison", /the layout has a comparison sampler/],
  ])("%s through a %s sampler", async (sampleType, type, message) => {
    const error = await errorOf(device, () => pipelineOf(device, CODE, { layout: layoutWith(sampleType, type) }));
    if (message === null) expect(error).toBeNull();
    else expect(error).toMatch(message);
  });

  test("a default layout filters what is sampled", async () => {
    const texture = device.createTexture({ size: [1], format: "rgba8unorm", usage: GPUTextureUsage.TEXTURE_BINDING });
    const resources = [texture, device.createSampler({ minFilter: "linear" })];
    expect(await errorOf(device, () => groupOf(device, pipelineOf(device, CODE), resources))).toBeNull();
  });

  test("shaders that read textures are not run, and say so", async () => {
    const texture = device.createTexture({ size: [1], format: "rgba8unorm", usage: GPUTextureUsage.TEXTURE_BINDING });
    const errors: string[] = [];
    device.addEventListener("uncapturederror", (event) => {
      event.preventDefault();
      errors.push((event as GPUUncapturedErrorEvent).error.message);
    });
    dispatch(device, CODE, [texture, device.createSampler()]);
    await device.queue.onSubmittedWorkDone();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(errors).toEqual([
      expect.stringMatching(/was not run: shader.wgsl:\d+:\d+: halay does not run textures yet/),
    ]);
  });
});
