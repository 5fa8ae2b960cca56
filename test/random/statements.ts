/** Random statements and blocks. Every loop ends after a few iterations, every index lies within its array. */
import type { Choice } from "./choice.ts";
import type { Expressions } from "./expressions.ts";
import { combine, literalOf, raw, writtenType } from "./places.ts";
import { type ModuleState, type Place, pointerVariable, Scope, type Site, type Variable, variable } from "./scope.ts";
import { atomicUpdate, type SharedMemory } from "./shared-memory.ts";
import {
  type Block,
  binaryParts,
  block,
  callParts,
  type Expression,
  type Part,
  type Statement,
  statement,
  tight,
} from "./tree.ts";
import {
  array,
  BOOL,
  DOMAIN,
  elementOf,
  F32,
  I32,
  isInteger,
  SCALARS,
  type StructType,
  sameType,
  type Type,
  U32,
  vector,
} from "./types.ts";

/** Words of `out` that belong to one invocation. */
export const SLOTS = 32;

export interface Flow {
  /** How often this place is reached, at most, in one call of the function. */
  readonly times: number;
  readonly nesting: number;
  /** `break` and `continue` may stand here. */
  readonly breaks: boolean;
  readonly continues: boolean;
  /** What a `return` here gives; null: none may stand here. */
  readonly returns: { readonly type: Type | null } | null;
  /** Control flow is uniform: barriers may stand here, and the memory that they order. */
  readonly shared: SharedMemory | null;
}

type Maker = (scope: Scope, flow: Flow) => readonly Statement[];

export class Statements {
  readonly #module: ModuleState;
  readonly #expressions: Expressions;
  /** Statements that may still be written. */
  #left = 0;

  constructor(module: ModuleState, expressions: Expressions) {
    this.#module = module;
    this.#expressions = expressions;
  }

  get #choice(): Choice {
    return this.#module.choice;
  }

  /** The statements of a function's body, about `size` of them. */
  body(scope: Scope, flow: Flow, size: number): Statement[] {
    this.#left = size;
    const statements: Statement[] = [];
    while (this.#left > 0) statements.push(...this.#statement(scope, flow));
    return statements;
  }

  site(scope: Scope, flow: Flow, uniform = false): Site {
    return { scope, times: flow.times, uniform, callable: true };
  }

  /** A nested block with a few statements, fewer the deeper it lies. */
  nested(outer: Scope, flow: Flow, before: readonly Statement[] = []): Block {
    return this.#nestedIn(new Scope(outer), flow, before);
  }

  #nestedIn(scope: Scope, flow: Flow, before: readonly Statement[]): Block {
    const inner = { ...flow, nesting: flow.nesting + 1 };
    const count = this.#choice.int(flow.shared === null ? 0 : 1, Math.max(1, 4 - flow.nesting));
    const statements = [...before];
    for (let i = 0; i < count; i++) statements.push(...this.#statement(scope, inner));
    statements.push(...meeting(flow));
    if (this.#choice.once(8)) statements.push(...this.#jump(scope, inner));
    return block(statements);
  }

  #statement(scope: Scope, flow: Flow): readonly Statement[] {
    this.#left--;
    this.#module.spend(flow.times);
    if (flow.shared === null) return this.ordinary(scope, flow);
    if (this.#choice.once(2)) return flow.shared.statement(scope, flow);
    // Control flow may part here, so nothing may leave what the invocations do together.
    return this.ordinary(scope, { ...flow, shared: null, breaks: false, continues: false, returns: null });
  }

  /** Control flow that all invocations of a workgroup take together. */
  uniformCompound(scope: Scope, flow: Flow): readonly Statement[] {
    const isDeep = flow.nesting >= 3 || this.#left <= 0 || flow.times > 10;
    const loops = isDeep ? 0 : 4;
    return this.#choice.weighted<Maker>(
      [isDeep ? 1 : 4, this.#if],
      [isDeep ? 0 : 1, this.#switch],
      [1, this.#block],
      [loops, this.#for],
      [loops, this.#while],
      [loops, this.#loop],
      [flow.breaks || flow.continues || flow.returns !== null ? 1 : 0, this.#jumpUnderIf],
    )(scope, flow);
  }

  /** Statements for any control flow. */
  ordinary(scope: Scope, flow: Flow): readonly Statement[] {
    const isDeep = flow.nesting >= 4 || this.#left <= 0;
    const compound = (weight: number, maker: Maker) => [isDeep ? 0 : weight, maker] as const;
    const loops = (weight: number, maker: Maker) => compound(flow.times > 30 ? 0 : weight, maker);
    return this.#choice.weighted<Maker>(
      [6, this.#declareVar],
      [4, this.#declareLet],
      [1, this.#declareConst],
      [2, this.#declarePointer],
      [9, this.#assign],
      [4, this.#compoundAssign],
      [2, this.#increment],
      [5, this.#put],
      [4, this.#call],
      [1, this.#phony],
      [1, this.#oddity],
      [this.#module.storageAtomics.length > 0 ? 1 : 0, this.#storageAtomic],
      compound(5, this.#if),
      compound(2, this.#switch),
      compound(1, this.#block),
      loops(3, this.#for),
      loops(2, this.#while),
      loops(3, this.#loop),
      compound(flow.breaks || flow.continues || flow.returns !== null ? 2 : 0, this.#jumpUnderIf),
    )(scope, flow);
  }

  // Declarations

  anyType(): Type {
    const choice = this.#choice;
    const { structs } = this.#module;
    return choice.weighted<() => Type>(
      [8, () => choice.pick(SCALARS)],
      [4, () => vector(choice.int(2, 4), choice.pick(SCALARS))],
      [1, () => ({ kind: "matrix", columns: choice.int(2, 4), rows: choice.int(2, 4) })],
      [3, () => array(choice.pick<Type>([...SCALARS, vector(choice.int(2, 4), I32)]), choice.pick([2, 3, 4, 5, 8]))],
      [structs.length > 0 ? 3 : 0, () => choice.pick(structs)],
    )();
  }

  /** A new name, or that of a variable outside, which it hides. */
  #name(scope: Scope, prefix: string): string {
    if (scope.hides && this.#choice.once(12)) {
      const own = new Set(scope.own.map((each) => each.name));
      const outside = scope.visible().filter((each) => !own.has(each.name) && /^[vk]\P{L}*\d+$/u.test(each.name));
      if (outside.length > 0) return this.#choice.pick(outside).name;
    }
    return this.#module.fresh(prefix);
  }

  #declareVar = (scope: Scope, flow: Flow): readonly Statement[] => {
    const type = this.anyType();
    const name = this.#name(scope, "v");
    const written = writtenType(this.#choice, type);
    const isZero = !this.#module.options.forSwiftShader && this.#choice.once(6);
    const value = isZero ? null : this.#expressions.stored(type, this.site(scope, flow), 4);
    const declared: Part[] = value === null || this.#choice.once(2) ? [`var ${name}: ${written}`] : [`var ${name}`];
    const space = this.#choice.once(20) ? declared[0].toString().replace("var", "var<function>") : declared[0];
    scope.declare(variable(name, type, "function"));
    return [statement("variable", [space, ...(value === null ? [] : [" = ", value]), ";"], { declares: name })];
  };

  #declareLet = (scope: Scope, flow: Flow): readonly Statement[] => {
    const type = this.anyType();
    const name = this.#name(scope, "k");
    const value = this.#expressions.stored(type, this.site(scope, flow), 5);
    const annotation = this.#choice.once(3) ? `: ${writtenType(this.#choice, type)}` : "";
    scope.declare(variable(name, type, "value"));
    return [statement("let", [`let ${name}${annotation} = `, value, ";"], { declares: name })];
  };

  #declareConst = (scope: Scope): readonly Statement[] => {
    const type = this.#choice.pick([...SCALARS, vector(3, I32), vector(2, F32), array(U32, 4)]);
    const name = this.#module.fresh("c");
    scope.declare(variable(name, type, "value", { isConst: true, isUniform: true }));
    return [statement("const", [`const ${name} = `, literalOf(this.#choice, type), ";"], { declares: name })];
  };

  /** `let p = &v.x[i];` */
  #declarePointer = (scope: Scope, flow: Flow): readonly Statement[] => {
    const wanted = this.#choice.pick([I32, U32, F32, this.anyType()]);
    const place = this.#expressions.places.find(wanted, this.site(scope, flow), 1, {
      accepts: (each) => each.hasAddress && each.isMutable,
      addressable: true,
    });
    // A column of a matrix may hold less than other vectors.
    if (place === null || (wanted.kind !== "matrix" && place.domain !== DOMAIN)) return this.#declareVar(scope, flow);
    const { space, root } = place.variable;
    const name = this.#module.fresh("p");
    const parts = ["let ", name, " = ", ...this.#expressions.places.address(place), ";"];
    scope.declare(pointerVariable(name, wanted, space, { root, hasAddress: true }));
    return [statement("let", parts, { declares: name })];
  };

  // Assignments

  #target(type: Type | null, scope: Scope, flow: Flow): Place | null {
    const writable = scope.visible().filter((each) => each.isMutable && !each.isUniform);
    if (writable.length === 0) return null;
    const whole = this.#choice.pick(writable).type;
    const wanted = type ?? (this.#choice.once(2) ? whole : leafOf(whole));
    return this.#expressions.places.find(wanted, this.site(scope, flow), 2, {
      accepts: (each) => each.isMutable && !each.isUniform,
    });
  }

  #assign = (scope: Scope, flow: Flow): readonly Statement[] => {
    const place = this.#target(null, scope, flow);
    if (place === null) return this.#declareVar(scope, flow);
    const { type, domain } = place;
    const site = this.site(scope, flow);
    const value =
      type.kind === "scalar" && this.#choice.once(8)
        ? literalOf(this.#choice, type, true)
        : this.#expressions.make(type, site, 5);
    const fit =
      domain === DOMAIN || type.kind === "matrix"
        ? this.#expressions.tame(value)
        : this.#expressions.tame(value, domain);
    return [statement("assignment", [...place.parts, " = ", fit, ";"])];
  };

  #compoundAssign = (scope: Scope, flow: Flow): readonly Statement[] => {
    const choice = this.#choice;
    const element = choice.pick([I32, U32, I32, U32, BOOL]);
    const type = choice.once(3) && element !== BOOL ? vector(choice.int(2, 4), element) : element;
    const place = this.#target(type, scope, flow);
    if (place === null) return this.#assign(scope, flow);
    const site = this.site(scope, flow);
    const operator =
      element === BOOL ? choice.pick(["&", "|"]) : choice.pick(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]);
    const shifts = operator === "<<" || operator === ">>";
    const valueType = shifts ? (type.kind === "vector" ? vector(type.size, U32) : U32) : type;
    const safe = shifts || operator === "/" || operator === "%";
    const value = safe ? this.#expressions.runtime(valueType, site, 3) : this.#expressions.make(valueType, site, 3);
    return [statement("assignment", [...place.parts, ` ${operator}= `, value, ";"])];
  };

  #increment = (scope: Scope, flow: Flow): readonly Statement[] => {
    const place = this.#target(this.#choice.pick([I32, U32]), scope, flow);
    if (place === null) return this.#assign(scope, flow);
    return [statement("assignment", [...place.parts, this.#choice.pick(["++", "--"]), ";"])];
  };

  /** Writes to the invocation's own part of `out`. */
  #put = (scope: Scope, flow: Flow): readonly Statement[] => {
    const site = this.site(scope, flow);
    const value = this.word(this.#choice.pick([...SCALARS, U32, I32]), (type) => this.#expressions.make(type, site, 4));
    const slot: readonly Part[] = this.#choice.once(3)
      ? binaryParts("%", this.#expressions.runtime(U32, site, 2), raw(U32, `${SLOTS}u`))
      : [`${this.#choice.int(0, SLOTS - 1)}u`];
    return [statement("assignment", ["out[base + ", ...slot, "] = ", value, ";"])];
  };

  /** A scalar as u32: all of it but the sign of a zero. */
  word(type: Type, make: (type: Type) => Expression): Expression {
    const value = make(type);
    if (type.kind !== "scalar") throw new TypeError("only scalars are words");
    switch (type.name) {
      case "u32":
        return value;
      case "i32":
        return combine(U32, "primary", callParts(this.#choice.pick(["u32", "bitcast<u32>"]), [value]));
      case "bool":
        return this.#choice.once(2)
          ? combine(U32, "primary", callParts("select", ["0u", "1u", value]))
          : combine(U32, "primary", callParts("u32", [value]));
      case "f32": {
        const shifted = combine(F32, "additive", binaryParts("+", this.#expressions.tame(value), raw(F32, "128.5")));
        return combine(U32, "primary", callParts("bitcast<u32>", [shifted]));
      }
    }
  }

  // Calls and the rest

  #call = (scope: Scope, flow: Flow): readonly Statement[] => {
    const fits = this.#module.functions.filter((each) => !each.hasBarrier && this.#module.affords(each, flow.times));
    if (fits.length === 0) return this.#assign(scope, flow);
    const callee = this.#choice.pick(fits);
    const site = this.site(scope, flow);
    // Pointers need something to point to: variables of just those types.
    const made: Statement[] = [];
    for (const { type, pointer } of callee.parameters) {
      if (pointer !== "function" || this.#choice.once(3)) continue;
      const name = this.#module.fresh("v");
      const value = this.#expressions.stored(type, site, 2);
      scope.declare(variable(name, type, "function"));
      made.push(statement("variable", [`var ${name} = `, value, ";"], { declares: name }));
    }
    const parts = this.#expressions.callOf(callee, site, 3);
    if (parts === null) return [...made, ...this.#assign(scope, flow)];
    const asStatement = callee.returns === null || (!callee.mustUse && this.#choice.once(2));
    return [...made, statement("call", [asStatement ? "" : "_ = ", ...parts, ";"])];
  };

  #phony = (scope: Scope, flow: Flow): readonly Statement[] => {
    const value = this.#expressions.make(this.anyType(), this.site(scope, flow), 3);
    return [statement("phony", ["_ = ", value, ";"])];
  };

  #oddity = (): readonly Statement[] => {
    const text = this.#choice.pick([";", "const_assert 1 < 2;", "{}", "/* /* nested */ */;", "; // no more"]);
    return [statement("other", [text])];
  };

  /** An atomic whose result does not hang on the order. */
  #storageAtomic = (scope: Scope, flow: Flow): readonly Statement[] => {
    const target = this.#choice.pick(this.#module.storageAtomics);
    return [atomicUpdate(this.#choice, target, this.#expressions, this.site(scope, flow))];
  };

  // Branches

  condition(scope: Scope, flow: Flow): Expression {
    return this.#expressions.runtime(BOOL, this.site(scope, flow, flow.shared !== null), 3);
  }

  #if = (scope: Scope, flow: Flow): readonly Statement[] => {
    const parts: Part[] = [];
    for (let arm = 0; arm === 0 || (arm < 4 && this.#choice.once(3)); arm++) {
      const condition = this.condition(scope, flow);
      const open = this.#choice.once(2);
      parts.push(arm === 0 ? "if " : " else if ", open ? "(" : "", condition, open ? ") " : " ");
      parts.push(this.nested(scope, flow));
    }
    if (this.#choice.once(2)) parts.push(" else ", this.nested(scope, flow));
    return [statement("if", parts)];
  };

  #switch = (scope: Scope, flow: Flow): readonly Statement[] => {
    const choice = this.#choice;
    const type = choice.pick([I32, U32]);
    const selector = this.#expressions.runtime(type, this.site(scope, flow, flow.shared !== null), 3);
    const masked = choice.once(3) ? [selector] : binaryParts("&", selector, raw(type, "7"));
    const labels = choice.shuffled([0, 1, 2, 3, 4, 5, 6, 7, 2147483647]).slice(0, choice.int(0, 6));
    const clauses: string[][] = [];
    for (const label of labels) {
      const text = `${label}${choice.pick(["", type === I32 ? "i" : "u"])}`;
      if (clauses.length > 0 && choice.once(3)) clauses[choice.int(0, clauses.length - 1)].push(text);
      else clauses.push([text]);
    }
    if (clauses.length > 0 && choice.once(4)) choice.pick(clauses).push("default");
    else clauses.splice(choice.int(0, clauses.length), 0, ["default"]);
    const body = choice.once(2) ? ["(", ...masked, ")"] : [...masked];
    const inner = { ...flow, breaks: true };
    const arms = clauses.map((labels) => {
      const alone = labels.length === 1 && labels[0] === "default" && choice.once(2);
      const head = `${alone ? "default" : `case ${labels.join(", ")}`}${choice.pick([" ", ": "])}`;
      return statement("other", [head, this.nested(scope, inner)], { isNeeded: true });
    });
    return [statement("switch", ["switch ", ...body, " ", block(arms)])];
  };

  #block = (scope: Scope, flow: Flow): readonly Statement[] => [statement("block", [this.nested(scope, flow)])];

  // Loops

  #loopFlow(flow: Flow, count: number): Flow {
    return { ...flow, times: flow.times * (count + 1), breaks: true, continues: true };
  }

  /** A variable that counts iterations: the body reads it, only the loop itself changes it. */
  #counter(type: Type, flow: Flow, prefix = "n"): Variable {
    const name = this.#module.fresh(prefix);
    return variable(name, type, "function", { isMutable: false, hasAddress: false, isUniform: flow.shared !== null });
  }

  #for = (scope: Scope, flow: Flow): readonly Statement[] => {
    const choice = this.#choice;
    const type = choice.pick([I32, U32]);
    const count = choice.int(1, 5);
    const own = new Scope(scope);
    const counter = this.#counter(type, flow, "i");
    const down = choice.once(4);
    const from = `${down ? count : 0}${type === U32 ? "u" : choice.pick(["", "i"])}`;
    own.declare(counter);
    const inner = this.#loopFlow(flow, count);
    const { name } = counter;
    const bound: Part[] = [down ? `${name} > 0` : `${name} < ${count}`];
    if (choice.once(4)) bound.push(" && ", tight(this.condition(own, inner)));
    const step = down
      ? choice.pick([`${name}--`, `${name} -= 1`])
      : choice.pick([`${name}++`, `${name} += 1`, `${name} = ${name} + 1`]);
    const body = this.nested(own, inner);
    const declared = choice.once(3) ? `var ${name}: ${type.name}` : `var ${name}`;
    return [statement("for", [`for (${declared} = ${from}; `, ...bound, `; ${step}) `, body])];
  };

  #while = (scope: Scope, flow: Flow): readonly Statement[] => {
    const count = this.#choice.int(1, 5);
    const counter = this.#counter(U32, flow);
    scope.declare(counter);
    const inner = this.#loopFlow(flow, count);
    const condition: Part[] = [`${counter.name} < ${count}u`];
    if (this.#choice.once(2)) condition.push(" && ", tight(this.condition(scope, inner)));
    const next = statement("assignment", [this.#choice.pick([`${counter.name}++;`, `${counter.name} += 1u;`])], {
      isNeeded: true,
    });
    const body = this.nested(scope, inner, [next]);
    return [
      statement("variable", [`var ${counter.name} = 0u;`], { declares: counter.name }),
      statement("while", ["while ", ...condition, " ", body]),
    ];
  };

  #loop = (scope: Scope, flow: Flow): readonly Statement[] => {
    const count = this.#choice.int(1, 5);
    const counter = this.#counter(I32, flow);
    const { name } = counter;
    scope.declare(counter);
    const declared = statement("variable", [`var ${name} = 0;`], { declares: name });
    const loop = this.#choice.once(2)
      ? this.#loopLeftAbove(scope, flow, name, count)
      : this.#loopWithContinuing(scope, flow, name, count);
    return [declared, statement("loop", ["loop ", loop])];
  };

  #loopLeftAbove(scope: Scope, flow: Flow, name: string, count: number): Block {
    const leave = statement(
      "if",
      [`if ${name} >= ${count} `, block([statement("jump", ["break;"], { isNeeded: true })])],
      {
        isNeeded: true,
      },
    );
    const next = statement("assignment", [`${name}++;`], { isNeeded: true });
    return this.nested(scope, this.#loopFlow(flow, count), [leave, next]);
  }

  /** Without `continue` in the body, the continuing block can use what the body declares. spec: #continuing-statement */
  #loopWithContinuing(outer: Scope, flow: Flow, name: string, count: number): Block {
    const inner = this.#loopFlow(flow, count);
    const continues = this.#choice.once(2);
    // The continuing block sees what the body hides.
    const scope = new Scope(outer, null, false);
    const bodyFlow = { ...inner, nesting: flow.nesting + 1, continues };
    const body: Statement[] = [];
    const size = this.#choice.int(0, 3);
    for (let i = 0; i < size; i++) body.push(...this.#statement(scope, bodyFlow));
    body.push(...meeting(flow));
    const last = { ...inner, nesting: flow.nesting + 2, breaks: false, continues: false, returns: null };
    // Nor may it hide what its condition names.
    const tail = this.#nestedIn(new Scope(continues ? outer : scope, null, false), last, []);
    const next = statement("assignment", [`${name} += 1;`], { isNeeded: true });
    const condition: Part[] = [`${name} >= ${count}`];
    if (this.#choice.once(3)) condition.push(" || ", tight(this.condition(outer, inner)));
    const leave = statement("jump", ["break if ", ...condition, ";"], { isNeeded: true });
    const continuing = block([...tail.statements, next, leave]);
    return block([...body, statement("other", ["continuing ", continuing], { isNeeded: true })]);
  }

  // Jumps

  #jump = (scope: Scope, flow: Flow): readonly Statement[] => {
    const { returns } = flow;
    if (!flow.breaks && !flow.continues && returns === null) return [];
    return this.#choice.weighted<() => readonly Statement[]>(
      [flow.breaks ? 2 : 0, () => [statement("jump", ["break;"])]],
      [flow.continues ? 2 : 0, () => [statement("jump", ["continue;"])]],
      [
        returns === null ? 0 : 1,
        () => {
          if (returns!.type === null) return [statement("return", ["return;"])];
          return [
            statement("return", ["return ", this.#expressions.stored(returns!.type, this.site(scope, flow), 3), ";"]),
          ];
        },
      ],
    )();
  };

  #jumpUnderIf = (scope: Scope, flow: Flow): readonly Statement[] => {
    const condition = this.condition(scope, flow);
    return [statement("if", ["if ", condition, " ", block(this.#jump(scope, flow))])];
  };
}

/** Blocks of uniform control flow begin and end with the same accesses being allowed. */
function meeting(flow: Flow): readonly Statement[] {
  return flow.shared === null ? [] : flow.shared.meet();
}

/** A scalar or vector that lies in a value of the type. */
function leafOf(type: Type): Type {
  switch (type.kind) {
    case "array":
      return leafOf(type.element);
    case "struct":
      return leafOf((type as StructType).members[0].type);
    case "matrix":
      return vector(type.rows, F32);
    case "vector":
      return isInteger(elementOf(type)) ? elementOf(type) : type;
    default:
      return sameType(type, BOOL) ? BOOL : type;
  }
}
