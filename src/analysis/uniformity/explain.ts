/**
 * From a uniformity failure to a message: from the operation that needs uniform control flow, through the functions and
 * statements around it, to the value that differs between invocations.
 */
import { type DiagnosticList, diagnostic, type Note, note } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import type { Behaviors } from "../behavior.ts";
import type { Program } from "../program.ts";
import { RootIdentifiers } from "../root-identifier.ts";
import { steps } from "./divergence.ts";
import { calleeOf, type Explanation, type Failure, routesOf, type Stretch } from "./explanation.ts";
import type { FunctionGraph, UniformityGraphs } from "./function-graph.ts";
import type { Scope } from "./graph.ts";
import { DERIVATIVE, LEVELS, type Requirement, SYNCHRONIZATION, scopeOf } from "./requirements.ts";
import { sourceNotes } from "./sources.ts";
import { waysOut } from "./ways-out.ts";

/** Reports what fails in each function; operations that fail for one reason, together. */
export function explain(program: Program, behaviors: Behaviors, graphs: UniformityGraphs, into: DiagnosticList): void {
  const roots = new RootIdentifiers(program);
  const context: Explanation = { program, behaviors, graphs, graph: graphs.graph, roots, routes: new Map() };
  for (const fn of graphs.functions.values()) {
    if (!fn.summary!.failed) continue;
    const groups = new Map<string, Failure[]>();
    for (const requirement of fn.requirements) {
      const failure = failureOf(context, fn, requirement);
      if (failure === null) continue;
      const key = reasonKey(failure);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [failure]);
      else group.push(failure);
    }
    for (const [first, ...others] of groups.values()) report(context, first, others, into);
  }
}

function reasonKey({ operation, divergence, level }: Failure): string {
  return [operation.rule, level, divergence.control?.reason.id ?? operation.call.id, divergence.source.id].join();
}

function failureOf(context: Explanation, fn: FunctionGraph, requirement: Requirement): Failure | null {
  const scope = scopeOf(requirement.rule, context.graphs.subgroups);
  const path = routesOf(context, fn).findSink(requirement.node, scope);
  if (path === null) return null;
  const outwards: Stretch[] = [{ fn, path, requirement }];
  let operation = requirement;
  while (operation.callee !== null) {
    const inner = insideCallee(context, operation, operation.callee);
    outwards.unshift(inner);
    operation = inner.requirement!;
  }
  const stretches = [...outwards, ...insideValues(context, scope, outwards.at(-1)!)];
  return { operation, stretches, divergence: steps(context, stretches), level: requirement.level };
}

/** The requirement inside a function that makes its tag. */
function insideCallee(context: Explanation, outer: Requirement, fn: FunctionGraph): Stretch {
  const goal =
    outer.what === "control-flow"
      ? fn.start
      : outer.what === "argument"
        ? fn.parameters[outer.argument]
        : fn.contents[outer.argument]!;
  for (const requirement of fn.requirements) {
    if (requirement.rule !== outer.rule || requirement.level !== outer.level) continue;
    const path = routesOf(context, fn).find(requirement.node, [goal]);
    if (path !== null) return { fn, path, requirement };
  }
  throw new Error(`‘${fn.info.name}’ requires uniformity for no reason`);
}

/** Into the functions that return or leave behind what differs. */
export function insideValues(context: Explanation, scope: Scope, last: Stretch): readonly Stretch[] {
  const found: Stretch[] = [];
  let at = last;
  for (;;) {
    const node = at.path.at(-2);
    const kind = node === undefined ? null : context.graph.kind(node);
    if (node === undefined || (kind !== "call" && kind !== "output")) return found;
    const call = context.graph.reason(node) as ast.CallExpr;
    const fn = calleeOf(context, call);
    const from = kind === "call" ? [fn.returned!] : fn.returnedContents.filter((end) => end !== null);
    const path = from.map((end) => routesOf(context, fn).findSink(end, scope)).find((way) => way !== null);
    if (path === undefined) return found;
    at = { fn, path: path!, requirement: null };
    found.push(at);
  }
}

// ---------------------------------------------------------------- the message

function report(context: Explanation, failure: Failure, others: readonly Failure[], into: DiagnosticList): void {
  const { notes: out, fixes } = waysOut(context, failure);
  const notes = [
    ...failure.divergence.notes,
    ...sourceNotes(context, failure.divergence.source),
    ...out,
    ...othersNotes(failure, others),
  ];
  const severity = LEVELS[failure.level]!;
  const { operation } = failure;
  const name = operation.call.text;
  const extras = { severity, notes, fixes };
  const { span } = operation.call.callee.name;
  if (operation.what === "argument") {
    const argument = operation.call.args[operation.argument].span;
    into.add(argumentMessage(context, operation, name, argument, extras));
  } else if (operation.rule === SYNCHRONIZATION) {
    into.add(diagnostic("barrier-uniformity", span, { name }, extras));
  } else if (operation.rule === DERIVATIVE) {
    into.add(diagnostic("derivative-uniformity", span, { name }, extras));
  } else {
    into.add(diagnostic("subgroup-uniformity", span, { name, scope: scopeWord(context, failure) }, extras));
  }
}

function argumentMessage(
  context: Explanation,
  operation: Requirement,
  name: string,
  span: ast.Expr["span"],
  extras: Parameters<typeof diagnostic>[3],
) {
  if (operation.rule === SYNCHRONIZATION) return diagnostic("barrier-argument-uniformity", span, { name }, extras);
  const { signature } = context.program.rowOf[operation.call.id]!;
  const [, parameter] = [...signature.matchAll(/(\w+): /g)][operation.argument];
  const scope = context.graphs.subgroups ? "subgroup" : "workgroup";
  return diagnostic("subgroup-argument-uniformity", span, { name, parameter, scope }, extras);
}

/** What has to stay together: without a scope of their own, subgroup operations need all that run at once. */
function scopeWord(context: Explanation, failure: Failure): string {
  if (context.graphs.subgroups) return "subgroup";
  return failure.stretches.some(({ fn }) => fn.info.stage === "fragment") ? "draw" : "workgroup";
}

const MOST_OTHERS = 3;

function othersNotes(failure: Failure, others: readonly Failure[]): readonly Note[] {
  const seen = new Set([failure.operation.call]);
  const notes: Note[] = [];
  for (const { operation } of others) {
    if (seen.has(operation.call) || notes.length === MOST_OTHERS) continue;
    seen.add(operation.call);
    notes.push(note("affects-too", operation.call.callee.name.span, { name: operation.call.text }));
  }
  return notes;
}
