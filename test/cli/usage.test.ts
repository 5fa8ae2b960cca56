import { describe, expect, onTestFinished, test } from "vitest";
import { processIo } from "../../src/cli/io.ts";
import { read } from "../house/tree.ts";
import { folder, halay, halayIn } from "./cli.ts";

const GOOD = "@compute @workgroup_size(1) fn main() {}\n";

describe("help", () => {
  test("of the whole names the commands and shows examples", async () => {
    const { code, out } = await halay("--help");
    expect(code).toBe(0);
    for (const word of ["check", "reflect", "run", "$ halay run"]) expect(out).toContain(word);
  });

  test.each(["check", "reflect", "run"])("of %s shows its options and examples", async (command) => {
    for (const line of [`${command} --help`, `help ${command}`]) {
      const { code, out } = await halay(line);
      expect(code).toBe(0);
      expect(out).toContain(`Usage: halay ${command}`);
      expect(out).toContain("--format");
      expect(out).toMatch(/Examples:\n {2}\$ halay /);
    }
  });

  test("the version is the package's", async () => {
    const { version } = JSON.parse(read("package.json")) as { version: string };
    expect(await halay("--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });
});

describe("wrong use is told on the error output, exit code 2", () => {
  test.each([
    ["", /^Usage: halay/],
    ["chek a.wgsl", /^error: unknown command 'chek'\n\(Did you mean check\?\)\n$/],
    ["chek --help", /^error: unknown command 'chek'\n\(Did you mean check\?\)\n$/],
    ["explore a.wgsl -h", /^error: unknown command 'explore'\n$/],
    ["a.wgsl", /^error: ‘a\.wgsl’ is no command: ‘halay check a\.wgsl’ checks it, ‘halay run a\.wgsl’ runs it\n$/],
    ["a.launch.json --quiet", /^error: ‘a\.launch\.json’ is no command: ‘halay check/],
    [
      "check a.wgsl --json",
      /^error: unknown option '--json'\n\(‘--format json’ prints it, ‘--report json=FILE’ writes it to a file\)\n$/,
    ],
    ["sanitize a.wgsl --sarif=a.sarif", /‘--report sarif=FILE’ writes it/],
    ["sanitize a.wgsl --workers -1", /Expected a whole number from 1 to 256/],
    ["check a.wgsl --formt json", /^error: unknown option '--formt'\n\(Did you mean --format\?\)\n$/],
    ["check a.wgsl --format yaml", /'yaml' is invalid. Allowed choices are pretty, compact, json/],
    ["check a.wgsl --fail-on all", /'all' is invalid/],
    ["check a.wgsl --max-warnings -1", /Expected a whole number from 0/],
    ["run a.wgsl --seed -1", /Expected a whole number from 0/],
    ["sanitize a.wgsl --checks rac", /‘rac’ is no check: .*, or all/],
    ["sanitize a.wgsl --checks ,", /'--checks <list>' argument ',' is invalid. Expected one or more names, by comma/],
    ["check a.wgsl --features ,", /Expected one or more names, by comma/],
    ["check a.wgsl --target ,", /Expected one or more names, by comma/],
    ["check a.wgsl --off ,", /Expected one or more names, by comma/],
    ["check a.wgsl --report out.json", /Expected FORMAT=FILE/],
    ["check a.wgsl --report pdf=out", /‘pdf’ is no format/],
    ["check a.wgsl --report json=no/such/folder", /‘no\/such\/folder’ cannot be written: there is no such folder/],
    ["check a.wgsl --features shader-f17", /‘shader-f17’ is no feature; did you mean ‘shader-f16’\?/],
    ["check", /no file given, and no \*\.launch\.json below this folder/],
    ["check empty", /‘empty’ holds no \.wgsl file/],
    ["run empty", /‘empty’ holds no \*\.launch\.json and no \.wgsl file/],
    ["reflect", /missing required argument 'file'/],
    ["reflect a.wgsl b.wgsl", /too many arguments/],
    ["reflect a.launch.json", /is no shader; reflect takes a WGSL file/],
    ["reflect override.wgsl --override n=y", /--override n=y: expected a number, true or false/],
    ["reflect override.wgsl --override nn=3", /there is no override ‘nn’; did you mean ‘n’\?/],
    ["reflect a.wgsl --override n=3", /there is no override ‘n’; the shader has none/],
    ["run a.wgsl --workgroups 1,2,3,4", /Expected X, X,Y or X,Y,Z/],
    ["run a.wgsl --workgroups 70000", /Expected X, X,Y or X,Y,Z/],
    ["run a.wgsl --workgroups 1 --invocations 1", /--workgroups and --invocations exclude each other/],
    ["run a.wgsl --entry main --call 'f()'", /--entry and --call exclude each other/],
    ["run a.wgsl --schedule backwards", /Allowed choices are in-order, interleave, random/],
    ["run a.wgsl --weak-fail 2", /Expected a number from 0 to 1/],
    ["run a.wgsl --timeout 0", /Expected a number of seconds above 0/],
    ["run a.wgsl --emulate oob=wrap", /Expected oob=clamp\|zero\|discard/],
    ["run a.wgsl --buffer a", /Expected NAME=SPEC/],
    ["run a.wgsl --device tpu", /Allowed choices are cpu, gpu, both/],
    ["run a.wgsl --plot bins", /there is no buffer ‘bins’/],
    ["run steps.launch.json --workgroups 2", /the launch has steps.*--workgroups has no place/],
    ["run a.wgsl a.launch.json --save-launch x.json", /--save-launch takes one input/],
    ["run a.wgsl --save-launch no/such/folder", /cannot be written: there is no such folder/],
  ])("halay %s", async (line, message) => {
    const path = folder({
      "a.wgsl": GOOD,
      "empty/readme.md": "",
      "a.launch.json": "{}",
      "override.wgsl": "override n: u32;",
      "steps.launch.json": '{ "shader": "a.wgsl", "steps": [{ "entry": "main" }] }',
    });
    // Found again and again: launch files of this folder, unless there are to be none.
    const { code, out, err } = line === "check" ? await halay("check") : await halayIn(path, args(line));
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
    expect(out).not.toContain("error");
  });
});

function args(line: string): string[] {
  return line === "" ? [] : line.split(" ").map((part) => part.replaceAll("'", ""));
}

test("what is not there yet is not offered", async () => {
  const { out } = await halay("--help");
  expect(out).not.toMatch(/explore|debug/);
  expect((await halay("explore a.wgsl")).code).toBe(2);
});

describe("colours", () => {
  const files = { "a.wgsl": "fn f() { x }" };
  const isColoured = async (args: string, env: Record<string, string>, terminal: boolean) =>
    (await halay(`check a.wgsl --format pretty ${args}`, { files, env, terminal })).out.includes("\u001b[");

  test.each([
    ["", {}, true, true],
    ["", {}, false, false],
    ["", { NO_COLOR: "1" }, true, false],
    ["", { FORCE_COLOR: "1" }, false, true],
    ["", { FORCE_COLOR: "0" }, true, false],
    ["", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
    ["", { TERM: "dumb" }, true, false],
    ["--color", { NO_COLOR: "1" }, false, true],
    ["--color=never", { FORCE_COLOR: "1" }, true, false],
    ["--no-color", {}, true, false],
    ["--color=auto", {}, true, true],
    ["--color never", { FORCE_COLOR: "1" }, true, false],
    ["--color always", { NO_COLOR: "1" }, false, true],
  ])("‘%s’ with %j, terminal: %s", async (args, env, terminal, expected) => {
    expect(await isColoured(args, env, terminal)).toBe(expected);
  });

  test("--color takes no file for its value", async () => {
    expect((await halay("check --color a.wgsl", { files: { "a.wgsl": GOOD } })).code).toBe(0);
  });
});

test.each([
  [0, 100],
  [undefined, 100],
  [72, 72],
])("a terminal that says %s columns has %s", (columns, expected) => {
  const before = Object.getOwnPropertyDescriptor(process.stdout, "columns");
  onTestFinished(() => void Object.defineProperty(process.stdout, "columns", before ?? { value: undefined }));
  Object.defineProperty(process.stdout, "columns", { value: columns, configurable: true });
  expect(processIo().stdout.columns).toBe(expected);
});

describe("the format, where none is asked for", () => {
  const files = { "a.wgsl": "fn f() { x; }" };
  test.each([
    [true, { NO_COLOR: "1" }, /^error\[/],
    [false, {}, /^a\.wgsl:1:\d+: error /],
    [true, { GITHUB_ACTIONS: "true" }, /^::error file=a\.wgsl/],
    [false, { GITHUB_ACTIONS: "1" }, /^::error file=a\.wgsl/],
    [false, { GITHUB_ACTIONS: "" }, /^a\.wgsl:1:\d+: error /],
  ])("terminal: %s, %j", async (terminal, env, expected) => {
    expect((await halay("check a.wgsl", { files, terminal, env })).out).toMatch(expected);
  });
});
