/** From the layout of a buffer to the tables that show it: one row for what is there once, one table for each array. */
import type { Layout } from "halay";
import type { Column, Part, Scalar } from "./protocol.ts";

/** An array inside of an element becomes columns up to this many, else a table of its own. */
const MOST_COLUMNS = 16;

/** `byteLength`: of the buffer, which says how many elements a runtime-sized array has. */
export function partsOf(layout: Layout, byteLength: number): readonly Part[] {
  const arrays: Part[] = [];
  const once: Column[] = [];
  collect(layout, "", 0);
  const own: Part = { path: "", isArray: false, offset: 0, stride: byteLength, count: 1, columns: once };
  return once.length === 0 ? arrays : [own, ...arrays];

  function collect(part: Layout, path: string, offset: number): void {
    if (part.type.kind === "array") {
      const { stride, element, count } = part;
      const rows = count ?? Math.max(0, Math.floor((byteLength - offset) / stride!));
      arrays.push({ path, isArray: true, offset, stride: stride!, count: rows, columns: columnsOf(element!, "", 0) });
    } else if (part.members.length > 0) {
      for (const member of part.members) collect(member.layout, `${path}.${member.name}`, offset + member.offset);
    } else once.push(...columnsOf(part, path, offset));
  }
}

function columnsOf(layout: Layout, name: string, offset: number): readonly Column[] {
  const { members, element, stride, type } = layout;
  if (members.length > 0) {
    return members.flatMap((member) => columnsOf(member.layout, `${name}.${member.name}`, offset + member.offset));
  }
  if (element === null) return [{ name, scalar: scalarOf(layout), offset }];
  const count = Math.min(layout.count ?? 0, MOST_COLUMNS);
  const step = stride ?? element.size;
  return Array.from({ length: count }, (_, i) => {
    const part = type.kind === "vector" ? `.${"xyzw"[i]}` : `[${i}]`;
    return columnsOf(element, name + part, offset + i * step);
  }).flat();
}

function scalarOf({ type }: Layout): Scalar {
  const scalar = type.kind === "atomic" ? type.element : type;
  return scalar.kind as Scalar;
}
