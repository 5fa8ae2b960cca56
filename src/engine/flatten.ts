/**
 * IR to flat code. Every function has slots of its own in the invocation's frame (there is no recursion), its values until
 * nobody needs them any more, so that the state of an invocation is its position and its frame, and a snapshot is a copy.
 * Constants are in the frame from the start; parts of values are named by their slots. What costs an instruction is arithmetic, dynamic indexing,
 * memory and control flow.
 */
import type { IrModule } from "../ir/ir.ts";
import { MadeModules } from "../ir/made-modules.ts";
import type { FlatProgram } from "./flat.ts";
import { FlatBuilder } from "./flat-builder.ts";
import { type Callee, flattenFunction } from "./flatten-function.ts";
import { constantBits, scalarCount } from "./flatten-values.ts";

const made = new MadeModules<FlatProgram>();

/** The flat program of a module; the same as long as somebody has it. */
export function flatten(module: IrModule): FlatProgram {
  return made.get(module, "", () => flattenModule(module));
}

function flattenModule(module: IrModule): FlatProgram {
  const builder = new FlatBuilder(module);
  // First of all, so that a workgroup that starts knows what to bring back.
  const privateSlots = placePrivateVariables(builder);
  const privateSize = builder.slots(0);
  const callees: Callee[] = [];
  const context = { builder, callees, privateSlots };
  for (const fn of module.functions) callees.push(flattenFunction(context, fn, fn.id === module.entryPoint));
  const entryPoint = module.functions[module.entryPoint];
  const entry = callees[module.entryPoint];
  return builder.finish({
    start: entry.start,
    functions: callees.map(({ start, returnSlot, values, locals }) => ({ start, returnSlot, values, locals })),
    privateSlots,
    privateSize,
    builtins: entryPoint.params.map((param) => ({ name: param.builtin ?? param.name, slots: entry.values[param.id]! })),
  });
}

function placePrivateVariables(builder: FlatBuilder): Int32Array {
  const slots = new Int32Array(builder.module.roots.length).fill(-1);
  for (const root of builder.module.roots) {
    if (root.space !== "private") continue;
    const first = builder.slots(scalarCount(root.type));
    slots[root.id] = first;
    if (root.initializer === null) continue;
    for (const [index, bits] of constantBits(root.initializer).entries()) builder.initialize(first + index, bits);
  }
  return slots;
}
