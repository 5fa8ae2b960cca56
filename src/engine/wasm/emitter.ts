/**
 * Emits the code of one function: operations as expressions, control flow as WebAssembly's blocks. Values used once are
 * kept back until they are used, so that they need no local; variables are locals whose contents are followed as far as
 * control flow allows, for ranges.
 */
import type { FunctionId, RootId } from "../../ir/ir.ts";
import { isSameSpan, type Span } from "../../text/source.ts";
import type { Type } from "../../types/type.ts";
import type { ConstValue } from "../../types/value.ts";
import { ByteWriter, type Position } from "./encoder.ts";
import type { Environment } from "./environment.ts";
import {
  type Expr,
  Expressions,
  isCheap,
  isConstant,
  mentions,
  writeExpr,
  writeMemoryImmediate,
} from "./expression.ts";
import { type ExprType, isFour, isWide, localType } from "./four.ts";
import { writeHalf } from "./four-code.ts";
import { type Induction, inductionOf, type Range } from "./induction.ts";
import { OP, type ScalarType, VALUE_TYPES, type ValueType } from "./instructions.ts";
import type { Library } from "./library.ts";
import { LocalAllocator } from "./locals.ts";
import { emitConstant, emitOperation } from "./operations.ts";
import { PARAMETER } from "./parameter-block.ts";
import { PART } from "./parts.ts";
import type { Pointers } from "./pointers.ts";
import { fourTypes, sizeOf, wasmTypes } from "./scalars.ts";
import type { Tallies } from "./tallies.ts";
import {
  type BlockNode,
  type ControlNode,
  eachNode,
  type IfNode,
  isControl,
  type LabelId,
  type LoopNode,
  type Node,
  type Operation,
  type SwitchNode,
  type ValueId,
  type Variable,
  type VariableId,
} from "./tree.ts";
import { mayUnroll } from "./unrolling.ts";
import { isLargeValue, type LargeValue, type Place, type Value } from "./values.ts";

export type Home =
  | { readonly kind: "locals"; readonly locals: readonly number[]; readonly content: Expr[] }
  | { readonly kind: "memory"; readonly place: () => Place };

/** What differs between the kernel and the functions that it calls. */
export interface Surroundings {
  readonly name: string;
  rootPlace(root: RootId): Place;
  /** Element count of the root's runtime-sized array. */
  rootLength(root: RootId): Expr;
  scratch(): Expr;
  constants(): Expr;
  /** Address of the parameter block. */
  parameters(): Expr;
  /** Local index of the invocation that runs. */
  lane(): Expr;
  /** A number that lies in a local; null where it does not. */
  wideConstant(value: number): Expr | null;
  /** The same for f32. */
  narrowConstant(value: number): Expr | null;
  /** Before a call: what the function finds in globals. */
  beforeCall(callee: FunctionId): void;
}

/** What is different where code is emitted for four invocations at once. */
export interface AtOnceControl {
  /** Variables whose values differ between them. */
  readonly varying: ReadonlySet<VariableId>;
  /** Those that are there; null: all. */
  readonly mask: Expr | null;
  /** Whether control may run off the end. */
  control(node: ControlNode): boolean;
  /** What a variable holds after some have stored to it. */
  assigned(value: Expr, old: Expr): Expr;
}

export interface EmitterInput {
  readonly environment: Environment;
  readonly types: readonly Type[];
  readonly variables: readonly Variable[];
  readonly operations: ReadonlyMap<ValueId, Operation>;
  readonly pointers: Pointers;
  readonly uses: Uint32Array;
  /** See `neededScalars`. */
  readonly needed: ReadonlyMap<ValueId, readonly boolean[]>;
  readonly memoryVariables: ReadonlySet<VariableId>;
  /** Those of them that never change. */
  readonly constants: ReadonlyMap<VariableId, ConstValue>;
  readonly parameters: readonly ValueType[];
}

const NO_INDUCTION: Induction = { ranges: new Map(), rounds: null, exact: null };

/** Loops that end by themselves after so many rounds, in all, need not look whether to stop. */
const SHORT_LOOPS = 2 ** 12;

export class Emitter {
  readonly x: Expressions = new Expressions((expr) => this.keep(expr));
  readonly out: ByteWriter = new ByteWriter(1024);
  readonly locals: LocalAllocator;
  readonly environment: Environment;
  readonly input: EmitterInput;
  readonly values: (Value | undefined)[] = [];
  homes = new Map<VariableId, Home>();
  readonly positions: Position[] = [];
  /**
   * By their numbers, sums of something that is the same for all invocations, of what differs, and of constants: addresses
   * are computed from the parts, so that less is left to do for each invocation. No sum is larger than a u32 can be.
   */
  readonly sums = new Map<number, readonly Expr[]>();
  /** Values that exist already where the nodes that hold their operations are emitted. */
  done: ReadonlySet<ValueId> = new Set();
  /** Values that must be in locals as soon as they are computed. */
  eager: ReadonlySet<ValueId> = new Set();
  /** Called when a value of `eager` is computed. */
  onEager: (id: ValueId) => void = () => {};
  /** The block farthest out, by its depth, that something has jumped out of since this was set. */
  outermost = Number.POSITIVE_INFINITY;
  surroundings!: Surroundings;
  /** null: what is counted is counted in memory. */
  tallies: Tallies | null = null;
  /** null: one invocation at a time. */
  #four: AtOnceControl | null = null;
  readonly #pending = new Map<ValueId, Expr>();
  readonly #variableLocals = new Set<number>();
  readonly #labels: (LabelId | null)[] = [];
  readonly #areas = new Map<ValueId, Place>();
  /** Locals that code for four invocations had for the whole of it, by type, and those that it has now. */
  readonly #fourFree = new Map<ValueType, number[]>();
  #fourTaken: { readonly type: ValueType; readonly local: number }[] = [];
  readonly #facts = new Map<Node, NodeFacts>();
  #fuel = -1;
  /** Labels that code which was emitted jumps to: what conditions exclude is not. */
  readonly #taken = new Set<LabelId>();
  /** Rounds of the short loops around. */
  #rounds = 1;
  /** In a loop that is unrolled, which has counted those inside of it. */
  #isNested = false;

  constructor(input: EmitterInput) {
    this.input = input;
    this.environment = input.environment;
    this.locals = new LocalAllocator(input.parameters);
  }

  get library(): Library {
    return this.environment.library;
  }

  // -------------------------------------------------------------- values

  /** Whether the expression may stand for its value however often and late. */
  #isStable(expr: Expr): boolean {
    return isCheap(expr) && !(expr.op === OP.local_get && this.#variableLocals.has(expr.value));
  }

  write(expr: Expr): void {
    writeExpr(this.out, expr);
  }

  /** The same value, free to be used again. */
  keep(expr: Expr): Expr {
    if (this.#isStable(expr)) return expr;
    if (isWide(expr.type)) return this.#keepHalves(expr);
    const local = this.locals.allocate(localType(expr.type));
    this.write(expr);
    this.setLocal(local);
    return this.#localOf(local, expr);
  }

  #keepHalves(expr: Expr): Expr {
    const halves = ([0, 1] as const).map((half) => {
      const local = this.locals.allocate("v128");
      writeHalf(this.out, expr, half, writeExpr);
      this.setLocal(local);
      return this.x.local(local, "i32x4");
    });
    return this.x.halves(halves, expr);
  }

  #localOf(local: number, source: Expr): Expr {
    const { linear } = source;
    return this.x.localOf(local, source, linear === null ? null : { ...linear, first: this.keep(linear.first) });
  }

  /** What `sums` says of the value, or the value alone. */
  partsOf(value: Expr): readonly Expr[] {
    return this.sums.get(value.number) ?? [value];
  }

  wideConstant(value: number): Expr | null {
    return this.surroundings.wideConstant(value);
  }

  setLocal(local: number): void {
    this.out.byte(OP.local_set);
    this.out.unsigned(local);
  }

  branch(condition: Expr, type: ScalarType, whenTrue: () => Expr, whenFalse: () => Expr): Expr {
    // Lanes may need either.
    if (this.#four !== null) return this.keep(this.x.select(condition, this.keep(whenTrue()), this.keep(whenFalse())));
    const local = this.locals.allocate(type);
    this.write(condition);
    this.out.byte(OP.if);
    this.out.byte(VALUE_TYPES[type]);
    this.write(whenTrue());
    this.out.byte(OP.else);
    this.write(whenFalse());
    this.out.byte(OP.end);
    this.setLocal(local);
    return this.x.local(local, type);
  }

  /** Gives the value to all that use it. */
  define(id: ValueId, scalars: readonly Expr[]): void {
    const { uses } = this.input;
    if (scalars.length === 1 && uses[id] === 1 && !this.eager.has(id) && !this.#isStable(scalars[0])) {
      this.#pending.set(id, scalars[0]);
      return;
    }
    if (uses[id] === 0) return;
    this.values[id] = scalars.map((scalar) => this.keep(scalar));
    if (this.eager.has(id)) this.onEager(id);
  }

  defineLarge(id: ValueId, value: LargeValue): void {
    this.values[id] = value;
  }

  value(id: ValueId): Value {
    const pending = this.#pending.get(id);
    if (pending !== undefined) {
      this.#pending.delete(id);
      return [pending];
    }
    const value = this.values[id];
    if (value === undefined) throw new Error(`internal: no value %${id} in ‘${this.surroundings.name}’`);
    return value;
  }

  scalars(id: ValueId): readonly Expr[] {
    const value = this.value(id);
    if (isLargeValue(value)) throw new Error(`internal: %${id} lies in memory`);
    return value;
  }

  scalar(id: ValueId): Expr {
    return this.scalars(id)[0];
  }

  /** Constants exist from the start; they cost nothing until they are used. */
  constants(): void {
    for (const operation of this.input.operations.values()) {
      if (operation.kind === "const") emitConstant(this, operation.id, operation.value);
    }
  }

  /** Puts values that are kept back into locals. */
  flush(which: (expr: Expr) => boolean = () => true): void {
    for (const [id, expr] of this.#pending) {
      if (!which(expr)) continue;
      this.#pending.delete(id);
      this.values[id] = [this.keep(expr)];
    }
  }

  /** Before memory changes. */
  flushReads(): void {
    this.flush((expr) => expr.reads);
  }

  /** Where a large value lies that this function makes. */
  area(id: ValueId, type: Type, size: number): Place {
    let area = this.#areas.get(id);
    if (area === undefined) {
      area = { address: this.surroundings.scratch(), offset: this.environment.scratch.allocate(size) };
      this.#areas.set(id, area);
    }
    return area;
  }

  setArea(id: ValueId, place: Place): void {
    this.#areas.set(id, place);
  }

  /** Says that code which follows comes from there. */
  mark(span: Span): void {
    const last = this.positions.at(-1);
    if (last !== undefined && isSameSpan(last.span, span)) return;
    if (last?.offset === this.out.length) this.positions.pop();
    this.positions.push({ offset: this.out.length, span });
  }

  // -------------------------------------------------------------- variables

  home(variable: VariableId): Home {
    let home = this.homes.get(variable);
    if (home === undefined) {
      const { type } = this.input.variables[variable];
      const types = this.#four?.varying.has(variable) ? fourTypes(type) : wasmTypes(type);
      home = this.input.memoryVariables.has(variable) ? this.#memoryHome(variable) : this.localsHome(types);
      this.homes.set(variable, home);
    }
    return home;
  }

  /** The code that `emit` writes is for four invocations at once. */
  atOnce(control: AtOnceControl, emit: () => void): void {
    const { homes } = this;
    this.homes = new Map([...homes].filter(([id]) => !control.varying.has(id)));
    this.#four = control;
    emit();
    this.#four = null;
    this.homes = homes;
    for (const { type, local } of this.#fourTaken)
      this.#fourFree.set(type, [...(this.#fourFree.get(type) ?? []), local]);
    this.#fourTaken = [];
  }

  /** Whether the code is for four invocations. */
  get isAtOnce(): boolean {
    return this.#four !== null;
  }

  /** Of four invocations those that are there; null: all. */
  get mask(): Expr | null {
    return this.#four?.mask ?? null;
  }

  localsHome(types: readonly ExprType[]): Home {
    // For the whole function: what a scope allocates may be used for something else in the next round of a loop.
    const allocate = (type: ValueType) => (this.#four === null ? this.permanentLocal(type) : this.fourLocal(type));
    const locals = types.map((type) => allocate(localType(type)));
    for (const local of locals) this.#variableLocals.add(local);
    return { kind: "locals", locals, content: locals.map((local, index) => this.x.local(local, types[index])) };
  }

  /** For all of the code for four invocations that is emitted next, or now; it is nothing before it is set. */
  fourLocal(type: ValueType): number {
    const local = this.#fourFree.get(type)?.pop() ?? this.permanentLocal(type);
    this.#fourTaken.push({ type, local });
    return local;
  }

  permanentLocal(type: ValueType): number {
    return this.locals.allocatePermanent(type);
  }

  #memoryHome(variable: VariableId): Home {
    const { surroundings, environment } = this;
    const constant = this.input.constants.get(variable);
    if (constant !== undefined) {
      const place = (): Place => ({ address: surroundings.constants(), offset: environment.constants.add(constant) });
      return { kind: "memory", place };
    }
    const offset = environment.scratch.allocate(sizeOf(this.input.variables[variable].type));
    return { kind: "memory", place: () => ({ address: surroundings.scratch(), offset }) };
  }

  /** The variable's scalars from `first` on get new values. */
  assign(home: Extract<Home, { kind: "locals" }>, first: number, values: readonly Expr[]): void {
    const scalars = values.map((value, index) => {
      const old = home.content[first + index];
      if (!isFour(old.type)) return value;
      const fitting = this.x.fours.splat(value, old.type);
      return this.#four === null ? fitting : this.#four.assigned(fitting, old);
    });
    const written = new Set(home.locals.slice(first, first + scalars.length));
    this.flush((expr) => [...written].some((local) => mentions(expr, local)));
    // All are computed before the first one changes.
    const kept = scalars.length === 1 ? scalars : scalars.map((scalar) => this.#keepFrom(scalar, written));
    for (const [index, scalar] of kept.entries()) {
      const local = home.locals[first + index];
      this.write(scalar);
      this.setLocal(local);
      home.content[first + index] = this.#localOf(local, scalar);
    }
  }

  #keepFrom(scalar: Expr, written: ReadonlySet<number>): Expr {
    return [...written].some((local) => mentions(scalar, local)) ? this.keep(scalar) : scalar;
  }

  /** Nothing is known of the variables any more; `range` may know something. */
  #forget(
    variables: Iterable<VariableId>,
    range: (id: VariableId) => readonly [number, number] | null = () => null,
  ): void {
    for (const id of variables) {
      const home = this.homes.get(id);
      if (home?.kind !== "locals") continue;
      const [low, high] = range(id) ?? [0, 0xffffffff];
      for (const [index, { value, type }] of home.content.entries()) {
        home.content[index] = this.x.local(value, type, low, high);
      }
    }
  }

  #contents(variables: Iterable<VariableId>): Map<VariableId, Expr[]> {
    const contents = new Map<VariableId, Expr[]>();
    for (const id of variables) {
      const home = this.home(id);
      if (home.kind !== "locals") continue;
      const ranged = home.content.map((expr) => {
        const { low, high } = this.x.facts.range(expr);
        return this.x.ranged(expr, low, high);
      });
      contents.set(id, ranged);
    }
    return contents;
  }

  #restore(contents: ReadonlyMap<VariableId, readonly Expr[]>): void {
    for (const [id, content] of contents) {
      const home = this.homes.get(id);
      if (home?.kind === "locals") home.content.splice(0, content.length, ...content);
    }
  }

  /** What the variables hold where two ways meet. */
  #merge(a: ReadonlyMap<VariableId, readonly Expr[]>, b: ReadonlyMap<VariableId, readonly Expr[]>): void {
    for (const [id, content] of a) {
      const home = this.homes.get(id);
      if (home?.kind !== "locals") continue;
      const other = b.get(id)!;
      for (const [index, left] of content.entries()) {
        const right = other[index];
        const [low, high] = [Math.min(left.low, right.low), Math.max(left.high, right.high)];
        // The same value may have had a narrower range on either way.
        home.content[index] =
          left.number === right.number
            ? { ...left, low, high }
            : this.x.local(home.locals[index], left.type, low, high);
      }
    }
  }

  #factsOf(node: ControlNode): NodeFacts {
    let facts = this.#facts.get(node);
    if (facts === undefined) {
      facts = factsOfNode(node, this.input);
      this.#facts.set(node, facts);
    }
    return facts;
  }

  // -------------------------------------------------------------- control flow

  /** Whether control may run off the end. */
  nodes(list: readonly Node[]): boolean {
    for (const node of list) {
      if (!isControl(node)) {
        if (!this.done.has(node.id)) emitOperation(this, node);
      } else if (!this.#control(node)) return false;
    }
    return true;
  }

  #control(node: ControlNode): boolean {
    if (this.#four !== null) return this.#four.control(node);
    switch (node.kind) {
      case "if":
        return this.if(node, node.whenTrue.length === 0, node.whenFalse.length === 0, {
          whenTrue: () => this.nodes(node.whenTrue),
          whenFalse: () => this.nodes(node.whenFalse),
        });
      case "switch":
        return this.switch(
          node,
          node.clauses.map(
            ({ body }) =>
              () =>
                this.nodes(body),
          ),
        );
      case "loop":
        this.loop(
          node,
          () => this.nodes(node.body),
          () => this.nodes(node.continuing),
        );
        return true;
      case "block":
        this.block(node, () => this.nodes(node.body));
        return true;
      case "jump":
        this.jump(node.label);
        return false;
    }
  }

  jump(label: LabelId): void {
    this.flush();
    this.#taken.add(label);
    this.out.byte(OP.br);
    this.out.unsigned(this.#depth(label));
  }

  #depth(label: LabelId): number {
    const index = this.#labels.lastIndexOf(label);
    if (index < 0) throw new Error(`internal: no label ${label} in ‘${this.surroundings.name}’`);
    this.outermost = Math.min(this.outermost, index);
    return this.#labels.length - 1 - index;
  }

  open(op: number, label: LabelId | null): void {
    this.out.byte(op);
    this.out.byte(0x40);
    this.#labels.push(label);
  }

  close(): void {
    this.out.byte(OP.end);
    this.#labels.pop();
  }

  get depth(): number {
    return this.#labels.length;
  }

  /** Code with locals and facts of its own. */
  #scope(emit: () => boolean): boolean {
    this.locals.open();
    const reachable = emit();
    this.flush();
    this.locals.close();
    return reachable;
  }

  if(
    node: IfNode,
    thenIsEmpty: boolean,
    otherwiseIsEmpty: boolean,
    emit: { readonly whenTrue: () => boolean; readonly whenFalse: () => boolean },
  ): boolean {
    return this.choose(node, this.scalar(node.condition), [thenIsEmpty, otherwiseIsEmpty], emit);
  }

  /** `mayBranch`: whether a jump to the label is no more than a branch. */
  choose(
    node: IfNode,
    condition: Expr,
    [thenIsEmpty, otherwiseIsEmpty]: readonly [boolean, boolean],
    emit: { readonly whenTrue: () => boolean; readonly whenFalse: () => boolean },
    mayBranch: (label: LabelId) => boolean = () => true,
  ): boolean {
    if (isConstant(condition)) return condition.value !== 0 ? emit.whenTrue() : emit.whenFalse();
    this.flush();
    if (thenIsEmpty && otherwiseIsEmpty) return true;
    const { facts } = this.x;
    const { stored } = this.#factsOf(node);
    const only = thenIsEmpty ? node.whenFalse : otherwiseIsEmpty ? node.whenTrue : [];
    if (only.length === 1 && only[0].kind === "jump" && mayBranch(only[0].label)) {
      this.#taken.add(only[0].label);
      this.#branchIf(condition, !thenIsEmpty, this.#depth(only[0].label));
      this.x.assume(condition, thenIsEmpty);
      return true;
    }
    const before = this.#contents(stored);
    const mark = facts.mark();
    const branch = (truth: boolean): { reachable: boolean; contents: Map<VariableId, Expr[]> } => {
      this.#restore(before);
      this.x.assume(condition, truth);
      const reachable = this.#scope(truth ? emit.whenTrue : emit.whenFalse);
      const contents = this.#contents(stored);
      facts.reset(mark);
      return { reachable, contents };
    };
    const isOneSided = thenIsEmpty || otherwiseIsEmpty;
    if (isOneSided && isBoth(condition, otherwiseIsEmpty)) {
      this.open(OP.block, null);
      this.#branchIf(condition, thenIsEmpty, 0);
    } else {
      this.write(thenIsEmpty ? this.x.not(condition) : condition);
      this.open(OP.if, null);
    }
    const first = branch(!thenIsEmpty);
    let second: { reachable: boolean; contents: Map<VariableId, Expr[]> };
    if (isOneSided) {
      this.#restore(before);
      second = { reachable: true, contents: before };
    } else {
      this.out.byte(OP.else);
      second = branch(false);
    }
    this.close();
    if (first.reachable && second.reachable) this.#merge(first.contents, second.contents);
    else {
      this.#restore((first.reachable ? first : second).contents);
      // Only one way leads on.
      this.x.assume(condition, first.reachable === !thenIsEmpty);
    }
    return first.reachable || second.reachable;
  }

  branchIf(condition: Expr, label: LabelId): void {
    this.flush();
    this.#taken.add(label);
    this.#branchIf(condition, true, this.#depth(label));
  }

  isOpen(label: LabelId): boolean {
    return this.#labels.includes(label);
  }

  /** Branches where the condition has that value; its parts one by one, as comparisons and branches are one for a CPU. */
  #branchIf(condition: Expr, value: boolean, depth: number): void {
    if (condition.op === OP.i32_eqz) this.#branchIf(condition.args[0], !value, depth);
    else if (condition.op === (value ? OP.i32_or : OP.i32_and)) {
      for (const part of condition.args) this.#branchIf(part, value, depth);
    } else {
      this.write(value ? condition : this.x.not(condition));
      this.out.byte(OP.br_if);
      this.out.unsigned(depth);
    }
  }

  block(node: BlockNode, emit: () => boolean): void {
    const { stored, jumps } = this.#factsOf(node);
    const isPart = node.label === PART;
    if (!isPart && !jumps.has(node.label)) {
      emit();
      return;
    }
    this.flush();
    this.#contents(stored);
    const mark = this.x.facts.mark();
    if (!isPart) this.open(OP.block, node.label);
    this.#scope(emit);
    if (!isPart) this.close();
    this.x.facts.reset(mark);
    this.#forget(stored);
  }

  /** `goesOn`: whether there is another round, where that is not for `breakIf` to say; then rounds are not counted. */
  loop(node: LoopNode, body: () => boolean, continuing: () => boolean, goesOn: (() => Expr) | null = null): void {
    this.flush();
    const { stored, jumps } = this.#factsOf(node);
    const { facts } = this.x;
    const before = this.#contents(stored);
    const initial = (id: VariableId): Range | null => {
      const [content] = before.get(id) ?? [];
      return content === undefined ? null : facts.range(content);
    };
    const induction =
      goesOn === null ? inductionOf(node, this.input, initial, (id) => this.#knownRange(id)) : NO_INDUCTION;
    if (
      induction.exact !== null &&
      node.breakIf === null &&
      mayUnroll(node, induction.exact, this.#isNested, this.input)
    ) {
      this.#unrolled(node, induction.exact, body, continuing);
      return;
    }
    const rounds = this.#rounds;
    const isShort = induction.rounds !== null && rounds * induction.rounds <= SHORT_LOOPS;
    if (isShort) this.#rounds = rounds * induction.rounds!;
    const mark = facts.mark();
    this.open(OP.block, node.label);
    this.open(OP.loop, null);
    const head = this.#labels.length;
    this.#forget(stored, (id) => induction.ranges.get(id) ?? null);
    const atHead = facts.mark();
    this.locals.open();
    const hasContinue = jumps.has(node.continueLabel);
    if (hasContinue) this.open(OP.block, node.continueLabel);
    this.#taken.delete(node.continueLabel);
    const runsOff = body();
    this.flush();
    if (hasContinue) {
      this.close();
      facts.reset(atHead);
      this.#forget(this.#storedIn(node.body));
    }
    if (runsOff || this.#taken.has(node.continueLabel)) {
      continuing();
      const ends = node.breakIf === null || goesOn !== null ? null : this.scalar(node.breakIf);
      const condition = goesOn !== null ? goesOn() : ends === null ? null : this.x.not(ends);
      this.flush();
      if (!isShort) this.#checkFuel(node);
      if (condition !== null) this.write(condition);
      this.out.byte(condition === null ? OP.br : OP.br_if);
      this.out.unsigned(this.#labels.length - head);
    }
    this.locals.close();
    this.close();
    this.close();
    facts.reset(mark);
    this.#forget(stored);
    this.#rounds = rounds;
  }

  /** Round after round, with the counter a constant in each: its condition is decided here. */
  #unrolled(node: LoopNode, rounds: number, body: () => boolean, continuing: () => boolean): void {
    const { stored, jumps } = this.#factsOf(node);
    const hasContinue = jumps.has(node.continueLabel);
    const mark = this.x.facts.mark();
    const isNested = this.#isNested;
    this.#isNested = true;
    this.open(OP.block, node.label);
    let goesOn = true;
    for (let round = 0; goesOn; round++) {
      if (round > rounds) throw new Error("internal: a loop that does not end when unrolled");
      const atStart = this.x.facts.mark();
      this.locals.open();
      if (hasContinue) this.open(OP.block, node.continueLabel);
      this.#taken.delete(node.continueLabel);
      goesOn = body();
      this.flush();
      if (hasContinue) {
        this.close();
        this.x.facts.reset(atStart);
        this.#forget(this.#storedIn(node.body));
        goesOn ||= this.#taken.has(node.continueLabel) && round < rounds;
      }
      if (goesOn) continuing();
      this.flush();
      this.locals.close();
    }
    this.close();
    this.#isNested = isNested;
    this.x.facts.reset(mark);
    this.#forget(stored);
  }

  /** Range of a value that was computed before; null if it was not. */
  #knownRange(id: ValueId): Range | null {
    const value = this.values[id];
    if (value === undefined || isLargeValue(value)) return null;
    return this.x.facts.range(value[0]);
  }

  #storedIn(nodes: readonly Node[]): ReadonlySet<VariableId> {
    const stored = new Set<VariableId>();
    eachNode(nodes, (node) => {
      if (node.kind === "store") addStored(node, this.input, stored);
    });
    return stored;
  }

  /**
   * At the end of a round: every so many rounds the kernel looks whether it should stop. In place, as a call here would
   * take registers away from the loop.
   */
  #checkFuel(node: LoopNode): void {
    const { out, x } = this;
    const loop = this.environment.loops.push({ span: node.span, function: this.surroundings.name }) - 1;
    if (this.#fuel < 0) this.#fuel = this.permanentLocal("i32");
    const block = this.surroundings.parameters();
    const word = (offset: number): Expr => x.load(OP.i32_load, "i32", block, offset);
    const store = (offset: number, value: Expr): void => {
      this.write(block);
      this.write(value);
      out.byte(OP.i32_store);
      writeMemoryImmediate(out, OP.i32_store, offset);
    };
    this.write(x.binary(OP.i32_sub, "i32", x.local(this.#fuel, "i32"), x.i32(1)));
    out.byte(OP.local_tee);
    out.unsigned(this.#fuel);
    out.byte(OP.i32_const);
    out.signed(0);
    out.byte(OP.i32_le_s);
    this.open(OP.if, null);
    const load = this.environment.sharedMemory ? OP.i32_atomic_load : OP.i32_load;
    this.write(x.load(load, "i32", word(PARAMETER.abortFlag), 0));
    this.open(OP.if, null);
    store(PARAMETER.loop, x.i32(loop));
    store(PARAMETER.invocation, this.surroundings.lane());
    store(PARAMETER.status, x.i32(1));
    out.byte(OP.unreachable);
    this.close();
    this.write(word(PARAMETER.fuel));
    this.setLocal(this.#fuel);
    this.close();
  }

  switch(node: SwitchNode, bodies: readonly (() => boolean)[]): boolean {
    const selector = this.keep(this.scalar(node.selector));
    this.flush();
    const { stored, jumps } = this.#factsOf(node);
    const { facts } = this.x;
    const before = this.#contents(stored);
    const mark = facts.mark();
    this.open(OP.block, node.label);
    for (let i = 0; i < bodies.length; i++) this.open(OP.block, null);
    this.#dispatch(node, selector);
    let reachable = jumps.has(node.label) || !node.clauses.some((clause) => clause.isDefault);
    for (const body of bodies) {
      this.close();
      this.#restore(before);
      const runsOff = this.#scope(body);
      facts.reset(mark);
      reachable ||= runsOff;
      if (runsOff) {
        this.out.byte(OP.br);
        this.out.unsigned(this.#depth(node.label));
      }
    }
    this.close();
    this.#forget(stored);
    return reachable;
  }

  /** Branches to the clause's block: the innermost one is the first clause's. */
  #dispatch(node: SwitchNode, selector: Expr): void {
    const { out } = this;
    const targets = new Map<number, number>();
    for (const [index, { values }] of node.clauses.entries()) for (const value of values) targets.set(value | 0, index);
    const defaultClause = node.clauses.findIndex((clause) => clause.isDefault);
    const otherwise = defaultClause < 0 ? node.clauses.length : defaultClause;
    const values = [...targets.keys()];
    const [least, most] = [Math.min(...values), Math.max(...values)];
    if (values.length >= 4 && most - least < values.length * 4) {
      this.write(this.x.binary(OP.i32_sub, "i32", selector, this.x.i32(least)));
      out.byte(OP.br_table);
      out.unsigned(most - least + 1);
      for (let value = least; value <= most; value++) out.unsigned(targets.get(value) ?? otherwise);
      out.unsigned(otherwise);
      return;
    }
    for (const [value, target] of targets) {
      if (target === otherwise) continue;
      this.write(this.x.binary(OP.i32_eq, "i32", selector, this.x.i32(value)));
      out.byte(OP.br_if);
      out.unsigned(target);
    }
    out.byte(OP.br);
    out.unsigned(otherwise);
  }
}

/** A condition of two parts that both have to be as said for what it guards. */
function isBoth(condition: Expr, value: boolean): boolean {
  if (condition.op === OP.i32_eqz) return isBoth(condition.args[0], !value);
  return condition.op === (value ? OP.i32_and : OP.i32_or);
}

/** What is known of a control node from looking through it. */
interface NodeFacts {
  /** Variables in locals that something in it stores to. */
  readonly stored: ReadonlySet<VariableId>;
  readonly jumps: ReadonlySet<LabelId>;
}

function factsOfNode(node: ControlNode, input: EmitterInput): NodeFacts {
  const stored = new Set<VariableId>();
  const jumps = new Set<LabelId>();
  eachNode([node], (each) => {
    if (each.kind === "jump") jumps.add(each.label);
    else if (each.kind === "store") addStored(each, input, stored);
  });
  return { stored, jumps };
}

function addStored(store: Extract<Operation, { kind: "store" }>, input: EmitterInput, into: Set<VariableId>): void {
  const { base } = input.pointers[store.pointer]!;
  if (base.kind === "variable" && !input.memoryVariables.has(base.variable)) into.add(base.variable);
}
