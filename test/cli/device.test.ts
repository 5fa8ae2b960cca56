/** `--device`: a real GPU in software. Dawn ends no process that it was loaded in by itself, so each command has its own. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { root } from "../house/tree.ts";
import { compileSources } from "../support/compiled.ts";
import { folder, halay } from "./cli.ts";

const hasDriver = existsSync("/usr/lib/chromium/vk_swiftshader_icd.json");

beforeAll(compileSources, 120_000);

const SCALE = `@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
override factor: u32 = 3;
@compute @workgroup_size(4) fn scale(@builtin(global_invocation_id) id: vec3u) { b[id.x] = a[id.x] * factor; }
`;
/** No two devices have the same sines. */
const ORDER = `@group(0) @binding(0) var<storage, read_write> b: array<u32, 2>;
@compute @workgroup_size(1) fn main(@builtin(num_workgroups) n: vec3u) { b[0] = n.x; b[1] = bitcast<u32>(sin(f32(n.x))); }
`;

function command(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const all = [join(root, "bin/halay.js"), ...args];
    execFile(process.execPath, all, { cwd, env: { ...process.env, ...env }, timeout: 60_000 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), text: out + err });
    });
  });
}

describe.runIf(hasDriver)("on a GPU", () => {
  test("run gives what it computes", async () => {
    const cwd = folder({ "a.wgsl": SCALE });
    const args = ["run", "a.wgsl", "--workgroups", "1", "--buffer", "a=iota:4", "--device", "gpu", "--format", "json"];
    const { code, text } = await command(cwd, [...args, "--override", "factor=5"]);
    const [result] = JSON.parse(text).results;
    expect(code).toBe(0);
    expect(result).toMatchObject({ ok: true, device: "gpu", buffers: { b: { values: [0, 5, 10, 15] } } });
  });

  test("both are compared, and the first element that differs is named", async () => {
    const cwd = folder({ "a.wgsl": SCALE, "b.wgsl": ORDER });
    expect(await command(cwd, ["run", "a.wgsl", "--device", "both"])).toMatchObject({ code: 0 });
    const { code, text } = await command(cwd, ["run", "b.wgsl", "--device", "both"]);
    expect(code).toBe(1);
    expect(text).toMatch(/✗ b on both devices: 1 of 2 values differs\n {2}b\[1\] {2}expected \d+, found \d+/);
  });

  test("sanitize compares as well", async () => {
    const cwd = folder({ "b.wgsl": ORDER });
    const { code, text } = await command(cwd, ["sanitize", "b.wgsl", "--workgroups", "1", "--device", "both"]);
    expect(code).toBe(1);
    expect(text).toMatch(/✗ b.wgsl .*\n {2}chosen: .*\n✗ b on both devices/);
  });

  test("where there is none, it says what is missing", async () => {
    const cwd = folder({ "a.wgsl": SCALE });
    const { code, text } = await command(cwd, ["run", "a.wgsl", "--device", "gpu"], { VK_DRIVER_FILES: "/none" });
    expect(code).toBe(2);
    expect(text).toMatch(/error: the package ‘webgpu’ finds no GPU here; on Linux a Vulkan driver is needed/);
  });
});

test.each([
  ["run a.wgsl --device gpu --trace 'b[0]'", "--trace is for our own engine"],
  ["run a.wgsl --device gpu --schedule random", "--schedule is for our own engine"],
  ["run a.wgsl --device both --emulate oob=clamp", "--emulate is for our own engine"],
  ["sanitize a.wgsl --device gpu", "what races is judged on our own engine"],
  ["profile a.wgsl --device both", "what invocations do is counted on our own engine"],
])("%s is refused", async (line, message) => {
  const { code, err } = await halay(line, { files: { "a.wgsl": SCALE } });
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
});
