/** The graphs as DOT text, for `halay check --emit dot` and for whoever works on the analysis. */

import { DiagnosticList } from "../../diagnostics/diagnostic.ts";
import { analyzeBehaviors } from "../behavior.ts";
import { type Target, targetOf } from "../options.ts";
import type { Program } from "../program.ts";
import type { FunctionGraph } from "./function-graph.ts";
import { type Graph, MAY_BE_NON_UNIFORM, NON_UNIFORM_IN_WORKGROUP, type NodeIndex, type NodeKind } from "./graph.ts";
import { LEVELS, ruleName } from "./requirements.ts";
import { buildGraphs } from "./uniformity.ts";

/** Rounded: control flow; boxes: values; as the specification draws them. */
const CONTROL: ReadonlySet<NodeKind> = new Set<NodeKind>(["start", "control", "control-end", "iteration"]);

/** One cluster a function, nodes with the text that they exist for. null where the program has errors. */
export function uniformityDot(program: Program, target: Target = targetOf({})): string | null {
  const broken = program.diagnostics.some(
    ({ code, severity }) => severity === "error" && !code.endsWith("-uniformity"),
  );
  if (broken) return null;
  const behaviors = analyzeBehaviors(program, new DiagnosticList());
  if (behaviors === null) return null;
  const { graph, functions } = buildGraphs(program, behaviors, target);
  const lines = [
    "digraph uniformity {",
    `  node [shape=box, fontname="monospace"];`,
    `  n${MAY_BE_NON_UNIFORM} [label="MayBeNonUniform", style=filled, fillcolor=salmon];`,
    `  n${NON_UNIFORM_IN_WORKGROUP} [label="non-uniform in the workgroup", style=filled, fillcolor=salmon];`,
  ];
  for (const fn of functions.values()) lines.push(...cluster(program, graph, fn));
  return `${[...lines, "}"].join("\n")}\n`;
}

function cluster(program: Program, graph: Graph, fn: FunctionGraph): readonly string[] {
  const lines = [`  subgraph cluster_${fn.info.name} {`, `    label="${fn.info.name}";`];
  for (let node = fn.first; node < fn.last; node++) lines.push(`    ${nodeLine(program, graph, node)}`);
  lines.push("  }");
  for (let node = fn.first; node < fn.last; node++) {
    for (const to of graph.successors(node)) lines.push(`  n${node} -> n${to};`);
  }
  fn.requirements.forEach(({ rule, level, node, call }, index) => {
    const name = `r${fn.first}_${index}`;
    const label = `RequiredToBeUniform.${LEVELS[level]}\\n${ruleName(rule) ?? call.text}`;
    lines.push(`  ${name} [label="${label}", style=filled, fillcolor=palegreen];`, `  ${name} -> n${node};`);
  });
  return lines;
}

const LONGEST = 40;

function nodeLine(program: Program, graph: Graph, node: NodeIndex): string {
  const kind = graph.kind(node);
  const reason = graph.reason(node);
  let text = "";
  if (reason !== null) {
    const { line } = program.source.position(reason.span.start);
    const [first] = program.source.slice(reason.span).split("\n");
    const short = first.length > LONGEST ? `${first.slice(0, LONGEST)}…` : first;
    text = `\\n${line}: ${short.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}`;
  }
  const shape = CONTROL.has(kind) ? ", style=rounded" : "";
  return `n${node} [label="${kind}${text}"${shape}];`;
}
