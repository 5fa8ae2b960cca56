import { describe, expect, test } from "vitest";
import {
  buffer,
  bufferOf,
  COPY_SRC,
  groupOf,
  makeDevice,
  pipelineOf,
  STORAGE,
  submitPass,
  wordsOf,
} from "../../test/support/gpu.ts";
import { nodeHost } from "../platform/node/host.ts";
import type { GpuFinding, SanitizeSettings } from "./sanitizer.ts";
import { TestWatch } from "./test-watch.ts";

const RACE = `
  var<workgroup> part: array<u32, 4>;
  @group(0) @binding(0) var<storage, read_write> total: u32;
  @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
    part[i] = i + 1;
    // BARRIER
    if i == 0 { total = part[0] + part[1] + part[2] + part[3]; }
  }
`;
const RIGHT = RACE.replace("// BARRIER", "workgroupBarrier();");

async function sanitized(sanitize: SanitizeSettings | true, run: (device: GPUDevice) => void): Promise<GpuFinding[]> {
  const findings: GpuFinding[] = [];
  const device = await makeDevice({ sanitize, onFinding: (finding) => findings.push(finding) });
  run(device);
  await device.queue.onSubmittedWorkDone();
  return findings;
}

function submit(device: GPUDevice, code: string, times = 1): GPUBuffer {
  const pipeline = pipelineOf(device, code, { label: "sum" });
  const b = buffer(device, 4, STORAGE | COPY_SRC, "total of all");
  const group = groupOf(device, pipeline, [b]);
  submitPass(device, (pass) => {
    pass.pushDebugGroup("frame");
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    for (let i = 0; i < times; i++) pass.dispatchWorkgroups(1);
    pass.popDebugGroup();
  });
  return b;
}

test("a race is told once, with its place and the labels", async () => {
  const findings = await sanitized(true, (device) => submit(device, RACE, 3));
  expect(findings.map(({ code }) => code)).toEqual(["race-workgroup"]);
  const [{ source, span, labels }] = findings;
  expect(source.slice(span)).toMatch(/part\[\d\]/);
  expect(labels).toEqual({ pipeline: "sum", shaderModule: "", buffer: null, debugGroups: ["frame"] });
});

test("a finding about a buffer names it", async () => {
  const code = `
    @group(0) @binding(0) var<storage, read_write> total: u32;
    @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { total = i; }
  `;
  const [finding] = await sanitized(true, (device) => submit(device, code));
  expect(finding.code).toBe("race-storage");
  expect(finding.labels.buffer).toBe("total of all");
});

test("a right shader gives its result and no finding", async () => {
  let total: Promise<number[]> = Promise.resolve([]);
  const findings = await sanitized(true, (device) => {
    total = wordsOf(device, submit(device, RIGHT));
  });
  expect(findings).toEqual([]);
  expect(await total).toEqual([10]);
});

test("only what is asked for is looked for", async () => {
  expect(await sanitized({ checks: ["bounds"] }, (device) => submit(device, RACE))).toEqual([]);
});

test("what immediate data leads to", async () => {
  const code = `
    requires immediate_address_space;
    var<immediate> last: u32;
    @group(0) @binding(0) var<storage, read_write> b: array<u32, 4>;
    @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { b[min(i, last)] = i; }
  `;
  const withLast = (last: number): Promise<GpuFinding[]> =>
    sanitized(true, (device) => {
      const pipeline = pipelineOf(device, code);
      const group = groupOf(device, pipeline, [buffer(device, 16, STORAGE)]);
      submitPass(device, (pass) => {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.setImmediates(0, new Uint32Array([last]));
        pass.dispatchWorkgroups(1);
      });
    });
  expect(await withLast(3)).toEqual([]);
  expect((await withLast(2)).map(({ code: found }) => found)).toEqual(["race-storage"]);
});

test("other schedules are tried until a pipeline has had its share of them", async () => {
  const code = `
    struct Race { arrived: atomic<u32>, lanes: array<u32, 4> }
    @group(0) @binding(0) var<storage, read> isRace: u32;
    @group(0) @binding(1) var<storage, read_write> race: Race;
    @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
      if isRace == 0 { race.lanes[i] = i; } else if atomicAdd(&race.arrived, 1) == 0 { race.lanes[2 * i] = 1; }
    }
  `;
  const run = (device: GPUDevice, pipeline: GPUComputePipeline, isRace: number): void => {
    const group = groupOf(device, pipeline, [bufferOf(device, [isRace], STORAGE), buffer(device, 20, STORAGE)]);
    submitPass(device, (pass) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(1);
    });
  };
  const twice = async (scheduleBudget: number): Promise<readonly string[]> => {
    const findings = await sanitized({ checks: ["bounds"], scheduleBudget }, (device) => {
      const pipeline = pipelineOf(device, code);
      run(device, pipeline, 0);
      run(device, pipeline, 1);
    });
    return findings.map(({ code: found }) => found);
  };
  // Out of bounds only where the last two come first.
  expect(await twice(1000)).toEqual(["out-of-bounds"]);
  // Eight accesses of the first dispatch under nine schedules leave less than the second one takes.
  expect(await twice(80)).toEqual([]);
});

describe("a dispatch that was looked at leaves what it leaves otherwise", () => {
  const bins = `@group(0) @binding(0) var<storage, read> data: array<u32>;
    @group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, 4>;`;
  const count = "atomicAdd(&bins[data[g.x % arrayLength(&data)] % 4u], 1u);";
  const OWN = "var<workgroup> own: array<u32, 4>;";
  const ALLOWED = "// halay-allow-next-line race-workgroup, same-value-write -- nobody reads it\n";
  const main = (body: string) =>
    `@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3u) { ${body} }`;
  test.each([
    ["few invocations", bins + main(count), 2, 0],
    ["many", bins + main(count), 128, 0],
    ["one that races", bins + main(`${count} own[g.x % 4u] = 7u + g.x;`) + OWN, 128, 1],
    ["indices out of bounds", bins + main(`${count} if (g.x == 9u) { atomicAdd(&bins[g.x], 1u); }`), 128, 1],
    ["a finding that the source silences", bins + main(`${count} ${ALLOWED}own[g.x % 4u] = 7u + g.x;`) + OWN, 2, 0],
  ])("%s", async (_, code, workgroups, least) => {
    const results: number[][] = [];
    for (const sanitize of [false, true] as const) {
      for (const engine of ["interpreter", "wasm"] as const) {
        const findings: GpuFinding[] = [];
        const device = await makeDevice({ sanitize, engine, onFinding: (finding) => findings.push(finding) });
        const data = bufferOf(device, [3, 1, 4, 1, 5, 9, 2, 6], STORAGE);
        // The buffer that is bound is a part of a larger one.
        const whole = bufferOf(device, new Array<number>(80).fill(5), STORAGE | COPY_SRC);
        const pipeline = pipelineOf(device, code);
        const group = groupOf(device, pipeline, [{ buffer: data }, { buffer: whole, offset: 256, size: 16 }]);
        for (let i = 0; i < 2; i++) {
          submitPass(device, (pass) => {
            pass.setPipeline(pipeline);
            pass.setBindGroup(0, group);
            pass.dispatchWorkgroups(workgroups);
          });
        }
        results.push(await wordsOf(device, whole));
        expect(findings.filter(({ severity }) => severity === "error").length).toBeGreaterThanOrEqual(
          sanitize ? least : 0,
        );
      }
    }
    for (const result of results) expect(result).toEqual(results[0]);
  });
});

test("what tests wait for, allow and are told", async () => {
  const watch = new TestWatch(() => nodeHost.pause());
  const device = await makeDevice({
    sanitize: true,
    onFinding: (finding, on) => watch.addFinding(finding, on),
    onDevice: (each) => watch.addDevice(each),
  });
  submit(device, RACE);
  expect(await watch.finish()).toMatch(/^halay found a fault in what was dispatched:\n\nerror\[race-workgroup\]/);
  expect(await watch.finish()).toBeNull();
  expect(() => watch.allow("race-workgroup", " ")).toThrow(/say why/);
  watch.allow("race-workgroup", "shown here");
  submit(device, RACE.replace("part", "part "));
  expect(await watch.finish()).toBeNull();
  submit(device, RACE.replace("part", "part  "));
  expect(await watch.take(device)).toHaveLength(1);
});

describe("a dispatch that does not end loses the device after `timeout`, not after the checkers' own patience", () => {
  const head = `@group(0) @binding(0) var<storage, read_write> a: array<u32, 64>;
    @group(0) @binding(1) var<storage, read_write> flag: atomic<u32>;
    @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
      a[i] = atomicLoad(&flag);`;
  const loops = {
    "that nothing ends": "for (;;) { a[i] += 1u; if (a[i] == 4294967295u && i == 99u) { break; } }",
    "without memory":
      "for (var n = 1u; n != 0u || i != 99u; n = n * 1664525u + 1u) { if (n == 7u && i == 99u) { a[i] = n; } }",
    "that waits": "while (atomicLoad(&flag) == 0u) { }",
  };

  const lossOf = async (body: string, workgroups: number, options: Parameters<typeof makeDevice>[0]) => {
    const codes: string[] = [];
    const device = await makeDevice({ sanitize: true, onFinding: ({ code }) => codes.push(code), ...options });
    const pipeline = pipelineOf(device, `${head}${body} }`);
    const group = groupOf(device, pipeline, [buffer(device, 256, STORAGE), buffer(device, 4, STORAGE)]);
    submitPass(device, (pass) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(workgroups);
    });
    const lost = await Promise.race([device.lost, device.queue.onSubmittedWorkDone()]);
    return { codes, message: lost?.message ?? null };
  };

  // Below and above the number of invocations from which a dispatch is looked at on the fast engine first. What waits is
  // looked at on the interpreter anyway.
  const cases = [
    ["that nothing ends", 1],
    ["that nothing ends", 100],
    ["without memory", 1],
    ["without memory", 100],
    ["that waits", 1],
  ] as const;

  test.each(cases)("a loop %s, %i workgroups", async (name, count) => {
    const { codes, message } = await lossOf(loops[name], count, { timeout: 0.1 });
    expect(message).toContain("did not end within 0.1 s");
    expect(codes.filter((code) => code === "timeout" || code === "no-forward-progress")).not.toEqual([]);
  });

  test("on the interpreter", async () => {
    const options = { timeout: 0.05, engine: "interpreter" } as const;
    const { message } = await lossOf(loops["that nothing ends"], 1, options);
    expect(message).toContain("did not end within 0.05 s");
  });

  test("one that ends is looked at however long that takes", async () => {
    const body = "for (var n = 0u; n < 500u; n++) { a[i] += atomicAdd(&flag, 1u); }";
    expect(await lossOf(body, 2, { timeout: 0.5 })).toEqual({
      codes: expect.not.arrayContaining(["timeout"]),
      message: null,
    });
  });
});
