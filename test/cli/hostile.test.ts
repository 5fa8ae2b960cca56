/** What nobody means: told, with exit code 2 or at its place, and nothing that was there is lost. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Io } from "../../src/cli/io.ts";
import { writeReports } from "../../src/cli/report.ts";
import { root } from "../house/tree.ts";
import { compileSources } from "../support/compiled.ts";
import { fileIn, folder, halay, halayIn, split } from "./cli.ts";

const SHADER = `@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@group(0) @binding(1) var<storage, read_write> w: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { v[i] = i; w[0] += i; }
`;
const files = { "a.wgsl": SHADER, "a.launch.json": '{ "shader": "a.wgsl", "workgroups": [1] }' };

describe("files that would be lost", () => {
  test.each([
    ["check a.wgsl --report json=x --report sarif=x", "--report json and --report sarif would both write ‘x’"],
    ["check a.wgsl --report json=x --report json=./x", "--report json and --report json would both write ‘./x’"],
    ["reflect a.wgsl --report ts=x --report json=x", "--report ts and --report json would both write ‘x’"],
    ["run a.wgsl --out v=x.npy --out w=x.npy", "--out v and --out w would both write ‘x.npy’"],
    ["run a.wgsl --out v=x.json --report json=x.json", "--report json and --out v would both write ‘x.json’"],
    ["profile a.wgsl --save-launch x.json --report json=x.json", "--report json and --save-launch would both write"],
    ["check a.wgsl --report json=a.wgsl", "--report json would write over ‘a.wgsl’, which is an input"],
    ["check --report json=a.launch.json", "--report json would write over ‘a.launch.json’, which is an input"],
    ["reflect a.wgsl --report ts=./a.wgsl", "--report ts would write over ‘./a.wgsl’, which is an input"],
    ["sanitize a.launch.json --out v=a.launch.json", "--out v would write over ‘a.launch.json’, which is an input"],
    ["run a.wgsl --save-launch a.wgsl", "--save-launch would write over ‘a.wgsl’, which is an input"],
    ["check a.wgsl --emit ir --report json=x", "--emit and --report exclude each other"],
  ])("%s", async (line, message) => {
    const cwd = folder(files);
    const { code, out, err } = await halayIn(cwd, split(line));
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(`error: ${message}`);
    expect(fileIn(cwd, "a.wgsl")).toBe(SHADER);
    expect(fileIn(cwd, "a.launch.json")).toBe(files["a.launch.json"]);
  });

  test("a launch may be saved with what was changed in it, a baseline made anew", async () => {
    const cwd = folder({ ...files, "known.json": '{ "results": [] }' });
    const saved = await halayIn(cwd, split("run a.launch.json --workgroups 2 --save-launch a.launch.json"));
    expect(saved.code).toBe(0);
    expect(JSON.parse(fileIn(cwd, "a.launch.json")).workgroups).toEqual([2]);
    const made = await halayIn(cwd, split("sanitize a.launch.json --baseline known.json --report json=known.json"));
    expect(made.code).toBe(1);
    expect(JSON.parse(fileIn(cwd, "known.json")).results[0].findings).not.toEqual([]);
  });
});

describe.each(["check", "reflect", "run", "sanitize", "profile"])("%s", (command) => {
  test("files that cannot be written are told before anything is done", async () => {
    const cwd = folder({ ...files, "d/x": "" });
    const line = `${command} a.wgsl --report json=d --report sarif=s --report json=no/j --report junit=a.wgsl/j`;
    const { code, out, err } = await halayIn(cwd, split(line));
    expect(err).toBe(
      "error: the report ‘d’ cannot be written: it is a folder; the report ‘no/j’ cannot be written: there is no such folder; " +
        "the report ‘a.wgsl/j’ cannot be written: a part of its path is no folder\n",
    );
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(() => fileIn(cwd, "s")).toThrow();
  });

  test.runIf(existsSync("/dev/full"))("one that shows late keeps no other one back", async () => {
    const cwd = folder(files);
    const line = `${command} a.wgsl --report json=/dev/full --report sarif=s --report json=/dev/null`;
    const { code, err } = await halayIn(cwd, split(line));
    expect(err).toBe("error: the report ‘/dev/full’ cannot be written: the disk is full\n");
    expect(code).toBe(2);
    expect(JSON.parse(fileIn(cwd, "s")).version).toBe("2.1.0");
  });
});

test.runIf(process.getuid?.() !== 0)("neither into a folder nor over a file that may not be written", async () => {
  const cwd = folder({ ...files, "locked/file": "" });
  chmodSync(join(cwd, "locked/file"), 0o400);
  chmodSync(join(cwd, "locked"), 0o500);
  // It is to be removed again.
  onTestFinished(() => chmodSync(join(cwd, "locked"), 0o700));
  for (const file of ["locked/new", "locked/file"]) {
    const { code, out, err } = await halayIn(cwd, split(`run a.wgsl --report json=${file}`));
    expect({ code, out, err }).toEqual({
      code: 2,
      out: "",
      err: `error: the report ‘${file}’ cannot be written: access is denied\n`,
    });
  }
});

test("what goes wrong while a report is made is not told as something about its file", () => {
  const wrong = new TypeError("wrong");
  const fail = () => {
    throw wrong;
  };
  const io = { cwd: folder() } as Io;
  expect(() => writeReports([{ format: "json", file: "r" }], fail, io)).toThrow(wrong);
});

test.each(["check", "run", "sanitize", "profile"])("%s of an empty argument takes nothing for it", async (command) => {
  for (const args of [[""], ["a.wgsl", ""]]) {
    const { code, out, err } = await halayIn(folder(files), [command, ...args]);
    expect({ code, out, err }).toEqual({ code: 2, out: "", err: "error: an empty argument names no file\n" });
  }
});

test("- as a report is the output", async () => {
  const cwd = folder(files);
  const { out } = await halayIn(cwd, split("check a.wgsl --quiet --report json=-"));
  expect(JSON.parse(out)).toMatchObject({ version: 1, results: [{ path: "a.wgsl" }] });
  expect(() => fileIn(cwd, "-")).toThrow();
});

describe("baselines", () => {
  const known = async () => (await halay("sanitize a.launch.json --format json", { files })).out;
  const withBaseline = (baseline: string | Uint8Array) =>
    halay("sanitize a.launch.json --baseline b", { files: { ...files, b: baseline } });
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

  test("with a byte order mark and Windows line ends", async () => {
    expect((await halay("sanitize a.launch.json", { files })).code).toBe(1);
    expect((await withBaseline(`\ufeff${(await known()).replaceAll("\n", "\r\n")}`)).code).toBe(0);
  });

  test.each([
    ["", "it is no JSON"],
    ["{", "it is no JSON"],
    ["[]", "it is no report"],
    ["null", "it is no report"],
    [SHADER, "it is no JSON"],
    [utf16("{}"), "it is UTF-16 text, expected UTF-8"],
    [Buffer.alloc(100), "it is a binary file, expected text"],
  ])("none: %j", async (baseline, reason) => {
    const { code, err } = await withBaseline(baseline);
    expect(err).toBe(`error: the baseline ‘b’ cannot be read: ${reason}; --format json writes one\n`);
    expect(code).toBe(2);
  });
});

test.each([
  ['{ "shader": "a.wgsl\\u0000" }', "file-unreadable ‘a.wgsl␀’ cannot be read: there is no such file"],
  ['{ "shader": "a.wgsl", "steps": [{ "repeat": 1e12 }] }', "launch-too-large 1000000000000 is more than 1048576"],
])("%s", async (launch, message) => {
  const { code, out } = await halay("run b.launch.json", { files: { ...files, "b.launch.json": launch } });
  expect(out).toContain(`: error ${message}`);
  expect(code).toBeGreaterThan(0);
});

describe("the program itself", () => {
  beforeAll(compileSources, 120_000);
  const shell = (cwd: string, line: string) => {
    const text = line.replaceAll("halay", `"${process.execPath}" "${join(root, "bin/halay.js")}"`);
    const { status, stdout, stderr } = spawnSync("bash", ["-c", text], { cwd, encoding: "utf8" });
    return { status, stdout, stderr };
  };

  test("a folder as standard input", () => {
    const { status, stdout } = shell(folder({ "d/a.wgsl": SHADER }), "halay check - < d");
    expect({ status, stdout }).toEqual({
      status: 2,
      stdout: "<stdin>:1:1: error file-unreadable ‘<stdin>’ cannot be read: it is a folder\n",
    });
  });

  test("in a folder that is gone", () => {
    const cwd = folder();
    mkdirSync(join(cwd, "gone"));
    const found = shell(cwd, "cd gone && rmdir ../gone && halay check a.wgsl");
    expect(found).toEqual({
      status: 2,
      stdout: "",
      stderr: "error: the current folder cannot be read: there is no such file\n",
    });
    rmSync(join(cwd, "gone"), { force: true, recursive: true });
  });

  test.each([
    ["halay run a.launch.json --format json | head -1", { status: 0, stdout: "{\n", stderr: "" }],
    ["halay check a.wgsl --no-advice < /dev/null", { status: 0, stdout: "", stderr: "" }],
    ["halay check - <&-", { status: 0, stdout: "", stderr: "" }],
  ])("%s", (line, expected) => {
    expect(shell(folder(files), line)).toEqual(expected);
  });
});
