/** What the caller says about where the shader is to run. */
import type { NamesOf } from "../text/option-names.ts";
import type { BrowserName } from "./targets.ts";

/** Options of `check`. */
export interface CheckOptions {
  /** WebGPU features of the device (`"shader-f16"`, `"subgroups"` …); left out: all that exist. */
  readonly features?: readonly string[];
  /** WGSL language features of the implementation; left out: all that exist. */
  readonly languageFeatures?: readonly string[];
  /** Browsers that the shader is for: what one of them does not accept is `not-in-target`. */
  readonly target?: BrowserName | readonly BrowserName[];
  /** Warnings and advice beyond the rules of WGSL (docs/advice.md); `check` gives them unless this is false. */
  readonly advice?: boolean;
  /** Codes of warnings and advice that are not wanted. */
  readonly off?: readonly string[];
  /** Name of the source in messages. */
  readonly path?: string;
}

export const CHECK_OPTIONS: NamesOf<CheckOptions> = {
  features: true,
  languageFeatures: true,
  target: true,
  advice: true,
  off: true,
  path: true,
};

/** The same, with the defaults filled in: null means all. */
export interface Target {
  readonly features: readonly string[] | null;
  readonly languageFeatures: readonly string[] | null;
}

export function targetOf(options: CheckOptions): Target {
  return { features: options.features ?? null, languageFeatures: options.languageFeatures ?? null };
}

export function hasFeature(target: Target, name: string): boolean {
  return target.features === null || target.features.includes(name);
}

export function hasLanguageFeature(target: Target, name: string): boolean {
  return target.languageFeatures === null || target.languageFeatures.includes(name);
}
