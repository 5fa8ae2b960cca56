/** From a layout to the bytes that people see: stretches of members and of padding, and what repeats. */
import type { ReflectedLayout } from "halay";

export interface Stretch {
  /** `vel.y`, `items[0].pos`; empty for padding. */
  readonly path: string;
  readonly type: string;
  readonly offset: number;
  readonly size: number;
  readonly kind: "value" | "padding" | "more";
  /** Which of the members at the top it belongs to: they have their colours in turn. */
  readonly hue: number;
}

export interface BytePicture {
  readonly stretches: readonly Stretch[];
  /** Bytes that are drawn. */
  readonly size: number;
  /** Of an array whose first element is drawn: distance to the next. */
  readonly stride: number | null;
  /** Elements of that array; null: as many as the buffer holds. */
  readonly count: number | null;
}

/** Elements of an array within a structure that are drawn. */
const DRAWN = 4;
/** Bytes that the first elements of an array may take. */
const FIRST_BYTES = 16;

export function bytePicture(layout: ReflectedLayout): BytePicture {
  const element = elementOf(layout);
  const stretches: Stretch[] = [];
  const stride = layout.stride ?? 0;
  if (element === null) draw(layout, "", 0, null);
  else {
    const fitting = Math.max(1, Math.floor(FIRST_BYTES / stride));
    const shown = Math.min(fitting, countOf(layout) ?? fitting);
    for (let i = 0; i < shown; i++) draw(element, shown === 1 ? "" : `[${i}]`, i * stride, shown === 1 ? null : i);
    padTo(shown * stride);
  }
  const size = Math.max(layout.runtimeSized === true || element !== null ? 0 : layout.size, endOf(stretches));
  padTo(size);
  return { stretches, size, stride: element === null ? null : stride, count: countOf(layout) };

  function padTo(offset: number): void {
    const end = endOf(stretches);
    if (offset > end) stretches.push({ path: "", type: "", offset: end, size: offset - end, kind: "padding", hue: -1 });
  }

  function draw(part: ReflectedLayout, path: string, offset: number, hue: number | null): void {
    const inner = elementOf(part);
    if (part.members !== undefined) {
      for (const [i, member] of part.members.entries()) {
        const name = path === "" ? member.name : `${path}.${member.name}`;
        draw(member.layout, name, offset + member.offset, hue ?? i);
      }
    } else if (inner !== null) drawElements(part, inner, path, offset, hue ?? 0);
    else drawValue(part, path, offset, hue ?? 0);
  }

  function drawElements(
    part: ReflectedLayout,
    inner: ReflectedLayout,
    path: string,
    offset: number,
    hue: number,
  ): void {
    const stride = part.stride ?? inner.size;
    const count = countOf(part);
    const shown = count === null ? 1 : count <= DRAWN ? count : DRAWN - 1;
    for (let i = 0; i < shown; i++) draw(inner, `${path}[${i}]`, offset + i * stride, hue);
    if (count === null || count <= shown) return;
    padTo(offset + shown * stride);
    const rest = (count - shown) * stride;
    stretches.push({
      path: `${path}[${shown}…${count - 1}]`,
      type: inner.type,
      offset: offset + shown * stride,
      size: rest,
      kind: "more",
      hue,
    });
  }

  function drawValue(part: ReflectedLayout, path: string, offset: number, hue: number): void {
    padTo(offset);
    const columns = matrixColumns(part);
    if (columns === null) {
      stretches.push({ path, type: part.type, offset, size: part.size, kind: "value", hue });
      return;
    }
    for (let i = 0; i < columns.count; i++) {
      const at = offset + i * part.stride!;
      padTo(at);
      stretches.push({ path: `${path}[${i}]`, type: columns.type, offset: at, size: columns.size, kind: "value", hue });
    }
  }
}

function endOf(stretches: readonly Stretch[]): number {
  const last = stretches.at(-1);
  return last === undefined ? 0 : last.offset + last.size;
}

/** Of arrays, by their name `array<T, N>`; all other types have none. */
function elementOf(layout: ReflectedLayout): ReflectedLayout | null {
  return layout.type.startsWith("array<") ? (layout.element ?? null) : null;
}

function countOf(layout: ReflectedLayout): number | null {
  if (layout.runtimeSized === true || layout.stride === undefined || layout.stride === 0) return null;
  return Math.round(layout.size / layout.stride);
}

function matrixColumns(layout: ReflectedLayout) {
  const match = /^mat(\d)x(\d)<(f\d\d)>$/.exec(layout.type);
  if (match === null || layout.stride === undefined) return null;
  const [, count, rows, scalar] = match;
  return { count: Number(count), size: Number(rows) * (scalar === "f16" ? 2 : 4), type: `vec${rows}<${scalar}>` };
}
