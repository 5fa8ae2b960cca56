/** The resources of a shader against the layout of its pipeline. webgpu: #abstract-opdef-validating-shader-binding */
import type { VariableInfo } from "../analysis/program.ts";
import { layoutOf, minBindingSize } from "../layout/layout.ts";
import { typeName } from "../types/type.ts";
import { entryOf, type LayoutEntry } from "./bind-group-layout.ts";
import type { PipelineLayoutObject } from "./pipeline-layout.ts";
import type { TextureUse } from "./texture-uses.ts";

/** Resources, with group and binding. */
export function resourcesOf(variables: readonly VariableInfo[]): readonly (VariableInfo & Place)[] {
  return variables.filter((variable): variable is VariableInfo & Place => variable.group !== null);
}

interface Place {
  readonly group: number;
  readonly binding: number;
}

const SAMPLE_TYPES = { f32: "unfilterable-float", i32: "sint", u32: "uint" } as const;
const ACCESS = { read: "read-only", write: "write-only", read_write: "read-write" } as const;

/** The entry of a default layout. webgpu: #default-pipeline-layout */
export function defaultEntry(variable: VariableInfo & Place, stage: number, uses: readonly TextureUse[]): LayoutEntry {
  const entry = (member: Parameters<typeof entryOf>[2]) => entryOf(variable.binding, stage, member);
  const { type } = variable;
  switch (type.kind) {
    case "sampler":
      return entry({ sampler: { type: type.comparison ? "comparison" : "filtering" } });
    case "storage-texture":
      return entry({
        storageTexture: {
          access: ACCESS[type.access],
          format: type.format as GPUTextureFormat,
          viewDimension: type.dimension,
        },
      });
    case "external-texture":
      return entry({ externalTexture: {} });
    case "sampled-texture":
    case "multisampled-texture": {
      const isSampled = uses.some(({ texture, sampler }) => texture === variable && sampler !== null);
      const plain = SAMPLE_TYPES[type.sampled.kind as keyof typeof SAMPLE_TYPES];
      const sampleType = plain === "unfilterable-float" && isSampled ? "float" : plain;
      const multisampled = type.kind === "multisampled-texture";
      return entry({ texture: { sampleType, viewDimension: multisampled ? "2d" : type.dimension, multisampled } });
    }
    case "depth-texture":
      return entry({ texture: { sampleType: "depth", viewDimension: type.dimension, multisampled: false } });
    case "depth-multisampled-texture":
      return entry({ texture: { sampleType: "depth", viewDimension: "2d", multisampled: true } });
    default:
      return entry({
        buffer: { type: bufferTypeOf(variable), hasDynamicOffset: false, minBindingSize: leastSize(variable) },
      });
  }
}

function bufferTypeOf({ space, access }: VariableInfo): GPUBufferBindingType {
  if (space === "uniform") return "uniform";
  return access === "read" ? "read-only-storage" : "storage";
}

/** webgpu: #minimum-buffer-binding-size */
export function leastSize({ type }: VariableInfo): number {
  return minBindingSize(layoutOf(type));
}

// ---------------------------------------------------------------- rules

/** Why a layout does not serve a resource of the shader; null: it does. */
export function bindingProblem(
  variable: VariableInfo & Place,
  layout: PipelineLayoutObject,
  stage: number,
): string | null {
  const { group, binding, name } = variable;
  const what = `‘${name}’ at @group(${group}) @binding(${binding})`;
  const entry = layout.bindGroupLayouts[group]?.entries.get(binding);
  if (entry === undefined) return `the pipeline layout has nothing for ${what}`;
  if ((entry.visibility & stage) === 0) return `the entry for ${what} is not visible in the stage that uses it`;
  const problem = memberProblem(variable, entry);
  return problem === null ? null : `for ${what} of type ${typeName(variable.type)}, ${problem}`;
}

function memberProblem(variable: VariableInfo, entry: LayoutEntry): string | null {
  const { type } = variable;
  if (entry.buffer !== undefined) return bufferProblem(variable, entry.buffer);
  if (entry.sampler !== undefined) return samplerProblem(variable, entry.sampler.type);
  if (entry.texture !== undefined) return textureProblem(variable, entry.texture);
  if (entry.storageTexture !== undefined) return storageTextureProblem(variable, entry.storageTexture);
  return type.kind === "external-texture" ? null : "the layout has an external texture";
}

function bufferProblem(
  variable: VariableInfo,
  { type, minBindingSize: size }: NonNullable<LayoutEntry["buffer"]>,
): string | null {
  if (variable.space !== "uniform" && variable.space !== "storage") return "the layout has a buffer";
  const wanted = bufferTypeOf(variable);
  if (type !== wanted) return `the layout has the buffer type "${type}" instead of "${wanted}"`;
  const least = leastSize(variable);
  if (size === 0 || size >= least) return null;
  return `the layout's minBindingSize is ${size}, less than the ${least} bytes of the variable`;
}

function samplerProblem({ type }: VariableInfo, layout: GPUSamplerBindingType): string | null {
  if (type.kind !== "sampler") return "the layout has a sampler";
  if (type.comparison === (layout === "comparison")) return null;
  return `the layout has a ${layout} sampler`;
}

function textureProblem(variable: VariableInfo, layout: NonNullable<LayoutEntry["texture"]>): string | null {
  const { type } = variable;
  const { sampleType, viewDimension, multisampled } = layout;
  switch (type.kind) {
    case "sampled-texture":
    case "multisampled-texture": {
      const isMultisampled = type.kind === "multisampled-texture";
      if (isMultisampled !== multisampled) return `the layout has multisampled: ${multisampled}`;
      const sampled = SAMPLE_TYPES[type.sampled.kind as keyof typeof SAMPLE_TYPES];
      const given = sampleType === "float" || sampleType === "depth" ? "unfilterable-float" : sampleType;
      if (sampled !== given) return `the layout has the sampleType "${sampleType}"`;
      const dimension = isMultisampled ? "2d" : type.dimension;
      return dimension === viewDimension ? null : `the layout has the viewDimension "${viewDimension}"`;
    }
    case "depth-texture":
    case "depth-multisampled-texture": {
      const isMultisampled = type.kind === "depth-multisampled-texture";
      if (isMultisampled !== multisampled) return `the layout has multisampled: ${multisampled}`;
      if (sampleType !== "depth") return `the layout has the sampleType "${sampleType}"`;
      const dimension = isMultisampled ? "2d" : type.dimension;
      return dimension === viewDimension ? null : `the layout has the viewDimension "${viewDimension}"`;
    }
    default:
      return "the layout has a texture";
  }
}

function storageTextureProblem(
  { type }: VariableInfo,
  layout: NonNullable<LayoutEntry["storageTexture"]>,
): string | null {
  if (type.kind !== "storage-texture") return "the layout has a storage texture";
  const { viewDimension, access, format } = layout;
  if (type.dimension !== viewDimension) return `the layout has the viewDimension "${viewDimension}"`;
  const given = ACCESS[type.access];
  if (given !== access && !(access === "read-write" && given === "write-only")) {
    return `the layout has the access "${access}"`;
  }
  return type.format === format ? null : `the layout has the format "${format}"`;
}

/** Filtering samplers go with textures that can be filtered. webgpu: #abstract-opdef-validating-gpuprogrammablestage */
export function filteringProblem({ texture, sampler }: TextureUse, layout: PipelineLayoutObject): string | null {
  if (sampler === null || texture.type.kind === "external-texture") return null;
  const entryFor = ({ group, binding }: VariableInfo) => layout.bindGroupLayouts[group!]?.entries.get(binding!);
  const type = entryFor(texture)?.texture?.sampleType;
  if (type === undefined || entryFor(sampler)?.sampler?.type !== "filtering" || type === "float") return null;
  return `‘${texture.name}’, with the sampleType "${type}", is read through the filtering sampler ‘${sampler.name}’: the layout needs the sampleType "float" or a non-filtering sampler`;
}
