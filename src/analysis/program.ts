/**
 * What analysis knows of a module: immutable, the end of the road for editors and `check`, the start for everything that
 * runs. Facts about nodes stand in tables by node id.
 */
import type { BuiltinCall, BuiltinRow } from "../builtins/row.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { DiagnosticFilter } from "../diagnostics/filter.ts";
import type * as ast from "../syntax/ast.ts";
import type { Source, Span } from "../text/source.ts";
import type { AccessMode, AddressSpace, StructType, Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type { Target } from "./options.ts";

export type Stage = "compute" | "vertex" | "fragment";

/** When the value of an expression is known at the earliest. spec: #early-eval-exprs */
export type EvaluationTime = "const" | "override" | "runtime";

/** What has a name that an identifier can resolve to. */
export type Declaration =
  | ast.VarDecl
  | ast.LetDecl
  | ast.ConstDecl
  | ast.OverrideDecl
  | ast.AliasDecl
  | ast.StructDecl
  | ast.FunctionDecl
  | ast.Param;

export type ModuleDeclaration = Exclude<Declaration, ast.LetDecl | ast.Param>;

/** What an identifier means where it stands. */
export type Entity =
  | VariableInfo
  | ValueInfo
  | OverrideInfo
  | ParameterInfo
  | FunctionInfo
  | StructInfo
  | AliasInfo
  | BuiltinTypeInfo
  | BuiltinFunctionInfo
  | EnumerantInfo;

/** What every module finds declared. spec: #predeclared */
export type PredeclaredEntity = BuiltinTypeInfo | BuiltinFunctionInfo | EnumerantInfo;

/** A `var`, at module scope (`scope: "module"`) or in a function. */
export interface VariableInfo {
  readonly kind: "variable";
  readonly scope: "module" | "function";
  readonly declaration: ast.VarDecl;
  readonly name: string;
  readonly space: AddressSpace;
  readonly access: AccessMode;
  readonly type: Type;
  /** Of resources; null for all other variables. */
  readonly group: number | null;
  readonly binding: number | null;
}

/** A `let` or `const`. */
export interface ValueInfo {
  readonly kind: "value";
  readonly declaration: ast.LetDecl | ast.ConstDecl;
  readonly name: string;
  readonly type: Type;
  /** The value of a `const`; null for `let` and where evaluation failed. */
  readonly value: ConstValue | null;
}

export interface OverrideInfo {
  readonly kind: "override";
  readonly declaration: ast.OverrideDecl;
  readonly name: string;
  /** From `@id`; null when it is addressed by name. */
  readonly pipelineId: number | null;
  readonly type: Type;
  /** The default, where it is a const-expression; null: none or an override-expression (see declaration.initializer). */
  readonly defaultValue: ConstValue | null;
}

export interface ParameterInfo {
  readonly kind: "parameter";
  readonly declaration: ast.Param;
  readonly index: number;
  readonly name: string;
  readonly type: Type;
  /** `@builtin(...)` name, on parameters of entry points. */
  readonly builtin: string | null;
}

export interface FunctionInfo {
  readonly kind: "function";
  readonly declaration: ast.FunctionDecl;
  readonly name: string;
  readonly params: readonly ParameterInfo[];
  readonly returnType: Type;
  readonly stage: Stage | null;
  /** Functions called directly, each once, in order of first call. */
  readonly callees: readonly FunctionInfo[];
  /** Module-scope variables and overrides used by this function or anything that it calls, in order of declaration. */
  readonly usedVariables: readonly VariableInfo[];
  readonly usedOverrides: readonly OverrideInfo[];
  /** Entry points: the expressions of `@workgroup_size`, one to three. */
  readonly workgroupSize: readonly ast.Expr[];
  readonly subgroupSize: ast.Expr | null;
  readonly mustUse: boolean;
  /** Whether it calls, itself, what has to be reached in uniform control flow. spec: #uniformity-function-calls */
  readonly requiresUniformity: boolean;
  /** Of entry points: what they take and give, structures taken apart. spec: #stage-inputs-outputs */
  readonly inputs: readonly InterfaceValue[];
  readonly outputs: readonly InterfaceValue[];
  /** Expressions in its declaration that pipeline creation has to evaluate, or to check, with overrides known. */
  readonly overrideExpressions: readonly ast.Expr[];
}

/** A parameter, result, or structure member with an IO attribute. */
export interface InterfaceValue {
  readonly name: string;
  readonly type: Type;
  readonly span: Span;
  readonly builtin: string | null;
  readonly location: number | null;
  readonly blendSource: number | null;
  /** As written; null when there is no `@interpolate`. */
  readonly interpolation: { readonly type: string; readonly sampling: string | null } | null;
  readonly invariant: boolean;
}

export interface StructInfo {
  readonly kind: "struct";
  readonly declaration: ast.StructDecl;
  readonly name: string;
  readonly type: StructType;
}

export interface AliasInfo {
  readonly kind: "alias";
  readonly declaration: ast.AliasDecl;
  readonly name: string;
  readonly type: Type;
}

/** A predeclared type or type-generator: `f32`, `vec3`, `vec3f`, `array`, `texture_2d`. */
export interface BuiltinTypeInfo {
  readonly kind: "builtin-type";
  readonly name: string;
}

export interface BuiltinFunctionInfo {
  readonly kind: "builtin-function";
  readonly name: string;
}

/** `read_write`, `storage`, `rgba8unorm` … */
export interface EnumerantInfo {
  readonly kind: "enumerant";
  readonly name: string;
}

/** What a call means. */
export type CallInfo = { readonly kind: "function"; readonly function: FunctionInfo } | BuiltinCall;

/** A member expression: a structure member by index, or a swizzle by component indices. */
export type MemberInfo =
  | { readonly kind: "member"; readonly index: number }
  | { readonly kind: "swizzle"; readonly components: readonly number[] };

export interface Program {
  readonly source: Source;
  readonly module: ast.Module;
  readonly diagnostics: readonly Diagnostic[];
  readonly diagnosticFilters: readonly DiagnosticFilter[];
  /** What the caller said about where it is to run. */
  readonly target: Target;
  /** Names in `enable` and `requires` directives. */
  readonly enables: readonly string[];
  readonly requires: readonly string[];
  /** Module-scope declarations in dependency order: what is used comes before its user. */
  readonly functions: readonly FunctionInfo[];
  readonly variables: readonly VariableInfo[];
  readonly overrides: readonly OverrideInfo[];
  readonly structs: readonly StructInfo[];
  readonly entryPoints: readonly FunctionInfo[];
  /**
   * By node id. Type of an expression by the type rules: a reference type for a memory view, an abstract type where it
   * is abstract; null for nodes that are no expressions (types, functions).
   */
  readonly typeOf: readonly (Type | null)[];
  /**
   * By node id. Type of the value that the expression hands to what contains it: after the load rule and after the
   * automatic conversion chosen by overload resolution (never abstract where the program runs). Equals `typeOf` where
   * nothing happens; a reference where the context wants the memory view itself (left side of an assignment, `&x`, `x.y`).
   */
  readonly usedAs: readonly (Type | null)[];
  /** By node id. Value of a const-expression (of type `typeOf`), else null. */
  readonly constOf: readonly (ConstValue | null)[];
  /** By node id of an expression: when its value is known. */
  readonly timeOf: readonly EvaluationTime[];
  /** By node id of a unary or binary operator, or of a call of a builtin function or constructor: the overload chosen. */
  readonly rowOf: readonly (BuiltinRow | null)[];
  /** By node id of an identifier expression. */
  readonly entityOf: readonly (Entity | null)[];
  /** By node id of a call expression. */
  readonly callOf: readonly (CallInfo | null)[];
  /** By node id of a member expression. */
  readonly memberOf: readonly (MemberInfo | null)[];
  /** By node id of a declaration (`var`, `let`, `const`, `override`, `param`, `function`, `struct`, `alias`). */
  readonly declared: readonly (Entity | null)[];
  /** By node id: the expression itself. */
  readonly expressionOf: readonly (ast.Expr | null)[];
  /** Expressions at module scope that pipeline creation has to evaluate, or to check, with overrides known. */
  readonly overrideExpressions: readonly ast.Expr[];
}

/** As `check` gives it. */
export function isProgram(value: unknown): value is Program {
  return typeof value === "object" && value !== null && "source" in value && "entryPoints" in value;
}
