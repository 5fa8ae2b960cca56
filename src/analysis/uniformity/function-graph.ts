/** The part of the graph that one function has, and what its callers need to know of it. spec: #uniformity-function */

import { listOf, listOfEach } from "../../text/list.ts";
import type { FunctionInfo, ParameterInfo } from "../program.ts";
import type { Graph, NodeIndex } from "./graph.ts";
import { type Level, type Requirement, RULES, type Rule, scopeOf } from "./requirements.ts";

export class FunctionGraph {
  readonly info: FunctionInfo;
  /** Its nodes are those from `first` up to `last`. */
  readonly first: NodeIndex;
  last: NodeIndex;
  readonly start: NodeIndex;
  /** param_i, by index. */
  readonly parameters: readonly NodeIndex[];
  /** param_i_contents and Value_return_i_contents, by index; null where the parameter is no pointer into function memory. */
  readonly contents: readonly (NodeIndex | null)[];
  readonly returnedContents: readonly (NodeIndex | null)[];
  /** Value_return; null: nothing is returned. */
  readonly returned: NodeIndex | null;
  readonly requirements: Requirement[] = listOf();
  /** Set when the function has been walked. */
  summary: Summary | null = null;

  /** spec: #uniformity-function: the nodes that every function has. */
  constructor(graph: Graph, info: FunctionInfo) {
    const { declaration, params } = info;
    this.info = info;
    this.first = graph.size;
    this.last = this.first;
    this.start = graph.node("start", declaration);
    this.parameters = listOfEach(params, (param) => graph.node("parameter", param.declaration));
    this.contents = pointedTo(graph, params, "parameter-contents");
    this.returnedContents = pointedTo(graph, params, "return-contents");
    this.returned = info.returnType.kind === "void" ? null : graph.node("return", declaration);
  }
}

function pointedTo(
  graph: Graph,
  params: readonly ParameterInfo[],
  kind: "parameter-contents" | "return-contents",
): readonly (NodeIndex | null)[] {
  const nodes = new Array<NodeIndex | null>(params.length);
  for (let at = 0; at < nodes.length; at++) {
    nodes[at] = isFunctionPointer(params[at]) ? graph.node(kind, params[at].declaration) : null;
  }
  return nodes;
}

function isFunctionPointer(param: ParameterInfo): boolean {
  return param.type.kind === "pointer" && param.type.space === "function";
}

/** All graphs of a module, callees first. */
export interface UniformityGraphs {
  readonly graph: Graph;
  readonly functions: ReadonlyMap<FunctionInfo, FunctionGraph>;
  readonly subgroups: boolean;
}

/** How far a value or a memory content may be non-uniform, and on what it depends. */
export interface Dependence {
  /** In every scope; in the workgroup, though maybe not in a subgroup. */
  readonly nonUniform: boolean;
  readonly nonUniformInWorkgroup: boolean;
  /** On control flow at the call. */
  readonly start: boolean;
  /** Indices of parameters on whose value, or on whose pointed-to memory, it depends. */
  readonly parameters: readonly number[];
  readonly contents: readonly number[];
}

/** The tags of a function. */
export interface Summary {
  /** Whether something that it requires is not uniform, whoever calls it. */
  readonly failed: boolean;
  /** Call site tags, by rule. */
  readonly callSite: readonly Level[];
  /** Parameter tags by rule and parameter: of the value, of what it points to. */
  readonly parameters: readonly (readonly Level[])[];
  readonly contents: readonly (readonly Level[])[];
  /** Function tag and parameter return tags; null: nothing is returned. */
  readonly returned: Dependence | null;
  /** Pointer parameter tags; null: no pointer into function memory. */
  readonly outputs: readonly (Dependence | null)[];
}

/** spec: #uniformity-function: from the graph of a function to its tags. */
export function summarize(graph: Graph, fn: FunctionGraph, subgroups: boolean): Summary {
  const returned = fn.returned === null ? null : dependence(graph, fn, fn.returned);
  const outputs: (Dependence | null)[] = [];
  for (const node of fn.returnedContents) outputs.push(node === null ? null : dependence(graph, fn, node));
  return summaryOf(fn.requirements.length === 0 ? NOTHING_REQUIRED : required(graph, fn, subgroups), returned, outputs);
}

/** By hand: to spread an object into another one is slow, and there are many functions. */
function summaryOf(
  { failed, callSite, parameters, contents }: Required,
  returned: Dependence | null,
  outputs: readonly (Dependence | null)[],
): Summary {
  return { failed, callSite, parameters, contents, returned, outputs };
}

const WORST: Dependence = {
  nonUniform: true,
  nonUniformInWorkgroup: true,
  start: true,
  parameters: listOf(),
  contents: listOf(),
};

/** Of a function that requires nothing: all that it returns or leaves behind may be non-uniform. */
export function worst(fn: FunctionGraph): Summary {
  const outputs = fn.returnedContents.map((node) => (node === null ? null : WORST));
  return summaryOf(NOTHING_REQUIRED, fn.returned === null ? null : WORST, outputs);
}

type Required = Omit<Summary, "returned" | "outputs">;

const NOTHING_REQUIRED: Required = {
  failed: false,
  callSite: none(RULES.length),
  parameters: noneByRule(0),
  contents: noneByRule(0),
};

function none(count: number): Level[] {
  return new Array<Level>(count).fill(0);
}

function noneByRule(count: number): readonly Level[][] {
  const levels: Level[][] = [];
  for (let rule = 0; rule < RULES.length; rule++) levels.push(none(count));
  return levels;
}

function required(graph: Graph, fn: FunctionGraph, subgroups: boolean): Required {
  const count = fn.parameters.length;
  const callSite = none(RULES.length);
  const parameters = noneByRule(count);
  const contents = noneByRule(count);
  let failed = false;
  for (const [rule, level, nodes] of groups(fn.requirements)) {
    graph.reach(nodes);
    if (graph.reachedSink(scopeOf(rule, subgroups))) {
      // It is reported here, so callers need not obey.
      failed = true;
      continue;
    }
    if (graph.reached(fn.start)) callSite[rule] ||= level;
    for (let i = 0; i < count; i++) {
      if (graph.reached(fn.parameters[i])) parameters[rule][i] ||= level;
      const memory = fn.contents[i];
      if (memory !== null && graph.reached(memory)) contents[rule][i] ||= level;
    }
  }
  return { failed, callSite, parameters, contents };
}

/** Requirements of one rule and severity together, the most severe first. */
function groups(requirements: readonly Requirement[]): readonly (readonly [Rule, Level, readonly NodeIndex[]])[] {
  const [first] = requirements;
  if (requirements.every(({ rule, level }) => rule === first.rule && level === first.level)) {
    return [[first.rule, first.level, requirements.map(({ node }) => node)]];
  }
  const found = new Map<number, { rule: Rule; level: Level; nodes: NodeIndex[] }>();
  for (const { rule, level, node } of requirements) {
    const key = rule * 4 - level;
    const group = found.get(key);
    if (group === undefined) found.set(key, { rule, level, nodes: [node] });
    else group.nodes.push(node);
  }
  return [...found].sort(([a], [b]) => a - b).map(([, { rule, level, nodes }]) => [rule, level, nodes]);
}

function dependence(graph: Graph, fn: FunctionGraph, from: NodeIndex): Dependence {
  graph.reach([from]);
  return {
    nonUniform: graph.reachedSink("subgroup"),
    nonUniformInWorkgroup: graph.reachedSink("workgroup"),
    start: graph.reached(fn.start),
    parameters: reachedAmong(graph, fn.parameters),
    contents: reachedAmong(graph, fn.contents),
  };
}

function reachedAmong(graph: Graph, nodes: readonly (NodeIndex | null)[]): readonly number[] {
  const indices: number[] = [];
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index];
    if (node !== null && graph.reached(node)) indices.push(index);
  }
  return indices;
}
