/**
 * What one analysis carries from pass to pass: the tables under construction and the rules that need each other.
 * Private to this folder.
 */
import type { BuiltinRow } from "../builtins/row.ts";
import { DiagnosticList } from "../diagnostics/diagnostic.ts";
import type { DiagnosticFilter } from "../diagnostics/filter.ts";
import type * as ast from "../syntax/ast.ts";
import type { Source } from "../text/source.ts";
import type { OverrideCount, Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type { Target } from "./options.ts";
import type {
  CallInfo,
  Entity,
  EvaluationTime,
  FunctionInfo,
  InterfaceValue,
  MemberInfo,
  OverrideInfo,
  ParameterInfo,
  Program,
  Stage,
  StructInfo,
  ValueInfo,
  VariableInfo,
} from "./program.ts";

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

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A use that only some shader stages allow; checked once it is known which entry points reach it. */
export interface StageUse {
  readonly node: ast.NodeId;
  readonly span: ast.Name["span"];
  readonly what: string;
  readonly stages: readonly Stage[];
  readonly spec: string;
}

/** What is gathered of a function while its body is checked. */
export interface FunctionState {
  readonly info: Mutable<FunctionInfo>;
  /** Call sites of user-defined functions, by callee: the first of each. */
  readonly calls: Map<FunctionInfo, ast.CallExpr>;
  readonly stageUses: StageUse[];
  /** Expressions that pipeline creation has to evaluate or to check. */
  readonly overrideExpressions: ast.Expr[];
}

/** Variables and overrides that a declaration reaches, in order of declaration. */
export interface Accessed {
  readonly variables: readonly VariableInfo[];
  readonly overrides: readonly OverrideInfo[];
}

/** Rules that are mutually recursive across files; `analyze` ties the knot. */
export interface Rules {
  /** Type by the type rules: may be a reference, or `VOID` for a call without result. */
  expression(context: Context, expr: ast.Expr): Type;
  /** The type that a type specifier denotes. */
  typeSpecifier(context: Context, expr: ast.Expr): Type;
  call(context: Context, expr: ast.CallExpr): Type;
}

export interface Context {
  readonly source: Source;
  readonly module: ast.Module;
  readonly target: Target;
  readonly diagnostics: DiagnosticList;
  readonly rules: Rules;
  /** Enable-extensions in force, with those that they imply. */
  readonly enabled: Set<string>;

  readonly typeOf: (Type | null)[];
  readonly usedAs: (Type | null)[];
  readonly constOf: (ConstValue | null)[];
  readonly timeOf: EvaluationTime[];
  readonly rowOf: (BuiltinRow | null)[];
  readonly entityOf: (Entity | null)[];
  readonly callOf: (CallInfo | null)[];
  readonly memberOf: (MemberInfo | null)[];
  readonly declared: (Entity | null)[];
  /** Extensions that are used without being enabled, each reported. */
  readonly missing: Set<string>;

  /** By node id of an identifier expression: the declaration that it resolves to; null: predeclared, or not resolved. */
  readonly targetOf: (Declaration | null)[];

  readonly variables: VariableInfo[];
  readonly overrides: OverrideInfo[];
  readonly structs: StructInfo[];
  readonly functions: FunctionState[];
  /** Expressions at module scope that pipeline creation has to evaluate or to check. */
  readonly overrideExpressions: ast.Expr[];
  readonly overrideCounts: Map<number, OverrideCount>;
  readonly expressionOf: (ast.Expr | null)[];
  /** IO attributes of structure members, by node id of the member. */
  readonly memberInterfaces: Map<number, InterfaceValue>;
  readonly filters: DiagnosticFilter[];

  /** What a declaration reaches; to be asked once all are checked. */
  accessOf: (from: ModuleDeclaration) => Accessed;
  /** The function whose body is being checked. */
  current: FunctionState | null;
  /** Set where an expression is typed but never evaluated: the skipped side of `&&` and `||`. */
  notEvaluated: boolean;
}

export function createContext(source: Source, module: ast.Module, target: Target, rules: Rules): Context {
  const count = module.nodeCount;
  const table = <T>(): (T | null)[] => new Array<T | null>(count).fill(null);
  return {
    source,
    module,
    target,
    diagnostics: new DiagnosticList(),
    rules,
    enabled: new Set(),
    missing: new Set(),
    typeOf: table<Type>(),
    usedAs: table<Type>(),
    constOf: table<ConstValue>(),
    timeOf: new Array<EvaluationTime>(count).fill("const"),
    rowOf: table<BuiltinRow>(),
    entityOf: table<Entity>(),
    callOf: table<CallInfo>(),
    memberOf: table<MemberInfo>(),
    declared: table<Entity>(),
    targetOf: table<Declaration>(),
    variables: [],
    overrides: [],
    structs: [],
    functions: [],
    overrideExpressions: [],
    overrideCounts: new Map(),
    expressionOf: table<ast.Expr>(),
    memberInterfaces: new Map(),
    filters: [],
    accessOf: () => ({ variables: [], overrides: [] }),
    current: null,
    notEvaluated: false,
  };
}

export function programOf(context: Context, rest: Pick<Program, "diagnostics" | "enables" | "requires">): Program {
  return {
    source: context.source,
    module: context.module,
    enables: rest.enables,
    requires: rest.requires,
    diagnostics: rest.diagnostics,
    diagnosticFilters: context.filters,
    functions: context.functions.map((state) => state.info),
    variables: context.variables,
    overrides: context.overrides,
    structs: context.structs,
    entryPoints: context.functions.map((state) => state.info).filter((info) => info.stage !== null),
    typeOf: context.typeOf,
    usedAs: context.usedAs,
    constOf: context.constOf,
    timeOf: context.timeOf,
    rowOf: context.rowOf,
    entityOf: context.entityOf,
    callOf: context.callOf,
    memberOf: context.memberOf,
    declared: context.declared,
    expressionOf: context.expressionOf,
    overrideExpressions: context.overrideExpressions,
  };
}

export type { Entity, FunctionInfo, ParameterInfo, ValueInfo, VariableInfo };
