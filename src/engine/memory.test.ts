import { describe, expect, test } from "vitest";
import { bindingView, Memory } from "./memory.ts";

describe("snapshots", () => {
  test("bring back the bytes, any number of times and in any order", () => {
    const memory = new Memory(10_000);
    const states = [0, 1, 2, 3].map((value) => {
      memory.bytes[value * 3000] = value + 1;
      return { snapshot: memory.snapshot(), bytes: memory.bytes.slice() };
    });
    for (const index of [2, 0, 3, 3, 1]) {
      memory.bytes.fill(99);
      memory.restore(states[index].snapshot);
      expect(memory.bytes).toEqual(states[index].bytes);
    }
  });

  test("share pages that did not change", () => {
    const memory = new Memory(3 * 4096);
    const before = memory.snapshot();
    memory.bytes[5000] = 1;
    const after = memory.snapshot();
    expect(after.pages.map((page, index) => page === before.pages[index])).toEqual([true, false, true]);
  });

  test("of another size are refused", () => {
    expect(() => new Memory(8).restore(new Memory(12).snapshot())).toThrow(RangeError);
  });
});

test("a memory takes bytes as they are, and so do its views", () => {
  const bytes = new Uint8Array(new ArrayBuffer(32), 8, 16);
  const view = new Memory(bytes).view(2, 6);
  view.setUint16(0, 0x1234, true);
  expect([...bytes.subarray(0, 4)]).toEqual([0, 0, 0x34, 0x12]);
  expect(view.byteLength).toBe(6);
});

test.each([
  [0, 17],
  [-1, 4],
  [13, 4],
  [Number.NaN, 4],
])("a binding at %d of %d bytes does not fit 16", (offset, size) => {
  expect(() => bindingView({ memory: new Memory(16), offset, size }, "data")).toThrow(/‘data’/);
});
