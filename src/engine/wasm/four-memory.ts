/**
 * Loads and stores of four invocations at once: of words side by side in one piece, of all else lane by lane. Where some of
 * the four are out of bounds, each one is looked at.
 */
import type { Emitter } from "./emitter.ts";
import type { Expr } from "./expression.ts";
import { fourOf, isFour } from "./four.ts";
import { OP } from "./instructions.ts";
import { type CheckedPlace, loadScalar, storeScalar } from "./scalar-memory.ts";
import { type ScalarPlace, wasmType } from "./scalars.ts";
import type { Place } from "./values.ts";

/** Whether a load through the place, or a store of these, is one of four invocations. */
export function isOfFour({ address, valid }: CheckedPlace, values: readonly Expr[] = []): boolean {
  return isFour(address.type) || (valid !== null && isFour(valid.type)) || values.some(({ type }) => isFour(type));
}

function allTrue(e: Emitter, mask: Expr): Expr {
  return e.x.node(OP.i32x4_all_true, "i32", [e.x.fours.mask(mask)], 0, 0, 1, null);
}

/** Each invocation that is out of bounds gets zeros. */
export function loadChecked(
  e: Emitter,
  places: readonly ScalarPlace[],
  { address, offset }: Place,
  valid: Expr,
): readonly Expr[] {
  const { x } = e;
  const [at, mask] = [e.keep(address), e.keep(valid)];
  const types = places.map(({ kind }) => fourOf(wasmType(kind)));
  const locals = places.map(() => e.locals.allocate("v128"));
  const set = (load: (place: ScalarPlace) => Expr): void => {
    for (const [index, place] of places.entries()) {
      e.write(x.fours.splat(load(place), types[index]));
      e.setLocal(locals[index]);
    }
  };
  e.write(isFour(mask.type) ? allTrue(e, mask) : mask);
  e.open(OP.if, null);
  set(({ kind, offset: more }) => loadScalar(e, kind, at, offset + more));
  e.out.byte(OP.else);
  set(({ kind, offset: more }) => {
    const zero = x.zero(wasmType(kind));
    if (!isFour(mask.type)) return zero;
    return x.fours.each([at, mask], ([lane, isValid]) =>
      x.conditional(isValid, loadScalar(e, kind, lane, offset + more), zero),
    );
  });
  e.close();
  return locals.map((local, index) => x.local(local, types[index]));
}

/** `valid`: who stores; null: all four. */
export function storeFours(
  e: Emitter,
  places: readonly ScalarPlace[],
  { address, offset }: Place,
  valid: Expr | null,
  values: readonly Expr[],
): void {
  // Of words side by side only the first one's place is needed.
  const at = valid === null && address.linear?.step === 4 ? address : e.keep(address);
  const kept = values.map((value) => e.keep(value));
  const all = (): void => {
    for (const [index, { kind, offset: more }] of places.entries()) {
      storeScalar(e, kind, { address: at, offset: offset + more }, kept[index]);
    }
  };
  if (valid === null) {
    all();
    return;
  }
  const mask = e.keep(valid);
  e.write(isFour(mask.type) ? allTrue(e, mask) : mask);
  e.open(OP.if, null);
  all();
  if (isFour(mask.type)) {
    e.out.byte(OP.else);
    for (let lane = 0; lane < 4; lane++) {
      e.write(e.x.fours.lane(mask, lane));
      e.open(OP.if, null);
      for (const [index, { kind, offset: more }] of places.entries()) {
        const place = { address: e.x.fours.lane(at, lane), offset: offset + more };
        storeScalar(e, kind, place, e.x.fours.lane(kept[index], lane));
      }
      e.close();
    }
  }
  e.close();
}
