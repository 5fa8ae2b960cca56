/**
 * Which lines read, write, update atomically or wait, beside the text. Lines between the same barriers have one tint.
 * Where not all invocations of a workgroup go together, on request.
 */
import { type Extension, RangeSet, RangeSetBuilder, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter } from "@codemirror/view";
import type { NonUniformRange, SharedAccess, SharedMemory } from "halay/ide";
import { t } from "../texts/texts.ts";
import { setMemory, setNonUniform } from "./effects.ts";

const LETTERS: Readonly<Record<SharedAccess["kind"], string>> = { read: "R", write: "W", atomic: "A", wait: "‖" };
const KINDS = ["read", "write", "atomic", "wait"] as const;
const TINTS = 4;

class AccessMarker extends GutterMarker {
  readonly kinds: readonly SharedAccess["kind"][];
  readonly title: string;
  readonly tint: number | null;

  constructor(kinds: readonly SharedAccess["kind"][], title: string, tint: number | null) {
    super();
    this.kinds = kinds;
    this.title = title;
    this.tint = tint;
    this.elementClass = tint === null ? "" : `phase-${tint}`;
  }

  override eq(other: AccessMarker): boolean {
    return other.title === this.title && other.tint === this.tint;
  }

  override toDOM(): Node {
    const dom = document.createElement("span");
    dom.title = this.title;
    for (const kind of this.kinds) {
      const letter = dom.appendChild(document.createElement("span"));
      letter.className = `memory-mark memory-${kind}`;
      letter.textContent = LETTERS[kind];
    }
    return dom;
  }
}

function markers(memory: SharedMemory, doc: Text): RangeSet<GutterMarker> {
  const builder = new RangeSetBuilder<GutterMarker>();
  const byLine = new Map<number, SharedAccess[]>();
  for (const access of memory.accesses) byLine.set(access.line, [...(byLine.get(access.line) ?? []), access]);
  for (let line = 1; line <= doc.lines; line++) {
    const accesses = byLine.get(line) ?? [];
    const region = memory.regions.find(({ startLine, endLine }) => startLine <= line && line <= endLine);
    if (accesses.length === 0 && region === undefined) continue;
    const kinds = KINDS.filter((kind) => accesses.some((access) => access.kind === kind));
    const said = [...new Set(accesses.map(titleOf))];
    if (region !== undefined) said.push(t.value.editor.phase(region.phase));
    const tint = region === undefined ? null : region.phase % TINTS;
    builder.add(doc.line(line).from, doc.line(line).from, new AccessMarker(kinds, said.join("\n"), tint));
  }
  return builder.finish();
}

function titleOf({ kind, variable, call, space }: SharedAccess): string {
  const what = t.value.editor.access[kind];
  return [what, variable ?? call ?? "", space === null ? "" : `(${space})`].filter((part) => part !== "").join(" ");
}

const memoryMarkers = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(set, transaction) {
    let next = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setMemory)) continue;
      next = effect.value === null ? RangeSet.empty : markers(effect.value, transaction.newDoc);
    }
    return next;
  },
});

function nonUniformLines(ranges: readonly NonUniformRange[], doc: Text): DecorationSet {
  const reasons = new Map<number, string>();
  for (const { start, end, reason } of ranges) {
    const last = doc.lineAt(Math.min(end, doc.length)).number;
    for (let line = doc.lineAt(Math.min(start, doc.length)).number; line <= last; line++) reasons.set(line, reason);
  }
  const lines = [...reasons].sort(([a], [b]) => a - b);
  return Decoration.set(
    lines.map(([line, reason]) =>
      Decoration.line({ class: "non-uniform", attributes: { title: reason } }).range(doc.line(line).from),
    ),
  );
}

const nonUniform = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    let next = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setNonUniform)) next = nonUniformLines(effect.value, transaction.newDoc);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const memoryGutter: Extension = [
  memoryMarkers,
  nonUniform,
  gutter({ class: "memory-gutter", markers: (view) => view.state.field(memoryMarkers) }),
];
