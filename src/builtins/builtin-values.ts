/** spec: #builtin-inputs-outputs */
import type { Type } from "../types/type.ts";
import { BOOL, F32, U32, vectorType } from "../types/type.ts";
import type { Stage } from "./row.ts";

/** One use of a built-in value: some have more than one. */
export interface BuiltinValue {
  readonly name: string;
  readonly stage: Stage;
  readonly direction: "input" | "output";
  /** null: `clip_distances`, an array of up to eight f32. */
  readonly type: Type | null;
  /** Enable-extension that it needs, or null. */
  readonly enable: string | null;
  /** Language extension that it needs, or null. */
  readonly requires: string | null;
  /** The same for all invocations: of the workgroup, of the subgroup, or not. spec: #uniformity-expressions */
  readonly uniform: "workgroup" | "subgroup" | "none";
}

type Needs = Partial<Pick<BuiltinValue, "enable" | "requires" | "uniform">>;

function input(name: string, stage: Stage, type: Type, needs: Needs = {}): BuiltinValue {
  return { name, stage, direction: "input", type, enable: null, requires: null, uniform: "none", ...needs };
}

function output(name: string, stage: Stage, type: Type | null, needs: Needs = {}): BuiltinValue {
  return { name, stage, direction: "output", type, enable: null, requires: null, uniform: "none", ...needs };
}

const VEC3U = vectorType(3, U32);
const VEC4F = vectorType(4, F32);
const LINEAR: Needs = { requires: "linear_indexing" };
const SUBGROUPS: Needs = { enable: "subgroups" };
const SUBGROUP_ID: Needs = { enable: "subgroups", requires: "subgroup_id" };

/** In the order of the specification. */
export const BUILTIN_VALUES: readonly BuiltinValue[] = [
  input("vertex_index", "vertex", U32),
  input("instance_index", "vertex", U32),
  output("clip_distances", "vertex", null, { enable: "clip_distances" }),
  output("position", "vertex", VEC4F),
  input("position", "fragment", VEC4F),
  input("front_facing", "fragment", BOOL),
  output("frag_depth", "fragment", F32),
  input("primitive_index", "fragment", U32, { enable: "primitive_index" }),
  input("sample_index", "fragment", U32),
  input("sample_mask", "fragment", U32),
  output("sample_mask", "fragment", U32),
  input("local_invocation_id", "compute", VEC3U),
  input("local_invocation_index", "compute", U32),
  input("global_invocation_id", "compute", VEC3U),
  input("global_invocation_index", "compute", U32, LINEAR),
  input("workgroup_id", "compute", VEC3U, { uniform: "workgroup" }),
  input("workgroup_index", "compute", U32, LINEAR),
  input("num_workgroups", "compute", VEC3U, { uniform: "workgroup" }),
  input("subgroup_invocation_id", "compute", U32, SUBGROUPS),
  input("subgroup_invocation_id", "fragment", U32, SUBGROUPS),
  input("subgroup_size", "compute", U32, { ...SUBGROUPS, uniform: "workgroup" }),
  input("subgroup_size", "fragment", U32, SUBGROUPS),
  input("subgroup_id", "compute", U32, { ...SUBGROUP_ID, uniform: "subgroup" }),
  input("num_subgroups", "compute", U32, { ...SUBGROUP_ID, uniform: "workgroup" }),
];

export const BUILTIN_VALUE_NAMES: readonly string[] = [...new Set(BUILTIN_VALUES.map((value) => value.name))];

const USES: ReadonlyMap<string, readonly BuiltinValue[]> = new Map(
  BUILTIN_VALUE_NAMES.map((name) => [name, BUILTIN_VALUES.filter((value) => value.name === name)]),
);
const NO_USES: readonly BuiltinValue[] = [];

/** All uses of a built-in value; none: there is no such value. */
export function builtinValues(name: string): readonly BuiltinValue[] {
  return USES.get(name) ?? NO_USES;
}
