/** Our verdict on a shader beside Tint's, and where the two are known to differ. */
import { analyze } from "../../src/analysis/analyze.ts";
import { check } from "../../src/check.ts";
import { expressionsById } from "../../src/syntax/walk.ts";
import { Source } from "../../src/text/source.ts";
import type { Tint } from "./tint.ts";

/** An error, the first in the text for us and the first that it finds for Tint; null: the shader is accepted. */
export type Verdict = { readonly line: number; readonly message: string } | null;

/** The features of the device that Tint is asked about. */
const FEATURES = ["shader-f16", "subgroups"];

export function ourVerdict(source: string): Verdict {
  const { diagnostics } = check(source, { features: FEATURES });
  const errors = diagnostics.filter((item) => item.severity === "error");
  if (errors.length === 0) return null;
  const first = errors.reduce((a, b) => (b.span.start < a.span.start ? b : a));
  return { line: lineAt(source, first.span.start), message: `${first.code}: ${first.message}` };
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}

/** Keeps Dawn from printing a log for each warning. */
const QUIET = "diagnostic(off, chromium.unreachable_code);";

export async function tintVerdict(oracle: Tint, source: string): Promise<Verdict> {
  const [first] = await oracle.errors(`${QUIET}${source}`);
  return first ?? null;
}

export interface Comparison {
  readonly source: string;
  readonly ours: Verdict;
  readonly theirs: Verdict;
}

export type Disagreement = "verdict" | "line" | null;

export function disagreement({ ours, theirs }: Comparison): Disagreement {
  if ((ours === null) !== (theirs === null)) return "verdict";
  return ours === null || ours.line === theirs!.line ? null : "line";
}

export interface KnownDifference {
  readonly name: string;
  /** Why we stay with our answer: what the specification says. */
  readonly why: string;
  readonly explains: (comparison: Comparison) => boolean;
}

/** Whether an expression on this line is decided by what is on the left of its && or ||. */
function isDecidedOn(source: string, line: number): boolean {
  const { module, constOf } = analyze(new Source(source), { features: FEATURES });
  return expressionsById(module).some((each) => {
    if (each?.kind !== "binary" || (each.operator !== "&&" && each.operator !== "||")) return false;
    const left = constOf[each.left.id]?.value;
    return left === (each.operator === "||") && lineAt(source, each.span.start) === line;
  });
}

/** Of the first token behind a line. */
function nextTokenLine(source: string, line: number): number {
  const lines = source.split("\n");
  let next = line;
  while (next < lines.length && /^\s*(\/\/.*|\/\*.*\*\/\s*)?$/.test(lines[next])) next++;
  return Math.min(next + 1, lines.length);
}

const SYNTAX =
  /^(missing-semicolon|unexpected-token|unclosed|expression-as-statement|unknown-attribute|keyword-as-name|indirection-of-value)/;

/** One points behind the last token of a line, the other at the first of the next. */
function areNeighbours({ source, ours, theirs }: Comparison): boolean {
  if (ours === null || theirs === null) return false;
  return theirs.line === nextTokenLine(source, ours.line) || ours.line === nextTokenLine(source, theirs.line);
}

function place(name: string, why: string, ours: RegExp, theirs: RegExp): KnownDifference {
  const explains = (each: Comparison) => ours.test(each.ours!.message) && theirs.test(each.theirs!.message);
  return { name, why, explains };
}

/** Both refuse, but name different lines. */
export const KNOWN_PLACES: readonly KnownDifference[] = [
  {
    name: "a token is missing at the end of a line",
    why: "we point behind the last token where something has to be put in, else at the token that does not fit",
    explains: (each) => SYNTAX.test(each.ours!.message) && areNeighbours(each),
  },
  place(
    "a function without return",
    "#behaviors-rules: it is about the function, which we point at; Tint at the closing brace",
    /^missing-return/,
    /missing return/,
  ),
  place(
    "main takes part in a cycle",
    "#function-calls, #declaration-and-scope: the mention of ‘main’ is what is wrong; Tint points at the head of the cycle",
    /^(entry-point-called|recursive-function|not-a-value-name)/,
    /cyclic dependency/,
  ),
  place(
    "attributes of a binding on another variable",
    "#attributes: the attribute is what cannot stand there; Tint points at the variable",
    /^binding-on-non-resource/,
    /non-resource variables must not have/,
  ),
  place(
    "a structure that is declared twice",
    "#declaration-and-scope: we name the second one, too, and before it in the text what the first one lacks",
    /^(unknown-member|no-overload|too-many-arguments|argument|struct)/,
    /redeclaration of/,
  ),
  place(
    "declarations in a function whose body is not closed",
    "#address-space: the first declaration that cannot stand in a function shows it; Tint takes those without attributes",
    /^(address-space-scope|nested|unexpected|statement|attribute)/,
    /unexpected attributes|expected '}'/,
  ),
];

/** One accepts what the other refuses. */
export const KNOWN_VERDICTS: readonly KnownDifference[] = [
  {
    name: "a constant on the left of && or || that decides",
    why:
      "#logical-expr, #const-expr: a const-expression has only const-expressions in it, so `false && x` is a runtime " +
      "expression, and its value no reason for a shader-creation error; Tint takes it for the constant false",
    explains: ({ source, ours, theirs }) => ours === null && theirs !== null && isDecidedOn(source, theirs.line),
  },
];
