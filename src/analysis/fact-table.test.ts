import { expect, test } from "vitest";
import { scalarValue } from "../builtins/evaluate-parts.ts";
import { Source } from "../text/source.ts";
import { arrayType, F32, I32, typeName, U32 } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import { analyze } from "./analyze.ts";
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

const OF_ONE = ["-2", "vec2f(2)", "vec3f(2)", "vec2i(2)", "vec2(2)", "f32(2)", "u32(2)", "bool(2)", "vec2f(-2)", "~2"];
const OF_TRUTH = ["!true", "u32(true)", "all(vec2(true))", "vec2(true)", "f32(!true)", "vec2f(2.0)", "-2.0", "-(-2)"];

/** The values of constants of one module, as WGSL would write them. */
function valuesOf(initializers: readonly string[]): readonly string[] {
  const text = initializers.map((initializer, index) => `const c${index} = ${initializer};`).join("\n");
  const program = analyze(new Source(text));
  expect(program.diagnostics).toEqual([]);
  return program.module.declarations.map((declaration) => {
    const entity = program.declared[declaration.id];
    return entity?.kind === "value" ? written(entity.value!) : "";
  });
}

function written({ type, value }: ConstValue): string {
  const parts = typeof value === "object" ? value.map(written).join() : String(value);
  return `${typeName(type)}(${parts})`;
}

test("what is applied to a constant gives the same beside all else that is applied to it", () => {
  const all = [...OF_ONE, ...OF_TRUTH];
  const alone = all.flatMap((initializer) => valuesOf([initializer]));
  expect(valuesOf([...all, ...all.toReversed(), ...all])).toEqual([...alone, ...alone.toReversed(), ...alone]);
});

test("a constant that cannot be converted is told at each place", () => {
  const { diagnostics } = analyze(new Source("const a = vec2f(1e40); const b = vec2f(1e40); const c = vec3f(1e40);"));
  expect(diagnostics.map(({ code, span }) => [code, span.start])).toEqual([
    ["evaluation-error", 16],
    ["evaluation-error", 39],
    ["evaluation-error", 62],
  ]);
});
