/**
 * Where values of a module flow, over functions and variables: a graph whose nodes are instructions and variables. It
 * says what an index was made of and what becomes of a value that was loaded. Of local variables that are used as a whole
 * a load gives what was stored on some way to it; of all others, what is ever stored there.
 */
import type { FunctionId, InstId, Instruction, IrFunction, IrModule, RootId } from "../ir/ir.ts";
import { eachInstruction, operandsOf } from "../ir/walk.ts";
import { type SeenStores, seenStores } from "./local-values.ts";

export type NodeId = number;

/**
 * How a value goes on: unchanged or in other form (`copy`), as a term of a sum, on the right of a minus, as one of two
 * that `select` takes, in some other computation, as the condition of `select`, or as the index of what is loaded.
 */
export type Flow = "copy" | "add" | "minus" | "choice" | "compute" | "condition" | "index";

const FLOWS: readonly Flow[] = ["copy", "add", "minus", "choice", "compute", "condition", "index"];

/** In whatever way a value goes on. */
export const ALL_FLOWS: ReadonlySet<Flow> = new Set(FLOWS);

export interface Edge {
  readonly node: NodeId;
  readonly flow: Flow;
}

/** Where a value ends up. */
export interface Use {
  readonly kind: "branch" | "index" | "store" | "atomic" | "subgroup";
  readonly function: FunctionId;
  readonly inst: Instruction;
}

const SHAPING: ReadonlySet<Instruction["kind"]> = new Set([
  "convert",
  "bitcast",
  "construct",
  "splat",
  "extract",
  "swizzle",
]);

/** Edges at one of their ends each, in the order in which they were added: a large module has very many. */
class Edges {
  /** By node: numbers of its first and last edge; 0: it has none. */
  readonly #first: Uint32Array;
  readonly #last: Uint32Array;
  /** By number: the other end, the number of the next edge, and how the value goes on. */
  #nodes = new Uint32Array(64);
  #next = new Uint32Array(64);
  #flows = new Uint8Array(64);
  #count = 1;

  constructor(nodes: number) {
    this.#first = new Uint32Array(nodes);
    this.#last = new Uint32Array(nodes);
  }

  add(at: NodeId, node: NodeId, flow: Flow): void {
    const number = this.#count++;
    if (number === this.#nodes.length) this.#grow();
    this.#nodes[number] = node;
    this.#flows[number] = FLOWS.indexOf(flow);
    if (this.#first[at] === 0) this.#first[at] = number;
    else this.#next[this.#last[at]] = number;
    this.#last[at] = number;
  }

  #grow(): void {
    const grown = <T extends Uint32Array | Uint8Array>(old: T, made: T): T => {
      made.set(old);
      return made;
    };
    const length = this.#nodes.length * 2;
    this.#nodes = grown(this.#nodes, new Uint32Array(length));
    this.#next = grown(this.#next, new Uint32Array(length));
    this.#flows = grown(this.#flows, new Uint8Array(length));
  }

  each(at: NodeId, visit: (node: NodeId, flow: Flow) => void): void {
    for (let number = this.#first[at]; number !== 0; number = this.#next[number])
      visit(this.#nodes[number], FLOWS[this.#flows[number]]);
  }

  of(at: NodeId): readonly Edge[] {
    const edges: Edge[] = [];
    this.each(at, (node, flow) => edges.push({ node, flow }));
    return edges;
  }

  isEmpty(at: NodeId): boolean {
    return this.#first[at] === 0;
  }
}

export class ValueGraph {
  readonly module: IrModule;
  /** First node of each function: its instructions, then its local variables. */
  readonly #first: number[] = [];
  readonly #rootNodes: number;
  readonly #returnNodes: number;
  readonly into: Edges;
  readonly from: Edges;
  readonly uses: (readonly Use[])[];
  /** By node of an instruction: itself. */
  readonly instructions: (Instruction | null)[];
  readonly #seenStores: readonly SeenStores[];

  constructor(module: IrModule) {
    this.module = module;
    let next = 0;
    for (const fn of module.functions) {
      this.#first.push(next);
      next += fn.instructionCount + fn.locals.length;
    }
    this.#rootNodes = next;
    this.#returnNodes = next + module.roots.length;
    const count = this.#returnNodes + module.functions.length;
    this.into = new Edges(count);
    this.from = new Edges(count);
    this.uses = new Array<readonly Use[]>(count).fill([]);
    this.instructions = new Array<Instruction | null>(count).fill(null);
    for (const fn of module.functions) {
      eachInstruction(fn.body, (inst) => {
        this.instructions[this.node(fn.id, inst.id)] = inst;
      });
    }
    this.#seenStores = module.functions.map(seenStores);
    for (const fn of module.functions) eachInstruction(fn.body, (inst) => this.#instruction(fn, inst));
  }

  /** An instruction of a function; null: it is a parameter, or none. */
  at(fn: FunctionId, inst: InstId): Instruction | null {
    return this.instructions[this.node(fn, inst)] ?? null;
  }

  node(fn: FunctionId, inst: InstId): NodeId {
    return this.#first[fn] + inst;
  }

  /** The number of a scalar constant, 1 and 0 for true and false; null: it is another value. */
  constant(fn: FunctionId, id: InstId): number | null {
    const inst = this.at(fn, id);
    return inst?.kind === "const" && typeof inst.value.value !== "object" ? Number(inst.value.value) : null;
  }

  /** Whether somebody looks at a value. */
  isUsed(node: NodeId): boolean {
    return !this.from.isEmpty(node) || this.uses[node].length > 0;
  }

  /** The function that a node of an instruction or local variable belongs to. */
  functionOf(node: NodeId): FunctionId {
    return this.#first.findLastIndex((first) => first <= node);
  }

  /** Stands for what a function returns. */
  returnNode(fn: FunctionId): NodeId {
    return this.#returnNodes + fn;
  }

  rootNode(root: RootId): NodeId {
    return this.#rootNodes + root;
  }

  /** The root variable that a node stands for; null where it is none. */
  rootOf(node: NodeId): RootId | null {
    return node >= this.#rootNodes && node < this.#returnNodes ? node - this.#rootNodes : null;
  }

  /** The variable behind a pointer: of a parameter its own node, which is joined with those that are passed. */
  variableOf(fn: FunctionId, pointer: InstId): NodeId {
    for (let id = pointer; ; ) {
      const inst = this.at(fn, id);
      if (inst?.kind === "local") return this.#first[fn] + this.module.functions[fn].instructionCount + inst.local;
      if (inst?.kind === "variable") return this.rootNode(inst.root);
      if (inst?.kind !== "access") return this.node(fn, id);
      id = inst.pointer;
    }
  }

  /** The instructions that are indices on the way from the variable to where a pointer points. */
  indicesOf(fn: FunctionId, pointer: InstId): InstId[] {
    const found: InstId[] = [];
    for (let id = pointer; ; ) {
      const inst = this.at(fn, id);
      if (inst?.kind !== "access") return found;
      if (typeof inst.index !== "number") found.push(inst.index.dynamic);
      id = inst.pointer;
    }
  }

  /** All nodes from which `start` gets its value by these flows, itself first. `stop`: goes no further there. */
  sources(start: NodeId, flows: ReadonlySet<Flow>, stop: (node: NodeId) => boolean = () => false): Set<NodeId> {
    return reach(this.into, start, flows, stop);
  }

  /** All nodes that get the value of `start` by these flows, itself first. */
  targets(start: NodeId, flows: ReadonlySet<Flow>, stop: (node: NodeId) => boolean = () => false): Set<NodeId> {
    return reach(this.from, start, flows, stop);
  }

  #edge(from: NodeId, to: NodeId, flow: Flow): void {
    this.into.add(to, from, flow);
    this.from.add(from, to, flow);
  }

  #use(node: NodeId, use: Use): void {
    const uses = this.uses[node];
    // Most are used once or not at all: a list that grows by itself has room for 17 at once.
    if (uses.length === 0) this.uses[node] = [use];
    else (uses as Use[]).push(use);
  }

  #instruction(fn: IrFunction, inst: Instruction): void {
    const node = this.node(fn.id, inst.id);
    const operand = (id: InstId): NodeId => this.node(fn.id, id);
    const use = (id: InstId, kind: Use["kind"]) => this.#use(operand(id), { kind, function: fn.id, inst });
    switch (inst.kind) {
      case "load":
      case "uniform-load":
        this.#loaded(fn, inst.pointer, node);
        break;
      case "store": {
        const variable = this.variableOf(fn.id, inst.pointer);
        // By way of the store's own node, from where loads get it that see this store.
        this.#edge(operand(inst.value), node, "copy");
        this.#edge(node, variable, "copy");
        for (const index of this.indicesOf(fn.id, inst.pointer)) use(index, "index");
        if (inst.root !== null) use(inst.value, "store");
        break;
      }
      case "atomic": {
        this.#loaded(fn, inst.pointer, node);
        const variable = this.variableOf(fn.id, inst.pointer);
        const stored = inst.args.at(-1);
        for (const arg of inst.args) use(arg, "atomic");
        if (stored !== undefined) this.#edge(operand(stored), variable, "copy");
        break;
      }
      case "call":
        this.#call(fn, inst);
        break;
      case "return":
        if (inst.value !== null) this.#edge(operand(inst.value), this.#returnNodes + fn.id, "copy");
        break;
      case "if":
        use(inst.condition, "branch");
        break;
      case "switch":
        use(inst.selector, "branch");
        break;
      case "loop":
        if (inst.breakIf !== null) use(inst.breakIf, "branch");
        break;
      case "access":
        break; // Indices are followed where the pointer is used.
      case "select":
        this.#edge(operand(inst.ifTrue), node, "choice");
        this.#edge(operand(inst.ifFalse), node, "choice");
        this.#edge(operand(inst.condition), node, "condition");
        break;
      case "binary": {
        const isSum = inst.operator === "+" || inst.operator === "-";
        this.#edge(operand(inst.left), node, isSum ? "add" : "compute");
        this.#edge(operand(inst.right), node, isSum ? (inst.operator === "+" ? "add" : "minus") : "compute");
        break;
      }
      case "subgroup":
        for (const arg of inst.args) {
          use(arg, "subgroup");
          this.#edge(operand(arg), node, "compute");
        }
        break;
      case "extract-dynamic":
        this.#edge(operand(inst.operand), node, "copy");
        this.#edge(operand(inst.index), node, "index");
        use(inst.index, "index");
        break;
      default:
        for (const id of operandsOf(inst)) this.#edge(operand(id), node, SHAPING.has(inst.kind) ? "copy" : "compute");
    }
  }

  #loaded(fn: IrFunction, pointer: InstId, node: NodeId): void {
    const stores = this.#seenStores[fn.id].get(node - this.#first[fn.id]);
    if (stores === undefined) this.#edge(this.variableOf(fn.id, pointer), node, "copy");
    else for (const store of stores) this.#edge(this.node(fn.id, store), node, "copy");
    for (const index of this.indicesOf(fn.id, pointer)) {
      const from = this.node(fn.id, index);
      this.#edge(from, node, "index");
      this.#use(from, { kind: "index", function: fn.id, inst: this.instructions[node]! });
    }
  }

  #call(fn: IrFunction, inst: Extract<Instruction, { kind: "call" }>): void {
    const callee = this.module.functions[inst.function];
    for (const [i, arg] of inst.args.entries()) {
      const param = this.node(callee.id, callee.params[i].id);
      if (callee.params[i].type.kind !== "pointer") this.#edge(this.node(fn.id, arg), param, "copy");
      else {
        const variable = this.variableOf(fn.id, arg);
        this.#edge(variable, param, "copy");
        this.#edge(param, variable, "copy");
      }
    }
    this.#edge(this.#returnNodes + callee.id, this.node(fn.id, inst.id), "copy");
  }
}

function reach(edges: Edges, start: NodeId, flows: ReadonlySet<Flow>, stop: (node: NodeId) => boolean): Set<NodeId> {
  const found = new Set<NodeId>([start]);
  for (const node of found) {
    if (node !== start && stop(node)) continue;
    edges.each(node, (next, flow) => {
      if (flows.has(flow)) found.add(next);
    });
  }
  return found;
}

/** Of a large module it is large; so it stays while it is in use, and until memory is looked for. */
const graphs = new WeakMap<IrModule, WeakRef<ValueGraph>>();

export function valueGraph(module: IrModule): ValueGraph {
  let graph = graphs.get(module)?.deref();
  if (graph === undefined) {
    graph = new ValueGraph(module);
    graphs.set(module, new WeakRef(graph));
  }
  return graph;
}
