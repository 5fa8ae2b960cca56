/** Calls: what they require, what they give, what they leave in memory. spec: #uniformity-function-calls */
import type { Uniformity } from "../../builtins/row.ts";
import type * as ast from "../../syntax/ast.ts";
import type { FunctionGraph } from "./function-graph.ts";
import { MAY_BE_NON_UNIFORM, NON_UNIFORM_IN_WORKGROUP, type NodeIndex } from "./graph.ts";
import { DERIVATIVE, levelOf, type Requirement, RULES, type Rule, SUBGROUP, SYNCHRONIZATION } from "./requirements.ts";
import { combine, contents, isFunctionMemory, isSettled, slotOf, source, subgroupUniform, type Walk } from "./walk.ts";

/** The node of the result; of a function that returns nothing, CF. */
export function callExpression(walk: Walk, call: ast.CallExpr, cf: NodeIndex): NodeIndex {
  const info = walk.facts.callOf(call.id);
  if (info?.kind === "builtin") return builtinCall(walk, call, cf);
  return info?.kind === "function"
    ? userCall(walk, call, walk.functions.get(info.function)!, cf)
    : ofArguments(walk, call, cf);
}

/** Constructors, and most builtin functions: uniform if the arguments are. */
function ofArguments(walk: Walk, call: ast.CallExpr, cf: NodeIndex): NodeIndex {
  let all = cf;
  for (let at = 0; at < call.argCount && !isSettled(walk, all); at++) {
    all = combine(walk, cf, all, walk.expression(walk, call.arg(at), cf), call);
  }
  return all;
}

function argumentNodes(walk: Walk, call: ast.CallExpr, cf: NodeIndex): readonly NodeIndex[] {
  const nodes = new Array<NodeIndex>(call.argCount);
  for (let at = 0; at < nodes.length; at++) nodes[at] = walk.expression(walk, call.arg(at), cf);
  return nodes;
}

// ---------------------------------------------------------------- builtin functions

const BUILTIN_RULES: Readonly<Record<string, Rule>> = {
  error: SYNCHRONIZATION,
  derivative_uniformity: DERIVATIVE,
  subgroup_uniformity: SUBGROUP,
};

function builtinCall(walk: Walk, call: ast.CallExpr, cf: NodeIndex): NodeIndex {
  const { uniformity } = walk.facts.rowOf(call.id)!;
  if (walk.isQuiet) return uniformity.result === "non-uniform" ? source(walk, call, cf) : ofArguments(walk, call, cf);
  let all = cf;
  let required = cf;
  for (let at = 0; at < call.argCount; at++) {
    const argument = walk.expression(walk, call.arg(at), cf);
    if (at === uniformity.parameter) required = argument;
    all = combine(walk, cf, all, argument, call);
  }
  if (uniformity.callSite !== "none") builtinRequirements(walk, call, uniformity, required, cf);
  switch (uniformity.result) {
    case "arguments":
    case "uniform":
      return all;
    case "non-uniform":
      return source(walk, call, cf);
    case "subgroup":
      return combine(walk, cf, subgroupUniform(walk, call, cf), all, call);
  }
}

/** `required`: the node of the argument that has to be uniform, if one has to. */
function builtinRequirements(
  walk: Walk,
  call: ast.CallExpr,
  { callSite, parameter }: Uniformity,
  required: NodeIndex,
  cf: NodeIndex,
): void {
  const rule = BUILTIN_RULES[callSite];
  const level = levelOf(walk.program.diagnosticFilters, rule, call);
  if (level === 0) return;
  demand(walk, { rule, level, node: cf, call, callee: null, what: "control-flow", argument: -1 });
  if (parameter === null) return;
  demand(walk, { rule, level, node: required, call, callee: null, what: "argument", argument: parameter });
}

function demand(walk: Walk, requirement: Requirement): void {
  walk.fn.requirements.push(requirement);
}

// ---------------------------------------------------------------- user-defined functions

function userCall(walk: Walk, call: ast.CallExpr, callee: FunctionGraph, cf: NodeIndex): NodeIndex {
  const args = argumentNodes(walk, call, cf);
  const memory = argumentMemory(walk, call, callee, cf);
  walk.flow?.calls.push({ call, callee, cf, args, memory });
  callRequirements(walk, call, callee, args, memory, cf);
  const { returned } = callee.summary!;
  let result = cf;
  if (returned !== null) {
    result = walk.graph.node("call", call, cf);
    walk.graph.edge(result, cf);
    if (returned.nonUniform) walk.graph.edge(result, MAY_BE_NON_UNIFORM);
    if (returned.nonUniformInWorkgroup) walk.graph.edge(result, NON_UNIFORM_IN_WORKGROUP);
    for (const index of returned.parameters) walk.graph.edge(result, args[index]);
    for (const index of returned.contents) walk.graph.edge(result, memory[index]);
  }
  callOutputs(walk, call, callee, args, memory, cf);
  return result;
}

/** What the arguments that point into function memory point to, before the call; CF for all others. */
function argumentMemory(walk: Walk, call: ast.CallExpr, callee: FunctionGraph, cf: NodeIndex): readonly NodeIndex[] {
  const nodes = new Array<NodeIndex>(call.argCount).fill(cf);
  for (let index = 0; index < nodes.length; index++) {
    if (callee.contents[index] === null) continue;
    const root = walk.roots.of(call.arg(index));
    if (root !== null) nodes[index] = contents(walk, root, call.arg(index), cf);
  }
  return nodes;
}

function callRequirements(
  walk: Walk,
  call: ast.CallExpr,
  callee: FunctionGraph,
  args: readonly NodeIndex[],
  memory: readonly NodeIndex[],
  cf: NodeIndex,
): void {
  const summary = callee.summary!;
  for (const rule of RULES) {
    const level = summary.callSite[rule];
    if (level > 0) demand(walk, { rule, level, node: cf, call, callee, what: "control-flow", argument: -1 });
    const parameters = summary.parameters[rule];
    for (let argument = 0; argument < parameters.length; argument++) {
      const level = parameters[argument];
      if (level > 0) demand(walk, { rule, level, node: args[argument], call, callee, what: "argument", argument });
    }
    const pointed = summary.contents[rule];
    for (let argument = 0; argument < pointed.length; argument++) {
      const level = pointed[argument];
      if (level > 0) demand(walk, { rule, level, node: memory[argument], call, callee, what: "contents", argument });
    }
  }
}

/**
 * Vout(call) of what is passed by pointer into function memory: depends on the arguments that the rule names, so on
 * control flow as well, even where the function only reads.
 */
function callOutputs(
  walk: Walk,
  call: ast.CallExpr,
  callee: FunctionGraph,
  args: readonly NodeIndex[],
  memory: readonly NodeIndex[],
  cf: NodeIndex,
): void {
  const { outputs } = callee.summary!;
  for (let index = 0; index < outputs.length; index++) {
    const output = outputs[index];
    if (output === null) continue;
    const argument = call.arg(index);
    const root = walk.roots.of(argument);
    if (root === null || !isFunctionMemory(root)) continue;
    const node = walk.graph.node("output", call, cf);
    if (output.start) walk.graph.edge(node, cf);
    if (output.nonUniform) walk.graph.edge(node, MAY_BE_NON_UNIFORM);
    if (output.nonUniformInWorkgroup) walk.graph.edge(node, NON_UNIFORM_IN_WORKGROUP);
    for (const other of output.parameters) walk.graph.edge(node, args[other]);
    for (const other of output.contents) {
      walk.graph.edge(node, args[other]);
      walk.graph.edge(node, memory[other]);
    }
    // Which part is written may differ, and the rest stays as it is.
    walk.graph.edge(node, args[index]);
    if (!walk.roots.isFull(argument)) walk.graph.edge(node, memory[index]);
    walk.values.assign(slotOf(walk, root.declaration), node);
  }
}
