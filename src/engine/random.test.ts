import { expect, test } from "vitest";
import { Random } from "./random.ts";

const take = (random: Random, count: number) => Array.from({ length: count }, () => random.next());

test("the same seed gives the same numbers, another seed others", () => {
  expect(take(new Random(7), 20)).toEqual(take(new Random(7), 20));
  expect(take(new Random(7), 20)).not.toEqual(take(new Random(8), 20));
});

test("the state is all there is", () => {
  const random = new Random(3);
  take(random, 5);
  const { state } = random;
  const next = take(random, 5);
  random.state = state;
  expect(take(random, 5)).toEqual(next);
});

test("numbers are spread evenly, over the seeds too", () => {
  const counts = new Array<number>(8).fill(0);
  for (let seed = 0; seed < 1000; seed++) {
    const random = new Random(seed);
    for (let i = 0; i < 8; i++) counts[random.below(8)]++;
  }
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

test("chances are kept", () => {
  const random = new Random(1);
  const hits = Array.from({ length: 10_000 }, () => random.chance(0.3)).filter(Boolean).length;
  expect(hits).toBeGreaterThan(2800);
  expect(hits).toBeLessThan(3200);
  expect(random.chance(0)).toBe(false);
  expect(random.chance(1)).toBe(true);
});
