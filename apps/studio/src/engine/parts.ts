/** From the layout of a buffer to the tables that show it: one row for what is there once, one table for each array. */
import type { Layout } from "halay";
import type { Column, Part, Scalar } from "./protocol.ts";

/** An array inside of an element becomes columns up to this many, else a table of its own. */
const MOST_COLUMNS = 16;
/** Arrays in arrays in arrays have no table of their own: the first elements become columns. */
const MOST_DEEP_COLUMNS = 1024;

/**
 * @param byteLength of the buffer, which says how many elements a runtime-sized array has
 * @param from index of the first element, where the buffer is a part of an array
 */
export function partsOf(layout: Layout, byteLength: number, from = 0): readonly Part[] {
  const arrays: Part[] = [];
  const once: Column[] = [];
  collect(layout, "", 0);
  const own: Part = {
    path: "",
    isArray: false,
    offset: 0,
    stride: byteLength,
    first: 0,
    count: 1,
    columns: once,
    inner: null,
  };
  return once.length === 0 ? arrays : [own, ...arrays];

  function collect(part: Layout, path: string, offset: number): void {
    if (part.type.kind === "array") {
      const { stride, element, count } = part;
      const rows = count ?? Math.max(0, Math.floor((byteLength - offset) / stride!));
      collectElements(
        { path, isArray: true, offset, stride: stride!, first: path === "" ? from : 0, count: rows },
        element!,
      );
    } else if (part.members.length > 0) {
      for (const member of part.members) collect(member.layout, `${path}.${member.name}`, offset + member.offset);
    } else once.push(...columnsOf(part, path, offset));
  }

  /** Columns for what an element holds once, and a table for each array in it that is too long for columns. */
  function collectElements(outer: Omit<Part, "columns" | "inner">, element: Layout): void {
    const columns = columnsOf(element, "", 0);
    if (columns.length > 0) arrays.push({ ...outer, columns, inner: null });
    for (const { path, offset, layout } of longArrays(element, "", 0)) {
      const inner = { path, stride: layout.stride!, count: layout.count! };
      arrays.push({
        ...outer,
        offset: outer.offset + offset,
        count: outer.count * inner.count,
        columns: columnsOf(layout.element!, "", 0, true),
        inner,
      });
    }
  }
}

interface LongArray {
  readonly path: string;
  readonly offset: number;
  readonly layout: Layout;
}

const isLong = ({ type, count }: Layout): boolean => type.kind === "array" && (count ?? 0) > MOST_COLUMNS;

/** The arrays of an element that are no columns. */
function longArrays(layout: Layout, path: string, offset: number): readonly LongArray[] {
  if (isLong(layout)) return [{ path, offset, layout }];
  const own = layout.members.flatMap((member) =>
    longArrays(member.layout, `${path}.${member.name}`, offset + member.offset),
  );
  if (layout.type.kind !== "array") return own;
  return Array.from({ length: layout.count ?? 0 }, (_, i) =>
    longArrays(layout.element!, `${path}[${i}]`, offset + i * layout.stride!),
  ).flat();
}

/** @param isDeep whether a long array has no table of its own */
function columnsOf(layout: Layout, name: string, offset: number, isDeep = false): readonly Column[] {
  const { members, element, stride, type } = layout;
  if (members.length > 0) {
    return members.flatMap((member) =>
      columnsOf(member.layout, `${name}.${member.name}`, offset + member.offset, isDeep),
    );
  }
  if (element === null) return [{ name, scalar: scalarOf(layout), offset }];
  if (isLong(layout) && !isDeep) return [];
  const count = Math.min(layout.count ?? 0, MOST_DEEP_COLUMNS);
  const step = stride ?? element.size;
  return Array.from({ length: count }, (_, i) => {
    const part = type.kind === "vector" ? `.${"xyzw"[i]}` : `[${i}]`;
    return columnsOf(element, name + part, offset + i * step, isDeep);
  }).flat();
}

function scalarOf({ type }: Layout): Scalar {
  const scalar = type.kind === "atomic" ? type.element : type;
  return scalar.kind as Scalar;
}
