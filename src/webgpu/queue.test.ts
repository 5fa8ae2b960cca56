import { beforeEach, describe, expect, test } from "vitest";
import {
  buffer,
  COPY_DST,
  COPY_SRC,
  errorOf,
  MAP_READ,
  makeDevice,
  STORAGE,
  thrownBy,
  wordsOf,
} from "../../test/support/gpu.ts";

let device: GPUDevice;

beforeEach(async () => {
  device = await makeDevice();
});

describe("writeBuffer", () => {
  test.each<[string, BufferSource | SharedArrayBuffer, number | undefined, number | undefined, number[]]>([
    ["all of a typed array", new Uint32Array([1, 2]), undefined, undefined, [0, 1, 2, 0]],
    ["its elements from one on", new Uint32Array([1, 2, 3]), 1, undefined, [0, 2, 3, 0]],
    ["some of its elements", new Uint16Array([1, 2, 3, 4]), 2, 2, [0, 0x40003, 0, 0]],
    ["a part of its buffer", new Uint32Array([1, 2, 3]).subarray(1), 0, 1, [0, 2, 0, 0]],
    ["bytes", new Uint32Array([1, 2, 3]).buffer, 4, 4, [0, 2, 0, 0]],
    ["nothing", new Uint32Array([1]), 1, undefined, [0, 0, 0, 0]],
  ])("%s", async (_, data, offset, size, expected) => {
    const made = buffer(device, 16, COPY_DST | COPY_SRC);
    device.queue.writeBuffer(made, 4, data as BufferSource, offset, size);
    expect(await wordsOf(device, made)).toEqual(expected);
  });

  test("the data is copied when it is called", async () => {
    const made = buffer(device, 4, COPY_DST | COPY_SRC);
    const data = new Uint32Array([1]);
    device.queue.writeBuffer(made, 0, data);
    data[0] = 2;
    expect(await wordsOf(device, made)).toEqual([1]);
  });

  test.each<[string, number, number | undefined, RegExp]>([
    ["from beyond its end", 5, undefined, /the offset 5 into the data is beyond its 4 elements/],
    ["beyond its end", 2, 3, /3 elements at 2 go beyond the 4 elements/],
    ["no whole words", 0, 3, /the size of 6 bytes is no multiple of 4/],
  ])("data that is not there: %s", async (_, offset, size, message) => {
    const made = buffer(device, 16, COPY_DST);
    const write = () => device.queue.writeBuffer(made, 0, new Uint16Array(4), offset, size);
    expect(await thrownBy(write)).toMatch(/^OperationError/);
    expect(await thrownBy(write)).toMatch(message);
  });

  test.each<[string, number, number, RegExp]>([
    ["a buffer that is not for it", STORAGE, 0, /has the usage STORAGE, which lacks COPY_DST/],
    ["a crooked offset", COPY_DST, 2, /the buffer offset 2 is no multiple of 4/],
    ["too far", COPY_DST, 16, /8 bytes at 16 leave the buffer ‘b’ of 16 bytes/],
  ])("wrong calls: %s", async (_, usage, offset, message) => {
    const made = buffer(device, 16, usage, "b");
    expect(await errorOf(device, () => device.queue.writeBuffer(made, offset, new Uint32Array(2)))).toMatch(message);
  });
});

describe("submit", () => {
  test("a command buffer once", async () => {
    const commands = device.createCommandEncoder({ label: "e" }).finish({ label: "c" });
    expect(await errorOf(device, () => device.queue.submit([commands, commands]))).toMatch(/is there twice/);
    expect(await errorOf(device, () => device.queue.submit([commands]))).toMatch(
      /the command buffer ‘c’ is invalid: it was submitted before/,
    );
  });

  test("nothing of another device", async () => {
    const other = await makeDevice();
    const commands = other.createCommandEncoder().finish({ label: "c" });
    expect(await errorOf(device, () => device.queue.submit([commands]))).toMatch(/‘c’ belongs to another device/);
  });
});

test("work is done in order, and told when it is", async () => {
  const source = buffer(device, 4, COPY_DST | COPY_SRC);
  const staging = buffer(device, 4, COPY_DST | MAP_READ);
  const order: string[] = [];
  device.queue.writeBuffer(source, 0, new Uint32Array([1]));
  const first = device.queue.onSubmittedWorkDone().then(() => order.push("first"));
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(source, staging);
  device.queue.submit([encoder.finish()]);
  const mapped = staging.mapAsync(GPUMapMode.READ).then(() => order.push("mapped"));
  device.queue.writeBuffer(source, 0, new Uint32Array([2]));
  const second = device.queue.onSubmittedWorkDone().then(() => order.push("second"));
  order.push("called");
  await Promise.all([first, mapped, second]);
  expect(order).toEqual(["called", "first", "mapped", "second"]);
  expect([...new Uint32Array(staging.getMappedRange())]).toEqual([1]);
});
