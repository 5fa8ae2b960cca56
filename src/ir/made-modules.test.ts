import { expect, test } from "vitest";
import { lowerText } from "../../test/support/ir.ts";
import type { IrModule } from "./ir.ts";
import { MadeModules } from "./made-modules.ts";

const program = () => lowerText("@compute @workgroup_size(1) fn main() {}");

/** A module that says it has so many instructions. */
function large(module: IrModule, instructionCount: number): { readonly module: IrModule } {
  return { module: { ...module, functions: module.functions.map((fn) => ({ ...fn, instructionCount })) } };
}

test("of the same module and key the same is given, of others something else", () => {
  const made = new MadeModules<{ readonly module: IrModule }>();
  const [one, other] = [program(), program()];
  const get = (module: IrModule, key: string) => made.get(module, key, () => ({ module }));
  const first = get(one, "a");
  expect(get(one, "a")).toBe(first);
  expect(get(one, "b")).not.toBe(first);
  expect(get(other, "a")).not.toBe(first);
  expect(get(one, "a")).toBe(first);
});

test("what is large is the same as long as somebody has it", () => {
  const made = new MadeModules<{ readonly module: IrModule }>();
  const module = program();
  const first = made.get(module, "0", () => large(module, 2 ** 20));
  for (let i = 1; i < 20; i++) made.get(module, String(i), () => large(module, 2 ** 20));
  expect(made.get(module, "0", () => large(module, 1))).toBe(first);
});

test("what cannot be made is asked for again", () => {
  const made = new MadeModules<{ readonly module: IrModule }>();
  const module = program();
  let asked = 0;
  const refuse = () => {
    asked++;
    return null;
  };
  expect([made.get(module, "", refuse), made.get(module, "", refuse), asked]).toEqual([null, null, 2]);
});
