/** spec: #subgroup-builtin-functions, #quad-builtin-functions */
import type { Uniformity } from "./row.ts";
import { type Entry, section } from "./section.ts";

/** spec: #uniformity-function-calls */
function subgroup(result: "non-uniform" | "subgroup", parameter: number | null = null): Uniformity {
  return { callSite: "subgroup_uniformity", result, parameter };
}

const ANY_NUMERIC = "where S: i32|u32|f32|f16, T: S|vecN<S>";
const INTEGERS = "where S: i32|u32, T: S|vecN<S>";

function entry(name: string, signature: string, uniformity: Uniformity): Entry {
  return { spec: `#${name.toLowerCase()}-builtin`, evaluate: null, overloads: [signature], uniformity };
}

/** Combines the values of all active invocations: the same result for each of them. */
function reduction(name: string, where = ANY_NUMERIC): Entry {
  return entry(name, `(e: T) -> T ${where}`, subgroup("subgroup"));
}

/** A result for each invocation. */
function each(name: string, signature = `(e: T) -> T ${ANY_NUMERIC}`, parameter: number | null = null): Entry {
  return entry(name, signature, subgroup("non-uniform", parameter));
}

/** Reads the value of another invocation, chosen by an index of type i32 or u32. */
const BY_INDEX = "(e: T, id: I) -> T where S: i32|u32|f32|f16, T: S|vecN<S>, I: u32|i32";

export const SUBGROUP = section(
  { mustUse: true, stages: ["compute", "fragment"], enable: "subgroups" },
  {
    subgroupAdd: reduction("subgroupAdd"),
    subgroupExclusiveAdd: each("subgroupExclusiveAdd"),
    subgroupInclusiveAdd: each("subgroupInclusiveAdd"),
    subgroupAll: entry("subgroupAll", "(e: bool) -> bool", subgroup("subgroup")),
    subgroupAnd: reduction("subgroupAnd", INTEGERS),
    subgroupAny: entry("subgroupAny", "(e: bool) -> bool", subgroup("subgroup")),
    subgroupBallot: entry("subgroupBallot", "(pred: bool) -> vec4<u32>", subgroup("subgroup")),
    subgroupBroadcast: entry("subgroupBroadcast", BY_INDEX, subgroup("subgroup")),
    subgroupBroadcastFirst: reduction("subgroupBroadcastFirst"),
    subgroupElect: each("subgroupElect", "() -> bool"),
    subgroupMax: reduction("subgroupMax"),
    subgroupMin: reduction("subgroupMin"),
    subgroupMul: reduction("subgroupMul"),
    subgroupExclusiveMul: each("subgroupExclusiveMul"),
    subgroupInclusiveMul: each("subgroupInclusiveMul"),
    subgroupOr: reduction("subgroupOr", INTEGERS),
    subgroupShuffle: each("subgroupShuffle", BY_INDEX),
    subgroupShuffleDown: each("subgroupShuffleDown", `(e: T, delta: u32) -> T ${ANY_NUMERIC}`, 1),
    subgroupShuffleUp: each("subgroupShuffleUp", `(e: T, delta: u32) -> T ${ANY_NUMERIC}`, 1),
    subgroupShuffleXor: each("subgroupShuffleXor", `(e: T, mask: u32) -> T ${ANY_NUMERIC}`, 1),
    subgroupXor: reduction("subgroupXor", INTEGERS),
    quadBroadcast: each("quadBroadcast", BY_INDEX),
    quadSwapDiagonal: each("quadSwapDiagonal"),
    quadSwapX: each("quadSwapX"),
    quadSwapY: each("quadSwapY"),
  },
);
