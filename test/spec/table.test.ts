/**
 * The builtin table against the pinned specification, both ways. Both sides write overloads with variables, each in its
 * own manner; so each overload is written out for all types that it stands for, and the lists of those are compared.
 */
import { expect, test } from "vitest";
import { BUILTIN_NAMES, rowsOf } from "../../src/builtins/resolve.ts";
import type { BuiltinRow } from "../../src/builtins/row.ts";
import { CONSTRUCTORS } from "../../src/builtins/table-constructors.ts";
import { BINARY_OPERATORS, UNARY_OPERATORS } from "../../src/builtins/table-operators.ts";
import pinned from "./builtins.gen.json" with { type: "json" };
import { expand, type Overload, parseRow } from "./overloads.ts";

interface PinnedFunction {
  readonly name: string;
  readonly anchor: string;
  readonly const: boolean;
  readonly mustUse: boolean;
  readonly template: readonly string[] | null;
  readonly params: readonly string[];
  readonly returns: string | null;
  readonly where: Readonly<Record<string, readonly string[]>>;
  readonly conditions: readonly string[];
  readonly stages: readonly string[];
  readonly uniformity: string | null;
  readonly requires: { readonly enable?: string; readonly language?: string } | null;
}

/** What takes any number of arguments is no row with a signature. */
const variadic = new Set(["T", "S", "array"]);

/**
 * deviation: `f32` takes abstract numbers as its siblings do; as written it would convert 4294967295 to i32 first, and
 * refuse it.
 */
function asImplemented(pinnedFunction: PinnedFunction): PinnedFunction {
  if (pinnedFunction.name !== "f32") return pinnedFunction;
  const where = { T: [...pinnedFunction.where.T, "AbstractInt", "AbstractFloat"] };
  return { ...pinnedFunction, where };
}

const functions = (pinned.functions as unknown as PinnedFunction[])
  .filter((pinnedFunction) => !variadic.has(pinnedFunction.name))
  .map(asImplemented);

const rows: readonly BuiltinRow[] = [
  ...BUILTIN_NAMES.flatMap(rowsOf),
  ...CONSTRUCTORS.names.flatMap((name) => CONSTRUCTORS.rows(name)),
];

function pinnedOverload(pinnedFunction: PinnedFunction): Overload {
  return { ...pinnedFunction, template: pinnedFunction.template ?? [] };
}

function sorted(overloads: readonly Overload[]): string[] {
  return [...new Set(overloads.flatMap(expand))].sort();
}

const names = [...new Set(functions.map((pinnedFunction) => pinnedFunction.name))];

test("the same names", () => {
  expect([...new Set(rows.map((row) => row.name))].sort()).toEqual([...names].sort());
});

test.each(names)("%s has the same overloads", (name) => {
  const theirs = functions.filter((pinnedFunction) => pinnedFunction.name === name);
  const ours = rows.filter((row) => row.name === name);
  expect(sorted(ours.map(parseRow))).toEqual(sorted(theirs.map(pinnedOverload)));
});

test.each(names)("%s has the same attributes", (name) => {
  const theirs = functions.filter((pinnedFunction) => pinnedFunction.name === name);
  const ours = rows.filter((row) => row.name === name);
  const attributes = (all: readonly object[]) => [...new Set(all.map((one) => JSON.stringify(one)))].sort();
  expect(attributes(ours.map(attributesOfRow))).toEqual(attributes(theirs.map(attributesOfPinned)));
});

function attributesOfRow(row: BuiltinRow): object {
  const { callSite } = row.uniformity;
  return {
    anchor: row.spec,
    const: row.evaluate !== null,
    mustUse: row.mustUse,
    stages: [...row.stages].sort(),
    uniformity: callSite === "none" ? null : callSite === "error" ? "required" : callSite,
    enable: row.enable,
    language: row.requires,
  };
}

function attributesOfPinned(pinnedFunction: PinnedFunction): object {
  return {
    anchor: `#${pinnedFunction.anchor}`,
    const: pinnedFunction.const,
    mustUse: pinnedFunction.mustUse,
    stages: pinnedFunction.stages,
    uniformity: pinnedFunction.uniformity,
    enable: pinnedFunction.requires?.enable ?? null,
    language: pinnedFunction.requires?.language ?? null,
  };
}

interface PinnedOperator {
  readonly operator: string;
  readonly anchor: string;
  readonly operands: readonly string[];
  readonly returns: string;
  readonly where: Readonly<Record<string, readonly string[]>>;
  readonly conditions: readonly string[];
}

/** Access expressions, `&e` and `*e` are rules about memory views, not rows. */
const operators = (pinned.operators as unknown as PinnedOperator[]).filter(
  ({ operator, anchor }) => operator !== "[]" && !["address-of-expr", "indirection-expr"].includes(anchor),
);

test.each([["unary", 1, UNARY_OPERATORS] as const, ["binary", 2, BINARY_OPERATORS] as const])(
  "the same %s operators",
  (_, arity, section) => {
    const theirs = operators
      .filter(({ operands }) => operands.length === arity)
      .map(
        ({ operator, operands, returns, where, conditions }): Overload => ({
          name: operator,
          template: [],
          params: operands,
          returns,
          where,
          conditions,
        }),
      );
    const ours = (section.names as readonly string[]).flatMap((name) => section.rows(name as never)).map(parseRow);
    expect(sorted(ours)).toEqual(sorted(theirs));
  },
);
