import { beforeEach, describe, expect, test } from "vitest";
import { errorOf, makeDevice, thrownBy } from "../../test/support/gpu.ts";

let device: GPUDevice;

beforeEach(async () => {
  device = await makeDevice();
});

const { TEXTURE_BINDING, STORAGE_BINDING, RENDER_ATTACHMENT, COPY_DST } = GPUTextureUsage;
const TEXTURE: GPUTextureDescriptor = { size: [16, 16], format: "rgba8unorm", usage: TEXTURE_BINDING };

describe("textures", () => {
  test.each<[string, Partial<GPUTextureDescriptor>, RegExp | null]>([
    ["a plain one", {}, null],
    ["a size as a dictionary", { size: { width: 4, depthOrArrayLayers: 3 } }, null],
    ["no usage", { usage: 0 }, /the usage is 0/],
    ["an empty one", { size: [16, 0] }, /the size 16 × 0 × 1 has a part that is 0/],
    ["too wide", { size: [8193] }, /the width 8193 is above maxTextureDimension2D, which is 8192/],
    ["too many layers", { size: [1, 1, 257] }, /the depthOrArrayLayers 257 is above maxTextureArrayLayers/],
    ["three samples", { sampleCount: 3 }, /the sampleCount must be 1 or 4, not 3/],
    ["samples that are not rendered", { sampleCount: 4 }, /a multisampled texture needs the usage RENDER_ATTACHMENT/],
    ["all its mip levels", { mipLevelCount: 5 }, null],
    ["one more", { mipLevelCount: 6 }, /16 × 16 × 1 has up to 5 mip levels, not 6/],
    ["a 1d texture with rows", { dimension: "1d" }, /a 1d texture cannot be 16 × 16 × 1/],
    ["a volume", { dimension: "3d", size: [4, 4, 4] }, null],
    [
      "depth in a volume",
      { dimension: "3d", format: "depth16unorm" },
      /a 3d texture cannot have the format "depth16unorm"/,
    ],
    [
      "storage in sRGB",
      { format: "rgba8unorm-srgb", usage: STORAGE_BINDING },
      /does not go with the usage STORAGE_BINDING/,
    ],
    [
      "storage with a feature",
      { format: "r8unorm", usage: STORAGE_BINDING },
      /without the feature ‘texture-formats-tier1’/,
    ],
    ["shared exponents are not rendered", { format: "rgb9e5ufloat", usage: RENDER_ATTACHMENT }, /RENDER_ATTACHMENT/],
    ["seen without sRGB", { format: "rgba8unorm-srgb", viewFormats: ["rgba8unorm"] }, null],
    ["seen as something else", { viewFormats: ["r32float"] }, /of format "rgba8unorm" cannot be viewed as "r32float"/],
    ["more than there is", { size: [8192, 8192, 256], format: "rgba32float" }, /^GPUOutOfMemoryError: .*no memory/],
  ])("%s", async (_, more, message) => {
    const error = await errorOf(device, () => device.createTexture({ ...TEXTURE, ...more }));
    if (message === null) expect(error).toBeNull();
    else expect(error).toMatch(message);
  });

  test("formats that need a feature are not known without it", async () => {
    const create = (on: GPUDevice) => on.createTexture({ ...TEXTURE, format: "bc1-rgba-unorm" });
    expect(await thrownBy(() => create(device))).toMatch(/^TypeError: .*needs the feature "texture-compression-bc"/);
    const other = await makeDevice({ features: ["texture-compression-bc"] });
    expect(await errorOf(other, () => create(other))).toBeNull();
    expect(await thrownBy(() => device.createTexture({ ...TEXTURE, format: "none" as "r8unorm" }))).toMatch(
      /^TypeError/,
    );
  });

  test("a size has one to three numbers", async () => {
    const create = (size: number[]) => thrownBy(() => device.createTexture({ ...TEXTURE, size }));
    expect(await create([])).toMatch(/^TypeError: .*one to three numbers, not 0/);
    expect(await create([1, 1, 1, 1])).toMatch(/not 4/);
  });
});

describe("views", () => {
  test.each<[string, Partial<GPUTextureDescriptor>, GPUTextureViewDescriptor, RegExp | null]>([
    ["all of it", {}, {}, null],
    ["layers become an array", { size: [4, 4, 2] }, {}, null],
    ["six layers as a cube", { size: [4, 4, 6] }, { dimension: "cube" }, null],
    ["five layers as a cube", { size: [4, 4, 5] }, { dimension: "cube" }, /leave the 5 of the texture/],
    ["another format", {}, { format: "r32float" }, /cannot be viewed as "r32float", only as "rgba8unorm"/],
    ["an aspect that it lacks", {}, { aspect: "depth-only" }, /has no aspect "depth-only"/],
    ["an aspect that it has", { format: "depth24plus-stencil8" }, { aspect: "stencil-only", format: "stencil8" }, null],
    ["no mip level", {}, { mipLevelCount: 0 }, /the view has no mip level/],
    ["a mip level too far", {}, { baseMipLevel: 1, mipLevelCount: 1 }, /1 mip levels from 1 on leave the 1/],
    ["another dimension", {}, { dimension: "3d" }, /a 3d view cannot show the 2d texture/],
    [
      "other usages",
      {},
      { usage: RENDER_ATTACHMENT },
      /RENDER_ATTACHMENT is no part of the texture's, TEXTURE_BINDING/,
    ],
    ["a swizzle without its feature", {}, { swizzle: "bgra" }, /needs the feature "texture-component-swizzle"/],
  ])("%s", async (_, more, descriptor, message) => {
    const texture = device.createTexture({ ...TEXTURE, ...more });
    const error = await errorOf(device, () => texture.createView(descriptor));
    if (message === null) expect(error).toBeNull();
    else expect(error).toMatch(message);
  });

  test("a swizzle is four letters", async () => {
    const texture = device.createTexture(TEXTURE);
    expect(await thrownBy(() => texture.createView({ swizzle: "rgb" }))).toMatch(/^TypeError: .*four of the letters/);
  });
});

describe("samplers", () => {
  test.each<[string, GPUSamplerDescriptor, RegExp | null]>([
    ["plain", {}, null],
    ["levels of detail below 0", { lodMinClamp: -1 }, /lodMinClamp -1 is below 0/],
    ["levels of detail the wrong way", { lodMinClamp: 5, lodMaxClamp: 4 }, /lodMaxClamp 4 is below the lodMinClamp 5/],
    ["no anisotropy", { maxAnisotropy: 0 }, /maxAnisotropy 0 is below 1/],
    ["anisotropy with nearest texels", { maxAnisotropy: 2, minFilter: "linear" }, /to be "linear"/],
    ["anisotropy", { maxAnisotropy: 2, minFilter: "linear", magFilter: "linear", mipmapFilter: "linear" }, null],
  ])("%s", async (_, descriptor, message) => {
    const error = await errorOf(device, () => device.createSampler(descriptor));
    if (message === null) expect(error).toBeNull();
    else expect(error).toMatch(message);
  });
});

test("textures hold no texels: copies say so", async () => {
  const texture = device.createTexture({ ...TEXTURE, usage: COPY_DST });
  const write = () => device.queue.writeTexture({ texture }, new Uint8Array(1024), { bytesPerRow: 64 }, [16, 16]);
  expect(await errorOf(device, write)).toMatch(/^GPUInternalError: .*halay does not copy to or from textures yet/);
});

test("halay does not draw, and says so", async () => {
  const pass = () => device.createCommandEncoder().beginRenderPass({ colorAttachments: [] });
  expect(await errorOf(device, pass)).toMatch(/^GPUInternalError: .*halay does not draw/);
  const descriptor = {} as GPURenderPipelineDescriptor;
  expect(await errorOf(device, () => device.createRenderPipeline(descriptor))).toMatch(/halay does not draw/);
  expect(await thrownBy(() => device.createRenderPipelineAsync(descriptor))).toMatch(
    /^GPUPipelineError: .*does not draw/,
  );
});
