/** Structure declarations. spec: #struct-types, #structure-member-layout */
import { note } from "../diagnostics/diagnostic.ts";
import { layoutOf } from "../layout/layout.ts";
import type * as ast from "../syntax/ast.ts";
import { listOfEach } from "../text/list.ts";
import { hasOverrideCount } from "../types/counts.ts";
import { containsRuntimeArray, hasCreationFixedFootprint, isHandle, isPlain } from "../types/predicates.ts";
import { ERROR, type StructMemberType, structType, type Type, typeName } from "../types/type.ts";
import { fitsMemory, sizeOf } from "./address-spaces.ts";
import { type AttributeMap, attributeInteger, attributesOf } from "./attributes.ts";
import type { Context } from "./context.ts";
import { StructEntity } from "./entities.ts";
import { interfaceValue, locationsInStruct } from "./interface-values.ts";
import { MAX_STRUCT_MEMBERS } from "./limits.ts";
import { nestsTooDeep, typeSpecifier } from "./types.ts";

/** A class, see `entities.ts`. */
class StructMember implements StructMemberType {
  readonly name: string;
  readonly type: Type;
  readonly align: number | null;
  readonly size: number | null;

  constructor(name: string, type: Type, align: number | null, size: number | null) {
    this.name = name;
    this.type = type;
    this.align = align;
    this.size = size;
  }
}

export function structDeclaration(context: Context, node: ast.StructDecl): void {
  memberCount(context, node);
  const repeated = memberNamesDiffer(context, node);
  const members = listOfEach(node.members, (member, at) => {
    const made = structMember(context, member, at === node.members.length - 1);
    return repeated.has(made.name) ? new StructMember(made.name, ERROR, made.align, made.size) : made;
  });
  const type = structType(node.name.text, members, node.id);
  const info = new StructEntity(node, type);
  context.facts.declare(node.id, info);
  context.structs.push(info);
  nestsTooDeep(context, node.name, type);
  fitsMemory(context, node.name.span, type);
  locationsInStruct(context, node);
}

/** spec: #struct-types, #limits */
function memberCount(context: Context, node: ast.StructDecl): void {
  const given = node.members.length;
  // What follows a name that lacks was not read.
  if (given === 0 && node.name.text !== "") {
    context.diagnostics.report("empty-struct", node.name.span, { name: node.name.text });
  }
  if (given <= MAX_STRUCT_MEMBERS) return;
  context.diagnostics.report("struct-members", node.name.span, {
    name: node.name.text,
    given,
    limit: MAX_STRUCT_MEMBERS,
  });
}

const NONE_REPEATED: ReadonlySet<string> = new Set();

/** Gives the names that several members have: which of them is meant where one is used, nobody knows. */
function memberNamesDiffer(context: Context, node: ast.StructDecl): ReadonlySet<string> {
  const seen = new Map<string, ast.StructMember>();
  let repeated: Set<string> | null = null;
  for (const member of node.members) {
    const name = member.text;
    // Where no name could be read, the parser has said so.
    if (name === "") continue;
    const earlier = seen.get(name);
    if (earlier === undefined) seen.set(name, member);
    else {
      const notes = [note("declared-here", earlier.name.span, { name })];
      context.diagnostics.report("duplicate-member", member.name.span, { name, struct: node.name.text }, { notes });
      repeated ??= new Set();
      repeated.add(name);
    }
  }
  return repeated ?? NONE_REPEATED;
}

/** A member that is wrong in itself has the error type: what uses the structure says nothing of it. */
function structMember(context: Context, node: ast.StructMember, isLast: boolean): StructMemberType {
  const attributes = attributesOf(context, node.attributes, "structure member");
  const written = typeSpecifier(context, node.type);
  const type = written.kind === "error" || memberType(context, node, written, isLast) ? written : ERROR;
  const io = interfaceValue(context, attributes, node.name.text, type, node.name);
  if (io !== null) context.memberInterfaces.set(node.id, io);
  const align = alignAttribute(context, attributes, type);
  return new StructMember(node.name.text, type, align, sizeAttribute(context, attributes, type));
}

/** A plain type whose size is known when the module is made; the last member may be a runtime-sized array. */
function memberType(context: Context, node: ast.StructMember, type: Type, isLast: boolean): boolean {
  const name = node.name.text;
  if (type.kind === "array" && type.count === null) {
    if (isLast) return true;
    context.diagnostics.report("runtime-array-not-last", node.type.span, { name, type: typeName(type) });
    return false;
  }
  if (isPlain(type) && hasCreationFixedFootprint(type)) return true;
  const code = hasOverrideCount(type)
    ? "member-override-sized"
    : containsRuntimeArray(type)
      ? "member-runtime-sized"
      : "member-type";
  const notes = isHandle(type) ? [note("own-variable", node.type.span, { name, type: typeName(type) })] : [];
  context.diagnostics.report(code, node.type.span, { name, type: typeName(type) }, { notes });
  return false;
}

/** spec: #align-attr: a power of two, and a multiple of the alignment that the type needs anyway. */
function alignAttribute(context: Context, attributes: AttributeMap, type: Type): number | null {
  const attribute = attributes.get("align");
  if (attribute === undefined) return null;
  const align = attributeInteger(context, attribute, 1);
  if (align === null) return null;
  if (!Number.isInteger(Math.log2(align))) {
    context.diagnostics.report("align-power-of-two", attribute.span, { align });
    return null;
  }
  if (sizeOf(type) === null) return align;
  const required = layoutOf(type).align;
  if (align % required === 0) return align;
  context.diagnostics.report("align-too-small", attribute.span, { align, type: typeName(type), required });
  return null;
}

/** spec: #size-attr */
function sizeAttribute(context: Context, attributes: AttributeMap, type: Type): number | null {
  const attribute = attributes.get("size");
  if (attribute === undefined) return null;
  const size = attributeInteger(context, attribute, 1);
  if (size === null || type.kind === "error") return null;
  if (!hasCreationFixedFootprint(type)) {
    context.diagnostics.report("size-of-runtime-sized", attribute.span, { type: typeName(type) });
    return null;
  }
  const least = sizeOf(type);
  if (least === null || size >= least) return size;
  context.diagnostics.report("size-too-small", attribute.span, { size, type: typeName(type), least });
  return null;
}
