/**
 * What may lie in which address space, and how it must be laid out there.
 * spec: #address-space, #var-decls, #address-space-layout-constraints
 */
import { note } from "../diagnostics/diagnostic.ts";
import { type Layout, layoutOf, roundUp } from "../layout/layout.ts";
import type * as ast from "../syntax/ast.ts";
import type { Span } from "../text/source.ts";
import { hasOverrideCount } from "../types/counts.ts";
import {
  anyPart,
  containsArray,
  containsAtomic,
  containsBool,
  containsBuffer,
  containsError,
  hasFixedFootprint,
  isConstructible,
  isHandle,
  isHostShareable,
  isPlain,
  isStorable,
} from "../types/predicates.ts";
import { type AccessMode, type AddressSpace, remembered, type StructType, type Type, typeName } from "../types/type.ts";
import type { Context } from "./context.ts";
import { structOf } from "./facts.ts";
import { MAX_TYPE_BYTES, MAX_VALUE_ELEMENTS } from "./limits.ts";
import { hasLanguageFeature } from "./options.ts";

/** A variable is declared; or a pointer type is written, which a variable or a buffer view must be able to give. */
export type ViewKind = "variable" | "pointer";

/**
 * True if memory of this address space can hold the type, with this access; false with a message.
 * spec: #var-decls, #ref-ptr-types
 */
export function checkViewType(
  context: Context,
  span: Span,
  kind: ViewKind,
  space: AddressSpace,
  access: AccessMode,
  store: Type,
): boolean {
  if (store.kind === "error") return true;
  return (
    storableType(context, span, space, store) &&
    atomicsWhereAllowed(context, span, space, access, store) &&
    typeForSpace(context, span, kind, space, store) &&
    fitsMemory(context, span, store) &&
    (space === "storage" || space === "uniform" || fitsValue(context, { span }, store))
  );
}

/** The types for which `checkViewType` has nothing to say of variables of functions: one answer for all that it asks. */
export const isOrdinaryValue = remembered((type: Type): boolean => {
  if (!isStorable(type) || isHandle(type) || containsAtomic(type) || !isConstructible(type)) return false;
  return !containsLargeArray(type) && (sizeOf(type) ?? 0) <= MAX_TYPE_BYTES;
});

/** spec: #storable-types */
function storableType(context: Context, span: Span, space: AddressSpace, store: Type): boolean {
  if (isStorable(store) && isHandle(store) === (space === "handle")) return true;
  const code = isHandle(store) ? "handle-address-space" : "pointer-in-variable";
  context.diagnostics.report(code, span, { type: typeName(store), space });
  return false;
}

/** Atomics live in workgroup memory and in storage buffers that can be written. spec: #atomic-types */
function atomicsWhereAllowed(
  context: Context,
  span: Span,
  space: AddressSpace,
  access: AccessMode,
  store: Type,
): boolean {
  if (!containsAtomic(store) || space === "workgroup" || (space === "storage" && access === "read_write")) return true;
  const member = memberWith(context, store, containsAtomic);
  const notes = member === null ? [] : [note("atomic-member", member.name.span, { name: member.name.text })];
  const args = { type: typeName(store), space };
  if (space === "storage") context.diagnostics.report("atomic-read-only", span, args, { notes });
  else context.diagnostics.report("atomic-address-space", span, args, { notes });
  return false;
}

/**
 * spec: #var-decls: the column of effective value types. Function and private memory hold values; workgroup memory also
 * atomics and what overrides size; buffers hold what the host can lay out.
 */
function typeForSpace(context: Context, span: Span, kind: ViewKind, space: AddressSpace, store: Type): boolean {
  switch (space) {
    case "function":
    case "private":
      return isConstructible(store) || notConstructible(context, span, space, store);
    case "workgroup":
      return workgroupType(context, kind, store) || notFor(context, span, "workgroup-type", space, store);
    case "storage":
      return hostShareable(context, span, space, store);
    case "uniform":
      return (
        hostShareable(context, span, space, store) &&
        (uniformType(context, kind, store) || notFor(context, span, "uniform-type", space, store))
      );
    case "immediate":
      return hostShareable(context, span, space, store) && immediateType(context, span, store);
    case "handle":
      return true;
    default:
      return space satisfies never;
  }
}

type SpaceCode = "workgroup-type" | "uniform-type";

function notFor(context: Context, span: Span, code: SpaceCode, space: AddressSpace, store: Type): false {
  context.diagnostics.report(code, span, { type: typeName(store), space });
  return false;
}

function notConstructible(context: Context, span: Span, space: AddressSpace, store: Type): false {
  const code = hasOverrideCount(store) ? "override-sized-outside-workgroup" : "not-constructible";
  context.diagnostics.report(code, span, { type: typeName(store), space });
  return false;
}

/** A plain type of fixed footprint, a fixed-size buffer; a pointer may also come from a buffer view. */
function workgroupType(context: Context, kind: ViewKind, store: Type): boolean {
  if (isPlain(store) || store.kind === "buffer")
    return hasFixedFootprint(store) || mayBeBufferView(context, kind, store);
  return false;
}

function uniformType(context: Context, kind: ViewKind, store: Type): boolean {
  if (store.kind === "buffer") return typeof store.size === "number" || (kind === "pointer" && store.size === null);
  return isConstructible(store) || mayBeBufferView(context, kind, store);
}

/** `bufferView` gives pointers to types that no variable of the space could have. spec: #buffer-view-builtin-functions */
function mayBeBufferView(context: Context, kind: ViewKind, store: Type): boolean {
  if (kind !== "pointer" || !hasLanguageFeature(context.target, "buffer_view")) return false;
  if (store.kind === "buffer") return store.size === null;
  return isHostShareable(store) && !containsAtomic(store) && !containsBuffer(store);
}

/** spec: #host-shareable-types */
function hostShareable(context: Context, span: Span, space: AddressSpace, store: Type): boolean {
  if (store.kind === "buffer") {
    if (typeof store.size === "number" || store.size === null) return true;
    context.diagnostics.report("override-sized-outside-workgroup", span, { type: typeName(store), space });
    return false;
  }
  if (isHostShareable(store)) return true;
  if (hasOverrideCount(store)) {
    context.diagnostics.report("override-sized-outside-workgroup", span, { type: typeName(store), space });
  } else {
    boolInBuffer(context, span, space, store);
  }
  return false;
}

/** The mistake is where the bool stands: at the member, if it is one, with the buffer as second place. */
function boolInBuffer(context: Context, span: Span, space: AddressSpace, store: Type): void {
  const member = memberWith(context, store, containsBool);
  const notes = member === null ? [] : [note("in-memory-here", span, { type: typeName(store), space })];
  const at = member?.type.span ?? span;
  context.diagnostics.report("bool-in-buffer", at, { type: typeName(store), space }, { notes });
}

/** The innermost structure member that brings something into a type. */
function memberWith(context: Context, type: Type, has: (part: Type) => boolean): ast.StructMember | null {
  if (type.kind === "array") return memberWith(context, type.element, has);
  if (type.kind !== "struct") return null;
  const at = type.members.findIndex((member) => has(member.type));
  if (at < 0) return null;
  return memberWith(context, type.members[at].type, has) ?? structOf(context, type)?.members[at] ?? null;
}

/** spec: #immediate-data */
function immediateType(context: Context, span: Span, store: Type): boolean {
  if (isConstructible(store) && !containsArray(store) && store.kind !== "buffer") return true;
  context.diagnostics.report("immediate-type", span, { type: typeName(store) });
  return false;
}

/** Offsets into memory are 32 bits wide. */
export function fitsMemory(context: Context, span: Span, type: Type): boolean {
  const size = sizeOf(type);
  if (size === null || size <= MAX_TYPE_BYTES) return true;
  context.diagnostics.report("type-too-large", span, { type: typeName(type), size });
  return false;
}

/** spec: #limits */
export function fitsValue(context: Context, at: { readonly span: Span }, type: Type): boolean {
  if (!containsLargeArray(type)) return true;
  const limit = MAX_VALUE_ELEMENTS;
  context.diagnostics.report("array-elements", at.span, { type: typeName(type), limit });
  return false;
}

const containsLargeArray = anyPart(
  (type) => type.kind === "array" && typeof type.count === "number" && type.count > MAX_VALUE_ELEMENTS,
);

/** Bytes of a type whose layout is known; null for all others. */
export function sizeOf(type: Type): number | null {
  if (containsError(type) || isHandle(type) || type.kind === "pointer" || hasOverrideCount(type)) return null;
  return isPlain(type) && isStorable(type) ? layoutOf(type).size : null;
}

// ---------------------------------------------------------------- layout constraints

/** Whether the uniform address space still asks for alignment to 16 bytes. */
function strictUniform({ target }: Pick<Context, "target">, space: AddressSpace): boolean {
  return space === "uniform" && !hasLanguageFeature(target, "uniform_buffer_standard_layout");
}

/** spec: #requiredalignof */
export function requiredAlignOf(context: Pick<Context, "target">, type: Type, space: AddressSpace): number {
  const { align } = layoutOf(type);
  const composite = type.kind === "array" || type.kind === "struct";
  return composite && strictUniform(context, space) ? roundUp(16, align) : align;
}

/**
 * All structures and arrays inside a buffer obey its address space. Since `uniform_buffer_standard_layout` uniform buffers
 * are laid out like storage buffers and nothing can go wrong here that `@align` would not have said; before, they were held
 * to multiples of 16. spec: #address-space-layout-constraints
 */
export function checkLayoutConstraints(context: Context, span: Span, space: AddressSpace, type: Type): boolean {
  if (!strictUniform(context, space)) return true;
  if ((type.kind !== "array" && type.kind !== "struct") || sizeOf(type) === null) return true;
  return partsFit(context, span, space, type, containsStruct(type) ? new Set() : NO_STRUCTURES);
}

const containsStruct = anyPart((type) => type.kind === "struct");
const NO_STRUCTURES: Set<StructType> = new Set();

/** `seen`: structures that need not be looked at again. */
function partsFit(context: Context, span: Span, space: AddressSpace, type: Type, seen: Set<StructType>): boolean {
  if (type.kind === "array") {
    return (
      partsFit(context, span, space, type.element, seen) && arrayStride(context, span, space, type, layoutOf(type))
    );
  }
  if (type.kind !== "struct" || seen.has(type)) return true;
  seen.add(type);
  for (const member of type.members) if (!partsFit(context, span, space, member.type, seen)) return false;
  return memberOffsets(context, span, space, type);
}

function arrayStride(
  context: Context,
  span: Span,
  space: AddressSpace,
  type: Type & { kind: "array" },
  layout: Layout,
): boolean {
  const required = roundUp(16, requiredAlignOf(context, type.element, space));
  if (layout.stride! % required === 0) return true;
  context.diagnostics.report("array-stride", span, { type: typeName(type), stride: layout.stride!, required, space });
  return false;
}

function memberOffsets(context: Context, span: Span, space: AddressSpace, type: StructType): boolean {
  const layout = layoutOf(type);
  for (const [index, member] of layout.members.entries()) {
    const required = requiredAlignOf(context, member.layout.type, space);
    if (member.offset % required !== 0) {
      const args = { name: `${type.name}.${member.name}`, offset: member.offset, required, space };
      const at = memberPlace(context, span, space, type, index);
      context.diagnostics.report("member-offset", at.span, args, { notes: at.notes });
      return false;
    }
    const previous = index > 0 ? layout.members[index - 1] : null;
    if (previous === null || previous.layout.type.kind !== "struct") continue;
    const least = roundUp(16, previous.layout.size);
    if (member.offset - previous.offset >= least) continue;
    const args = {
      name: `${type.name}.${member.name}`,
      previous: previous.name,
      distance: member.offset - previous.offset,
      required: least,
    };
    const at = memberPlace(context, span, space, type, index);
    context.diagnostics.report("uniform-struct-distance", at.span, args, { notes: at.notes });
    return false;
  }
  return true;
}

/** A wrong layout is mended at the member; the variable that needs it is the second place. */
function memberPlace(context: Context, variable: Span, space: AddressSpace, type: StructType, index: number) {
  const member = structOf(context, type)?.members[index];
  if (member === undefined) return { span: variable, notes: [] };
  return { span: member.name.span, notes: [note("in-memory-here", variable, { type: typeName(type), space })] };
}
