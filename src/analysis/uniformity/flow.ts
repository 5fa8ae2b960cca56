/**
 * Which statements the invocations of a workgroup may not reach together, and why; whether that is a fault depends on what
 * stands there. Functions are taken callers first: what a call hands down counts, as far as some call does so.
 */
import { DiagnosticList, type Note, note } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import { firstFrom, type Span } from "../../text/source.ts";
import { analyzeBehaviors } from "../behavior.ts";
import { type Target, targetOf } from "../options.ts";
import type { FunctionInfo, Program } from "../program.ts";
import { RootIdentifiers } from "../root-identifier.ts";
import { type Reading, readPath, steps } from "./divergence.ts";
import { insideValues } from "./explain.ts";
import { type Explanation, routesOf } from "./explanation.ts";
import type { FunctionGraph } from "./function-graph.ts";
import { MAY_BE_NON_UNIFORM, NON_UNIFORM_IN_WORKGROUP, type NodeIndex } from "./graph.ts";
import { sourceNotes } from "./sources.ts";
import { buildGraphs } from "./uniformity.ts";
import type { FlowRecord } from "./walk.ts";

export interface NonUniformFlow {
  readonly info: FunctionInfo;
  /** Statements that follow each other and for which the same holds. */
  readonly span: Span;
  /** From where invocations part to the value that differs; the last says what it is. */
  readonly notes: readonly Note[];
}

/** The call that hands a function something that is not uniform. */
interface Cause {
  readonly caller: FunctionGraph;
  readonly call: ast.CallExpr;
  /** Of the argument that differs; null: control flow at the call. */
  readonly argument: number | null;
  readonly path: readonly NodeIndex[];
}

interface Search {
  readonly context: Explanation;
  /** By node of a function: start, parameter or what it points to. */
  readonly causes: Map<NodeIndex, Cause>;
}

/** In the order of the text; nothing for a program with errors other than those of uniformity itself. */
export function nonUniformFlow(program: Program, target: Target = targetOf({})): readonly NonUniformFlow[] {
  const isBroken = program.diagnostics.some(
    ({ code, severity }) => severity === "error" && !code.endsWith("-uniformity"),
  );
  const behaviors = isBroken ? null : analyzeBehaviors(program, new DiagnosticList());
  if (behaviors === null) return [];
  const flows = new Map<FunctionInfo, FlowRecord>();
  const graphs = buildGraphs(program, behaviors, target, program.functions, flows);
  const roots = new RootIdentifiers(program);
  const context: Explanation = { program, behaviors, graphs, graph: graphs.graph, roots, routes: new Map() };
  const search: Search = { context, causes: new Map() };
  const found: NonUniformFlow[] = [];
  for (const fn of [...graphs.functions.values()].reverse()) {
    const flow = flows.get(fn.info)!;
    for (const call of flow.calls) handDown(search, fn, call);
    found.push(...rangesOf(search, fn, flow));
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

/** Parts of a source in order, none of which touch. */
interface Parts {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const knownParts = new WeakMap<Program, Parts>();

/** Whether the statement around an offset stands where the invocations of a workgroup may not come together. */
export function isDivergentAt(program: Program, offset: number): boolean {
  let parts = knownParts.get(program);
  if (parts === undefined) {
    parts = unionOf(nonUniformFlow(program).map(({ span }) => span));
    knownParts.set(program, parts);
  }
  const at = firstFrom(parts.ends, offset + 1);
  return at < parts.starts.length && parts.starts[at] <= offset;
}

function unionOf(spans: readonly Span[]): Parts {
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = ends.length - 1;
    if (last >= 0 && start <= ends[last]) ends[last] = Math.max(ends[last], end);
    else {
      starts.push(start);
      ends.push(end);
    }
  }
  return { starts, ends };
}

/** A way to what differs: in the function itself, or in what its callers give it; null: there is none. */
function wayOut({ context, causes }: Search, fn: FunctionGraph, from: NodeIndex): readonly NodeIndex[] | null {
  const given = [fn.start, ...fn.parameters, ...fn.contents].filter((node) => node !== null && causes.has(node));
  return routesOf(context, fn).find(from, [MAY_BE_NON_UNIFORM, NON_UNIFORM_IN_WORKGROUP, ...(given as NodeIndex[])]);
}

function handDown(search: Search, caller: FunctionGraph, each: FlowRecord["calls"][number]): void {
  const { call, callee, cf, args, memory } = each;
  const give = (to: NodeIndex | null, from: NodeIndex, argument: number | null): void => {
    if (to === null || search.causes.has(to)) return;
    const path = wayOut(search, caller, from);
    if (path !== null) search.causes.set(to, { caller, call, argument, path });
  };
  give(callee.start, cf, null);
  for (const [index, from] of args.entries()) give(callee.parameters[index], from, index);
  for (const [index, from] of memory.entries()) give(callee.contents[index], from, index);
}

/** Statements in statements are part of the range; neighbours with the same control flow are one. */
function rangesOf(search: Search, fn: FunctionGraph, { statements }: FlowRecord): readonly NonUniformFlow[] {
  const ways = new Map<NodeIndex, readonly NodeIndex[] | null>();
  const found: { start: number; end: number; readonly cf: NodeIndex; readonly isBlock: boolean }[] = [];
  const ordered = statements.toSorted(
    (a, b) => a.node.span.start - b.node.span.start || b.node.span.end - a.node.span.end,
  );
  for (const { node, cf } of ordered) {
    if (!ways.has(cf)) ways.set(cf, wayOut(search, fn, cf));
    if (ways.get(cf) === null) continue;
    const last = found.at(-1);
    if (last !== undefined && node.span.end <= last.end) continue;
    // A block stands for itself: what is behind it may get there by another way.
    if (last?.cf === cf && !last.isBlock && node.kind !== "compound") last.end = node.span.end;
    else found.push({ start: node.span.start, end: node.span.end, cf, isBlock: node.kind === "compound" });
  }
  return found.map(({ start, end, cf }) => {
    const span = { start, end };
    return { info: fn.info, span, notes: notesOn(search, fn, ways.get(cf)!, span) };
  });
}

function notesOn(search: Search, fn: FunctionGraph, path: readonly NodeIndex[], place: Span): readonly Note[] {
  const { context, causes } = search;
  const stretch = { fn, path, requirement: null };
  const reading: Reading = { context, place, notes: [], control: null, assignments: 0 };
  readPath(reading, stretch);
  const own = reading.notes;
  const cause = causes.get(path.at(-1)!);
  if (cause === undefined) {
    const inner = insideValues(context, "workgroup", stretch);
    const { source, notes } = steps(context, [stretch, ...inner]);
    const more = inner.length === 0 ? [] : notes.slice(own.length);
    return [...own, ...more, ...sourceNotes(context, source)];
  }
  const { caller, call, argument } = cause;
  const notes = [...own, note("called-here", call.callee.span, { name: fn.info.name, caller: caller.info.name })];
  if (argument !== null) {
    const { name } = fn.info.params[argument];
    notes.push(note("argument-differs", call.args[argument].span, { name }));
  }
  return [...notes, ...notesOn(search, caller, cause.path, call.span)];
}
