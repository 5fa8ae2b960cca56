import { describe, expect, test } from "vitest";
import { Bench, type Buffers, type RunOptions } from "../../test/support/engine.ts";
import type { AccessEvent } from "./observer.ts";

/** Every access as a line: kind, variable, place, values, invocation, phases, the source text that makes it. */
function accesses(source: string, buffers: Buffers = {}, options: RunOptions = {}): string[] {
  const bench = new Bench(source, buffers, options);
  const lines: string[] = [];
  const access = (event: AccessEvent) => {
    const { site, workgroup, localIndex, offset, inBounds, before, after, fault } = event;
    const count = site.shape.offsets.length;
    const name = site.root === null ? site.space : bench.module.roots[site.root].name;
    const bytes = site.shape.runs.map((run) => `${offset + run.offset}+${run.size}`).join(",");
    const values = site.kind.endsWith("read")
      ? [...after].slice(0, count)
      : [...before.slice(0, count), "→", ...after.slice(0, count)];
    const bounds = inBounds
      ? ""
      : ` out of bounds (${fault === null ? "binding" : `${fault.index} of ${fault.count}`})`;
    const { workgroup: w, storage: s } = workgroup.phases;
    const who = `${workgroup.index}.${localIndex}`;
    lines.push(
      `${site.kind} ${name} ${bytes} [${values.join(" ")}] by ${who} phase ${w},${s}${bounds}: ${source.slice(site.span.start, site.span.end)}`,
    );
  };
  bench.run({ observer: { access } });
  return lines;
}

describe("accesses", () => {
  test("to workgroup, storage and uniform memory, in the order they happen", () => {
    const source = `
      struct Pair { a: vec3f, b: array<vec2f, 2> }
      @group(0) @binding(0) var<storage, read_write> data: Pair;
      @group(0) @binding(1) var<uniform> index: u32;
      var<workgroup> count: atomic<u32>;
      @compute @workgroup_size(2) fn main(@builtin(local_invocation_index) lane: u32) {
        var own = array(1, 2);
        own[lane] = 3;
        let old = atomicAdd(&count, 5u);
        workgroupBarrier();
        if (lane == 1) {
          data.b[index].y = 1;
          let all = data;
          storageBarrier();
        } else {
          storageBarrier();
        }
      }`;
    expect(accesses(source, { index: [1] }, { allowIllegal: true })).toEqual([
      "atomic-rmw count 0+4 [0 → 5] by 0.0 phase 0,0: atomicAdd(&count, 5u)",
      "atomic-rmw count 0+4 [5 → 10] by 0.1 phase 0,0: atomicAdd(&count, 5u)",
      "read index 0+4 [1] by 0.1 phase 1,0: index",
      "write data 28+4 [0 → 1065353216] by 0.1 phase 1,0: data.b[index].y = 1",
      "read data 0+12,16+16 [0 0 0 0 0 0 1065353216] by 0.1 phase 1,0: data",
    ]);
  });

  test("a component names its vector", () => {
    const bench = new Bench(`
      @group(0) @binding(0) var<storage, read_write> data: array<mat2x3f, 4>;
      @compute @workgroup_size(1) fn main(@builtin(local_invocation_index) lane: u32) {
        data[lane][1].z = 1; data[lane + 1][lane][lane + 1] = 2; data[0][0] = vec3f();
      }`);
    const seen: unknown[] = [];
    bench.run({ observer: { access: ({ site, offset }) => seen.push([offset, site.size, site.vector]) } });
    expect(seen).toEqual([
      [24, 4, { align: 16, size: 12 }],
      [36, 4, { align: 16, size: 12 }],
      [0, 12, null],
    ]);
  });

  test("every atomic function by its kind", () => {
    const source = `
      @group(0) @binding(0) var<storage, read_write> a: atomic<i32>;
      @compute @workgroup_size(1) fn main() {
        atomicStore(&a, 2); _ = atomicLoad(&a); _ = atomicMax(&a, 1);
        _ = atomicCompareExchangeWeak(&a, 2, 7); _ = atomicCompareExchangeWeak(&a, 2, 9);
      }`;
    expect(accesses(source).map((line) => line.split(" by ")[0])).toEqual([
      "atomic-write a 0+4 [0 → 2]",
      "atomic-read a 0+4 [2]",
      "atomic-rmw a 0+4 [2 → 2]",
      "atomic-rmw a 0+4 [2 → 7]",
      "atomic-rmw a 0+4 [7 → 7]",
    ]);
  });

  test("out of bounds: who, which index, where it would have been", () => {
    const source = `
      @group(0) @binding(0) var<storage, read_write> list: array<vec2u>;
      var<private> own: array<u32, 3>;
      fn second(p: ptr<storage, vec2u, read_write>) -> u32 { return (*p).y; }
      @compute @workgroup_size(1) fn main(@builtin(local_invocation_index) lane: u32) {
        list[lane + 5].y = 1;
        own[lane + 7] = 2;
        list[0].x = second(&list[lane + 2]) + vec3u(1, 2, 3)[lane + 4] + own[i32(lane) - 1];
      }`;
    const expected = [
      "write list 44+4 [0 → 0] by 0.0 phase 0,0 out of bounds (5 of 2): list[lane + 5].y = 1",
      "write private 28+4 [0 → 0] by 0.0 phase 0,0 out of bounds (7 of 3): own[lane + 7] = 2",
      "read list 20+4 [0] by 0.0 phase 0,0 out of bounds (2 of 2): (*p).y",
      "read function 16+4 [0] by 0.0 phase 0,0 out of bounds (4 of 3): vec3u(1, 2, 3)[lane + 4]",
      "read private -4+4 [0] by 0.0 phase 0,0 out of bounds (-1 of 3): own[i32(lane) - 1]",
    ];
    for (const outOfBounds of ["zero", "clamp", "discard"] as const) {
      expect(accesses(source, { list: 16 }, { outOfBounds }).slice(0, 5)).toEqual(expected);
    }
  });
});

test("workgroups and barriers are reported", () => {
  const bench = new Bench(
    `var<workgroup> x: u32;
     @compute @workgroup_size(2) fn main() { workgroupBarrier(); let y = workgroupUniformLoad(&x); storageBarrier(); }`,
    {},
    { workgroups: [2, 1, 1] },
  );
  const lines: string[] = [];
  bench.run({
    observer: {
      begin: (execution) => lines.push(`${execution.workgroupCount} workgroups`),
      workgroupStarted: ({ index }) => lines.push(`start ${index}`),
      workgroupEnded: ({ index }) => lines.push(`end ${index}`),
      barrier: ({ site, workgroup: { phases } }) =>
        lines.push(`${site.barrier}${site.uniformLoad ? " (load)" : ""} ${phases.workgroup} ${phases.storage}`),
    },
  });
  const one = ["workgroup 1 0", "workgroup (load) 2 0", "workgroup (load) 3 0", "storage 3 1"];
  expect(lines).toEqual(["2 workgroups", "start 0", ...one, "end 0", "start 1", ...one, "end 1"]);
});

test("observing changes nothing", () => {
  const source = `
    @group(0) @binding(0) var<storage, read_write> data: array<atomic<u32>, 8>;
    @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) lane: u32) {
      for (var i = 0u; i < 9; i++) { atomicXor(&data[(lane * i) % 11], atomicLoad(&data[i]) + lane); }
    }`;
  const outcome = (observed: boolean) => {
    const bench = new Bench(source);
    const observer = observed ? { access: () => {} } : null;
    const { statistics } = bench.run({ schedule: { kind: "random", seed: 2 }, observer });
    return [bench.u32("data"), statistics];
  };
  expect(outcome(true)).toEqual(outcome(false));
});
