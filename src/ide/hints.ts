/** What a text leaves unsaid: types that are inferred, and where members lie. */
import type { Program } from "../analysis/program.ts";
import type * as ast from "../syntax/ast.ts";
import { isAbstract } from "../types/predicates.ts";
import { typeName } from "../types/type.ts";
import { layoutOrNull, typeOfDeclaration } from "./describe.ts";
import { namesIn } from "./names.ts";
import type { InlayHint } from "./types.ts";

/** In the order of the text. Nothing is said that the initializer says already: `vec3f(…)`, `1u`, `true`. */
export function inlayHints(program: Program): readonly InlayHint[] {
  return [...typeHints(program), ...offsetHints(program)].sort((a, b) => a.offset - b.offset);
}

function typeHints(program: Program): readonly InlayHint[] {
  return namesIn(program).flatMap(({ meaning, isDeclaration, end }): InlayHint[] => {
    if (meaning.kind !== "declared" || !isDeclaration) return [];
    const node = meaning.declaration;
    const isInferred = node.kind === "let" || node.kind === "const" || node.kind === "var" || node.kind === "override";
    if (!isInferred || node.type !== null || saysItsType(program, node.initializer)) return [];
    const type = typeOfDeclaration(program, node);
    if (type === null || isAbstract(type)) return [];
    return [{ offset: end, kind: "type", text: `: ${typeName(type)}`, bytes: null }];
  });
}

function saysItsType(program: Program, expr: ast.Expr | null): boolean {
  if (expr?.kind === "literal") return expr.type !== "abstract-int" && expr.type !== "abstract-float";
  if (expr?.kind !== "call" || program.callOf[expr.id]?.kind !== "construct") return false;
  // `vec3(1, 2, 3)` leaves the type of its components open.
  const { name, template } = expr.callee;
  return template !== null || !/^(?:vec\d|mat\dx\d|array)$/.test(name.text);
}

/** Of structures that lie in memory as laid out: those that are read and written by shader stages do not. */
function offsetHints(program: Program): readonly InlayHint[] {
  return program.structs.flatMap(({ declaration, type }) => {
    const isInterface = declaration.members.some(({ attributes }) => attributes.some(isInputOutput));
    const layout = isInterface ? null : layoutOrNull(type);
    if (layout === null || layout.members.length !== declaration.members.length) return [];
    return declaration.members.map((member, at): InlayHint => {
      const { offset } = layout.members[at];
      return { offset: member.span.start, kind: "offset", text: `offset ${offset}`, bytes: offset };
    });
  });
}

function isInputOutput({ name }: ast.Attribute): boolean {
  return name.text === "builtin" || name.text === "location";
}
