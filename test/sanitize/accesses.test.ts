/** The judge of races against all pairs of accesses, each held against each: the same pairs of places, at as many cells. */
import { expect, test } from "vitest";
import { Random } from "../../src/engine/random.ts";
import { type FoundPairs, PairStore } from "../../src/sanitize/pair-store.ts";
import { type Pair, RaceLog } from "../../src/sanitize/race-log.ts";
import { EVERYWHERE, expectedPairs, MAP, type Program, type Recipe, randomAccesses, tell } from "./accesses.ts";

const USUAL: Recipe = {
  sites: 8,
  cells: 2,
  workgroups: 3,
  size: 4,
  accesses: 5,
  barriers: 0,
  values: 3,
  atomic: 1,
  byTheLast: 0,
  reserved: 0,
  isMixedUp: false,
};

const RECIPES: Readonly<Record<string, Partial<Recipe>>> = {
  atomics: {},
  "atomics in any order": { isMixedUp: true },
  "many values": { values: 12, sites: 4, accesses: 8, isMixedUp: true },
  "many values, of few invocations": { values: 12, sites: 3, size: 2, accesses: 12, workgroups: 2 },
  "two values": { values: 2, sites: 5 },
  "one value": { values: 1, sites: 5, workgroups: 2 },
  "few accesses": { accesses: 1, size: 3, cells: 4, sites: 12 },
  "barriers of all kinds": { barriers: 4, accesses: 2 },
  "barriers of all kinds, in any order, many values": {
    barriers: 3,
    accesses: 4,
    values: 9,
    sites: 4,
    isMixedUp: true,
  },
  "who came last": { byTheLast: 0.3, isMixedUp: true },
  "who came last, and barriers": { byTheLast: 0.3, barriers: 3, accesses: 3, isMixedUp: true, values: 8 },
  plain: { atomic: 0, sites: 10 },
  "plain, one value": { atomic: 0, sites: 5, values: 1, accesses: 2 },
  "plain, with barriers": { atomic: 0, barriers: 3, accesses: 3 },
  "plain and atomic": { atomic: 0.6, isMixedUp: true },
  "plain and atomic, one value": { atomic: 0.5, values: 1, sites: 5, accesses: 2 },
  "plain and atomic, with barriers and whoever came last": {
    atomic: 0.6,
    barriers: 3,
    values: 6,
    byTheLast: 0.2,
    isMixedUp: true,
  },
  "many places": { sites: 150, accesses: 30, cells: 1 },
};

function found(program: Program, store = new PairStore()): FoundPairs {
  const log = new RaceLog(MAP, EVERYWHERE, program.uses, program.reservations, store);
  tell(log, program);
  log.finish();
  return store.finish();
}

function nameOf({ kind, sameValue, first, second }: Pair): string {
  const [low, high] = [first.site.id, second.site.id].sort((a, b) => a - b);
  return `${kind} ${low} ${high}${sameValue ? " same" : ""}`;
}

const countsOf = (pairs: readonly Pair[]) => new Map(pairs.map((pair) => [nameOf(pair), pair.count]));

test.each(Object.keys(RECIPES))("%s", (name) => {
  const recipe = { ...USUAL, ...RECIPES[name] };
  let met = 0;
  for (let seed = 1; seed <= (recipe.sites > 100 ? 8 : 150); seed++) {
    const program = randomAccesses(new Random(seed), recipe);
    const expected = expectedPairs(program);
    const { pairs, more } = found(program);
    expect(countsOf(pairs), `seed ${seed}`).toEqual(new Map([...expected].map(([key, { count }]) => [key, count])));
    expect(more).toEqual({ races: 0, timing: 0 });
    for (const pair of pairs) {
      // They are told by the first access that met another one, and one of those before it.
      const [earlier, later] = [pair.first, pair.second].map(({ workgroupId }) => workgroupId[0]).sort((a, b) => a - b);
      const { firsts } = expected.get(nameOf(pair))!;
      expect([firsts.get(earlier), firsts.get(later)], `seed ${seed}`).toEqual([later, later]);
    }
    met += pairs.length;
  }
  expect(met).toBeGreaterThan(100);
});

const places = (pairs: readonly Pair[], code: (pair: Pair) => string) =>
  new Set(pairs.flatMap((pair) => [pair.first, pair.second].map(({ site }) => `${code(pair)} ${site.id}`)));
const isTold = ({ kind }: Pair) => (kind.startsWith("timing") ? kind : "error");

test.each(Object.keys(RECIPES))("%s: of more than are kept each place is told, and all are counted", (name) => {
  const recipe = { ...USUAL, ...RECIPES[name] };
  for (let seed = 201; seed <= (recipe.sites > 100 ? 204 : 240); seed++) {
    const program = randomAccesses(new Random(seed), recipe);
    const all = found(program).pairs;
    const counts = countsOf(all);
    for (const most of [1, 4, 12]) {
      const { pairs, more } = found(program, new PairStore(undefined, most));
      expect(
        pairs.filter((pair) => counts.get(nameOf(pair)) !== pair.count),
        `seed ${seed}`,
      ).toEqual([]);
      expect(places(pairs, isTold)).toEqual(places(all, isTold));
      const spots = (of: readonly Pair[]) => new Set(of.map((pair) => nameOf(pair).replace(" same", ""))).size;
      expect(spots(pairs) + more.races + more.timing).toBe(spots(all));
    }
  }
});
