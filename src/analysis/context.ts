/**
 * What one analysis carries from pass to pass: the tables under construction and the rules that need each other.
 * Private to this folder.
 */
import { type Diagnostic, DiagnosticList } from "../diagnostics/diagnostic.ts";
import type { DiagnosticFilter } from "../diagnostics/filter.ts";
import type * as ast from "../syntax/ast.ts";
import { expressionsById } from "../syntax/walk.ts";
import { listOf } from "../text/list.ts";
import type { Source } from "../text/source.ts";
import type { OverrideCount, Type } from "../types/type.ts";
import { type Application, Facts } from "./fact-table.ts";
import type { Target } from "./options.ts";
import type {
  Declaration,
  Entity,
  FunctionInfo,
  InterfaceValue,
  ModuleDeclaration,
  OverrideInfo,
  ParameterInfo,
  Program,
  StructInfo,
  ValueInfo,
  VariableInfo,
} from "./program.ts";

/** A call of a function that takes a pointer. */
export class PointerCall {
  readonly call: ast.CallExpr;
  readonly callee: FunctionInfo;

  constructor(call: ast.CallExpr, callee: FunctionInfo) {
    this.call = call;
    this.callee = callee;
  }
}

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What only some shader stages allow; checked once it is known which entry points reach it. */
export type StageUse = ast.CallExpr | ast.DiscardStatement;

/** What is gathered of a function while its body is checked. */
export class FunctionState {
  readonly info: Mutable<FunctionInfo>;
  /** Call sites of user-defined functions, by callee: the first of each. null: it calls none. */
  calls: Map<FunctionInfo, ast.CallExpr> | null = null;
  readonly stageUses: StageUse[] = listOf();
  /** Expressions that pipeline creation has to evaluate or to check. */
  readonly overrideExpressions: ast.Expr[];

  constructor(info: Mutable<FunctionInfo>, overrideExpressions: ast.Expr[]) {
    this.info = info;
    this.overrideExpressions = overrideExpressions;
  }
}

/** Variables and overrides that a declaration reaches, in order of declaration. */
export interface Accessed {
  readonly variables: readonly VariableInfo[];
  readonly overrides: readonly OverrideInfo[];
}

/** What declarations reach. */
export interface Access {
  of(declaration: ModuleDeclaration): Accessed;
}

export const NO_ACCESS: Accessed = { variables: [], overrides: [] };

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

  readonly facts: Facts;
  /** Extensions that are used without being enabled, each reported. */
  readonly missing: Set<string>;

  /** What calls of a function mean. */
  readonly functionCalls: Map<FunctionInfo, Application>;
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

  /** Set once all are checked. */
  access: Access | null;
  /** The function whose body is being checked. */
  current: FunctionState | null;
  /** Set where an expression is typed but never evaluated: the skipped side of `&&` and `||`. */
  notEvaluated: boolean;
  /** Set where memory is mentioned that the function did not declare; for the statement around. */
  reachesOut: boolean;
  /** Set where a function of the module is called, or what has to be reached in uniform control flow; in the same way. */
  acts: boolean;
}

export function createContext(source: Source, module: ast.Module, target: Target, rules: Rules): Context {
  return {
    source,
    module,
    target,
    diagnostics: new DiagnosticList(),
    rules,
    enabled: new Set(),
    missing: new Set(),
    facts: new Facts(module.nodeCount),
    functionCalls: new Map(),
    pointerCalls: listOf(),
    variables: listOf(),
    overrides: listOf(),
    structs: listOf(),
    functions: listOf(),
    overrideExpressions: listOf(),
    overrideCounts: new Map(),
    memberInterfaces: new Map(),
    filters: [],
    access: null,
    current: null,
    notEvaluated: false,
    reachesOut: false,
    acts: false,
  };
}

type Made = "diagnostics" | "enables" | "requires";

/** The parts of a program that are there from the beginning. */
type Plain = Pick<
  Program,
  | Made
  | "source"
  | "module"
  | "target"
  | "diagnosticFilters"
  | "functions"
  | "variables"
  | "overrides"
  | "structs"
  | "entryPoints"
  | "overrideExpressions"
>;

/** What is spread out of the facts when first asked for. */
type Tables = Pick<
  Program,
  | "typeOf"
  | "usedAs"
  | "constOf"
  | "timeOf"
  | "rowOf"
  | "entityOf"
  | "callOf"
  | "memberOf"
  | "declared"
  | "expressionOf"
>;

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
  readonly overrideExpressions: readonly ast.Expr[];
  readonly #facts: Facts;
  /** Those that were asked for, of this program and of its copies. */
  readonly #tables: Partial<Mutable<Tables>>;

  constructor(plain: Plain, facts: Facts, tables: Partial<Mutable<Tables>>) {
    this.source = plain.source;
    this.module = plain.module;
    this.target = plain.target;
    this.enables = plain.enables;
    this.requires = plain.requires;
    this.diagnostics = plain.diagnostics;
    this.diagnosticFilters = plain.diagnosticFilters;
    this.functions = plain.functions;
    this.variables = plain.variables;
    this.overrides = plain.overrides;
    this.structs = plain.structs;
    this.entryPoints = plain.entryPoints;
    this.overrideExpressions = plain.overrideExpressions;
    this.#facts = facts;
    this.#tables = tables;
  }

  static factsOf(program: Program): Facts {
    return (program as CheckedProgram).#facts;
  }

  static withDiagnostics(program: Program, diagnostics: readonly Diagnostic[]): CheckedProgram {
    const checked = program as CheckedProgram;
    return new CheckedProgram({ ...checked, diagnostics }, checked.#facts, checked.#tables);
  }

  get typeOf(): Program["typeOf"] {
    return (this.#tables.typeOf ??= this.#facts.table((facts, id) => facts.typeOf(id)));
  }

  get usedAs(): Program["usedAs"] {
    return (this.#tables.usedAs ??= this.#facts.table((facts, id) => facts.usedAs(id)));
  }

  get constOf(): Program["constOf"] {
    return (this.#tables.constOf ??= this.#facts.table((facts, id) => facts.constOf(id)));
  }

  get timeOf(): Program["timeOf"] {
    return (this.#tables.timeOf ??= this.#facts.table((facts, id) => facts.timeOf(id)));
  }

  get rowOf(): Program["rowOf"] {
    return (this.#tables.rowOf ??= this.#facts.table((facts, id) => facts.rowOf(id)));
  }

  get entityOf(): Program["entityOf"] {
    return (this.#tables.entityOf ??= this.#facts.table((facts, id) => facts.entityOf(id)));
  }

  get callOf(): Program["callOf"] {
    return (this.#tables.callOf ??= this.#facts.table((facts, id) => facts.callOf(id)));
  }

  get memberOf(): Program["memberOf"] {
    return (this.#tables.memberOf ??= this.#facts.table((facts, id) => facts.memberOf(id)));
  }

  get declared(): Program["declared"] {
    return (this.#tables.declared ??= this.#facts.table((facts, id) => facts.declared(id)));
  }

  get expressionOf(): Program["expressionOf"] {
    return (this.#tables.expressionOf ??= expressionsById(this.module));
  }
}

export function programOf(context: Context, rest: Pick<Program, Made>): Mutable<Program> {
  const { source, module, target, filters, variables, overrides, structs, overrideExpressions } = context;
  const functions: FunctionInfo[] = [];
  const entryPoints: FunctionInfo[] = [];
  for (const { info } of context.functions) {
    functions.push(info);
    if (info.stage !== null) entryPoints.push(info);
  }
  const declared = { functions, variables, overrides, structs, entryPoints, overrideExpressions };
  return new CheckedProgram(
    { ...rest, source, module, target, diagnosticFilters: filters, ...declared },
    context.facts,
    {},
  );
}

/** What the tables of a program are made of: for passes that look at a part of a module only. */
export function factsOf(program: Program): Facts {
  return CheckedProgram.factsOf(program);
}

/** The same program with other diagnostics: said in another language, for one. */
export function withDiagnostics(program: Program, diagnostics: readonly Diagnostic[]): Program {
  return CheckedProgram.withDiagnostics(program, diagnostics);
}

export type { Declaration, Entity, FunctionInfo, ModuleDeclaration, ParameterInfo, ValueInfo, VariableInfo };
