/** Small questions to the tables that several rules ask. */
import type * as ast from "../syntax/ast.ts";
import type { StructType } from "../types/type.ts";
import type { Context } from "./context.ts";
import { RUNTIME, type Time, type Times } from "./fact-table.ts";

/** When the last of some expressions is known. */
export function latest(times: Times): Time {
  return (times & RUNTIME) !== 0 ? RUNTIME : (times as Time);
}

/** The declaration of a structure type; null for the results of builtin functions. */
export function structOf(context: Context, type: StructType): ast.StructDecl | null {
  const entity = type.declaration === null ? null : context.facts.declared(type.declaration);
  return entity?.kind === "struct" ? entity.declaration : null;
}
