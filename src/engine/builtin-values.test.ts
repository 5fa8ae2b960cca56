import { expect, test } from "vitest";
import { runText } from "../../test/support/engine.ts";

/** All invocations of a dispatch of 2 × 2 × 1 workgroups of 2 × 3 × 2: workgroup after workgroup, x first. */
const everyone = [0, 1, 2, 3].flatMap((group) =>
  Array.from({ length: 12 }, (_, lane) => ({
    lane,
    group,
    groupId: [group % 2, group >> 1, 0],
    localId: [lane % 2, Math.floor(lane / 2) % 3, Math.floor(lane / 6)],
  })),
);
type Who = (typeof everyone)[number];
const globalId = ({ groupId, localId }: Who) => [2, 3, 2].map((size, axis) => groupId[axis] * size + localId[axis]);
const splat = (value: number) => [value, value, value];

const expected: Record<string, (who: Who) => number[]> = {
  local_invocation_id: ({ localId }) => localId,
  local_invocation_index: ({ lane }) => splat(lane),
  workgroup_id: ({ groupId }) => groupId,
  num_workgroups: () => [2, 2, 1],
  global_invocation_id: globalId,
  global_invocation_index: (who) => {
    const [x, y, z] = globalId(who);
    return splat(x + 4 * y + 24 * z);
  },
  workgroup_index: ({ group }) => splat(group),
  subgroup_invocation_id: ({ lane }) => splat(lane % 8),
  subgroup_size: () => splat(8),
  subgroup_id: ({ lane }) => splat(lane >> 3),
  num_subgroups: () => splat(2),
};

const isVector = (name: string) => /_id$|num_workgroups/.test(name) && !name.startsWith("subgroup");
const names = Object.keys(expected);

const bench = runText(
  `enable subgroups;
   @group(0) @binding(0) var<storage, read_write> out: array<array<vec3u, ${names.length}>, 48>;
   @compute @workgroup_size(2, 3, 2) fn main(
     ${names.map((name) => `@builtin(${name}) ${name}: ${isVector(name) ? "vec3u" : "u32"},`).join("\n")}
   ) {
     let index = workgroup_id.x + num_workgroups.x * (workgroup_id.y + num_workgroups.y * workgroup_id.z);
     let row = &out[index * 12 + local_invocation_index];
     ${names.map((name, place) => `row[${place}] = vec3u(${name});`).join("\n")}
   }`,
  {},
  { workgroups: [2, 2, 1], subgroupSize: 8 },
);

test.each(names.map((name, place) => [name, place] as const))("%s", (name, place) => {
  const words = bench.u32("out");
  const rows = everyone.map((_, invocation) => {
    const start = 4 * (invocation * names.length + place);
    return words.slice(start, start + 3);
  });
  expect(rows).toEqual(everyone.map(expected[name]));
});
