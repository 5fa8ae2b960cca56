/**
 * `// halay-allow-next-line code, code -- reason` silences codes on the next line that is not blank or a comment. What can be silenced is what a filter
 * reaches (see filter.ts); an allowance without a reason silences nothing.
 */
import { pushAll } from "../text/list.ts";
import { nearestName } from "../text/nearest.ts";
import type { Source, Span } from "../text/source.ts";
import { CATALOGUE, type DiagnosticCode } from "./catalogue.ts";
import { type Diagnostic, diagnostic, note } from "./diagnostic.ts";
import { triggeringRule } from "./filter.ts";

const MARK = "halay-allow-next-line";
const FIRST_OF_MARK = MARK.charCodeAt(0);
/** Makes a letter a small one. */
const LOWER_CASE = 0x20;
const TAB = 0x09;
const SPACE = 0x20;
const STAR = 0x2a;
const SLASH = 0x2f;

export interface Allowances {
  /** Codes by the number of the line that they are allowed on. */
  readonly codesByLine: ReadonlyMap<number, ReadonlySet<string>>;
  /** What is wrong with the allowances themselves. */
  readonly diagnostics: readonly Diagnostic[];
}

const NONE: Allowances = { codesByLine: new Map(), diagnostics: [] };

/** The allowances in the comments of a text. */
export function allowancesIn(source: Source, comments: readonly { readonly span: Span }[]): Allowances {
  if (comments.length === 0) return NONE;
  const misspelt = misspeltMarks(source, comments);
  if (!source.text.includes(MARK, comments[0].span.start))
    return misspelt === null ? NONE : { ...NONE, diagnostics: misspelt };
  const codesByLine = new Map<number, Set<string>>();
  const diagnostics: Diagnostic[] = [];
  let above = new Set<string>();
  let lineAbove = -1;
  for (const { span } of comments) {
    const text = source.slice(span);
    const at = text.indexOf(MARK);
    if (at < 0) continue;
    const { codes, problems } = readAllowance(text, at + MARK.length, span);
    pushAll(diagnostics, problems);
    const { line } = source.position(Math.max(span.start, span.end - 1));
    // Several in a row hold for the line below the last.
    const together = line === lineAbove + 1 ? new Set([...above, ...codes]) : new Set(codes);
    codesByLine.set(lineBelow(source, line), together);
    above = together;
    lineAbove = line;
  }
  pushAll(diagnostics, misspelt ?? []);
  return { codesByLine, diagnostics };
}

/** `// halay-alow race-storage -- …` would allow nothing, and nobody would hear of it. null: there is none. */
function misspeltMarks(source: Source, comments: readonly { readonly span: Span }[]): Diagnostic[] | null {
  let found: Diagnostic[] | null = null;
  for (const { span } of comments) {
    const wrong = misspeltMark(source, span);
    if (wrong !== null) (found ??= []).push(wrong);
  }
  return found;
}

function misspeltMark(source: Source, { start, end }: Span): Diagnostic | null {
  let at = start;
  while (at < end && isLeading(source.text.charCodeAt(at))) at++;
  // Comments are many.
  if ((source.text.charCodeAt(at) | LOWER_CASE) !== FIRST_OF_MARK) return null;
  const text = source.text.slice(at, end);
  const [, mark, rest] = /^([\w-]+):?([\s\S]*)$/.exec(text)!;
  if (text.startsWith(MARK)) return null;
  const isMark = nearestName(mark, [MARK]) !== null || (/^halay[-_]/i.test(mark) && isAllowing(rest));
  if (!isMark) return null;
  const span = { start: at, end: at + mark.length };
  return diagnostic("allowance-mark", span, { mark }, { notes: [note("did-you-mean", span, { name: MARK })] });
}

/** What stands in front of the first word of a comment. */
function isLeading(unit: number): boolean {
  return unit === SPACE || unit === SLASH || unit === STAR || unit === TAB;
}

/** Whether it reads like what stands behind a mark: codes, or a word with a reason. */
function isAllowing(rest: string): boolean {
  const [list, reason] = rest.split("--");
  const codes = list.split(/[\s,]+/).map((word) => word.replaceAll("_", "-"));
  return (reason !== undefined && codes.length <= 4) || codes.some(canBeAllowed);
}

/** The next line with more than blankspace and a comment. */
function lineBelow(source: Source, line: number): number {
  let below = line + 1;
  while (below <= source.lineStarts.length && /^\s*(?:\/\/.*)?$/.test(source.line(below))) below++;
  return below;
}

/** What stands behind the mark in the text of a comment. */
function readAllowance(
  text: string,
  behind: number,
  span: Span,
): { codes: readonly string[]; problems: readonly Diagnostic[] } {
  const [list, ...reason] = text
    .slice(behind)
    .replace(/\*\/\s*$/, "")
    .split("--");
  const words = [...list.matchAll(/[^\s,]+/g)];
  const codes = words.map(([code]) => code);
  const problems: Diagnostic[] = words
    .filter(([code]) => !canBeAllowed(code))
    .map(({ 0: code, index }) => unknownCode(code, span.start + behind + index));
  if (reason.join("--").trim() === "") {
    const named = codes.length === 0 ? "code" : codes.join(", ");
    return { codes: [], problems: [...problems, diagnostic("allowance-without-reason", span, { codes: named })] };
  }
  if (codes.length === 0) problems.push(diagnostic("allowance-without-code", span, {}));
  return { codes, problems };
}

function unknownCode(code: string, start: number): Diagnostic {
  const span = { start, end: start + code.length };
  const near = nearestName(code, Object.keys(CATALOGUE).filter(canBeAllowed));
  const notes = near === null ? [] : [note("did-you-mean", span, { name: near })];
  return diagnostic("allowance-unknown", span, { code }, { notes });
}

function canBeAllowed(code: string): boolean {
  return Object.hasOwn(CATALOGUE, code) && triggeringRule(code as DiagnosticCode) !== null;
}

/** What the allowances leave of some diagnostics of the same text. */
export function applyAllowances(
  diagnostics: readonly Diagnostic[],
  source: Source,
  { codesByLine }: Allowances,
): readonly Diagnostic[] {
  if (codesByLine.size === 0) return diagnostics;
  return diagnostics.filter((item) => {
    const allowed = codesByLine.get(source.position(item.span.start).line);
    return allowed === undefined || !allowed.has(item.code) || triggeringRule(item.code) === null;
  });
}
