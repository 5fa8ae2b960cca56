/**
 * Loops with a stride: `for (var i = id.x; i < arrayLength(&values); i += workgroups.x * SIZE) { … }`. Neighbouring
 * invocations go to neighbouring elements in each round. To run one invocation to its end, and then the next, would go
 * through memory in large steps, which caches do not like (a step of a power of two finds them all in one place). So the
 * workgroup goes round together: the loop becomes part of the skeleton, with the first invocation's counter as its own.
 *
 * Only where nothing but the counter is carried from round to round: all else would have to be kept for each invocation.
 */
import type { IrModule } from "../../ir/ir.ts";
import { layoutOf, runtimeArray } from "../../layout/layout.ts";
import { BOOL, pointerType, U32, VOID, vectorType } from "../../types/type.ts";
import { operandsOfOperation } from "./dependencies.ts";
import { accessesOf } from "./phases.ts";
import { resolvePointers } from "./pointers.ts";
import {
  type Code,
  eachNode,
  eachOperation,
  isControl,
  type LoopNode,
  mapLists,
  type Node,
  type Operation,
  type Parameter,
  type ValueId,
  type Variable,
  type VariableId,
} from "./tree.ts";

/** The most workgroups along an axis that is relied on: more make counters overflow. */
export const MOST_ALONG_AXIS = 65535;
/** Counters and what they are compared with and grow by stay below this, so that no sum of them overflows. */
const MOST = 2 ** 31;

/** The kernel with such loops, if there are any, rewritten. `sharedPrivates`: variables that calls may touch. */
export function inLockstep(code: Code, module: IrModule, sharedPrivates: ReadonlySet<VariableId>): Code {
  let current = code;
  let search: Search | null = null;
  for (const node of code.nodes) {
    if (node.kind !== "loop") continue;
    search ??= new Search(current, module, sharedPrivates);
    const found = search.find(node);
    if (found === null) continue;
    current = new Rewriter(current, module, found).run();
    search = null;
  }
  return current;
}

interface Strided {
  readonly loop: LoopNode;
  readonly counter: VariableId;
  /** Which invocation it starts at: `global` counts from the workgroup's first one. */
  readonly start: { readonly builtin: "local_invocation_index" | "local" | "global"; readonly value: ValueId };
  /** The store in front of the loop that gives the counter its first value. */
  readonly before: Operation;
  /** Place of the guard in the body. */
  readonly guard: number;
  readonly bound: ValueId;
  readonly step: ValueId;
  /** The store in the continuing block. */
  readonly growth: Operation;
}

class Search {
  readonly #code: Code;
  readonly #module: IrModule;
  readonly #sharedPrivates: ReadonlySet<VariableId>;
  readonly #operations = new Map<ValueId, Operation>();
  /** The variable that a pointer points to, where that is known from its operation alone. */
  readonly #local = new Map<ValueId, VariableId>();
  /** Whether invocations may leave the kernel before its end: then not all of them come to its loops. */
  readonly #leavesEarly: boolean;

  constructor(code: Code, module: IrModule, sharedPrivates: ReadonlySet<VariableId>) {
    this.#code = code;
    this.#module = module;
    this.#sharedPrivates = sharedPrivates;
    eachOperation(code.nodes, (operation) => {
      this.#operations.set(operation.id, operation);
      if (operation.kind === "local") this.#local.set(operation.id, operation.local);
    });
    let leavesEarly = false;
    eachNode(code.nodes, (node) => {
      leavesEarly ||= node.kind === "jump" && node.label === code.label;
    });
    this.#leavesEarly = leavesEarly;
  }

  find(loop: LoopNode): Strided | null {
    if (loop.breakIf !== null || this.#leavesEarly) return null;
    const guard = loop.body.findIndex(isControl);
    const first = loop.body[guard];
    if (first?.kind !== "if" || first.whenTrue.length > 0) return null;
    const [exit] = first.whenFalse;
    if (exit?.kind !== "jump" || exit.label !== loop.label || !this.#staysInside(loop, exit)) return null;
    const condition = this.#operations.get(first.condition);
    if (condition?.kind !== "binary" || condition.operator !== "<") return null;
    const counter = this.#loaded(condition.left);
    if (counter === null || this.#code.variables[counter].type !== U32) return null;
    const growth = loop.continuing.find((node) => this.#isStoreTo(node, counter)) as Operation | undefined;
    const before = this.#code.nodes.slice(0, this.#code.nodes.indexOf(loop)).findLast((node) => {
      return this.#isStoreTo(node, counter);
    }) as Operation | undefined;
    if (growth?.kind !== "store" || before?.kind !== "store") return null;
    const sum = this.#operations.get(growth.value);
    const start = this.#startOf(before.value);
    if (sum?.kind !== "binary" || sum.operator !== "+" || this.#loaded(sum.left) !== counter || start === null) {
      return null;
    }
    const [bound, step] = [condition.right, sum.right];
    if (this.#most(bound) > MOST || this.#most(step) > MOST / 2) return null;
    if (!this.#isOwn(loop, counter, before, growth) || !this.#carriesNothingElse(loop, counter)) return null;
    return { loop, counter, start, before, guard, bound, step, growth };
  }

  /** Whether the loop is left by its guard alone, and no round ends early. */
  #staysInside(loop: LoopNode, guard: Node): boolean {
    let stays = true;
    eachNode([...loop.body, ...loop.continuing], (node) => {
      if (node.kind !== "jump" || node === guard) return;
      if (node.label === loop.label || node.label === loop.continueLabel) stays = false;
    });
    return stays;
  }

  #loaded(id: ValueId): VariableId | null {
    const operation = this.#operations.get(id);
    return operation?.kind === "load" ? (this.#local.get(operation.pointer) ?? null) : null;
  }

  #isStoreTo(node: Node, variable: VariableId): boolean {
    return node.kind === "store" && this.#local.get(node.pointer) === variable;
  }

  #builtinOf(id: ValueId): string | null {
    return this.#code.parameters.find((parameter) => parameter.id === id)?.builtin ?? null;
  }

  #startOf(value: ValueId): Strided["start"] | null {
    if (this.#builtinOf(value) === "local_invocation_index") return { builtin: "local_invocation_index", value };
    const operation = this.#operations.get(value);
    if (operation?.kind !== "extract" || operation.index !== 0) return null;
    const builtin = this.#builtinOf(operation.operand);
    if (builtin === "global_invocation_id") return { builtin: "global", value };
    return builtin === "local_invocation_id" ? { builtin: "local", value } : null;
  }

  /** The largest number that a value can be, which must be the same for all invocations; infinite where that is not known. */
  #most(id: ValueId): number {
    const operation = this.#operations.get(id);
    switch (operation?.kind) {
      case "const":
        return typeof operation.value.value === "number" && operation.type === U32 ? operation.value.value : Infinity;
      case "array-length": {
        const tail = runtimeArray(layoutOf(this.#module.roots[operation.root].type));
        return tail === null ? Infinity : 2 ** 32 / tail.array.stride!;
      }
      case "extract":
        return this.#builtinOf(operation.operand) === "num_workgroups" ? MOST_ALONG_AXIS : Infinity;
      case "binary": {
        const [left, right] = [this.#most(operation.left), this.#most(operation.right)];
        if (operation.operator === "*") return left * right;
        return operation.operator === "+" ? left + right : Infinity;
      }
      default:
        return Infinity;
    }
  }

  /** Whether the counter is only loaded, in the loop, but for the two stores. */
  #isOwn(loop: LoopNode, counter: VariableId, before: Operation, growth: Operation): boolean {
    const inside = new Set<Operation>();
    eachOperation([loop], (operation) => inside.add(operation));
    for (const operation of this.#operations.values()) {
      const named = [...operandsOfOperation(operation), operation.kind === "access" ? operation.pointer : -1];
      if (!named.some((id) => this.#local.get(id as ValueId) === counter)) continue;
      if (operation === before || operation === growth) continue;
      if (operation.kind !== "load" || !inside.has(operation)) return false;
    }
    return true;
  }

  /** Whether what the loop stores in other variables is of use in the same round only. */
  #carriesNothingElse(loop: LoopNode, counter: VariableId): boolean {
    const { exposed, stored } = accessesOf([...loop.body, ...loop.continuing], {
      variables: this.#code.variables,
      pointers: resolvePointers(this.#code),
      uniform: new Set(),
      constants: new Map(),
      sharedPrivates: this.#sharedPrivates,
    });
    const inside = new Set<Operation>();
    eachOperation([loop], (operation) => inside.add(operation));
    for (const operation of this.#operations.values()) {
      if (operation.kind !== "local" || operation.local === counter || !stored.has(operation.local)) continue;
      if (!inside.has(operation) || exposed.has(operation.local)) return false;
    }
    return true;
  }
}

class Rewriter {
  readonly #code: Code;
  readonly #module: IrModule;
  readonly #found: Strided;
  readonly #parameters: Parameter[];
  readonly #types: Code["types"][number][];
  /** The first invocation's counter. */
  readonly #together: Variable;
  readonly #counterPointers = new Set<ValueId>();

  constructor(code: Code, module: IrModule, found: Strided) {
    this.#code = code;
    this.#module = module;
    this.#found = found;
    this.#parameters = [...code.parameters];
    this.#types = [...code.types];
    this.#together = { id: code.variables.length, name: "$together", type: U32 };
    eachOperation(code.nodes, (operation) => {
      if (operation.kind === "local" && operation.local === found.counter) this.#counterPointers.add(operation.id);
    });
  }

  run(): Code {
    const { loop, before } = this.#found;
    const nodes = this.#code.nodes.flatMap((node): readonly Node[] => {
      if (node === before) return this.#initialize();
      return node === loop ? [this.#loop()] : [node];
    });
    const variables = [...this.#code.variables, this.#together];
    return { ...this.#code, nodes, variables, types: this.#types, parameters: this.#parameters };
  }

  #operation(out: Node[], type: Code["types"][number], make: (base: Base) => Operation): ValueId {
    const id = (this.#types.push(type) - 1) as ValueId;
    out.push(make({ id, type, span: this.#found.loop.span }));
    return id;
  }

  #constant(out: Node[], value: number): ValueId {
    return this.#operation(out, U32, (base) => ({ ...base, kind: "const", value: { type: U32, value } }));
  }

  #binary(out: Node[], operator: "+" | "*" | "<", left: ValueId, right: ValueId): ValueId {
    const type = operator === "<" ? BOOL : U32;
    return this.#operation(out, type, (base) => ({ ...base, kind: "binary", operator, left, right }));
  }

  #pointer(out: Node[]): ValueId {
    const local = this.#together.id;
    const type = pointerType("function", U32, "read_write");
    return this.#operation(out, type, (base) => ({ ...base, kind: "local", local }));
  }

  #load(out: Node[]): ValueId {
    const pointer = this.#pointer(out);
    return this.#operation(out, U32, (base) => ({ ...base, ...LOCAL, kind: "load", pointer }));
  }

  #store(out: Node[], value: ValueId): void {
    const pointer = this.#pointer(out);
    this.#operation(out, VOID, (base) => ({ ...base, ...LOCAL, kind: "store", pointer, value }));
  }

  /** The first component of a builtin value, which may not have been asked for. */
  #builtin(out: Node[], builtin: string): ValueId {
    let parameter = this.#parameters.find((each) => each.builtin === builtin);
    if (parameter === undefined) {
      const type = builtin === "local_invocation_index" ? U32 : vectorType(3, U32);
      parameter = { id: (this.#types.push(type) - 1) as ValueId, type, builtin };
      this.#parameters.push(parameter);
    }
    const operand = parameter.id;
    if (builtin === "local_invocation_index") return operand;
    return this.#operation(out, U32, (base) => ({ ...base, kind: "extract", operand, index: 0 }));
  }

  #initialize(): readonly Node[] {
    const out: Node[] = [];
    if (this.#found.start.builtin !== "global") {
      this.#store(out, this.#constant(out, 0));
      return out;
    }
    const workgroup = this.#builtin(out, "workgroup_id");
    this.#store(out, this.#binary(out, "*", workgroup, this.#constant(out, this.#module.workgroupSize[0])));
    return out;
  }

  /** How far an invocation's counter is from the first one's. */
  #distance(out: Node[]): ValueId {
    const { builtin } = this.#found.start;
    return this.#builtin(out, builtin === "local_invocation_index" ? builtin : "local_invocation_id");
  }

  #loop(): LoopNode {
    const { loop, guard, bound, step, growth } = this.#found;
    const body: Node[] = [];
    const inFront = loop.body.slice(0, guard).flatMap((node) => this.#mapped(node));
    body.push(...inFront);
    const condition = this.#binary(body, "<", this.#load(body), bound);
    body.push({ kind: "if", condition, whenTrue: [], whenFalse: [{ kind: "jump", label: loop.label }] });
    // It orders nothing; what holds a barrier is the workgroup's.
    this.#operation(body, VOID, (base) => ({ ...base, kind: "barrier", barrier: "workgroup" }));
    const own = this.#counter(body);
    const isInside = this.#binary(body, "<", own, bound);
    const rest = loop.body.slice(guard + 1).flatMap((node) => this.#mapped(node));
    body.push({ kind: "if", condition: isInside, whenTrue: rest, whenFalse: [] });
    const continuing = loop.continuing.filter((node) => node !== growth).flatMap((node) => this.#mapped(node));
    this.#store(continuing, this.#binary(continuing, "+", this.#load(continuing), step));
    return { ...loop, body, continuing };
  }

  #counter(out: Node[]): ValueId {
    return this.#binary(out, "+", this.#load(out), this.#distance(out));
  }

  /** The node with the counter worked out where it was loaded. */
  #mapped(node: Node): Node[] {
    if (!isControl(node)) {
      if (node.kind === "local" && this.#counterPointers.has(node.id)) return [];
      if (node.kind !== "load" || !this.#counterPointers.has(node.pointer)) return [node];
      const out: Node[] = [];
      const [left, right] = [this.#load(out), this.#distance(out)];
      const { id, type, span } = node;
      return [...out, { id, type, span, kind: "binary", operator: "+", left, right }];
    }
    if (node.kind === "jump") return [node];
    return [mapLists(node, (list) => list.flatMap((each) => this.#mapped(each)))];
  }
}

type Base = Pick<Operation, "id" | "type" | "span">;
const LOCAL = { space: "function", root: null, size: 4 } as const;
