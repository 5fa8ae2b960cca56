import { describe, expect, test } from "vitest";
import { Bench } from "../../test/support/engine.ts";
import { Execution } from "./execution.ts";
import { createScheduler } from "./schedule.ts";

const DATA = "@group(0) @binding(0) var<storage, read_write> data: array<u32>;";
const shader = (body: string): string => `${DATA}
  @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) { ${body} }`;
const bench = (code: string): Bench => new Bench(code, { data: 64 }, { workgroups: [1, 1, 1] });
const slots = (code: string): number => new Execution(bench(code).module, bench(code).request).program.frameSize;

describe("slots of values that nobody needs any more are used again", () => {
  const LINES: Readonly<Record<string, string>> = {
    statements: "data[id.x] = (data[id.y] + id.z) * data[id.z];",
    vectors: "data[id.x] = dot(vec3u(data[id.y]) + id.zxy * id, id);",
    conditions: "if (data[id.x] < id.y) { data[id.y] += id.z; }",
    loops: "for (; data[id.x] < id.y; ) { data[id.x] += id.z; }",
    atomics: "workgroupBarrier(); data[id.x] ^= select(id.y, data[id.y], data[id.z] > id.x);",
  };
  test.each(Object.entries(LINES))("%s", (_, line) => {
    expect(slots(shader(line.repeat(500)))).toBe(slots(shader(line.repeat(20))));
  });

  test("what a loop needs of its body at its end, and in it of what is around it, stays", () => {
    const code = shader(`
      let a = id.x + 3u;
      var rounds = 0u;
      loop {
        let b = a * 2u + rounds;
        let c = vec2u(b, a + 1u);
        data[0] += (a + 5u) * (b + 7u);
        rounds++;
        continuing {
          data[1] += (rounds + 2u) * (rounds + 3u);
          data[2] += c.x * c.y + b;
          break if b > 9u;
        }
      }
      data[3] = a;`);
    const run = bench(code);
    run.run();
    const expected = [0, 0, 0, 3];
    for (let rounds = 0; ; ) {
      const b = 6 + rounds++;
      expected[0] += 8 * (b + 7);
      expected[1] += (rounds + 2) * (rounds + 3);
      expected[2] += b * 4 + b;
      if (b > 9) break;
    }
    expect(run.u32("data").slice(0, 4)).toEqual(expected);
  });

  test("what a function is given and gives stays while others are called", () => {
    const code = `${DATA}
      fn twice(x: u32) -> u32 { return (x + 1u) * (x + 1u) - x * x - 1u; }
      fn sum(p: ptr<function, array<u32, 4>>, i: u32) -> u32 { return (*p)[i] + twice((*p)[i + 1u]); }
      @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {
        var a = array(1u, 2u, 3u, 4u);
        data[0] = twice(5u) + twice(twice(7u) + id.x) * twice(1u) + sum(&a, id.x + 2u);
      }`;
    const run = bench(code);
    run.run();
    expect(run.u32("data")[0]).toBe(10 + 28 * 2 + 3 + 8);
  });
});

test("private variables of later workgroups start anew, constants stay", () => {
  const code = `${DATA}
    var<private> a = array(3u, 4u);
    var<private> n = 5u;
    @compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) {
      n += 10u + a[0];
      a[id.x % 2u] += 1u;
      data[id.x] = n * 100u + a[0] * 10u + a[1];
    }`;
  const run = new Bench(code, { data: 32 }, { workgroups: [4, 1, 1] });
  run.run();
  expect(run.u32("data")).toEqual([1844, 1835, 1844, 1835, 1844, 1835, 1844, 1835]);
});

test("as many workgroups are under way as their frames have room", () => {
  const code = `${DATA}
    var<private> much: array<u32, 0x8000>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
      much[id.x] = data[id.x];
      data[id.x] = much[id.y];
    }`;
  const { module, request } = new Bench(code, { data: 64 * 64 * 4 }, { workgroups: [64, 1, 1] });
  const execution = new Execution(module, request);
  createScheduler({ kind: "interleave" }).next(execution);
  expect(execution.resident.length).toBe(execution.affordable(64));
  const bytes = execution.resident.reduce((sum, { frames }) => sum + frames.byteLength, 0);
  expect(bytes).toBeLessThanOrEqual(2 ** 26);
  expect(execution.resident.length).toBeGreaterThan(4);
});
