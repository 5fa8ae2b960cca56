/** `enable`, `requires` and `diagnostic` directives. spec: #directives */
import { ENABLE_EXTENSIONS, LANGUAGE_EXTENSIONS } from "../builtins/extensions.ts";
import { note } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { addFilter } from "./attributes.ts";
import type { Context } from "./context.ts";
import { hasFeature, hasLanguageFeature } from "./options.ts";
import { suggested } from "./suggestions.ts";

export interface Directives {
  readonly enables: readonly string[];
  readonly requires: readonly string[];
}

export function directives(context: Context): Directives {
  const enables = new Set<string>();
  const requires = new Set<string>();
  for (const directive of context.module.directives) {
    switch (directive.kind) {
      case "enable":
        for (const name of directive.names) if (enable(context, name)) enables.add(name.text);
        break;
      case "requires":
        for (const name of directive.names) if (requireLanguage(context, name)) requires.add(name.text);
        break;
      case "diagnostic":
        addFilter(context, directive.control, { start: 0, end: context.source.text.length + 1 });
        break;
      default:
        directive satisfies never;
    }
  }
  globalFilterConflicts(context);
  return { enables: [...enables], requires: [...requires] };
}

/** spec: #enable-extensions-sec */
function enable(context: Context, name: ast.Name): boolean {
  const extension = ENABLE_EXTENSIONS.get(name.text);
  if (extension === undefined) {
    const extras = LANGUAGE_EXTENSIONS.has(name.text)
      ? { notes: [note("use-requires", name.span, { name: name.text })] }
      : suggested(name.text, [...ENABLE_EXTENSIONS.keys()], name.span, { listed: true });
    context.diagnostics.report("unknown-extension", name.span, { name: name.text }, extras);
    return false;
  }
  if (!hasFeature(context.target, extension.feature)) {
    const { feature } = extension;
    context.diagnostics.report("feature-missing", name.span, { name: name.text, feature });
    return false;
  }
  context.enabled.add(name.text);
  for (const implied of extension.implies) context.enabled.add(implied);
  return true;
}

/** spec: #language-extensions-sec */
function requireLanguage(context: Context, name: ast.Name): boolean {
  if (LANGUAGE_EXTENSIONS.has(name.text) && hasLanguageFeature(context.target, name.text)) return true;
  const extras = ENABLE_EXTENSIONS.has(name.text)
    ? { notes: [note("use-enable", name.span, { name: name.text })] }
    : suggested(name.text, [...LANGUAGE_EXTENSIONS], name.span, { listed: true });
  const code = LANGUAGE_EXTENSIONS.has(name.text) ? "language-extension-missing" : "unknown-language-extension";
  context.diagnostics.report(code, name.span, { name: name.text }, extras);
  return false;
}

/** Two filters for the whole module must not give one rule two severities. spec: #diagnostic-filtering */
function globalFilterConflicts(context: Context): void {
  const severities = new Map<string, string>();
  for (const directive of context.module.directives) {
    if (directive.kind !== "diagnostic") continue;
    const rule = directive.control.rule.map((part) => part.text).join(".");
    const severity = directive.control.severity.text;
    const earlier = severities.get(rule);
    if (earlier === undefined) severities.set(rule, severity);
    else if (earlier !== severity) {
      context.diagnostics.report("conflicting-filter", directive.span, { rule, severity, earlier });
    }
  }
}
