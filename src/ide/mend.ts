/**
 * What a race is mended with: an atomic in place of a plain value, a barrier on a line of its own. Whether the text is legal
 * afterwards is not argued but looked at: nothing is offered that is not.
 */
import { analyze } from "../analysis/analyze.ts";
import type { Program } from "../analysis/program.ts";
import { type Diagnostic, type Fix, fix, type Note } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { applyEdits, type Edit } from "../text/edit.ts";
import { cover, Source } from "../text/source.ts";

type Found = Pick<Diagnostic, "span" | "notes">;

/** What the notes of a finding or an advice about a race amount to, if that can be written down. */
export function raceFixes(program: Program, { span, notes }: Found): readonly Fix[] {
  for (const note of notes) {
    const made =
      note.code === "use-atomic-update" || note.code === "hint-atomic"
        ? madeAtomic(program, span.start)
        : note.code === "hint-barrier"
          ? barrierInserted(program, note, span.start)
          : null;
    if (made !== null) return [made];
  }
  return [];
}

// ---------------------------------------------------------------- atomics

/** A place may be read in the index of another one, and that in one more: each round mends what stands outermost. */
const MOST_ROUNDS = 8;

/** The type of what is accessed at an offset becomes atomic, and all plain accesses to it atomic functions. */
function madeAtomic(program: Program, offset: number): Fix | null {
  const place = placeAt(program, offset);
  if (place === null) return null;
  const type = typeOf(program, place);
  if (type?.kind !== "identifier" || (type.text !== "u32" && type.text !== "i32")) return null;
  let text = applyEdits(program.source.text, [{ span: type.span, text: `atomic<${type.text}>` }]);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const errors = errorsOf(program, text);
    if (errors.length === 0) {
      return fix("make-atomic", { name: nameOf(place) }, editsBetween(program.source, text));
    }
    const plain = errors.filter(({ code }) => code === "atomic-plain-write" || code === "atomic-plain-read");
    const ways = plain.flatMap(({ fixes }) => fixes.slice(0, 1));
    if (ways.length < errors.length) return null;
    text = applyEdits(text, apart(ways));
  }
  return null;
}

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

/** Behind the line that the note names, unless what must come after it stands there too. */
function barrierInserted(program: Program, { args }: Note, offset: number): Fix | null {
  const { source } = program;
  const line = Number(args.line);
  if (source.position(offset).line === line) return null;
  const before = source.line(line);
  const end = source.lineStarts[line - 1] + before.length;
  const text = `${args.barrier}();`;
  const lineBreak = source.text.startsWith("\r\n", end) ? "\r\n" : "\n";
  const edit = { span: { start: end, end }, text: `${lineBreak}${/^\s*/.exec(before)![0]}${text}` };
  if (errorsOf(program, applyEdits(source.text, [edit])).length > 0) return null;
  return fix("insert-behind-line", { text, line }, [edit]);
}
