/**
 * Memory that the invocations of a workgroup share, used without races: between two barriers an array is either one
 * element for each invocation to read and write, or all of it for all to read. Counters likewise: updates of which any
 * order gives the same, or reads, or one invocation alone.
 */
import type { Choice } from "./choice.ts";
import type { Expressions } from "./expressions.ts";
import { combine, raw } from "./places.ts";
import type { AtomicArray, AtomicKind, ModuleState, RandomFunction, Scope, Site, Turns } from "./scope.ts";
import { type Variable, variable } from "./scope.ts";
import type { Flow, Statements } from "./statements.ts";
import { binaryParts, block, type Expression, type Part, type Statement, statement } from "./tree.ts";
import { array, BOOL, I32, isInteger, type ScalarType, sameType, type Type, U32 } from "./types.ts";

export interface SharedArray {
  readonly name: string;
  readonly element: Type;
  readonly space: "workgroup" | "storage";
}

/** A variable that one invocation writes and `workgroupUniformLoad` reads. */
export interface Broadcast {
  readonly name: string;
  readonly type: ScalarType;
}

export interface SharedVariables {
  readonly arrays: readonly SharedArray[];
  readonly counters: readonly AtomicArray[];
  readonly broadcasts: readonly Broadcast[];
  readonly workgroupSize: number;
}

const UPDATES: Readonly<Record<AtomicKind, readonly string[]>> = {
  add: ["atomicAdd", "atomicSub"],
  max: ["atomicMax"],
  min: ["atomicMin"],
  or: ["atomicOr"],
  and: ["atomicAnd"],
  xor: ["atomicXor"],
};

export const ATOMIC_KINDS = Object.keys(UPDATES) as readonly AtomicKind[];

export function atomicUpdate(choice: Choice, target: AtomicArray, expressions: Expressions, site: Site): Statement {
  const value = expressions.make(target.type, site, 3);
  const parts = [
    `${choice.pick(UPDATES[target.kind])}(&${target.name}[`,
    ...slotOf(target, expressions, site, choice),
    "], ",
    value,
    ");",
  ];
  return statement("atomic", parts);
}

function slotOf(target: AtomicArray, expressions: Expressions, site: Site, choice: Choice): readonly Part[] {
  if (choice.once(2)) return [`${choice.int(0, target.count - 1)}`];
  return binaryParts("%", expressions.runtime(U32, site, 2), raw(U32, `${target.count}u`));
}

type CounterTurn = "update" | "read" | "single";

export class SharedMemory implements Turns {
  readonly #module: ModuleState;
  readonly #expressions: Expressions;
  readonly #statements: Statements;
  readonly #shared: SharedVariables;
  /** Arrays that everyone reads and nobody writes until the next barrier; of the others everyone has one element. */
  readonly #read = new Set<SharedArray>();
  readonly #turns = new Map<AtomicArray, CounterTurn>();

  constructor(module: ModuleState, expressions: Expressions, statements: Statements, shared: SharedVariables) {
    this.#module = module;
    this.#expressions = expressions;
    this.#statements = statements;
    this.#shared = shared;
  }

  get #choice(): Choice {
    return this.#module.choice;
  }

  variables = (): readonly Variable[] =>
    this.#shared.arrays.map((each) => {
      const { name, element, space } = each;
      const group = space === "storage" ? `${name}[group]` : name;
      if (this.#read.has(each)) {
        const type = array(element, this.#shared.workgroupSize);
        return variable(name, type, space, { text: group, isMutable: false, hasAddress: false });
      }
      const own = { text: `${group}[lane]`, isMutable: true, hasAddress: true };
      return variable(name, element, space, own);
    });

  /** A pointer to one's own element is of no use while everyone reads. */
  allows = ({ root }: Variable): boolean => ![...this.#read].some((each) => each.name === root);

  /** Back to what is allowed at the start of every block: own elements, updates of counters. */
  meet(): readonly Statement[] {
    const spaces = new Set([...this.#read].map((each) => each.space));
    for (const [counter, turn] of this.#turns) if (turn !== "update") spaces.add(counter.space);
    this.#read.clear();
    this.#turns.clear();
    return [...spaces].map(barrierOf);
  }

  statement(scope: Scope, flow: Flow): readonly Statement[] {
    const helpers = this.#helpers(flow);
    const { counters, broadcasts } = this.#shared;
    return this.#choice.weighted<() => readonly Statement[]>(
      [5, () => this.#barrier()],
      [2, () => this.#uniformLet(scope, flow)],
      [2, () => this.#uniformVariable(scope, flow)],
      [broadcasts.length > 0 ? 2 : 0, () => this.#broadcast(scope, flow)],
      [1, () => this.#loadTogether(scope)],
      [counters.length > 0 ? 4 : 0, () => this.#counter(scope, flow)],
      [6, () => [...this.meet(), ...this.#statements.uniformCompound(scope, flow)]],
      [helpers.length > 0 ? 4 : 0, () => this.#call(this.#choice.pick(helpers), scope, flow)],
    )();
  }

  #barrier(): readonly Statement[] {
    const space = this.#choice.pick(["workgroup", "workgroup", "storage"] as const);
    for (const each of this.#shared.arrays) {
      if (each.space !== space) continue;
      if (this.#choice.once(2)) this.#read.add(each);
      else this.#read.delete(each);
    }
    for (const each of this.#shared.counters) {
      if (each.space === space) this.#turns.set(each, this.#choice.pick(["update", "read", "single"] as const));
    }
    return [barrierOf(space)];
  }

  #uniform(type: Type, scope: Scope, flow: Flow): Expression {
    return this.#expressions.stored(type, this.#statements.site(scope, flow, true), 3);
  }

  #uniformLet(scope: Scope, flow: Flow): readonly Statement[] {
    const type = this.#choice.pick([I32, U32, BOOL]);
    const name = this.#module.fresh("u");
    const value = this.#uniform(type, scope, flow);
    scope.declare(variable(name, type, "value", { isUniform: true }));
    return [statement("let", [`let ${name} = `, value, ";"], { declares: name })];
  }

  /** Declares a variable that only ever holds uniform values, or assigns to one. */
  #uniformVariable(scope: Scope, flow: Flow): readonly Statement[] {
    const known = scope
      .visible()
      .filter((each) => each.isUniform && each.space === "function" && each.name.startsWith("m"));
    if (known.length > 0 && this.#choice.once(2)) {
      const { name, type } = this.#choice.pick(known);
      return [statement("assignment", [`${name} = `, this.#uniform(type, scope, flow), ";"])];
    }
    const type = this.#choice.pick([I32, U32, BOOL]);
    const name = this.#module.fresh("m");
    const value = this.#uniform(type, scope, flow);
    scope.declare(variable(name, type, "function", { isUniform: true, isMutable: false, hasAddress: false }));
    return [statement("variable", [`var ${name} = `, value, ";"], { declares: name })];
  }

  /** One invocation says something to all. */
  #broadcast(scope: Scope, flow: Flow): readonly Statement[] {
    const { name: target, type } = this.#choice.pick(this.#shared.broadcasts);
    const value = this.#expressions.stored(type, this.#statements.site(scope, flow), 3);
    const writes = statement("if", ["if lane == 0u ", block([statement("assignment", [`${target} = `, value, ";"])])]);
    const name = this.#module.fresh("u");
    scope.declare(variable(name, type, "value", { isUniform: true }));
    return [writes, statement("let", [`let ${name} = workgroupUniformLoad(&${target});`], { declares: name })];
  }

  /** `workgroupUniformLoad` of an element: ordered by itself with all accesses around it. */
  #loadTogether(scope: Scope): readonly Statement[] {
    const arrays = this.#shared.arrays.filter((each) => each.space === "workgroup" && each.element.kind === "scalar");
    const counters = this.#shared.counters.filter((each) => each.space === "workgroup");
    const choices = [
      ...arrays.map(({ name, element }) => ({ name, type: element, count: this.#shared.workgroupSize })),
      ...counters,
    ];
    if (choices.length === 0) return this.#barrier();
    const { name: target, type, count } = this.#choice.pick(choices);
    const name = this.#module.fresh("u");
    scope.declare(variable(name, type, "value", { isUniform: true }));
    const load = `let ${name} = workgroupUniformLoad(&${target}[${this.#choice.int(0, count - 1)}]);`;
    return [statement("let", [load], { declares: name })];
  }

  #counter(scope: Scope, flow: Flow): readonly Statement[] {
    const target = this.#choice.pick(this.#shared.counters);
    const site = this.#statements.site(scope, flow);
    const turn = this.#turns.get(target) ?? "update";
    if (turn === "update") {
      const update = atomicUpdate(this.#choice, target, this.#expressions, site);
      if (this.#choice.once(2)) return [update];
      const condition = this.#expressions.runtime(BOOL, site, 2);
      return [statement("if", ["if ", condition, " ", block([update])])];
    }
    const slot = slotOf(target, this.#expressions, site, this.#choice);
    if (turn === "read") {
      const name = this.#module.fresh("k");
      scope.declare(variable(name, target.type, "value"));
      return [statement("let", [`let ${name} = atomicLoad(&${target.name}[`, ...slot, "]);"], { declares: name })];
    }
    return [statement("if", ["if lane == 0u ", block([this.#alone(target, slot, site)])])];
  }

  /** What one invocation does with a counter while no other touches it: what it gets back is certain. */
  #alone(target: AtomicArray, slot: readonly Part[], site: Site): Statement {
    const value = this.#expressions.make(target.type, site, 2);
    const place = [`(&${target.name}[`, ...slot, "]"];
    const word = (parts: readonly Part[]) =>
      this.#statements.word(target.type, () => combine(target.type, "primary", parts));
    return this.#choice.weighted<() => Statement>(
      [1, () => statement("atomic", ["atomicStore", ...place, ", ", value, ");"])],
      [1, () => statement("assignment", ["out[base] = ", word(["atomicExchange", ...place, ", ", value, ")"]), ";"])],
      [1, () => statement("assignment", ["out[base] = ", word(["atomicAdd", ...place, ", ", value, ")"]), ";"])],
    )();
  }

  #helpers({ times }: Flow): readonly RandomFunction[] {
    return this.#module.functions.filter((each) => each.hasBarrier && this.#module.affords(each, times));
  }

  /** A helper with barriers: alone, in an operand, to the right of `&&`, in a condition. */
  #call(helper: RandomFunction, scope: Scope, flow: Flow): readonly Statement[] {
    const before = this.meet();
    const site = this.#statements.site(scope, flow);
    const call = this.#expressions.callOf(helper, site, 2);
    if (call === null) return before;
    const { returns } = helper;
    if (returns === null) return [...before, statement("call", [...call, ";"])];
    const value = { ...combine(returns, "primary", call), isConst: false, isUniform: false };
    const name = this.#module.fresh("k");
    const declare = (parts: readonly Part[]) => {
      scope.declare(variable(name, returns, "value"));
      return [...before, statement("let", [`let ${name} = `, ...parts, ";"], { declares: name })];
    };
    if (sameType(returns, BOOL)) {
      const left = this.#expressions.runtime(BOOL, { ...site, uniform: true }, 2);
      return declare(binaryParts(this.#choice.pick(["&&", "||"]), left, value));
    }
    if (!isInteger(returns) || this.#choice.once(2)) return declare([value]);
    const left = this.#expressions.runtime(returns, site, 2);
    return declare(binaryParts(this.#choice.pick(["+", "*", "^"]), left, value));
  }
}

function barrierOf(space: "workgroup" | "storage"): Statement {
  return statement("barrier", [`${space}Barrier();`], { isNeeded: true });
}
