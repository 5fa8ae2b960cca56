/** From text to `Program`: the passes of analysis in their order. */
import { allowancesIn, applyAllowances } from "../diagnostics/allowances.ts";
import {
  type Diagnostic,
  DiagnosticList,
  diagnostic,
  mergeDiagnostics,
  saidBy,
  subjectOf,
} from "../diagnostics/diagnostic.ts";
import { applyFilters } from "../diagnostics/filter.ts";
import type * as ast from "../syntax/ast.ts";
import { type Parsed, parse } from "../syntax/parser.ts";
import type { Source } from "../text/source.ts";
import { analyzeAliases } from "./alias.ts";
import { analyzeBehaviors, type Behaviors } from "./behavior.ts";
import { call } from "./calls.ts";
import { withoutConsequences } from "./consequences.ts";
import {
  type Context,
  createContext,
  type Declaration,
  type ModuleDeclaration,
  type Mutable,
  programOf,
  type Rules,
} from "./context.ts";
import {
  aliasDeclaration,
  constDeclaration,
  moduleVariable,
  overrideDeclaration,
  overrideIdsDiffer,
} from "./declarations.ts";
import { type Directives, directives } from "./directives.ts";
import { entryPointInterface } from "./entry-points.ts";
import { expression } from "./expressions.ts";
import { functionDeclaration } from "./functions.ts";
import { type CheckOptions, targetOf } from "./options.ts";
import type { Entity, Program } from "./program.ts";
import { resolve } from "./resolve.ts";
import { constAssert } from "./statements.ts";
import { checkReach, DeclarationAccess } from "./static-access.ts";
import { structDeclaration } from "./structs.ts";
import { BROWSERS, type BrowserName } from "./targets.ts";
import { typeSpecifier } from "./types.ts";
import { analyzeUniformity } from "./uniformity/uniformity.ts";

/** What warns and advises beyond the rules; handed in, so that who wants the rules alone need not load it. */
export type Advise = (program: Program, behaviors: Behaviors, found: DiagnosticList) => void;

export interface AnalyzeOptions extends Omit<CheckOptions, "advice"> {
  /** null or left out: the rules of the language alone. */
  readonly advise?: Advise | null;
  /** `advised` makes the other of it. */
  readonly advice?: never;
}

const RULES: Rules = { expression, typeSpecifier, call };

/**
 * Everything there is to know of a module without running it. There is always a program; where there are errors, what
 * depends on them has the error type.
 */
export function analyze(source: Source, options: AnalyzeOptions = {}): Program {
  const program = analyzeOnce(source, options);
  if (options.target === undefined || hasErrors(program.diagnostics)) return program;
  const browsers = typeof options.target === "string" ? [options.target] : options.target;
  const missing = browsers.map((name) => notInTarget(source, options, name));
  program.diagnostics = mergeDiagnostics([program.diagnostics, ...missing]);
  return program;
}

export { withDiagnostics } from "./context.ts";

/** What is legal, but not in this browser. */
function notInTarget(source: Source, options: AnalyzeOptions, name: BrowserName): readonly Diagnostic[] {
  const { name: browser, date, features, languageFeatures } = BROWSERS[name];
  const { diagnostics } = analyzeOnce(source, {
    features: options.features ?? [...features],
    languageFeatures: options.languageFeatures ?? [...languageFeatures],
  });
  const errors = diagnostics.filter((item) => item.severity === "error");
  return errors.map((error) => {
    const { span, notes, fixes, spec } = error;
    const found = diagnostic("not-in-target", span, { browser, date, problem: saidBy(error) }, { notes, fixes });
    return { ...found, spec };
  });
}

function analyzeOnce(source: Source, options: AnalyzeOptions): Mutable<Program> {
  const parsed = parse(source);
  const { module, scoping } = parsed;
  const context = createContext(source, module, targetOf(options), RULES);
  const named = directives(context);
  const resolution = resolve(context, scoping, (declaration) => check(context, declaration));
  context.access = new DeclarationAccess(context, resolution);
  for (const declaration of module.declarations) {
    if (declaration.kind === "const-assert") constAssert(context, declaration);
  }
  overrideIdsDiffer(context);
  for (const { info } of context.functions) entryPointInterface(context, info);
  checkReach(context);
  return withAnalyses(context, named, parsed, options);
}

/** The tree of a text and what its names denote: all that can be said without types, and quickly. */
export interface NamedModule {
  readonly module: ast.Module;
  /** By node id of an identifier expression. */
  readonly declarationOf: readonly (Declaration | null)[];
  /** By node id of an identifier expression: the predeclared object. */
  readonly predeclaredOf: readonly (Entity | null)[];
  /** Of syntax and of names. */
  readonly diagnostics: readonly Diagnostic[];
}

export function resolveNames(source: Source): NamedModule {
  const { module, scoping, diagnostics } = parse(source);
  const context = createContext(source, module, targetOf({}), RULES);
  resolve(context, scoping, () => {});
  return {
    module,
    declarationOf: context.facts.table((facts, id) => facts.declarationOf(id)),
    predeclaredOf: context.facts.table((facts, id) => facts.predeclaredOf(id)),
    diagnostics: mergeDiagnostics([diagnostics, context.diagnostics.sorted()]),
  };
}

function check(context: Context, declaration: ModuleDeclaration): void {
  switch (declaration.kind) {
    case "var":
      moduleVariable(context, declaration);
      return;
    case "const":
      constDeclaration(context, declaration);
      return;
    case "override":
      overrideDeclaration(context, declaration);
      return;
    case "alias":
      aliasDeclaration(context, declaration);
      return;
    case "struct":
      structDeclaration(context, declaration);
      return;
    case "function":
      functionDeclaration(context, declaration);
      return;
    default:
      declaration satisfies never;
  }
}

/** Analyses of whole functions take a program without errors: each is one call here. */
function withAnalyses(context: Context, named: Directives, parsed: Parsed, options: AnalyzeOptions): Mutable<Program> {
  const before = mergeDiagnostics([parsed.diagnostics, withoutConsequences(context, parsed)]);
  const program = programOf(context, { ...named, diagnostics: before });
  if (hasErrors(before)) return program;
  const found = new DiagnosticList();
  const behaviors = analyzeBehaviors(program, found);
  analyzeAliases(program, context.pointerCalls, found);
  if (behaviors !== null) analyzeUniformity(program, behaviors, context.target, found);
  program.diagnostics = applyFilters(mergeDiagnostics([before, found.sorted()]), context.filters);
  if (hasErrors(program.diagnostics)) return program;
  program.diagnostics = withAdvice(program, behaviors!, program.diagnostics, options);
  return program;
}

function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((item) => item.severity === "error");
}

/** Advice where it is wanted, without what filters, comments and options silence. */
function withAdvice(
  program: Program,
  behaviors: Behaviors,
  before: readonly Diagnostic[],
  { advise = null, off = [] }: AnalyzeOptions,
): readonly Diagnostic[] {
  const allowances = allowancesIn(program.source, program.module.comments);
  let diagnostics = before;
  if (advise !== null) {
    const found = new DiagnosticList();
    advise(program, behaviors, found);
    for (const item of allowances.diagnostics) found.add(item);
    diagnostics = mergeDiagnostics([before, applyFilters(found.sorted(), program.diagnosticFilters)]);
  }
  const left = applyAllowances(diagnostics, program.source, allowances);
  return off.length === 0 ? left : left.filter((item) => item.severity === "error" || !off.includes(subjectOf(item)));
}
