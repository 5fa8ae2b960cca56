import { expect, test } from "vitest";
import { run, sanitize } from "./index.ts";

const shader = `@group(0) @binding(0) var<storage, read_write> sum: atomic<u32>;
@compute @workgroup_size(4) fn main() { atomicAdd(&sum, 1u); }`;

test.each(["wasm", "interpreter"] as const)("the engine %s by its name", async (engine) => {
  const result = await run({ shader, workgroups: [2] }, { engine });
  expect(result.engine).toBe(engine);
  expect(result.buffers.sum.values).toBe(8);
  expect(
    (await sanitize({ shader, workgroups: [2] }, { engine })).findings.filter(({ severity }) => severity === "error"),
  ).toEqual([]);
});

test("an engine that is not there", async () => {
  const running = run({ shader }, { engine: "wsam" as "wasm" });
  await expect(running).rejects.toThrow(new TypeError("there is no engine ‘wsam’; there are ‘wasm’ and ‘interpreter’"));
});
