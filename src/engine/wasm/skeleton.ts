/**
 * Which control flow runs once per workgroup: what contains a barrier, and what decides whether a barrier is reached. All
 * else is code of one invocation. WGSL requires that the invocations of a workgroup agree on the former, so it can be
 * branched on once; where they leave an inlined function or a `switch` one by one, no barrier follows inside of it, and
 * `meetAgain` turns the ways out into flags and ends of blocks.
 */
import { BOOL, pointerType, type Type, VOID } from "../../types/type.ts";
import {
  type BlockNode,
  type Code,
  type ControlNode,
  isControl,
  type JumpNode,
  type LabelId,
  listsOf,
  mapLists,
  type Node,
  type Operation,
  type ValueId,
  type Variable,
  type VariableId,
} from "./tree.ts";

export type Skeleton = ReadonlySet<Node>;

export function isBarrier(node: Node): boolean {
  return node.kind === "barrier" || node.kind === "uniform-load";
}

/** Whether the node, in a list that runs once per workgroup, runs once per workgroup too. */
export function isSkeletal(node: Node, skeleton: Skeleton): boolean {
  return skeleton.has(node) || isBarrier(node) || node.kind === "jump";
}

/** A list on the way from the kernel to a node, with the node's place in it and the node that holds the list. */
interface Step {
  readonly list: readonly Node[];
  readonly index: number;
  readonly owner: ControlNode | null;
}

/** The control nodes that run once per workgroup. */
export function findSkeleton(kernel: Code): Skeleton {
  const skeleton = new Set<Node>();
  const jumps: { readonly jump: JumpNode; readonly path: readonly Step[] }[] = [];
  const owners = new Map<LabelId, ControlNode>();
  const visit = (list: readonly Node[], owner: ControlNode | null, path: readonly Step[]): boolean => {
    let hasBarrier = false;
    for (const [index, node] of list.entries()) {
      if (isBarrier(node)) hasBarrier = true;
      if (!isControl(node)) continue;
      const inner = [...path, { list, index, owner }];
      if (node.kind === "jump") jumps.push({ jump: node, path: inner });
      if (node.kind === "block" || node.kind === "switch" || node.kind === "loop") owners.set(node.label, node);
      if (node.kind === "loop") owners.set(node.continueLabel, node);
      let found = false;
      for (const child of listsOf(node)) found = visit(child, node, inner) || found;
      if (found) skeleton.add(node);
      hasBarrier ||= found;
    }
    return hasBarrier;
  };
  if (!visit(kernel.nodes, null, [])) return skeleton;
  // Each jump that must be taken by all makes more control flow so, until nothing changes.
  const agreed = new Set<Node>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const { jump, path } of jumps) {
      const target = owners.get(jump.label) ?? null;
      if (agreed.has(jump) || (target !== null && !skeleton.has(target))) continue;
      const from = path.findIndex(({ owner }) => owner === target);
      const inside = path.slice(from);
      if (!mustAgree(target, inside, (node) => skeleton.has(node) || agreed.has(node))) continue;
      agreed.add(jump);
      changed = true;
      for (const { owner } of inside.slice(1)) {
        if (owner !== null) skeleton.add(owner);
      }
    }
  }
  return skeleton;
}

/**
 * Whether a jump to `target` decides about a barrier: a loop may come to it again, or one follows, or something follows
 * that all must agree on.
 */
function mustAgree(target: ControlNode | null, inside: readonly Step[], isAgreed: (node: Node) => boolean): boolean {
  if (target?.kind === "loop") return true;
  for (const { list, index, owner } of inside) {
    if (owner !== target && owner?.kind === "loop" && isAgreed(owner)) return true;
    for (let next = index + 1; next < list.length; next++) {
      if (isAgreed(list[next]) || isBarrier(list[next])) return true;
    }
  }
  return false;
}

/** A kernel whose skeleton is left only by jumps that all invocations take. */
export interface Reconverged {
  readonly nodes: readonly Node[];
  readonly skeleton: Skeleton;
  readonly variables: readonly Variable[];
  readonly types: readonly Type[];
}

/**
 * Jumps out of the code of one invocation end at its end instead. What follows up to their target is skipped by those
 * that jumped: `switch u { case 1 { barrier; if l { break; } a } }` needs only a block around `if l { … } a`, but if
 * something follows in the function that `return` leaves, that stands under `if !left`.
 */
export function meetAgain(kernel: Code, skeleton: Skeleton): Reconverged {
  return new Rewriter(kernel, skeleton).run();
}

class Rewriter {
  readonly #kernel: Code;
  readonly #before: Skeleton;
  readonly #skeleton = new Set<Node>();
  readonly #variables: Variable[];
  readonly #types: Type[];
  readonly #flags = new Map<LabelId, VariableId>();
  #labels: number;

  constructor(kernel: Code, skeleton: Skeleton) {
    this.#kernel = kernel;
    this.#before = skeleton;
    this.#variables = [...kernel.variables];
    this.#types = [...kernel.types];
    this.#labels = largestLabel(kernel) + 1;
  }

  run(): Reconverged {
    const { label, nodes } = this.#kernel;
    const raised = new Set<LabelId>();
    const rewritten = this.#list(nodes, new Set([label]), raised);
    const before: Node[] = [];
    if (raised.has(label)) this.#setFlag(label, false, before);
    return {
      nodes: [...before, ...rewritten],
      skeleton: this.#skeleton,
      variables: this.#variables,
      types: this.#types,
    };
  }

  /** `ends`: the labels that the end of this list is the end of. `raised` gets the labels that some have jumped to. */
  #list(list: readonly Node[], ends: ReadonlySet<LabelId>, raised: Set<LabelId>): readonly Node[] {
    const out: Node[] = [];
    for (const [index, node] of list.entries()) {
      if (this.#before.has(node)) {
        const isLast = index === list.length - 1;
        const inner = new Set<LabelId>();
        const rewritten = this.#skeletal(node as ControlNode, isLast ? ends : new Set(), inner);
        const own = "label" in rewritten ? rewritten.label : null;
        if (own !== null && inner.delete(own)) this.#setFlag(own, false, out);
        out.push(rewritten);
        for (const label of inner) raised.add(label);
        if (inner.size === 0 || isLast) continue;
        out.push(...this.#unless([...inner], list.slice(index + 1), ends, raised));
        return out;
      }
      if (isControl(node) && node.kind !== "jump" && this.#escapes(node)) {
        out.push(this.#together(list.slice(index), ends, raised));
        return out;
      }
      out.push(node);
    }
    return out;
  }

  #skeletal(node: ControlNode, ends: ReadonlySet<LabelId>, raised: Set<LabelId>): ControlNode {
    const inside = (list: readonly Node[], labels: ReadonlySet<LabelId>) => this.#list(list, labels, raised);
    const rewritten = ((): ControlNode => {
      switch (node.kind) {
        case "if":
          return { ...node, whenTrue: inside(node.whenTrue, ends), whenFalse: inside(node.whenFalse, ends) };
        case "switch": {
          const labels = new Set([...ends, node.label]);
          return { ...node, clauses: node.clauses.map((clause) => ({ ...clause, body: inside(clause.body, labels) })) };
        }
        case "loop":
          return { ...node, body: inside(node.body, new Set()), continuing: inside(node.continuing, new Set()) };
        case "block":
          return { ...node, body: inside(node.body, new Set([...ends, node.label])) };
        case "jump":
          return node;
      }
    })();
    this.#skeleton.add(rewritten);
    return rewritten;
  }

  /** Whether a node of one invocation's code holds a jump out of it. */
  #escapes(node: ControlNode): boolean {
    const inside = new Set<LabelId>();
    const jumps = new Set<LabelId>();
    const visit = (each: Node): void => {
      if (!isControl(each)) return;
      if (each.kind === "jump") jumps.add(each.label);
      if (each.kind === "block" || each.kind === "switch" || each.kind === "loop") inside.add(each.label);
      if (each.kind === "loop") inside.add(each.continueLabel);
      for (const list of listsOf(each)) for (const inner of list) visit(inner);
    };
    visit(node);
    for (const label of jumps) if (!inside.has(label)) return true;
    return false;
  }

  /** The nodes in one block; those that jump go to its end. */
  #together(nodes: readonly Node[], ends: ReadonlySet<LabelId>, raised: Set<LabelId>): BlockNode {
    const label = this.#labels++;
    const redirect = (list: readonly Node[], inside: ReadonlySet<LabelId>): readonly Node[] =>
      list.flatMap((node): Node[] => {
        if (!isControl(node)) return [node];
        if (node.kind === "jump") {
          if (inside.has(node.label)) return [node];
          const before: Node[] = [];
          if (!ends.has(node.label)) {
            raised.add(node.label);
            this.#setFlag(node.label, true, before);
          }
          return [...before, { kind: "jump", label }];
        }
        const labels = new Set(inside);
        if (node.kind !== "if") labels.add(node.label);
        if (node.kind === "loop") labels.add(node.continueLabel);
        return [mapLists(node, (inner) => redirect(inner, labels))];
      });
    return { kind: "block", label, body: redirect(nodes, new Set()) };
  }

  /** What follows where some have jumped. */
  #unless(
    labels: readonly LabelId[],
    rest: readonly Node[],
    ends: ReadonlySet<LabelId>,
    raised: Set<LabelId>,
  ): readonly Node[] {
    const out: Node[] = [];
    let condition = this.#loadFlag(labels[0], out);
    for (const label of labels.slice(1)) {
      const right = this.#loadFlag(label, out);
      condition = this.#operation(out, BOOL, (base) => ({
        ...base,
        kind: "binary",
        operator: "|",
        left: condition,
        right,
      }));
    }
    const guarded: Node = { kind: "if", condition, whenTrue: [], whenFalse: rest };
    return this.#list([...out, guarded], ends, raised);
  }

  #flag(label: LabelId): VariableId {
    let flag = this.#flags.get(label);
    if (flag === undefined) {
      flag = this.#variables.length;
      this.#variables.push({ id: flag, name: "$left", type: BOOL });
      this.#flags.set(label, flag);
    }
    return flag;
  }

  #operation(
    out: Node[],
    type: Type,
    make: (base: { id: ValueId; type: Type; span: Code["span"] }) => Operation,
  ): ValueId {
    const id = this.#types.push(type) - 1;
    out.push(make({ id, type, span: this.#kernel.span }));
    return id;
  }

  #flagPointer(label: LabelId, out: Node[]): ValueId {
    const local = this.#flag(label);
    const type = pointerType("function", BOOL, "read_write");
    return this.#operation(out, type, (base) => ({ ...base, kind: "local", local }));
  }

  #setFlag(label: LabelId, value: boolean, out: Node[]): void {
    const pointer = this.#flagPointer(label, out);
    const constant = this.#operation(out, BOOL, (base) => ({ ...base, kind: "const", value: { type: BOOL, value } }));
    this.#operation(out, VOID, (base) => ({
      ...base,
      kind: "store",
      pointer,
      space: "function",
      root: null,
      size: 0,
      value: constant,
    }));
  }

  #loadFlag(label: LabelId, out: Node[]): ValueId {
    const pointer = this.#flagPointer(label, out);
    return this.#operation(out, BOOL, (base) => ({
      ...base,
      kind: "load",
      pointer,
      space: "function",
      root: null,
      size: 0,
    }));
  }
}

function largestLabel(kernel: Code): LabelId {
  let largest = kernel.label;
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (!isControl(node)) continue;
      if (node.kind === "block" || node.kind === "switch" || node.kind === "loop")
        largest = Math.max(largest, node.label);
      if (node.kind === "loop") largest = Math.max(largest, node.continueLabel);
      for (const list of listsOf(node)) visit(list);
    }
  };
  visit(kernel.nodes);
  return largest;
}
