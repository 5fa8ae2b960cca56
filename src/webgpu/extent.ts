/** Sizes of up to three dimensions. webgpu: #colors-and-vectors */
import { type Converter, size32 } from "./idl/convert.ts";
import { defaulted, dictionary, required, sequenceOr } from "./idl/dictionary.ts";

export interface Extent3D {
  readonly width: number;
  readonly height: number;
  readonly depthOrArrayLayers: number;
}

const extent3DDict = dictionary("GPUExtent3DDict", {
  width: required(size32),
  height: defaulted(size32, 1),
  depthOrArrayLayers: defaulted(size32, 1),
});

const listOrDict = sequenceOr(size32, extent3DDict);

/** webgpu: #abstract-opdef-validate-gpuextent3d-shape */
export const extent3D: Converter<Extent3D> = (value, what) => {
  const extent = listOrDict(value, what);
  if (!Array.isArray(extent)) return extent;
  if (extent.length < 1 || extent.length > 3) {
    throw new TypeError(`${what} must have one to three numbers, not ${extent.length}`);
  }
  const [width, height = 1, depthOrArrayLayers = 1] = extent;
  return { width, height, depthOrArrayLayers };
};
