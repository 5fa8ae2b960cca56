/** How the files of the table write their rows. */
import { hasConstChecks, judgedArguments } from "./const-checks.ts";
import type { BuiltinRow, Evaluate, MemoryEffect, Stage, Uniformity } from "./row.ts";

export const ALL_STAGES: readonly Stage[] = ["compute", "vertex", "fragment"];

/** spec: #uniformity-function-calls: what most builtin functions have. */
export const NO_RESTRICTION: Uniformity = { callSite: "none", result: "arguments", parameter: null };

/** Attributes of all overloads of a name, or of all names of a section. What is not given has the commonest value. */
export interface Attributes {
  readonly stages?: readonly Stage[];
  readonly mustUse?: boolean;
  readonly enable?: string;
  readonly requires?: string;
  readonly uniformity?: Uniformity;
  readonly memory?: MemoryEffect;
}

/** One overload: `(e: T) -> T where T: f32|f16`, alone or with attributes of its own. */
export type Overload = string | ({ readonly signature: string; readonly spec?: string } & Attributes);

export interface Entry extends Attributes {
  readonly spec: string;
  /** null: runtime only. */
  readonly evaluate: Evaluate | null;
  readonly overloads: readonly Overload[];
}

/** The overloads of some names, as rows that are made when they are first asked for. */
export interface Section<Name extends string = string> {
  readonly names: readonly Name[];
  rows(name: Name): readonly BuiltinRow[];
}

export function section<Name extends string>(
  attributes: Attributes,
  entries: Readonly<Record<Name, Entry>>,
): Section<Name> {
  const made = new Map<Name, readonly BuiltinRow[]>();
  return {
    names: Object.keys(entries) as Name[],
    rows(name) {
      let rows = made.get(name);
      if (rows === undefined) {
        const entry = entries[name];
        made.set(name, (rows = entry.overloads.map((overload) => row(name, attributes, entry, overload))));
      }
      return rows;
    },
  };
}

function row(name: string, attributes: Attributes, entry: Entry, overload: Overload): BuiltinRow {
  const own = typeof overload === "string" ? { signature: overload } : overload;
  const all: Attributes & { readonly spec: string } = { ...attributes, ...entry, ...own };
  const { stages = ALL_STAGES, enable = null, requires = null, uniformity = NO_RESTRICTION } = all;
  const isChecked = hasConstChecks(name, own.signature);
  const isEverywhere = stages.length === ALL_STAGES.length && uniformity.callSite === "none";
  return {
    name,
    signature: `${/^\w/.test(name) ? "fn " : "operator "}${name}${own.signature}`,
    evaluate: entry.evaluate,
    stages,
    mustUse: all.mustUse ?? false,
    enable,
    requires,
    uniformity,
    memory: all.memory ?? "none",
    isChecked,
    judged: judgedArguments(name),
    isRestricted: isChecked || !isEverywhere || enable !== null || requires !== null,
    spec: all.spec,
  };
}

/** How the specification abbreviates parameterizations. */
export const ALL_FLOATING = "where S: AbstractFloat|f32|f16, T: S|vecN<S>";
export const ALL_NUMERIC = "where S: AbstractInt|AbstractFloat|i32|u32|f32|f16, T: S|vecN<S>";
export const ALL_SIGNED_NUMERIC = "where S: AbstractInt|AbstractFloat|i32|f32|f16, T: S|vecN<S>";
export const ALL_INTEGRAL = "where S: AbstractInt|i32|u32, T: S|vecN<S>";
export const INTEGRAL = "where S: i32|u32, T: S|vecN<S>";
export const FLOAT_SCALAR = "where T: AbstractFloat|f32|f16";
