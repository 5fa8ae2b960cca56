import { expect, test } from "vitest";
import { constMath } from "./const-math.ts";
import * as math from "./math.ts";

test("constants are computed with the host's functions, and with ours once they are loaded", async () => {
  const names = Object.keys(constMath) as (keyof typeof constMath)[];
  const host = { ...constMath };
  const ours: Readonly<Record<string, (...values: number[]) => number>> = { ...math };
  for (const name of names) {
    const x = name === "acosh" ? 1.5 : 0.5;
    expect(host[name](x, 0.75), name).toBeCloseTo(ours[name](x, 0.75), 14);
    expect(host[name], name).not.toBe(ours[name]);
  }
  await import("./const-math-exact.ts");
  for (const name of names) expect(constMath[name], name).toBe(ours[name]);
});
