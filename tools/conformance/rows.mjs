// The rows of the table in docs/conformance.md: the parts of the suite that need buffers and compute only, or nearly so.

/** Spec files whose path begins so are about drawing, texels, pages, or another kind of device. */
const LEFT_OUT = [
  "api,operation,command_buffer,copyTexture",
  "api,operation,command_buffer,image_copy",
  "api,operation,command_buffer,render",
  "api,operation,memory_sync,texture",
  ..."render_pass render_pipeline rendering sampling storage_texture texture_view vertex_state"
    .split(" ")
    .map((name) => `api,operation,${name}`),
  "api,operation,resource_init,texture",
  "api,validation,encoding,beginRenderPass",
  "api,validation,encoding,cmds,copyTexture",
  "api,validation,encoding,cmds,index_",
  "api,validation,encoding,cmds,render",
  "api,validation,encoding,createRenderBundle",
  "api,validation,encoding,render_bundle",
  "api,validation,gpu_external_texture",
  "api,validation,image_copy",
  "api,validation,non_filterable_texture",
  "api,validation,queue,copyToTexture",
  "api,validation,queue,destroyed,texture",
  "api,validation,queue,writeTexture",
  "api,validation,render_pass",
  "api,validation,render_pipeline",
  "api,validation,resource_usages,texture",
  "api,validation,texture",
  "shader,execution,expression,call,builtin,dpd",
  "shader,execution,expression,call,builtin,fwidth",
  "shader,execution,expression,call,builtin,texture",
  "shader,execution,robust_access_vertex",
  "shader,execution,shader_io,fragment_builtins",
  "shader,execution,shader_io,user_io",
  "shader,execution,shader_io,vertex_builtins",
];
const SUITES = ["api,operation,", "api,validation,", "idl,", "shader,execution,", "shader,validation,"];
const BUILTINS = "shader,execution,expression,call,builtin";
const SUBGROUPS = new RegExp(`^${BUILTINS},(subgroup|quad)`);

/** The row of a spec file (`shader,validation,types`); null: none. */
export function rowOf(file) {
  if (!SUITES.some((suite) => file.startsWith(suite)) || LEFT_OUT.some((path) => file.startsWith(path))) return null;
  if (SUBGROUPS.test(file)) return `${BUILTINS}, subgroups and quads`;
  if (file.startsWith(BUILTINS)) return `${BUILTINS}, ${file.includes("builtin,atomics") ? "atomics" : "the others"}`;
  const parts = file.split(",");
  if (parts[0] === "idl") return "idl";
  return parts.slice(0, /^shader,execution,(expression|shader_io)/.test(file) ? 4 : 3).join(",");
}

/** So many cases of a spec file are run, evenly spread: the 17,061 of subgroups are much alike. */
export function sampleOf(file) {
  return SUBGROUPS.test(file) ? 56 : Number.POSITIVE_INFINITY;
}
