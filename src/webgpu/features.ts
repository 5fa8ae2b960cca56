/** What a device may be able to do beyond what all can. webgpu: #features */
import { enumeration } from "./idl/convert.ts";
import { defineInterface } from "./idl/interface.ts";

/** webgpu: #gpufeaturename */
export const FEATURES = [
  "core-features-and-limits",
  "depth-clip-control",
  "depth32float-stencil8",
  "texture-compression-bc",
  "texture-compression-bc-sliced-3d",
  "texture-compression-etc2",
  "texture-compression-astc",
  "texture-compression-astc-sliced-3d",
  "timestamp-query",
  "indirect-first-instance",
  "shader-f16",
  "rg11b10ufloat-renderable",
  "bgra8unorm-storage",
  "float32-filterable",
  "float32-blendable",
  "clip-distances",
  "dual-source-blending",
  "subgroups",
  "texture-formats-tier1",
  "texture-formats-tier2",
  "primitive-index",
  "texture-component-swizzle",
  "subgroup-size-control",
] as const;

export type Feature = (typeof FEATURES)[number];

export const featureName = enumeration("GPUFeatureName", FEATURES);

/** Every adapter that we give has all that the core feature level asks for. webgpu: #core-features-and-limits */
export const CORE: Feature = "core-features-and-limits";

/** webgpu: #feature-dependencies */
const NEEDS: Readonly<Partial<Record<Feature, Feature>>> = {
  "texture-formats-tier2": "texture-formats-tier1",
  "texture-formats-tier1": "rg11b10ufloat-renderable",
  "texture-compression-bc-sliced-3d": "texture-compression-bc",
  "texture-compression-astc-sliced-3d": "texture-compression-astc",
  "subgroup-size-control": "subgroups",
};

/** The features with those that they need, directly or indirectly. */
export function withNeeded(features: Iterable<Feature>): ReadonlySet<Feature> {
  const all = new Set(features);
  for (const feature of all) {
    const other = NEEDS[feature];
    if (other !== undefined) all.add(other);
  }
  return all;
}

/** Without a feature, and without those that need it. */
export function withoutFeature(features: ReadonlySet<Feature>, missing: Feature): ReadonlySet<Feature> {
  return new Set([...features].filter((each) => !withNeeded([each]).has(missing)));
}

/** The names as the application sees them: an object of its own for each adapter and device. */
export class NameSet {
  readonly names: ReadonlySet<string>;

  constructor(names: ReadonlySet<string>) {
    this.names = names;
  }
}

/** webgpu: #gpusupportedfeatures */
export const GPUSupportedFeatures = defineInterface<NameSet, GPUSupportedFeatures>("GPUSupportedFeatures", {
  setlike: ({ names }) => names,
});

/** webgpu: #gpuwgsllanguagefeatures */
export const WGSLLanguageFeatures = defineInterface<NameSet, WGSLLanguageFeatures>("WGSLLanguageFeatures", {
  setlike: ({ names }) => names,
});
