/**
 * What a race is mended with: an atomic in place of a plain value, a barrier on a line of its own. Whether the text is legal
 * afterwards is not argued but looked at: nothing is offered that is not.
 */
import "../diagnostics/catalogue-beyond.ts";
import "../numeric/const-math-exact.ts";
import { analyze } from "../analysis/analyze.ts";
import type { Program } from "../analysis/program.ts";
import type { NoteCode } from "../diagnostics/catalogue.ts";
import { type Diagnostic, type Fix, fix, type Note } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { forEachExpression } from "../syntax/walk.ts";
import { applyEdits, type Edit } from "../text/edit.ts";
import { cover, type Position, Source, type Span } from "../text/source.ts";

type Found = Pick<Diagnostic, "span" | "notes">;

/** What the notes that say a way out amount to. */
const WAYS: Partial<Record<NoteCode, (program: Program, note: Note, found: Found) => Fix | null>> = {
  "use-atomic-update": (program, _, found) => madeAtomic(program, found),
  "hint-atomic": (program, _, found) => madeAtomic(program, found),
  "hint-atomics": (program, _, found) => madeAtomic(program, found),
  "hint-barrier": (program, note, found) => barrierBehind(program, note, Number(note.args.line), found),
  "hint-timing-barrier": (program, note, found) => barrierBehind(program, note, Number(note.args.line), found),
  "hint-two-barriers": (program, note) =>
    barriersBehind(program, note, [Number(note.args.line), Number(note.args.end)]),
  "hint-other-barrier": (program, note, found) => barrierBesides(program, note, found),
  "put-barrier": (program, note, { span, notes }) => {
    const first = notes.find(({ code }) => code === "written-by-another" || code === "read-by-another");
    return first === undefined ? null : barrierBetween(program, note, first.span, span);
  },
  "barrier-at-end": (program, note) => barrierAtEnd(program, note),
};

/** Whether `raceFixes` has anything to try. */
export function isMendable({ notes }: Found): boolean {
  return notes.some(({ code }) => Object.hasOwn(WAYS, code));
}

/** What the notes of a finding or an advice about a race amount to, if that can be written down. */
export function raceFixes(program: Program, found: Found): readonly Fix[] {
  for (const note of found.notes) {
    const made = WAYS[note.code]?.(program, note, found) ?? null;
    if (made !== null) return [made];
  }
  return [];
}

// ---------------------------------------------------------------- atomics

/** A place may be read in the index of another one, and that in one more: each round mends what stands outermost. */
const MOST_ROUNDS = 8;

/** The type of what is accessed becomes atomic, and all plain accesses to it atomic functions. */
function madeAtomic(program: Program, found: Found): Fix | null {
  const place = placeAt(program, found.span.start);
  if (place === null) return null;
  const type = typeOf(program, place);
  if (type?.kind !== "identifier" || (type.text !== "u32" && type.text !== "i32")) return null;
  let text = applyEdits(program.source.text, [{ span: type.span, text: `atomic<${type.text}>` }]);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const errors = errorsOf(program, text);
    if (errors.length === 0) {
      const edits = editsBetween(program.source, text);
      return isOneStep(program.source, edits, found) ? fix("make-atomic", { name: nameOf(place) }, edits) : null;
    }
    const plain = errors.filter(({ code }) => code === "atomic-plain-write" || code === "atomic-plain-read");
    const ways = plain.flatMap(({ fixes }) => fixes.slice(0, 1));
    if (ways.length < errors.length) return null;
    text = applyEdits(text, apart(ways));
  }
  return null;
}

/** What is loaded and then stored, each by an atomic function of its own, is lost as before. */
function isOneStep(source: Source, edits: readonly Edit[], { span, notes }: Found): boolean {
  const spans = [span, ...notes.filter(({ code }) => PLACES.has(code)).map((note) => note.span)];
  const touched = edits.filter((edit) =>
    spans.some(({ start, end }) => start <= edit.span.end && edit.span.start <= end),
  );
  const halves = (text: string) => text.split(/atomicLoad|atomicStore/).length;
  return touched.every((edit) => halves(edit.text) <= halves(source.slice(edit.span)));
}

const PLACES: ReadonlySet<NoteCode> = new Set<NoteCode>(["other-access", "this-access"]);

/** The longest chain of members and elements that begins at an offset. */
function placeAt(program: Program, offset: number): ast.Expr | null {
  let longest: ast.Expr | null = null;
  for (const [id, expr] of program.expressionOf.entries()) {
    if (expr === null || expr.span.start !== offset || program.typeOf[id]?.kind !== "reference") continue;
    if (longest === null || expr.span.end > longest.span.end) longest = expr;
  }
  return longest;
}

/** Where the type of a place is written down; null: in no place of its own. */
function typeOf(program: Program, place: ast.Expr): ast.Expr | null {
  switch (place.kind) {
    case "identifier": {
      const entity = program.entityOf[place.id];
      return entity?.kind === "variable" ? entity.declaration.type : null;
    }
    case "index": {
      const array = typeOf(program, place.object);
      return array?.kind === "identifier" && array.text === "array" ? (array.template?.[0] ?? null) : null;
    }
    case "member": {
      const struct = typeOf(program, place.object);
      const entity = struct === null ? null : program.entityOf[struct.id];
      if (entity?.kind !== "struct") return null;
      return entity.declaration.members.find(({ name }) => name.text === place.text)?.type ?? null;
    }
    default:
      return null;
  }
}

/** Without the indices: all elements become atomic. */
function nameOf(place: ast.Expr): string {
  if (place.kind === "index") return nameOf(place.object);
  if (place.kind === "member") return `${nameOf(place.object)}.${place.text}`;
  return place.kind === "identifier" ? place.text : "";
}

function errorsOf({ source, target }: Program, text: string): readonly Diagnostic[] {
  const { features, languageFeatures } = target;
  const { diagnostics } = analyze(new Source(text, source.path), {
    ...(features === null ? {} : { features }),
    ...(languageFeatures === null ? {} : { languageFeatures }),
  });
  return diagnostics.filter(({ severity }) => severity === "error");
}

/** The edits of those fixes that do not reach into one before them; the others have their turn in the next round. */
function apart(fixes: readonly Fix[]): readonly Edit[] {
  const ranges = fixes.map(({ edits }) => ({ edits, range: edits.map(({ span }) => span).reduce(cover) }));
  ranges.sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
  let end = 0;
  return ranges.flatMap(({ edits, range }) => {
    if (range.start < end) return [];
    end = range.end;
    return edits;
  });
}

/** An edit for each line that differs: what stands on others keeps its place. */
function editsBetween(source: Source, text: string): readonly Edit[] {
  const now = new Source(text);
  if (now.lineStarts.length !== source.lineStarts.length) {
    return [{ span: { start: 0, end: source.text.length }, text }];
  }
  return source.lineStarts.flatMap((start, i): Edit[] => {
    const [before, after] = [source.line(i + 1), now.line(i + 1)];
    return before === after ? [] : [{ span: { start, end: start + before.length }, text: after }];
  });
}

// ---------------------------------------------------------------- barriers

/** Behind the line that a note names, unless what must come after it stands there too. */
function barrierBehind(program: Program, note: Note, line: number, found: Found): Fix | null {
  const { source } = program;
  const text = source.line(line);
  // At the end of a round both accesses have come before it, unless the line ends the round.
  if (linesOf(source, [found.span]).has(line) && closes(text) !== 0) return null;
  return barriersBehind(program, note, [line]);
}

/** A line that begins a block has them inside. */
function barriersBehind(program: Program, note: Note, lines: readonly number[]): Fix | null {
  const behind = lines.map((line) => {
    const text = program.source.line(line);
    return { line, indent: closes(text) < 0 ? deeper(indentOf(text)) : indentOf(text) };
  });
  return barriersInserted(program, note, behind);
}

/** Behind the one that orders other memory, which may be needed too. */
function barrierBesides(program: Program, note: Note, found: Found): Fix | null {
  const { source } = program;
  const barrier = found.notes.find(({ code }) => code === "this-barrier");
  if (barrier === undefined) return null;
  const lines = linesOf(source, [barrier.span, ...besideInRounds(program, barrier)]);
  const accesses = linesOf(source, [found.span, ...otherPlaces(found)]);
  if ([...lines].some((line) => accesses.has(line))) return null;
  const behind = [...lines].sort((a, b) => a - b).map((line) => ({ line, indent: indentOf(source.line(line)) }));
  return barriersInserted(program, note, behind);
}

/** The barriers like one in the loops around it: what meets in a round may meet from one to the next as well, behind another of them. */
function besideInRounds({ functions }: Program, { span, args }: Note): readonly Span[] {
  const isInside = (inner: Span, outer: Span) => outer.start <= inner.start && inner.end <= outer.end;
  const loops: Span[] = [];
  const calls: Span[] = [];
  for (const { declaration } of functions) {
    if (!isInside(span, declaration.span)) continue;
    forEachExpression(
      declaration.body,
      (expr) => {
        const isCall = expr.kind === "call" && expr.callee.text === args.barrier;
        if (isCall && loops.some((loop) => isInside(expr.span, loop))) calls.push(expr.span);
      },
      (statement) => {
        if (LOOPS.has(statement.kind) && isInside(span, statement.span)) loops.push(statement.span);
      },
    );
  }
  return calls;
}

const LOOPS: ReadonlySet<ast.Statement["kind"]> = new Set<ast.Statement["kind"]>(["for", "while", "loop"]);

/** Where the other access of a finding is; where it is the same place, that. */
function otherPlaces({ span, notes }: Found): readonly Span[] {
  const others = notes.filter(({ code }) => code === "other-access").map((note) => note.span);
  return others.length === 0 ? [span] : others;
}

function linesOf(source: Source, spans: readonly Span[]): ReadonlySet<number> {
  return new Set(spans.map(({ start }) => source.position(start).line));
}

/** How many more blocks a line ends than it begins. */
function closes(line: string): number {
  return line.split("}").length - line.split("{").length;
}

/** Before the statement of the second access, or before one around it: where all invocations get to. */
function barrierBetween(program: Program, note: Note, first: Span, second: Span): Fix | null {
  const { source } = program;
  for (const { line, column } of statementsAround(program, second, first.end)) {
    const text = source.line(line);
    // What stands before it on its line would be parted from it.
    if (text.slice(0, column - 1).trim() !== "") continue;
    const made = barrierInserted(program, note, line - 1, indentOf(text));
    if (made !== null) return made;
  }
  return null;
}

/** Where the statements around a place begin that begin behind an offset, the innermost first. */
function statementsAround({ functions, source }: Program, { start, end }: Span, from: number): readonly Position[] {
  const around: Position[] = [];
  for (const { declaration } of functions) {
    if (declaration.span.start > start || declaration.span.end < end) continue;
    forEachExpression(
      declaration.body,
      () => {},
      ({ span }) => {
        if (span.start >= from && span.start <= start && span.end >= end) around.push(source.position(span.start));
      },
    );
  }
  return around.reverse();
}

/** Before the bracket that closes a loop, if that has a line of its own. */
function barrierAtEnd(program: Program, note: Note): Fix | null {
  const { line, column } = program.source.position(note.span.start);
  const indent = program.source.line(line).slice(0, column - 1);
  if (indent.trim() !== "") return null;
  return barrierInserted(program, note, line - 1, deeper(indent));
}

function deeper(indent: string): string {
  return indent + (indent.startsWith("\t") ? "\t" : "  ");
}

function barrierInserted(program: Program, note: Note, line: number, indent: string): Fix | null {
  return barriersInserted(program, note, [{ line, indent }]);
}

/** As a line of its own behind each of some; null: it must not stand there. */
function barriersInserted(
  program: Program,
  { args }: Note,
  behind: readonly { readonly line: number; readonly indent: string }[],
): Fix | null {
  const { source } = program;
  const text = `${args.barrier}();`;
  const edits = behind.map(({ line, indent }): Edit => {
    const end = source.lineStarts[line - 1] + source.line(line).length;
    const lineBreak = source.text.startsWith("\r\n", end) ? "\r\n" : "\n";
    return { span: { start: end, end }, text: lineBreak + indent + text };
  });
  if (errorsOf(program, applyEdits(source.text, edits)).length > 0) return null;
  const [{ line }, ...others] = behind;
  if (others.length === 0) return fix("insert-behind-line", { text, line }, edits);
  return fix("insert-behind-lines", { text, lines: behind.map((each) => each.line).join(", ") }, edits);
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)![0];
}
