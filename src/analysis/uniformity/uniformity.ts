/**
 * Uniformity analysis: whether barriers, derivatives and subgroup operations are reached by all invocations together.
 * Functions are taken callees first, each summed up for its callers. spec: #uniformity
 *
 * Beyond the letter, where it would let through what its own goal forbids: what is read or written through a pointer
 * parameter depends on the pointer as well as on the contents; what a call requires of the contents of an argument holds
 * before the call; control that falls off the end of a function returns; values arrive behind a loop from where it is
 * left, `break if` included; expressions see what calls before them in the same statement have written.
 */
import type { DiagnosticList } from "../../diagnostics/diagnostic.ts";
import { listOfEach } from "../../text/list.ts";
import { type Behaviors, NEXT } from "../behavior.ts";
import { factsOf } from "../context.ts";
import { hasLanguageFeature, type Target } from "../options.ts";
import type { FunctionInfo, Program } from "../program.ts";
import { RootIdentifiers } from "../root-identifier.ts";
import { explain } from "./explain.ts";
import { expression } from "./expressions.ts";
import { FunctionGraph, summarize, type UniformityGraphs, worst } from "./function-graph.ts";
import { Graph, type NodeIndex } from "./graph.ts";
import { inputsOf } from "./inputs.ts";
import { leaveFunction, statement } from "./statements.ts";
import { Values } from "./values.ts";
import type { FlowRecord, Walk } from "./walk.ts";

/** Reports every uniformity failure of a program without errors. */
export function analyzeUniformity(
  program: Program,
  behaviors: Behaviors,
  target: Target,
  diagnostics: DiagnosticList,
): void {
  const requiring = requiringFunctions(program);
  if (requiring.size === 0) return;
  const relevant = new Set(requiring);
  for (const info of relevant) for (const callee of info.callees) relevant.add(callee);
  const functions = program.functions.filter((info) => relevant.has(info));
  if (functions.length > requiring.size) {
    // What the others return decides about control flow in few programs: at first the worst is assumed of them.
    const graphs = buildGraphs(program, behaviors, target, functions, null, requiring);
    graphs.graph.release();
    if (!hasFailure(graphs)) return;
  }
  const graphs = buildGraphs(program, behaviors, target, functions);
  explain(program, behaviors, graphs, diagnostics);
  graphs.graph.release();
}

/** Functions that require uniform control flow, themselves or through what they call. */
function requiringFunctions(program: Program): ReadonlySet<FunctionInfo> {
  const requiring = new Set<FunctionInfo>();
  for (const info of program.functions) {
    if (info.requiresUniformity || info.callees.some((callee) => requiring.has(callee))) requiring.add(info);
  }
  return requiring;
}

function hasFailure({ functions }: UniformityGraphs): boolean {
  for (const { summary } of functions.values()) if (summary!.failed) return true;
  return false;
}

/**
 * `which`: functions of the program in its order, with all that they call. `flows`: filled with the control flow of each
 * function, where somebody asks for it. `walked`: of all others, which require nothing, the worst is assumed.
 */
export function buildGraphs(
  program: Program,
  behaviors: Behaviors,
  target: Target,
  which: readonly FunctionInfo[] = program.functions,
  flows: Map<FunctionInfo, FlowRecord> | null = null,
  walked: ReadonlySet<FunctionInfo> | null = null,
): UniformityGraphs {
  const graph = new Graph(program.module);
  const functions = new Map<FunctionInfo, FunctionGraph>();
  // spec: #language_extension-subgroup_uniformity
  const subgroups = hasLanguageFeature(target, "subgroup_uniformity");
  const facts = factsOf(program);
  const roots = new RootIdentifiers(program);
  const numbers = numbersFor(program.module.nodeCount);
  const values = new Values(graph);
  for (const info of which) {
    const fn = new FunctionGraph(graph, info);
    functions.set(info, fn);
    if (walked !== null && !walked.has(info)) {
      fn.summary = worst(fn);
      continue;
    }
    const flow: FlowRecord | null = flows === null ? null : { statements: [], calls: [] };
    if (flow !== null) flows!.set(info, flow);
    values.clear();
    walkFunction({
      expression,
      program,
      facts,
      behaviors,
      roots,
      graph,
      subgroups,
      functions,
      numbers,
      values,
      fn,
      parameterValues: parameterValues(graph, fn),
      inputs: info.stage === null ? null : inputsOf(info),
      flow,
      isQuiet: false,
    });
    fn.last = graph.size;
    fn.summary = summarize(graph, fn, subgroups);
  }
  return { graph, functions, subgroups };
}

/**
 * Kept, since fresh memory costs more than what is done with it; that of a very large module goes with it. A walk sets each
 * number before it reads it.
 */
let spare = new Int32Array(0);
const MOST_KEPT = 1 << 20;

function numbersFor(count: number): Int32Array {
  if (count <= spare.length) return spare;
  const numbers = new Int32Array(count);
  if (count <= MOST_KEPT) spare = numbers;
  return numbers;
}

/** A parameter as it is read: Result -> {CF_start, param_i}. */
function parameterValues(graph: Graph, fn: FunctionGraph): readonly NodeIndex[] {
  return listOfEach(fn.info.params, (param, index) => {
    const node = graph.node("value", param.declaration, fn.start);
    graph.edge(node, fn.start);
    graph.edge(node, fn.parameters[index]);
    return node;
  });
}

function walkFunction(walk: Walk): void {
  const { fn, values } = walk;
  for (const [index, memory] of fn.contents.entries()) {
    // spec: #pointer-desugar: a variable that begins as what the parameter points to.
    if (memory !== null) walk.numbers[fn.info.params[index].declaration.id] = values.declare(memory);
  }
  const { body } = fn.info.declaration;
  statement(walk, body, fn.start);
  if ((walk.behaviors[body.id] & NEXT) !== 0) leaveFunction(walk);
}
