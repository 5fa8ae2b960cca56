/** Random calls of everything that can be const-evaluated, with our result of each. */

import { BUILTIN_NAMES, rowsOf } from "../../src/builtins/resolve.ts";
import type { BuiltinRow, EvaluationResult } from "../../src/builtins/row.ts";
import { CONSTRUCTORS } from "../../src/builtins/table-constructors.ts";
import { BINARY_OPERATORS, UNARY_OPERATORS } from "../../src/builtins/table-operators.ts";
import { frexpResultType, modfResultType } from "../../src/types/result-types.ts";
import type { ScalarType, Type, VectorType } from "../../src/types/type.ts";
import type { ConstValue } from "../../src/types/value.ts";
import { groundOverloads, readSignature } from "../spec/ground.ts";
import { parseType, randomValue, written } from "./values.ts";

export interface Trial {
  readonly row: BuiltinRow;
  readonly expression: string;
  readonly result: EvaluationResult;
}

const operatorRows = [
  ...UNARY_OPERATORS.names.flatMap((name) => UNARY_OPERATORS.rows(name)),
  ...BINARY_OPERATORS.names.flatMap((name) => BINARY_OPERATORS.rows(name)),
];

const rows: readonly BuiltinRow[] = [
  ...BUILTIN_NAMES.flatMap(rowsOf),
  ...CONSTRUCTORS.names.flatMap((name) => CONSTRUCTORS.rows(name)),
  ...operatorRows,
].filter((row) => row.evaluate !== null);

/** One concrete overload: types instead of variables. */
interface Concrete {
  readonly row: BuiltinRow;
  readonly template: string | null;
  readonly params: readonly Type[];
  readonly result: Type;
}

function concrete(row: BuiltinRow): Concrete[] {
  return groundOverloads(readSignature(row.signature)).map((text) => {
    const [, template = null, params, result] = /^[^<(]*?(?:<(.*?)>)?\((.*)\) -> (.*)$/.exec(
      text.slice(row.name.length),
    )!;
    const types = params === "" ? [] : splitParams(params).map(parseType);
    return { row, template, params: types, result: resultType(result, types) };
  });
}

function splitParams(text: string): string[] {
  return text.split(/, (?![^<]*>)/);
}

function resultType(text: string, [first]: readonly Type[]): Type {
  if (text.startsWith("__frexp")) return frexpResultType(first as ScalarType | VectorType);
  if (text.startsWith("__modf")) return modfResultType(first as ScalarType | VectorType);
  return parseType(text);
}

/** Abstract types have no name in a template list. */
const all = rows.flatMap(concrete).filter(({ template }) => !template?.includes("Abstract"));

/** `count` trials of each name that passes the filter, spread over its overloads. */
export function trials(filter: (row: BuiltinRow) => boolean, count: number, random: () => number): Trial[] {
  const byName = new Map<string, Concrete[]>();
  for (const one of all.filter(({ row }) => filter(row))) {
    const key = `${one.row.name}/${one.params.length === 1 ? 1 : 2}`;
    byName.set(key, [...(byName.get(key) ?? []), one]);
  }
  return [...byName.values()].flatMap((overloads) =>
    Array.from({ length: count }, () => trial(overloads[Math.floor(random() * overloads.length)], random)),
  );
}

function trial({ row, template, params, result }: Concrete, random: () => number): Trial {
  const args = params.map((type) => randomValue(type, random));
  return { row, expression: expressionOf(row, template, args), result: row.evaluate!(args, result) };
}

function expressionOf(row: BuiltinRow, template: string | null, args: readonly ConstValue[]): string {
  const texts = args.map(written);
  if (!operatorRows.includes(row)) return `${row.name}${template === null ? "" : `<${template}>`}(${texts.join(", ")})`;
  return texts.length === 1 ? `${row.name}${texts[0]}` : `${texts[0]} ${row.name} ${texts[1]}`;
}
