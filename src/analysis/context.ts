/**
 * What one analysis carries from pass to pass: the tables under construction and the rules that need each other.
 * Private to this folder.
 */
import type { BuiltinRow } from "../builtins/row.ts";
import { type Diagnostic, DiagnosticList } from "../diagnostics/diagnostic.ts";
import type { DiagnosticFilter } from "../diagnostics/filter.ts";
import type * as ast from "../syntax/ast.ts";
import { expressionsById } from "../syntax/walk.ts";
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
  PredeclaredEntity,
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

/** A call of a function that takes a pointer. */
export interface PointerCall {
  readonly call: ast.CallExpr;
  readonly callee: FunctionInfo;
}

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
  readonly callOf: (CallInfo | null)[];
  readonly memberOf: (MemberInfo | null)[];
  readonly declared: (Entity | null)[];
  /** Extensions that are used without being enabled, each reported. */
  readonly missing: Set<string>;

  /**
   * By node id of an identifier expression: what it resolves to; null: nothing. Once every declaration has its entity,
   * the entities take the place of the declarations, and this becomes the table `entityOf` of the program.
   */
  readonly resolvedTo: (Declaration | PredeclaredEntity | null)[];
  /** Calls of functions that take pointers. */
  readonly pointerCalls: PointerCall[];

  readonly variables: VariableInfo[];
  readonly overrides: OverrideInfo[];
  readonly structs: StructInfo[];
  readonly functions: FunctionState[];
  /** Expressions at module scope that pipeline creation has to evaluate or to check. */
  readonly overrideExpressions: ast.Expr[];
  readonly overrideCounts: Map<number, OverrideCount>;
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

const MOST_KEPT = 1 << 16;

/** Makes arrays of one value: copied from a longer one, which is quicker than to fill them. */
function tableOf<Value>(value: Value): (count: number) => Value[] {
  let longest: Value[] = [];
  return (count) => {
    if (count > MOST_KEPT) return new Array<Value>(count).fill(value);
    if (count > longest.length) longest = new Array<Value>(Math.min(2 * count, MOST_KEPT)).fill(value);
    return longest.slice(0, count);
  };
}

const nulls = tableOf(null);
const constants = tableOf<EvaluationTime>("const");

export function createContext(source: Source, module: ast.Module, target: Target, rules: Rules): Context {
  const count = module.nodeCount;
  const table = <T>(): (T | null)[] => nulls(count);
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
    timeOf: constants(count),
    rowOf: table<BuiltinRow>(),
    callOf: table<CallInfo>(),
    memberOf: table<MemberInfo>(),
    declared: table<Entity>(),
    resolvedTo: table<Declaration | PredeclaredEntity>(),
    pointerCalls: [],
    variables: [],
    overrides: [],
    structs: [],
    functions: [],
    overrideExpressions: [],
    overrideCounts: new Map(),
    memberInterfaces: new Map(),
    filters: [],
    accessOf: () => ({ variables: [], overrides: [] }),
    current: null,
    notEvaluated: false,
  };
}

/** The declaration that an identifier expression resolves to; null: predeclared, or nothing. */
export function declarationOf(context: Context, identifier: ast.IdentifierExpr): Declaration | null {
  const found = context.resolvedTo[identifier.id];
  return found === null || isPredeclared(found) ? null : found;
}

/** What an identifier expression means that nothing in the module declares; null otherwise. */
export function predeclaredOf(context: Context, identifier: ast.IdentifierExpr): PredeclaredEntity | null {
  const found = context.resolvedTo[identifier.id];
  return found !== null && isPredeclared(found) ? found : null;
}

export function isPredeclared(meaning: Declaration | PredeclaredEntity): meaning is PredeclaredEntity {
  switch (meaning.kind) {
    case "builtin-type":
    case "builtin-function":
    case "enumerant":
      return true;
    default:
      return false;
  }
}

/** Now that every declaration has its entity, every identifier gets the one that it denotes. */
export function nameEntities({ resolvedTo, declared }: Context): void {
  const entities: (Declaration | Entity | null)[] = resolvedTo;
  for (let id = 0; id < resolvedTo.length; id++) {
    const found = resolvedTo[id];
    if (found !== null && !isPredeclared(found)) entities[id] = declared[found.id];
  }
}

/**
 * A class for the sake of what is found only when asked for. A getter in a literal would give each object a shape of its
 * own, which keeps the whole program from being collected for long.
 */
class CheckedProgram implements Mutable<Program> {
  readonly source: Source;
  readonly module: ast.Module;
  readonly target: Target;
  enables: readonly string[];
  requires: readonly string[];
  diagnostics: readonly Diagnostic[];
  readonly diagnosticFilters: readonly DiagnosticFilter[];
  readonly functions: readonly FunctionInfo[];
  readonly variables: readonly VariableInfo[];
  readonly overrides: readonly OverrideInfo[];
  readonly structs: readonly StructInfo[];
  readonly entryPoints: readonly FunctionInfo[];
  readonly typeOf: Program["typeOf"];
  readonly usedAs: Program["usedAs"];
  readonly constOf: Program["constOf"];
  readonly timeOf: Program["timeOf"];
  readonly rowOf: Program["rowOf"];
  readonly entityOf: Program["entityOf"];
  readonly callOf: Program["callOf"];
  readonly memberOf: Program["memberOf"];
  readonly declared: Program["declared"];
  readonly overrideExpressions: readonly ast.Expr[];
  #expressionOf: Program["expressionOf"] | null = null;

  constructor(context: Context, rest: Pick<Program, "diagnostics" | "enables" | "requires">) {
    this.source = context.source;
    this.module = context.module;
    this.target = context.target;
    this.enables = rest.enables;
    this.requires = rest.requires;
    this.diagnostics = rest.diagnostics;
    this.diagnosticFilters = context.filters;
    this.functions = context.functions.map((state) => state.info);
    this.variables = context.variables;
    this.overrides = context.overrides;
    this.structs = context.structs;
    this.entryPoints = this.functions.filter((info) => info.stage !== null);
    this.typeOf = context.typeOf;
    this.usedAs = context.usedAs;
    this.constOf = context.constOf;
    this.timeOf = context.timeOf;
    this.rowOf = context.rowOf;
    this.entityOf = context.resolvedTo as Program["entityOf"];
    this.callOf = context.callOf;
    this.memberOf = context.memberOf;
    this.declared = context.declared;
    this.overrideExpressions = context.overrideExpressions;
  }

  get expressionOf(): Program["expressionOf"] {
    this.#expressionOf ??= expressionsById(this.module);
    return this.#expressionOf;
  }
}

export function programOf(
  context: Context,
  rest: Pick<Program, "diagnostics" | "enables" | "requires">,
): Mutable<Program> {
  return new CheckedProgram(context, rest);
}

export type { Entity, FunctionInfo, ParameterInfo, ValueInfo, VariableInfo };
