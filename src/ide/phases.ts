/** The stretches of a function between its barriers. */
import type { FunctionInfo } from "../analysis/program.ts";
import type * as ast from "../syntax/ast.ts";
import { forEachExpression } from "../syntax/walk.ts";
import type { Source, Span } from "../text/source.ts";
import type { PhaseRegion } from "./types.ts";

/** A barrier, or a call of a function in which invocations wait. */
export interface Wait {
  readonly span: Span;
  readonly name: string;
  /** Whether it orders accesses to that memory. */
  readonly workgroup: boolean;
  readonly storage: boolean;
}

/**
 * In the order of the text, which is not always that of the invocations: the end of a loop leads `backTo` the stretch at
 * its head, so that both are one phase unless a barrier stands between. None for a function that does not wait.
 */
export function phaseRegions(source: Source, info: FunctionInfo, waits: readonly Wait[]): readonly PhaseRegion[] {
  if (waits.length === 0) return [];
  const { body } = info.declaration;
  const back = loopsBack(body, waits);
  const regions: PhaseRegion[] = [];
  const last = source.text[body.span.end - 1] === "}" ? body.span.end - 1 : body.span.end;
  let workgroupPhase = 0;
  let storagePhase = 0;
  for (let phase = 0; phase <= waits.length; phase++) {
    const from = phase === 0 ? body.span.start + 1 : waits[phase - 1].span.end;
    const to = waits[phase]?.span.start ?? last;
    const { start, end } = trimmed(source.text, from, to);
    const wait = waits[phase - 1];
    if (wait?.workgroup) workgroupPhase++;
    if (wait?.storage) storagePhase++;
    if (start >= end) continue;
    const startLine = source.position(start).line;
    const endLine = source.position(end - 1).line;
    const backTo = back.get(phase) ?? null;
    regions.push({ start, end, function: info.name, startLine, endLine, phase, workgroupPhase, storagePhase, backTo });
  }
  return regions;
}

/** Without blankspace at the ends, and without the `;` of the barrier before. */
function trimmed(text: string, from: number, to: number): Span {
  const start = from + /^\s*;?\s*/.exec(text.slice(from, to))![0].length;
  return { start, end: start + text.slice(start, to).trimEnd().length };
}

/** By the phase at the end of a loop, the one at its head; of loops that end together, the outermost. */
function loopsBack(body: ast.Statement, waits: readonly Wait[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  forEachExpression(
    body,
    () => {},
    (node) => {
      if (node.kind !== "loop" && node.kind !== "for" && node.kind !== "while") return;
      const first = waits.findIndex(({ span }) => span.start >= node.span.start);
      const end = waits.findLastIndex(({ span }) => span.start < node.span.end) + 1;
      if (first >= 0 && first < end && !found.has(end)) found.set(end, first);
    },
  );
  return found;
}
