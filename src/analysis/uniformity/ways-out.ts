/** What can be done about a uniformity failure: notes, and edits where the text alone is enough. */
import { type Fix, fix, type Note, note } from "../../diagnostics/diagnostic.ts";
import type * as ast from "../../syntax/ast.ts";
import { forEachExpression } from "../../syntax/walk.ts";
import { containsAtomic } from "../../types/predicates.ts";
import type { VariableInfo } from "../program.ts";
import { textOf } from "../text-of.ts";
import type { Explanation, Failure } from "./explanation.ts";
import { MAY_BE_NON_UNIFORM, NON_UNIFORM_IN_WORKGROUP } from "./graph.ts";
import { inputUniformity, partsOf } from "./inputs.ts";
import { DERIVATIVE, ruleName, SUBGROUP, SYNCHRONIZATION } from "./requirements.ts";
import { ownerOf } from "./sources.ts";

interface WaysOut {
  readonly notes: readonly Note[];
  readonly fixes: readonly Fix[];
}

const NONE: WaysOut = { notes: [], fixes: [] };

export function waysOut(context: Explanation, failure: Failure): WaysOut {
  const atSource = sourceWays(context, failure);
  return { notes: [...atSource.notes, ...controlWays(failure), ...ruleWays(failure)], fixes: atSource.fixes };
}

// ---------------------------------------------------------------- at the source

function sourceWays(context: Explanation, failure: Failure): WaysOut {
  const source = failure.divergence.source as ast.Expr;
  if (source.kind === "call" && context.program.rowOf[source.id]?.name.startsWith("atomic")) {
    return isForWorkgroup(failure) ? atomicWays(context, failure, source) : NONE;
  }
  const root = context.roots.of(source);
  if (root?.kind === "variable" && root.space === "private") {
    return { notes: [note("pass-instead", source.span, { name: root.name })], fixes: [] };
  }
  if (root?.kind === "variable" && root.space === "workgroup") return uniformLoad(context, failure, source);
  if (root?.kind === "variable" && root.space === "storage") return storageWays(context, failure, root, source);
  if (root?.kind === "parameter" && root.type.kind === "struct") {
    const owner = ownerOf(context, root);
    const parts = partsOf(owner, root).filter((part) => inputUniformity(owner, part.builtin) === "workgroup");
    if (parts.length === 0) return NONE;
    const names = parts.map((part) => part.builtin).join("’, ‘");
    return { notes: [note("own-parameter", root.declaration.name.span, { parts: names })], fixes: [] };
  }
  return NONE;
}

/** An atomic in workgroup memory can be loaded for all; of what an update returns each invocation has another value. */
function atomicWays(context: Explanation, failure: Failure, call: ast.CallExpr): WaysOut {
  const root = context.roots.of(call.arg(0));
  const place = call.arg(0);
  const isLoad = call.text === "atomicLoad" && root?.kind === "variable" && root.space === "workgroup";
  if (!isLoad || place.kind !== "unary" || !isFixedPlace(context, place.operand)) {
    return { notes: [note("do-once", call.span, {})], fixes: [] };
  }
  const expression = textOf(context.program, place.operand);
  const notes = [note("use-uniform-load", call.span, { expression })];
  if (!isReadByAll(context, failure)) return { notes, fixes: [] };
  const edits = [{ span: call.callee.span, text: "workgroupUniformLoad" }];
  return { notes, fixes: [fix("uniform-load", { expression }, edits)] };
}

/** A barrier, so only for what already needs the whole workgroup; and all must read the same place. */
function uniformLoad(context: Explanation, failure: Failure, source: ast.Expr): WaysOut {
  if (failure.operation.rule === DERIVATIVE || !isFixedPlace(context, source)) return NONE;
  const expression = textOf(context.program, source);
  const notes = [note("use-uniform-load", source.span, { expression })];
  if (!isReadByAll(context, failure)) return { notes, fixes: [] };
  const edits = [
    { span: { start: source.span.start, end: source.span.start }, text: "workgroupUniformLoad(&" },
    { span: { start: source.span.end, end: source.span.end }, text: ")" },
  ];
  return { notes, fixes: [fix("uniform-load", { expression }, edits)] };
}

/** The load itself has to be reached by all, once what it gives is the same for all. */
function isReadByAll({ graph }: Explanation, { divergence: { sourceNode } }: Failure): boolean {
  const seen = new Set([sourceNode, graph.home(sourceNode)]);
  for (const node of seen) {
    if (node === MAY_BE_NON_UNIFORM || node === NON_UNIFORM_IN_WORKGROUP) return false;
    if (node !== sourceNode) for (const next of graph.successors(node)) seen.add(next);
  }
  return true;
}

/** What is needed is of a workgroup, whose invocations can share memory. */
function isForWorkgroup({ operation, stretches }: Failure): boolean {
  return operation.rule !== DERIVATIVE && !stretches.some(({ fn }) => fn.info.stage === "fragment");
}

function isFixedPlace(context: Explanation, source: ast.Expr): boolean {
  let at = source;
  for (;;) {
    if (at.kind === "identifier") return context.program.typeOf[at.id]?.kind === "reference";
    if (at.kind === "index" && context.program.timeOf[at.index.id] === "runtime") return false;
    if (at.kind === "index" || at.kind === "member") at = at.object;
    else return false;
  }
}

function storageWays(context: Explanation, failure: Failure, root: VariableInfo, source: ast.Expr): WaysOut {
  const { declaration, name } = root;
  if (!isWritten(context, root) && !containsAtomic(root.type)) {
    const notes = [note("declare-read", declaration.name.span, { name })];
    const access = declaration.template?.[1];
    const edits = access === undefined ? [] : [{ span: access.span, text: "read" }];
    return { notes, fixes: access === undefined ? [] : [fix("declare-read", { name }, edits)] };
  }
  if (!isForWorkgroup(failure)) return NONE;
  const expression = textOf(context.program, source);
  return { notes: [note("share-through-workgroup", source.span, { expression })], fixes: [] };
}

/** By a statement, or by whoever is given a pointer to it. */
function isWritten(context: Explanation, root: VariableInfo): boolean {
  const { program, roots } = context;
  let written = false;
  const isRoot = (expr: ast.Expr) => roots.of(expr) === root;
  for (const info of program.functions) {
    forEachExpression(
      info.declaration.body,
      (expr) => {
        if (expr.kind !== "call" || program.rowOf[expr.id]?.memory === "none") return;
        written ||= expr.args.some((argument) => program.typeOf[argument.id]?.kind === "pointer" && isRoot(argument));
      },
      (node) => {
        if (node.kind === "assign" || node.kind === "increment") written ||= isRoot(node.left);
      },
    );
  }
  return written;
}

// ---------------------------------------------------------------- at the statement, at the operation

function controlWays({ operation, divergence }: Failure): readonly Note[] {
  const { control } = divergence;
  const { callee, text: name } = operation.call;
  if (control === null || operation.rule !== SYNCHRONIZATION) return [];
  switch (control.kind) {
    case "loop":
      return [note("same-count", callee.span, {})];
    case "behind":
      return [note("no-early-exit", callee.span, { name })];
    case "inside":
      return [note("guard-the-work", callee.span, { name })];
  }
}

/** Functions that take the level of detail, or the derivatives, from the caller. */
const EXPLICIT: Readonly<Record<string, string>> = {
  textureSample: "textureSampleLevel",
  textureSampleBias: "textureSampleGrad",
  textureSampleCompare: "textureSampleCompareLevel",
};

function ruleWays({ operation, divergence }: Failure): readonly Note[] {
  const rule = ruleName(operation.rule);
  if (rule === null) return [];
  const { callee, text: name } = operation.call;
  const notes: Note[] = [];
  if (divergence.control !== null) notes.push(note("hoist-call", callee.span, { name }));
  if (operation.rule !== SUBGROUP && Object.hasOwn(EXPLICIT, name)) {
    notes.push(note("explicit-level", callee.span, { other: EXPLICIT[name] }));
  }
  notes.push(note("filter-rule", callee.span, { rule }));
  return notes;
}
