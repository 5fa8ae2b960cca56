import { beforeEach, describe, expect, test } from "vitest";
import {
  buffer,
  bufferOf,
  COPY_DST,
  COPY_SRC,
  errorOf,
  makeDevice,
  QUERY_RESOLVE,
  STORAGE,
  submitPass,
  thrownBy,
  wordsOf,
} from "../../test/support/gpu.ts";

let device: GPUDevice;

beforeEach(async () => {
  device = await makeDevice({ features: ["timestamp-query"] });
});

/** The error of `finish` after some encoding. */
function finishError(encode: (encoder: GPUCommandEncoder) => void): Promise<string | null> {
  const encoder = device.createCommandEncoder({ label: "e" });
  encode(encoder);
  return errorOf(device, () => encoder.finish());
}

describe("states", () => {
  test.each<[string, (encoder: GPUCommandEncoder) => void, RegExp | null]>([
    ["nothing", () => {}, null],
    ["a pass", (e) => e.beginComputePass().end(), null],
    ["an open pass", (e) => e.beginComputePass(), /a pass of the command encoder ‘e’ is open; end\(\) it first/],
    ["a command while a pass is open", locked, /GPUCommandEncoder.insertDebugMarker\(\): a pass .* is open/],
    ["a group that is open", (e) => e.pushDebugGroup("g"), /the debug group ‘g’ was not popped/],
    ["a group that is not", (e) => e.popDebugGroup(), /popDebugGroup\(\): there is no debug group to pop/],
    ["groups in pairs", nested, null],
    [
      "a group that its pass leaves open",
      openInPass,
      /GPUComputePassEncoder.end\(\): the debug group ‘p’ was not popped/,
    ],
    ["a dispatch without a pipeline", noPipeline, /dispatchWorkgroups\(\): no pipeline is set/],
    ["a bind group too far", farGroup, /setBindGroup\(\): the index 4 is not below maxBindGroups, which is 4/],
  ])("%s", async (_, encode, message) => {
    const error = await finishError(encode);
    if (message === null) expect(error).toBeNull();
    else expect(error).toMatch(message);
  });

  test("after the end", async () => {
    const encoder = device.createCommandEncoder({ label: "e" });
    const pass = encoder.beginComputePass({ label: "p" });
    pass.end();
    expect(await errorOf(device, () => pass.end())).toMatch(/end\(\): the compute pass ‘p’ has ended/);
    expect(await errorOf(device, () => pass.insertDebugMarker("x"))).toMatch(/the compute pass ‘p’ has ended/);
    encoder.finish();
    expect(await errorOf(device, () => encoder.insertDebugMarker("x"))).toMatch(/the command encoder ‘e’ has ended/);
    expect(await errorOf(device, () => encoder.finish())).toMatch(/the command encoder ‘e’ was finished before/);
  });
});

function locked(encoder: GPUCommandEncoder): void {
  const pass = encoder.beginComputePass();
  encoder.insertDebugMarker("x");
  pass.end();
}

function nested(encoder: GPUCommandEncoder): void {
  encoder.pushDebugGroup("a");
  encoder.pushDebugGroup("b");
  encoder.popDebugGroup();
  encoder.popDebugGroup();
}

function openInPass(encoder: GPUCommandEncoder): void {
  const pass = encoder.beginComputePass();
  pass.pushDebugGroup("p");
  pass.end();
}

function noPipeline(encoder: GPUCommandEncoder): void {
  const pass = encoder.beginComputePass();
  pass.dispatchWorkgroups(1);
  pass.end();
}

function farGroup(encoder: GPUCommandEncoder): void {
  const pass = encoder.beginComputePass();
  pass.setBindGroup(4, null);
  pass.end();
}

describe("copies", () => {
  test("parts of buffers", async () => {
    const source = bufferOf(device, [1, 2, 3, 4], COPY_SRC);
    const target = bufferOf(device, [9, 9, 9, 9], COPY_SRC);
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(source, 4, target, 8, 8);
    device.queue.submit([encoder.finish()]);
    expect(await wordsOf(device, target)).toEqual([9, 9, 2, 3]);
  });

  test("whole buffers, and the beginning of one", async () => {
    const source = bufferOf(device, [1, 2, 3], COPY_SRC);
    const [all, some] = [0, 1].map(() => bufferOf(device, [9, 9, 9], COPY_SRC));
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(source, all);
    encoder.copyBufferToBuffer(source, some, 8);
    device.queue.submit([encoder.finish()]);
    expect(await wordsOf(device, all)).toEqual([1, 2, 3]);
    expect(await wordsOf(device, some)).toEqual([1, 2, 9]);
  });

  const copy = (offset: number, to: number, size?: number) => (encoder: GPUCommandEncoder) =>
    encoder.copyBufferToBuffer(buffer(device, 16, COPY_SRC, "s"), offset, buffer(device, 8, COPY_DST, "d"), to, size);

  test.each<[string, (encoder: GPUCommandEncoder) => void, RegExp]>([
    ["a crooked size", copy(0, 0, 3), /the size 3 is no multiple of 4/],
    ["a crooked source offset", copy(2, 0, 4), /the source offset 2 is no multiple of 4/],
    ["a crooked destination offset", copy(0, 2, 4), /the destination offset 2 is no multiple of 4/],
    ["more than the source has", copy(12, 0, 8), /8 bytes at 12 leave the buffer ‘s’ of 16 bytes/],
    ["more than the destination has", copy(0, 4, 8), /8 bytes at 4 leave the buffer ‘d’ of 8 bytes/],
    ["from beyond the source", copy(20, 0), /the source offset 20 is beyond the buffer ‘s’ of 16 bytes/],
    [
      "to itself",
      (e) => ((b) => e.copyBufferToBuffer(b, b))(buffer(device, 4, COPY_SRC | COPY_DST, "b")),
      /cannot be copied to itself/,
    ],
    [
      "from what is not for it",
      (e) => e.copyBufferToBuffer(buffer(device, 4, STORAGE), buffer(device, 4, COPY_DST)),
      /lacks COPY_SRC/,
    ],
  ])("%s", async (_, encode, message) => {
    expect(await finishError(encode)).toMatch(message);
  });

  test("arguments that fit none of the two forms", async () => {
    const b = buffer(device, 4, COPY_SRC);
    const call =
      (...args: unknown[]) =>
      () =>
        (device.createCommandEncoder().copyBufferToBuffer as (...each: unknown[]) => void).apply(
          device.createCommandEncoder(),
          args,
        );
    expect(await thrownBy(call(b, 0, b))).toMatch(/^TypeError: .*argument 2 must be a GPUBuffer/);
    expect(await thrownBy(call(b))).toMatch(/^TypeError: .*takes at least 2 arguments; 1 given/);
    expect(await thrownBy(call(b, 0, 0, 0))).toMatch(/^TypeError: argument 3 .* must be a GPUBuffer/);
  });

  test("clearing", async () => {
    const made = bufferOf(device, [1, 2, 3, 4], COPY_SRC);
    const encoder = device.createCommandEncoder();
    encoder.clearBuffer(made, 4, 8);
    device.queue.submit([encoder.finish()]);
    expect(await wordsOf(device, made)).toEqual([1, 0, 0, 4]);
    expect(await finishError((e) => e.clearBuffer(made, 2))).toMatch(/the size 14 is no multiple of 4/);
    expect(await finishError((e) => e.clearBuffer(made, 20))).toMatch(/0 bytes at 20 leave the buffer/);
  });
});

describe("timestamps", () => {
  test("are taken at both ends of a pass, in nanoseconds", async () => {
    const querySet = device.createQuerySet({ type: "timestamp", count: 4 });
    const timestampWrites = { querySet, beginningOfPassWriteIndex: 1, endOfPassWriteIndex: 2 };
    submitPass(device, () => {}, { timestampWrites });
    const resolved = buffer(device, 32, QUERY_RESOLVE | COPY_SRC);
    const encoder = device.createCommandEncoder();
    encoder.resolveQuerySet(querySet, 0, 4, resolved, 0);
    device.queue.submit([encoder.finish()]);
    const [zero, begin, end, last] = new BigUint64Array(new Uint32Array(await wordsOf(device, resolved)).buffer);
    expect([zero, last]).toEqual([0n, 0n]);
    expect(begin).toBeGreaterThan(0n);
    expect(end).toBeGreaterThanOrEqual(begin);
    expect(begin % 100_000n).toBe(0n);
  });

  test.each<[string, Partial<GPUComputePassTimestampWrites>, RegExp]>([
    ["nowhere", {}, /has neither of its two indices/],
    ["twice at one place", { beginningOfPassWriteIndex: 1, endOfPassWriteIndex: 1 }, /has the index 1 twice/],
    ["too far", { endOfPassWriteIndex: 4 }, /the index 4 is not below 4, the count of the query set ‘q’/],
  ])("written %s", async (_, writes, message) => {
    const querySet = device.createQuerySet({ type: "timestamp", count: 4, label: "q" });
    const timestampWrites = { querySet, ...writes };
    expect(await finishError((encoder) => encoder.beginComputePass({ timestampWrites }).end())).toMatch(message);
  });

  test("need their feature", async () => {
    const other = await makeDevice();
    expect(await thrownBy(() => other.createQuerySet({ type: "timestamp", count: 1 }))).toMatch(/^TypeError/);
  });

  test.each<[string, number, number, number, RegExp]>([
    ["more than there are", 2, 3, 0, /3 queries from 2 on go beyond the 4/],
    ["from beyond the last", 4, 0, 0, /0 queries from 4 on go beyond the 4/],
    ["to a crooked place", 0, 1, 8, /the destination offset 8 is no multiple of 256/],
    ["to where there is no room", 0, 4, 256, /32 bytes at 256 leave the buffer/],
  ])("resolving %s", async (_, first, count, offset, message) => {
    const querySet = device.createQuerySet({ type: "occlusion", count: 4 });
    const target = buffer(device, 264, QUERY_RESOLVE);
    expect(await finishError((e) => e.resolveQuerySet(querySet, first, count, target, offset))).toMatch(message);
  });

  test("a destroyed query set cannot be submitted", async () => {
    const querySet = device.createQuerySet({ type: "occlusion", count: 1, label: "q" });
    const encoder = device.createCommandEncoder();
    encoder.resolveQuerySet(querySet, 0, 1, buffer(device, 8, QUERY_RESOLVE), 0);
    const commands = encoder.finish();
    querySet.destroy();
    expect(await errorOf(device, () => device.queue.submit([commands]))).toMatch(/the query set ‘q’ is destroyed/);
  });
});
