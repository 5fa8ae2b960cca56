/** What stands at a place: declaration, value, layout, signature. */
import "../diagnostics/catalogue-beyond.ts";
import type { Declaration, Program } from "../analysis/program.ts";
import { typeNamed } from "../analysis/types.ts";
import { builtinValues } from "../builtins/builtin-values.ts";
import { returned, returnsOf } from "../builtins/docs.ts";
import { ENABLE_EXTENSIONS } from "../builtins/extensions.ts";
import { signatureOf } from "../builtins/overload.ts";
import { isBuiltinName, rowsOf } from "../builtins/resolve.ts";
import type { BuiltinRow } from "../builtins/row.ts";
import { type Note, note, type Phrase } from "../diagnostics/diagnostic.ts";
import { specAddress } from "../diagnostics/print.ts";
import { printConstant } from "../ir/print.ts";
import type * as ast from "../syntax/ast.ts";
import { printAttribute } from "../syntax/print.ts";
import { type StructType, type Type, typeName } from "../types/type.ts";
import { anchorOf } from "./anchors.ts";
import { commentOn } from "./comments.ts";
import { calledText, declarationText, layoutOrNull, typeOfDeclaration } from "./describe.ts";
import { markdownOf } from "./markdown.ts";
import { nameAt } from "./name-at.ts";
import { behindView, type NamedPlace } from "./names.ts";
import type { Hover, HoverPart } from "./types.ts";

/** null where no name stands, or one of which nothing is known. */
export function hover(program: Program, offset: number): Hover | null {
  const name = nameAt(program, offset);
  if (name === null) return null;
  const parts = partsOf(program, name);
  if (parts.length === 0) return null;
  return { start: name.start, end: name.end, parts, markdown: markdownOf(parts) };
}

function partsOf(program: Program, name: NamedPlace): readonly HoverPart[] {
  const { meaning } = name;
  switch (meaning.kind) {
    case "declared":
      return declaredParts(program, meaning.declaration);
    case "member":
      return memberParts(program, meaning.member);
    case "result-member":
    case "swizzle":
      return [...expressionParts(program, name), ...specification(anchorOf(name))];
    case "predeclared":
      return meaning.entity.kind === "builtin-function"
        ? functionParts(program, name)
        : [...typeParts(program, name), ...specification(anchorOf(name))];
    case "word":
      return [...wordParts(name), ...specification(anchorOf(name))];
    case "unknown":
      return [];
    default:
      return meaning satisfies never;
  }
}

function specification(anchor: string | null): readonly HoverPart[] {
  return anchor === null ? [] : [{ kind: "specification", anchor, address: specAddress(anchor) }];
}

function commentParts(program: Program, node: Declaration | ast.StructMember): readonly HoverPart[] {
  const text = commentOn(program.source, program.module.comments, node);
  return text === null || text === "" ? [] : [{ kind: "comment", text }];
}

// ---------------------------------------------------------------- what the text declares

function declaredParts(program: Program, node: Declaration): readonly HoverPart[] {
  const code = node.kind === "struct" ? structText(program, node) : declarationText(program, node);
  const type = typeOfDeclaration(program, node);
  return [
    { kind: "declaration", code },
    ...valueParts(program, node),
    ...(type === null || node.kind === "function" ? [] : layoutParts(type, null)),
    ...commentParts(program, node),
  ];
}

function valueParts(program: Program, node: Declaration): readonly HoverPart[] {
  const entity = program.declared[node.id];
  const value = entity?.kind === "value" ? entity.value : entity?.kind === "override" ? entity.defaultValue : null;
  return value === null ? [] : [{ kind: "value", text: printConstant(value) }];
}

/** Of scalars, size and alignment say nothing new. */
function layoutParts(type: Type, offset: number | null): readonly HoverPart[] {
  const layout = layoutOrNull(type);
  const isSimple = layout === null || (offset === null && layout.element === null && layout.members.length === 0);
  if (isSimple) return [];
  const { size, align, stride, runtimeSized } = layout;
  return [{ kind: "layout", offset, size, align, stride, isRuntimeSized: runtimeSized }];
}

const MOST_MEMBERS = 32;

/** With the offset of each member. */
function structText(program: Program, node: ast.StructDecl): string {
  const type = typeOfDeclaration(program, node) as StructType | null;
  const layout = type === null ? null : layoutOrNull(type);
  const lines = node.members.slice(0, MOST_MEMBERS).map((member, at) => {
    const place = layout?.members[at];
    return `  ${memberText(program, member)},${place === undefined ? "" : `  // ${place.offset}`}`;
  });
  if (node.members.length > MOST_MEMBERS) lines.push("  // …");
  return [`struct ${node.name.text} {`, ...lines, "}"].join("\n");
}

function memberText(program: Program, member: ast.StructMember): string {
  const attributes = member.attributes.map((each) => `${printAttribute(each)} `).join("");
  const type = placeOf(program, member)?.type.members.find(({ name }) => name === member.name.text)?.type;
  const written = program.source.slice(member.type.span);
  return `${attributes}${member.name.text}: ${type === undefined || type.kind === "error" ? written : typeName(type)}`;
}

/** The structure that a member belongs to. */
function placeOf(program: Program, member: ast.StructMember): { readonly type: StructType } | null {
  return program.structs.find(({ declaration }) => declaration.members.includes(member)) ?? null;
}

function memberParts(program: Program, member: ast.StructMember): readonly HoverPart[] {
  const struct = placeOf(program, member);
  const owner = struct === null ? "" : `${struct.type.name}.`;
  const layout = struct === null ? null : layoutOrNull(struct.type);
  const place = layout?.members.find(({ name }) => name === member.name.text);
  const parts: HoverPart[] = [{ kind: "declaration", code: `${owner}${memberText(program, member)}` }];
  if (place !== undefined) {
    const { offset, size, align } = place;
    const { stride, runtimeSized } = place.layout;
    parts.push({ kind: "layout", offset, size, align, stride, isRuntimeSized: runtimeSized });
  }
  return [...parts, ...commentParts(program, member)];
}

// ---------------------------------------------------------------- what WGSL declares

/** A part of a value: `v.xy`, `result.exchanged`. */
function expressionParts(program: Program, { expression, text }: NamedPlace): readonly HoverPart[] {
  const type = expression === null ? null : behindView(program.typeOf[expression.id]);
  return type === null || type.kind === "error" ? [] : [{ kind: "declaration", code: `${text}: ${typeName(type)}` }];
}

/** The overload that a call chose, with the types of the call; where none was chosen, all of them. */
function functionParts(program: Program, { text, call }: NamedPlace): readonly HoverPart[] {
  if (!isBuiltinName(text)) return [];
  const chosen = call === null ? null : program.rowOf[call.id];
  const info = call === null ? null : program.callOf[call.id];
  const parts: HoverPart[] = [];
  if (chosen !== null && info?.kind === "builtin") {
    parts.push({ kind: "declaration", code: calledText(info, signatureOf(chosen).parameterNames) });
  }
  const rows = chosen === null ? rowsOf(text) : [chosen];
  for (const { signature } of rows) parts.push({ kind: "signature", code: signature });
  const what = returned(text);
  if (what !== null) parts.push({ kind: "returns", text: returnsOf(text)!, note: returnsNote(text, what) });
  return [...parts, ...needs(rows[0]), ...specification(rows[0].spec)];
}

function returnsNote(name: string, what: Phrase): Pick<Note, "code" | "message" | "args"> {
  const { code, message, args } = note("returns", { start: 0, end: 0 }, { name, what });
  return { code, message, args };
}

function needs({ enable, requires }: Pick<BuiltinRow, "enable" | "requires">): readonly HoverPart[] {
  const parts: HoverPart[] = [];
  if (enable !== null) parts.push({ kind: "needs", code: `enable ${enable};` });
  if (requires !== null) parts.push({ kind: "needs", code: `requires ${requires};` });
  return parts;
}

/** A type by its name: what a short form stands for, and its layout. */
function typeParts(program: Program, { text, meaning, expression }: NamedPlace): readonly HoverPart[] {
  if (meaning.kind !== "predeclared" || meaning.entity.kind !== "builtin-type") {
    return [{ kind: "declaration", code: text }];
  }
  const type = typeNamed(text) ?? writtenType(program, expression);
  if (type === null) return [{ kind: "declaration", code: text }];
  // What a template list makes of a generator is no short form of its name.
  const full = expression?.kind === "identifier" && expression.template !== null ? null : typeName(type);
  const code = full === null ? typeName(type) : full === text ? text : `alias ${text} = ${full}`;
  const parts: HoverPart[] = [{ kind: "declaration", code }];
  const layout = layoutOrNull(type);
  if (layout !== null) {
    const { size, align, stride, runtimeSized } = layout;
    parts.push({ kind: "layout", offset: null, size, align, stride, isRuntimeSized: runtimeSized });
  }
  return /h$|f16/.test(text) ? [...parts, { kind: "needs", code: "enable f16;" }] : parts;
}

/** The type that is written there, where it is the whole type of a declaration. */
function writtenType(program: Program, node: NamedPlace["expression"]): Type | null {
  if (node === null) return null;
  for (const entity of program.declared) {
    if (entity === null || !("type" in entity) || entity.kind === "struct") continue;
    if (entity.declaration.type === node && entity.type.kind !== "error") return entity.type;
  }
  for (const { type, declaration } of program.structs) {
    const member = declaration.members.find((each) => each.type === node);
    if (member !== undefined) return type.members.find(({ name }) => name === member.name.text)?.type ?? null;
  }
  return null;
}

/** Attributes, built-in values, extensions: by what they stand for. */
function wordParts({ text, meaning }: NamedPlace): readonly HoverPart[] {
  if (meaning.kind !== "word") return [];
  switch (meaning.word) {
    case "attribute":
      return [{ kind: "declaration", code: `@${text}` }];
    case "builtin-value": {
      const uses = builtinValues(text);
      if (uses.length === 0) return [];
      const lines = uses.map(({ stage, direction, type }) => {
        return `@builtin(${text}) ${type === null ? "array<f32, N>" : typeName(type)}  // ${stage} ${direction}`;
      });
      return [{ kind: "declaration", code: lines.join("\n") }, ...needs(uses[0])];
    }
    case "enable-extension": {
      const extension = ENABLE_EXTENSIONS.get(text);
      if (extension === undefined) return [];
      return [{ kind: "declaration", code: `enable ${text};  // feature ${extension.feature}` }];
    }
    case "language-extension":
      return [{ kind: "declaration", code: `requires ${text};` }];
    case "interpolation":
    case "severity":
    case "rule":
      return [{ kind: "declaration", code: text }];
    default:
      return meaning.word satisfies never;
  }
}
