/**
 * What each function reaches through the declarations that it mentions, and what an entry point of its stage must not
 * reach. spec: #statically-accessed, #functions-in-a-shader-stage
 */
import type { BuiltinRow } from "../builtins/row.ts";
import { type Note, note, type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { forEachExpression } from "../syntax/walk.ts";
import { copyOf, listOf } from "../text/list.ts";
import type { Span } from "../text/source.ts";
import { isTexture } from "../types/predicates.ts";
import type { Access, Accessed, Context, FunctionState, ModuleDeclaration, StageUse } from "./context.ts";
import type { Dependent } from "./dependencies.ts";
import type { FunctionInfo, OverrideInfo, Stage, VariableInfo } from "./program.ts";
import type { Resolution } from "./resolve.ts";

type Used = VariableInfo | OverrideInfo;

/** Uses that are noted for a declaration beyond those that it mentions itself: where there are more, they are searched for. */
const MOST_NOTED = 32;

/**
 * What a declaration reaches, found when first asked for. What it uses is put together from what those use that it
 * mentions: to search from every entry point anew would be quadratic, as would be to note the many uses of each function
 * of a long chain.
 */
export class DeclarationAccess implements Access {
  readonly #context: Context;
  readonly #resolution: Resolution;
  #noted: Noted | null = null;
  readonly #known = new Map<Uses, Accessed>();

  constructor(context: Context, resolution: Resolution) {
    this.#context = context;
    this.#resolution = resolution;
  }

  of(declaration: ModuleDeclaration): Accessed {
    const uses = this.#usesOf(declaration);
    let accessed = this.#known.get(uses);
    if (accessed === undefined) this.#known.set(uses, (accessed = inOrder(this.#context, uses)));
    return accessed;
  }

  #usesOf(declaration: ModuleDeclaration): Uses {
    this.#noted ??= noteUses(this.#context, this.#resolution);
    const { uses, searched, left } = this.#noted;
    const known = uses[indexOf(this.#context.module.declarations, declaration)] ?? searched.get(declaration);
    if (known !== undefined) return known;
    const found = search(this.#context, this.#noted, left.get(declaration)!);
    searched.set(declaration, found);
    return found;
  }
}

/** By ids, which grow from one declaration of a module to the next. */
function indexOf(declarations: readonly ast.GlobalDecl[], { id }: ModuleDeclaration): number {
  let low = 0;
  let high = declarations.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (declarations[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Declarations of variables and overrides, each once. */
type Uses = readonly Dependent[];

interface Noted {
  /** By index of the declaration; null: it is among those left, or has not been looked at. */
  readonly uses: (Uses | null)[];
  /** Those that use too much, and those in a cycle. */
  readonly left: Map<ModuleDeclaration, Dependent>;
  readonly searched: Map<ModuleDeclaration, Uses>;
}

const NO_USES: Uses = [];

function noteUses(context: Context, { ordered }: Resolution): Noted {
  const uses = new Array<Uses | null>(context.module.declarations.length).fill(null);
  const noted: Noted = { uses, left: new Map(), searched: new Map() };
  for (const dependent of ordered) {
    const found = usesOf(context, noted, dependent);
    uses[dependent.index] = found;
    if (found === null) noted.left.set(dependent.declaration, dependent);
  }
  return noted;
}

/** The list of something that it mentions, where that has all; null: too many, or not known yet of all that it mentions. */
function usesOf(context: Context, { uses }: Noted, dependent: Dependent): Uses | null {
  const own = usedEntity(context, dependent) === null ? null : dependent;
  let largest = own === null ? NO_USES : listOf(own);
  let most = MOST_NOTED;
  for (let mention = dependent.firstMention; mention !== null; mention = mention.next) {
    most++;
    const part = uses[mention.of.index];
    if (part === null) return null;
    if (part.length > largest.length) largest = part;
  }
  for (const item of largest) item.usedBy = dependent;
  let all: Dependent[] | null = null;
  if (own !== null && own.usedBy !== dependent) {
    if (largest.length >= most) return null;
    all = largest.concat(own);
  }
  for (let mention = dependent.firstMention; mention !== null; mention = mention.next) {
    for (const item of uses[mention.of.index]!) {
      if (item.usedBy === dependent) continue;
      item.usedBy = dependent;
      all ??= largest.slice();
      all.push(item);
      if (all.length > most) return null;
    }
  }
  return all ?? largest;
}

function search(context: Context, { uses }: Noted, from: Dependent): Uses {
  const seen = new Set<Dependent>([from]);
  const found = new Set<Dependent>();
  for (const dependent of seen) {
    const known = uses[dependent.index];
    if (known !== null) {
      for (const item of known) found.add(item);
      continue;
    }
    if (usedEntity(context, dependent) !== null) found.add(dependent);
    for (let mention = dependent.firstMention; mention !== null; mention = mention.next) seen.add(mention.of);
  }
  return [...found];
}

function usedEntity(context: Context, { declaration }: Dependent): Used | null {
  if (declaration.kind !== "var" && declaration.kind !== "override") return null;
  const entity = context.facts.declared(declaration.id);
  return entity?.kind === "variable" || entity?.kind === "override" ? entity : null;
}

class InOrder implements Accessed {
  readonly variables: readonly VariableInfo[];
  readonly overrides: readonly OverrideInfo[];

  constructor(variables: readonly VariableInfo[], overrides: readonly OverrideInfo[]) {
    this.variables = variables;
    this.overrides = overrides;
  }
}

function inOrder(context: Context, uses: Uses): Accessed {
  const variables: VariableInfo[] = listOf();
  const overrides: OverrideInfo[] = listOf();
  for (const use of uses.length > MOST_NOTED ? [...uses].sort(byIndex) : uses) {
    const item = usedEntity(context, use)!;
    if (item.kind === "variable") insert(variables, item);
    else insert(overrides, item);
  }
  return new InOrder(copyOf(variables), copyOf(overrides));
}

function byIndex(a: Dependent, b: Dependent): number {
  return a.index - b.index;
}

function insert<Item extends Used>(ordered: Item[], item: Item): void {
  const { start } = item.declaration;
  ordered.push(item);
  for (let at = ordered.length - 1; at > 0 && ordered[at - 1].declaration.start > start; at--) {
    ordered[at] = ordered[at - 1];
    ordered[at - 1] = item;
  }
}

/** The rules for all that one shader stage reaches. */
export function checkReach(context: Context): void {
  for (const stage of new Set(context.functions.map(({ info }) => info.stage))) {
    if (stage !== null) stageUses(context, stage);
  }
  for (const { info } of context.functions) {
    if (info.stage === null) continue;
    const { usedVariables } = info;
    variableStages(context, info, usedVariables);
    bindingsDiffer(context, info, usedVariables);
    oneImmediate(context, info, usedVariables);
  }
}

/**
 * Builtin functions and statements that a stage does not have: each is told of once, for the first entry point that gets
 * there.
 */
function stageUses(context: Context, stage: Stage): void {
  const unfit = unfitFor(context, stage);
  const entries = context.functions.filter(({ info }) => info.stage === stage && unfit.has(info));
  if (entries.length === 0) return;
  const states = new Map<FunctionInfo, FunctionState>();
  for (const state of context.functions) states.set(state.info, state);
  const callers = new Map<FunctionState, FunctionState | null>();
  for (const entry of entries) {
    callers.set(entry, null);
    const reached = [entry];
    for (const state of reached) {
      wrongStages(context, state, entry.info, callers);
      if (state.calls === null) continue;
      for (const callee of state.calls.keys()) {
        const next = states.get(callee)!;
        if (!unfit.has(callee) || callers.has(next)) continue;
        callers.set(next, state);
        reached.push(next);
      }
    }
  }
}

/** The functions through which something is reached that the stage does not have; callees come before their callers. */
function unfitFor(context: Context, stage: Stage): ReadonlySet<FunctionInfo> {
  const unfit = new Set<FunctionInfo>();
  for (const state of context.functions) {
    if (usesUnfit(context, stage, state) || (unfit.size > 0 && callsOneOf(state, unfit))) unfit.add(state.info);
  }
  return unfit;
}

function usesUnfit(context: Context, stage: Stage, { stageUses }: FunctionState): boolean {
  for (const use of stageUses) if (!ruleOf(context, use).stages.includes(stage)) return true;
  return false;
}

function callsOneOf({ calls }: FunctionState, functions: ReadonlySet<FunctionInfo>): boolean {
  if (calls === null) return false;
  for (const callee of calls.keys()) if (functions.has(callee)) return true;
  return false;
}

const DISCARD = { name: "discard", stages: ["fragment"], spec: "#discard-statement" } as const;

function ruleOf(context: Context, use: StageUse): Pick<BuiltinRow, "name" | "stages" | "spec"> {
  return use.kind === "call" ? context.facts.rowOf(use.id)! : DISCARD;
}

/** What stands for a function that asks for the derivatives of a fragment shader. */
const IN_ALL_STAGES: Readonly<Record<string, string>> = {
  textureSample: "textureSampleLevel",
  textureSampleBias: "textureSampleLevel",
  textureSampleCompare: "textureSampleCompareLevel",
};

function wrongStages(
  context: Context,
  state: FunctionState,
  entry: FunctionInfo,
  callers: ReadonlyMap<FunctionState, FunctionState | null>,
): void {
  const stage = entry.stage!;
  for (const use of state.stageUses) {
    const { name, stages, spec } = ruleOf(context, use);
    if (stages.includes(stage)) continue;
    const notes = [...callChain(state, entry, callers)];
    const { span } = use.kind === "call" ? use.callee : use;
    if (Object.hasOwn(IN_ALL_STAGES, name))
      notes.unshift(note("use-in-all-stages", span, { name: IN_ALL_STAGES[name] }));
    const args = { what: name, stages: stages.join(" and "), stage, function: entry.name };
    context.diagnostics.report("wrong-stage", span, args, { notes, spec });
  }
}

const MOST_CALLS = 10;

/** From a function out to the entry point that reaches it; of a long way the beginning and the end. */
function callChain(
  from: FunctionState,
  { name, stage, declaration }: FunctionInfo,
  callers: ReadonlyMap<FunctionState, FunctionState | null>,
): readonly Note[] {
  const notes: Note[] = [];
  let at = from;
  for (let caller = callers.get(at)!; caller !== null && notes.length < MOST_CALLS; caller = callers.get(at)!) {
    const site = caller.calls!.get(at.info)!;
    notes.push(note("called-here", site.callee.span, { name: at.info.name, caller: caller.info.name }));
    at = caller;
  }
  notes.push(note("entry-point-here", declaration.name.span, { name, stage: stage! }));
  return notes;
}

/** spec: #address-space: who may touch what. */
function variableStages(context: Context, info: FunctionInfo, used: readonly VariableInfo[]): void {
  for (const variable of used) {
    const problem = variableProblem(variable, info);
    if (problem === null) continue;
    const { name, declaration } = variable;
    const notes = [
      note("declared-here", declaration.name.span, { name }),
      note("entry-point-here", info.declaration.name.span, { name: info.name, stage: info.stage! }),
    ];
    if (variable.space === "storage") notes.push(note("if-only-read", declaration.name.span, { name }));
    context.diagnostics.report(
      "variable-wrong-stage",
      useOf(context, info, declaration),
      { name, what: problem, stage: info.stage!, function: info.name },
      { notes },
    );
  }
}

/** Where an entry point or a function that it calls names a variable first. */
function useOf(context: Context, info: FunctionInfo, variable: ModuleDeclaration): Span {
  const states = new Map(context.functions.map((state) => [state.info, state]));
  const reached = new Set([info]);
  for (const each of reached) {
    let found: Span | null = null;
    forEachExpression(each.declaration.body, (expr) => {
      if (expr.kind === "identifier" && context.facts.declarationOf(expr.id) === variable) found ??= expr.span;
    });
    if (found !== null) return found;
    for (const callee of states.get(each)?.calls?.keys() ?? []) reached.add(callee);
  }
  return info.declaration.name.span;
}

function variableProblem(variable: VariableInfo, info: FunctionInfo): Phrase | null {
  if (variable.space === "workgroup") return info.stage === "compute" ? null : phrase("in-workgroup-memory");
  if (info.stage !== "vertex") return null;
  if (variable.space === "storage") return variable.access === "read" ? null : phrase("written-buffer");
  const { type } = variable;
  if (!isTexture(type) || type.kind !== "storage-texture") return null;
  return type.access === "read" ? null : phrase("written-texture");
}

/** spec: #resource-interface */
function bindingsDiffer(context: Context, info: FunctionInfo, used: readonly VariableInfo[]): void {
  const seen = new Map<number, Map<number, VariableInfo>>();
  for (const variable of used) {
    if (variable.group === null || variable.binding === null) continue;
    const inGroup = seen.get(variable.group) ?? new Map<number, VariableInfo>();
    const earlier = inGroup.get(variable.binding);
    if (earlier === undefined) {
      seen.set(variable.group, inGroup.set(variable.binding, variable));
      continue;
    }
    const { name, group, binding } = variable;
    context.diagnostics.report(
      "duplicate-binding",
      variable.declaration.name.span,
      { name, other: earlier.name, group, binding, function: info.name },
      { notes: [note("declared-here", earlier.declaration.name.span, { name: earlier.name })] },
    );
  }
}

/** spec: #immediate-data */
function oneImmediate(context: Context, info: FunctionInfo, used: readonly VariableInfo[]): void {
  let first: VariableInfo | null = null;
  for (const variable of used) {
    if (variable.space !== "immediate") continue;
    if (first === null) {
      first = variable;
      continue;
    }
    const { name, declaration } = variable;
    const notes = [note("declared-here", declaration.name.span, { name })];
    const args = { name: info.name, first: first.name, second: name };
    context.diagnostics.report("several-immediates", info.declaration.name.span, args, { notes });
    return;
  }
}
