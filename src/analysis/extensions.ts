/** What has to be enabled, and what the implementation has to know. spec: #extensions */
import { fix } from "../diagnostics/diagnostic.ts";
import type { Span } from "../text/source.ts";
import type { Context } from "./context.ts";
import { hasLanguageFeature } from "./options.ts";

/**
 * A shader that lacks `enable f16;` lacks it everywhere: it is told once, at the first place, and what needs the extension
 * is taken as if it were there.
 */
export function requireExtension(context: Context, span: Span, name: string, extension: string): void {
  if (context.enabled.has(extension) || context.missing.has(extension)) return;
  context.missing.add(extension);
  const text = `enable ${extension};`;
  const fixes = [fix("insert-directive", { text }, [{ span: { start: 0, end: 0 }, text: `${text}\n` }])];
  context.diagnostics.report("extension-not-enabled", span, { name, extension }, { fixes });
}

/** False, with a message, where the implementation at hand lacks a language feature. */
export function requireLanguageFeature(context: Context, span: Span, name: string, feature: string): boolean {
  if (hasLanguageFeature(context.target, feature)) return true;
  context.diagnostics.report("language-feature", span, { name, feature });
  return false;
}
