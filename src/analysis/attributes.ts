/** Attributes: which there are, where each may stand, how many arguments it takes. spec: #attributes */

import { type DiagnosticExtras, note, replacement } from "../diagnostics/diagnostic.ts";
import { FILTER_SEVERITIES, type FilterSeverity, isKnownRule, knownRules } from "../diagnostics/filter.ts";
import type * as ast from "../syntax/ast.ts";
import type { Span } from "../text/source.ts";
import { isConcreteInteger } from "../types/predicates.ts";
import { typeName } from "../types/type.ts";
import type { Context } from "./context.ts";
import { concreteValue } from "./conversions.ts";
import { requireExtension } from "./extensions.ts";
import { CONST } from "./fact-table.ts";
import { suggested } from "./suggestions.ts";
import { textOf } from "./text-of.ts";

/** What an attribute stands before. */
export type Place =
  | "structure member"
  | "module-scope variable"
  | "function-scope variable"
  | "override"
  | "constant"
  | "function"
  | "parameter"
  | "return type"
  | "statement";

interface Rule {
  readonly places: readonly Place[];
  readonly least: number;
  readonly most: number;
  /** Enable-extension that it needs. */
  readonly enable?: string;
}

const IO_PLACES: readonly Place[] = ["structure member", "parameter", "return type"];

const RULES: Readonly<Record<string, Rule>> = {
  align: { places: ["structure member"], least: 1, most: 1 },
  binding: { places: ["module-scope variable"], least: 1, most: 1 },
  blend_src: { places: ["structure member"], least: 1, most: 1, enable: "dual_source_blending" },
  builtin: { places: IO_PLACES, least: 1, most: 2 },
  compute: { places: ["function"], least: 0, most: 0 },
  const: { places: [], least: 0, most: 0 },
  diagnostic: { places: ["function", "statement"], least: 2, most: 2 },
  fragment: { places: ["function"], least: 0, most: 0 },
  group: { places: ["module-scope variable"], least: 1, most: 1 },
  id: { places: ["override"], least: 1, most: 1 },
  interpolate: { places: IO_PLACES, least: 1, most: 2 },
  invariant: { places: IO_PLACES, least: 0, most: 0 },
  location: { places: IO_PLACES, least: 1, most: 1 },
  must_use: { places: ["function"], least: 0, most: 0 },
  size: { places: ["structure member"], least: 1, most: 1 },
  subgroup_size: { places: ["function"], least: 1, most: 1, enable: "subgroup_size_control" },
  vertex: { places: ["function"], least: 0, most: 0 },
  workgroup_size: { places: ["function"], least: 1, most: 3 },
};

/** All attributes that can stand somewhere, each with whether it takes arguments. */
export const ATTRIBUTES: ReadonlyMap<string, { readonly takesArguments: boolean }> = new Map(
  Object.entries(RULES)
    .filter(([, { places }]) => places.length > 0)
    .map(([name, { most }]) => [name, { takesArguments: most > 0 }]),
);

/** The attributes of one node by name, those that are in order. `@diagnostic` is not among them: see `filterAttributes`. */
export class AttributeMap {
  /** Few: each name that there is at most once. */
  readonly #found: readonly ast.Attribute[];

  constructor(found: readonly ast.Attribute[]) {
    this.#found = found;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  get(name: string): ast.Attribute | undefined {
    for (const attribute of this.#found) if (attribute.text === name) return attribute;
    return undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }
}

const NONE = new AttributeMap([]);

export function attributesOf(context: Context, list: readonly ast.Attribute[], place: Place): AttributeMap {
  if (list.length === 0) return NONE;
  /** null: all so far, as in most lists. */
  let found: ast.Attribute[] | null = null;
  for (let at = 0; at < list.length; at++) {
    const attribute = list[at];
    const isWell = wellPlaced(context, attribute, place) && attribute.text !== "diagnostic";
    const isKept = isWell && !isRepeated(context, attribute, found ?? list);
    if (!isKept) found ??= list.slice(0, at);
    else found?.push(attribute);
  }
  return new AttributeMap(found ?? list);
}

/** Whether an attribute of that name stands before it. */
function isRepeated(context: Context, attribute: ast.Attribute, list: readonly ast.Attribute[]): boolean {
  const name = attribute.text;
  for (const earlier of list) {
    if (earlier === attribute) return false;
    if (earlier.text !== name) continue;
    const notes = [note("first-here", earlier.span, { name: `@${name}` })];
    context.diagnostics.report("duplicate-attribute", attribute.span, { name }, { notes });
    return true;
  }
  return false;
}

function wellPlaced(context: Context, attribute: ast.Attribute, place: Place): boolean {
  const name = attribute.text;
  if (name === "") return false;
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  if (rule === undefined) {
    context.diagnostics.report("unknown-attribute", attribute.span, { name }, unknownExtras(attribute));
    return false;
  }
  if (!rule.places.includes(place)) {
    const accepted = rule.places.length === 0 ? "nowhere in a module" : `on a ${rule.places.join(", a ")}`;
    context.diagnostics.report("misplaced-attribute", attribute.span, { name, place, accepted });
    return false;
  }
  if (rule.enable !== undefined) requireExtension(context, attribute.span, `@${name}`, rule.enable);
  return name === "diagnostic" || argumentCount(context, attribute, rule);
}

function unknownExtras({ name, args, span }: ast.Attribute): DiagnosticExtras {
  const argument = args?.[0];
  if (name.text === "stage" && argument?.kind === "identifier" && Object.hasOwn(RULES, argument.text)) {
    const stage = argument.text;
    const notes = [note("write-stage", name.span, { stage })];
    return { notes, fixes: [replacement(span, `@${stage}`)] };
  }
  return suggested(name.text, Object.keys(RULES), name.span, { mark: "@" });
}

/** Whether an attribute is none that there is: it may have been meant for the one that lacks. */
export function hasUnknownAttribute({ attributes }: { readonly attributes: readonly ast.Attribute[] }): boolean {
  for (const { name } of attributes) if (!Object.hasOwn(RULES, name.text)) return true;
  return false;
}

function argumentCount(context: Context, attribute: ast.Attribute, rule: Rule): boolean {
  const given = attribute.args?.length ?? 0;
  const parenthesized = attribute.args !== null;
  if (given >= rule.least && given <= rule.most && parenthesized === rule.least > 0) return true;
  const wanted = rule.least === rule.most ? String(rule.least) : `${rule.least} to ${rule.most}`;
  context.diagnostics.report("attribute-arguments", attribute.span, { name: attribute.text, wanted });
  return false;
}

/** The constant integer that is the argument of an attribute; null, with a message, where it is none. */
export function attributeInteger(context: Context, attribute: ast.Attribute, least: number): number | null {
  const [argument] = attribute.args!;
  const name = attribute.text;
  const type = concreteValue(context, argument);
  if (type.kind === "error") return null;
  if (!isConcreteInteger(type)) {
    context.diagnostics.report("attribute-type", argument.span, { name, actual: typeName(type) });
    return null;
  }
  if (context.facts.time(argument.id) !== CONST) {
    context.diagnostics.report("attribute-not-constant", argument.span, { name, argument: textOf(context, argument) });
    return null;
  }
  const value = context.facts.valueAsUsed(argument.id);
  if (value === null) return null;
  if (Number(value.value) >= least) return Number(value.value);
  context.diagnostics.report("attribute-value", argument.span, { name, value: Number(value.value), least });
  return null;
}

/** The word that is an argument of an attribute: `position` of `@builtin(position)`. */
export function attributeWord(context: Context, attribute: ast.Attribute, at: number): string | null {
  const argument = attribute.args![at];
  if (argument.kind === "error-expression") return null;
  if (argument.kind === "identifier" && argument.template === null && !argument.isParenthesized) return argument.text;
  context.diagnostics.report("attribute-word", argument.span, { name: attribute.text });
  return null;
}

/** Attributes of a statement: only diagnostic filters may stand there. spec: #diagnostic-filtering */
export function statementAttributes(
  context: Context,
  list: readonly ast.Attribute[],
  range: { readonly span: Span },
): void {
  if (list.length === 0) return;
  attributesOf(context, list, "statement");
  filterAttributes(context, list, range);
}

/** Each rule at most once at one place. spec: #diagnostic-attr */
export function filterAttributes(
  context: Context,
  list: readonly ast.Attribute[],
  range: { readonly span: Span },
): void {
  if (!list.some(({ control }) => control !== null)) return;
  const seen = new Map<string, ast.Attribute>();
  for (const attribute of list) {
    if (attribute.text !== "diagnostic" || attribute.control === null) continue;
    const rule = addFilter(context, attribute.control, range.span);
    if (rule === null) continue;
    const earlier = seen.get(rule);
    if (earlier === undefined) seen.set(rule, attribute);
    else {
      const notes = [note("first-here", earlier.span, { name: rule })];
      context.diagnostics.report("duplicate-filter", attribute.span, { rule }, { notes });
    }
  }
}

/** Enters a filter; gives its rule, null where the control is wrong. */
export function addFilter(context: Context, control: ast.DiagnosticControl, range: Span): string | null {
  const severity = control.severity.text;
  const rule = control.rule.map((part) => part.text).join(".");
  if (!FILTER_SEVERITIES.includes(severity)) {
    const { span } = control.severity;
    const extras = suggested(severity, FILTER_SEVERITIES, span);
    context.diagnostics.report("unknown-severity", span, { name: severity }, extras);
    return null;
  }
  if (!isKnownRule(rule)) {
    const place = { start: control.rule[0].start, end: control.rule.at(-1)!.end };
    const extras = suggested(rule, [...knownRules()], place);
    context.diagnostics.report("unknown-diagnostic-rule", control.rule[0].span, { rule }, extras);
  }
  context.filters.push({ range, severity: severity as FilterSeverity, rule });
  return rule;
}
