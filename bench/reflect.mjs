// wgsl_reflect as an engine.
import { WgslParser } from "wgsl_reflect/wgsl_reflect.module.js";

/** The tree that its WgslExec runs. It takes `@workgroup_size(64)` for 6 × 4 invocations, so all sizes are written out. */
export function reflectTree(text) {
  return new WgslParser().parse(text.replace(/@workgroup_size\((\w+)\)/g, "@workgroup_size($1, 1, 1)"));
}
