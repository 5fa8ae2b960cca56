/**
 * What each function reaches through the declarations that it mentions, and what an entry point of its stage must not
 * reach. spec: #statically-accessed, #functions-in-a-shader-stage
 */
import { note, type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import { isTexture } from "../types/predicates.ts";
import type { Accessed, Context, FunctionState, ModuleDeclaration } from "./context.ts";
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
export function accessOf(context: Context, resolution: Resolution): (from: ModuleDeclaration) => Accessed {
  let noted: Noted | null = null;
  const known = new Map<Uses, Accessed>();
  const searched = new Map<ModuleDeclaration, Uses>();
  return (from) => {
    noted ??= noteUses(context, resolution);
    const uses = noted.get(from) ?? searched.get(from) ?? search(context, resolution, noted, from);
    searched.set(from, uses);
    let accessed = known.get(uses);
    if (accessed === undefined) known.set(uses, (accessed = inOrder(uses)));
    return accessed;
  };
}

type Uses = ReadonlySet<Used>;
type Noted = ReadonlyMap<ModuleDeclaration, Uses>;

const NO_USES: Uses = new Set();

/** What declarations use; left out are those that use too much, and those in a cycle. */
function noteUses(context: Context, { ordered, mentions }: Resolution): Noted {
  const noted = new Map<ModuleDeclaration, Uses>();
  for (const declaration of ordered) {
    const parts = new Set<Uses>();
    const targets = mentions.get(declaration)!;
    let isComplete = true;
    for (const target of targets.keys()) {
      const uses = noted.get(target);
      if (uses === undefined) isComplete = false;
      else if (uses.size > 0) parts.add(uses);
    }
    const own = usedEntity(context, declaration);
    if (own !== null) parts.add(new Set([own]));
    const uses = isComplete ? union(parts, MOST_NOTED + targets.size) : null;
    if (uses !== null) noted.set(declaration, uses);
  }
  return noted;
}

/** The largest set itself where it has all; null: more than `most`. */
function union(parts: ReadonlySet<Uses>, most: number): Uses | null {
  let largest = NO_USES;
  for (const part of parts) if (part.size > largest.size) largest = part;
  let all: Set<Used> | null = null;
  for (const part of parts) {
    if (part === largest) continue;
    for (const item of part) {
      if ((all ?? largest).has(item)) continue;
      if ((all ?? largest).size >= most) return null;
      all ??= new Set(largest);
      all.add(item);
    }
  }
  return all ?? largest;
}

function search(context: Context, { mentions }: Resolution, noted: Noted, from: ModuleDeclaration): Uses {
  const seen = new Set<ModuleDeclaration>([from]);
  const found = new Set<Used>();
  for (const declaration of seen) {
    const uses = noted.get(declaration);
    if (uses !== undefined) {
      for (const item of uses) found.add(item);
      continue;
    }
    const own = usedEntity(context, declaration);
    if (own !== null) found.add(own);
    for (const target of mentions.get(declaration)!.keys()) seen.add(target);
  }
  return found;
}

function usedEntity(context: Context, declaration: ModuleDeclaration): Used | null {
  const entity = context.facts.declared(declaration.id);
  return entity?.kind === "variable" || entity?.kind === "override" ? entity : null;
}

function inOrder(uses: Uses): Accessed {
  const used = [...uses].sort((a, b) => a.declaration.span.start - b.declaration.span.start);
  return {
    variables: used.filter((item) => item.kind === "variable"),
    overrides: used.filter((item) => item.kind === "override"),
  };
}

/** The rules for all that one shader stage reaches. */
export function checkReach(context: Context): void {
  const states = new Map(context.functions.map((state) => [state.info as FunctionInfo, state]));
  const unfit = new Map<Stage, ReadonlySet<FunctionState>>();
  for (const [info, state] of states) {
    const { stage } = info;
    if (stage === null) continue;
    if (!unfit.has(stage)) unfit.set(stage, unfitFor(stage, context.functions, states));
    if (unfit.get(stage)!.has(state)) stageUses(context, info, reached(info, states));
    variableStages(context, info);
    bindingsDiffer(context, info);
    oneImmediate(context, info);
  }
}

/** The functions through which something is reached that the stage does not have. */
function unfitFor(
  stage: Stage,
  functions: readonly FunctionState[],
  states: ReadonlyMap<FunctionInfo, FunctionState>,
): ReadonlySet<FunctionState> {
  const unfit = new Set(functions.filter((state) => state.stageUses.some(({ stages }) => !stages.includes(stage))));
  if (unfit.size === 0) return unfit;
  const callers = new Map<FunctionState, FunctionState[]>();
  for (const state of functions) {
    for (const callee of state.calls.keys()) {
      const called = states.get(callee);
      if (called === undefined) continue;
      const known = callers.get(called);
      if (known === undefined) callers.set(called, [state]);
      else known.push(state);
    }
  }
  for (const state of unfit) for (const caller of callers.get(state) ?? []) unfit.add(caller);
  return unfit;
}

/** All functions that an entry point calls, itself first, each with the one that calls it. */
function reached(
  info: FunctionInfo,
  states: ReadonlyMap<FunctionInfo, FunctionState>,
): ReadonlyMap<FunctionState, FunctionState | null> {
  const callers = new Map<FunctionState, FunctionState | null>([[states.get(info)!, null]]);
  for (const state of callers.keys()) {
    for (const callee of state.calls.keys()) {
      const next = states.get(callee);
      if (next !== undefined && !callers.has(next)) callers.set(next, state);
    }
  }
  return callers;
}

/** Builtin functions and statements that some stages do not have. */
function stageUses(
  context: Context,
  info: FunctionInfo,
  callers: ReadonlyMap<FunctionState, FunctionState | null>,
): void {
  for (const state of callers.keys()) {
    for (const use of state.stageUses) {
      if (use.stages.includes(info.stage!)) continue;
      const notes = callChain(state, callers, info);
      context.diagnostics.report(
        "wrong-stage",
        use.span,
        { what: use.what, stages: use.stages.join(" and "), stage: info.stage!, function: info.name },
        { notes, spec: use.spec },
      );
    }
  }
}

function callChain(
  state: FunctionState,
  callers: ReadonlyMap<FunctionState, FunctionState | null>,
  entry: FunctionInfo,
) {
  const notes = [];
  let at = state;
  for (let caller = callers.get(at) ?? null; caller !== null; caller = callers.get(at) ?? null) {
    const site = caller.calls.get(at.info)!;
    notes.push(note("called-here", site.callee.span, { name: at.info.name, caller: caller.info.name }));
    at = caller;
  }
  const name = entry.name;
  notes.push(note("entry-point-here", entry.declaration.name.span, { name, stage: entry.stage! }));
  return notes;
}

/** spec: #address-space: who may touch what. */
function variableStages(context: Context, info: FunctionInfo): void {
  for (const variable of info.usedVariables) {
    const problem = variableProblem(variable, info);
    if (problem === null) continue;
    context.diagnostics.report(
      "variable-wrong-stage",
      info.declaration.name.span,
      { name: variable.name, what: problem, stage: info.stage!, function: info.name },
      { notes: [note("declared-here", variable.declaration.name.span, { name: variable.name })] },
    );
  }
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
function bindingsDiffer(context: Context, info: FunctionInfo): void {
  const seen = new Map<string, VariableInfo>();
  for (const variable of info.usedVariables) {
    if (variable.group === null || variable.binding === null) continue;
    const key = `${variable.group}.${variable.binding}`;
    const earlier = seen.get(key);
    if (earlier === undefined) {
      seen.set(key, variable);
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
function oneImmediate(context: Context, info: FunctionInfo): void {
  const [first, second] = info.usedVariables.filter((variable) => variable.space === "immediate");
  if (second === undefined) return;
  context.diagnostics.report(
    "several-immediates",
    info.declaration.name.span,
    { name: info.name, first: first.name, second: second.name },
    { notes: [note("declared-here", second.declaration.name.span, { name: second.name })] },
  );
}
