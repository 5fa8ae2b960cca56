import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  buffer,
  bufferOf,
  COPY_DST,
  COPY_SRC,
  errorOf,
  MAP_READ,
  MAP_WRITE,
  makeDevice,
  STORAGE,
  thrownBy,
  wordsOf,
} from "../../test/support/gpu.ts";

let device: GPUDevice;

beforeEach(async () => {
  device = await makeDevice();
});

describe("creation", () => {
  test.each<[string, GPUBufferDescriptor, RegExp | null]>([
    ["all of one usage", { size: 4, usage: STORAGE }, null],
    ["nothing at all in it", { size: 0, usage: STORAGE }, null],
    ["the largest", { size: 2 ** 28, usage: STORAGE }, null],
    [
      "too large",
      { size: 2 ** 28 + 1, usage: STORAGE },
      /the size 268435457 is above maxBufferSize, which is 268435456/,
    ],
    ["no usage", { size: 4, usage: 0 }, /the usage is 0/],
    ["unknown usage", { size: 4, usage: 0x8000 | STORAGE }, /STORAGE \| 0x8000 has bits that are no buffer usage/],
    ["read by the host and copied to", { size: 4, usage: MAP_READ | COPY_DST }, null],
    ["read by the host and copied from", { size: 4, usage: MAP_READ | COPY_SRC }, /MAP_READ goes with COPY_DST only/],
    [
      "written by the host and by shaders",
      { size: 4, usage: MAP_WRITE | STORAGE },
      /MAP_WRITE goes with COPY_SRC only/,
    ],
  ])("%s", async (_, descriptor, message) => {
    const error = await errorOf(device, () => device.createBuffer(descriptor));
    if (message === null) expect(error).toBeNull();
    else expect(error).toMatch(message);
  });

  test("mapped at creation needs whole words", async () => {
    const create = () => device.createBuffer({ size: 6, usage: STORAGE, mappedAtCreation: true });
    expect(await thrownBy(create)).toMatch(/^RangeError: .*multiple of 4, not 6/);
  });

  test.each([2 ** 32 + 4, 2 ** 37, Number.MAX_SAFE_INTEGER - 3])(
    "mapped at creation, %d bytes cannot be had",
    async (size) => {
      const create = () => device.createBuffer({ size, usage: STORAGE, mappedAtCreation: true });
      expect(await thrownBy(create)).toBe(`RangeError: there is no memory to map ${size} bytes`);
      // Not mapped, it is nothing worse than a buffer that is not valid.
      const made = await errorOf(device, () => device.createBuffer({ size, usage: STORAGE }));
      expect(made).toMatch(/is above maxBufferSize/);
    },
  );

  test("mapped at creation, less than that throws where the host has no memory for it", async () => {
    vi.stubGlobal(
      "ArrayBuffer",
      class {
        constructor() {
          throw new RangeError("Array buffer allocation failed");
        }
      },
    );
    try {
      const create = () => device.createBuffer({ size: 16, usage: STORAGE, mappedAtCreation: true });
      expect(await thrownBy(create)).toBe("RangeError: there is no memory to map 16 bytes");
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test("mapped at creation works for buffers that are not valid, too", async () => {
    device.pushErrorScope("validation");
    const made = device.createBuffer({ size: 8, usage: 0, mappedAtCreation: true });
    expect(made.mapState).toBe("mapped");
    expect(made.getMappedRange().byteLength).toBe(8);
    made.unmap();
    expect(await device.popErrorScope()).not.toBeNull();
  });
});

describe("mapping", () => {
  test("for reading: the contents, and what is written to it is lost", async () => {
    const source = bufferOf(device, [1, 2, 3, 4], COPY_SRC);
    const staging = buffer(device, 16, MAP_READ | COPY_DST);
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(source, staging);
    device.queue.submit([encoder.finish()]);
    expect(staging.mapState).toBe("unmapped");
    const mapped = staging.mapAsync(GPUMapMode.READ);
    expect(staging.mapState).toBe("pending");
    await mapped;
    expect(staging.mapState).toBe("mapped");
    const words = new Uint32Array(staging.getMappedRange());
    expect([...words]).toEqual([1, 2, 3, 4]);
    words.fill(9);
    staging.unmap();
    expect(words.length).toBe(0);
    await staging.mapAsync(GPUMapMode.READ, 8, 8);
    expect([...new Uint32Array(staging.getMappedRange(8))]).toEqual([3, 4]);
  });

  test("for writing: in parts, which go back when it ends", async () => {
    const staging = buffer(device, 32, MAP_WRITE | COPY_SRC);
    await staging.mapAsync(GPUMapMode.WRITE);
    new Uint32Array(staging.getMappedRange(0, 4)).fill(5);
    new Uint32Array(staging.getMappedRange(8, 8)).fill(6);
    staging.unmap();
    expect(await wordsOf(device, staging)).toEqual([5, 0, 6, 6, 0, 0, 0, 0]);
  });

  test("at creation: what is written is there from the start", async () => {
    const made = device.createBuffer({ size: 8, usage: STORAGE | COPY_SRC, mappedAtCreation: true });
    new Uint32Array(made.getMappedRange()).set([7, 8]);
    made.unmap();
    expect(await wordsOf(device, made)).toEqual([7, 8]);
  });

  test.each<[string, number, number | undefined, RegExp]>([
    ["twice the same", 0, 8, /overlaps the one from 0 to 16/],
    ["inside another", 8, 0, /overlaps the one from 0 to 16/],
    ["a crooked offset", 20, 4, /the offset 20 is no multiple of 8/],
    ["a crooked size", 24, 3, /the size 3 is no multiple of 4/],
    ["too far", 24, 16, /from 24 to 40 leaves what is mapped, from 0 to 32/],
    ["too far without a size", 40, undefined, /leaves what is mapped/],
  ])("ranges that cannot be had: %s", async (_, offset, size, message) => {
    const made = device.createBuffer({ size: 32, usage: STORAGE, mappedAtCreation: true });
    made.getMappedRange(0, 16);
    expect(await thrownBy(() => made.getMappedRange(offset, size))).toMatch(/^OperationError/);
    expect(await thrownBy(() => made.getMappedRange(offset, size))).toMatch(message);
  });

  test("an empty range at the end of another one", () => {
    const made = device.createBuffer({ size: 32, usage: STORAGE, mappedAtCreation: true });
    made.getMappedRange(0, 16);
    expect(made.getMappedRange(16, 0).byteLength).toBe(0);
  });

  test.each<[string, number, number, number | undefined, RegExp]>([
    ["both modes", GPUMapMode.READ | GPUMapMode.WRITE, 0, 4, /either READ or WRITE, not READ \| WRITE/],
    ["the other mode", GPUMapMode.WRITE, 0, 4, /MAP_READ, which lacks MAP_WRITE/],
    ["a crooked offset", GPUMapMode.READ, 4, 4, /the offset 4 is no multiple of 8/],
    ["a crooked size", GPUMapMode.READ, 0, 2, /the size 2 is no multiple of 4/],
    ["too far", GPUMapMode.READ, 8, 16, /from 8 to 24 leaves the buffer ‘b’ of 16 bytes/],
  ])("wrong requests: %s", async (_, mode, offset, size, message) => {
    const made = buffer(device, 16, MAP_READ, "b");
    let failed: string | null = null;
    const error = await errorOf(device, () => made.mapAsync(mode, offset, size).catch(({ name }) => (failed = name)));
    expect(error).toMatch(message);
    expect(failed).toBe("OperationError");
    expect(made.mapState).toBe("unmapped");
  });

  test("no second time while it is under way or done", async () => {
    const made = buffer(device, 16, MAP_READ, "b");
    const first = made.mapAsync(GPUMapMode.READ);
    expect(await errorOf(device, () => made.mapAsync(GPUMapMode.READ).catch(() => {}))).toMatch(/waiting to be mapped/);
    await first;
    expect(await errorOf(device, () => made.mapAsync(GPUMapMode.READ).catch(() => {}))).toMatch(/mapped already/);
  });

  test("ends early: the promise is rejected, the buffer can be used", async () => {
    const made = buffer(device, 16, MAP_WRITE | COPY_SRC);
    const pending = thrownBy(() => made.mapAsync(GPUMapMode.WRITE));
    made.unmap();
    expect(await pending).toMatch(/^AbortError/);
    expect(await wordsOf(device, made)).toEqual([0, 0, 0, 0]);
    await made.mapAsync(GPUMapMode.WRITE);
    expect(made.mapState).toBe("mapped");
  });

  test("ends with the buffer and with the device", async () => {
    const [a, b] = [0, 1].map(() => device.createBuffer({ size: 8, usage: STORAGE, mappedAtCreation: true }));
    const [ofA, ofB] = [a.getMappedRange(), b.getMappedRange()];
    a.destroy();
    expect([ofA.byteLength, a.mapState]).toEqual([0, "unmapped"]);
    const c = buffer(device, 8, MAP_READ);
    const pending = thrownBy(() => c.mapAsync(GPUMapMode.READ));
    device.destroy();
    expect(ofB.byteLength).toBe(0);
    expect(await pending).toMatch(/^AbortError/);
    expect(await thrownBy(() => c.mapAsync(GPUMapMode.READ))).toMatch(/^AbortError/);
  });
});

describe("in use", () => {
  test("mapped, waiting or destroyed buffers cannot be submitted or written", async () => {
    const made = buffer(device, 16, MAP_READ | COPY_DST, "b");
    const clear = () => {
      const encoder = device.createCommandEncoder();
      encoder.clearBuffer(made);
      device.queue.submit([encoder.finish()]);
    };
    const pending = made.mapAsync(GPUMapMode.READ);
    expect(await errorOf(device, clear)).toMatch(/the buffer ‘b’ (waits to be|is) mapped; unmap\(\) it first/);
    await pending;
    expect(await errorOf(device, clear)).toMatch(/the buffer ‘b’ is mapped; unmap\(\) it first/);
    expect(await errorOf(device, () => device.queue.writeBuffer(made, 0, new Uint8Array(4)))).toMatch(/is mapped/);
    made.unmap();
    expect(await errorOf(device, clear)).toBeNull();
    made.destroy();
    expect(await errorOf(device, clear)).toMatch(/the buffer ‘b’ is destroyed/);
  });

  test("what was submitted before still runs", async () => {
    const source = bufferOf(device, [1, 2], COPY_SRC);
    const target = buffer(device, 8, COPY_DST | COPY_SRC);
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(source, target);
    device.queue.submit([encoder.finish()]);
    source.destroy();
    expect(await wordsOf(device, target)).toEqual([1, 2]);
  });
});
