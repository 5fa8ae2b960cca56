/** What the lowering of a module and of one of its functions carries along. Private to this folder. */
import type { FunctionInfo, OverrideInfo, Program, VariableInfo } from "../analysis/program.ts";
import type { NodeId } from "../syntax/ast.ts";
import type { Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type { FunctionBuilder } from "./builder.ts";
import type { InstId, IrFunction, LocalId, RootId } from "./ir.ts";

export interface ModuleScope {
  readonly program: Program;
  /** The type with override counts resolved; of a reference, the pointer type. */
  resolve(type: Type): Type;
  override(info: OverrideInfo): ConstValue;
  root(variable: VariableInfo): RootId;
  /** The function for these roots of its pointer parameters (null for all others), lowered when first asked for. */
  specialise(info: FunctionInfo, roots: readonly (RootId | null)[]): IrFunction;
}

export interface FunctionScope {
  readonly module: ModuleScope;
  readonly builder: FunctionBuilder;
  /** Values of parameters and `let`s by node id of their declaration. */
  readonly values: Map<NodeId, InstId>;
  /** Variables by node id of their declaration. */
  readonly locals: Map<NodeId, LocalId>;
}
