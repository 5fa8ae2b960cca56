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
  const all = e.keep(e.isAtOnce ? together(e, operation, value) : value);
  combine(e, operation, old, () => {
    e.write(all);
    if (operation === "add") e.out.byte(OP.i64_extend_i32_u);
  });
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

/** What four invocations do, or those of them that are here. */
function together(e: Emitter, operation: TallyOperation, value: Expr): Expr {
  const { x, mask } = e;
  const bits = mask === null ? null : x.node(OP.i32x4_bitmask, "i32", [x.fours.mask(mask)], 0, 0, 15, null);
  if (!isFour(value.type)) {
    if (operation !== "add") return bits === null ? value : x.select(bits, value, x.i32(0));
    return x.binary(OP.i32_mul, "i32", value, bits === null ? x.i32(4) : x.unary(OP.i32_popcnt, "i32", bits));
  }
  const four = e.keep(mask === null ? value : x.select(mask, value, x.i32(0)));
  const lanes = [0, 1, 2, 3].map((lane) => e.keep(x.fours.lane(four, lane)));
  return lanes.reduce((a, b) => {
    if (operation === "max") return e.keep(x.select(x.binary(OP.i32_gt_u, "i32", a, b), a, b));
    return x.binary(operation === "add" ? OP.i32_add : OP.i32_or, "i32", a, b);
  });
}
