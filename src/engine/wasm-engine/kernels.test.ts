import { expect, test } from "vitest";
import { lowerText } from "../../../test/support/ir.ts";
import { Kernels } from "./kernels.ts";

const OPTIONS = { sharedMemory: true, atomics: true };
const moduleOf = (count: number) =>
  lowerText(`var<workgroup> w: array<u32, ${count}>; @compute @workgroup_size(1) fn main() { w[0] = 1u; }`);

test("a module is compiled once for each set of options", async () => {
  const kernels = new Kernels(() => {});
  const module = moduleOf(1);
  const first = await kernels.get(module, OPTIONS);
  expect(await kernels.get(module, { ...OPTIONS })).toBe(first);
  const plain = await kernels.get(module, { ...OPTIONS, atomics: false });
  const other = await kernels.get(moduleOf(1), OPTIONS);
  expect(new Set([first, plain, other].map((kernel) => kernel!.id)).size).toBe(3);
});

test("what is asked for at the same time is compiled once too", async () => {
  const kernels = new Kernels(() => {});
  const module = moduleOf(2);
  const [a, b] = await Promise.all([kernels.get(module, OPTIONS), kernels.get(module, OPTIONS)]);
  expect(a).toBe(b);
});

test("of many kernels the ones used last are kept", async () => {
  const forgotten: number[] = [];
  const kernels = new Kernels((kernel) => forgotten.push(kernel));
  const modules = Array.from({ length: 130 }, (_, i) => moduleOf(i + 1));
  const first = await kernels.get(modules[0], OPTIONS);
  const second = await kernels.get(modules[1], OPTIONS);
  for (const module of modules.slice(2)) {
    await kernels.get(module, OPTIONS);
    await kernels.get(modules[0], OPTIONS);
  }
  expect(forgotten).toHaveLength(2);
  expect(forgotten[0]).toBe(second!.id);
  expect(await kernels.get(modules[0], OPTIONS)).toBe(first);
  expect(await kernels.get(modules[1], OPTIONS)).not.toBe(second);
});

test("what has to be interpreted is no kernel", async () => {
  const source = "enable subgroups; @compute @workgroup_size(4) fn main() { _ = subgroupAdd(1u); }";
  expect(await new Kernels(() => {}).get(lowerText(source), OPTIONS)).toBeNull();
});
