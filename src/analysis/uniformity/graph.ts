/**
 * The graph that uniformity analysis works on: one arena for all functions of a module, so that an error can be
 * followed from the barrier into callers and callees. An edge says: what it starts from is uniform only if what it
 * leads to is. spec: #uniformity-function
 */
import type * as ast from "../../syntax/ast.ts";
import { nodesById } from "../../syntax/walk.ts";
import { grown } from "../../text/list.ts";

export type NodeIndex = number;

/** What a node can exist for: a statement, an expression, or a declaration. */
export type Reason = ast.Statement | ast.Expr | ast.Param | ast.FunctionDecl | ast.ContinuingBlock;

export type NodeKind =
  /** MayBeNonUniform, of all scopes; and what may be non-uniform in the workgroup, but not in a subgroup. */
  | "may-be-non-uniform"
  | "non-uniform-in-workgroup"
  /** CF_start, param_i, param_i_contents, Value_return, Value_return_i_contents. */
  | "start"
  | "parameter"
  | "parameter-contents"
  | "return"
  | "return-contents"
  /** Control flow: under a condition; behind a statement that may not end normally (CFend); in a loop (CF'). */
  | "control"
  | "control-end"
  | "iteration"
  /** Values: of an expression (Result); read from a source of divergence, by scope; of a call (Result). */
  | "value"
  | "source"
  | "workgroup-source"
  | "call"
  /** Values of a variable: after an assignment; after a call (Vout(call)); from several places; at the start of a loop. */
  | "write"
  | "output"
  | "join"
  | "loop-value";

export const MAY_BE_NON_UNIFORM: NodeIndex = 0;
export const NON_UNIFORM_IN_WORKGROUP: NodeIndex = 1;

/** A uniformity scope as the set of sinks that break it. spec: #uniformity-concepts */
export type Scope = "workgroup" | "subgroup";

const NONE = -1;

interface Columns {
  readonly kinds: NodeKind[];
  /** Ids of the nodes of the tree that they exist for. Numbers, since the columns outlive the tree. */
  readonly reasons: Int32Array<ArrayBuffer>;
  /** The control flow node under which a value was made or a condition stands, and which that surely leads to. */
  readonly homes: Int32Array<ArrayBuffer>;
  /** Heads of the lists of edges. */
  readonly first: Int32Array<ArrayBuffer>;
  readonly targets: Int32Array<ArrayBuffer>;
  readonly next: Int32Array<ArrayBuffer>;
  /** Nodes seen by the last `reach`: those that bear its number. */
  readonly seen: Int32Array<ArrayBuffer>;
}

/** Columns that no graph has: fresh memory costs more than what is done with it. */
let spare: Columns | null = null;
const MOST_KEPT = 1 << 18;
/** Number of the last walk in any graph. */
let walks = 0;

function columnsFor(nodes: number): Columns {
  const columns = spare;
  spare = null;
  if (columns !== null && columns.homes.length >= nodes) return columns;
  return {
    kinds: [],
    reasons: new Int32Array(nodes),
    homes: new Int32Array(nodes),
    first: new Int32Array(nodes),
    seen: new Int32Array(nodes),
    targets: new Int32Array(2 * nodes),
    next: new Int32Array(2 * nodes),
  };
}

export class Graph {
  #count = 0;
  #edges = 0;
  #walk = 0;
  readonly #kinds: NodeKind[];
  readonly #module: ast.Module;
  /** By id; null: nobody has asked for a reason. */
  #nodes: readonly (Reason | null)[] | null = null;
  #reasons: Int32Array<ArrayBuffer>;
  #homes: Int32Array<ArrayBuffer>;
  #first: Int32Array<ArrayBuffer>;
  #targets: Int32Array<ArrayBuffer>;
  #next: Int32Array<ArrayBuffer>;
  #seen: Int32Array<ArrayBuffer>;
  readonly #stack: NodeIndex[] = [];
  readonly #queue: NodeIndex[] = [];

  constructor(module: ast.Module) {
    this.#module = module;
    const columns = columnsFor(Math.max(16, module.nodeCount));
    this.#kinds = columns.kinds;
    this.#reasons = columns.reasons;
    this.#homes = columns.homes;
    this.#first = columns.first;
    this.#targets = columns.targets;
    this.#next = columns.next;
    this.#seen = columns.seen;
    this.node("may-be-non-uniform", null);
    this.node("non-uniform-in-workgroup", null);
  }

  /** Leaves its memory to the next graph. Nobody may ask it anything any more. */
  release(): void {
    if (this.#homes.length > MOST_KEPT || this.#targets.length > 2 * MOST_KEPT) return;
    spare = {
      kinds: this.#kinds,
      reasons: this.#reasons,
      homes: this.#homes,
      first: this.#first,
      targets: this.#targets,
      next: this.#next,
      seen: this.#seen,
    };
  }

  get size(): number {
    return this.#count;
  }

  node(kind: NodeKind, reason: Reason | null, home: NodeIndex = NONE): NodeIndex {
    const index = this.#count++;
    if (index === this.#homes.length) this.#growNodes();
    this.#kinds[index] = kind;
    this.#reasons[index] = reason === null ? NONE : reason.id;
    this.#homes[index] = home;
    this.#first[index] = NONE;
    return index;
  }

  edge(from: NodeIndex, to: NodeIndex): void {
    if (from === to) return;
    const index = this.#edges++;
    if (index === this.#targets.length) {
      this.#targets = grown(this.#targets);
      this.#next = grown(this.#next);
    }
    this.#targets[index] = to;
    this.#next[index] = this.#first[from];
    this.#first[from] = index;
  }

  kind(node: NodeIndex): NodeKind {
    return this.#kinds[node];
  }

  reason(node: NodeIndex): Reason | null {
    const id = this.#reasons[node];
    if (id === NONE) return null;
    this.#nodes ??= nodesById(this.#module, isReason);
    return this.#nodes[id];
  }

  home(node: NodeIndex): NodeIndex {
    return this.#homes[node];
  }

  /** Whether a value is non-uniform in every scope, whatever else it depends on. */
  isSource(node: NodeIndex): boolean {
    return this.#kinds[node] === "source";
  }

  hasOneEdge(node: NodeIndex): boolean {
    const edge = this.#first[node];
    return edge !== NONE && this.#next[edge] === NONE;
  }

  /** Where the edges of a node lead, in the order in which they were made. */
  successors(node: NodeIndex): readonly NodeIndex[] {
    const found: NodeIndex[] = [];
    for (let edge = this.#first[node]; edge !== NONE; edge = this.#next[edge]) found.push(this.#targets[edge]);
    return found.reverse();
  }

  /** Visits all that can be reached; `reached` answers about the last visit. */
  reach(from: Iterable<NodeIndex>): void {
    this.#walk = ++walks;
    const stack = this.#stack;
    for (const node of from) this.#enter(node);
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      for (let edge = this.#first[node]; edge !== NONE; edge = this.#next[edge]) this.#enter(this.#targets[edge]);
    }
  }

  /** The nearest of some nodes, on ways without `without`; null: there is none among the nearest `most` of all. */
  nearest(wanted: Iterable<NodeIndex>, start: NodeIndex, without: NodeIndex, most: number): NodeIndex | null {
    const isWanted = ++walks;
    this.#walk = ++walks;
    for (const node of wanted) this.#seen[node] = isWanted;
    if (this.#seen[start] === isWanted) return start;
    this.#seen[start] = this.#walk;
    this.#seen[without] = this.#walk;
    const stack = this.#stack;
    const queue = this.#queue;
    queue[0] = start;
    let count = 1;
    for (let at = 0; at < count; at++) {
      for (let edge = this.#first[queue[at]]; edge !== NONE; edge = this.#next[edge]) stack.push(this.#targets[edge]);
      // The edge that was made first is the last of the list.
      for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
        if (this.#seen[node] === isWanted) {
          stack.length = 0;
          return node;
        }
        if (this.#seen[node] === this.#walk || count >= most) continue;
        this.#seen[node] = this.#walk;
        queue[count++] = node;
      }
    }
    return null;
  }

  #enter(node: NodeIndex): void {
    if (this.#seen[node] === this.#walk) return;
    this.#seen[node] = this.#walk;
    this.#stack.push(node);
  }

  reached(node: NodeIndex): boolean {
    return this.#seen[node] === this.#walk;
  }

  /** Whether the last visit met what breaks uniformity in a scope. */
  reachedSink(scope: Scope): boolean {
    return this.reached(MAY_BE_NON_UNIFORM) || (scope === "workgroup" && this.reached(NON_UNIFORM_IN_WORKGROUP));
  }

  #growNodes(): void {
    this.#reasons = grown(this.#reasons);
    this.#homes = grown(this.#homes);
    this.#first = grown(this.#first);
    this.#seen = grown(this.#seen);
  }
}

/** All that can be a reason, and other nodes, which nobody asks for. */
function isReason(part: object): part is Reason {
  return "id" in part && "kind" in part;
}
