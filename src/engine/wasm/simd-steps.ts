/** How indices go from one invocation to the next, and so which parts of memory an invocation has to itself. */
import type { Pointer } from "./pointers.ts";
import type { SimdInput } from "./simd.ts";
import { eachOperation, isControl, listsOf, type Node, type Operation, type ValueId, type VariableId } from "./tree.ts";

/**
 * A value as `text` + `plus`: of two with the same text the difference is known. `step`: how much larger it is for the
 * next invocation.
 */
interface Form {
  readonly text: string;
  readonly step: number;
  readonly plus: number;
}

/**
 * Of an array, elements `place` + n · `step` from somewhere that `name` names, for invocation n: so invocations whose places
 * are less than a step apart do not meet.
 */
export interface OwnPart {
  readonly name: string;
  readonly step: number;
  readonly place: number;
}

const LARGEST_STEP = 2 ** 20;

export class Steps {
  readonly #input: SimdInput;
  readonly #stored: ReadonlyMap<ValueId, ValueId>;
  readonly #forms = new Map<ValueId, Form | null>();

  /** `nodes`: of the whole phase. */
  constructor(nodes: readonly Node[], input: SimdInput) {
    this.#input = input;
    this.#stored = storedValues(nodes, input);
  }

  /** null: not by the same number from each invocation to the next one, or it may change while a phase runs. */
  stepOf(id: ValueId): number | null {
    return this.#form(id)?.step ?? null;
  }

  /** What an invocation touches of an array through the pointer, where that is counted up with the invocations. */
  ownPart({ terms }: Pointer): OwnPart | null {
    const outer: string[] = [];
    for (const { index, stride } of terms) {
      const form = this.#form(index);
      if (form === null) return null;
      const { text, step, plus } = form;
      // What an invocation does inside of its own element is its own affair.
      if (step > 0) return { name: `${outer.join()} ${stride}[${text}]`, step, place: plus };
      if (step !== 0) return null;
      outer.push(`${stride}[${whole(form)}]`);
    }
    return null;
  }

  #form(id: ValueId): Form | null {
    let form = this.#forms.get(id);
    if (form === undefined) {
      form = this.#formOf(id);
      this.#forms.set(id, form);
    }
    return form;
  }

  #formOf(id: ValueId): Form | null {
    const { operations, uniformity } = this.#input;
    const builtin = this.#builtinOf(id);
    if (builtin === "local_invocation_index") return { text: "local", step: 1, plus: 0 };
    const operation = operations.get(id);
    switch (operation?.kind) {
      case "const":
        return typeof operation.value.value === "number"
          ? { text: "", step: 0, plus: operation.value.value | 0 }
          : null;
      case "load": {
        const value = this.#stored.get(id);
        return value === undefined ? this.#whole(id) : this.#form(value);
      }
      case "extract":
        return this.#component(operation) ?? this.#whole(id);
      case "convert":
      case "bitcast":
        return this.#isInteger(operation) && this.#isInteger(operations.get(operation.operand))
          ? this.#form(operation.operand)
          : this.#whole(id);
      case "binary":
        return this.#binary(operation) ?? this.#whole(id);
      default:
        return uniformity.values.has(id) ? this.#whole(id) : null;
    }
  }

  /** Computed once for all invocations: the value is its own name. */
  #whole(id: ValueId): Form | null {
    return this.#input.uniformity.values.has(id) ? { text: `%${id}`, step: 0, plus: 0 } : null;
  }

  #builtinOf(id: ValueId): string | null {
    return this.#input.kernelParameters.find((parameter) => parameter.id === id)?.builtin ?? null;
  }

  #isInteger(operation: Operation | undefined): boolean {
    return operation === undefined || operation.type.kind === "i32" || operation.type.kind === "u32";
  }

  #component({ operand, index }: Extract<Operation, { kind: "extract" }>): Form | null {
    const builtin = this.#builtinOf(operand);
    switch (builtin) {
      case "local_invocation_id":
      case "global_invocation_id":
        return { text: `${builtin}.${index}`, step: index === 0 ? 1 : 0, plus: 0 };
      case "workgroup_id":
      case "num_workgroups":
        return { text: `${builtin}.${index}`, step: 0, plus: 0 };
      default:
        return null;
    }
  }

  #binary({ operator, left, right, type }: Extract<Operation, { kind: "binary" }>): Form | null {
    if (type.kind !== "i32" && type.kind !== "u32") return null;
    const [a, b] = [this.#form(left), this.#form(right)];
    if (a === null || b === null) return null;
    const made = (text: string, step: number, plus: number): Form | null =>
      Math.abs(step) > LARGEST_STEP ? null : { text, step, plus: plus | 0 };
    switch (operator) {
      case "+":
        return made(a.text && b.text ? `(${a.text}+${b.text})` : a.text || b.text, a.step + b.step, a.plus + b.plus);
      case "-":
        return made(b.text ? `(${a.text}-${b.text})` : a.text, a.step - b.step, a.plus - b.plus);
      case "*": {
        const [factor, other] = isNumber(a) ? [a, b] : [b, a];
        if (isNumber(factor)) {
          const { plus } = factor;
          return made(other.text && `(${other.text}*${plus})`, other.step * plus, Math.imul(other.plus, plus));
        }
        break;
      }
    }
    return a.step === 0 && b.step === 0 ? made(`(${whole(a)}${operator}${whole(b)})`, 0, 0) : null;
  }
}

function isNumber({ text, step }: Form): boolean {
  return text === "" && step === 0;
}

function whole({ text, plus }: Form): string {
  return `${text}+${plus}`;
}

/** Of loads from variables, what was stored there last, where that is certain. */
function storedValues(nodes: readonly Node[], { pointers, variables }: SimdInput): ReadonlyMap<ValueId, ValueId> {
  const found = new Map<ValueId, ValueId>();
  const variableOf = (pointer: ValueId): VariableId | null => {
    const { base } = pointers[pointer]!;
    return base.kind === "variable" ? base.variable : null;
  };
  const visit = (list: readonly Node[], known: Map<VariableId, ValueId>): void => {
    for (const node of list) {
      if (isControl(node)) {
        eachOperation([node], (operation) => {
          if (operation.kind !== "store") return;
          const variable = variableOf(operation.pointer);
          if (variable !== null) known.delete(variable);
        });
        for (const inner of listsOf(node)) visit(inner, new Map(known));
      } else if (node.kind === "load" || node.kind === "store") {
        const variable = variableOf(node.pointer);
        if (variable === null) continue;
        const isWhole = pointers[node.pointer]!.type === variables[variable].type;
        if (node.kind === "store") {
          if (isWhole) known.set(variable, node.value);
          else known.delete(variable);
        } else if (isWhole && known.has(variable)) found.set(node.id, known.get(variable)!);
      }
    }
  };
  visit(nodes, new Map());
  return found;
}
