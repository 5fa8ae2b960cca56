/** In a browser: `navigator.gpu` is ours from here on, whether the browser has one or not. */
import "../../../dist/gpu-auto-browser.js";
import { sortWithThree } from "./three.js";
import { sortWithTypeGpu } from "./typegpu.js";
import { moveParticles } from "./webgpu-utils.js";

globalThis.report = (async () => {
  const particles = await moveParticles();
  const sorted = await sortWithTypeGpu();
  const three = await sortWithThree();
  return { particles, sorted, three };
})();
