/** Reads the way from an operation to a source of divergence: a note for each thing on it that a reader has to see. */
import { type Note, note } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import type { Span } from "../../text/source.ts";
import { NEXT } from "../behavior.ts";
import { calleeOf, type Divergence, type Explanation, type Parting, type Stretch } from "./explanation.ts";
import type { Graph, NodeIndex, NodeKind, Reason } from "./graph.ts";
import type { Requirement } from "./requirements.ts";

export interface Reading {
  readonly context: Explanation;
  /** Where one looks from, if not from an operation that requires something. */
  readonly place: Span | null;
  readonly notes: Note[];
  control: Parting | null;
  assignments: number;
}

const MOST_ASSIGNMENTS = 3;

export function steps(context: Explanation, stretches: readonly Stretch[]): Divergence {
  const reading: Reading = { context, place: null, notes: [], control: null, assignments: 0 };
  let caller: Stretch | null = null;
  for (const stretch of stretches) {
    if (caller !== null && stretch.requirement !== null) callNotes(reading, stretch, caller);
    readPath(reading, stretch);
    caller = stretch;
  }
  const sourceNode = stretches.at(-1)!.path.at(-2)!;
  return { control: reading.control, source: context.graph.reason(sourceNode)!, sourceNode, notes: reading.notes };
}

/** From the function in `inner` out to the one that calls it. */
function callNotes(reading: Reading, { fn, requirement }: Stretch, inner: Stretch): void {
  const { call, what, argument } = requirement!;
  const name = inner.fn.info.name;
  reading.notes.push(note("called-here", call.callee.span, { name, caller: fn.info.name }));
  if (what === "control-flow") return;
  const param = inner.fn.info.params[argument].name;
  reading.notes.push(note("argument-differs", call.args[argument].span, { name: param }));
}

/** Tells what there is to see on a way through one function. */
export function readPath(reading: Reading, { path, requirement }: Stretch): void {
  const { graph } = reading.context;
  const places = new Map(path.flatMap((node, at) => (FLOW.has(graph.kind(node)) ? [[node, at]] : [])));
  const last = path.findLastIndex((node) => places.has(node));
  for (let at = 0; at < path.length; at++) {
    const node = path[at];
    const reason = graph.reason(node);
    switch (graph.kind(node)) {
      case "control": {
        // Behind the last one there is nothing that could have parted them.
        const earlier = at === last ? null : partedBefore(graph, node, at, places);
        if (earlier === null) controlNote(reading, reason!, requirement);
        else at = earlier - 1;
        break;
      }
      case "write":
        assignmentNote(reading, reason as ast.AssignStatement | ast.IncrementStatement);
        break;
      case "call":
        callResultNote(reading, reason as ast.CallExpr, path.at(-2) === node);
        break;
      case "output":
        outputNote(reading, reason as ast.CallExpr);
        break;
      default:
        break;
    }
  }
}

const FLOW: ReadonlySet<NodeKind> = new Set(["start", "control", "control-end", "iteration"]);

/** So much of a graph is looked at for each condition. */
const MOST_SEEN = 4096;

/**
 * Where invocations have parted before they come to a condition: the place on the way behind it to which the control flow
 * before the condition leads too, but not by the condition itself; null: it is the condition that parts them.
 */
function partedBefore(
  graph: Graph,
  condition: NodeIndex,
  at: number,
  places: ReadonlyMap<NodeIndex, number>,
): number | null {
  const behind = [...places.keys()].filter((node) => places.get(node)! > at);
  const found = graph.nearest(behind, graph.home(condition), condition, MOST_SEEN);
  return found === null ? null : places.get(found)!;
}

/** The first is where invocations part; further ones decide about values on the way. */
function controlNote(reading: Reading, reason: Reason, requirement: Requirement | null): void {
  const { span, code, args } = decision(reason);
  if (reading.control !== null) {
    reading.notes.push(note("depends-on-condition", span, {}));
    return;
  }
  const place = requirement?.call.span ?? reading.place;
  const isInside = place === null || contains(reason.span, place);
  const jump = isInside ? null : findJump(reading, reason);
  const isLoop = jump === null ? code === "loop-count" : jump.kind !== "return";
  reading.control = { reason, kind: isLoop ? "loop" : jump === null ? "inside" : "behind" };
  if (jump === null) reading.notes.push(note(code, span, args as never));
  else reading.notes.push(note("leaves-here", jump.span, { jump: jump.kind }));
}

function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

interface Decision {
  readonly span: Span;
  readonly code: "under-condition" | "under-selector" | "left-side-decides" | "loop-count";
  readonly args: Readonly<Record<string, string>>;
}

/** What decides where an invocation goes. */
function decision(reason: Reason): Decision {
  switch (reason.kind) {
    case "switch":
      return { span: reason.selector.span, code: "under-selector", args: {} };
    case "for":
    case "while":
      return { span: reason.condition!.span, code: "loop-count", args: {} };
    case "continuing":
      return { span: reason.breakIf!.span, code: "loop-count", args: {} };
    case "binary":
      return { span: reason.left.span, code: "left-side-decides", args: { operator: reason.operator } };
    case "if":
      return { span: reason.condition.span, code: "under-condition", args: {} };
    default:
      return { span: reason.span, code: "under-condition", args: {} };
  }
}

/** The first statement in a branch by which control leaves it. */
function findJump(
  reading: Reading,
  reason: Reason,
): ast.ReturnStatement | ast.BreakStatement | ast.ContinueStatement | null {
  const { behaviors } = reading.context;
  const queue: ast.Statement[] = [];
  if (reason.kind === "if") queue.push(...branches(reason));
  if (reason.kind === "switch") queue.push(...reason.clauses.map((clause) => clause.body));
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    if (behaviors[at.id] === NEXT) continue;
    switch (at.kind) {
      case "return":
      case "continue":
        return at;
      case "break":
        if (reason.kind !== "switch") return at;
        break;
      case "compound":
        queue.unshift(...at.statements);
        break;
      case "if":
        queue.unshift(...branches(at));
        break;
      case "switch":
        queue.unshift(...at.clauses.map((clause) => clause.body));
        break;
      case "loop":
      case "for":
      case "while":
        queue.unshift(at.body);
        break;
      default:
        break;
    }
  }
  return null;
}

function branches(node: ast.IfStatement): readonly ast.Statement[] {
  return node.otherwise === null ? [node.then] : [node.then, node.otherwise];
}

function assignmentNote(reading: Reading, node: ast.AssignStatement | ast.IncrementStatement): void {
  if (reading.assignments++ >= MOST_ASSIGNMENTS) return;
  const root = reading.context.roots.of(node.left);
  if (root !== null) reading.notes.push(note("assigned-here", node.left.span, { name: root.name }));
}

/** Only where the callee itself makes the difference; else its argument does, which comes next. */
function callResultNote(reading: Reading, call: ast.CallExpr, isEnd: boolean): void {
  if (!isEnd) return;
  reading.notes.push(note("returned-by-call", call.callee.span, { function: call.text }));
}

function outputNote(reading: Reading, call: ast.CallExpr): void {
  const fn = calleeOf(reading.context, call);
  const argument = call.args.find((_, index) => fn.contents[index] !== null);
  const root = argument === undefined ? null : reading.context.roots.of(argument);
  if (root === null) return;
  const args = { function: fn.info.name, name: root.name };
  reading.notes.push(note("left-by-call", call.callee.span, args));
}
