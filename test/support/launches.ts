/** Launch files in tests: run with shaders that are texts. */
import { expect } from "vitest";
import { FileError, type FileReader } from "../../src/launch/files.ts";
import { readLaunch } from "../../src/launch/read-launch.ts";
import type { RunResult } from "../../src/launch/results.ts";
import { type RunOptions, run } from "../../src/launch/run.ts";

/** Runs a launch file whose shaders are these texts. */
export async function runFile(
  launch: object,
  shaders: Readonly<Record<string, string>>,
  options: RunOptions = {},
): Promise<RunResult> {
  const text = JSON.stringify(launch, null, 2);
  const read = readLaunch(text, "dir/a.launch.json");
  expect(read.diagnostics).toEqual([]);
  const files: FileReader = {
    async read(path) {
      const found = shaders[path.replace("dir/", "")];
      if (found === undefined) throw new FileError("there is no such file");
      return new TextEncoder().encode(found);
    },
  };
  return run(read.launch!, { source: read.source, files, ...options });
}

/** What a result says, with the text that each place points at. */
export function said({ diagnostics }: RunResult): readonly string[] {
  return diagnostics.map(({ code, message, span, source }) => `${code} at ${source.slice(span)}: ${message}`);
}

/** Doubles what `data` holds. */
export const double = `@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
  if id.x < arrayLength(&data) { data[id.x] *= 2u; }
}`;
