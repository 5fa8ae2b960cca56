/**
 * Who came last: `if (atomicAdd(&n, 1u) == last) { atomicStore(&n, 0u); }`. The changes of one variable have one order, and
 * by the value of its own the invocation knows that all others stand before it. It may keep what it knows in a flag, tell
 * its workgroup, or have helpers for the one and the other.
 */
import type { BinaryInst, Block, FunctionId, Instruction, IrModule, RootId } from "../ir/ir.ts";
import { blocksOf } from "../ir/walk.ts";
import { type Flow, type NodeId, type ValueGraph, valueGraph } from "./value-graph.ts";

/** Variables whose count has to be a certain one for control to get to a place. */
type Counted = ReadonlySet<RootId>;

const NONE: Counted = new Set();

/** Atomic loads, stores and exchanges by whoever came last, by node of the value graph. */
export function accessesByTheLast(module: IrModule): ReadonlySet<NodeId> {
  return new Search(module).found;
}

class Search {
  readonly found = new Set<NodeId>();
  readonly #graph: ValueGraph;
  /** What all calls of a function stand under; callers come behind what they call. */
  readonly #calls = new Map<FunctionId, Counted>();
  /** What stores of constants stand under: flags are set so. */
  readonly #stores = new Map<NodeId, Counted>();
  /** Values that were asked about for one condition, true or false: in a loop they may be made of themselves. */
  readonly #asked = new Set<string>();

  constructor(module: IrModule) {
    this.#graph = valueGraph(module);
    // What a flag says is known when the stores to it are; what it leads to, then.
    for (let round = 0; round < 2; round++) {
      this.#calls.clear();
      for (const fn of module.functions.toReversed()) this.#block(fn.id, fn.body, this.#calls.get(fn.id) ?? NONE);
    }
  }

  /** With what the conditions say under which it is reached: those around it, and those that left before it. */
  #block(fn: FunctionId, block: Block, outer: Counted): void {
    let under = outer;
    for (const inst of block.instructions) {
      this.#visit(fn, inst, under);
      if (inst.kind !== "if") {
        for (const inner of blocksOf(inst)) this.#block(fn, inner, under);
        continue;
      }
      const condition = this.#graph.node(fn, inst.condition);
      const [yes, no] = [true, false].map((holds) => {
        this.#asked.clear();
        return both(under, this.#countedBy(condition, holds));
      });
      this.#block(fn, inst.then, yes);
      this.#block(fn, inst.otherwise, no);
      if (endsEarly(inst.then)) under = no;
      if (endsEarly(inst.otherwise)) under = yes;
    }
  }

  #visit(fn: FunctionId, inst: Instruction, under: Counted): void {
    const node = this.#graph.node(fn, inst.id);
    if (inst.kind === "atomic" && SETTING_BACK.has(inst.operation)) {
      if (inst.root !== null && under.has(inst.root)) this.found.add(node);
    } else if (inst.kind === "call") {
      const known = this.#calls.get(inst.function);
      this.#calls.set(inst.function, known === undefined ? under : common(known, under));
    } else if (inst.kind === "store" && this.#graph.constant(fn, inst.value) !== null) {
      this.#stores.set(node, under);
    }
  }

  /** What a condition says when it is true, or false. */
  #countedBy(condition: NodeId, isTrue: boolean): Counted {
    const inst = this.#graph.instructions[condition];
    if (inst?.kind === "unary" && inst.operator === "!")
      return this.#countedBy(this.#graph.into.of(condition)[0].node, !isTrue);
    return this.#whereIs(condition, (value) => (value !== 0) === isTrue);
  }

  /** What is known where a value is one that fits: numbers stand for themselves, 0 and 1 for what is false and true. */
  #whereIs(value: NodeId, fits: (value: number) => boolean): Counted {
    if (fits(0) === fits(1)) return NONE;
    const holds = fits(1);
    const question = `${value} ${holds}`;
    if (this.#asked.has(question)) return NONE;
    this.#asked.add(question);
    const { instructions } = this.#graph;
    const known = new Set<RootId>();
    const flags: Counted[] = [];
    for (const source of this.#sources(value, COPIES)) {
      const inst = instructions[source];
      if (inst?.kind === "binary") for (const root of this.#comparison(source, inst, holds)) known.add(root);
      else if (inst?.kind === "select") for (const root of this.#select(source, inst, fits)) known.add(root);
      else if (inst?.kind === "store") {
        const set = this.#graph.constant(this.#graph.functionOf(source), inst.value);
        if (set !== null && fits(set)) flags.push(this.#stores.get(source) ?? NONE);
      }
    }
    // Nobody has to have set what is so from the beginning.
    const isSet = holds && flags.length > 0;
    return isSet ? both(known, flags.reduce(common)) : known;
  }

  /** Down to what atomic functions give, and not to what the variable holds. */
  #sources(value: NodeId, flows: ReadonlySet<Flow>): ReadonlySet<NodeId> {
    const isEnd = (at: NodeId) => this.#graph.instructions[at]?.kind === "atomic";
    return isEnd(value) ? new Set([value]) : this.#graph.sources(value, flows, isEnd);
  }

  #select(node: NodeId, inst: Extract<Instruction, { kind: "select" }>, fits: (value: number) => boolean): Counted {
    const fn = this.#graph.functionOf(node);
    const [yes, no] = [inst.ifTrue, inst.ifFalse].map((arm) => this.#graph.constant(fn, arm));
    if (yes === null || no === null || fits(yes) === fits(no)) return NONE;
    return this.#countedBy(this.#graph.node(fn, inst.condition), fits(yes));
  }

  #comparison(node: NodeId, { operator, left, right }: BinaryInst, holds: boolean): Counted {
    if (!isRelation(operator)) return NONE;
    const wanted = holds ? operator : RELATIONS[operator].denied;
    const fn = this.#graph.functionOf(node);
    const sides = [
      { side: left, other: right, relation: wanted },
      { side: right, other: left, relation: RELATIONS[wanted].mirrored },
    ];
    const known = sides.map(({ side, other, relation }) => {
      const at = this.#graph.node(fn, side);
      const constant = this.#graph.constant(fn, other);
      const isSo = (value: number) => RELATIONS[relation].isSo(value, constant!);
      return both(this.#counts(at, relation), constant === null ? NONE : this.#whereIs(at, isSo));
    });
    return known.reduce(both);
  }

  /** Variables of which the value is what an addition gave, or that and a number more, where it says that all are through. */
  #counts(value: NodeId, relation: Relation): Counted {
    const { instructions } = this.#graph;
    const roots = [...this.#sources(value, SUMS)].flatMap((node) => {
      const inst = instructions[node];
      if (inst?.kind !== "atomic" || inst.root === null) return [];
      return ENDS.get(inst.operation)?.includes(relation) === true ? [inst.root] : [];
    });
    return new Set(roots);
  }
}

const COPIES: ReadonlySet<Flow> = new Set(["copy"]);
const SUMS: ReadonlySet<Flow> = new Set(["copy", "add", "minus", "compute"]);

type Relation = "==" | "!=" | "<" | "<=" | ">" | ">=";

interface Comparing {
  readonly denied: Relation;
  readonly mirrored: Relation;
  readonly isSo: (value: number, other: number) => boolean;
}

const RELATIONS: Readonly<Record<Relation, Comparing>> = {
  "==": { denied: "!=", mirrored: "==", isSo: (value, other) => value === other },
  "!=": { denied: "==", mirrored: "!=", isSo: (value, other) => value !== other },
  "<": { denied: ">=", mirrored: ">", isSo: (value, other) => value < other },
  "<=": { denied: ">", mirrored: ">=", isSo: (value, other) => value <= other },
  ">": { denied: "<=", mirrored: "<", isSo: (value, other) => value > other },
  ">=": { denied: "<", mirrored: "<=", isSo: (value, other) => value >= other },
};

function isRelation(operator: string): operator is Relation {
  return Object.hasOwn(RELATIONS, operator);
}

const SETTING_BACK: ReadonlySet<string> = new Set(["store", "exchange", "load"]);

/** By operation: how the count of who comes last stands to a number. */
const ENDS: ReadonlyMap<string, readonly Relation[]> = new Map([
  ["add", ["==", ">", ">="]],
  ["sub", ["==", "<", "<="]],
]);

function both(a: Counted, b: Counted): Counted {
  return a.size === 0 ? b : b.size === 0 ? a : new Set([...a, ...b]);
}

function common(a: Counted, b: Counted): Counted {
  return new Set([...a].filter((root) => b.has(root)));
}

function endsEarly(block: Block): boolean {
  const last = block.instructions.at(-1)?.kind;
  return last === "return" || last === "break" || last === "continue";
}
