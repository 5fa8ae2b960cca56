/** Small questions to the tables that several rules ask. */
import type * as ast from "../syntax/ast.ts";
import type { StructType } from "../types/type.ts";
import type { Context } from "./context.ts";
import { CONST, later, type Time } from "./fact-table.ts";

/** When the last of some expressions is known. */
export function latest(context: Context, parts: readonly ast.Expr[]): Time {
  let time: Time = CONST;
  for (const part of parts) time = later(time, context.facts.time(part.id));
  return time;
}

/** The declaration of a structure type; null for the results of builtin functions. */
export function structOf(context: Context, type: StructType): ast.StructDecl | null {
  const entity = type.declaration === null ? null : context.facts.declared(type.declaration);
  return entity?.kind === "struct" ? entity.declaration : null;
}
