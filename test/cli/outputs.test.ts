/** What becomes of the buffers, with every command that executes. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileIn, folder, halay, halayIn, split } from "./cli.ts";

const files = {
  "a.wgsl": `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read> input: array<u32>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3u) { out[id.x] = input[id.x] * 2u; }
`,
};

describe.each(["run", "sanitize", "profile"])("%s", (command) => {
  test("writes buffers, draws them, saves its launch", async () => {
    const cwd = folder(files);
    const line = `${command} a.wgsl --workgroups 1 --buffer input=iota:8 --out out=out.json --out input=in.json --plot out --save-launch saved.launch.json`;
    const { code, out } = await halayIn(cwd, split(line));
    expect(code).toBe(0);
    expect(JSON.parse(fileIn(cwd, "out.json"))).toEqual([0, 2, 4, 6, 8, 10, 12, 14]);
    expect(JSON.parse(fileIn(cwd, "in.json"))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(out).toMatch(/14 │ +█/);
    expect(JSON.parse(fileIn(cwd, "saved.launch.json"))).toMatchObject({ shader: "a.wgsl", workgroups: [1] });
    expect((await halayIn(cwd, [command, "saved.launch.json"])).code).toBe(0);
  });

  test.each([
    ["--out out=no/folder/o.bin", /^error: --out out=no\/folder\/o\.bin: there is no such folder$/],
    ["--out out=here.bin/", /^error: --out out=here\.bin\/: .*expected \.bin, \.npy, \.json or \.csv$/],
    ["--out out=o.png", /‘o\.png’ has no ending that is known: expected \.bin, \.npy, \.json or \.csv$/],
    ["--out out=folder.bin", /^error: --out out=folder\.bin: it is a folder$/],
    ["--out out=o.bin --emulate oob=zero,oob=clamp", /^error: --out takes one input and one device/],
    ["a.wgsl b.wgsl --out out=o.bin", /^error: --out takes one input and one device/],
    [
      "--save-launch no/folder/l.launch.json",
      /‘no\/folder\/l\.launch\.json’ cannot be written: there is no such folder$/,
    ],
  ])("a file that cannot be: %s", async (line, message) => {
    const { code, err } = await halay(`${command} a.wgsl --workgroups 1 ${line}`, {
      files: { ...files, "b.wgsl": files["a.wgsl"], "folder.bin/x": "" },
    });
    expect(err.trimEnd()).toMatch(message);
    expect(code).toBe(2);
  });

  test("a buffer that there is none of; two launches for one file", async () => {
    const { code, err } = await halay(`${command} a.wgsl --plot outt`, { files });
    expect(code).toBe(2);
    expect(err).toContain("did you mean ‘out’?");
    const cwd = folder({ ...files, "b.wgsl": files["a.wgsl"] });
    expect((await halayIn(cwd, split(`${command} a.wgsl b.wgsl --save-launch c.launch.json`))).code).toBe(2);
    expect(existsSync(join(cwd, "c.launch.json"))).toBe(false);
  });
});
