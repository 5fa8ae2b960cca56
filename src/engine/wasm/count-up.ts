/**
 * Loops over the invocations of a workgroup. V8 looks at the end of every round whether it is to stop, and counts: where what
 * an invocation does is short, a round is several of them, whose addresses differ by constants.
 */
import type { Emitter } from "./emitter.ts";
import type { Expr } from "./expression.ts";
import { OP } from "./instructions.ts";
import { eachNode, type Node } from "./tree.ts";

interface Count {
  readonly from?: number;
  readonly step?: number;
  readonly most: number;
  /** Neither 0 nor more than `most`, which it is if left out. */
  readonly count?: Expr;
  /** A round may be several, if they are short enough. */
  readonly isShort?: boolean;
}

/** Bytes of code of a round. */
const LONGEST_ROUND = 800;
const MOST_AT_ONCE = 4;

/** `emit` for `from`, and so on up to `count`. */
export function countUp(
  e: Emitter,
  { from = 0, step = 1, most, count, isShort = false }: Count,
  emit: (index: Expr) => void,
): void {
  const { x, out } = e;
  if (most - from === step) {
    emit(x.i32(from));
    return;
  }
  const scoped = (index: Expr): void => {
    e.locals.open();
    emit(index);
    e.locals.close();
  };
  const mark = x.facts.mark();
  const counter = e.locals.allocate("i32");
  e.write(x.i32(from));
  e.setLocal(counter);
  e.open(OP.loop, null);
  const start = out.length;
  const index = x.local(counter, "i32", from, most - step);
  scoped(index);
  const copies = isShort && count === undefined ? copiesOf(out.length - start, (most - from) / step) : 1;
  const first = x.ranged(index, from, most - copies * step);
  for (let copy = 1; copy < copies; copy++) {
    const ahead = x.i32(copy * step);
    const next = x.binary(OP.i32_add, "i32", first, ahead);
    e.sums.set(next.number, [first, ahead]);
    scoped(next);
  }
  e.write(x.binary(OP.i32_add, "i32", index, x.i32(copies * step)));
  out.byte(OP.local_tee);
  out.unsigned(counter);
  e.write(count ?? x.i32(most));
  out.byte(OP.i32_ne);
  out.byte(OP.br_if);
  out.unsigned(0);
  e.close();
  x.facts.reset(mark);
}

function copiesOf(bytes: number, rounds: number): number {
  let copies = MOST_AT_ONCE;
  while (copies > 1 && (rounds % copies !== 0 || bytes * copies > LONGEST_ROUND)) copies /= 2;
  return copies;
}

export function holdsLoop(nodes: readonly Node[]): boolean {
  let found = false;
  eachNode(nodes, ({ kind }) => {
    if (kind === "loop") found = true;
  });
  return found;
}
