import { expect, test } from "vitest";
import { Trial } from "./trial.ts";

/** What is chosen in so many dispatches that cost so much. */
function choices(count: number, cost: (alone: boolean) => number): string {
  const trial = new Trial();
  let text = "";
  for (let i = 0; i < count; i++) {
    const { alone } = trial;
    text += alone ? "1" : "n";
    trial.note(alone, cost(alone) * (i + 1), i + 1);
  }
  return text;
}

test("both are tried, then the faster one is kept, whatever the sizes are", () => {
  expect(choices(10, (alone) => (alone ? 1 : 4))).toBe("n1n1n11111");
  expect(choices(10, (alone) => (alone ? 4 : 2))).toBe("n1n1n1nnnn");
});

test("what takes no time tells nothing", () => {
  expect(choices(10, (alone) => (alone ? 0.001 : 0.002))).toBe("nnnnnnnnnn");
});
