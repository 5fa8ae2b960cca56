// Milliseconds that `detectRaces` of wgsl_reflect takes for some invocations of a kernel:
//
//   node bench/detect-races.mjs KERNEL INVOCATIONS
import { detectRaces } from "wgsl_reflect/wgsl_reflect.module.js";
import { makePlan } from "../dist/launch/plan.js";
import { KERNELS } from "./kernels.mjs";
import { bindGroups, sizesWrittenOut } from "./reflect.mjs";

const [name, invocations] = process.argv.slice(2);
const plan = await makePlan(KERNELS.find((kernel) => kernel.name === name).launch);
const [step] = plan.steps;
const size = step.module.workgroupSize.reduce((a, b) => a * b, 1);
const groups = bindGroups(plan, step);
const text = sizesWrittenOut(step.program.source.text);
const start = performance.now();
detectRaces(text, step.entry.name, [Number(invocations) / size, 1, 1], groups);
console.log(performance.now() - start);
