/** How uniform the inputs of an entry point are. spec: #uniformity-expressions */
import { builtinValues } from "../../builtins/builtin-values.ts";
import type { FunctionInfo, ParameterInfo } from "../program.ts";

/** The same for all invocations of the workgroup, at least of the subgroup, or not. */
export type InputUniformity = "workgroup" | "subgroup" | "none";

const ORDER: readonly InputUniformity[] = ["workgroup", "subgroup", "none"];

/** Members of one parameter are not told apart: the least uniform decides. */
export function inputsOf(info: FunctionInfo): readonly InputUniformity[] {
  const uniformities: InputUniformity[] = [];
  for (const param of info.params) {
    let worst = 0;
    for (const part of partsOf(info, param))
      worst = Math.max(worst, ORDER.indexOf(inputUniformity(info, part.builtin)));
    uniformities.push(ORDER[worst]);
  }
  return uniformities;
}

/** The inputs that one parameter brings: a structure brings as many as it has members. */
export function partsOf(owner: FunctionInfo, param: ParameterInfo): FunctionInfo["inputs"] {
  let at = 0;
  for (const other of owner.params) {
    const count = other.type.kind === "struct" ? other.type.members.length : 1;
    if (other === param) return owner.inputs.slice(at, at + count);
    at += count;
  }
  return [];
}

export function inputUniformity(info: FunctionInfo, builtin: string | null): InputUniformity {
  if (builtin === null) return "none";
  for (const use of builtinValues(builtin)) {
    if (use.stage === info.stage && use.direction === "input") return use.uniform;
  }
  return "none";
}
