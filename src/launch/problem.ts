/** Errors of a launch, and where they are told: at a place in the launch or in a shader. */

import "../diagnostics/catalogue-beyond.ts";
import { CATALOGUE, type DiagnosticCode } from "../diagnostics/catalogue.ts";
import {
  type DiagnosticArgs,
  type DiagnosticExtras,
  diagnostic,
  fillTemplate,
  hasErrors,
  type MessageArgs,
  type MessageValue,
  type Note,
  note,
  type PlacedDiagnostic,
  phrase,
} from "../diagnostics/diagnostic.ts";
import { ValueError } from "../layout/view.ts";
import { nearestName } from "../text/nearest.ts";
import { Source, type Span } from "../text/source.ts";
import { jsonPlace } from "./json-place.ts";

/** Steps into the JSON of a launch: `["buffers", "a"]`. */
export type LaunchPath = readonly (string | number)[];

/** Thrown for a launch that makes no sense; `path` is the place in the launch. */
export class LaunchError extends TypeError {
  readonly code: DiagnosticCode;
  readonly args: MessageArgs;
  readonly path: LaunchPath;
  /** A name that is known and near the wrong one. */
  readonly near: string | null;

  constructor(path: LaunchPath, code: DiagnosticCode, args: MessageArgs, near: string | null = null) {
    const place = path.length === 0 ? "" : `${path.join(".")}: `;
    const hint = near === null ? "" : ` (did you mean ‘${near}’?)`;
    super(`${place}${fillTemplate(CATALOGUE[code].text, args)}${hint}`);
    this.name = "LaunchError";
    this.code = code;
    this.args = args;
    this.path = path;
    this.near = near;
  }
}

/** Builds a `LaunchError` whose arguments the compiler checks. */
export function launchError<Code extends DiagnosticCode>(
  path: LaunchPath,
  code: Code,
  args: DiagnosticArgs<Code>,
  near: string | null = null,
): LaunchError {
  return new LaunchError(path, code, args, near);
}

/** A name that is not among those known; the nearest of them is offered. */
export function unknownName(
  path: LaunchPath,
  code: "entry-unknown" | "buffer-unknown" | "override-unknown" | "host-layout-unknown",
  name: string,
  known: readonly string[],
): LaunchError {
  return launchError(path, code, { name, known: listed(known) }, nearestName(name, known));
}

/** Names for a message: `‘a’, ‘b’`; "none" where there are none. */
export function listed(names: readonly string[]): MessageValue {
  const LONGEST = 12;
  if (names.length === 0) return phrase("none");
  const shown = names.slice(0, LONGEST).map((name) => `‘${name}’`);
  const list = shown.join(", ");
  return names.length > LONGEST ? phrase("list-more", { list, count: names.length - LONGEST }) : list;
}

/** Runs `action`; errors of values and of parts that lack a place get the place `path`. */
export function at<T>(path: LaunchPath, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw placed(path, error);
  }
}

/** Like `at`, for what takes time. */
export async function atAsync<T>(path: LaunchPath, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw placed(path, error);
  }
}

function placed(path: LaunchPath, error: unknown): unknown {
  if (error instanceof LaunchError) {
    return error.path.length > 0 ? error : new LaunchError(path, error.code, error.args, error.near);
  }
  if (error instanceof ValueError) return launchError(path, "value-mismatch", { problem: error.problem });
  return error;
}

/** Where a part of a launch stands that its text does not hold; null: the text does. */
export type Elsewhere = (path: LaunchPath) => { readonly source: Source; readonly span: Span } | null;

/** Collects what is to be said of one launch. */
export class LaunchReport {
  /** The text of the launch; null: it was made in code, so that its errors are thrown. */
  readonly source: Source | null;
  readonly elsewhere: Elsewhere;
  readonly items: PlacedDiagnostic[] = [];

  constructor(source: Source | null, elsewhere: Elsewhere = () => null) {
    this.source = source;
    this.elsewhere = elsewhere;
  }

  get hasErrors(): boolean {
    return hasErrors(this.items);
  }

  /** Nothing stands against running: findings of the layouts do not. */
  get canRun(): boolean {
    return this.items.every((item) => item.severity !== "error" || item.code === "layout-mismatch");
  }

  /** At a place in the launch, with notes about that very place. Errors of a launch that was made in code are thrown. */
  atLaunch<Code extends DiagnosticCode>(
    path: LaunchPath,
    code: Code,
    args: DiagnosticArgs<Code>,
    extras: DiagnosticExtras = {},
    onKey = false,
    notesAt: (span: Span) => readonly Note[] = () => [],
  ): void {
    const source = this.source;
    if (source === null && (extras.severity ?? CATALOGUE[code].severity) === "error")
      throw launchError(path, code, args);
    const place = this.#place(source, path, onKey);
    const notes = [...(extras.notes ?? []), ...notesAt(place.span)];
    this.add({ ...diagnostic(code, place.span, args, { ...extras, notes }), source: place.source });
  }

  /** At a place in a shader. */
  atShader<Code extends DiagnosticCode>(
    source: Source,
    span: Span,
    code: Code,
    args: DiagnosticArgs<Code>,
    extras: DiagnosticExtras = {},
  ): void {
    this.add({ ...diagnostic(code, span, args, extras), source });
  }

  /** An error that was thrown, at its place in the launch. What is no error of a launch goes on. */
  thrown(error: unknown): void {
    if (!(error instanceof LaunchError) || this.source === null) throw error;
    const { source, span } = this.#place(this.source, error.path, isAboutKey(error.code, error.path));
    const notes = error.near === null ? [] : [note("did-you-mean", span, { name: error.near })];
    this.add({ ...diagnostic(error.code, span, error.args as never, { notes }), source });
  }

  #place(source: Source | null, path: LaunchPath, onKey: boolean): { readonly source: Source; readonly span: Span } {
    if (source === null) return { source: IN_CODE, span: NOWHERE };
    return this.elsewhere(path) ?? { source, span: placeIn(source, path, onKey) };
  }

  /** Runs `action`; a launch error in it is reported and gives null. */
  try<T>(action: () => T): T | null {
    try {
      return action();
    } catch (error) {
      this.thrown(error);
      return null;
    }
  }

  async tryAsync<T>(action: () => Promise<T>): Promise<T | null> {
    try {
      return await action();
    } catch (error) {
      this.thrown(error);
      return null;
    }
  }

  add(item: PlacedDiagnostic): void {
    const same = (other: PlacedDiagnostic) =>
      other.code === item.code &&
      other.source === item.source &&
      other.span.start === item.span.start &&
      other.message === item.message;
    if (!this.items.some(same)) this.items.push(item);
  }
}

/** The texts in the order in which they were found, in each by place. */
export function byPlace(items: readonly PlacedDiagnostic[]): readonly PlacedDiagnostic[] {
  const sources = [...new Set(items.map((item) => item.source))];
  return [...items].sort(
    (a, b) => sources.indexOf(a.source) - sources.indexOf(b.source) || a.span.start - b.span.start,
  );
}

const NOWHERE: Span = { start: 0, end: 0 };
const IN_CODE = new Source("", "launch");

/** Codes that concern a name, and the maps of a launch whose keys are such names. */
const ABOUT_NAMES: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  "buffer-unknown",
  "override-unknown",
  "variable-unknown",
  "host-layout-unknown",
  "host-member-unknown",
  "launch-conflict",
  "path-syntax",
  "path-unknown",
]);
const MAPS_BY_NAME: ReadonlySet<string | number | undefined> = new Set([
  "buffers",
  "overrides",
  "bind",
  "hostLayout",
  "members",
  "set",
  "expect",
]);

/** Whether the name at the end of a path is at fault, not what stands behind it. */
function isAboutKey(code: DiagnosticCode, path: LaunchPath): boolean {
  return ABOUT_NAMES.has(code) && MAPS_BY_NAME.has(path.at(-2));
}

function placeIn(source: Source, path: LaunchPath, onKey: boolean): Span {
  const key = onKey && typeof path.at(-1) === "string";
  try {
    return jsonPlace(source.text, path, key);
  } catch {
    return NOWHERE; // The text is no JSON: it says so itself.
  }
}
