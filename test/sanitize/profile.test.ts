import { describe, expect, test } from "vitest";
import type { Launch } from "../../src/launch/launch.ts";
import { type DispatchProfile, type ProfiledPlace, profile } from "../../src/sanitize/profile.ts";
import { profileResultToJson } from "../../src/sanitize/result-json.ts";
import { read } from "../house/tree.ts";

async function profiled(shader: string, launch: Partial<Launch> = {}): Promise<DispatchProfile> {
  const { profile: profiles } = await profile({ shader, workgroups: [1], ...launch });
  expect(profiles).toHaveLength(1);
  return profiles[0];
}

function atomics({ places }: DispatchProfile, atomic: string, variable: string): ProfiledPlace {
  return places.find((place) => place.atomic === atomic && place.variable === variable)!;
}

test("the two-level histogram of a million values", async () => {
  const shader = read("examples/two-level-histogram.wgsl");
  const values = "random:1048576:seed=11";
  const found = await profiled(shader, { workgroups: [256], buffers: { values } });
  const local = atomics(found, "atomicAdd", "own_bins");
  const global = atomics(found, "atomicAdd", "bins");
  expect(local.operations).toBe(2 ** 20);
  expect(global.operations).toBeLessThanOrEqual(65_536);
  expect(local).toMatchObject({ space: "workgroup", invocations: 65_536, addresses: 256, segments: null });
  // Neighbours read neighbouring values: that is what the stride is for.
  const reads = found.places.find(({ variable }) => variable === "values")!;
  expect(reads.segments).toMatchObject({ each: 1, least: 1 });
  expect(found.memory.find(({ variable }) => variable === "values")).toMatchObject({ bytesRead: 4 * 2 ** 20 });
}, 60_000);

describe("a histogram with one level", () => {
  const shader = read("examples/histogram.wgsl");

  test("what it would cost with two", async () => {
    const found = await profiled(shader, { workgroups: [16], buffers: { values: "random:1000:seed=7" } });
    expect(found.twoLevel).toEqual([{ variable: "bins", now: 1000, local: 1000, global: 250 }]);
    expect(found.addresses[0]).toMatchObject({ path: "bins[3]", operations: 74, invocations: 74, share: 0.074 });
  });

  test("one bin that takes all is told of", async () => {
    const launch = { shader, workgroups: [16], buffers: { values: "fill:5:1000" } };
    const { findings } = await profile(launch);
    expect(findings.map(({ code, severity, resource }) => [code, severity, resource?.path])).toEqual([
      ["contention", "info", "bins[5]"],
    ]);
    expect((await profile(launch, { contention: { operations: 2000 } })).findings).toEqual([]);
  });
});

test("adding nothing is counted: empty bins of skewed data", async () => {
  const shader = read("examples/two-level-histogram.wgsl").replace("if (count > 0u) {", "if (true) {");
  const unchanged = async (values: string) => {
    const found = await profiled(shader, { workgroups: [4], buffers: { values } });
    const { operations, unchanged } = atomics(found, "atomicAdd", "bins");
    return unchanged! / operations;
  };
  expect(await unchanged("random:8192:seed=1")).toBeLessThan(0.02);
  expect(await unchanged("random:8192:seed=1:zipf=2:max=255")).toBeGreaterThan(0.4);
});

test("a stride of its own for each invocation touches many segments", async () => {
  const shader = `@group(0) @binding(0) var<storage, read_write> a: array<u32, 2048>;
    @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) lane: u32) {
      for (var k = 0u; k < 64u; k++) { a[lane * 64u + k] = k; }
      for (var k = 0u; k < 64u; k++) { a[k * 32u + lane] = k; }
    }`;
  const { places } = await profiled(shader);
  expect(places.map(({ segments }) => segments)).toEqual([
    { groups: 64, total: 2048, each: 32, least: 1 },
    { groups: 64, total: 64, each: 1, least: 1 },
  ]);
});

test("retries show when all take turns", async () => {
  const shader = read("examples/float-sum.wgsl");
  const { profile: profiles } = await profile({
    shader,
    steps: [{ entry: "add_all", workgroups: [1] }],
    buffers: { values: "iota:64" },
  });
  const place = atomics(profiles[0], "atomicCompareExchangeWeak", "total_bits");
  expect(place.operations).toBe(64);
  expect(place.interleaved!.retries).toBeGreaterThan(500);
});

test("repetitions are added up; the JSON has places", async () => {
  const shader = `@group(0) @binding(0) var<storage, read_write> n: atomic<u32>;
    @compute @workgroup_size(4) fn main() { atomicAdd(&n, 1u); }`;
  const result = await profile({ shader, steps: [{ entry: "main", workgroups: [2], repeat: 3 }] });
  const [step] = profileResultToJson(result).profile;
  expect(step).toMatchObject({ entry: "main", dispatches: 3, workgroups: 6, invocations: 24 });
  expect(step.places).toMatchObject([{ path: "shader.wgsl", start: { line: 2 }, operations: 24, invocations: 8 }]);
  expect(result.buffers.n.values).toBe(24);
});

test("advice about an address: what came of its operations, and what to do", async () => {
  const shader = `@group(0) @binding(0) var<storage, read_write> top: atomic<u32>;
    @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { atomicMax(&top, 5u + i * 0u); }`;
  const notes = async (text: string) => {
    const { findings } = await profile({ shader: text, workgroups: [16] });
    return findings.flatMap((finding) => finding.notes.map(({ message }) => message));
  };
  const twoLevel = (name: string, local = name) =>
    `gather by ${local} in workgroup memory first, then let one invocation of each workgroup do this ${name} once`;
  expect(await notes(shader)).toEqual([
    "1023 of 1024 operations here changed nothing",
    "look first whether there is anything to change, and leave the atomic function out if not",
    twoLevel("atomicMax"),
  ]);
  for (const name of ["atomicAdd", "atomicXor"])
    expect(await notes(shader.replace("atomicMax", name))).toEqual([twoLevel(name)]);
  expect(await notes(shader.replace("atomicMax", "atomicSub"))).toEqual([twoLevel("atomicSub", "atomicAdd")]);
  const oneForAll = (name: string) => `let one invocation of each workgroup do this ${name} for all of them`;
  expect((await notes(shader.replace("atomicMax", "atomicExchange"))).at(-1)).toBe(oneForAll("atomicExchange"));
  // Who was the first is not known of what was gathered, how many came before is.
  const asked = (name: string) => shader.replace(/atomicMax(.*);/, `if (${name}$1 == 0u) { return; };`);
  expect((await notes(asked("atomicOr"))).at(-1)).toBe(oneForAll("atomicOr"));
  expect((await notes(asked("atomicAdd"))).at(-1)).toBe(twoLevel("atomicAdd"));
});
