// Milliseconds that `detectRaces` of wgsl_reflect takes for some invocations of a kernel:
//
//   node bench/detect-races.mjs KERNEL INVOCATIONS
import { detectRaces } from "wgsl_reflect/wgsl_reflect.module.js";
import { makePlan } from "../dist/launch/plan.js";
import { KERNELS } from "./kernels.mjs";

const [name, invocations] = process.argv.slice(2);
const plan = await makePlan(KERNELS.find((kernel) => kernel.name === name).launch);
const [step] = plan.steps;
const size = step.module.workgroupSize.reduce((a, b) => a * b, 1);
const groups = {};
for (const [id, index] of step.bindings) {
  const { group, binding, space } = step.module.roots[id];
  const bytes = plan.memories[plan.buffers[index].memory].bytes.slice();
  groups[group] ??= {};
  groups[group][binding] = space === "uniform" ? { uniform: bytes.buffer } : bytes.buffer;
}
// It takes `@workgroup_size(64)` for 6 × 4 invocations.
const text = step.program.source.text.replace(/@workgroup_size\((\w+)\)/g, "@workgroup_size($1, 1, 1)");
const start = performance.now();
detectRaces(text, step.entry.name, [Number(invocations) / size, 1, 1], groups);
console.log(performance.now() - start);
