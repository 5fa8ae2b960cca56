/** Devices that are emulated: what they allow, what they have, how many at once. */
import { expect, test } from "vitest";
import { halay } from "./cli.ts";

const files = {
  "half.wgsl": `enable f16;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(128) fn main(@builtin(local_invocation_index) i: u32) { out[i] = f32(f16(i)); }
`,
  "half.launch.json": '{ "shader": "half.wgsl", "workgroups": [1] }',
};

test.each(["half.wgsl", "half.launch.json"])("%s on several devices in one call", async (input) => {
  const devices = [
    "oob=clamp+subgroup-size=16",
    "no-shader-f16",
    "maxComputeInvocationsPerWorkgroup=64",
    "no-subgroups+maxComputeWorkgroupSizeX=512+maxComputeInvocationsPerWorkgroup=512",
  ];
  for (const command of ["run", "sanitize", "profile"]) {
    const { code, out } = await halay(`${command} ${input} --emulate ${devices.join()} --format json`, { files });
    expect(code).toBe(1);
    const { results } = JSON.parse(out);
    const errors = results.map(({ diagnostics }: { diagnostics: { code: string; severity: string }[] }) => [
      ...new Set(diagnostics.filter(({ severity }) => severity === "error").map((each) => each.code)),
    ]);
    expect(errors[0]).toEqual([]);
    expect(errors[1]).toContain("feature-missing");
    expect(errors.slice(2)).toEqual([["workgroup-too-large"], []]);
    const emulated = results.map((each: { emulate?: string }) => each.emulate);
    expect([emulated[0], emulated[3]]).toEqual([devices[0], devices[3]]);
  }
});

test.each([
  ["no-shader-f61", "Did you mean ‘no-shader-f16’?"],
  ["oob=clamp+oob=zero", "‘oob’ is there twice; a comma stands between two devices."],
  ["oob=clamp,no-shader-f16+no-shader-f16", "‘no-shader-f16’ is there twice"],
  ["maxComputeWorkgroupSizeX", "Expected oob="],
  ["oob=zero+", "Expected oob="],
])("--emulate %s", async (text, expected) => {
  const { code, err } = await halay(`run half.wgsl --emulate ${text}`, { files });
  expect(code).toBe(2);
  expect(err).toContain(expected);
});
