/**
 * What differs between four neighbours in a phase: values, variables, and the way through the code. What a variable is
 * given where only some are differs too.
 */
import { dependencies } from "./dependencies.ts";
import { Scopes } from "./four-scopes.ts";
import type { Phase } from "./phases.ts";
import type { SimdInput } from "./simd.ts";
import {
  type ControlNode,
  isControl,
  type LabelId,
  type LoopNode,
  listsOf,
  type Node,
  type Operation,
  type ValueId,
  type VariableId,
} from "./tree.ts";

export class Variation {
  readonly values = new Set<ValueId>();
  readonly variables = new Set<VariableId>();
  /** Loops that some may leave while others go on. */
  readonly leftBySome = new Set<LoopNode>();
  /** Ends at which some may have to wait for others. */
  readonly meetings = new Set<LabelId>();
  /** Whether some may take another way than others. */
  divides = false;
  /** Whether there is anything that four cannot do: to go to different clauses of a `switch`. */
  parts = false;
  readonly #input: SimdInput;
  /** Parameters that differ in their first component only: neighbours lie along x. */
  readonly #positions = new Set<ValueId>();
  readonly #loops = new Map<LabelId, LoopNode>();
  #scopes = new Scopes();
  #changed = false;

  constructor(phase: Phase, input: SimdInput) {
    this.#input = input;
    for (const { id, builtin } of input.kernelParameters) {
      if (input.uniformity.values.has(id)) continue;
      this.values.add(id);
      if (builtin === "local_invocation_id" || builtin === "global_invocation_id") this.#positions.add(id);
    }
    for (const id of phase.fetchedValues) this.values.add(id);
    for (const id of [...phase.fetched, ...phase.kept]) this.variables.add(id);
    do {
      this.#changed = false;
      this.#scopes = new Scopes();
      for (const id of phase.recomputed) this.#operation(input.operations.get(id)!);
      this.#list(phase.nodes);
    } while (this.#changed);
  }

  #list(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (isControl(node)) this.#control(node);
      else this.#operation(node);
    }
  }

  #control(node: ControlNode): void {
    switch (node.kind) {
      case "if": {
        const visit = (): void => {
          for (const list of listsOf(node)) this.#list(list);
        };
        if (this.values.has(node.condition)) {
          this.divides = true;
          this.#scopes.inChoice(visit);
        } else visit();
        break;
      }
      case "switch":
        if (this.values.has(node.selector)) this.parts = true;
        this.#scopes.enter(node.label);
        for (const { body } of node.clauses) this.#list(body);
        this.#scopes.leave();
        break;
      case "block":
        this.#scopes.enter(node.label);
        this.#list(node.body);
        this.#scopes.leave();
        break;
      case "loop":
        this.#loop(node);
        break;
      case "jump":
        if (this.#scopes.someOf(node.label)) this.#jump(node.label);
        break;
    }
  }

  #loop(node: LoopNode): void {
    this.#loops.set(node.label, node);
    this.#scopes.enter(node.label, this.leftBySome.has(node));
    this.#scopes.enter(node.continueLabel);
    this.#list(node.body);
    this.#scopes.leave();
    this.#list(node.continuing);
    if (node.breakIf !== null && this.values.has(node.breakIf)) this.#jump(node.label);
    this.#scopes.leave();
  }

  #jump(label: LabelId): void {
    this.divides = true;
    this.#add(this.meetings, label);
    for (const scope of this.#scopes.jump(label)) {
      const loop = this.#loops.get(scope.label);
      if (loop !== undefined) this.#add(this.leftBySome, loop);
    }
  }

  #operation(operation: Operation): void {
    const { pointers, uniformity } = this.#input;
    const { id } = operation;
    if (uniformity.values.has(id)) return;
    if (operation.kind === "store") {
      const { base } = pointers[operation.pointer]!;
      if (base.kind !== "variable") return;
      if (this.#scopes.some || this.#differs(operation)) this.#add(this.variables, base.variable);
    } else if (this.#differs(operation)) this.#add(this.values, id);
  }

  #differs(operation: Operation): boolean {
    const { pointers } = this.#input;
    if (operation.kind === "extract" && operation.index > 0 && this.#positions.has(operation.operand)) return false;
    if (operation.kind === "load") {
      const { base } = pointers[operation.pointer]!;
      if (base.kind === "variable" && this.variables.has(base.variable)) return true;
    }
    return dependencies(operation, pointers).some((id) => this.values.has(id));
  }

  #add<T>(to: Set<T>, item: T): void {
    if (to.has(item)) return;
    to.add(item);
    this.#changed = true;
  }
}
