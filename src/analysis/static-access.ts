/**
 * What each function reaches through the declarations that it mentions, and what an entry point of its stage must not
 * reach. spec: #statically-accessed, #functions-in-a-shader-stage
 */
import { note, type Phrase, phrase } from "../diagnostics/diagnostic.ts";
import { isTexture } from "../types/predicates.ts";
import type { Accessed, Context, FunctionState, ModuleDeclaration } from "./context.ts";
import type { FunctionInfo, OverrideInfo, VariableInfo } from "./program.ts";
import type { Resolution } from "./resolve.ts";

type Used = VariableInfo | OverrideInfo;

/**
 * What a declaration reaches, found when first asked for: for every function of a long chain together it would be
 * quadratic, and most are never asked.
 */
export function accessOf(context: Context, { mentions }: Resolution): (from: ModuleDeclaration) => Accessed {
  const known = new Map<ModuleDeclaration, Accessed>();
  return (from) => {
    let accessed = known.get(from);
    if (accessed === undefined) known.set(from, (accessed = reach(context, mentions, from)));
    return accessed;
  };
}

function reach(context: Context, mentions: Resolution["mentions"], from: ModuleDeclaration): Accessed {
  const seen = new Set<ModuleDeclaration>([from]);
  for (const declaration of seen) for (const target of mentions.get(declaration)!.keys()) seen.add(target);
  const used: Used[] = [];
  for (const declaration of seen) {
    const entity = context.declared[declaration.id];
    if (entity?.kind === "variable" || entity?.kind === "override") used.push(entity);
  }
  if (used.length > 1) used.sort((a, b) => a.declaration.span.start - b.declaration.span.start);
  return {
    variables: used.filter((item) => item.kind === "variable"),
    overrides: used.filter((item) => item.kind === "override"),
  };
}

/** The rules for all that one shader stage reaches. */
export function checkReach(context: Context): void {
  const states = new Map(context.functions.map((state) => [state.info as FunctionInfo, state]));
  for (const { info } of context.functions) {
    if (info.stage === null) continue;
    stageUses(context, info, reached(info, states));
    variableStages(context, info);
    bindingsDiffer(context, info);
    oneImmediate(context, info);
  }
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
