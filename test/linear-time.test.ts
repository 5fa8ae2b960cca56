/** No construct makes checking quadratic: sixteen times as much of it never takes twice as many steps for each. */
import { expect, test } from "vitest";
import { check } from "../src/index.ts";
import { MODULES } from "./support/large-modules.ts";
import { stepsOf } from "./support/steps.ts";

const FEW = 250;
const MANY = 4000;

const steps = (text: string): number => stepsOf(() => check(text, { advice: false }));

test.each(Object.keys(MODULES))("%s", (name) => {
  const module = MODULES[name];
  expect(check(module(FEW), { advice: false }).ok).toBe(!name.startsWith("!"));
  const few = steps(module(FEW));
  expect(few).toBeGreaterThan(10 * FEW);
  expect(steps(module(MANY)) / MANY).toBeLessThan((2 * few) / FEW);
});

test("steps are those of the text alone", () => {
  const text = MODULES.statements(FEW);
  // Until nothing is found out for the first time, nor compiled anew.
  for (let run = 0; run < 100; run++) check(text);
  expect(steps(text)).toBe(steps(text));
  const comment = (length: number) => steps(`//${"x".repeat(length)}`);
  expect(comment(2000) - comment(1000)).toBeGreaterThanOrEqual(1000);
});
