/** Examples that the package `three` publishes, as they are: two sorts, run by its renderer. */

import { BitonicSort } from "three/examples/jsm/gpgpu/BitonicSort.js";
import { CountingSort } from "three/examples/jsm/gpgpu/CountingSort.js";
import { instancedArray, instanceIndex } from "three/tsl";
import { WebGPURenderer } from "three/webgpu";

const COUNT = 1024;
const BINS = 64;

export async function sortWithThree() {
  const renderer = new WebGPURenderer();
  await renderer.init();
  const words = async ({ value }) => [...new Uint32Array(await renderer.getArrayBufferAsync(value))];
  const numbers = Uint32Array.from({ length: COUNT }, (_, i) => (i * 7919) % 10007);

  const sorted = instancedArray(numbers.slice(), "uint");
  new BitonicSort(renderer, sorted, { workgroupSize: 64 }).compute(renderer);

  const bins = instancedArray(
    numbers.map((number) => number % BINS),
    "uint",
  );
  const counting = new CountingSort(COUNT, { binCount: BINS });
  counting.setBinNode(() => bins.element(instanceIndex));
  counting.compute(renderer);

  // Within a bin any order will do.
  const order = await words(counting.orderRead);
  return { sorted: await words(sorted), binned: order.map((at) => numbers[at] % BINS), places: new Set(order).size };
}
