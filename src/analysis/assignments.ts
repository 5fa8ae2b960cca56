/** Assignments, compound assignments, `++` and `--`. spec: #assignment, #increment-decrement */
import { checkConstArguments } from "../builtins/const-checks.ts";
import { resolveBinary } from "../builtins/resolve.ts";
import { type DiagnosticExtras, fix, note, phrase, replacement } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { containsAtomic, isConcreteInteger, isConstructible } from "../types/predicates.ts";
import { type ReferenceType, type Type, typeName } from "../types/type.ts";
import type { Context, Declaration } from "./context.ts";
import { convertTo, expectType, reportValue, value, type Where } from "./conversions.ts";
import { compoundHints } from "./hints.ts";
import { noteOverrideExpression } from "./override-expressions.ts";
import { textOf } from "./text-of.ts";

const ATOMIC_FUNCTIONS: Readonly<Record<string, string>> = {
  "=": "atomicStore",
  "+=": "atomicAdd",
  "-=": "atomicSub",
  "&=": "atomicAnd",
  "|=": "atomicOr",
  "^=": "atomicXor",
};

const INCREMENT = {
  "++": { wanted: "atomicAdd", operand: "1" },
  "--": { wanted: "atomicSub", operand: "1" },
} as const;

const ATOMIC_EXTREMES: Readonly<Record<string, string>> = { max: "atomicMax", min: "atomicMin" };

export function assignment(context: Context, node: ast.AssignStatement): void {
  const left = context.rules.expression(context, node.left);
  const update = left.kind === "reference" && left.store.kind === "atomic" ? atomicUpdate(context, node) : null;
  // Of an update in one step only the operand is read.
  const right = value(context, update?.operand ?? node.right);
  const target = writable(context, node, node.left, left);
  if (target === null) return;
  if (node.operator === null) {
    if (right !== target.store) expectType(context, node.right, right, target.store, nameOf(context, node.left));
  } else {
    compound(context, node, node.operator, target, right);
  }
}

function nameOf(context: Context, expr: ast.Expr): Where {
  return () => `‘${textOf(context, expr)}’`;
}

/** spec: #simple-assignment-section: the left side is a reference to memory that can be written. */
function writable(
  context: Context,
  node: ast.AssignStatement | ast.IncrementStatement,
  expr: ast.Expr,
  type: Type,
): ReferenceType | null {
  if (type.kind === "error") return null;
  if (type.kind === "reference" && type.access !== "read" && isConstructible(type.store)) return type;
  const name = textOf(context, expr);
  if (type.kind !== "reference") {
    reportNotReference(context, expr, type, name);
    return null;
  }
  if (type.store.kind === "atomic") {
    reportAtomic(context, node, name, type);
    return null;
  }
  if (type.access === "read") {
    context.diagnostics.report(
      "write-to-read-only",
      expr.span,
      { name, space: type.space },
      readOnlyExtras(context, expr, type),
    );
    return null;
  }
  const code = containsAtomic(type.store) ? "atomic-copy" : "runtime-array-value";
  context.diagnostics.report(code, expr.span, { name, type: typeName(type.store) });
  return null;
}

/** What cannot be assigned, by what it is: a swizzle, a pointer without `*`, a `let`, `const` or parameter. */
function reportNotReference(context: Context, expr: ast.Expr, type: Type, name: string): void {
  if (
    expr.kind === "member" &&
    context.facts.memberOf(expr.id)?.kind === "swizzle" &&
    context.facts.typeOf(expr.id)?.kind === "vector"
  ) {
    context.diagnostics.report("assign-to-swizzle", expr.span, { name });
    return;
  }
  if (type.kind === "pointer") {
    const edits = [{ span: { start: expr.span.start, end: expr.span.start }, text: "*" }];
    const fixes = [fix("insert-indirection", { name }, edits)];
    context.diagnostics.report("assign-to-pointer", expr.span, { name }, { fixes });
    return;
  }
  const root = rootOf(expr);
  const target = root === null ? null : context.facts.declarationOf(root.id);
  context.diagnostics.report("assign-to-value", expr.span, { name }, target === null ? {} : valueExtras(target));
}

/** A `let` becomes a `var` where it is declared; a parameter is copied. */
function valueExtras({ kind, name, span }: Declaration): DiagnosticExtras {
  const { text } = name;
  if (kind === "param") return { notes: [note("copy-parameter", name.span, { name: text })] };
  if (kind !== "let") return { notes: [note("declared-here", name.span, { name: text })] };
  const edit = { span: { start: span.start, end: span.start + kind.length }, text: "var" };
  return {
    notes: [note("declare-var", name.span, { name: text })],
    fixes: [fix("declare-var", { name: text }, [edit])],
  };
}

/** The identifier that a chain of accesses begins with. */
function rootOf(expr: ast.Expr): ast.IdentifierExpr | null {
  let at = expr;
  for (;;) {
    if (at.kind === "identifier") return at;
    if (at.kind === "member" || at.kind === "index") at = at.object;
    else return null;
  }
}

/** A storage buffer can be made writable where it is declared; all other read-only memory is so by nature. */
function readOnlyExtras(context: Context, expr: ast.Expr, type: ReferenceType): DiagnosticExtras {
  const root = rootOf(expr);
  const target = root === null ? null : context.facts.declarationOf(root.id);
  if (target?.kind !== "var") return {};
  if (type.space === "uniform")
    return { notes: [note("uniform-is-read", target.name.span, { name: target.name.text })] };
  if (type.space !== "storage") return {};
  const name = target.name.text;
  const [space, access] = target.template ?? [];
  const end = access === undefined ? endWithParentheses(context, space) : 0;
  const edit =
    access === undefined
      ? { span: { start: end, end }, text: ", read_write" }
      : { span: access.span, text: "read_write" };
  return {
    notes: [note("make-read-write", target.name.span, { name })],
    fixes: [fix("make-read-write", { name }, [edit])],
  };
}

/**
 * `a = x`, `a += x`, `a = a + x`, `a++` on an atomic: for most there is one atomic function that does the same in one step,
 * and the fix writes it; `a *= x` needs a loop of compare-exchanges.
 */
function reportAtomic(
  context: Context,
  node: ast.AssignStatement | ast.IncrementStatement,
  name: string,
  type: ReferenceType,
): void {
  const { wanted, operand } = node.kind === "assign" ? atomicInstead(context, node) : INCREMENT[node.operator];
  const text = `${wanted}(&${context.source.slice(node.left.span)}, ${operand})`;
  const fixes = wanted === null || type.access === "read" ? [] : [replacement(node.span, text)];
  context.diagnostics.report(
    "atomic-plain-write",
    node.left.span,
    { name, type: typeName(type.store), wanted: wanted ?? phrase("compare-exchange-loop") },
    { fixes },
  );
}

/** The atomic function that an assignment stands for and its operand; null: there is none. */
function atomicInstead(context: Context, node: ast.AssignStatement): { wanted: string | null; operand: string } {
  const operand = context.source.slice(node.right.span);
  if (node.operator !== null) return { wanted: ATOMIC_FUNCTIONS[`${node.operator}=`] ?? null, operand };
  const update = atomicUpdate(context, node);
  if (update !== null) return { wanted: update.wanted, operand: context.source.slice(update.operand.span) };
  // A store of what is made of the old value would lose what others have added in between.
  return { wanted: mentions(context, node.right, node.left) ? null : "atomicStore", operand };
}

/** `a = a + x`, `a = x + a`, `a = max(a, x)`; null where `x` itself is made of `a`, or for another form. */
function atomicUpdate(
  context: Context,
  { operator, left, right }: ast.AssignStatement,
): { readonly wanted: string; readonly operand: ast.Expr } | null {
  if (operator !== null) return null;
  let wanted: string | undefined;
  let operands: readonly ast.Expr[] = [];
  if (right.kind === "binary") {
    const update = `${right.operator}=`;
    wanted = Object.hasOwn(ATOMIC_FUNCTIONS, update) ? ATOMIC_FUNCTIONS[update] : undefined;
    operands = [right.left, right.right];
  } else if (right.kind === "call" && context.facts.declarationOf(right.calleeId) === null) {
    const { text } = right;
    wanted = Object.hasOwn(ATOMIC_EXTREMES, text) ? ATOMIC_EXTREMES[text] : undefined;
    operands = right.args;
  }
  if (wanted === undefined || operands.length !== 2) return null;
  const at = operands.findIndex((operand) => isRead(context, operand, left));
  if (at < 0 || (at === 1 && wanted === "atomicSub")) return null;
  const operand = operands[1 - at];
  return mentions(context, operand, left) ? null : { wanted, operand };
}

/** An expression is the place itself, or `atomicLoad(&place)`. */
function isRead(context: Context, expr: ast.Expr, place: ast.Expr): boolean {
  const text = compact(context, expr);
  const name = compact(context, place);
  return text === name || text === `atomicLoad(&${name})`;
}

function mentions(context: Context, expr: ast.Expr, place: ast.Expr): boolean {
  const text = compact(context, expr);
  const name = compact(context, place);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWhole = !/[\w.]/.test(text[at - 1] ?? "") && !/\w/.test(text[at + name.length] ?? "");
    if (isWhole) return true;
  }
  return false;
}

function compact(context: Context, expr: ast.Expr): string {
  return context.source.slice(expr.span).replace(/\s+/g, "");
}

/** `a += b` is `a = a + b`, with `a` evaluated once. spec: #compound-assignment-sec */
function compound(
  context: Context,
  node: ast.AssignStatement,
  operator: NonNullable<ast.AssignOperator>,
  target: ReferenceType,
  right: Type,
): void {
  if (right.kind === "error") return;
  const resolved = resolveBinary(operator, target.store, right, false);
  if (!resolved.ok || resolved.result !== target.store) {
    const args = { operator: `${operator}=`, left: typeName(target.store), right: typeName(right) };
    const notes = compoundHints(context, node.right, target.store, right);
    context.diagnostics.report("no-compound-operator", node.span, args, { notes });
    return;
  }
  context.facts.apply(node.id, resolved);
  if (resolved.converts) convertTo(context, node.right, right, resolved.args[1]);
  noteOverrideExpression(context, node.right, context.facts.time(node.right.id));
  if (!resolved.row.isChecked) return;
  const problem = checkConstArguments(resolved.row, [null, context.facts.valueAsUsed(node.right.id)], resolved.result);
  if (problem !== null) reportValue(context, node.span, problem.error);
}

/** spec: #increment-decrement */
export function increment(context: Context, node: ast.IncrementStatement): void {
  const type = context.rules.expression(context, node.left);
  const target = writable(context, node, node.left, type);
  if (target === null || isConcreteInteger(target.store)) return;
  context.diagnostics.report("increment-type", node.left.span, {
    operator: node.operator,
    name: textOf(context, node.left),
    type: typeName(target.store),
  });
}

/** Behind the parentheses that an argument of a template list stands in: it begins with them. */
function endWithParentheses({ source }: Context, { isParenthesized, end }: ast.Expr): number {
  return isParenthesized ? end + /^(?:\s*\))*/.exec(source.text.slice(end))![0].length : end;
}
