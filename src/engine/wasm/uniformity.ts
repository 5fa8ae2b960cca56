/**
 * What is the same for all invocations of a workgroup and has no effects: constants, the ids of the workgroup, what is
 * read from read-only memory at such a place, what is computed from all that, and variables that the skeleton alone
 * assigns such values to. It is computed once per workgroup, in front of the invocations.
 */
import type { IrModule } from "../../ir/ir.ts";
import { scalarCount } from "../flatten-values.ts";
import { dependencies } from "./dependencies.ts";
import { indicesOf, type Pointers } from "./pointers.ts";
import { isConstant } from "./root-kinds.ts";
import { isSkeletal, type Reconverged } from "./skeleton.ts";
import {
  type Code,
  eachOperation,
  isControl,
  listsOf,
  type Node,
  type Operation,
  type ValueId,
  type VariableId,
} from "./tree.ts";

export interface Uniformity {
  /** Computed once per workgroup; constants are not among them. */
  readonly values: ReadonlySet<ValueId>;
  readonly variables: ReadonlySet<VariableId>;
}

const UNIFORM_BUILTINS: ReadonlySet<string> = new Set(["workgroup_id", "workgroup_index", "num_workgroups"]);

/** Below this many invocations, what stands under a condition is not computed in front of it. */
const FEW_INVOCATIONS = 8;
const MOST_SCALARS = 16;
/**
 * Of a kernel with more operations no more values than that are computed in front: compilers keep, at each branch, what is
 * known of each local.
 */
const MANY_OPERATIONS = 2 ** 13;
const MOST_HOISTED = 2 ** 6;

export interface UniformityInput {
  readonly module: IrModule;
  readonly kernel: Code;
  readonly code: Reconverged;
  readonly pointers: Pointers;
  readonly memoryVariables: ReadonlySet<VariableId>;
  /** Memory may be written through another variable. */
  readonly aliases: boolean;
}

export function findUniformity(input: UniformityInput): Uniformity {
  return new Analysis(input).run();
}

class Analysis {
  readonly #input: UniformityInput;
  readonly #eager: boolean;
  readonly #mostHoisted: number;
  readonly #varying = new Set<VariableId>();
  #uniform = new Set<ValueId>();
  #hoisted = new Set<ValueId>();
  #changed = false;

  constructor(input: UniformityInput) {
    this.#input = input;
    const [x, y, z] = input.module.workgroupSize;
    this.#eager = x * y * z >= FEW_INVOCATIONS;
    let operations = 0;
    eachOperation(input.code.nodes, () => operations++);
    this.#mostHoisted = operations > MANY_OPERATIONS ? MOST_HOISTED : Number.POSITIVE_INFINITY;
    for (const { id, type } of input.code.variables) {
      if (input.memoryVariables.has(id) || scalarCount(type) > MOST_SCALARS) this.#varying.add(id);
    }
  }

  run(): Uniformity {
    const { code } = this.#input;
    do {
      this.#changed = false;
      this.#uniform = new Set();
      this.#hoisted = new Set();
      for (const { id, builtin } of this.#input.kernel.parameters) {
        if (builtin === null || !UNIFORM_BUILTINS.has(builtin)) continue;
        this.#uniform.add(id);
        this.#hoisted.add(id);
      }
      this.#skeletal(code.nodes);
    } while (this.#changed);
    const variables = new Set<VariableId>();
    for (const { id } of code.variables) if (!this.#varying.has(id)) variables.add(id);
    return { values: this.#hoisted, variables };
  }

  /** A list that runs once per workgroup. */
  #skeletal(list: readonly Node[]): void {
    for (const node of list) {
      if (!isControl(node)) this.#operation(node, true, false);
      else if (isSkeletal(node, this.#input.code.skeleton)) for (const inner of listsOf(node)) this.#skeletal(inner);
      else this.#plain(node, false);
    }
  }

  #plain(node: Node, conditional: boolean): void {
    if (!isControl(node)) {
      this.#operation(node, false, conditional);
      return;
    }
    const inner = conditional || node.kind === "if" || node.kind === "switch";
    for (const list of listsOf(node)) for (const each of list) this.#plain(each, inner);
  }

  #operation(operation: Operation, inSkeleton: boolean, conditional: boolean): void {
    if (operation.kind === "store") {
      this.#store(operation, inSkeleton);
      return;
    }
    const kind = this.#classify(operation);
    if (kind === null) return;
    this.#uniform.add(operation.id);
    if (operation.kind === "const") return;
    if (operation.kind === "uniform-load") {
      this.#hoisted.add(operation.id);
      return;
    }
    const cheap = kind === "variable" || ((this.#eager || !conditional) && this.#hoisted.size < this.#mostHoisted);
    if (cheap && this.#operandsHoisted(operation)) this.#hoisted.add(operation.id);
  }

  /** A variable stays uniform while the skeleton alone stores to it, uniform values. */
  #store(operation: Extract<Operation, { kind: "store" }>, inSkeleton: boolean): void {
    const pointer = this.#input.pointers[operation.pointer]!;
    if (pointer.base.kind !== "variable") return;
    const { variable } = pointer.base;
    if (this.#varying.has(variable) || (inSkeleton && this.#isAvailable(operation.value))) return;
    this.#varying.add(variable);
    this.#changed = true;
  }

  /** A value that exists where the skeleton runs. */
  #isAvailable(id: ValueId): boolean {
    return this.#hoisted.has(id) || this.#constants.has(id);
  }
  readonly #constants = new Set<ValueId>();

  #operandsHoisted(operation: Operation): boolean {
    return dependencies(operation, this.#input.pointers).every((id) => this.#isAvailable(id));
  }

  /** How a value is uniform; null where it is not. */
  #classify(operation: Operation): "variable" | "value" | null {
    const { pointers } = this.#input;
    switch (operation.kind) {
      case "const":
        this.#constants.add(operation.id);
        return "value";
      case "array-length":
        return "value";
      case "uniform-load":
        return "value";
      case "load": {
        const pointer = pointers[operation.pointer]!;
        if (!indicesOf(pointer).every((id) => this.#uniform.has(id))) return null;
        if (pointer.base.kind === "variable") return this.#varying.has(pointer.base.variable) ? null : "variable";
        return pointer.base.kind === "root" && this.#isConstantMemory(pointer.base.root) && isSmall(operation)
          ? "value"
          : null;
      }
      case "unary":
      case "binary":
      case "convert":
      case "bitcast":
      case "splat":
      case "extract":
      case "extract-dynamic":
      case "swizzle":
      case "construct":
      case "select":
      case "builtin":
        if (!isSmall(operation)) return null;
        return dependencies(operation, pointers).every((id) => this.#uniform.has(id)) ? "value" : null;
      default:
        return null;
    }
  }

  #isConstantMemory(root: number): boolean {
    return !this.#input.aliases && isConstant(this.#input.module.roots[root]);
  }
}

function isSmall(operation: Operation): boolean {
  return scalarCount(operation.type) <= MOST_SCALARS;
}
