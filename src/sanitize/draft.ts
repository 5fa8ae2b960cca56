/** From what the checkers saw to findings: places, values, paths, invocations as the contract has them. */
import "../diagnostics/catalogue-beyond.ts";
import type { DiagnosticCode } from "../diagnostics/catalogue.ts";
import {
  type DiagnosticArgs,
  diagnostic,
  type Note,
  type Phrase,
  phrase,
  type Severity,
} from "../diagnostics/diagnostic.ts";
import type { Triple } from "../engine/builtin-values.ts";
import type { AccessSite } from "../engine/flat.ts";
import type { IrModule, RootId } from "../ir/ir.ts";
import type { PlannedStep } from "../launch/plan.ts";
import { invocationId } from "../launch/watch.ts";
import { layoutOf, pathAt } from "../layout/layout.ts";
import { BufferView, type ViewValue } from "../layout/view.ts";
import type { Source, Span } from "../text/source.ts";
import type { Finding, FindingAccess, Replay, Resource } from "./finding.ts";
import type { Witness } from "./witness.ts";

/** What the findings of one dispatch have in common. */
export interface DispatchScope {
  readonly step: PlannedStep;
  readonly module: IrModule;
  /** Bytes of each root variable, by id. */
  readonly sizes: readonly number[];
  readonly replay: Replay;
}

export interface DraftParts {
  readonly resource?: Resource | null;
  readonly accesses?: readonly FindingAccess[];
  readonly notes?: readonly Note[];
  readonly count?: number;
  readonly severity?: Severity;
}

export function draft<Code extends DiagnosticCode>(
  scope: DispatchScope,
  code: Code,
  span: Span,
  args: DiagnosticArgs<Code>,
  { resource = null, accesses = [], notes = [], count = 1, severity }: DraftParts,
): Finding {
  const extras = severity === undefined ? { notes } : { notes, severity };
  return {
    ...diagnostic(code, span, args, extras),
    source: sourceOf(scope),
    resource,
    accesses,
    count,
    replay: scope.replay,
  };
}

export function sourceOf({ step }: DispatchScope): Source {
  return step.program.source;
}

export function lineOf(scope: DispatchScope, offset: number): number {
  return sourceOf(scope).position(offset).line;
}

/** The variable, and what of it lies at a byte. */
export function resourceAt({ module }: DispatchScope, root: RootId, byteOffset: number): Resource {
  const { name, group, binding, type } = module.roots[root];
  return { name, group, binding, path: pathIn(type, byteOffset, name), byteOffset };
}

function pathIn(type: IrModule["roots"][number]["type"], offset: number, name: string): string {
  return pathAt(layoutOf(type), offset, name) ?? name;
}

/** What an access touches: `cells[3].vel`, where it is no single scalar. */
export function resourceOf(scope: DispatchScope, { site, offset }: Pick<Witness, "site" | "offset">): Resource | null {
  if (site.root === null) return null;
  const resource = resourceAt(scope, site.root, offset);
  if (site.type.kind !== "vector" || !/\.[xyzw]$/.test(resource.path)) return resource;
  return { ...resource, path: resource.path.slice(0, -2) };
}

export function accessOf(scope: DispatchScope, seen: Witness): FindingAccess {
  const { site, workgroupId, local, epoch } = seen;
  return {
    kind: site.kind,
    atomic: site.atomic,
    span: site.span,
    invocation: invocationId(workgroupId, local, scope.module.workgroupSize),
    phase: epoch,
    value: accessValue(seen),
  };
}

/** The value that the bits of an access stand for. */
export function accessValue({ site, values }: Witness): ViewValue {
  const layout = layoutOf(site.type);
  const { offsets, halves } = site.shape;
  const bytes = new Uint8Array(layout.size);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < offsets.length; i++) {
    if (halves[i] === 1) view.setUint16(offsets[i], values[i], true);
    else view.setInt32(offsets[i], values[i], true);
  }
  return new BufferView(bytes, layout).read();
}

/** Bits of a scalar as the atomic type of a site has them. */
export function counterValue({ type }: AccessSite, bits: number): number {
  return type.kind === "atomic" && type.element.kind === "i32" ? bits | 0 : bits >>> 0;
}

export function valueText(value: ViewValue): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** `written`, `changed by atomicAdd`. */
export function accessPhrase({ kind, atomic }: AccessSite): Phrase {
  if (kind === "read" || kind === "write") return phrase(kind);
  return phrase(kind, { atomic: atomic ?? "workgroupUniformLoad" });
}

/** Number of an invocation in the dispatch for messages: its global id, short where it is along x only. */
export function invocationText(
  scope: DispatchScope,
  { workgroupId, local }: Pick<Witness, "workgroupId" | "local">,
): string {
  return idText(invocationId(workgroupId, local, scope.module.workgroupSize).global);
}

export function idText([x, y, z]: Triple): string {
  if (y === 0 && z === 0) return `${x}`;
  return `(${x}, ${y}, ${z})`;
}

export function tripleText(triple: Triple): string {
  return triple.join(", ");
}
