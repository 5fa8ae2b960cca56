import { beforeEach, describe, expect, test } from "vitest";
import { buffer, errorOf, makeDevice, STORAGE, thrownBy, UNIFORM } from "../../test/support/gpu.ts";

let device: GPUDevice;

beforeEach(async () => {
  device = await makeDevice();
});

const { COMPUTE, VERTEX } = GPUShaderStage;

type Entry = Omit<GPUBindGroupLayoutEntry, "binding" | "visibility"> & Partial<GPUBindGroupLayoutEntry>;

function layout(entries: readonly Entry[], label = ""): GPUBindGroupLayout {
  return device.createBindGroupLayout({
    label,
    entries: entries.map((entry, binding) => ({ binding, visibility: COMPUTE, ...entry })),
  });
}

describe("bind group layouts", () => {
  test.each<[string, readonly Entry[], RegExp | null]>([
    [
      "one of each",
      [{ buffer: {} }, { sampler: {} }, { texture: {} }, { storageTexture: { format: "r32uint" } }],
      null,
    ],
    ["nothing", [{}], /the entry of binding 0 has none of ‘buffer’, ‘sampler’/],
    ["two kinds", [{ buffer: {}, sampler: {} }], /has ‘buffer’ and ‘sampler’: only one of them/],
    [
      "one binding twice",
      [
        { buffer: {}, binding: 3 },
        { buffer: {}, binding: 3 },
      ],
      /two entries have the binding 3/,
    ],
    ["a binding too high", [{ buffer: {}, binding: 1000 }], /1000 is not below maxBindingsPerBindGroup, which is 1000/],
    ["unknown stages", [{ buffer: {}, visibility: 8 }], /the visibility 0x8, with bits that are no shader stage/],
    [
      "writable in vertex shaders",
      [{ buffer: { type: "storage" }, visibility: VERTEX }],
      /vertex shaders, which cannot write/,
    ],
    ["filtered samples", [{ texture: { multisampled: true } }], /the sampleType cannot be "float"/],
    ["storage cubes", [{ storageTexture: { format: "r32uint", viewDimension: "cube" } }], /which there is not/],
    ["sRGB in storage", [{ storageTexture: { format: "rgba8unorm-srgb" } }], /not for "write-only" access/],
    ["reading and writing", [{ storageTexture: { format: "r32uint", access: "read-write" } }], null],
    [
      "too many buffers",
      Array(9).fill({ buffer: { type: "storage" } }),
      /9 slots .* maxStorageBuffersPerShaderStage is 8/,
    ],
    [
      "in two stages",
      [...Array(7).fill({ sampler: {} }), ...Array(10).fill({ sampler: {}, visibility: VERTEX })],
      null,
    ],
    [
      "too many that move",
      Array(9).fill({ buffer: { hasDynamicOffset: true } }),
      /maxDynamicUniformBuffersPerPipelineLayout is 8/,
    ],
  ])("%s", async (_, entries, message) => {
    const error = await errorOf(device, () => layout(entries));
    if (message === null) expect(error).toBeNull();
    else expect(error).toMatch(message);
  });

  test("storage texture formats that need a feature are not known without it", async () => {
    expect(await thrownBy(() => layout([{ storageTexture: { format: "r16unorm" } }]))).toMatch(/^TypeError/);
  });
});

describe("pipeline layouts", () => {
  test.each<[string, () => (GPUBindGroupLayout | null)[], RegExp | null]>([
    ["gaps", () => [null, layout([{ buffer: {} }])], null],
    ["too many groups", () => Array(5).fill(null), /5 bind group layouts are more than maxBindGroups, which is 4/],
    ["too many buffers together", () => Array(4).fill(layout(Array(4).fill({ buffer: {} }))), /16 slots .* is 12/],
  ])("%s", async (_, make, message) => {
    const bindGroupLayouts = make();
    const error = await errorOf(device, () => device.createPipelineLayout({ bindGroupLayouts }));
    if (message === null) expect(error).toBeNull();
    else expect(error).toMatch(message);
  });

  test("immediate data", async () => {
    const create = (immediateSize: number) => () =>
      device.createPipelineLayout({ bindGroupLayouts: [], immediateSize });
    expect(await errorOf(device, create(64))).toBeNull();
    expect(await errorOf(device, create(6))).toMatch(/6 is no multiple of 4/);
    expect(await errorOf(device, create(68))).toMatch(/68 is above maxImmediateSize, which is 64/);
  });
});

describe("bind groups", () => {
  test.each<[string, Entry, () => GPUBindingResource, RegExp | null]>([
    ["a buffer", { buffer: { type: "storage" } }, () => buffer(device, 16, STORAGE), null],
    [
      "a part of one",
      { buffer: { type: "storage" } },
      () => ({ buffer: buffer(device, 512, STORAGE), offset: 256 }),
      null,
    ],
    [
      "the wrong usage",
      { buffer: {} },
      () => buffer(device, 16, STORAGE, "b"),
      /‘b’ has the usage STORAGE, which lacks UNIFORM/,
    ],
    [
      "nothing of it",
      { buffer: {} },
      () => ({ buffer: buffer(device, 16, UNIFORM, "b"), size: 0 }),
      /of the buffer ‘b’, from 0 on, is empty/,
    ],
    [
      "too much of it",
      { buffer: {} },
      () => ({ buffer: buffer(device, 16, UNIFORM, "b"), size: 20 }),
      /20 bytes at 0 leave the buffer ‘b’/,
    ],
    ["too little of it", { buffer: { minBindingSize: 32 } }, () => buffer(device, 16, UNIFORM), /minBindingSize is 32/],
    [
      "a crooked offset",
      { buffer: {} },
      () => ({ buffer: buffer(device, 512, UNIFORM), offset: 4 }),
      /minUniformBufferOffsetAlignment, which is 256/,
    ],
    [
      "a crooked size",
      { buffer: { type: "storage" } },
      () => buffer(device, 18, STORAGE),
      /18 bytes .* no multiple of 4/,
    ],
    [
      "more than there may be",
      { buffer: {} },
      () => buffer(device, 65540, UNIFORM),
      /maxUniformBufferBindingSize is 65536/,
    ],
    [
      "a sampler for a buffer",
      { buffer: {} },
      () => device.createSampler({ label: "s" }),
      /wants a buffer, not the sampler ‘s’/,
    ],
    ["a sampler", { sampler: {} }, () => device.createSampler({}), null],
    [
      "one that compares",
      { sampler: {} },
      () => device.createSampler({ compare: "less" }),
      /wants a filtering sampler; .* has a ‘compare’/,
    ],
    [
      "one that does not",
      { sampler: { type: "comparison" } },
      () => device.createSampler({}),
      /wants a comparison sampler/,
    ],
    ["a texture", { texture: {} }, () => texture({}), null],
    ["a view", { texture: {} }, () => texture({}).createView(), null],
    ["an array of textures", { texture: {} }, () => texture({ size: [4, 4, 2] }), /wants a 2d view; .* is 2d-array/],
    [
      "integers",
      { texture: {} },
      () => texture({ format: "r32uint" }),
      /wants the sampleType "float"; the format "r32uint" gives "uint"/,
    ],
    ["another use", { texture: {} }, () => texture({ usage: GPUTextureUsage.COPY_DST }), /which lacks TEXTURE_BINDING/],
    ["a destroyed buffer", { buffer: {} }, destroyed, null],
    ["a buffer that is not valid", { buffer: {} }, invalid, /the buffer ‘bad’ is invalid: the usage is 0/],
  ])("%s", async (_, entry, resource, message) => {
    device.pushErrorScope("validation");
    const bound = resource();
    await device.popErrorScope();
    const made = layout([entry]);
    const error = await errorOf(device, () =>
      device.createBindGroup({ layout: made, entries: [{ binding: 0, resource: bound }] }),
    );
    if (message === null) expect(error).toBeNull();
    else expect(error).toMatch(message);
  });

  test("as many entries as the layout has, at its bindings", async () => {
    const resource = buffer(device, 16, UNIFORM);
    const create = (bindings: number[]) => () =>
      device.createBindGroup({
        layout: layout([{ buffer: {} }, { buffer: {} }], "l"),
        entries: bindings.map((binding) => ({ binding, resource })),
      });
    expect(await errorOf(device, create([1, 0]))).toBeNull();
    expect(await errorOf(device, create([0]))).toMatch(/there are 1 entries where the bind group layout ‘l’ has 2/);
    expect(await errorOf(device, create([0, 0]))).toMatch(/two entries have the binding 0/);
    expect(await errorOf(device, create([0, 5]))).toMatch(/‘l’ has no binding 5; it has 0, 1/);
  });

  test("what is no resource at all", async () => {
    const create = (resource: unknown) =>
      device.createBindGroup({
        layout: layout([{ buffer: {} }]),
        entries: [{ binding: 0, resource: resource as GPUBuffer }],
      });
    expect(await thrownBy(() => create({}))).toMatch(/^TypeError: ‘buffer’ of GPUBufferBinding is missing/);
    expect(await thrownBy(() => create({ buffer: {} }))).toMatch(
      /^TypeError: ‘buffer’ of GPUBufferBinding must be a GPUBuffer/,
    );
  });
});

function texture(more: Partial<GPUTextureDescriptor>): GPUTexture {
  const usage = GPUTextureUsage.TEXTURE_BINDING;
  return device.createTexture({ size: [4, 4], format: "rgba8unorm", usage, ...more });
}

function destroyed(): GPUBuffer {
  const made = buffer(device, 16, UNIFORM);
  made.destroy();
  return made;
}

function invalid(): GPUBuffer {
  return device.createBuffer({ label: "bad", size: 16, usage: 0 });
}
