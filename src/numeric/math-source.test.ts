import { expect, test } from "vitest";
import { printMathFunctions } from "./math-source.ts";

test("the printed functions are those of the table", async () => {
  await expect(printMathFunctions()).toMatchFileSnapshot("math.gen.ts");
});
