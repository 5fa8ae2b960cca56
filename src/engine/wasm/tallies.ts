/**
 * Words that a kernel only counts in, as `DispatchRequest.tallies` names them: what it adds to them it keeps in locals until
 * it has run its workgroups, so that counting costs an addition, and four invocations at once may do it.
 */
import type { RootId } from "../../ir/ir.ts";
import type { Emitter } from "./emitter.ts";
import { type Expr, writeMemoryImmediate } from "./expression.ts";
import { isFour } from "./four.ts";
import { OP } from "./instructions.ts";
import type { Pointers } from "./pointers.ts";
import type { Operation } from "./tree.ts";
import type { Place } from "./values.ts";

type Atomic = Extract<Operation, { kind: "atomic" }>;

interface Tally {
  readonly root: RootId;
  readonly offset: number;
  readonly operation: TallyOperation;
}

type TallyOperation = "add" | "max" | "or";

function isTallyOperation(operation: Atomic["operation"]): operation is TallyOperation {
  return operation === "add" || operation === "max" || operation === "or";
}

/** null: it is an atomic function like any other. */
export function tallyOf(
  { id, pointer, operation }: Atomic,
  tallies: ReadonlySet<RootId>,
  { pointers, uses }: { readonly pointers: Pointers; readonly uses: ArrayLike<number> },
): Tally | null {
  const { base, terms, offset } = pointers[pointer]!;
  if (base.kind !== "root" || !tallies.has(base.root) || terms.length > 0 || uses[id] > 0) return null;
  return isTallyOperation(operation) ? { root: base.root, offset, operation } : null;
}

/** The locals of a kernel. */
export class Tallies {
  readonly #e: Emitter;
  readonly #kept = new Map<string, { readonly tally: Tally; readonly local: number }>();

  constructor(e: Emitter) {
    this.#e = e;
  }

  count(tally: Tally, value: Expr): void {
    const { local } = this.#of(tally);
    const { out } = this.#e;
    change(this.#e, tally.operation, value, () => {
      out.byte(OP.local_get);
      out.unsigned(local);
    });
    this.#e.setLocal(local);
  }

  #of(tally: Tally) {
    const key = `${tally.root} ${tally.offset} ${tally.operation}`;
    const type = tally.operation === "add" ? "i64" : "i32";
    const kept = this.#kept.get(key) ?? { tally, local: this.#e.permanentLocal(type) };
    this.#kept.set(key, kept);
    return kept;
  }

  /** Behind all workgroups: brings the memory up to date. */
  bring(): void {
    for (const { tally, local } of this.#kept.values()) {
      const { out } = this.#e;
      inMemory(this.#e, tally, (old) =>
        combine(this.#e, tally.operation, old, () => {
          out.byte(OP.local_get);
          out.unsigned(local);
        }),
      );
    }
  }
}

/** In a function that stays one: right away. */
export function countInMemory(e: Emitter, tally: Tally, value: Expr): void {
  inMemory(e, tally, (old) => change(e, tally.operation, value, old));
}

function inMemory(e: Emitter, { root, offset, operation }: Tally, change: (old: () => void) => void): void {
  const { address, offset: start }: Place = e.surroundings.rootPlace(root);
  const [load, store] = operation === "add" ? [OP.i64_load, OP.i64_store] : [OP.i32_load, OP.i32_store];
  const access = (op: number): void => {
    e.out.byte(op);
    writeMemoryImmediate(e.out, op, start + offset);
  };
  e.write(address);
  change(() => {
    e.write(address);
    access(load);
  });
  access(store);
}

/** Leaves on the stack what the invocations that are here make of the old number. */
function change(e: Emitter, operation: TallyOperation, value: Expr, old: () => void): void {
  const { lanes, times } = whoCounts(e, value);
  if (operation === "add") {
    old();
    for (const lane of lanes) {
      writeWide(e, lane);
      if (times !== null) writeWide(e, times);
      if (times !== null) e.out.byte(OP.i64_mul);
      e.out.byte(OP.i64_add);
    }
    return;
  }
  const { x } = e;
  const all = lanes.reduce((a, b) => {
    if (operation === "or") return x.binary(OP.i32_or, "i32", a, b);
    return e.keep(x.select(x.binary(OP.i32_gt_u, "i32", a, b), a, b));
  });
  const here = e.keep(times === null ? all : x.select(times, all, x.i32(0)));
  combine(e, operation, old, () => e.write(here));
}

function writeWide(e: Emitter, value: Expr): void {
  e.write(value);
  e.out.byte(OP.i64_extend_i32_u);
}

function combine({ out }: Emitter, operation: TallyOperation, old: () => void, value: () => void): void {
  old();
  value();
  if (operation === "add") out.byte(OP.i64_add);
  else if (operation === "or") out.byte(OP.i32_or);
  else {
    old();
    value();
    out.byte(OP.i32_gt_u);
    out.byte(OP.select);
  }
}

/** What is counted: of four invocations by each of them, 0 by those that are not here; or the same by so many. */
function whoCounts(e: Emitter, value: Expr): { readonly lanes: readonly Expr[]; readonly times: Expr | null } {
  const { x, mask } = e;
  if (!e.isAtOnce) return { lanes: [e.keep(value)], times: null };
  if (isFour(value.type)) {
    const four = e.keep(mask === null ? value : x.select(mask, value, x.i32(0)));
    return { lanes: [0, 1, 2, 3].map((lane) => e.keep(x.fours.lane(four, lane))), times: null };
  }
  const bits = mask === null ? null : x.node(OP.i32x4_bitmask, "i32", [x.fours.mask(mask)], 0, 0, 15, null);
  return { lanes: [e.keep(value)], times: bits === null ? x.i32(4) : e.keep(x.unary(OP.i32_popcnt, "i32", bits)) };
}
