/** Builtin values of compute shaders. spec: #builtin-inputs-outputs */
import type { FlatProgram } from "./flat.ts";

export type Triple = readonly [number, number, number];

export interface Grid {
  readonly workgroupSize: Triple;
  readonly workgroups: Triple;
  readonly subgroupSize: number;
}

export function product([x, y, z]: Triple): number {
  return x * y * z;
}

/** Position of linear index `index` in a box, x first. */
export function positionAt(index: number, [x, y]: Triple): Triple {
  return [index % x, Math.floor(index / x) % y, Math.floor(index / (x * y))];
}

/** The value for one invocation, component by component. */
function builtinValue(name: string, grid: Grid, local: number, workgroup: number): readonly number[] {
  const { workgroupSize, workgroups, subgroupSize } = grid;
  switch (name) {
    case "local_invocation_id":
      return positionAt(local, workgroupSize);
    case "local_invocation_index":
      return [local];
    case "workgroup_id":
      return positionAt(workgroup, workgroups);
    case "workgroup_index":
      return [workgroup];
    case "num_workgroups":
      return workgroups;
    case "global_invocation_id":
      return globalId(grid, local, workgroup);
    case "global_invocation_index": {
      const [x, y, z] = globalId(grid, local, workgroup);
      const width = workgroupSize[0] * workgroups[0];
      return [x + y * width + z * width * workgroupSize[1] * workgroups[1]];
    }
    case "subgroup_size":
      return [subgroupSize];
    case "subgroup_invocation_id":
      return [local % subgroupSize];
    case "subgroup_id":
      return [Math.floor(local / subgroupSize)];
    case "num_subgroups":
      return [Math.ceil(product(workgroupSize) / subgroupSize)];
    default:
      throw new TypeError(`‘${name}’ is no builtin value of compute shaders`);
  }
}

function globalId({ workgroupSize, workgroups }: Grid, local: number, workgroup: number): Triple {
  const [lx, ly, lz] = positionAt(local, workgroupSize);
  const [wx, wy, wz] = positionAt(workgroup, workgroups);
  return [wx * workgroupSize[0] + lx, wy * workgroupSize[1] + ly, wz * workgroupSize[2] + lz];
}

/** Builtin values that are not the same in every workgroup. */
const OF_WORKGROUP: ReadonlySet<string> = new Set([
  "workgroup_id",
  "workgroup_index",
  "global_invocation_id",
  "global_invocation_index",
]);

/** Writes builtin values into the frames of a workgroup: those that change from workgroup to workgroup, or the others. */
export function writeBuiltins(
  program: FlatProgram,
  frames: Int32Array,
  grid: Grid,
  workgroup: number,
  which: "of workgroup" | "constant",
): void {
  const count = product(grid.workgroupSize);
  for (const { name, slots } of program.builtins) {
    if (OF_WORKGROUP.has(name) !== (which === "of workgroup")) continue;
    for (let local = 0; local < count; local++) {
      const value = builtinValue(name, grid, local, workgroup);
      for (let k = 0; k < slots.length; k++) frames[local * program.frameSize + slots[k]] = value[k];
    }
  }
}
