/** No construct makes checking quadratic: sixteen times as much of it never takes eight times as long for each. */
import { expect, test } from "vitest";
import { check } from "../src/index.ts";
import { MODULES } from "./support/large-modules.ts";

function microseconds(text: string): number {
  const before = process.cpuUsage();
  check(text, { advice: false });
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const least = (text: string): number => Math.min(...Array.from({ length: 2 }, () => microseconds(text)));

const FEW = 500;
const MANY = 8000;

test.each(Object.keys(MODULES))("%s", (name) => {
  const module = MODULES[name];
  expect(check(module(FEW), { advice: false }).ok).toBe(!name.startsWith("!"));
  expect(least(module(MANY)) / MANY).toBeLessThan((8 * least(module(FEW))) / FEW);
});
