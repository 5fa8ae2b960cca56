/** Shortest ways through the graph of one function, searched backwards from where they lead. */
import type { FunctionGraph } from "./function-graph.ts";
import { type Graph, MAY_BE_NON_UNIFORM, NON_UNIFORM_IN_WORKGROUP, type NodeIndex, type Scope } from "./graph.ts";

const SINKS = 2;
const NOWHERE = -1;

export class Routes {
  readonly #first: NodeIndex;
  readonly #size: number;
  /** Edges turned around: the predecessors of node n are `#from[#starts[n]]` up to `#from[#starts[n + 1]]`. */
  readonly #starts: Int32Array;
  readonly #from: Int32Array;
  readonly #known = new Map<string, Int32Array>();

  constructor(graph: Graph, fn: FunctionGraph) {
    this.#first = fn.first;
    this.#size = SINKS + fn.last - fn.first;
    this.#starts = new Int32Array(this.#size + 1);
    const edges: (readonly [NodeIndex, NodeIndex])[] = [];
    for (let node = fn.first; node < fn.last; node++) {
      for (const to of graph.successors(node)) edges.push([this.#local(node), this.#local(to)]);
    }
    for (const [, to] of edges) this.#starts[to + 1]++;
    for (let i = 0; i < this.#size; i++) this.#starts[i + 1] += this.#starts[i];
    this.#from = new Int32Array(edges.length);
    const filled = this.#starts.slice();
    for (const [from, to] of edges) this.#from[filled[to]++] = from;
  }

  #local(node: NodeIndex): number {
    return node < SINKS ? node : node - this.#first + SINKS;
  }

  #global(local: number): NodeIndex {
    return local < SINKS ? local : local - SINKS + this.#first;
  }

  /** All nodes of a shortest way, both ends included; null: there is none. */
  find(from: NodeIndex, goals: readonly NodeIndex[]): readonly NodeIndex[] | null {
    const next = this.#towards(goals);
    let at = this.#local(from);
    if (next[at] === NOWHERE) return null;
    const path = [from];
    while (next[at] !== at) {
      at = next[at];
      path.push(this.#global(at));
    }
    return path;
  }

  /** To what may be non-uniform in a scope. */
  findSink(from: NodeIndex, scope: Scope): readonly NodeIndex[] | null {
    return this.find(
      from,
      scope === "workgroup" ? [MAY_BE_NON_UNIFORM, NON_UNIFORM_IN_WORKGROUP] : [MAY_BE_NON_UNIFORM],
    );
  }

  #towards(goals: readonly NodeIndex[]): Int32Array {
    const key = goals.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const next = new Int32Array(this.#size).fill(NOWHERE);
    const queue = goals.map((goal) => this.#local(goal));
    for (const goal of queue) next[goal] = goal;
    for (const node of queue) {
      for (let i = this.#starts[node]; i < this.#starts[node + 1]; i++) {
        const before = this.#from[i];
        if (next[before] !== NOWHERE) continue;
        next[before] = node;
        queue.push(before);
      }
    }
    this.#known.set(key, next);
    return next;
  }
}
