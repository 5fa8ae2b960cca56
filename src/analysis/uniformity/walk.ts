/** What the walk over one function carries. Private to this folder. */

import type * as ast from "../../syntax/ast.ts";
import type { Behaviors } from "../behavior.ts";
import type { Facts } from "../fact-table.ts";
import type { FunctionInfo, Program, VariableInfo } from "../program.ts";
import type { Root, RootIdentifiers } from "../root-identifier.ts";
import type { FunctionGraph } from "./function-graph.ts";
import { type Graph, MAY_BE_NON_UNIFORM, NON_UNIFORM_IN_WORKGROUP, type NodeIndex, type Reason } from "./graph.ts";
import type { InputUniformity } from "./inputs.ts";
import type { Slot, Values } from "./values.ts";

/** Control flow as it is met, for whoever asks where it is not uniform. */
export interface FlowRecord {
  readonly statements: { readonly node: ast.Statement; readonly cf: NodeIndex }[];
  readonly calls: {
    readonly call: ast.CallExpr;
    readonly callee: FunctionGraph;
    readonly cf: NodeIndex;
    readonly args: readonly NodeIndex[];
    /** What arguments that point into function memory point to. */
    readonly memory: readonly NodeIndex[];
  }[];
}

export interface Walk {
  /** The rules of expressions, which those of calls need as well. */
  readonly expression: (walk: Walk, expr: ast.Expr, cf: NodeIndex) => NodeIndex;
  readonly program: Program;
  readonly facts: Facts;
  readonly behaviors: Behaviors;
  readonly roots: RootIdentifiers;
  readonly graph: Graph;
  /** Whether subgroup operations have a uniformity scope of their own. */
  readonly subgroups: boolean;
  readonly functions: ReadonlyMap<FunctionInfo, FunctionGraph>;
  /** By node id of the declaration: value of a `let`; slot of a `var` or of a pointer into function memory. */
  readonly numbers: Int32Array;
  readonly fn: FunctionGraph;
  readonly values: Values;
  /** By index of the parameter: its value as read; of entry points, how uniform it is. */
  readonly parameterValues: readonly NodeIndex[];
  readonly inputs: readonly InputUniformity[] | null;
  /** null: nobody asks. */
  readonly flow: FlowRecord | null;
  /** Whether the expression at hand does nothing but to give a value: what is of no use to that need not be looked at. */
  isQuiet: boolean;
}

export function slotOf(walk: Walk, declaration: { readonly id: number }): Slot {
  return walk.numbers[declaration.id];
}

/** Whether a value cannot become less uniform, whatever else goes into the expression. */
export function isSettled(walk: Walk, value: NodeIndex): boolean {
  return walk.isQuiet && walk.graph.isSource(value);
}

/** The value of an expression that depends on two others and on control flow. */
export function combine(walk: Walk, cf: NodeIndex, a: NodeIndex, b: NodeIndex, reason: Reason): NodeIndex {
  const { graph } = walk;
  if (a === b || b === cf || graph.isSource(a)) return a;
  if (a === cf || graph.isSource(b)) return b;
  const node = graph.node("value", reason, cf);
  graph.edge(node, a);
  graph.edge(node, b);
  return node;
}

/** A value made earlier, used under this control flow: Result -> {CF, X}. */
export function use(walk: Walk, cf: NodeIndex, value: NodeIndex, reason: Reason): NodeIndex {
  const { graph } = walk;
  if (value === cf || graph.home(value) === cf || graph.isSource(value)) return value;
  const node = graph.node("value", reason, cf);
  graph.edge(node, cf);
  graph.edge(node, value);
  return node;
}

/** Control flow that depends on a condition. A node of its own remembers the statement. */
export function control(walk: Walk, reason: Reason, condition: NodeIndex, cf: NodeIndex): NodeIndex {
  if (condition === cf) return cf;
  const node = walk.graph.node("control", reason, cf);
  walk.graph.edge(node, condition);
  return node;
}

// ---------------------------------------------------------------- sources of divergence

/** A value that leads to MayBeNonUniform. */
export function source(walk: Walk, reason: Reason, cf: NodeIndex): NodeIndex {
  const node = walk.graph.node("source", reason, cf);
  walk.graph.edge(node, MAY_BE_NON_UNIFORM);
  return node;
}

/** The same at workgroup scope; at subgroup scope uniform as far as control flow is. */
export function subgroupUniform(walk: Walk, reason: Reason, cf: NodeIndex): NodeIndex {
  if (!walk.subgroups) return source(walk, reason, cf);
  const node = walk.graph.node("workgroup-source", reason, cf);
  walk.graph.edge(node, NON_UNIFORM_IN_WORKGROUP);
  walk.graph.edge(node, cf);
  return node;
}

// ---------------------------------------------------------------- memory

/** What the memory of a root identifier holds, at the statement at hand. */
export function contents(walk: Walk, root: Root, reason: Reason, cf: NodeIndex): NodeIndex {
  if (isFunctionMemory(root)) return use(walk, cf, walk.values.read(slotOf(walk, root.declaration)), reason);
  return isReadOnly(root) ? cf : source(walk, reason, cf);
}

export function isFunctionMemory(root: Root): boolean {
  if (root.kind === "variable") return root.space === "function";
  return root.type.kind === "pointer" && root.type.space === "function";
}

/** Nobody writes it while the shader runs. */
function isReadOnly(root: Root): boolean {
  if (root.kind === "variable") return isReadOnlyVariable(root);
  return root.type.kind === "pointer" && root.type.access === "read";
}

function isReadOnlyVariable(info: VariableInfo): boolean {
  return info.space !== "private" && info.space !== "workgroup" && (info.space !== "storage" || info.access === "read");
}
