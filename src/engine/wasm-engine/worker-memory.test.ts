import { describe, expect, test } from "vitest";
import { PAGE_SIZE } from "./webassembly.ts";
import { WorkerMemory } from "./worker-memory.ts";

describe("shared", () => {
  test("memory grows; views from before see what is written after", () => {
    const memory = new WorkerMemory(true);
    const first = memory.allocate(100);
    const view = memory.bytes(first, 100);
    const large = memory.allocate(50 * PAGE_SIZE);
    memory.bytes(large, 50 * PAGE_SIZE).fill(7);
    memory.bytes(first, 100)[3] = 9;
    expect(view[3]).toBe(9);
    expect(view.length).toBe(100);
    expect(memory.shared!.buffer.byteLength).toBeGreaterThan(50 * PAGE_SIZE);
  });

  test("the last byte below 4 GiB can be had, more cannot", () => {
    const memory = new WorkerMemory(true);
    expect(() => memory.allocate(2 ** 32)).toThrow(/4294967296 bytes do not fit: .* 4 GiB/);
    const all = memory.allocate(65535 * PAGE_SIZE - 64);
    const view = memory.bytes(all, all.size);
    view[all.size - 1] = 5;
    expect(view[all.size - 1]).toBe(5);
    expect(() => memory.allocate(1)).toThrow(RangeError);
    memory.free(all);
    expect(memory.allocate(1).address).toBe(64);
  });

  test("what is wanted zero is zero, whether it was used before, in part or never", () => {
    const memory = new WorkerMemory(true);
    const used = memory.allocate(100);
    memory.bytes(used, 128).fill(7);
    memory.free(used);
    for (const size of [60, 10, 1000, 100, 3 * PAGE_SIZE]) {
      const region = memory.allocateZeroed(size);
      const bytes = memory.bytes(region, size);
      expect(bytes.every((byte) => byte === 0)).toBe(true);
      bytes.fill(9);
      if (size % 100 === 0) memory.free(region);
    }
  });

  test("a smaller limit is kept", () => {
    const memory = new WorkerMemory(true, 4);
    expect(() => memory.allocate(4 * PAGE_SIZE)).toThrow(RangeError);
    expect(memory.allocate(3 * PAGE_SIZE).address).toBe(64);
  });
});

test("where nothing is shared only addresses are given", () => {
  const memory = new WorkerMemory(false);
  expect(memory.shared).toBeNull();
  expect(memory.allocate(2 ** 31)).toEqual({ address: 64, size: 2 ** 31 });
  expect(() => memory.allocate(2 ** 31)).toThrow(RangeError);
});
