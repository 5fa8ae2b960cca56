import fc from "fast-check";
import { expect, test } from "vitest";
import { AddressSpace, type Region } from "./address-space.ts";

test("regions are aligned, apart from each other, and come back", () => {
  const steps = fc.array(
    fc.oneof(
      fc.nat(5000),
      fc.nat(20).map((n) => -n - 1),
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (sizes) => {
      const space = new AddressSpace(64, 2 ** 16);
      const all = space.freeBytes;
      const held: Region[] = [];
      for (const size of sizes) {
        if (size < 0) {
          const [region] = held.splice(-size % Math.max(1, held.length), 1);
          if (region !== undefined) space.free(region);
          continue;
        }
        const region = space.allocate(size);
        if (region === null) continue;
        expect(region.address % 64).toBe(0);
        expect(region.size).toBeGreaterThanOrEqual(Math.max(1, size));
        expect(region.address).toBeGreaterThanOrEqual(64);
        expect(region.address + region.size).toBeLessThanOrEqual(2 ** 16);
        for (const other of held) {
          expect(region.address >= other.address + other.size || other.address >= region.address + region.size).toBe(
            true,
          );
        }
        held.push(region);
      }
      expect(space.freeBytes).toBe(all - held.reduce((sum, { size }) => sum + size, 0));
      for (const region of held) space.free(region);
      // All in one piece again.
      expect(space.allocate(all)).toEqual({ address: 64, size: all });
    }),
  );
});

test("what does not fit is refused, and takes nothing", () => {
  const space = new AddressSpace(0, 1024);
  expect(space.allocate(1025)).toBeNull();
  expect(space.allocate(1024)).toEqual({ address: 0, size: 1024 });
  expect(space.allocate(0)).toBeNull();
});
