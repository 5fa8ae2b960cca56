import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ATOMICS, OPCODES } from "./opcodes.ts";

const source = readFileSync(new URL("run-invocation.ts", import.meta.url), "utf8");

/** Case labels and the names in the comments behind them. */
function cases(text: string): [number, string][] {
  return [...text.matchAll(/case (\d+):(?: \{\n\s*)? ?\/\/ ([\w-]+)$/gm)].map(([, number, name]) => [
    Number(number),
    name,
  ]);
}

test("the switch of the interpreter has the opcodes by their numbers", () => {
  const [loop] = source.split("function atomicResult");
  expect(cases(loop)).toEqual(OPCODES.map((name, index) => [index, name]));
});

test("atomic functions have their numbers; load and exchange write no combination", () => {
  const [, body] = source.split("function atomicResult");
  const combining = ATOMICS.map((name, index) => [index, name]).filter(
    ([, name]) => name !== "load" && name !== "store" && name !== "exchange",
  );
  expect(cases(body)).toEqual(combining);
});
