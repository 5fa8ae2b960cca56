// wgsl_reflect as an engine.
import { WgslParser } from "wgsl_reflect/wgsl_reflect.module.js";

/** It takes `@workgroup_size(64)` for 6 × 4 invocations. */
export function sizesWrittenOut(text) {
  return text.replace(/@workgroup_size\((\w+)\)/g, "@workgroup_size($1, 1, 1)");
}

/** The tree that its WgslExec runs. */
export function reflectTree(text) {
  return new WgslParser().parse(sizesWrittenOut(text));
}

/** Copies of the buffers of a step, by group and binding. */
export function bindGroups(plan, { module, bindings }) {
  const groups = {};
  for (const [id, index] of bindings) {
    const { group, binding, space } = module.roots[id];
    const bytes = plan.memories[plan.buffers[index].memory].bytes.slice();
    groups[group] ??= {};
    groups[group][binding] = space === "uniform" ? { uniform: bytes.buffer } : bytes.buffer;
  }
  return groups;
}
