/**
 * What browsers support, as data: WebGPU features that bring something to WGSL, and WGSL language extensions. Careful
 * rather than complete: named is what a released version was documented to have at the date given; a device may lack a
 * feature that its browser has. spec: #extensions
 */

export interface Browser {
  /** Name and version, as it stands in messages. */
  readonly name: string;
  /** When this was looked up: year and month. */
  readonly date: string;
  readonly features: ReadonlySet<string>;
  readonly languageFeatures: ReadonlySet<string>;
}

export type BrowserName = "chrome" | "firefox" | "safari";

export const BROWSERS: Readonly<Record<BrowserName, Browser>> = {
  chrome: {
    name: "Chrome 156",
    date: "2026-11",
    features: new Set([
      "shader-f16",
      "clip-distances",
      "dual-source-blending",
      "subgroups",
      "primitive-index",
      "subgroup-size-control",
    ]),
    languageFeatures: new Set([
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
      "buffer_view",
      "fragment_depth",
    ]),
  },
  firefox: {
    name: "Firefox 150",
    date: "2026-04",
    features: new Set(["shader-f16"]),
    languageFeatures: new Set([
      "readonly_and_readwrite_storage_textures",
      "packed_4x8_integer_dot_product",
      "pointer_composite_access",
    ]),
  },
  safari: {
    name: "Safari 26",
    date: "2026-04",
    features: new Set(["shader-f16"]),
    languageFeatures: new Set([
      "readonly_and_readwrite_storage_textures",
      "packed_4x8_integer_dot_product",
      "unrestricted_pointer_parameters",
      "pointer_composite_access",
    ]),
  },
};

export const BROWSER_NAMES = Object.keys(BROWSERS) as readonly BrowserName[];
