/** What has to be uniform, and how badly. spec: #uniformity-function-calls */

import type { Severity } from "../../diagnostics/diagnostic.ts";
import { type DiagnosticFilter, filteredSeverity } from "../../diagnostics/filter.ts";
import type * as ast from "../../syntax/ast.ts";
import type { FunctionGraph } from "./function-graph.ts";
import type { NodeIndex, Scope } from "./graph.ts";

/** Index of a triggering rule; the first has no name and cannot be filtered. */
export type Rule = 0 | 1 | 2;
export const SYNCHRONIZATION: Rule = 0;
export const DERIVATIVE: Rule = 1;
export const SUBGROUP: Rule = 2;
export const RULES: readonly Rule[] = [SYNCHRONIZATION, DERIVATIVE, SUBGROUP];

/** A severity as a number, so that summaries can be typed arrays; 0: nothing is required. */
export type Level = number;
export const LEVELS: readonly (Severity | null)[] = [null, "info", "warning", "error"];
export const ERROR_LEVEL: Level = 3;

/** An edge from RequiredToBeUniform.S. */
export interface Requirement {
  readonly rule: Rule;
  readonly level: Level;
  readonly node: NodeIndex;
  readonly call: ast.CallExpr;
  /** null: a builtin function. */
  readonly callee: FunctionGraph | null;
  /** Control flow at the call, an argument, or what an argument points to. */
  readonly what: "control-flow" | "argument" | "contents";
  /** Index of the argument; -1 for control flow. */
  readonly argument: number;
}

const FILTERED_RULES: Readonly<Record<Rule, string | null>> = {
  [SYNCHRONIZATION]: null,
  [DERIVATIVE]: "derivative_uniformity",
  [SUBGROUP]: "subgroup_uniformity",
};

export function ruleName(rule: Rule): string | null {
  return FILTERED_RULES[rule];
}

/** By the nearest enclosing diagnostic filter of the call site. spec: #diagnostic-filtering */
export function levelOf(filters: readonly DiagnosticFilter[], rule: Rule, call: ast.CallExpr): Level {
  const name = FILTERED_RULES[rule];
  if (name === null || filters.length === 0) return ERROR_LEVEL;
  const severity = filteredSeverity(filters, name, call.start, "error");
  return severity === "off" ? 0 : LEVELS.indexOf(severity);
}

/** `subgroups`: whether subgroup operations have a scope of their own. spec: #uniformity-concepts */
export function scopeOf(rule: Rule, subgroups: boolean): Scope {
  return rule === SUBGROUP && subgroups ? "subgroup" : "workgroup";
}
