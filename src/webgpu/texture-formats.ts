/** What each texture format can be used for. webgpu: #texture-format-caps */
import type { DeviceObject } from "./device-object.ts";
import { CORE, type Feature } from "./features.ts";
import { enumeration } from "./idl/convert.ts";

export type SampleType = GPUTextureSampleType;

/** Always, never, or with a feature. */
type Support = boolean | Feature;

export interface FormatInfo {
  readonly name: string;
  /** The feature without which the name is not known. */
  readonly feature: Feature | null;
  readonly sampleTypes: readonly SampleType[];
  /** `float` as a sample type asks for this. */
  readonly filterable: Support;
  readonly renderable: Support;
  readonly multisampled: Support;
  readonly storage: Readonly<Record<GPUStorageTextureAccess, Support>>;
  readonly volume: Support;
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Bytes of a block; of combined formats, about. */
  readonly blockBytes: number;
  /** Formats of the single aspects. */
  readonly depth: string | null;
  readonly stencil: string | null;
}

const SUPPORT: Readonly<Record<string, Support>> = {
  yes: true,
  "-": false,
  core: CORE,
  tier1: "texture-formats-tier1",
  tier2: "texture-formats-tier2",
  rg11: "rg11b10ufloat-renderable",
  bgra: "bgra8unorm-storage",
  f32: "float32-filterable",
};

const SAMPLE_TYPES: Readonly<Record<string, readonly SampleType[]>> = {
  float: ["float", "unfilterable-float"],
  unfilterable: ["unfilterable-float"],
  f32: ["float", "unfilterable-float"],
  uint: ["uint"],
  sint: ["sint"],
};

/**
 * webgpu: #plain-color-formats
 * Columns: format, needed feature, sample type, renderable, multisampled, storage (write-only, read-only, read-write), bytes.
 */
const PLAIN = `
  r8unorm         -     float        yes   yes   tier1 tier1 tier2 1
  r8snorm         -     float        tier1 tier1 tier1 tier1 -     1
  r8uint          -     uint         yes   core  tier1 tier1 tier2 1
  r8sint          -     sint         yes   core  tier1 tier1 tier2 1
  rg8unorm        -     float        yes   yes   tier1 tier1 -     2
  rg8snorm        -     float        tier1 tier1 tier1 tier1 -     2
  rg8uint         -     uint         yes   core  tier1 tier1 -     2
  rg8sint         -     sint         yes   core  tier1 tier1 -     2
  rgba8unorm      -     float        yes   yes   yes   yes   tier2 4
  rgba8unorm-srgb -     float        yes   yes   -     -     -     4
  rgba8snorm      -     float        tier1 tier1 yes   yes   -     4
  rgba8uint       -     uint         yes   core  yes   yes   tier2 4
  rgba8sint       -     sint         yes   core  yes   yes   tier2 4
  bgra8unorm      -     float        yes   yes   bgra  -     -     4
  bgra8unorm-srgb core  float        yes   yes   -     -     -     4
  r16unorm        tier1 unfilterable yes   yes   yes   yes   -     2
  r16snorm        tier1 unfilterable yes   yes   yes   yes   -     2
  r16uint         -     uint         yes   core  tier1 tier1 tier2 2
  r16sint         -     sint         yes   core  tier1 tier1 tier2 2
  r16float        -     float        yes   yes   tier1 tier1 tier2 2
  rg16unorm       tier1 unfilterable yes   yes   yes   yes   -     4
  rg16snorm       tier1 unfilterable yes   yes   yes   yes   -     4
  rg16uint        -     uint         yes   core  tier1 tier1 -     4
  rg16sint        -     sint         yes   core  tier1 tier1 -     4
  rg16float       -     float        yes   yes   tier1 tier1 -     4
  rgba16unorm     tier1 unfilterable yes   yes   yes   yes   -     8
  rgba16snorm     tier1 unfilterable yes   yes   yes   yes   -     8
  rgba16uint      -     uint         yes   core  yes   yes   tier2 8
  rgba16sint      -     sint         yes   core  yes   yes   tier2 8
  rgba16float     -     float        yes   core  yes   yes   tier2 8
  r32uint         -     uint         yes   -     yes   yes   yes   4
  r32sint         -     sint         yes   -     yes   yes   yes   4
  r32float        -     f32          yes   core  yes   yes   yes   4
  rg32uint        -     uint         yes   -     core  core  -     8
  rg32sint        -     sint         yes   -     core  core  -     8
  rg32float       -     f32          yes   -     core  core  -     8
  rgba32uint      -     uint         yes   -     yes   yes   tier2 16
  rgba32sint      -     sint         yes   -     yes   yes   tier2 16
  rgba32float     -     f32          yes   -     yes   yes   tier2 16
  rgb10a2uint     -     uint         yes   core  tier1 tier1 -     4
  rgb10a2unorm    -     float        yes   yes   tier1 tier1 -     4
  rg11b10ufloat   -     float        rg11  rg11  tier1 tier1 -     4
`;

const NO_STORAGE = { "write-only": false, "read-only": false, "read-write": false } as const;

function plainFormat(line: string): FormatInfo {
  const [name, needs, sample, render, multisample, write, read, readWrite, bytes] = line.trim().split(/ +/);
  const feature = SUPPORT[needs];
  return {
    name,
    feature: typeof feature === "string" ? feature : null,
    sampleTypes: SAMPLE_TYPES[sample],
    filterable: sample === "f32" ? SUPPORT.f32 : sample === "float",
    renderable: SUPPORT[render],
    multisampled: SUPPORT[multisample],
    storage: { "write-only": SUPPORT[write], "read-only": SUPPORT[read], "read-write": SUPPORT[readWrite] },
    volume: true,
    blockWidth: 1,
    blockHeight: 1,
    blockBytes: Number(bytes),
    depth: null,
    stencil: null,
  };
}

/** webgpu: #depth-formats */
function depthFormat(
  name: string,
  blockBytes: number,
  depth: string | null,
  stencil: string | null,
  feature: Feature | null = null,
): FormatInfo {
  return {
    name,
    feature,
    // Of combined formats, what their depth aspect has; a view of one aspect has that aspect's format.
    sampleTypes: depth === null ? ["uint"] : ["depth", "unfilterable-float"],
    filterable: false,
    renderable: true,
    multisampled: true,
    storage: NO_STORAGE,
    volume: false,
    blockWidth: 1,
    blockHeight: 1,
    blockBytes,
    depth,
    stencil,
  };
}

/** webgpu: #packed-formats */
function packedFormat(
  name: string,
  blockBytes: number,
  [blockWidth, blockHeight]: readonly [number, number],
  feature: Feature | null,
  volume: Support,
): FormatInfo {
  return {
    name,
    feature,
    sampleTypes: SAMPLE_TYPES.float,
    filterable: true,
    renderable: false,
    multisampled: false,
    storage: NO_STORAGE,
    volume,
    blockWidth,
    blockHeight,
    blockBytes,
    depth: null,
    stencil: null,
  };
}

const BC = ["texture-compression-bc", "texture-compression-bc-sliced-3d"] as const;
const ASTC = ["texture-compression-astc", "texture-compression-astc-sliced-3d"] as const;

const BC_FORMATS: Readonly<Record<string, number>> = {
  "bc1-rgba-unorm": 8,
  "bc1-rgba-unorm-srgb": 8,
  "bc2-rgba-unorm": 16,
  "bc2-rgba-unorm-srgb": 16,
  "bc3-rgba-unorm": 16,
  "bc3-rgba-unorm-srgb": 16,
  "bc4-r-unorm": 8,
  "bc4-r-snorm": 8,
  "bc5-rg-unorm": 16,
  "bc5-rg-snorm": 16,
  "bc6h-rgb-ufloat": 16,
  "bc6h-rgb-float": 16,
  "bc7-rgba-unorm": 16,
  "bc7-rgba-unorm-srgb": 16,
};

const ETC2_FORMATS: Readonly<Record<string, number>> = {
  "etc2-rgb8unorm": 8,
  "etc2-rgb8unorm-srgb": 8,
  "etc2-rgb8a1unorm": 8,
  "etc2-rgb8a1unorm-srgb": 8,
  "etc2-rgba8unorm": 16,
  "etc2-rgba8unorm-srgb": 16,
  "eac-r11unorm": 8,
  "eac-r11snorm": 8,
  "eac-rg11unorm": 16,
  "eac-rg11snorm": 16,
};

const ASTC_BLOCKS = [
  [4, 4],
  [5, 4],
  [5, 5],
  [6, 5],
  [6, 6],
  [8, 5],
  [8, 6],
  [8, 8],
  [10, 5],
  [10, 6],
  [10, 8],
  [10, 10],
  [12, 10],
  [12, 12],
] as const;

const ALL: readonly FormatInfo[] = [
  ...PLAIN.trim().split("\n").map(plainFormat),
  depthFormat("stencil8", 1, null, "stencil8"),
  depthFormat("depth16unorm", 2, "depth16unorm", null),
  depthFormat("depth24plus", 4, "depth24plus", null),
  depthFormat("depth24plus-stencil8", 4, "depth24plus", "stencil8"),
  depthFormat("depth32float", 4, "depth32float", null),
  depthFormat("depth32float-stencil8", 8, "depth32float", "stencil8", "depth32float-stencil8"),
  packedFormat("rgb9e5ufloat", 4, [1, 1], null, true),
  ...Object.entries(BC_FORMATS).map(([name, bytes]) => packedFormat(name, bytes, [4, 4], ...BC)),
  ...Object.entries(ETC2_FORMATS).map(([name, bytes]) =>
    packedFormat(name, bytes, [4, 4], "texture-compression-etc2", false),
  ),
  ...ASTC_BLOCKS.flatMap((block) =>
    ["unorm", "unorm-srgb"].map((kind) => packedFormat(`astc-${block.join("x")}-${kind}`, 16, block, ...ASTC)),
  ),
];

const BY_NAME: ReadonlyMap<string, FormatInfo> = new Map(ALL.map((info) => [info.name, info]));

export const textureFormat = enumeration(
  "GPUTextureFormat",
  ALL.map(({ name }) => name),
);

export function formatInfo(name: string): FormatInfo {
  return BY_NAME.get(name)!;
}

export function supports(device: DeviceObject, support: Support): boolean {
  return typeof support === "boolean" ? support : device.has(support);
}

/** How to get what a format does not have by itself; empty where there is no way. */
export function wayTo(support: Support): string {
  return typeof support === "string" ? ` without the feature ‘${support}’` : "";
}

/** A name that needs a feature is not known without it. webgpu: #abstract-opdef-validate-texture-format-required-features */
export function requireFormat(device: DeviceObject, format: string, what: string): void {
  const { feature } = formatInfo(format);
  if (feature === null || device.has(feature)) return;
  throw new TypeError(`${what}: the format "${format}" needs the feature "${feature}", which the device was not given`);
}

export function isDepthOrStencil({ depth, stencil }: FormatInfo): boolean {
  return depth !== null || stencil !== null;
}

export function isCompressed({ blockWidth, blockHeight }: FormatInfo): boolean {
  return blockWidth * blockHeight > 1;
}

/** Whether what is sampled can be of that type. */
export function canSampleAs(device: DeviceObject, format: string, type: SampleType): boolean {
  const info = formatInfo(format);
  if (!info.sampleTypes.includes(type)) return false;
  return type !== "float" || supports(device, info.filterable);
}

/** The format of an aspect; null: the format has none such. webgpu: #abstract-opdef-resolving-gputextureaspect */
export function aspectFormat(format: string, aspect: GPUTextureAspect): string | null {
  if (aspect === "all") return format;
  const { depth, stencil } = formatInfo(format);
  return aspect === "depth-only" ? depth : stencil;
}

/** webgpu: #texture-view-format-compatible */
export function isViewCompatible(device: DeviceObject, format: string, view: string): boolean {
  if (format === view) return true;
  return device.hasCore && format.replace(/-srgb$/, "") === view.replace(/-srgb$/, "");
}
