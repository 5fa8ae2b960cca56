/** Layouts in buffers that surprise, and bytes that could be saved. spec: #alignment-and-size, #structure-member-layout */
import { note } from "../../diagnostics/diagnostic.ts";
import { type Layout, layoutOf, type MemberLayout, roundUp } from "../../layout/layout.ts";
import type * as ast from "../../syntax/ast.ts";
import { hasOverrideCount } from "../../types/counts.ts";
import { type StructType, type Type, typeName, type VectorType } from "../../types/type.ts";
import type { StructInfo, VariableInfo } from "../program.ts";
import type { Advice } from "./advice-context.ts";

/** A structure that some buffer holds: what the host has to lay out. */
export interface SharedStruct {
  readonly info: StructInfo;
  readonly layout: Layout;
  readonly members: readonly ast.StructMember[];
  readonly inUniform: boolean;
}

function sharedStructs(advice: Advice): readonly SharedStruct[] {
  if (advice.sharedStructs !== null) return advice.sharedStructs;
  const spaces = new Map<StructType, boolean>();
  const visit = (type: Type, uniform: boolean): void => {
    if (type.kind === "array") visit(type.element, uniform);
    if (type.kind !== "struct" || (spaces.has(type) && (spaces.get(type) || !uniform))) return;
    spaces.set(type, uniform);
    for (const member of type.members) visit(member.type, uniform);
  };
  for (const variable of buffersOf(advice)) visit(variable.type, variable.space === "uniform");
  advice.sharedStructs = advice.program.structs.flatMap((info) => {
    const inUniform = spaces.get(info.type);
    if (inUniform === undefined) return [];
    return [{ info, layout: layoutOf(info.type), members: info.declaration.members, inUniform }];
  });
  return advice.sharedStructs;
}

function buffersOf(advice: Advice): readonly VariableInfo[] {
  return advice.program.variables.filter(({ space, type }) => {
    return (space === "uniform" || space === "storage") && type.kind !== "buffer" && !hasOverrideCount(type);
  });
}

function isVec3(type: Type): type is VectorType {
  return type.kind === "vector" && type.size === 3;
}

/** A scalar behind a vec3 lies in its fourth component: host code that pads the vec3 to 16 bytes misses it. */
export function vec3TuckedScalar(advice: Advice): void {
  for (const { layout, members } of sharedStructs(advice)) {
    for (let i = 1; i < layout.members.length; i++) {
      const [vector, scalar] = [layout.members[i - 1], layout.members[i]];
      if (!isVec3(vector.layout.type) || scalar.offset !== vector.offset + vector.layout.size) continue;
      if (scalar.layout.size !== vector.layout.element!.size) continue;
      const args = { name: scalar.name, vector: vector.name, offset: scalar.offset, size: vector.layout.size };
      const notes = [note("declared-here", members[i - 1].name.span, { name: vector.name })];
      advice.found.report("vec3-tucked-scalar", members[i].name.span, args, { notes });
    }
  }
}

/** Elements of an array of vec3 lie 16 bytes apart, not 12. */
export function vec3ArrayStride(advice: Advice): void {
  for (const { declaration, type } of buffersOf(advice)) stride(advice, type, declaration.type ?? declaration.name);
  for (const { info, members } of sharedStructs(advice)) {
    for (const [i, member] of info.type.members.entries()) stride(advice, member.type, members[i].type);
  }
}

function stride(advice: Advice, type: Type, place: { readonly span: ast.Expr["span"] }): void {
  let at = type;
  while (at.kind === "array" && at.element.kind === "array") at = at.element;
  if (at.kind !== "array" || !isVec3(at.element)) return;
  const { stride: distance, element } = layoutOf(at);
  const args = { type: typeName(at.element), stride: distance!, size: element!.size };
  const scalar = typeName(at.element.element);
  advice.found.report("vec3-array-stride", place.span, args, { notes: [note("pack-vec3", place.span, { scalar })] });
}

// ---------------------------------------------------------------- padding

/** Another order of the members that takes fewer bytes. Where `@size` or `@align` stand, the order is meant. */
export function structPadding(advice: Advice): void {
  for (const { info, layout, inUniform } of sharedStructs(advice)) {
    const { members } = layout;
    if (info.type.members.some(({ align, size }) => align !== null || size !== null)) continue;
    if (inUniform && members.some(({ layout: { type } }) => type.kind === "array" || type.kind === "struct")) continue;
    const tail = layout.runtimeSized ? members.slice(-1) : [];
    const order = [...packed(members.slice(0, members.length - tail.length)), ...tail];
    const best = sizeOf(order, layout);
    if (best >= layout.size) continue;
    const names = order.map(({ name }) => name).join(", ");
    const { name } = info.declaration;
    const args = { name: info.name, size: layout.size, best, saved: layout.size - best };
    advice.found.report("struct-padding", name.span, args, { notes: [note("better-order", name.span, { names })] });
  }
}

/** Greedy: what fits without a gap and is aligned most strictly comes first; where nothing fits, the smallest gap. */
function packed(members: readonly MemberLayout[]): readonly MemberLayout[] {
  const rest = [...members];
  const order: MemberLayout[] = [];
  let end = 0;
  while (rest.length > 0) {
    let best = 0;
    for (let i = 1; i < rest.length; i++) {
      const [gap, least] = [gapOf(rest[i], end), gapOf(rest[best], end)];
      if (gap < least || (gap === least && isStricter(rest[i], rest[best]))) best = i;
    }
    const [member] = rest.splice(best, 1);
    end = roundUp(member.align, end) + member.size;
    order.push(member);
  }
  return order;
}

function gapOf(member: MemberLayout, end: number): number {
  return roundUp(member.align, end) - end;
}

/** Of equal alignment, what ends on its alignment goes first, so that small ones fill the hole behind the last. */
function isStricter(a: MemberLayout, b: MemberLayout): boolean {
  if (a.align !== b.align) return a.align > b.align;
  return a.size % a.align === 0 && b.size % b.align !== 0;
}

function sizeOf(order: readonly MemberLayout[], layout: Layout): number {
  let end = 0;
  for (const { align, size } of order) end = roundUp(align, end) + size;
  return layout.runtimeSized ? end : roundUp(layout.align, end);
}
