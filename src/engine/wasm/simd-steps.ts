/** How indices go from one invocation to the next, and so which parts of memory an invocation has to itself. */
import type { Pointer } from "./pointers.ts";
import type { SimdInput } from "./simd.ts";
import type { Operation, ValueId } from "./tree.ts";

/** A value as text: two with the same text are equal. `step`: how much larger it is for the next invocation. */
interface Form {
  readonly text: string;
  readonly step: number;
}

const LARGEST_STEP = 2 ** 20;

export class Steps {
  readonly #input: SimdInput;
  readonly #forms = new Map<ValueId, Form | null>();

  constructor(input: SimdInput) {
    this.#input = input;
  }

  /** null: not by the same number from each invocation to the next one, or it may change while a phase runs. */
  stepOf(id: ValueId): number | null {
    return this.#form(id)?.step ?? null;
  }

  /**
   * A name for a part of memory of which each invocation has its own piece, and touches nothing else of it: elements of
   * an array that are counted up with the invocations, in the same place. null: there is no such part.
   */
  ownPart({ terms }: Pointer): string | null {
    const outer: string[] = [];
    for (const { index, stride } of terms) {
      const form = this.#form(index);
      if (form === null) return null;
      outer.push(`${stride}[${form.text}]`);
      // What an invocation does inside of its own element is its own affair.
      if (form.step === 1) return outer.join();
      if (form.step !== 0) return null;
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
    if (builtin === "local_invocation_index") return { text: "local", step: 1 };
    const operation = operations.get(id);
    switch (operation?.kind) {
      case "const":
        return typeof operation.value.value === "number" ? { text: String(operation.value.value), step: 0 } : null;
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
    return this.#input.uniformity.values.has(id) ? { text: `%${id}`, step: 0 } : null;
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
        return { text: `${builtin}.${index}`, step: index === 0 ? 1 : 0 };
      case "workgroup_id":
      case "num_workgroups":
        return { text: `${builtin}.${index}`, step: 0 };
      default:
        return null;
    }
  }

  #binary({ operator, left, right, type }: Extract<Operation, { kind: "binary" }>): Form | null {
    if (type.kind !== "i32" && type.kind !== "u32") return null;
    const [a, b] = [this.#form(left), this.#form(right)];
    if (a === null || b === null) return null;
    const text = `(${a.text}${operator}${b.text})`;
    const made = (step: number): Form | null => (Math.abs(step) > LARGEST_STEP ? null : { text, step });
    switch (operator) {
      case "+":
        return made(a.step + b.step);
      case "-":
        return made(a.step - b.step);
      case "*": {
        const [factor, other] = a.step === 0 ? [a, b] : [b, a];
        if (factor.step !== 0) return null;
        if (other.step === 0) return made(0);
        return /^-?\d+$/.test(factor.text) ? made(other.step * Number(factor.text)) : null;
      }
      default:
        return a.step === 0 && b.step === 0 ? made(0) : null;
    }
  }
}
