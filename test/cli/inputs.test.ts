import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { folder, halay, halayIn } from "./cli.ts";

const GOOD = "@compute @workgroup_size(1) fn main() {}\n";

interface CheckJson {
  readonly version: 1;
  readonly results: readonly { path: string; diagnostics: readonly { code: string }[] }[];
  readonly summary: { errors: number; warnings: number; infos: number; failed: number };
}

async function checked(line: string, files: Record<string, string | Uint8Array>, stdin = ""): Promise<CheckJson> {
  return JSON.parse((await halay(`check ${line} --format json`, { files, stdin })).out) as CheckJson;
}

const paths = (json: CheckJson) => json.results.map(({ path }) => path.replaceAll("\\", "/"));

describe("files are found", () => {
  test("in folders, in order, once each", async () => {
    const files = { "s/b.wgsl": GOOD, "s/a.wgsl": GOOD, "s/t/c.WGSL": GOOD, "s/d.txt": "", "s/e.launch.json": "{}" };
    expect(paths(await checked("s s/a.wgsl s", files))).toEqual(["s/a.wgsl", "s/b.wgsl", "s/t/c.WGSL"]);
  });

  test("not in node_modules, dotted folders and what .gitignore names", async () => {
    const files = {
      ".gitignore": "# made\nout/\n*.gen.wgsl\n!keep.gen.wgsl\n/top.wgsl\n",
      "a.wgsl": GOOD,
      "top.wgsl": GOOD,
      "x.gen.wgsl": GOOD,
      "keep.gen.wgsl": GOOD,
      "out/b.wgsl": GOOD,
      "deep/out/b.wgsl": GOOD,
      "deep/top.wgsl": GOOD,
      "deep/.gitignore": "local.wgsl",
      "deep/local.wgsl": GOOD,
      ".cache/c.wgsl": GOOD,
      "node_modules/p/d.wgsl": GOOD,
    };
    expect(paths(await checked(".", files))).toEqual(["a.wgsl", "deep/top.wgsl", "keep.gen.wgsl"]);
  });

  test("one that is named is taken even if it is ignored", async () => {
    expect(paths(await checked("a.wgsl", { ".gitignore": "*", "a.wgsl": GOOD }))).toEqual(["a.wgsl"]);
  });

  test.each(["run", "sanitize", "profile"])(
    "%s of a folder says which shaders none of its launch files names",
    async (command) => {
      const shader = "@compute @workgroup_size(1) fn main() {}";
      const steps = JSON.stringify({ steps: [{ shader: "../a.wgsl" }, { shader: "b.wgsl", workgroups: 1 }] });
      const files = { "s/a.wgsl": shader, "s/t/b.wgsl": shader, "s/t/b.launch.json": steps };
      const errOf = async (line: string, more = {}) =>
        (await halay(`${command} ${line}`, { files: { ...files, ...more } })).err;
      expect(await errOf("s")).toBe("");
      const others = { "s/c.wgsl": shader, "s/t/d.wgsl": shader };
      expect(await errOf("s", others)).toBe(
        "note: ‘s’ stands for its launch files; none of them names s/c.wgsl, s/t/d.wgsl\n",
      );
      expect(await errOf("s s/c.wgsl s/t/d.wgsl", others)).toBe("");
      expect(await errOf("s --quiet", others)).toBe("");
      const many = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((i) => [`s/x${i}.wgsl`, shader]));
      expect(await errOf("s", many)).toMatch(/names s\/x1\.wgsl, .*, s\/x5\.wgsl and 2 more\n$/);
      // A launch file with faults names its shader all the same; one that is no JSON may name any.
      const faulty = (text: string) => ({ "s/c.wgsl": shader, "s/t/d.wgsl": shader, "s/c.launch.json": text });
      const c = '"shader": "c.wgsl"';
      for (const text of [
        `{ ${c}, "workgroup": 1 }`,
        `{ ${c}, ${c} }`,
        `{ "steps": [5, null, { ${c}, "entry": 5 }] }`,
      ]) {
        expect(await errOf("s", faulty(text))).toMatch(/none of them names s\/t\/d\.wgsl\n$/);
      }
      for (const text of ["null", "5", '{ "steps": 5, "shader": 5 }']) {
        expect(await errOf("s", faulty(text))).toMatch(/none of them names s\/c\.wgsl, s\/t\/d\.wgsl\n$/);
      }
      expect(await errOf("s", faulty(`{ ${c} `))).toBe("");
      // One without launch files stands for its shaders.
      expect(await errOf("u", { "u/a.wgsl": shader })).toBe("");
    },
  );

  test("without arguments: all launch files", async () => {
    const launch = '{ "shader": "a.wgsl" }';
    const files = {
      "x/a.wgsl": GOOD,
      "x/b.launch.json": launch,
      "x/other.json": "{}",
      "node_modules/c.launch.json": launch,
    };
    expect(paths(await checked("", files))).toEqual(["x/b.launch.json"]);
  });

  test("a folder that leads back to itself ends", async () => {
    const path = folder({ "a.wgsl": GOOD });
    symlinkSync(path, join(path, "loop"));
    expect((await halayIn(path, ["check", "."])).code).toBe(0);
  });

  test("standard input", async () => {
    expect(paths(await checked("-", {}, "fn f() {}"))).toEqual(["<stdin>"]);
  });
});

describe("what cannot be read is told with its place, exit code 2", () => {
  const utf8 = (text: string) => new TextEncoder().encode(text);
  test.each([
    ["a UTF-16 file", Buffer.from(`\ufeff${GOOD}`, "utf16le"), 1, 1, "it is UTF-16 text, expected UTF-8"],
    [
      "invalid UTF-8",
      Buffer.concat([utf8("// é\nfn 日"), Buffer.of(0xff), utf8("() {}")]),
      2,
      5,
      "byte 12 (0xff) is not valid UTF-8",
    ],
    ["UTF-8 that is cut off", utf8("// é 日 👍").slice(0, -1), 1, 8, "byte 10 (0xf0) is not valid UTF-8"],
    [
      "a surrogate in UTF-8",
      Buffer.concat([utf8("// some text "), Buffer.of(0xed, 0xa0, 0x80)]),
      1,
      14,
      "byte 13 (0xed) is not valid UTF-8",
    ],
    ["zeros", new Uint8Array(1000), 1, 1, "it is a binary file, expected text"],
    ["noise", Uint8Array.from({ length: 999 }, (_, i) => (i * 7919) % 256), 1, 1, "it is a binary file, expected text"],
    ["SPIR-V", Buffer.of(3, 2, 35, 7, 0, 0, 1, 0, 0, 0, 0, 0), 1, 1, "it is SPIR-V, expected WGSL text"],
  ])("%s", async (_, bytes, line, column, reason) => {
    for (const command of ["check a.wgsl", "run a.wgsl"]) {
      const { code, out } = await halay(`${command} --format compact`, { files: { "a.wgsl": bytes } });
      expect(out).toBe(`a.wgsl:${line}:${column}: error file-unreadable ‘a.wgsl’ cannot be read: ${reason}\n`);
      expect(code).toBe(2);
    }
    // The same in the launch that names it.
    for (const command of ["check", "run", "sanitize", "profile", "check --emit ir"]) {
      const files = { "a.wgsl": bytes, "l.launch.json": '{ "shader": "a.wgsl" }' };
      const { code, out, err } = await halay(`${command} l.launch.json --format compact`, { files });
      expect(out + err).toBe(`l.launch.json:1:13: error file-unreadable ‘a.wgsl’ cannot be read: ${reason}\n`);
      expect(code).toBe(2);
    }
  });

  test("the rest is still checked", async () => {
    const files = { "a.wgsl": new Uint8Array(100), "b.wgsl": "fn f() { x; }" };
    const { code, out } = await halay("check a.wgsl b.wgsl", { files });
    expect(out).toMatch(/^a\.wgsl:1:1: error file-unreadable .*\nb\.wgsl:1:\d+: error /);
    expect(code).toBe(2);
  });

  test.each([
    ["shadr.wgsl", "did you mean ‘shader.wgsl’?"],
    ["shader", "did you mean ‘shader.wgsl’?"],
    ["test", "did you mean ‘test.launch.json’?"],
    ["no/such/file.wgsl", null],
  ])("a missing file: %s", async (name, hint) => {
    const files = { "shader.wgsl": GOOD, "test.launch.json": "{}" };
    const { code, out } = await halay(`check ${name} --format pretty`, { files });
    expect(out).toContain(`‘${name}’ cannot be read: there is no such file`);
    if (hint === null) expect(out).not.toContain("hint");
    else expect(out).toContain(`= hint: ${hint}`);
    expect(code).toBe(2);
  });

  test("a file of many gigabytes is not read", async () => {
    const path = folder();
    writeFileSync(join(path, "a.wgsl"), "");
    truncateSync(join(path, "a.wgsl"), 3 * 2 ** 30);
    const { code, out } = await halayIn(path, ["check", "a.wgsl"]);
    expect(out).toMatch(/it has 3221225472 bytes, more than \d+/);
    expect(code).toBe(2);
  });

  test.runIf(existsSync("/dev/zero"))("what never ends is not read to the end", async () => {
    const { code, out } = await halay("check /dev/zero");
    expect(out).toMatch(/it has 268435457 bytes, more than 268435456/);
    expect(code).toBe(2);
  });

  test("a byte order mark is no part of the text", async () => {
    const { code, out } = await halay("check a.wgsl", { files: { "a.wgsl": `\ufefffn f() { x; }` } });
    expect(out).toMatch(/^a\.wgsl:1:10: error/);
    expect(code).toBe(1);
  });
});

describe("the installed command", () => {
  const bin = fileURLToPath(new URL("../../bin/halay.js", import.meta.url));

  test("runs, and does not mind that nobody reads on", () => {
    const path = folder({ "a.wgsl": "fn f() { x; }\n".repeat(3000) });
    const line = `"${process.execPath}" "${bin}" check "${path}/a.wgsl" | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const output = execFileSync("bash", ["-c", line], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    expect(output).toMatch(/^.*a\.wgsl:\d+:\d+: error .*\n1\n$/);
  });

  test.runIf(existsSync("/dev/full"))("says that its output cannot be written, and fails", () => {
    const path = folder({ "a.wgsl": "@compute @workgroup_size(1) fn main() {}" });
    for (const args of ["--help", `check --format json "${path}/a.wgsl"`, `run "${path}/a.wgsl" "${path}/a.wgsl"`]) {
      const line = `"${process.execPath}" "${bin}" ${args} 2>&1 >/dev/full; echo $?`;
      expect(execFileSync("bash", ["-c", line], { encoding: "utf8" })).toBe(
        "error: the output cannot be written: the disk is full\n2\n",
      );
    }
  });

  test("an error output that cannot be written changes no exit code", () => {
    const line = `"${process.execPath}" "${bin}" chek 2>&-; echo $?`;
    expect(execFileSync("bash", ["-c", line], { encoding: "utf8" })).toBe("2\n");
  });
});

describe("a form in an option that is none is told at its part, not as a value", () => {
  const shader = `@group(0) @binding(0) var<storage, read_write> n: i32;
@group(0) @binding(1) var<storage, read_write> list: array<u32, 4>;
@compute @workgroup_size(1) fn main() { n = -2; list[0] = 1; }`;

  test.each([
    ['--expect list={"values":[1,2],"count":«-1»}', "launch-too-small -1 is less than 0"],
    ['--expect list={"values":[1],"count":«1.5»}', "launch-type expected a whole number or a string, found 1.5"],
    ['--expect list={"values":[1],"count":«[1]»}', "launch-type expected a whole number or a string, found an array"],
    ['--expect list={"values":[1],"count":«"n"»}', "path-no-number ‘n’ is -2, expected a whole number from 0"],
    ['--expect list={"values":[1],"count":«"m"»}', "buffer-unknown there is no buffer ‘m’; there is ‘n’, ‘list’"],
    ['--expect list={"values":[1],"count":«"-1"»}', "path-syntax ‘-1’ is no path"],
    ['--expect list={"values":[1],"unordered":«3»}', "launch-type expected a boolean, found 3"],
    ['--expect list={"values":[1],"count":1,"x":«1»}', "launch-unknown-key ‘x’ is not known here"],
    ['--expect list={"u32":[0,«-7»]}', "launch-too-small -7 is less than 0"],
    ['--expect list={"same":«3»}', "launch-type expected a string, found 3"],
    ['--buffer list={"unwritten":«-3»}', "launch-too-small -3 is less than 0"],
    ['--buffer list={"u32":[0,«1.5»]}', "launch-type expected a whole number, found 1.5"],
    ['--expect «list={"count":-1}»', "launch-missing ‘values’ is missing"],
    ['--expect «list={"else":1}»', "value-mismatch array<u32, 4> is written as an array, not as an object"],
  ])("%s", async (marked, message) => {
    const text = marked.replaceAll(/[«»]/g, "");
    const { code, out } = await halayIn(folder({ "a.wgsl": shader }), ["run", "a.wgsl", ...text.split(" ")]);
    expect(out).toContain(`command line:1:${marked.indexOf("«") + 1}: error ${message}`);
    expect(code).toBe(2);
  });

  test.each([
    ["--expect", 'list={"values":[1,0,0,0]}', 0],
    ["--buffer", 'list={"u32":[1,2,3,4]}', 0],
    ["--buffer", "list=[1,2,3,4]", 0],
    ["--set", "list[0]=1", 0],
    ["--expect", 'list={"values":[1],"count":-1}', 2],
  ])("a byte order mark before what was read from a file is none of it: %s %s", async (option, text, status) => {
    const marked = text.replace("=", "=\ufeff");
    const { code, out, err } = await halayIn(folder({ "a.wgsl": shader }), ["run", "a.wgsl", option, marked]);
    expect({ code, err }).toEqual({ code: status, err: "" });
    const place = `command line:1:${`${option} ${marked}`.indexOf("-1") + 1}: error launch-too-small`;
    if (status === 2) expect(out).toContain(place);
  });

  test("and so it is in a launch file", async () => {
    const launch = '{ "shader": "a.wgsl", "expect": { "list": "{\\"values\\":[1],\\"count\\":-1}" } }';
    const { code, out } = await halay("run a.launch.json", { files: { "a.wgsl": shader, "a.launch.json": launch } });
    expect(out).toContain(`a.launch.json:1:${launch.indexOf('"{') + 1}: error launch-too-small -1 is less than 0`);
    expect(code).toBe(1);
  });
});
