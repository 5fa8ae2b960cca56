/** How uniform the inputs of an entry point are. spec: #uniformity-expressions */
import { builtinValues } from "../../builtins/builtin-values.ts";
import type { FunctionInfo, ParameterInfo } from "../program.ts";

/** The same for all invocations of the workgroup, at least of the subgroup, or not. */
export type InputUniformity = "workgroup" | "subgroup" | "none";

const ORDER: readonly InputUniformity[] = ["workgroup", "subgroup", "none"];

/** Members of one parameter are not told apart: the least uniform decides. */
export function inputsOf(info: FunctionInfo): readonly InputUniformity[] {
  return info.params.map((param) => {
    const worst = partsOf(info, param).map((part) => ORDER.indexOf(inputUniformity(info, part.builtin)));
    return ORDER[Math.max(0, ...worst)];
  });
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
  const value = builtinValues(builtin).find((use) => use.stage === info.stage && use.direction === "input");
  return value?.uniform ?? "none";
}
