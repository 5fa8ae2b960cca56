/** Watching cells of buffers while dispatches run: who touched them, old and new value. */
import { positionAt, type Triple } from "../engine/builtin-values.ts";
import type { Execution } from "../engine/execution.ts";
import type { AccessEvent, Observer } from "../engine/observer.ts";
import { layoutOf, pathAt } from "../layout/layout.ts";
import { BufferView, type ViewValue } from "../layout/view.ts";
import type { ScalarType, Type } from "../types/type.ts";
import type { PlannedStep } from "./plan.ts";
import type { InvocationId, TraceEvent } from "./results.ts";

/** Bytes of one memory. */
export interface Cell {
  readonly memory: number;
  readonly offset: number;
  readonly size: number;
}

export interface Watched {
  readonly cell: Cell;
  readonly events: TraceEvent[];
  count: number;
}

/** More than this is counted, not kept. */
const MOST_EVENTS = 10_000;

export function watch(cell: Cell): Watched {
  return { cell, events: [], count: 0 };
}

/**
 * An observer for one dispatch.
 * @param memoryOf index of the memory that a root variable of the step is bound to; null for other roots
 * @param last keep the last events instead of the first
 */
export function watcher(
  step: PlannedStep,
  dispatch: number,
  memoryOf: (root: number) => number | null,
  watched: readonly Watched[],
  last = false,
): Observer {
  let execution: Execution | null = null;
  return {
    begin(started) {
      execution = started;
    },
    access(event) {
      const { root } = event.site;
      const memory = root === null ? null : memoryOf(root);
      if (memory === null || !event.inBounds) return;
      for (const each of watched) {
        if (each.cell.memory === memory) note(each, event, step, dispatch, execution!, last);
      }
    },
  };
}

/** Two observers as one. */
export function joined(first: Observer, second: Observer): Observer {
  const both: Observer = {
    begin(execution) {
      first.begin?.(execution);
      second.begin?.(execution);
    },
    barrier(event) {
      first.barrier?.(event);
      second.barrier?.(event);
    },
    workgroupStarted(workgroup) {
      first.workgroupStarted?.(workgroup);
      second.workgroupStarted?.(workgroup);
    },
    workgroupEnded(workgroup) {
      first.workgroupEnded?.(workgroup);
      second.workgroupEnded?.(workgroup);
    },
  };
  // Events of accesses are made only where they are asked for.
  if (first.access === undefined && second.access === undefined) return both;
  return {
    ...both,
    access(event) {
      first.access?.(event);
      second.access?.(event);
    },
  };
}

function note(
  watched: Watched,
  event: AccessEvent,
  step: PlannedStep,
  dispatch: number,
  execution: Execution,
  last: boolean,
): void {
  const { offsets, halves } = event.site.shape;
  const { offset, size } = watched.cell;
  for (let i = 0; i < offsets.length; i++) {
    const at = event.offset + offsets[i];
    if (at + (halves[i] === 1 ? 2 : 4) <= offset || at >= offset + size) continue;
    watched.count++;
    if (watched.events.length >= MOST_EVENTS) {
      if (!last) continue;
      watched.events.shift();
    }
    watched.events.push(traceEvent(event, i, at, step, dispatch, execution));
  }
}

function traceEvent(
  { site, workgroup, localIndex, before, after }: AccessEvent,
  index: number,
  at: number,
  step: PlannedStep,
  dispatch: number,
  execution: Execution,
): TraceEvent {
  const root = step.module.roots[site.root!];
  const scalar = scalarAt(root.type, at);
  const { source } = step.program;
  return {
    dispatch,
    invocation: invocationId(workgroup.id, localIndex, execution.grid.workgroupSize),
    kind: site.kind,
    atomic: site.atomic,
    cell: pathAt(layoutOf(root.type), at, root.name) ?? root.name,
    before: scalarValue(before[index], scalar),
    after: scalarValue(after[index], scalar),
    path: source.path,
    start: source.position(site.span.start),
    end: source.position(site.span.end),
  };
}

export function invocationId(workgroup: Triple, localIndex: number, size: Triple): InvocationId {
  const local = positionAt(localIndex, size);
  const global = workgroup.map((at, axis) => at * size[axis] + local[axis]) as unknown as Triple;
  return { global, workgroup: [...workgroup], localIndex };
}

/** The type of the scalar that lies at a byte of a value. */
function scalarAt(type: Type, offset: number): ScalarType {
  const layout = layoutOf(type);
  if (layout.members.length > 0) {
    const member = layout.members.findLast((each) => each.offset <= offset)!;
    return scalarAt(member.layout.type, offset - member.offset);
  }
  if (layout.element !== null) {
    return scalarAt(layout.element.type, offset % (layout.stride ?? layout.element.size));
  }
  return type.kind === "atomic" ? type.element : (type as ScalarType);
}

/** The value that the bits of a scalar in memory stand for. */
function scalarValue(bits: number, type: ScalarType): ViewValue {
  return new BufferView(new Uint8Array(new Int32Array([bits]).buffer), layoutOf(type)).read();
}
