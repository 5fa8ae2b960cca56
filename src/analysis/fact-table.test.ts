import { expect, test } from "vitest";
import { scalarValue } from "../builtins/evaluate-parts.ts";
import { arrayType, F32, I32, U32 } from "../types/type.ts";
import { Facts, OVERRIDE } from "./fact-table.ts";
import type { AliasInfo } from "./program.ts";

const MANY = 70_000;

test("a module can have more types, values and declarations than 16 bits can tell apart", () => {
  const facts = new Facts(MANY);
  facts.setTime(0, OVERRIDE);
  const types = Array.from({ length: MANY }, (_, id) => arrayType(F32, id + 1));
  for (const [id, type] of types.entries()) {
    facts.setType(id, type);
    facts.setUsedAs(id, id % 2 === 0 ? I32 : U32);
    facts.setConst(id, scalarValue(F32, id));
    facts.declare(id, { kind: "alias", name: `a${id}` } as AliasInfo);
  }
  const wrong = types.filter(
    (type, id) =>
      facts.typeOf(id) !== type ||
      facts.usedAs(id) !== (id % 2 === 0 ? I32 : U32) ||
      facts.constOf(id)?.value !== id ||
      facts.declared(id)?.name !== `a${id}` ||
      facts.timeOf(id) !== (id === 0 ? "override" : "const"),
  );
  expect(wrong.length).toBe(0);
});
