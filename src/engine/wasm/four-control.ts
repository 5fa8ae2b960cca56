/**
 * Control flow of four invocations at once. Where not all take the same way a mask says who is there: what they store is
 * theirs alone, the others keep what they have, and nobody goes where nobody is. Those that jump to the end of a block or
 * a loop wait there, in a mask of its own, until the rest has come.
 *
 * Outside of all that the mask has all four, so that it is right on every way.
 */
import type { AtOnceControl, Emitter } from "./emitter.ts";
import type { Expr } from "./expression.ts";
import { isFour } from "./four.ts";
import { Scopes } from "./four-scopes.ts";
import { OP } from "./instructions.ts";
import type { AtOnce } from "./simd.ts";
import {
  type ControlNode,
  eachNode,
  type IfNode,
  type LabelId,
  type LoopNode,
  type Node,
  type VariableId,
} from "./tree.ts";

export class FourControl implements AtOnceControl {
  readonly varying: ReadonlySet<VariableId>;
  readonly #e: Emitter;
  readonly #plan: AtOnce;
  readonly #scopes = new Scopes();
  /** Local of the mask; -1: all are always there. */
  readonly #mask: number;
  /** Locals with those that wait at an end. */
  readonly #waiting = new Map<LabelId, number>();

  constructor(e: Emitter, plan: AtOnce) {
    this.#e = e;
    this.#plan = plan;
    this.varying = plan.varying;
    this.#mask = plan.divides ? e.fourLocal("v128") : -1;
    if (this.#mask >= 0) this.#set(this.#mask, this.#all());
  }

  // -------------------------------------------------------------- masks

  #all(): Expr {
    return this.#e.x.fours.mask(this.#e.x.i32(1));
  }

  #none(): Expr {
    return this.#e.x.fours.mask(this.#e.x.i32(0));
  }

  /** What the local holds now. */
  #get(local: number): Expr {
    return this.#e.x.local(local, "b32x4", 0, 1);
  }

  #set(local: number, mask: Expr): void {
    this.#e.write(this.#e.x.fours.mask(mask));
    this.#e.setLocal(local);
  }

  #and(a: Expr, b: Expr): Expr {
    return this.#e.x.binary(OP.i32_and, "i32", a, b);
  }

  #or(a: Expr, b: Expr): Expr {
    return this.#e.x.binary(OP.i32_or, "i32", a, b);
  }

  #any(mask: Expr): Expr {
    return this.#e.x.node(OP.v128_any_true, "i32", [this.#e.x.fours.mask(mask)], 0, 0, 1, null);
  }

  #copy(mask: Expr): Expr {
    const local = this.#e.locals.allocate("v128");
    this.#set(local, mask);
    return this.#get(local);
  }

  get mask(): Expr | null {
    return this.#scopes.some ? this.#get(this.#mask) : null;
  }

  assigned(value: Expr, old: Expr): Expr {
    const { mask } = this;
    return mask === null ? value : this.#e.x.select(mask, value, old);
  }

  // -------------------------------------------------------------- control flow

  control(node: ControlNode): boolean {
    switch (node.kind) {
      case "if":
        return this.#if(node);
      case "switch":
        return this.#meeting(node.label, () =>
          this.#e.switch(
            node,
            node.clauses.map(
              ({ body }) =>
                () =>
                  this.#e.nodes(body),
            ),
          ),
        );
      case "block":
        return this.#meeting(node.label, () => {
          this.#e.block(node, () => this.#e.nodes(node.body));
          return true;
        });
      case "loop":
        this.#loop(node);
        return true;
      case "jump":
        return this.#jump(node.label);
    }
  }

  /** What ends at the label: there those that wait join the rest. */
  #meeting(label: LabelId, emit: () => boolean, left = false): boolean {
    this.#open(label);
    const scope = this.#scopes.enter(label, left);
    const reachable = emit();
    this.#scopes.leave();
    if (!scope.left) return reachable;
    this.#join(label);
    return true;
  }

  #open(label: LabelId): void {
    if (!this.#plan.meetings.has(label)) return;
    const local = this.#waiting.get(label) ?? this.#e.fourLocal("v128");
    this.#waiting.set(label, local);
    this.#set(local, this.#none());
  }

  #join(label: LabelId): void {
    const local = this.#waiting.get(label);
    if (local !== undefined) this.#set(this.#mask, this.#or(this.#get(this.#mask), this.#get(local)));
  }

  #jump(label: LabelId): boolean {
    if (!this.#scopes.someOf(label)) {
      this.#e.jump(label);
      return false;
    }
    this.#e.flush();
    this.#wait(label, this.#get(this.#mask));
    this.#set(this.#mask, this.#none());
    return true;
  }

  /** They go to the end and wait there. */
  #wait(label: LabelId, mask: Expr): void {
    const local = this.#waiting.get(label)!;
    this.#set(local, this.#or(this.#get(local), mask));
    this.#scopes.jump(label);
  }

  #if(node: IfNode): boolean {
    const e = this.#e;
    const { whenTrue, whenFalse } = node;
    const condition = e.scalar(node.condition);
    const emit = { whenTrue: () => e.nodes(whenTrue), whenFalse: () => e.nodes(whenFalse) };
    if (!isFour(condition.type)) {
      return e.choose(node, condition, [whenTrue.length === 0, whenFalse.length === 0], emit, (label) => {
        return !this.#scopes.someOf(label);
      });
    }
    const kept = e.keep(e.x.fours.mask(condition));
    e.flush();
    const before = this.#scopes.some ? this.#copy(this.#get(this.#mask)) : null;
    const among = (mask: Expr): Expr => (before === null ? mask : this.#and(before, mask));
    const [yes, no] = [among(kept), among(e.x.not(kept))];
    const only = (nodes: readonly Node[], others: readonly Node[]): LabelId | null =>
      nodes.length === 1 && nodes[0].kind === "jump" && others.length === 0 ? nodes[0].label : null;
    const [leaveIf, leaveUnless] = [only(whenTrue, whenFalse), only(whenFalse, whenTrue)];
    if (leaveIf !== null) this.#leave(leaveIf, yes, no);
    else if (leaveUnless !== null) this.#leave(leaveUnless, no, yes);
    else this.#divide(node, yes, no, before);
    return true;
  }

  /** Some jump, the others go on. */
  #leave(label: LabelId, leaving: Expr, staying: Expr): void {
    this.#scopes.inChoice(() => this.#wait(label, leaving));
    this.#set(this.#mask, staying);
    this.#skip();
  }

  /** Each of the ways, for those that take it. `before`: who came; null: all. */
  #divide(node: IfNode, yes: Expr, no: Expr, before: Expr | null): void {
    const hasLeft = (nodes: readonly Node[], mask: Expr): boolean => {
      if (nodes.length === 0) return false;
      this.#set(this.#mask, mask);
      this.#scopes.inChoice(() =>
        this.#e.choose(node, this.#any(this.#get(this.#mask)), [false, true], {
          whenTrue: () => this.#e.nodes(nodes),
          whenFalse: () => true,
        }),
      );
      return jumpsOut(nodes);
    };
    const first = hasLeft(node.whenTrue, yes);
    const stillThere = first ? this.#copy(this.#get(this.#mask)) : yes;
    const second = hasLeft(node.whenFalse, no);
    const others = second ? this.#get(this.#mask) : no;
    if (!first && !second) this.#set(this.#mask, before ?? this.#all());
    else {
      this.#set(this.#mask, this.#or(stillThere, others));
      this.#skip();
    }
  }

  /** Where nobody is left, to the next end that somebody may wait at; not past the other way of a choice. */
  #skip(): void {
    const e = this.#e;
    const next = this.#scopes.around.find(({ label, left }) => left || e.isOpen(label));
    if (next === undefined || next.choices > 0 || !e.isOpen(next.label)) return;
    e.branchIf(e.x.not(this.#any(this.#get(this.#mask))), next.label);
  }

  #loop(node: LoopNode): void {
    const e = this.#e;
    const isLeft = this.#plan.leftBySome.has(node);
    this.#meeting(
      node.label,
      () => {
        let inRound = { left: false };
        const body = (): boolean => {
          this.#open(node.continueLabel);
          inRound = this.#scopes.enter(node.continueLabel);
          const reachable = e.nodes(node.body);
          this.#scopes.leave();
          return reachable;
        };
        const continuing = (): boolean => {
          if (inRound.left) this.#join(node.continueLabel);
          return e.nodes(node.continuing);
        };
        e.loop(node, body, continuing, isLeft ? () => this.#goesOn(node) : null);
        return true;
      },
      isLeft,
    );
  }

  /** Whether anybody goes round once more. */
  #goesOn({ breakIf, label }: LoopNode): Expr {
    const e = this.#e;
    const there = (): Expr => this.#any(this.#get(this.#mask));
    if (breakIf === null) return there();
    const condition = e.scalar(breakIf);
    if (!isFour(condition.type)) return e.x.binary(OP.i32_and, "i32", e.x.not(condition), there());
    const ends = e.keep(e.x.fours.mask(condition));
    this.#wait(label, this.#and(this.#get(this.#mask), ends));
    this.#set(this.#mask, this.#and(this.#get(this.#mask), e.x.not(ends)));
    return there();
  }
}

/** Whether some that go into the nodes may not come out at their end. */
function jumpsOut(nodes: readonly Node[]): boolean {
  const inside = new Set<LabelId>();
  const targets = new Set<LabelId>();
  eachNode(nodes, (node) => {
    if (node.kind === "jump") targets.add(node.label);
    else if (node.kind === "block" || node.kind === "switch" || node.kind === "loop") inside.add(node.label);
    if (node.kind === "loop") inside.add(node.continueLabel);
  });
  return [...targets].some((label) => !inside.has(label));
}
