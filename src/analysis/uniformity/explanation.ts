/** What the making of messages shares. Private to this folder. */

import type { Note } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import type { Behaviors } from "../behavior.ts";
import type { FunctionInfo, Program } from "../program.ts";
import type { RootIdentifiers } from "../root-identifier.ts";
import type { FunctionGraph, UniformityGraphs } from "./function-graph.ts";
import type { Graph, NodeIndex, Reason } from "./graph.ts";
import type { Requirement } from "./requirements.ts";
import { Routes } from "./routes.ts";

export interface Explanation {
  readonly program: Program;
  readonly behaviors: Behaviors;
  readonly graphs: UniformityGraphs;
  readonly graph: Graph;
  readonly roots: RootIdentifiers;
  readonly routes: Map<FunctionGraph, Routes>;
}

/** A way through one function, towards what differs. */
export interface Stretch {
  readonly fn: FunctionGraph;
  readonly path: readonly NodeIndex[];
  /** What was required of this function; null behind a call that gives the differing value. */
  readonly requirement: Requirement | null;
}

/** One operation that is not reached by all, with everything from it to the source. */
export interface Failure {
  /** The operation, a call of a builtin function. */
  readonly operation: Requirement;
  /** From the operation outwards through callers, then inwards to the source. */
  readonly stretches: readonly Stretch[];
  readonly divergence: Divergence;
  readonly level: number;
}

export interface Divergence {
  /** The statement at which invocations part; null: the operation takes an argument that differs. */
  readonly control: Parting | null;
  /** What makes them part, or the argument differ. */
  readonly source: Reason;
  readonly sourceNode: NodeIndex;
  readonly notes: readonly Note[];
}

export interface Parting {
  readonly reason: Reason;
  /** The operation stands in a branch; behind a place where some leave; in a loop that some leave earlier. */
  readonly kind: "inside" | "behind" | "loop";
}

export function routesOf(context: Explanation, fn: FunctionGraph): Routes {
  let routes = context.routes.get(fn);
  if (routes === undefined) context.routes.set(fn, (routes = new Routes(context.graph, fn)));
  return routes;
}

export function calleeOf(context: Explanation, call: ast.CallExpr): FunctionGraph {
  const info = context.program.callOf[call.id] as { readonly function: FunctionInfo };
  return context.graphs.functions.get(info.function)!;
}
