/** What is in scope where a random program is being written. */
import type { Choice } from "./choice.ts";
import type { Expression, Statement } from "./tree.ts";
import type { Range, ScalarType, Type } from "./types.ts";

export type Space = "value" | "function" | "private" | "workgroup" | "storage" | "uniform";

export interface Variable {
  /** The name that its declaration gives. */
  readonly name: string;
  /** An expression for what it holds: `x`, `cells[id]`, `(*p)`. */
  readonly text: string;
  readonly type: Type;
  readonly space: Space;
  readonly isMutable: boolean;
  readonly isConst: boolean;
  readonly isUniform: boolean;
  /** `text` is `(*name)`: members and elements can do without the star. */
  readonly isPointer: boolean;
  /** Its address can be taken as a whole, or that of a part. */
  readonly hasAddress: boolean;
  /** The variable whose memory it is: of a pointer, what it points into. */
  readonly root: string;
  /** Instead of the number of elements, for arrays as long as their buffer. */
  readonly length: string | null;
}

export function variable(name: string, type: Type, space: Space, more: Partial<Variable> = {}): Variable {
  return {
    name,
    text: name,
    type,
    space,
    isMutable: space === "function" || space === "private",
    isConst: false,
    isUniform: false,
    isPointer: false,
    hasAddress: space === "function" || space === "private",
    root: name,
    length: null,
    ...more,
  };
}

export function pointerVariable(name: string, type: Type, space: Space, more: Partial<Variable> = {}): Variable {
  return variable(name, type, space, { text: `(*${name})`, isPointer: true, isMutable: true, ...more });
}

/** Says what may be accessed at the moment, in memory that invocations share. */
export interface Turns {
  /** What stands for shared memory now. */
  readonly variables: () => readonly Variable[];
  readonly allows: (variable: Variable) => boolean;
}

export class Scope {
  readonly parent: Scope | null;
  readonly #own: Variable[] = [];
  readonly #turns: Turns | null;
  /** Declarations here may hide those outside. */
  readonly hides: boolean;

  constructor(parent: Scope | null = null, turns: Turns | null = null, hides = parent !== null) {
    this.parent = parent;
    this.hides = hides;
    this.#turns = turns ?? parent?.turns ?? null;
  }

  get turns(): Turns | null {
    return this.#turns;
  }

  declare(...variables: readonly Variable[]): void {
    this.#own.push(...variables);
  }

  /** Declared here, not outside. */
  get own(): readonly Variable[] {
    return this.#own;
  }

  /** All that can be named here: a declaration hides those outside of the same name. */
  visible(): readonly Variable[] {
    const turns = this.#turns;
    if (turns === null) return this.#declared();
    return [...this.#declared().filter(turns.allows), ...turns.variables()];
  }

  #declared(): readonly Variable[] {
    if (this.parent === null) return this.#own;
    const names = new Set(this.#own.map((each) => each.name));
    return [...this.parent.#declared().filter((each) => !names.has(each.name)), ...this.#own];
  }
}

export interface Parameter {
  readonly name: string;
  readonly type: Type;
  /** Of a pointer: the address space. */
  readonly pointer: "function" | "private" | "workgroup" | null;
  /** The argument has to be uniform. */
  readonly isUniform: boolean;
}

export interface RandomFunction {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly returns: Type | null;
  readonly mustUse: boolean;
  /** Variables of the module that it or what it calls mentions. */
  readonly touches: ReadonlySet<string>;
  /** Roughly how many statements one call executes. */
  readonly cost: number;
  /** Called by all invocations of a workgroup or by none. */
  readonly hasBarrier: boolean;
}

/** Where an expression stands. */
export interface Site {
  readonly scope: Scope;
  /** How often this place is reached, at most, in one call of the function. */
  readonly times: number;
  /** Only what uniformity analysis takes for uniform. */
  readonly uniform: boolean;
  readonly callable: boolean;
}

/** Operations of which any order gives the same, as long as nothing else comes between. */
export type AtomicKind = "add" | "max" | "min" | "or" | "and" | "xor";

export interface AtomicArray {
  readonly name: string;
  readonly type: ScalarType;
  readonly count: number;
  readonly space: "workgroup" | "storage";
  readonly kind: AtomicKind;
}

/** Options of a program. */
export interface ProgramOptions {
  readonly level: "a" | "b" | "c";
  /** Roughly how many statements there are. */
  readonly size: number;
  /** Indices beyond the end of an array now and then. */
  readonly outOfBounds: boolean;
  /**
   * Without what Tint refuses though it is valid, and what SwiftShader gets wrong: where a vector is made of a variable that still has its zero value, as in
   * `var a: i32; if all(vec2i(a) < vec2i(6)) {}`, it takes the components for undefined.
   */
  readonly forSwiftShader: boolean;
}

const PREDECLARED = new Set(["i32", "u32", "f32", "f16"]);

/** What is known of the module while it grows. */
export class ModuleState {
  readonly choice: Choice;
  readonly options: ProgramOptions;
  readonly declarations: Statement[] = [];
  readonly functions: RandomFunction[] = [];
  readonly structs: Type[] = [];
  /** Shapes of the functions that clamp a matrix, `2x3`. */
  readonly tamers = new Set<string>();
  /** Counters in a storage buffer. */
  readonly storageAtomics: AtomicArray[] = [];
  /** Module scope. */
  readonly scope = new Scope();
  /** Of the function being written. */
  cost = 0;
  #names = 0;

  constructor(choice: Choice, options: ProgramOptions) {
    this.choice = choice;
    this.options = options;
  }

  fresh(prefix: string): string {
    const exotic = this.choice.once(60) ? this.choice.pick(["ö", "名", "_ж"]) : "";
    const name = `${prefix}${exotic}${this.#names++}`;
    return PREDECLARED.has(name) ? this.fresh(prefix) : name;
  }

  /** A call may cost so much that no program takes long. */
  affords(callee: RandomFunction, times: number): boolean {
    return callee.cost * times <= 300 && this.cost + callee.cost * times <= 3000;
  }

  spend(cost: number): void {
    this.cost += cost;
  }
}

export interface Place {
  readonly parts: Expression["parts"];
  readonly type: Type;
  readonly domain: Range;
  readonly variable: Variable;
  readonly isVariable: boolean;
}
