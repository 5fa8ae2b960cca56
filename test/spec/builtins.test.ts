/** Our table of builtins against the tables of the specification, overload by overload. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { BuiltinRow } from "../../src/builtins/row.ts";
import { BUILTIN_NAMES, rowsOf } from "../../src/builtins/table.ts";
import { CONSTRUCTORS } from "../../src/builtins/table-constructors.ts";
import { BINARY_OPERATORS, UNARY_OPERATORS } from "../../src/builtins/table-operators.ts";
import { groundOverloads, type Parameterized, readSignature } from "./ground.ts";

interface PinnedFunction extends Parameterized {
  readonly anchor: string;
  readonly const: boolean;
  readonly mustUse: boolean;
  readonly stages: readonly string[];
  readonly uniformity: string | null;
  readonly requires: { readonly enable?: string; readonly language?: string } | null;
}

interface PinnedOperator extends Parameterized {
  readonly operator: string;
  readonly operands: readonly string[];
  readonly anchor: string;
}

const pinned = JSON.parse(readFileSync(new URL("./builtins.gen.json", import.meta.url), "utf8")) as {
  readonly functions: readonly PinnedFunction[];
  readonly operators: readonly PinnedOperator[];
};

const constructors = new Set(CONSTRUCTORS.names as readonly string[]);

/** Constructors that take any number of arguments are no rows of the table. */
const variadic = new Set(["T", "S", "array"]);
const functions = pinned.functions.filter((row) => !constructors.has(row.name) && !variadic.has(row.name));
const names = [...new Set(functions.map((row) => row.name))];

function overloads(signatures: readonly Parameterized[]): string[] {
  return [...new Set(signatures.flatMap(groundOverloads))].sort();
}

function ours(rows: readonly BuiltinRow[]): string[] {
  return overloads(rows.map((row) => readSignature(row.signature)));
}

/** Overloads that we have beyond those of the specification; the reason stands at their rows. */
const beyond: Readonly<Record<string, RegExp>> = { ldexp: /^ldexp\(.*AbstractFloat.*i32/ };

test("the names of the functions are those of the specification", () => {
  expect([...BUILTIN_NAMES].sort()).toEqual([...names].sort());
});

describe.each(names)("%s", (name) => {
  const theirs = functions.filter((row) => row.name === name);
  const rows = (BUILTIN_NAMES as readonly string[]).includes(name)
    ? rowsOf(name as (typeof BUILTIN_NAMES)[number])
    : [];

  test("overloads", () => {
    const standard = ours(rows).filter((overload) => !beyond[name]?.test(overload));
    expect(standard).toEqual(overloads(theirs));
  });

  test("attributes", () => {
    const uniformity = { null: "none", required: "error" } as Readonly<Record<string, string>>;
    const unique = (values: readonly unknown[]) => [...new Set(values.map((value) => JSON.stringify(value)))].sort();
    const stages = (list: readonly string[]) => [...list].sort();
    expect(
      unique(
        rows.map((row) => ({
          anchor: row.spec,
          mustUse: row.mustUse,
          stages: stages(row.stages),
          callSite: row.uniformity.callSite,
          enable: row.enable,
          requires: row.requires,
        })),
      ),
    ).toEqual(
      unique(
        theirs.map((row) => ({
          anchor: `#${row.anchor}`,
          mustUse: row.mustUse,
          stages: stages(row.stages),
          callSite: uniformity[String(row.uniformity)] ?? row.uniformity,
          enable: row.requires?.enable ?? null,
          requires: row.requires?.language ?? null,
        })),
      ),
    );
  });

  test("@const", () => {
    expect(new Set(rows.map((row) => row.evaluate !== null))).toEqual(new Set(theirs.map((row) => row.const)));
  });
});

describe("constructors", () => {
  /**
   * deviation: `f32` takes abstract numbers, as its siblings do. As written, 4294967295 would be converted to i32 first,
   * and refused.
   */
  const deviating = (row: PinnedFunction): PinnedFunction =>
    row.name === "f32" ? { ...row, where: { T: [...row.where.T, "AbstractInt", "AbstractFloat"] } } : row;

  test.each(CONSTRUCTORS.names)("%s", (name) => {
    const theirs = pinned.functions.filter((row) => row.name === name).map(deviating);
    expect(ours(CONSTRUCTORS.rows(name))).toEqual(overloads(theirs));
  });
});

describe("operators", () => {
  // Indexing, address-of and indirection are expressions with rules of their own.
  const theirs = pinned.operators
    .filter((row) => row.operator !== "[]" && !/address-of|indirection/.test(row.anchor))
    .map((row) => ({ ...row, name: row.operator, template: null, params: row.operands }));
  const unary = theirs.filter((row) => row.params.length === 1);
  const binary = theirs.filter((row) => row.params.length === 2);

  test.each([
    ["unary", unary, UNARY_OPERATORS],
    ["binary", binary, BINARY_OPERATORS],
  ] as const)("%s", (_, rows, section) => {
    const names = [...new Set(rows.map((row) => row.name))].sort();
    expect([...section.names].sort()).toEqual(names);
    for (const name of names) {
      const own = (section.rows as (name: string) => readonly BuiltinRow[])(name);
      expect(ours(own)).toEqual(overloads(rows.filter((row) => row.name === name)));
    }
  });
});
