/** What a debugger shows of an invocation that has stopped: its variables, call by call. */
import { partCount, partType } from "../ir/builder.ts";
import type { InstId } from "../ir/ir.ts";
import type { Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type { Execution } from "./execution.ts";
import { partOf, scalarCount, type Value } from "./flatten-values.ts";
import type { Workgroup } from "./workgroup.ts";

export interface Inspected {
  readonly name: string;
  readonly kind: "parameter" | "local" | "private";
  readonly value: ConstValue;
}

/** The value that `slots` hold in the frame of an invocation. */
export function valueIn(workgroup: Workgroup, local: number, type: Type, slots: Value): ConstValue {
  const [i32, u32, f32] = workgroup.views;
  const at = local * workgroup.frameSize + slots[0];
  switch (type.kind) {
    case "bool":
      return { type, value: i32[at] !== 0 };
    case "i32":
      return { type, value: i32[at] };
    case "u32":
      return { type, value: u32[at] };
    case "f32":
    case "f16":
      return { type, value: f32[at] };
    default: {
      const parts = Array.from({ length: partCount(type) }, (_, index) =>
        valueIn(workgroup, local, partType(type, index), partOf(slots, type, index)),
      );
      return { type, value: parts };
    }
  }
}

/** The value of an instruction of a function that the invocation is in; null where it has none (pointers). */
export function instructionValue(
  execution: Execution,
  workgroup: Workgroup,
  local: number,
  at: { readonly function: number; readonly instruction: InstId; readonly type: Type },
): ConstValue | null {
  const slots = execution.program.functions[at.function].values[at.instruction];
  return slots === null ? null : valueIn(workgroup, local, at.type, slots);
}

/**
 * Parameters and variables of each active function, innermost first, private variables behind the entry point's. A
 * variable whose declaration has not been reached holds anything. Names that lowering made are left out, as are pointers.
 */
export function variablesOf(execution: Execution, workgroup: Workgroup, local: number): Inspected[][] {
  const { program } = execution;
  const { module } = program;
  const frames = execution.place(workgroup, local).calls.map(({ function: id }) => {
    const fn = module.functions[id];
    const flat = program.functions[id];
    const found: Inspected[] = [];
    for (const { id: instruction, name, type } of fn.params) {
      const value = instructionValue(execution, workgroup, local, { function: id, instruction, type });
      if (value !== null) found.push({ name, kind: "parameter", value });
    }
    for (const { id: index, name, type } of fn.locals) {
      if (name.startsWith("$")) continue;
      found.push({ name, kind: "local", value: valueIn(workgroup, local, type, range(flat.locals[index], type)) });
    }
    return found;
  });
  const globals = module.roots.filter((root) => root.space === "private");
  for (const { id, name, type } of globals) {
    const value = valueIn(workgroup, local, type, range(program.privateSlots[id], type));
    frames.at(-1)!.push({ name, kind: "private", value });
  }
  return frames;
}

function range(first: number, type: Type): Value {
  return Array.from({ length: scalarCount(type) }, (_, index) => first + index);
}
