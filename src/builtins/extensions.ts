/** spec: #extensions */

export interface EnableExtension {
  /** The WebGPU feature that a device needs for it. */
  readonly feature: string;
  /** Extensions that it turns on with itself. */
  readonly implies: readonly string[];
}

/** spec: #enable-extensions-sec: by name. */
export const ENABLE_EXTENSIONS: ReadonlyMap<string, EnableExtension> = new Map<string, EnableExtension>([
  ["f16", { feature: "shader-f16", implies: [] }],
  ["clip_distances", { feature: "clip-distances", implies: [] }],
  ["dual_source_blending", { feature: "dual-source-blending", implies: [] }],
  ["subgroups", { feature: "subgroups", implies: [] }],
  ["primitive_index", { feature: "primitive-index", implies: [] }],
  ["subgroup_size_control", { feature: "subgroup-size-control", implies: ["subgroups"] }],
]);

/** spec: #language-extensions-sec */
export const LANGUAGE_EXTENSIONS: ReadonlySet<string> = new Set([
  "readonly_and_readwrite_storage_textures",
  "packed_4x8_integer_dot_product",
  "unrestricted_pointer_parameters",
  "pointer_composite_access",
  "uniform_buffer_standard_layout",
  "subgroup_id",
  "subgroup_uniformity",
  "texture_and_sampler_let",
  "texture_formats_tier1",
  "linear_indexing",
  "immediate_address_space",
  "fragment_depth",
  "buffer_view",
]);
