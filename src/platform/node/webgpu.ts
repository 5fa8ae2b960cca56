/** A real GPU in Node, through the optional package `webgpu` (Dawn). */

/** Why there is none, and what to do about it. */
export class NoGpuError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NoGpuError";
  }
}

/** Kept: a device whose GPU object was collected takes the process down. */
let gpu: GPU | null = null;

/** Features that shaders can ask for. */
const FEATURES: readonly GPUFeatureName[] = ["shader-f16", "subgroups"];
/** Launches may need more than what every device has. */
const LIMITS = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupSizeY",
  "maxComputeWorkgroupSizeZ",
] as const;

/** @throws NoGpuError */
export async function requestGpu(): Promise<GPUDevice> {
  gpu ??= (await loadWebGpu()).create([]);
  const adapter = await gpu.requestAdapter();
  if (adapter === null) {
    throw new NoGpuError(
      "the package ‘webgpu’ finds no GPU here; on Linux a Vulkan driver is needed, one in software such as lavapipe or SwiftShader will do",
    );
  }
  const requiredLimits = Object.fromEntries(LIMITS.map((name) => [name, adapter.limits[name]]));
  return adapter.requestDevice({
    requiredFeatures: FEATURES.filter((name) => adapter.features.has(name)),
    requiredLimits,
  });
}

async function loadWebGpu(): Promise<{ create(flags: string[]): GPU }> {
  try {
    return await import("webgpu");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") {
      throw new NoGpuError("a GPU needs the package ‘webgpu’: npm install webgpu");
    }
    throw new NoGpuError(`the package ‘webgpu’ does not load: ${(error as Error).message}`);
  }
}
