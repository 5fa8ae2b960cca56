/** Says of a source of divergence what it is. */
import { type Note, note } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import type { FunctionInfo, ParameterInfo, VariableInfo } from "../program.ts";
import type { Explanation } from "./explanation.ts";
import type { Reason } from "./graph.ts";
import { inputUniformity, partsOf } from "./inputs.ts";

export function sourceNotes(context: Explanation, source: Reason): readonly Note[] {
  if (source.kind === "call" && context.program.rowOf[source.id] !== null) return [callNote(context, source)];
  const root = context.roots.of(source as ast.Expr);
  const entity = source.kind === "identifier" ? context.program.entityOf[source.id] : null;
  if (root?.kind === "variable") return [variableNote(root, source)];
  if (root?.kind === "parameter" && root.type.kind === "pointer") {
    const { name, type } = root;
    return [note("source-pointer", source.span, { name, space: type.space })];
  }
  return entity?.kind === "parameter" ? inputNotes(context, entity, source) : [];
}

function callNote(context: Explanation, call: ast.CallExpr): Note {
  const name = call.text;
  const { result } = context.program.rowOf[call.id]!.uniformity;
  const inSubgroup = result === "subgroup" && context.graphs.subgroups;
  return note(inSubgroup ? "source-uniform-in-subgroup" : "source-call", call.callee.span, { name });
}

function variableNote(root: VariableInfo, source: Reason): Note {
  const { name } = root;
  const code =
    root.space === "workgroup" ? "source-workgroup" : root.space === "private" ? "source-private" : "source-storage";
  return note(code, source.span, { name });
}

function inputNotes(context: Explanation, param: ParameterInfo, source: Reason): readonly Note[] {
  const owner = ownerOf(context, param);
  const { name } = param;
  if (param.type.kind === "struct") {
    const all = partsOf(owner, param);
    const differing = all.filter((input) => inputUniformity(owner, input.builtin) !== "workgroup");
    const [part] = differing;
    if (part === undefined) return [];
    // Where each of its members differs, whichever was meant does.
    if (all.length > 1 && differing.length === all.length) {
      return [note("source-input", source.span, { name, stage: owner.stage! })];
    }
    return [note("source-parts", source.span, { name, part: part.builtin ?? part.name })];
  }
  if (param.builtin === null) return [note("source-input", source.span, { name, stage: owner.stage! })];
  if (inputUniformity(owner, param.builtin) === "subgroup" && context.graphs.subgroups) {
    return [note("source-uniform-in-subgroup", source.span, { name: param.builtin })];
  }
  return [note("source-builtin-value", source.span, { name, builtin: param.builtin })];
}

export function ownerOf(context: Explanation, param: ParameterInfo): FunctionInfo {
  return context.program.functions.find((info) => info.params.includes(param))!;
}
