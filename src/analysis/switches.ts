/** spec: #switch-statement */
import { fix, note, phrase } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import type { Edit } from "../text/edit.ts";
import { isLineBreak, span } from "../text/source.ts";
import { commonType, concretize } from "../types/conversion.ts";
import { isConcreteInteger, isIntegerScalar } from "../types/predicates.ts";
import { I32, type Type, typeName } from "../types/type.ts";
import { statementAttributes } from "./attributes.ts";
import type { Context } from "./context.ts";
import { convertTo, value } from "./conversions.ts";
import { reportNotConstant } from "./declarations.ts";
import { CONST } from "./fact-table.ts";
import { conversionHints } from "./hints.ts";
import { MAX_CASE_SELECTORS } from "./limits.ts";

interface Typed {
  readonly expr: ast.Expr;
  readonly type: Type;
}

/**
 * All of a `switch` but its blocks. All selectors are typed before any is judged: `switch 1 { case 2u: … }` is a u32
 * switch, because of its case.
 */
export function switchSelectors(context: Context, node: ast.SwitchStatement): void {
  statementAttributes(context, node.attributes, node);
  statementAttributes(context, node.bodyAttributes, { span: bodySpan(node) });
  const selector = { expr: node.selector, type: value(context, node.selector) };
  const cases: Typed[] = [];
  for (const clause of node.clauses) {
    for (const part of clause.selectors) {
      if (part.kind !== "default") cases.push({ expr: part, type: value(context, part) });
    }
  }
  if (oneType(context, selector, cases)) {
    casesAreConstant(context, cases);
    casesDiffer(context, cases);
  }
  oneDefault(context, node);
  selectorCount(context, node);
}

function bodySpan(node: ast.SwitchStatement): ast.SwitchStatement["span"] {
  return { start: node.selector.span.end, end: node.span.end };
}

/** Selector and cases have one concrete integer type. */
function oneType(context: Context, selector: Typed, cases: readonly Typed[]): boolean {
  if (selector.type.kind === "error") return false;
  if (!isIntegerScalar(selector.type)) {
    const { expr } = selector;
    const notes = conversionHints(context, expr, selector.type, I32);
    context.diagnostics.report("switch-selector-type", expr.span, { type: typeName(selector.type) }, { notes });
    return false;
  }
  const sound = [selector];
  const types = [selector.type];
  for (const item of cases) {
    if (item.type.kind === "error") continue;
    if (!isIntegerScalar(item.type)) {
      const args = { expected: typeName(selector.type), actual: typeName(item.type) };
      context.diagnostics.report("case-type", item.expr.span, args);
      return false;
    }
    sound.push(item);
    if (!types.includes(item.type)) types.push(item.type);
  }
  const type = concretize(commonType(types) ?? selector.type);
  for (const item of sound) {
    if (convertTo(context, item.expr, item.type, type) && isConcreteInteger(type)) continue;
    const args = { expected: typeName(type), actual: typeName(item.type) };
    context.diagnostics.report("case-type", item.expr.span, args);
    return false;
  }
  return true;
}

function casesAreConstant(context: Context, cases: readonly Typed[]): void {
  for (const { expr } of cases) {
    if (context.facts.time(expr.id) !== CONST) reportNotConstant(context, expr, phrase("case-selector"));
  }
}

function casesDiffer(context: Context, cases: readonly Typed[]): void {
  const seen = new Map<unknown, ast.Expr>();
  for (const { expr } of cases) {
    const known = context.facts.valueAsUsed(expr.id);
    if (known === null) continue;
    const earlier = seen.get(known.value);
    if (earlier === undefined) seen.set(known.value, expr);
    else {
      const notes = [note("first-here", earlier.span, { name: String(known.value) })];
      context.diagnostics.report("duplicate-case", expr.span, { value: Number(known.value) }, { notes });
    }
  }
}

function oneDefault(context: Context, node: ast.SwitchStatement): void {
  let first: ast.DefaultSelector | null = null;
  for (const { selectors } of node.clauses) {
    for (const part of selectors) {
      if (part.kind !== "default") continue;
      if (first === null) first = part;
      else {
        const notes = [note("first-here", first.span, { name: "default" })];
        context.diagnostics.report("duplicate-default", part.span, {}, { notes });
      }
    }
  }
  if (first !== null) return;
  const { start } = node;
  const place = span(start, start + "switch".length);
  const { text } = context.source;
  // Where a brace lacks, the last one may be that of a clause.
  const written = text.slice(node.start, node.end);
  const isClosed = written.split("{").length === written.split("}").length;
  const fixes = isClosed ? [fix("insert-default", {}, [defaultClause(text, node)])] : [];
  context.diagnostics.report("no-default", place, {}, { fixes });
}

/** Before the brace that ends the `switch`: on a line of its own where the brace has one, as far right as the clause before. */
function defaultClause(text: string, { clauses, end }: ast.SwitchStatement): Edit {
  const brace = end - 1;
  const last = clauses.at(-1);
  const line = lineStart(text, brace);
  if (last === undefined || line <= last.end || text.slice(line, brace).trim() !== "") {
    const gap = /\s/.test(text[brace - 1]) ? "" : " ";
    return { span: span(brace, brace), text: `${gap}default: {} ` };
  }
  const indentation = /^[ \t]*/.exec(text.slice(lineStart(text, last.start), last.start))![0];
  return { span: span(line, line), text: `${indentation}default: {}\n` };
}

function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !isLineBreak(text.charCodeAt(start - 1))) start--;
  return start;
}

/** spec: #limits */
function selectorCount(context: Context, node: ast.SwitchStatement): void {
  let given = 0;
  for (const { selectors } of node.clauses) given += selectors.length;
  if (given <= MAX_CASE_SELECTORS) return;
  context.diagnostics.report("switch-selectors", node.selector.span, { given, limit: MAX_CASE_SELECTORS });
}
