import fc from "fast-check";
import { expect, test } from "vitest";
import { type NumberSet, NumberSets } from "./number-sets.ts";

const LIMIT = 21;

function numbersIn(sets: NumberSets, set: NumberSet | null): number[] {
  return Array.from({ length: LIMIT }, (_, n) => n).filter((n) => sets.union(set, sets.single(n)) === set);
}

test("they are sets: whatever is united in whatever order, equal ones are one object", () => {
  const numbers = fc.array(fc.integer({ min: 0, max: LIMIT - 1 }));
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const sets = new NumberSets(LIMIT);
      const setOf = (all: readonly number[]) =>
        all.reduce<NumberSet | null>((set, n) => sets.union(set, sets.single(n)), null);
      const both = sets.union(setOf(a), setOf(b));
      expect(numbersIn(sets, both)).toEqual([...new Set([...a, ...b])].sort((x, y) => x - y));
      expect(both).toBe(setOf([...b, ...a].reverse()));
      const parts = both === null ? [] : sets.partsOf([both]);
      expect(parts.at(-1)?.length ?? 0).toBe(new Set([...a, ...b]).size);
    }),
  );
});

test("of very many that grow one by one, almost all is shared", () => {
  const count = 16_384;
  const sets = new NumberSets(count);
  const all: NumberSet[] = [];
  for (let n = 0; n < count; n++) all.push(sets.union(all.at(-1) ?? null, sets.single(n))!);
  const parts = sets.partsOf(all).reduce((sum, level) => sum + level.length, 0);
  expect(parts).toBeLessThan(17 * count);
});
