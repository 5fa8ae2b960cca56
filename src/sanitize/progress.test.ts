/** Who waits for whom, and where that hangs: under no model that is told does the dispatch come to its end. */
import { expect, test } from "vitest";
import { sanitize } from "./sanitize.ts";

const LOCKED = `for (var done = false; !done;) {
  if (atomicCompareExchangeWeak(&lock, 0u, 1u).exchanged) { best += i; atomicStore(&lock, 0u); done = true; }
}`;

/** Of the first loop that waits: who ends the wait, and under which model it hangs. */
async function waitIn(body: string, workgroups: number, size = 64): Promise<readonly string[]> {
  const shader = `@group(0) @binding(0) var<storage, read_write> lock: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> best: u32;
@group(0) @binding(2) var<storage, read_write> flag: atomic<u32>;
@compute @workgroup_size(${size})
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) w: vec3u) {
${body}
}`;
  const { findings } = await sanitize({ shader, workgroups: [workgroups] }, { checks: ["progress"] });
  const [{ notes, accesses }] = findings.filter(({ code }) => code === "no-forward-progress");
  const who = accesses.map(({ invocation: { workgroup, localIndex } }) => `${workgroup[0]}:${localIndex}`);
  return [...who, notes.at(-2)!.code];
}

test.each([
  ["one workgroup", 1, 64, ["0:1", "0:0", "hangs-lockstep"]],
  ["two workgroups", 2, 64, ["0:1", "0:0", "hangs-lockstep"]],
  ["many workgroups", 12, 64, ["0:1", "0:0", "hangs-lockstep"]],
  ["an invocation each", 4, 1, ["1:0", "0:0", "hangs-unfair"]],
] as const)("a lock is waited for while another one has it: %s", async (_, workgroups, size, expected) => {
  expect(await waitIn(LOCKED, workgroups, size)).toEqual(expected);
});

test("a lock of two that are in no subgroup together hangs nowhere where each runs to its end", async () => {
  expect(await waitIn(`if (i == 0u || i == 63u) { ${LOCKED} }`, 1)).toEqual(["0:63", "0:0", "hangs-unfair"]);
});

test.each([
  ["a later workgroup", "w.x == 0u", "w.x == 1u", ["0:0", "1:0", "hangs-one-workgroup"]],
  ["an earlier workgroup", "w.x == 1u", "w.x == 0u", ["1:63", "0:63", "hangs-unfair"]],
  ["a later invocation", "i == 0u && w.x == 0u", "i == 60u && w.x == 0u", ["0:0", "0:60", "hangs-one-invocation"]],
  ["an earlier invocation", "i == 60u && w.x == 0u", "i == 0u && w.x == 0u", ["0:60", "0:0", "hangs-one-invocation"]],
  ["one of its subgroup", "i == 3u && w.x == 0u", "i == 0u && w.x == 0u", ["0:3", "0:0", "hangs-lockstep"]],
])("a flag that is set by %s", async (_, waiter, setter, expected) => {
  const body = `if (${waiter}) { while (atomicLoad(&flag) == 0u) {} }\nif (${setter}) { atomicStore(&flag, 1u); }`;
  expect(await waitIn(body, 2)).toEqual(expected);
});

test("all that a count is waited for comes before it", async () => {
  const body = "atomicAdd(&flag, 1u);\nwhile (atomicLoad(&flag) < 128u) {}";
  expect(await waitIn(body, 2)).toEqual(["0:0", "1:63", "hangs-one-workgroup"]);
});
