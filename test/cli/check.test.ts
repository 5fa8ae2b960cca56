import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileIn, folder, halay, halayIn } from "./cli.ts";

const GOOD = "@compute @workgroup_size(1) fn main() {}\n";
const BAD = "@group(0) @binding(0) var<storage, read_write> bins: array<u32>;\nfn f() {\n  let a = bin[0];\n}\n";

describe("pretty", () => {
  test("an error with its line, a hint and the section", async () => {
    const { code, out, err } = await halay("check a.wgsl --format pretty", { files: { "a.wgsl": BAD } });
    expect(out).toContain("\n --> a.wgsl:3:11\n  │\n3 │   let a = bin[0];\n  │           ^^^\n  │\n");
    expect(out).toMatch(/^error\[unresolved-identifier\]: ‘bin’ is not declared/);
    expect(out).toContain("‘bins’");
    expect(out).toContain("= spec: https://www.w3.org/TR/WGSL/#resolves");
    expect(out).toMatch(/✗ 1 file: 1 error\n$/);
    expect({ code, err }).toEqual({ code: 1, err: "" });
  });

  test("good files are counted", async () => {
    const files = { "a.wgsl": GOOD, "b.wgsl": GOOD };
    expect(await halay("check . --format pretty", { files })).toEqual({
      code: 0,
      out: "✓ 2 files: nothing to report\n",
      err: "",
    });
  });

  test("of very many messages the first are shown", async () => {
    const files = { "a.wgsl": `fn f() {\n${Array.from({ length: 150 }, (_, at) => `  _ = x${at};\n`).join("")}}\n` };
    const { out } = await halay("check a.wgsl --format pretty", { files });
    expect(out.match(/^error\[/gm)).toHaveLength(50);
    expect(out).toContain("\n100 more in a.wgsl\n");
    expect(out).toContain("1 file: 150 errors");
  });
});

test("compact: nothing but the messages", async () => {
  const files = { "a.wgsl": BAD, "b.wgsl": GOOD };
  const { code, out, err } = await halay("check a.wgsl b.wgsl --format compact", { files });
  expect(out).toMatch(/^a\.wgsl:3:11: error unresolved-identifier ‘bin’ is not declared.*\n$/);
  expect({ code, err }).toEqual({ code: 1, err: "" });
});

test("json: one result per input, and a summary", async () => {
  const files = { "a.wgsl": BAD, "b.wgsl": GOOD };
  const { code, out } = await halay("check a.wgsl b.wgsl --format json", { files });
  expect(JSON.parse(out)).toEqual({
    version: 1,
    results: [
      {
        path: "a.wgsl",
        diagnostics: [
          expect.objectContaining({
            code: "unresolved-identifier",
            severity: "error",
            args: { name: "bin" },
            path: "a.wgsl",
            start: { line: 3, column: 11, offset: 84 },
            end: { line: 3, column: 14, offset: 87 },
            spec: "#resolves",
            notes: [expect.objectContaining({ message: "did you mean ‘bins’?", path: "a.wgsl" })],
          }),
        ],
      },
      { path: "b.wgsl", diagnostics: [] },
    ],
    summary: { errors: 1, warnings: 0, infos: 0, failed: 1 },
  });
  expect(code).toBe(1);
});

test("reports are written beside what is printed", async () => {
  const path = folder({ "a.wgsl": BAD });
  const args = ["check", "a.wgsl", "--format", "compact", "--report", "json=a.json", "--report", "markdown=a.md"];
  const { code, out } = await halayIn(path, args);
  expect(code).toBe(1);
  expect(out).toMatch(/^a\.wgsl:3:11: error/);
  expect(JSON.parse(fileIn(path, "a.json"))).toMatchObject({ version: 1, summary: { errors: 1 } });
  expect(fileIn(path, "a.md")).toMatch(/^### a\.wgsl\n/);
});

describe("what makes the command fail", () => {
  // A launch that fills a buffer which no dispatch uses is told with a warning.
  const files = {
    "a.wgsl": `@group(0) @binding(0) var<storage, read_write> unused: array<u32>;\n${GOOD}`,
    "a.launch.json": '{ "shader": "a.wgsl", "buffers": { "unused": "zeros:4" } }',
  };
  test.each([
    ["", 0],
    ["--fail-on warning", 1],
    ["--fail-on info", 1],
    ["--max-warnings 1", 0],
    ["--max-warnings 0", 1],
  ])("a warning, %s", async (options, expected) => {
    const { code, out } = await halay(`check a.launch.json ${options}`, { files });
    expect(out).toMatch(/^a\.launch\.json:1:\d+: warning buffer-unused /m);
    expect(code).toBe(expected);
  });

  test("--quiet prints only what fails", async () => {
    expect((await halay("check a.launch.json --quiet", { files })).out).toBe("");
    expect((await halay("check a.launch.json --quiet --fail-on warning", { files })).out).toContain("buffer-unused");
    expect(await halay("check a.wgsl --quiet --format pretty", { files })).toEqual({ code: 0, out: "", err: "" });
  });
});

describe("advice", () => {
  const files = {
    "a.wgsl": `@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@group(0) @binding(1) var<storage, read_write> used: atomic<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  list[atomicAdd(&used, 1u)] = id.x;
}
`,
    "pointer.wgsl": `fn raise(count: ptr<workgroup, atomic<u32>>) { atomicAdd(count, 1u); }
`,
  };
  const codes = async (args: string) => {
    const { code, out } = await halay(args, { files });
    return { code, codes: [...out.matchAll(/^\S+ (?:error|warning|info) (\S+)/gm)].map(([, found]) => found) };
  };

  test("is given, and can be left out as a whole or by code", async () => {
    const both = ["append-without-guard", "contended-address"];
    expect(await codes("check a.wgsl")).toEqual({ code: 0, codes: both });
    expect(await codes("check a.wgsl --off contended-address")).toEqual({ code: 0, codes: both.slice(0, 1) });
    expect(await codes("check a.wgsl --no-advice")).toEqual({ code: 0, codes: [] });
    expect((await codes("check a.wgsl --fail-on warning")).code).toBe(1);
  });

  test("what a browser does not accept fails", async () => {
    expect(await codes("check pointer.wgsl --target chrome,safari")).toEqual({ code: 0, codes: [] });
    expect(await codes("check pointer.wgsl --target firefox")).toEqual({ code: 1, codes: ["not-in-target"] });
  });

  test("unknown names are refused", async () => {
    const { code, err } = await halay("check a.wgsl --off append-guard", { files });
    expect(err).toContain("‘append-guard’ is no warning or advice");
    expect(code).toBe(2);
    expect((await halay("check a.wgsl --target lynx", { files })).err).toContain("expected chrome, firefox, safari");
  });
});

describe("--baseline", () => {
  const WISE =
    "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n@compute @workgroup_size(1) fn main() {\n  let x = 1u;\n  b[0] = 1u;\n}\n";
  const known = async (files: Readonly<Record<string, string>>, args: string) => {
    const cwd = folder(files);
    writeFileSync(join(cwd, "known.json"), (await halayIn(cwd, [...args.split(" "), "--format", "json"])).out);
    return cwd;
  };
  const told = async (cwd: string, args: string) => {
    const { code, out } = await halayIn(cwd, [...args.split(" "), "--format", "json"]);
    const { results, summary } = JSON.parse(out);
    return [
      code,
      results.flatMap((each: { diagnostics: { code: string }[] }) => each.diagnostics.map((one) => one.code)),
      summary,
    ];
  };
  const nothing = { errors: 0, warnings: 0, infos: 0, failed: 0 };

  test("leaves out warnings and advice that it holds, and they do not fail", async () => {
    const cwd = await known({ "a.wgsl": WISE, "b.wgsl": GOOD }, "check .");
    expect((await halayIn(cwd, ["check", ".", "--fail-on", "info"])).code).toBe(1);
    expect(await told(cwd, "check . --baseline known.json --fail-on info")).toEqual([0, [], nothing]);
    // Lines may move; what is new is told.
    writeFileSync(join(cwd, "a.wgsl"), `\n${WISE.replace("  b[0]", "  let y = 1u;\n  b[0]")}`);
    const [code, codes] = await told(cwd, "check . --baseline known.json --fail-on info");
    expect([code, codes]).toEqual([1, ["unused-variable"]]);
  });

  test("leaves no errors out", async () => {
    const cwd = await known({ "a.wgsl": BAD }, "check a.wgsl");
    expect((await told(cwd, "check a.wgsl --baseline known.json")).slice(0, 2)).toEqual([1, ["unresolved-identifier"]]);
  });

  test("is read before anything is checked", async () => {
    const cwd = folder({ "a.wgsl": GOOD });
    const missing = await halayIn(cwd, ["check", "a.wgsl", "--baseline", "none.json"]);
    expect([missing.code, missing.err]).toEqual([
      2,
      expect.stringContaining("the baseline ‘none.json’ cannot be read"),
    ]);
    const both = await halayIn(cwd, ["check", "a.wgsl", "--baseline", "none.json", "--emit", "ir"]);
    expect([both.code, both.err]).toEqual([2, expect.stringContaining("--emit and --baseline exclude each other")]);
  });
});

describe("launch files", () => {
  const shader =
    "struct P { at: vec3f, mass: f32 }\n@group(0) @binding(0) var<storage, read_write> ps: array<P>;\n@compute @workgroup_size(1) fn main() { ps[0].mass = 1; }\n";
  const launch = (entries: object) => JSON.stringify({ shader: "a.wgsl", ...entries });
  const checked = (text: string, wgsl = shader) =>
    halay("check a.launch.json", { files: { "a.wgsl": wgsl, "a.launch.json": text } });

  test("a good one, with advice on its shader", async () => {
    const { code, out } = await checked(launch({ buffers: { ps: "zeros:4" } }));
    expect(out).toMatch(/^a\.wgsl:1:23: info vec3-tucked-scalar .*\n$/);
    expect(code).toBe(0);
  });

  test.each([
    ["no JSON", '{ "shader": }', /^a\.launch\.json:1:13: error launch-syntax /],
    ["an unknown key", launch({ bufers: {} }), /^a\.launch\.json:1:\d+: error launch-unknown-key .*bufers/],
    ["an unknown buffer", launch({ buffers: { pt: "zeros:4" } }), /error buffer-unknown .*‘pt’/],
    ["a stride that the shader does not have", launch({ hostLayout: { P: { stride: 12 } } }), /error layout-mismatch /],
  ])("%s", async (_, text, message) => {
    const { code, out } = await checked(text);
    expect(out).toMatch(message);
    expect(code).toBe(1);
  });

  test("errors of the shader are in the shader, and told once", async () => {
    const files = { "s/a.wgsl": "fn f() { _ = x; }", "s/1.launch.json": launch({}), "s/2.launch.json": launch({}) };
    const { code, out } = await halay("check", { files });
    expect(out.match(/error unresolved-identifier/g)).toHaveLength(1);
    expect(out).toMatch(/^s\/a\.wgsl:1:14: error/m);
    expect(code).toBe(1);
  });

  test("a shader that is not there makes the exit code 2", async () => {
    const { code, out } = await halay("check a.launch.json", { files: { "a.launch.json": launch({}) } });
    expect(out).toContain("file-unreadable");
    expect(code).toBe(2);
  });
});

describe("features", () => {
  const files = { "a.wgsl": "enable f16;\nconst a = 1h;\n" };
  test.each([
    ["", 0],
    ["--features shader-f16", 0],
    ["--features subgroups", 1],
    ["--features none", 1],
  ])("%s", async (options, expected) => {
    expect((await halay(`check a.wgsl ${options}`, { files })).code).toBe(expected);
  });
});

test("--emit dot writes the uniformity graphs, also of a shader that is refused for them", async () => {
  const text =
    "@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) { if i == 0 { workgroupBarrier(); } }";
  const { code, out, err } = await halay("check a.wgsl --emit dot", { files: { "a.wgsl": text } });
  expect(out).toMatch(/^digraph uniformity \{\n[\s\S]*cluster_main[\s\S]*\}\n$/);
  expect(err).toMatch(/^a\.wgsl:1:\d+: error barrier-uniformity .*\n$/);
  expect(code).toBe(1);
});

describe("--emit ir", () => {
  test("writes each compute entry point", async () => {
    const files = { "a.wgsl": `${GOOD}@compute @workgroup_size(1) fn second() {}` };
    const { code, out } = await halay("check a.wgsl --emit ir", { files });
    expect(out).toMatch(/^\/\/ a\.wgsl: main\n[\s\S]*\/\/ a\.wgsl: second\n/);
    expect(code).toBe(0);
  });

  test.each([
    ["errors", "fn f() { x; }", 1],
    ["no compute entry point", "fn f() {}", 1],
    ["an override without a value", "override n: u32; @compute @workgroup_size(n) fn main() {}", 1],
  ])("%s", async (_, text, expected) => {
    const { code, out, err } = await halay("check a.wgsl --emit ir", { files: { "a.wgsl": text } });
    expect({ code, out }).toEqual({ code: expected, out: "" });
    expect(err).not.toBe("");
  });
});

test.each([
  ["", false, /^a\.wgsl:1:10: error /],
  ["", true, /^error\[/],
  ["--format github", true, /^::error file=a\.wgsl/],
  ["--format json", false, /^error\[/],
])("--emit: what is wrong, ‘%s’, terminal: %s", async (options, terminal, expected) => {
  const { err } = await halay(`check a.wgsl --emit ir ${options}`, {
    files: { "a.wgsl": "fn f() { x; }" },
    terminal,
    env: { NO_COLOR: "1" },
  });
  expect(err).toMatch(expected);
});

describe("--emit of a launch", () => {
  const files = {
    "s/a.wgsl": `override n: u32;
      @compute @workgroup_size(n) fn main() {}
      @compute @workgroup_size(1) fn other() {}`,
    "l.launch.json": JSON.stringify({ shader: "s/a.wgsl", entry: "main", overrides: { n: 8 } }),
    "wrong.launch.json": JSON.stringify({ shader: "s/a.wgsl", entry: "main" }),
  };

  test("writes its entry points with its overrides", async () => {
    const { code, out, err } = await halay("check l.launch.json --emit ir", { files });
    expect(out).toMatch(/^\/\/ s\/a\.wgsl: main\n[\s\S]*@workgroup_size\(8, 1, 1\)/);
    expect(out).not.toContain("other");
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  test("writes the graphs of its shaders", async () => {
    const { code, out } = await halay("check l.launch.json --emit dot", { files });
    expect(out).toMatch(/^digraph uniformity \{/);
    expect(code).toBe(0);
  });

  test.each([
    ["wrong.launch.json", /^s\/a\.wgsl:1:\d+: error override-missing /, 1],
    ["nothing.launch.json", /^nothing\.launch\.json:1:1: error file-unreadable /, 2],
  ])("%s", async (file, expected, expectedCode) => {
    const { code, out, err } = await halay(`check ${file} --emit ir`, { files });
    expect(err).toMatch(expected);
    expect({ code, out }).toEqual({ code: expectedCode, out: "" });
  });
});

test("the examples are legal", async () => {
  const examples = join(import.meta.dirname, "../../examples");
  const { code, out } = await halayIn(examples, ["check", "."]);
  expect(out).not.toContain(": error ");
  expect(code).toBe(0);
});
