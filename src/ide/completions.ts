/** What can be written at a place. All that belongs there; which of it fits what is typed so far, the editor finds out. */
import "../diagnostics/catalogue-beyond.ts";
import type { Declaration, Program } from "../analysis/program.ts";
import type * as ast from "../syntax/ast.ts";
import { type StructType, type Type, typeName, type VectorType, vectorType } from "../types/type.ts";
import { commentOn } from "./comments.ts";
import { cursorAt, type TokenAt } from "./cursor.ts";
import { declarationText, functionText, layoutOrNull, parametersText, typeOfDeclaration } from "./describe.ts";
import { typeBefore } from "./member-type.ts";
import { classOfDeclaration } from "./names.ts";
import { type Place, placeAt } from "./place.ts";
import * as offered from "./predeclared-completions.ts";
import { visibleAt } from "./scope.ts";
import type { Completion, Completions } from "./types.ts";

/** Works in broken text: from the tokens before the place, and from what analysis knows of the rest. */
export function completions(program: Program, offset: number): Completions {
  const cursor = cursorAt(program.source.text, offset);
  const replace = { start: cursor.wordStart, end: offset };
  return { replace, items: itemsAt(program, placeAt(cursor), cursor.tokens, cursor.wordStart) };
}

function itemsAt(program: Program, place: Place, tokens: readonly TokenAt[], offset: number): readonly Completion[] {
  switch (place.kind) {
    case "nothing":
      return [];
    case "attribute":
      return offered.attributes();
    case "words":
      return offered.words(place.words);
    case "member": {
      const type = typeBefore(program, tokens, place.period);
      return type === null ? [] : membersOf(program, type);
    }
    case "type":
      return distinct([...own(program, offset, isType), ...offered.builtinTypes()]);
    case "declaration":
      return offered.declarationKeywords();
    case "clause":
      return offered.clauseKeywords();
    case "statement":
      return distinct([
        ...own(program, offset, isValue, true),
        ...offered.statementKeywords(),
        ...offered.builtinFunctions(),
      ]);
    case "expression":
      return distinct([
        ...own(program, offset, place.isModule ? isModuleValue : isValue, true),
        ...offered.literalKeywords(),
        ...offered.builtinFunctions(),
        ...offered.constructors(),
      ]);
    default:
      return place satisfies never;
  }
}

/** What the text declares hides what is predeclared. */
function distinct(items: readonly Completion[]): readonly Completion[] {
  const seen = new Set<string>();
  return items.filter(({ label }) => !seen.has(label) && seen.add(label));
}

// ---------------------------------------------------------------- what the text declares

function isType({ kind }: Declaration): boolean {
  return kind === "struct" || kind === "alias";
}

/** Structures and aliases too: of them values are made. */
function isValue(): boolean {
  return true;
}

/** What can stand in the initializer of a module-scope declaration. */
function isModuleValue({ kind }: Declaration): boolean {
  return kind === "const" || kind === "override" || isType({ kind } as Declaration);
}

/** The innermost first. `makesValues`: a type stands here to make a value of it. */
function own(
  program: Program,
  offset: number,
  wanted: (node: Declaration) => boolean,
  makesValues = false,
): readonly Completion[] {
  const module = new Set<unknown>(program.module.declarations);
  return [...visibleAt(program, offset).values()]
    .reverse()
    .filter(wanted)
    .map((node) => declared(program, node, module.has(node), makesValues));
}

function declared(program: Program, node: Declaration, isModule: boolean, makesValues: boolean): Completion {
  return offered.completion(node.name.text, classOfDeclaration(node), {
    detail: detailOf(program, node),
    isCall: node.kind === "function" || (makesValues && isType(node)),
    documentation: commentOn(program.source, program.module.comments, node),
    rank: isModule ? offered.RANK.module : offered.RANK.local,
  });
}

function detailOf(program: Program, node: Declaration): string {
  if (node.kind === "function") {
    const info = program.declared[node.id];
    return info?.kind === "function" ? functionText(info) : `fn ${node.name.text}${parametersText(node)}`;
  }
  const type = typeOfDeclaration(program, node);
  return node.kind === "struct" || node.kind === "alias" || type === null
    ? declarationText(program, node)
    : typeName(type);
}

// ---------------------------------------------------------------- members

function membersOf(program: Program, type: Type): readonly Completion[] {
  if (type.kind === "struct") return structMembers(program, type);
  return type.kind === "vector" ? swizzles(type) : [];
}

function structMembers(program: Program, type: StructType): readonly Completion[] {
  const entity = type.declaration === null ? null : program.declared[type.declaration];
  const nodes: readonly ast.StructMember[] = entity?.kind === "struct" ? entity.declaration.members : [];
  const layout = layoutOrNull(type);
  return type.members.map((member, at) => {
    const node = nodes.find(({ name }) => name.text === member.name);
    const comment = node === undefined ? null : commentOn(program.source, program.module.comments, node);
    const place = layout?.members[at];
    const where = place === undefined ? [] : [`offset ${place.offset}, size ${place.size}, align ${place.align}`];
    const documentation = [...where, ...(comment === null ? [] : [comment])].join("\n\n");
    return offered.completion(member.name, "member", {
      detail: typeName(member.type),
      documentation: documentation === "" ? null : documentation,
      rank: offered.RANK.member,
    });
  });
}

/** Each component, and the first few of them together. spec: #swizzle */
function swizzles(type: VectorType): readonly Completion[] {
  return ["xyzw", "rgba"].flatMap((letters, set) => {
    const own = letters.slice(0, type.size);
    const several = Array.from({ length: type.size - 1 }, (_, at) => own.slice(0, at + 2));
    return [...own, ...several].map((label) =>
      offered.completion(label, "swizzle", {
        detail: typeName(label.length === 1 ? type.element : vectorType(label.length, type.element)),
        rank: offered.RANK.member + set,
      }),
    );
  });
}
