/** What the caller says about where the shader is to run. */

/** Options of `check`. */
export interface CheckOptions {
  /** WebGPU features of the device (`"shader-f16"`, `"subgroups"` …); left out: all that exist. */
  readonly features?: readonly string[];
  /** WGSL language features of the implementation; left out: all that exist. */
  readonly languageFeatures?: readonly string[];
  /** Name of the source in messages. */
  readonly path?: string;
}

/** The same, with the defaults filled in: null means all. */
export interface Target {
  readonly features: ReadonlySet<string> | null;
  readonly languageFeatures: ReadonlySet<string> | null;
}

export function targetOf(options: CheckOptions): Target {
  return {
    features: options.features ? new Set(options.features) : null,
    languageFeatures: options.languageFeatures ? new Set(options.languageFeatures) : null,
  };
}

export function hasFeature(target: Target, name: string): boolean {
  return target.features === null || target.features.has(name);
}

export function hasLanguageFeature(target: Target, name: string): boolean {
  return target.languageFeatures === null || target.languageFeatures.has(name);
}
