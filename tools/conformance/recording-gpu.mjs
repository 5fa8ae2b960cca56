// A GPU that makes nothing and finds nothing wrong: it tells what shader modules and compute pipelines the suite asks
// for, and answers as the suite expects, so that the suite goes on whatever a front end thinks of them.

/** WebGPU features and WGSL language features that the suite may count on; `check` knows them all. */
export const FEATURES = [
  ..."bgra8unorm-storage clip-distances core-features-and-limits depth-clip-control depth32float-stencil8".split(" "),
  ..."dual-source-blending float32-blendable float32-filterable indirect-first-instance primitive-index".split(" "),
  ..."rg11b10ufloat-renderable shader-f16 subgroup-size-control subgroups texture-component-swizzle".split(" "),
  ..."texture-compression-astc texture-compression-astc-sliced-3d texture-compression-bc".split(" "),
  ..."texture-compression-bc-sliced-3d texture-compression-etc2 texture-formats-tier1 texture-formats-tier2".split(" "),
  "timestamp-query",
];
export const LANGUAGE_FEATURES = [
  ..."buffer_view fragment_depth immediate_address_space linear_indexing packed_4x8_integer_dot_product".split(" "),
  ..."pointer_composite_access readonly_and_readwrite_storage_textures subgroup_id subgroup_uniformity".split(" "),
  ..."swizzle_assignment texture_and_sampler_let texture_formats_tier1 uniform_buffer_standard_layout".split(" "),
  "unrestricted_pointer_parameters",
];

class GPUError extends Error {}
class GPUValidationError extends GPUError {}
class GPUInternalError extends GPUError {}
class GPUOutOfMemoryError extends GPUError {}
/** What the suite tests by `instanceof`, for `globalThis`. */
export const GLOBALS = { GPUError, GPUValidationError, GPUInternalError, GPUOutOfMemoryError };

/** Any object of the API of which nobody asks anything. */
const something = () =>
  new Proxy(function anything() {}, { get: (_, name) => (name === "then" ? undefined : something) });

/**
 * `limits`: of the adapter. `expectation`: `{ shouldError }` of the call under way. `onCall({ code, pipeline, features })`
 * hears of each module, and of each pipeline with the code of its module.
 */
export function recordingGpu(limits, languageFeatures, expectation, onCall) {
  const codes = new WeakMap();
  const device = (descriptor) => {
    const features = new Set(descriptor?.requiredFeatures ?? []);
    const scopes = [];
    const own = {
      features,
      limits,
      lost: new Promise(() => {}),
      queue: { onSubmittedWorkDone: async () => {}, submit() {} },
      destroy() {},
      pushErrorScope: () => scopes.push(expectation().shouldError),
      async popErrorScope() {
        if (scopes.length === 0) throw new DOMException("no error scope", "OperationError");
        return scopes.pop() ? new GPUValidationError("expected") : null;
      },
      createShaderModule({ code }) {
        const { shouldError } = expectation();
        onCall({ code: String(code), pipeline: null, features });
        const messages = shouldError ? [{ type: "error", message: "expected", lineNum: 0, linePos: 0 }] : [];
        const module = { getCompilationInfo: async () => ({ messages }) };
        codes.set(module, String(code));
        return module;
      },
      createComputePipeline({ layout, compute: { module, entryPoint, constants } }) {
        if (layout === "auto") onCall({ code: codes.get(module), pipeline: { entryPoint, constants }, features });
        return something();
      },
    };
    return new Proxy(own, { get: (target, name) => target[name] ?? (name === "then" ? undefined : something) });
  };
  const adapter = {
    features: new Set(FEATURES),
    limits,
    info: { vendor: "", architecture: "", device: "", description: "", subgroupMinSize: 4, subgroupMaxSize: 128 },
    requestDevice: async (descriptor) => device(descriptor),
  };
  return { wgslLanguageFeatures: new Set(languageFeatures), requestAdapter: async () => adapter };
}
