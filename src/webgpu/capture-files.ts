/** Captured dispatches as files that the command line takes: a launch each, its shader and its large buffers beside it. */
import { layoutOf } from "../layout/layout.ts";
import { BufferView } from "../layout/view.ts";
import { bindingKey } from "../reflect/reflection.ts";
import { jsonText } from "../text/json.ts";
import type { CapturedDispatch } from "./capture.ts";

/** Contents up to this many bytes stand in the launch itself, where they can be read and changed. */
const MOST_INLINE = 1024;

export function captureFiles(dispatches: readonly CapturedDispatch[]): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const shaders = new Map<string, string>();
  const text = new TextEncoder();
  for (const [i, { launch, labels }] of dispatches.entries()) {
    const { text: code, path } = launch.shader.source;
    let shader = shaders.get(code);
    if (shader === undefined) {
      shader = freeName(files, fileName(path.replace(/\.wgsl$/, "")) || "shader", ".wgsl");
      shaders.set(code, shader);
      files.set(shader, text.encode(code));
    }
    const name = `${String(i + 1).padStart(3, "0")}-${fileName(labels.pipeline) || launch.entry}`;
    const buffers: Record<string, unknown> = {};
    for (const [key, bytes] of Object.entries(launch.buffers)) {
      const variable = launch.shader.variables.find(
        (each) => each.name === key || (each.group !== null && bindingKey(each) === key),
      )!;
      if (bytes.byteLength <= MOST_INLINE) {
        buffers[variable.name] = { values: new BufferView(bytes, layoutOf(variable.type)).read() };
        continue;
      }
      const file = `${name}-${variable.name}.bin`;
      files.set(file, bytes);
      buffers[variable.name] = { file };
    }
    const { entry, workgroups, overrides = {} } = launch;
    const constants = Object.keys(overrides).length === 0 ? {} : { overrides };
    files.set(`${name}.launch.json`, text.encode(jsonText({ shader, entry, workgroups, ...constants, buffers })));
  }
  return files;
}

/** A label as a part of a file name. */
function fileName(label: string): string {
  return label
    .normalize("NFKD")
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 60);
}

function freeName(files: ReadonlyMap<string, unknown>, name: string, ending: string): string {
  for (let i = 1; ; i++) {
    const candidate = `${name}${i === 1 ? "" : `-${i}`}${ending}`;
    if (!files.has(candidate)) return candidate;
  }
}
