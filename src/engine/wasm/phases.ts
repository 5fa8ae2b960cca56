/**
 * A kernel as what a workgroup does: the skeleton's control flow, what is computed once, and phases, each of which all
 * invocations run one after another. Says what has to be kept between phases, for each invocation, and how little that is:
 * variables that are read before they are written again, and values that cannot be computed again at little cost.
 */
import type { ConstValue } from "../../types/value.ts";
import { scalarCount } from "../flatten-values.ts";
import { dependencies } from "./dependencies.ts";
import { inParts } from "./parts.ts";
import { indicesOf, type Pointers } from "./pointers.ts";
import { isBarrier, isSkeletal, type Reconverged } from "./skeleton.ts";
import {
  type BlockNode,
  conditionOf,
  eachNode,
  eachOperation,
  type IfNode,
  isControl,
  type JumpNode,
  type LabelId,
  type LoopNode,
  listsOf,
  type Node,
  type Operation,
  type Parameter,
  type SwitchNode,
  type ValueId,
  type Variable,
  type VariableId,
} from "./tree.ts";
import type { Uniformity } from "./uniformity.ts";

export interface Phase {
  readonly kind: "phase";
  readonly nodes: readonly Node[];
  /** Variables to fetch before, to keep after. */
  readonly fetched: Set<VariableId>;
  readonly kept: Set<VariableId>;
  /** Values that earlier phases kept for this one. */
  readonly fetchedValues: Set<ValueId>;
  /** Computed again, in this order. */
  readonly recomputed: ValueId[];
  /** Values of this phase that the skeleton needs: it takes those of the first invocation. */
  readonly captured: Set<ValueId>;
  /** Builtin values that it needs. */
  readonly parameters: Set<ValueId>;
}

export type Item =
  | Phase
  /** Computed once: pure operations, and stores to uniform variables. */
  | { readonly kind: "once"; readonly operations: readonly Operation[] }
  | {
      readonly kind: "if";
      readonly node: IfNode;
      readonly whenTrue: readonly Item[];
      readonly whenFalse: readonly Item[];
    }
  | {
      readonly kind: "switch";
      readonly node: SwitchNode;
      readonly clauses: readonly (readonly Item[])[];
    }
  | {
      readonly kind: "loop";
      readonly node: LoopNode;
      readonly body: readonly Item[];
      readonly continuing: readonly Item[];
    }
  | { readonly kind: "block"; readonly node: BlockNode; readonly body: readonly Item[] }
  | JumpNode;

export interface Plan {
  readonly items: readonly Item[];
  readonly phases: readonly Phase[];
  /** Variables and values that phases hand on, in their invocation's own memory. */
  readonly keptVariables: ReadonlySet<VariableId>;
  readonly keptValues: ReadonlySet<ValueId>;
}

export interface AccessInput {
  readonly variables: readonly Variable[];
  readonly pointers: Pointers;
  /** Variables that are the same for all invocations. */
  readonly uniform: ReadonlySet<VariableId>;
  /** Variables that never change. */
  readonly constants: ReadonlyMap<VariableId, ConstValue>;
  /** Of them calls of functions may touch these. */
  readonly sharedPrivates: ReadonlySet<VariableId>;
}

export interface PlanInput extends Omit<AccessInput, "variables" | "uniform"> {
  readonly code: Reconverged;
  readonly parameters: readonly Parameter[];
  readonly uniformity: Uniformity;
  /** How often values are needed. */
  readonly uses: Uint32Array;
}

export function planPhases(input: PlanInput): Plan {
  return new Planner(input).run();
}

class Planner {
  readonly #input: PlanInput;
  readonly #phases: Phase[] = [];
  /** Where a value of one invocation is computed. */
  readonly #definedIn = new Map<ValueId, Phase>();
  readonly #operations = new Map<ValueId, Operation>();
  readonly #available: Set<ValueId>;
  /** Builtin values that differ between the invocations of a workgroup. */
  readonly #parameters = new Set<ValueId>();

  constructor(input: PlanInput) {
    this.#input = input;
    this.#available = new Set(input.uniformity.values);
    for (const { id } of input.parameters) {
      if (!this.#available.has(id)) this.#parameters.add(id);
      this.#available.add(id);
    }
  }

  run(): Plan {
    const { code } = this.#input;
    eachOperation(code.nodes, (operation) => {
      this.#operations.set(operation.id, operation);
      if (operation.kind === "const") this.#available.add(operation.id);
    });
    const items = this.#items(code.nodes);
    const keptValues = this.#planValues(items);
    const keptVariables = new Liveness(this.#input, this.#phases).run(items);
    return { items, phases: this.#phases, keptVariables, keptValues };
  }

  #items(list: readonly Node[]): Item[] {
    const { skeleton } = this.#input.code;
    const items: Item[] = [];
    let plain: Node[] = [];
    const flush = (): void => {
      if (plain.length > 0) items.push(...this.#plain(plain));
      plain = [];
    };
    for (const node of list) {
      if (!isSkeletal(node, skeleton)) {
        plain.push(node);
        continue;
      }
      flush();
      const item = this.#skeletal(node);
      if (item !== null) items.push(item);
    }
    flush();
    return items;
  }

  #skeletal(node: Node): Item | null {
    switch (node.kind) {
      case "barrier":
        return null;
      case "uniform-load":
        return { kind: "once", operations: [node] };
      case "if":
        return { kind: "if", node, whenTrue: this.#items(node.whenTrue), whenFalse: this.#items(node.whenFalse) };
      case "switch":
        return { kind: "switch", node, clauses: node.clauses.map((clause) => this.#items(clause.body)) };
      case "loop":
        return { kind: "loop", node, body: this.#items(node.body), continuing: this.#items(node.continuing) };
      case "block":
        return { kind: "block", node, body: this.#items(node.body) };
      case "jump":
        return node;
      default:
        throw new Error(`internal: ‘${node.kind}’ in the skeleton`);
    }
  }

  /** What can be computed once, and a phase for the rest. */
  #plain(nodes: readonly Node[]): Item[] {
    const { values, variables } = this.#input.uniformity;
    const once: Operation[] = [];
    for (const node of nodes) {
      eachOperation([node], (operation) => {
        if (values.has(operation.id)) once.push(operation);
        else if (operation.kind === "store" && this.#storesUniform(operation, variables)) once.push(operation);
      });
    }
    const items: Item[] = once.length > 0 ? [{ kind: "once", operations: once }] : [];
    const hoisted = new Set<Node>(once);
    const rest = nodes.filter((node) => !hoisted.has(node) && !isStatic(node));
    if (rest.length === 0) return items;
    const phase: Phase = {
      kind: "phase",
      nodes: inParts(rest, this.#input.uses, this.#input.pointers),
      fetched: new Set(),
      kept: new Set(),
      fetchedValues: new Set(),
      recomputed: [],
      captured: new Set(),
      parameters: new Set(),
    };
    this.#phases.push(phase);
    eachOperation(rest, (operation) => {
      if (!this.#available.has(operation.id)) this.#definedIn.set(operation.id, phase);
    });
    items.push(phase);
    return items;
  }

  #storesUniform(store: Extract<Operation, { kind: "store" }>, variables: ReadonlySet<VariableId>): boolean {
    const { base } = this.#input.pointers[store.pointer]!;
    return base.kind === "variable" && variables.has(base.variable);
  }

  // -------------------------------------------------------------- values

  #planValues(items: readonly Item[]): ReadonlySet<ValueId> {
    const kept = new Set<ValueId>();
    for (const phase of this.#phases) {
      const needed = new Set<ValueId>();
      const need = (id: ValueId): void => {
        if (this.#parameters.has(id)) phase.parameters.add(id);
        if (this.#definedIn.get(id) !== phase && !this.#available.has(id)) needed.add(id);
      };
      eachNode(phase.nodes, (node) => {
        if (isControl(node)) {
          const condition = conditionOf(node);
          if (condition !== null) need(condition);
        } else if (!this.#input.uniformity.values.has(node.id)) {
          for (const id of dependencies(node, this.#input.pointers)) need(id);
        }
      });
      const recomputed = new Set<ValueId>();
      for (const id of needed) {
        if (this.#recompute(id, phase, recomputed)) continue;
        phase.fetchedValues.add(id);
        kept.add(id);
      }
      phase.recomputed.push(...recomputed);
    }
    this.#capture(items);
    return kept;
  }

  /** Whether the value comes from few cheap operations on what every phase has; then adds them in order. */
  #recompute(id: ValueId, phase: Phase, into: Set<ValueId>): boolean {
    const chain: ValueId[] = [];
    const parameters: ValueId[] = [];
    const visit = (each: ValueId): boolean => {
      if (this.#parameters.has(each)) parameters.push(each);
      if (this.#available.has(each) || into.has(each) || chain.includes(each)) return true;
      const operation = this.#operations.get(each);
      if (operation === undefined || !isRecomputable(operation) || chain.length >= MOST_RECOMPUTED) return false;
      if (!dependencies(operation, this.#input.pointers).every(visit)) return false;
      chain.push(each);
      return chain.length <= MOST_RECOMPUTED;
    };
    if (!visit(id)) return false;
    for (const each of chain) into.add(each);
    for (const each of parameters) phase.parameters.add(each);
    return true;
  }

  /** Conditions of the skeleton, and what its loads are indexed by, where they are not uniform anyway. */
  #capture(items: readonly Item[]): void {
    const capture = (id: ValueId | null): void => {
      if (id !== null && !this.#available.has(id)) this.#definedIn.get(id)?.captured.add(id);
    };
    const visit = (item: Item): void => {
      switch (item.kind) {
        case "phase":
        case "jump":
          break;
        case "once":
          for (const operation of item.operations) {
            if (operation.kind !== "uniform-load") continue;
            for (const id of indicesOf(this.#input.pointers[operation.pointer]!)) capture(id);
          }
          break;
        case "if":
          capture(item.node.condition);
          item.whenTrue.forEach(visit);
          item.whenFalse.forEach(visit);
          break;
        case "switch":
          capture(item.node.selector);
          for (const clause of item.clauses) clause.forEach(visit);
          break;
        case "loop":
          item.body.forEach(visit);
          item.continuing.forEach(visit);
          capture(item.node.breakIf);
          break;
        case "block":
          item.body.forEach(visit);
          break;
      }
    };
    items.forEach(visit);
  }
}

/** In operations; a value that needs more is kept. */
const MOST_RECOMPUTED = 8;

function isRecomputable(operation: Operation): boolean {
  switch (operation.kind) {
    case "unary":
    case "convert":
    case "bitcast":
    case "splat":
    case "extract":
    case "swizzle":
    case "construct":
    case "array-length":
      return scalarCount(operation.type) <= 4;
    case "binary":
      return scalarCount(operation.type) === 1 && operation.operator !== "/" && operation.operator !== "%";
    case "select":
      return scalarCount(operation.type) === 1;
    default:
      return false;
  }
}

/** Emits no code. */
function isStatic(node: Node): boolean {
  return node.kind === "const" || node.kind === "local" || node.kind === "variable" || node.kind === "access";
}

// ------------------------------------------------------------------ variables

/** What some nodes do with variables. */
export interface Accesses {
  /** Read before they are written. */
  readonly exposed: Set<VariableId>;
  readonly stored: Set<VariableId>;
  /** Written as a whole on every way through. */
  readonly killed: ReadonlySet<VariableId>;
}

class Liveness {
  readonly #accesses = new Map<Phase, Accesses>();
  readonly #liveAt = new Map<LabelId, Set<VariableId>>();
  readonly #liveAfter = new Map<Phase, Set<VariableId>>();
  readonly #kept = new Set<VariableId>();

  constructor(input: PlanInput, phases: readonly Phase[]) {
    const access = { ...input, variables: input.code.variables, uniform: input.uniformity.variables };
    for (const phase of phases) this.#accesses.set(phase, accessesOf(phase.nodes, access));
  }

  /** The variables that are alive between phases; tells the phases what to fetch and keep. */
  run(items: readonly Item[]): ReadonlySet<VariableId> {
    const atStart = this.#list(items, new Set());
    for (const id of atStart) this.#kept.add(id);
    for (const [phase, { exposed, stored, killed }] of this.#accesses) {
      const live = this.#liveAfter.get(phase) ?? new Set();
      for (const id of stored) if (live.has(id)) phase.kept.add(id);
      for (const id of exposed) if (this.#kept.has(id)) phase.fetched.add(id);
      // A path that does not store it must keep what was there.
      for (const id of phase.kept) if (!killed.has(id)) phase.fetched.add(id);
    }
    return this.#kept;
  }

  /** From what is alive after the items to what is alive before them. */
  #list(items: readonly Item[], after: ReadonlySet<VariableId>): Set<VariableId> {
    let live = new Set(after);
    for (const item of items.toReversed()) live = this.#item(item, live);
    return live;
  }

  #item(item: Item, after: Set<VariableId>): Set<VariableId> {
    switch (item.kind) {
      case "once":
        return after;
      case "phase":
        return this.#phase(item, after);
      case "jump":
        return new Set(this.#liveAt.get(item.label));
      case "if":
        return union(this.#list(item.whenTrue, after), this.#list(item.whenFalse, after));
      case "switch": {
        this.#liveAt.set(item.node.label, after);
        const hasDefault = item.node.clauses.some((clause) => clause.isDefault);
        const before = hasDefault ? new Set<VariableId>() : new Set(after);
        return item.clauses.reduce((sum, clause) => union(sum, this.#list(clause, after)), before);
      }
      case "block":
        this.#liveAt.set(item.node.label, after);
        return this.#list(item.body, after);
      case "loop":
        return this.#loop(item, after);
    }
  }

  #loop(item: Extract<Item, { kind: "loop" }>, after: Set<VariableId>): Set<VariableId> {
    this.#liveAt.set(item.node.label, after);
    let atHead = new Set<VariableId>();
    for (;;) {
      const afterContinuing = item.node.breakIf === null ? atHead : union(atHead, after);
      const atContinuing = this.#list(item.continuing, afterContinuing);
      this.#liveAt.set(item.node.continueLabel, atContinuing);
      const next = union(atHead, this.#list(item.body, atContinuing));
      if (next.size === atHead.size) return next;
      atHead = next;
    }
  }

  #phase(phase: Phase, after: Set<VariableId>): Set<VariableId> {
    this.#liveAfter.set(phase, union(this.#liveAfter.get(phase) ?? new Set(), after));
    const { exposed, killed } = this.#accesses.get(phase)!;
    const before = new Set(exposed);
    for (const id of after) if (!killed.has(id)) before.add(id);
    for (const id of before) this.#kept.add(id);
    return before;
  }
}

function union<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): Set<T> {
  return new Set([...a, ...b]);
}

export function accessesOf(nodes: readonly Node[], input: AccessInput): Accesses {
  return new AccessWalk(input).run(nodes);
}

/** Which variables some nodes read first and which they have written for certain, along all ways through them. */
class AccessWalk {
  readonly #input: AccessInput;
  readonly #exposed = new Set<VariableId>();
  readonly #stored = new Set<VariableId>();
  /** What is written for certain by those that jump to a label; null: nobody does. */
  readonly #atLabel = new Map<LabelId, ReadonlySet<VariableId> | null>();

  constructor(input: AccessInput) {
    this.#input = input;
  }

  run(nodes: readonly Node[]): Accesses {
    const killed = this.#list(nodes, new Set()) ?? new Set();
    return { exposed: this.#exposed, stored: this.#stored, killed };
  }

  /** What is written for certain after the nodes; null where control does not come there. */
  #list(nodes: readonly Node[], written: ReadonlySet<VariableId>): ReadonlySet<VariableId> | null {
    let state: ReadonlySet<VariableId> | null = written;
    for (const node of nodes) {
      if (state === null) return null;
      state = isControl(node) ? this.#control(node, state) : this.#operation(node, state);
    }
    return state;
  }

  #operation(operation: Operation, written: ReadonlySet<VariableId>): ReadonlySet<VariableId> {
    const { pointers, uniform, constants, sharedPrivates, variables } = this.#input;
    if (operation.kind === "call") {
      for (const id of sharedPrivates) this.#touch(id, written);
      for (const arg of operation.args) {
        const base = pointers[arg]?.base;
        if (base?.kind === "variable") this.#touch(base.variable, written);
      }
      return written;
    }
    if (operation.kind !== "load" && operation.kind !== "store") return written;
    const pointer = pointers[operation.pointer]!;
    if (pointer.base.kind !== "variable") return written;
    const { variable } = pointer.base;
    if (uniform.has(variable) || constants.has(variable)) return written;
    if (operation.kind === "load") {
      if (!written.has(variable)) this.#exposed.add(variable);
      return written;
    }
    this.#stored.add(variable);
    const isWhole = pointer.terms.length === 0 && pointer.type === variables[variable].type;
    return isWhole ? new Set([...written, variable]) : written;
  }

  /** Read and perhaps written. */
  #touch(variable: VariableId, written: ReadonlySet<VariableId>): void {
    if (!written.has(variable)) this.#exposed.add(variable);
    this.#stored.add(variable);
  }

  #control(
    node: Extract<Node, { kind: "if" | "switch" | "loop" | "block" | "jump" }>,
    written: ReadonlySet<VariableId>,
  ): ReadonlySet<VariableId> | null {
    switch (node.kind) {
      case "jump":
        this.#join(node.label, written);
        return null;
      case "if":
        return meet(this.#list(node.whenTrue, written), this.#list(node.whenFalse, written));
      case "switch": {
        this.#atLabel.set(node.label, null);
        const hasDefault = node.clauses.some((clause) => clause.isDefault);
        let after: ReadonlySet<VariableId> | null = hasDefault ? null : written;
        for (const clause of node.clauses) after = meet(after, this.#list(clause.body, written));
        return meet(after, this.#atLabel.get(node.label)!);
      }
      case "block":
        this.#atLabel.set(node.label, null);
        return meet(this.#list(node.body, written), this.#atLabel.get(node.label)!);
      case "loop": {
        this.#atLabel.set(node.label, null);
        this.#atLabel.set(node.continueLabel, null);
        const body = this.#list(node.body, written);
        const continuing = meet(body, this.#atLabel.get(node.continueLabel)!);
        const last = continuing === null ? null : this.#list(node.continuing, continuing);
        if (node.breakIf !== null && last !== null) this.#join(node.label, last);
        return this.#atLabel.get(node.label)!;
      }
    }
  }

  #join(label: LabelId, written: ReadonlySet<VariableId>): void {
    this.#atLabel.set(label, meet(this.#atLabel.get(label) ?? null, written));
  }
}

/** null stands for a way that nobody takes. */
function meet(a: ReadonlySet<VariableId> | null, b: ReadonlySet<VariableId> | null): ReadonlySet<VariableId> | null {
  if (a === null) return b;
  if (b === null) return a;
  return new Set([...a].filter((id) => b.has(id)));
}

/** Whether a barrier stands where invocations take different ways: then the program is not legal. */
export function hasStrayBarrier(code: Reconverged): boolean {
  let found = false;
  const visit = (list: readonly Node[], skeletal: boolean): void => {
    for (const node of list) {
      if (isBarrier(node) && !skeletal) found = true;
      if (isControl(node)) for (const inner of listsOf(node)) visit(inner, skeletal && code.skeleton.has(node));
    }
  };
  visit(code.nodes, true);
  return found;
}
