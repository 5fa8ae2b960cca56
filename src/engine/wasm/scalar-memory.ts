/** Loads and stores of single scalars: of one invocation, or of four at once. */
import type { Emitter } from "./emitter.ts";
import { type Expr, writeMemoryImmediate } from "./expression.ts";
import { fourOf, isFour } from "./four.ts";
import { OP } from "./instructions.ts";
import { type Kind, wasmType } from "./scalars.ts";
import type { Place } from "./values.ts";

/** A place that may be used if `valid` is true; null: always. */
export interface CheckedPlace extends Place {
  readonly valid: Expr | null;
}

function loadOp(kind: Kind): number {
  return kind === "f32" ? OP.f32_load : kind === "f16" ? OP.i32_load16_u : OP.i32_load;
}

export function loadScalar(e: Emitter, kind: Kind, address: Expr, offset: number): Expr {
  const { x } = e;
  const loaded = x.load(loadOp(kind), kind === "f32" ? "f32" : "i32", address, offset);
  if (kind === "bool") return x.ranged(loaded, 0, 1);
  return kind === "f16" ? e.library.call(x, "f16_from_bits", loaded) : loaded;
}

export function storeScalar(e: Emitter, kind: Kind, { address, offset }: Place, value: Expr): void {
  if (isFour(address.type) || isFour(value.type)) {
    storeFour(e, kind, { address, offset }, value);
    return;
  }
  e.write(address);
  e.write(kind === "f16" ? e.library.call(e.x, "f16_bits", value) : value);
  const op = kind === "f32" ? OP.f32_store : kind === "f16" ? OP.i32_store16 : OP.i32_store;
  e.out.byte(op);
  writeMemoryImmediate(e.out, op, offset);
}

/** One scalar of all four. */
function storeFour(e: Emitter, kind: Kind, { address, offset }: Place, value: Expr): void {
  const { fours } = e.x;
  const scalars = fours.integer(value);
  if (address.linear?.step === 4) {
    e.write(address.linear.first);
    e.write(fours.splat(scalars, fourOf(wasmType(kind))));
    e.out.opcode(OP.v128_store);
    writeMemoryImmediate(e.out, OP.v128_store, offset);
    return;
  }
  const [at, kept] = [e.keep(address), e.keep(scalars)];
  for (let lane = 0; lane < 4; lane++) {
    storeScalar(e, kind, { address: fours.lane(at, lane), offset }, fours.lane(kept, lane));
  }
}
