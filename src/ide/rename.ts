/**
 * Gives something another name everywhere. Whether the text means the same afterwards is not argued but looked at: the new
 * text is read, and each of its names must denote what it denoted before.
 */
import "../diagnostics/catalogue-beyond.ts";
import { resolveNames } from "../analysis/analyze.ts";
import type { Program } from "../analysis/program.ts";
import { RENAME_NOTES, type RenameCode } from "../diagnostics/catalogue-ide.ts";
import { fillTemplate, type MessageArgs } from "../diagnostics/diagnostic.ts";
import type * as ast from "../syntax/ast.ts";
import { tokenize } from "../syntax/lexer.ts";
import { applyEdits, type Edit } from "../text/edit.ts";
import { firstFrom, Source, type Span } from "../text/source.ts";
import { nameAt, placesOf } from "./name-at.ts";
import { type Meaning, type NamedPlace, namesIn } from "./names.ts";
import type { Rename } from "./types.ts";

/** The edits that give what is named at an offset the name `name`, or why it cannot have it. */
export function rename(program: Program, offset: number, name: string): Rename {
  const at = nameAt(program, offset);
  if (at === null) return refusal("rename-nothing", {});
  const { kind } = at.meaning;
  if (kind === "unknown") return refusal("rename-nothing", {});
  if (kind !== "declared" && kind !== "member") return refusal("rename-predeclared", { name: at.text });
  const wrong = wrongName(name);
  if (wrong !== null) return refusal(wrong, { name });
  const places = placesOf(program, at.meaning);
  const edits = places.map(({ start, end }): Edit => ({ span: { start, end }, text: name }));
  if (name === at.text) return { ok: true, edits: [] };
  const clash = at.meaning.kind === "member" ? memberClash(program, at.meaning.member, name) : null;
  if (clash !== null) return refusal("rename-clash", { name }, clash);
  return at.meaning.kind === "member"
    ? { ok: true, edits }
    : (changed(program, at.text, name, edits) ?? { ok: true, edits });
}

function refusal(code: RenameCode, args: MessageArgs, other: Span | null = null): Rename {
  return { ok: false, code, message: fillTemplate(RENAME_NOTES[code], args), args, other };
}

/** spec: #identifiers, #keyword-summary, #reserved-words */
function wrongName(name: string): RenameCode | null {
  if (name === "_" || name.startsWith("__")) return "rename-underscore";
  const [token, second] = tokenize(name);
  if (token === undefined || second !== undefined || token.span.end - token.span.start !== name.length) {
    return "rename-no-name";
  }
  if (token.class === "keyword") return "rename-keyword";
  if (token.class === "reserved-word") return "rename-reserved";
  return token.class === "identifier" ? null : "rename-no-name";
}

function memberClash(program: Program, member: ast.StructMember, name: string): Span | null {
  const struct = program.module.declarations.find((node) => node.kind === "struct" && node.members.includes(member));
  const other = struct?.kind === "struct" ? struct.members.find((each) => each.name.text === name) : undefined;
  return other?.name.span ?? null;
}

/** What would denote something else; null: nothing. */
function changed(program: Program, old: string, name: string, edits: readonly Edit[]): Rename | null {
  const text = applyEdits(program.source.text, edits);
  const { declarationOf, predeclaredOf, diagnostics } = resolveNames(new Source(text));
  const shift = shiftOf(edits, name.length - old.length);
  const clash = diagnostics.find((item) => item.code === "duplicate-declaration" && item.args.name === name);
  const isNew = !program.diagnostics.some((item) => item.code === "duplicate-declaration" && item.args.name === name);
  if (clash !== undefined && isNew) {
    const [first] = clash.notes;
    const other = [clash.span, first.span].find(({ start }) => !edits.some(({ span }) => shift(span.start) === start));
    return refusal("rename-clash", { name }, other === undefined ? null : backTo(namesIn(program), shift, other));
  }
  for (const place of namesIn(program)) {
    const { expression, meaning } = place;
    // Nodes are numbered alike: the two texts differ in nothing but the name.
    if (expression?.kind !== "identifier") continue;
    const now = declarationOf[expression.id] ?? null;
    if (denotesSame(meaning, now?.name.span.start ?? null, shift, predeclaredOf[expression.id] !== null)) continue;
    const code = place.text === old ? "rename-captured" : "rename-captures";
    return refusal(code, code === "rename-captured" ? { old, name } : { name: place.text }, place);
  }
  return null;
}

function denotesSame(before: Meaning, now: number | null, shift: (offset: number) => number, isPredeclared: boolean) {
  if (before.kind === "declared") return now === shift(before.declaration.name.span.start);
  // What could not be resolved stays so; what is predeclared is not shadowed.
  return now === null && isPredeclared === (before.kind === "predeclared");
}

/** Where an offset of the old text is in the new one. */
function shiftOf(edits: readonly Edit[], difference: number): (offset: number) => number {
  const starts = edits.map(({ span }) => span.start);
  return (offset) => offset + difference * firstFrom(starts, offset);
}

function backTo(names: readonly NamedPlace[], shift: (offset: number) => number, place: Span): Span | null {
  const name = names.find(({ start }) => shift(start) === place.start);
  return name === undefined ? null : { start: name.start, end: name.end };
}
