import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  buffer,
  bufferOf,
  COPY_SRC,
  groupOf,
  INDIRECT,
  makeDevice,
  pipelineOf,
  STORAGE,
  submitPass,
  UNIFORM,
  wordsOf,
} from "../../test/support/gpu.ts";
import { capture, type NodeCapture } from "../gpu.ts";
import { readLaunch } from "../launch/read-launch.ts";
import { run } from "../launch/run.ts";
import { nodeFiles } from "../platform/node/files.ts";

const CODE = `
  override step: u32 = 1;
  @group(0) @binding(0) var<storage, read_write> counts: array<u32>;
  @group(0) @binding(2) var<uniform> add: vec4u;
  @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { counts[id.x] += add.x + step; }
`;

const folders: string[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** Two dispatches of one pass, the second with other uniforms and counts from a buffer. */
async function application(device: GPUDevice, elements = 4): Promise<GPUBuffer> {
  const module = device.createShaderModule({ code: CODE, label: "count.wgsl" });
  const pipeline = await device.createComputePipelineAsync({
    label: "count things",
    layout: "auto",
    compute: { module, constants: { step: 10 } },
  });
  const counts = buffer(device, elements * 4, STORAGE);
  const group = (add: number) =>
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [
        { binding: 0, resource: counts },
        { binding: 2, resource: { buffer: bufferOf(device, [add, 0, 0, 0], UNIFORM) } },
      ],
    });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass({ label: "p" });
  pass.setPipeline(pipeline);
  pass.pushDebugGroup("both");
  pass.setBindGroup(0, group(1));
  pass.dispatchWorkgroups(elements / 4);
  pass.setBindGroup(0, group(2));
  pass.dispatchWorkgroupsIndirect(bufferOf(device, [elements / 4, 1, 1], INDIRECT), 0);
  pass.popDebugGroup();
  pass.end();
  device.queue.submit([encoder.finish()]);
  return counts;
}

async function saved(captured: NodeCapture): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "halay-"));
  folders.push(folder);
  await captured.save(folder);
  return folder;
}

describe("a capture", () => {
  test("has the bytes from before each dispatch, and the application its results", async () => {
    const device = await makeDevice();
    const captured = capture(device);
    const counts = await application(device);
    const dispatches = await captured.dispatches();
    const words = (bytes: Uint8Array) => [...new Uint32Array(bytes.buffer)];
    expect(dispatches.map(({ launch }) => words(launch.buffers["0.0"]))).toEqual([
      [0, 0, 0, 0],
      [11, 11, 11, 11],
    ]);
    expect(dispatches.map(({ launch }) => words(launch.buffers["0.2"])[0])).toEqual([1, 2]);
    expect(dispatches.map(({ launch }) => launch.workgroups)).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
    expect(dispatches[1].labels).toEqual({
      pipeline: "count things",
      shaderModule: "count.wgsl",
      debugGroups: ["both"],
    });
    expect(await wordsOf(device, counts)).toEqual([23, 23, 23, 23]);
    const result = await run(dispatches[1].launch);
    expect(result.buffers.counts.values).toEqual([23, 23, 23, 23]);
  });

  test("is read once, however many ask for it at the same time", async () => {
    const device = await makeDevice();
    const captured = capture(device);
    await application(device);
    const [dispatches, again] = await Promise.all([captured.dispatches(), captured.dispatches(), captured.files()]);
    expect(dispatches).toHaveLength(2);
    expect(again).toEqual(dispatches);
    expect(await captured.dispatches()).toEqual(dispatches);
  });

  test("becomes files that run", async () => {
    const device = await makeDevice();
    const captured = capture(device);
    await application(device, 512);
    const folder = await saved(captured);
    const path = join(folder, "002-count-things.launch.json");
    const text = await readFile(path, "utf8");
    expect(JSON.parse(text)).toEqual({
      shader: "count.wgsl",
      entry: "main",
      workgroups: [128, 1, 1],
      overrides: { step: 10 },
      buffers: { counts: { file: "002-count-things-counts.bin" }, add: { values: [2, 0, 0, 0] } },
    });
    const { launch, source } = readLaunch(text, path);
    const result = await run(launch!, { source, files: nodeFiles() });
    expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect((result.buffers.counts.values as number[])[511]).toBe(23);
  });

  test("has immediate data by the name of the variable", async () => {
    const device = await makeDevice();
    const captured = capture(device);
    const code = `
      requires immediate_address_space;
      var<immediate> add: vec2u;
      @group(0) @binding(0) var<storage, read_write> b: array<u32, 2>;
      @compute @workgroup_size(1) fn main() { b[0] += add.x; b[1] += add.y; }
    `;
    const pipeline = pipelineOf(device, code);
    const b = buffer(device, 8, STORAGE | COPY_SRC);
    submitPass(device, (pass) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, groupOf(device, pipeline, [b]));
      pass.setImmediates(0, new Uint32Array([1, 2]));
      pass.dispatchWorkgroups(1);
      pass.setImmediates(4, new Uint32Array([5]));
      pass.dispatchWorkgroups(1);
    });
    const folder = await saved(captured);
    const text = await readFile(join(folder, "002-main.launch.json"), "utf8");
    expect(JSON.parse(text).buffers).toEqual({ add: { values: [1, 5] }, b: { values: [1, 2] } });
    expect(await wordsOf(device, b)).toEqual([2, 7]);
  });

  test("of some pipelines, and so many dispatches", async () => {
    const device = await makeDevice();
    const captured = capture(device, { most: 1, pipelines: ["count things"] });
    await application(device);
    expect(await captured.dispatches()).toHaveLength(1);
    const other = capture(await makeDevice(), { pipelines: ["others"] });
    expect(await other.dispatches()).toEqual([]);
  });

  test("ends: the device has its own methods again", async () => {
    const device = await makeDevice();
    const captured = capture(device);
    expect(Object.keys(Object.getOwnPropertyDescriptors(device))).toContain("createBuffer");
    captured.stop();
    expect(Object.keys(Object.getOwnPropertyDescriptors(device))).toEqual([]);
    await application(device);
    expect(await captured.dispatches()).toEqual([]);
  });

  test.each([
    ["no group", null, "counts"],
    ["another group", 1, "counts"],
  ])("leaves out what is refused as nothing is bound: %s", async (_, index, name) => {
    const device = await makeDevice();
    const captured = capture(device);
    const pipeline = pipelineOf(device, CODE);
    const group =
      index === null
        ? null
        : device.createBindGroup({ layout: device.createBindGroupLayout({ entries: [] }), entries: [] });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    if (group !== null) pass.setBindGroup(index!, group);
    pass.dispatchWorkgroups(1);
    pass.end();
    device.pushErrorScope("validation");
    device.queue.submit([encoder.finish()]);
    expect(await device.popErrorScope()).not.toBeNull();
    expect(await captured.dispatches()).toEqual([]);
    expect([...captured.skipped.values()]).toEqual([`nothing is bound to ‘${name}’`]);
  });

  describe("leaves out what the device refuses", () => {
    const ONE = `@group(0) @binding(0) var<storage, read_write> b: array<u32>;
      @compute @workgroup_size(1) fn main() { b[0] += 1u; }`;
    const explicit = (device: GPUDevice, entry: Partial<GPUBufferBindingLayout>, code = ONE) => {
      const layout = device.createBindGroupLayout({
        entries: [{ binding: 0, visibility: 4, buffer: { type: "storage", ...entry } }],
      });
      const module = device.createShaderModule({ code });
      const made = device.createPipelineLayout({ bindGroupLayouts: [layout] });
      return { layout, pipeline: device.createComputePipeline({ label: "p", layout: made, compute: { module } }) };
    };
    const refused = "the device refused it, or commands that were submitted with it";

    /** One dispatch in commands of its own, of which the application is told as without a capture. */
    async function submitRefused(device: GPUDevice, encode: (pass: GPUComputePassEncoder) => void): Promise<void> {
      const encoder = device.createCommandEncoder();
      device.pushErrorScope("validation");
      const pass = encoder.beginComputePass();
      encode(pass);
      pass.end();
      device.queue.submit([encoder.finish()]);
      expect((await device.popErrorScope())?.message).toMatch(/^(?!.*halay capture)./);
    }

    test.each<[string, string, (device: GPUDevice, pass: GPUComputePassEncoder) => void]>([
      [
        "a group of another layout",
        refused,
        (device, pass) => {
          pass.setPipeline(explicit(device, {}).pipeline);
          const other = explicit(device, { minBindingSize: 64 }).layout;
          const resource = buffer(device, 64, STORAGE);
          pass.setBindGroup(0, device.createBindGroup({ layout: other, entries: [{ binding: 0, resource }] }));
          pass.dispatchWorkgroups(1);
        },
      ],
      [
        "too small a buffer",
        refused,
        (device, pass) => {
          const { layout, pipeline } = explicit(device, {}, ONE.replace("array<u32>", "array<u32, 8>"));
          pass.setPipeline(pipeline);
          const resource = buffer(device, 16, STORAGE);
          pass.setBindGroup(0, device.createBindGroup({ layout, entries: [{ binding: 0, resource }] }));
          pass.dispatchWorkgroups(1);
        },
      ],
      [
        "a dynamic offset beyond the buffer",
        refused,
        (device, pass) => {
          const { layout, pipeline } = explicit(device, { hasDynamicOffset: true });
          pass.setPipeline(pipeline);
          const resource = { buffer: buffer(device, 512, STORAGE), size: 256 };
          pass.setBindGroup(0, device.createBindGroup({ layout, entries: [{ binding: 0, resource }] }), [768]);
          pass.dispatchWorkgroups(1);
        },
      ],
      [
        "too many workgroups",
        "65536 workgroups are more than the 65535 that the device takes",
        (device, pass) => {
          const pipeline = pipelineOf(device, ONE);
          pass.setPipeline(pipeline);
          pass.setBindGroup(0, groupOf(device, pipeline, [buffer(device, 16, STORAGE)]));
          pass.dispatchWorkgroups(1, 65536);
        },
      ],
      [
        "a number of workgroups that is not in its buffer",
        "its number of workgroups is not in the buffer at 8",
        (device, pass) => {
          const pipeline = pipelineOf(device, ONE);
          pass.setPipeline(pipeline);
          pass.setBindGroup(0, groupOf(device, pipeline, [buffer(device, 16, STORAGE)]));
          pass.dispatchWorkgroupsIndirect(bufferOf(device, [1, 1, 1], INDIRECT), 8);
        },
      ],
      [
        "a buffer that is read and written",
        refused,
        (device, pass) => {
          const code = `${ONE.replace("b[0] += 1u", "b[0] += c[0]")}\n@group(0) @binding(1) var<storage> c: array<u32>;`;
          const pipeline = pipelineOf(device, code);
          const both = buffer(device, 16, STORAGE);
          pass.setPipeline(pipeline);
          pass.setBindGroup(0, groupOf(device, pipeline, [both, both]));
          pass.dispatchWorkgroups(1);
        },
      ],
      [
        "what stands beside a fault",
        refused,
        (device, pass) => {
          const pipeline = pipelineOf(device, ONE);
          pass.setPipeline(pipeline);
          pass.setBindGroup(0, groupOf(device, pipeline, [buffer(device, 16, STORAGE)]));
          pass.dispatchWorkgroups(1);
          pass.popDebugGroup();
        },
      ],
      [
        "a destroyed buffer",
        refused,
        (device, pass) => {
          const pipeline = pipelineOf(device, ONE);
          const gone = buffer(device, 16, STORAGE);
          pass.setPipeline(pipeline);
          pass.setBindGroup(0, groupOf(device, pipeline, [gone]));
          pass.dispatchWorkgroups(1);
          gone.destroy();
        },
      ],
    ])("%s", async (_, why, encode) => {
      const device = await makeDevice();
      const captured = capture(device);
      await submitRefused(device, (pass) => encode(device, pass));
      expect(await captured.dispatches()).toEqual([]);
      expect([...captured.skipped.values()]).toEqual([why]);
    });

    test("and keeps no copies of it", async () => {
      const device = await makeDevice();
      const captured = capture(device);
      const pipeline = pipelineOf(device, ONE);
      const group = groupOf(device, pipeline, [buffer(device, 16, STORAGE)]);
      const counts = bufferOf(device, [1, 1, 1], INDIRECT);
      const create = vi.spyOn(Object.getPrototypeOf(device) as GPUDevice, "createBuffer");
      const destroy = vi.spyOn(Object.getPrototypeOf(counts) as GPUBuffer, "destroy");
      await submitRefused(device, (pass) => {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(1);
        pass.dispatchWorkgroupsIndirect(counts, 0);
        pass.popDebugGroup();
      });
      expect(await captured.dispatches()).toEqual([]);
      const made = create.mock.results.map(({ value }) => value as GPUBuffer);
      const copies = made.filter(({ usage }) => (usage & GPUBufferUsage.MAP_READ) !== 0);
      expect(copies).toHaveLength(4);
      expect(new Set(destroy.mock.contexts)).toEqual(new Set(copies));
    });

    test("and what it does not run, as a buffer asks for too many workgroups", async () => {
      const device = await makeDevice();
      const captured = capture(device);
      const pipeline = pipelineOf(device, ONE);
      const counts = buffer(device, 16, STORAGE | COPY_SRC);
      submitPass(device, (pass) => {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, groupOf(device, pipeline, [counts]));
        pass.dispatchWorkgroupsIndirect(bufferOf(device, [1, 70000, 1], INDIRECT), 0);
        pass.dispatchWorkgroups(1);
      });
      expect(await wordsOf(device, counts)).toEqual([1, 0, 0, 0]);
      expect((await captured.dispatches()).map(({ launch }) => launch.workgroups)).toEqual([[1, 1, 1]]);
      expect([...captured.skipped.values()]).toEqual([
        "70000 workgroups are more than the 65535 that the device takes",
      ]);
    });
  });

  test("says what it could not record", async () => {
    const device = await makeDevice();
    const early = device.createShaderModule({ code: CODE });
    const captured = capture(device);
    device.createComputePipeline({ label: "early", layout: "auto", compute: { module: early } });
    expect([...captured.skipped]).toEqual([["early", "its shader module was made before the capture began"]]);
  });
});
