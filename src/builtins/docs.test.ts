import { expect, test } from "vitest";
import { returnsOf } from "./docs.ts";
import { BUILTIN_NAMES, rowsOf } from "./table.ts";

test("every atomic function says what it returns, and only one returns nothing", () => {
  const atomics = BUILTIN_NAMES.filter((name) => name.startsWith("atomic"));
  expect(atomics).toHaveLength(11);
  for (const name of atomics) {
    const returnsNothing = !rowsOf(name)[0].signature.includes("->");
    expect(returnsOf(name) === "nothing", name).toBe(returnsNothing);
    expect(returnsOf(name)).not.toBeNull();
  }
});

test("all that change a value return the old one", () => {
  const modifying = ["Add", "Sub", "Max", "Min", "And", "Or", "Xor", "Exchange"].map((name) => `atomic${name}`);
  for (const name of modifying) expect(returnsOf(name)).toMatch(/^the old value/);
});

test("where the type says it all there is nothing to add", () => {
  expect(returnsOf("sqrt")).toBeNull();
  expect(returnsOf("toString")).toBeNull();
});
