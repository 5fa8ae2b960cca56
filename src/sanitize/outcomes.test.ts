/** Where the outcome hangs on timing, two orders in which it was not the same are told; where it was, nothing is. */
import { expect, test } from "vitest";
import { sanitize } from "./sanitize.ts";

const HEAD = `@group(0) @binding(0) var<storage, read_write> bins: array<atomic<u32>, 4>;
@group(0) @binding(1) var<storage, read_write> out: array<u32, 64>;
var<workgroup> own: array<atomic<u32>, 4>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
`;

test.each([
  [
    "counts that are cleared meanwhile",
    "if (lane < 4u) { atomicStore(&bins[lane], 0u); } atomicAdd(&bins[(lane + 1u) % 4u], 1u);",
    /^‘bins\[\d\]’ is \d+ with schedule in-order, \d+ with schedule /,
  ],
  [
    "counts of a workgroup that are cleared meanwhile, and handed on",
    "if (lane < 4u) { atomicStore(&own[lane], 0u); } atomicAdd(&own[(lane + 1u) % 4u], 1u); workgroupBarrier();\n" +
      "if (lane < 4u) { out[lane] = atomicLoad(&own[lane]); }",
    /^‘out\[\d\]’ is \d+ with schedule in-order, \d+ with schedule /,
  ],
])("%s", async (_, body, expected) => {
  const { findings } = await sanitize({ shader: `${HEAD}${body}\n}\n`, workgroups: [1] });
  expect(findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual(["warning unordered-atomics"]);
  expect(findings[0].notes.at(-2)!.message).toMatch(expected);
  const mended = body.replace("0u); }", "0u); } workgroupBarrier(); storageBarrier();");
  expect((await sanitize({ shader: `${HEAD}${mended}\n}\n`, workgroups: [1] })).findings).toEqual([]);
});

test("what is the same in all orders is not told", async () => {
  const body = "atomicStore(&bins[0], lane); atomicStore(&bins[0], 9u); atomicStore(&bins[0], 9u);";
  const { findings } = await sanitize({ shader: `${HEAD}${body}\n}\n`, workgroups: [1] }, { scheduleBudget: 0 });
  expect(findings.flatMap(({ notes }) => notes.map(({ code }) => code))).not.toContain("results-differ");
});
