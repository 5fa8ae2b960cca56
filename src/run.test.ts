import { expect, test } from "vitest";
import { makeDevice } from "../test/support/gpu.ts";
import { profile, run, sanitize } from "./index.ts";

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

const how = { engine: "interpreter", check: { advice: true } } as const;

test.each([
  ["sanitize", sanitize],
  ["profile", profile],
] as const)("%s beside a GPU: what is said of the launch is said once", async (_, execute) => {
  const launch = { shader: `${shader}\nfn unused(never: u32) {}`, workgroups: [2] };
  const alone = await execute(launch, how);
  const beside = await execute(launch, { ...how, gpu: await makeDevice() });
  expect(alone.diagnostics.map(({ code }) => code)).toContain("unused-function");
  expect(beside.diagnostics.map(({ code }) => code)).toEqual(alone.diagnostics.map(({ code }) => code));
  expect(beside.comparisons).toMatchObject([{ name: "sum on both devices", ok: true }]);
});

test("run beside a GPU, with a result of our own given", async () => {
  const launch = { shader: `${shader}\nfn unused(never: u32) {}`, workgroups: [2] };
  const own = await run(launch, how);
  const both = await run(launch, { ...how, gpu: await makeDevice(), device: "both", own });
  expect(own.diagnostics.map(({ code }) => code)).toContain("unused-function");
  expect(both.diagnostics.map(({ code }) => code)).toEqual(own.diagnostics.map(({ code }) => code));
});

test.each([
  ["run", run],
  ["sanitize", sanitize],
  ["profile", profile],
] as const)("%s runs nothing beside what is no GPU", async (_, execute) => {
  let dispatches = 0;
  const observe = () => {
    dispatches++;
    return null;
  };
  const options = { gpu: {} as GPUDevice, engine: "interpreter", observe } as const;
  await expect(execute({ shader, workgroups: [2] }, options)).rejects.toThrow("‘gpu’ is a GPUDevice");
  expect(dispatches).toBe(0);
});
