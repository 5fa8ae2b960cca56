import { beforeEach, describe, expect, test } from "vitest";
import {
  buffer,
  bufferOf,
  COPY_SRC,
  dispatch,
  errorOf,
  groupOf,
  INDIRECT,
  makeDevice,
  pipelineOf,
  STORAGE,
  submitPass,
  thrownBy,
  UNIFORM,
  wordsOf,
} from "../../test/support/gpu.ts";

let device: GPUDevice;

beforeEach(async () => {
  device = await makeDevice();
});

const COUNT = `
  @group(0) @binding(0) var<storage, read_write> b: array<u32>;
  @compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) { b[id.x + 4 * id.y] += id.x + 1; }
`;

describe("dispatches", () => {
  test("run in order, each on what those before left", async () => {
    const b = buffer(device, 16, STORAGE | COPY_SRC);
    const pipeline = pipelineOf(device, COUNT);
    const group = groupOf(device, pipeline, [b]);
    submitPass(device, (pass) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(2);
      pass.dispatchWorkgroups(1);
      pass.dispatchWorkgroups(0);
    });
    expect(await wordsOf(device, b)).toEqual([2, 4, 3, 4]);
  });

  test("along y", async () => {
    const b = buffer(device, 32, STORAGE | COPY_SRC);
    dispatch(device, COUNT, [b], [2, 2]);
    expect(await wordsOf(device, b)).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
  });

  test("the size of a binding is what the shader sees", async () => {
    const code = `
      @group(0) @binding(0) var<storage, read_write> b: array<u32>;
      @compute @workgroup_size(1) fn main() { b[0] = arrayLength(&b); }
    `;
    const b = buffer(device, 1024, STORAGE | COPY_SRC);
    dispatch(device, code, [{ buffer: b, offset: 256, size: 128 }]);
    expect((await wordsOf(device, b))[64]).toBe(32);
  });

  test("more workgroups than there may be", async () => {
    const pass = () => dispatch(device, COUNT, [buffer(device, 16, STORAGE)], [1, 65536]);
    expect(await errorOf(device, pass)).toMatch(
      /65536 workgroups along y are more than maxComputeWorkgroupsPerDimension/,
    );
  });

  test("shaders do not block the caller, who can end them", async () => {
    const own = await makeDevice({ timeout: 20 });
    const code = `
      @group(0) @binding(0) var<storage, read_write> b: atomic<u32>;
      @compute @workgroup_size(1) fn main() { while atomicLoad(&b) == 0u {} }
    `;
    dispatch(own, code, [buffer(own, 4, STORAGE)]);
    for (let ticks = 0; ticks < 5; ticks++) await new Promise((resolve) => setTimeout(resolve, 5));
    own.destroy();
    const done = own.queue.onSubmittedWorkDone();
    // Not "unknown", as where the dispatch has used up its time.
    expect((await own.lost).reason).toBe("destroyed");
    await done;
  });
});

describe("indirect dispatches", () => {
  const run = async (words: number[], offset = 0): Promise<number[]> => {
    const b = buffer(device, 16, STORAGE | COPY_SRC);
    const indirect = bufferOf(device, words, INDIRECT);
    const pipeline = pipelineOf(device, COUNT);
    const group = groupOf(device, pipeline, [b]);
    submitPass(device, (pass) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroupsIndirect(indirect, offset);
    });
    return wordsOf(device, b);
  };

  test("take their counts from a buffer when they run", async () => {
    expect(await run([7, 2, 1, 1], 4)).toEqual([1, 2, 3, 4]);
  });

  test("with too many workgroups do nothing", async () => {
    expect(await run([65536, 1, 1])).toEqual([0, 0, 0, 0]);
  });

  test.each<[string, number, number, RegExp]>([
    ["another usage", STORAGE, 0, /lacks INDIRECT/],
    ["a crooked offset", INDIRECT, 2, /the offset 2 is no multiple of 4/],
    ["too far", INDIRECT, 8, /12 bytes at 8 leave the buffer/],
  ])("%s", async (_, usage, offset, message) => {
    const pipeline = pipelineOf(device, COUNT);
    const group = groupOf(device, pipeline, [buffer(device, 16, STORAGE)]);
    const indirect = buffer(device, 16, usage);
    const pass = () =>
      submitPass(device, (each) => {
        each.setPipeline(pipeline);
        each.setBindGroup(0, group);
        each.dispatchWorkgroupsIndirect(indirect, offset);
      });
    expect(await errorOf(device, pass)).toMatch(message);
  });
});

describe("dynamic offsets", () => {
  const CODE = `
    @group(0) @binding(0) var<uniform> u: u32;
    @group(0) @binding(3) var<storage, read_write> b: array<u32, 2>;
    @compute @workgroup_size(1) fn main() { b[0] = u; }
  `;

  function prepare() {
    const visibility = GPUShaderStage.COMPUTE;
    const layout = device.createBindGroupLayout({
      entries: [
        { binding: 3, visibility, buffer: { type: "storage", hasDynamicOffset: true } },
        { binding: 0, visibility, buffer: { hasDynamicOffset: true, minBindingSize: 4 } },
      ],
    });
    const u = bufferOf(device, [...Array(129).keys()], UNIFORM);
    const b = buffer(device, 1024, STORAGE | COPY_SRC);
    const group = device.createBindGroup({
      layout,
      entries: [
        { binding: 0, resource: { buffer: u, size: 4 } },
        { binding: 3, resource: { buffer: b, offset: 256, size: 8 } },
      ],
    });
    const pipeline = pipelineOf(device, CODE, { layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }) });
    return { b, group, pipeline };
  }

  test.each<[string, (pass: GPUComputePassEncoder, group: GPUBindGroup) => void]>([
    ["as a list", (pass, group) => pass.setBindGroup(0, group, [512, 256])],
    ["in an array", (pass, group) => pass.setBindGroup(0, group, new Uint32Array([1, 512, 256]), 1, 2)],
  ])("%s, in the order of the bindings", async (_, set) => {
    const { b, group, pipeline } = prepare();
    submitPass(device, (pass) => {
      pass.setPipeline(pipeline);
      set(pass, group);
      pass.dispatchWorkgroups(1);
    });
    const words = await wordsOf(device, b);
    expect(words.indexOf(128)).toBe(128);
  });

  test.each<[string, number[], RegExp]>([
    ["too few", [0], /1 dynamic offsets are given; the bind group without label takes 2/],
    ["a crooked one", [4, 0], /the dynamic offset 4 for binding 0 is no multiple of minUniformBufferOffsetAlignment/],
    ["too far", [0, 1024], /the dynamic offset 1024 for binding 3 moves the binding out of the buffer/],
  ])("%s", async (_, offsets, message) => {
    const { group } = prepare();
    expect(await errorOf(device, () => submitPass(device, (pass) => pass.setBindGroup(0, group, offsets)))).toMatch(
      message,
    );
  });

  test("not in the array", async () => {
    const { group } = prepare();
    const set = () => device.createCommandEncoder().beginComputePass().setBindGroup(0, group, new Uint32Array(2), 1, 2);
    expect(await thrownBy(set)).toMatch(/^RangeError: .*2 offsets at 1 go beyond the 2 of the array/);
  });
});

describe("what is bound", () => {
  const TWO = `
    @group(0) @binding(0) var<storage, read> a: array<u32>;
    @group(0) @binding(1) var<storage, read_write> b: array<u32>;
    @compute @workgroup_size(1) fn main() { b[0] = a[0]; }
  `;

  test.each<[string, (b: GPUBuffer) => GPUBindingResource[], RegExp | null]>([
    ["one buffer read and written", (b) => [b, b], /overlapping parts of the buffer ‘b’ .* binding 0 from 0 to 512/],
    [
      "different parts of it",
      (b) => [
        { buffer: b, size: 256 },
        { buffer: b, offset: 256 },
      ],
      /is used as read-only storage and as writable storage at the same time/,
    ],
    ["two buffers", (b) => [b, buffer(device, 16, STORAGE)], null],
  ])("%s", async (_, resources, message) => {
    const b = buffer(device, 512, STORAGE | INDIRECT, "b");
    const error = await errorOf(device, () => dispatch(device, TWO, resources(b)));
    if (message === null) expect(error).toBeNull();
    else expect(error).toMatch(message);
  });

  test("parts of one buffer that are both written", async () => {
    const code = TWO.replace("read>", "read_write>");
    const b = buffer(device, 512, STORAGE);
    const apart = [
      { buffer: b, size: 256 },
      { buffer: b, offset: 256 },
    ];
    expect(await errorOf(device, () => dispatch(device, code, apart))).toBeNull();
    expect(await errorOf(device, () => dispatch(device, code, [b, { buffer: b, offset: 256 }]))).toMatch(/overlapping/);
  });

  test("counts from a buffer that the dispatch writes", async () => {
    const b = buffer(device, 16, STORAGE | INDIRECT, "b");
    const pipeline = pipelineOf(device, COUNT);
    const group = groupOf(device, pipeline, [b]);
    const pass = () =>
      submitPass(device, (each) => {
        each.setPipeline(pipeline);
        each.setBindGroup(0, group);
        each.dispatchWorkgroupsIndirect(b, 0);
      });
    expect(await errorOf(device, pass)).toMatch(/‘b’ is used as writable storage and as indirect parameters/);
  });

  test("nothing where the pipeline wants something", async () => {
    const pipeline = pipelineOf(device, COUNT, { label: "p" });
    const group = groupOf(device, pipeline, [buffer(device, 16, STORAGE)]);
    const pass = (set: (pass: GPUComputePassEncoder) => void) => () =>
      submitPass(device, (each) => {
        each.setPipeline(pipeline);
        set(each);
        each.dispatchWorkgroups(1);
      });
    const message = /the compute pipeline ‘p’ takes a bind group at index 0: none is set/;
    expect(
      await errorOf(
        device,
        pass(() => {}),
      ),
    ).toMatch(message);
    expect(
      await errorOf(
        device,
        pass((each) => {
          each.setBindGroup(0, group);
          each.setBindGroup(0, null);
        }),
      ),
    ).toMatch(message);
  });

  test("too small for the shader, where the layout does not say how large it has to be", async () => {
    const visibility = GPUShaderStage.COMPUTE;
    const layout = device.createBindGroupLayout({ entries: [{ binding: 0, visibility, buffer: { type: "storage" } }] });
    const code = COUNT.replace("array<u32>", "array<u32, 8>");
    const pipeline = pipelineOf(device, code, { layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }) });
    const group = groupOf(device, pipeline, [buffer(device, 16, STORAGE, "b")]);
    const pass = () =>
      submitPass(device, (each) => {
        each.setPipeline(pipeline);
        each.setBindGroup(0, group);
        each.dispatchWorkgroups(1);
      });
    expect(await errorOf(device, pass)).toMatch(/16 bytes of the buffer ‘b’ are bound at .*: the shader needs 32/);
  });
});

describe("immediate data", () => {
  const CODE = `
    requires immediate_address_space;
    var<immediate> i: vec2u;
    @group(0) @binding(0) var<storage, read_write> b: array<u32, 2>;
    @compute @workgroup_size(1) fn main() { b[0] = i.x; b[1] = i.y; }
  `;

  test("what is set when a dispatch is encoded", async () => {
    const pipeline = pipelineOf(device, CODE);
    const [first, second] = [0, 1].map(() => buffer(device, 8, STORAGE | COPY_SRC));
    submitPass(device, (pass) => {
      pass.setPipeline(pipeline);
      pass.setImmediates(0, new Uint32Array([1, 2]));
      pass.setBindGroup(0, groupOf(device, pipeline, [first]));
      pass.dispatchWorkgroups(1);
      pass.setImmediates(4, new Uint32Array([7, 3]), 1);
      pass.setBindGroup(0, groupOf(device, pipeline, [second]));
      pass.dispatchWorkgroups(1);
    });
    expect(await wordsOf(device, first)).toEqual([1, 2]);
    expect(await wordsOf(device, second)).toEqual([1, 3]);
  });

  test("all of it has to be set", async () => {
    const pipeline = pipelineOf(device, CODE);
    const group = groupOf(device, pipeline, [buffer(device, 8, STORAGE)]);
    const pass = () =>
      submitPass(device, (each) => {
        each.setPipeline(pipeline);
        each.setBindGroup(0, group);
        each.setImmediates(0, new Uint32Array(1));
        each.dispatchWorkgroups(1);
      });
    expect(await errorOf(device, pass)).toMatch(/reads immediate data at byte 4 that setImmediates\(\) has not set/);
  });
});
