/** What the commands write for other programs and in other languages. */
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../src/diagnostics/translate.ts";
import { markdownTree, sarifProblems, workflowCommands, xmlTree } from "../support/report-readers.ts";
import { fileIn, folder, halay, halayIn } from "./cli.ts";

const LOST = `override scale: u32 = 1u;
@group(0) @binding(0) var<storage, read_write> counts: array<u32, 4>;
@compute @workgroup_size(64)
fn count(@builtin(local_invocation_index) lane: u32) {
  counts[lane % 4u] += scale;
}
`;
const TWICE = "fn negate(a: i32) -> i32 { return --a; }";
const files = { "lost.wgsl": LOST, "lost.launch.json": '{ "shader": "lost.wgsl", "workgroups": [1] }' };

describe("--report", () => {
  test("all formats of one run, each read by a reader of its own", async () => {
    const cwd = folder(files);
    const formats = ["sarif", "junit", "github", "markdown", "json", "compact", "pretty"];
    const { code } = await halayIn(cwd, [
      "sanitize",
      "lost.launch.json",
      ...formats.flatMap((f) => ["--report", `${f}=${f}`]),
    ]);
    expect(code).toBe(1);

    const log = JSON.parse(fileIn(cwd, "sarif"));
    expect(sarifProblems(log)).toEqual([]);
    const race = log.runs[0].results.find((each: { ruleId: string }) => each.ruleId === "race-storage");
    expect(race.codeFlows).toHaveLength(2);
    for (const { threadFlows } of race.codeFlows) {
      const [{ location }] = threadFlows[0].locations;
      expect(location.physicalLocation.region.startLine).toBe(5);
      expect(location.message.text).toMatch(/^(read|write) by invocation \(\d+, 0, 0\) of workgroup \(0, 0, 0\)/);
    }

    const [{ attributes, children }] = xmlTree(fileIn(cwd, "junit"));
    expect(attributes).toMatchObject({ failures: "1" });
    const failed = children[0].children.find((each) => each.children[0]?.name === "failure");
    expect(failed?.attributes).toMatchObject({ name: expect.stringContaining("race-storage"), line: "5" });

    const commands = workflowCommands(fileIn(cwd, "github"));
    expect(commands.map(({ command, properties }) => [command, properties.file, properties.line])).toContainEqual([
      "error",
      "lost.wgsl",
      "5",
    ]);
    expect(markdownTree(fileIn(cwd, "markdown"))[0]).toMatchObject({ type: "heading", text: "lost.wgsl" });
    expect(JSON.parse(fileIn(cwd, "json")).results[0].findings[0].code).toBe("race-storage");
    expect(fileIn(cwd, "compact")).toMatch(/^lost\.wgsl:5:3: error race-storage /m);
    expect(fileIn(cwd, "pretty")).toContain("error[race-storage]");
  });

  test("reflect writes its contract and what is to be said of the shader", async () => {
    const cwd = folder({ "a.wgsl": TWICE });
    const reports = ["json", "ts", "sarif", "compact"].flatMap((format) => ["--report", `${format}=${format}`]);
    const { code, out } = await halayIn(cwd, ["reflect", "a.wgsl", "--quiet", ...reports]);
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(JSON.parse(fileIn(cwd, "json"))).toMatchObject({ version: 1, path: "a.wgsl", entryPoints: [] });
    expect(fileIn(cwd, "ts")).toContain("Made by `halay reflect");
    expect(sarifProblems(JSON.parse(fileIn(cwd, "sarif")))).toEqual([]);
    expect(fileIn(cwd, "compact")).toContain("double-negation");
  });

  test("reflect fails on what it is told to", async () => {
    const { code, out, err } = await halay("reflect a.wgsl --fail-on warning", { files: { "a.wgsl": TWICE } });
    expect(code).toBe(1);
    expect(out).not.toBe("");
    expect(err).toContain(": warning double-negation ");
  });
});

describe("every command says what is wrong in the format that is read where it goes", () => {
  const wrong = { "a.wgsl": "fn f() { _ = x; }", "a.launch.json": '{ "shader": "a.wgsl" }' };
  const pretty = /^error\[unresolved-identifier\]: ‘x’ is not declared\n --> a\.wgsl:1:14\n/;
  const commands = [
    "check a.wgsl",
    "check --emit ir a.wgsl",
    "check a.launch.json",
    "reflect a.wgsl",
    "run a.wgsl",
    "sanitize a.wgsl",
    "profile a.launch.json",
  ];
  const plain = "--no-color";

  test.each(commands)("%s", async (command) => {
    const said = async (line: string, setting: Parameters<typeof halay>[1] = {}) => {
      const { code, out, err } = await halay(`${line} ${plain}`, { files: wrong, ...setting });
      expect(code).toBe(1);
      return err || out;
    };
    expect(await said(command, { terminal: true })).toMatch(pretty);
    expect(await said(command)).toMatch(/^a\.wgsl:1:14: error unresolved-identifier ‘x’ is not declared\n/);
    expect(await said(command, { env: { GITHUB_ACTIONS: "true" } })).toMatch(/^::error file=a\.wgsl,line=1,/);
    expect(await said(`${command} --format pretty`)).toMatch(pretty);
  });

  test.each(["json", "ts"])("a contract as %s leaves messages as they are", async (format) => {
    const { out, err } = await halay(`reflect a.wgsl --format ${format} ${plain}`, { files: wrong, terminal: true });
    expect(out).toBe("");
    expect(err).toMatch(pretty);
  });

  test.each(["studio", "reflect"])("%s of what cannot be read", async (command) => {
    const { code, err } = await halay(`${command} b.wgsl`, { files: wrong });
    expect(code).toBe(2);
    expect(err).toMatch(/^b\.wgsl:1:1: error file-unreadable /);
  });
});

describe("--lang", () => {
  const findings = (out: string) => JSON.parse(out).results[0].findings;

  test.each(["run", "sanitize", "profile", "check"])(
    "%s says everything in each language, with equal values",
    async (command) => {
      const wrong = { "a.wgsl": "@compute @workgroup_size(1) fn main() { let a = atomicAdd(b, 1u); }" };
      const said = [];
      for (const language of LANGUAGES) {
        const { out } = await halay(`${command} a.wgsl --format json --lang ${language}`, { files: wrong });
        said.push(JSON.parse(out).results[0].diagnostics[0]);
      }
      expect(said.map(({ message }) => message)).toEqual([
        "‘b’ is not declared",
        "‘b’ no está declarado",
        "‘b’ bildirilmemiş",
      ]);
      for (const { message: _, notes: __, fixes: ___, ...same } of said) {
        const { message, notes, fixes, ...first } = said[0];
        expect(same).toEqual(first);
      }
    },
  );

  test("findings, their notes and what other reports make of them", async () => {
    const cwd = folder(files);
    const { out } = await halayIn(cwd, [
      ...["sanitize", "lost.launch.json", "--lang", "es", "--format", "json"],
      ...["--report", "sarif=s", "--report", "junit=j", "--report", "compact=c"],
    ]);
    const [race] = findings(out);
    const message =
      "‘counts[0]’ se escribe aquí (invocación 0) y se lee en la línea 5 (invocación 4 del mismo workgroup), sin storageBarrier() entre ambos accesos";
    expect(race.message).toBe(message);
    expect(race.args.access).toEqual({ phrase: "write", args: {} });
    expect(race.notes.at(-1).message).toBe("atomicAdd aquí hace de leer, calcular y escribir un solo paso");
    const log = JSON.parse(fileIn(cwd, "s"));
    expect(sarifProblems(log)).toEqual([]);
    expect(log.runs[0].language).toBe("es");
    for (const report of ["s", "j", "c"]) expect(fileIn(cwd, report)).toContain(message);
  });

  test("the environment says it too, an option before it", async () => {
    const check = async (args: string, language: string) =>
      (await halay(`check a.wgsl ${args}`, { files: { "a.wgsl": "alias a = b;" }, env: { HALAY_LANG: language } })).out;
    expect(await check("", "tr_TR.UTF-8")).toContain("bildirilmemiş");
    expect(await check("--lang es", "tr")).toContain("no está declarado");
    expect(await check("", "")).toContain("is not declared");
  });

  test("reflect speaks on the error output", async () => {
    const { code, err } = await halay("reflect a.wgsl --lang tr", { files: { "a.wgsl": "alias a = b;" } });
    expect(code).toBe(1);
    expect(err).toContain("‘b’ bildirilmemiş");
  });

  test("a language that there is none of", async () => {
    expect((await halay("check a.wgsl --lang fr", { files: { "a.wgsl": "" } })).code).toBe(2);
    const { code, err } = await halay("check a.wgsl", { files: { "a.wgsl": "" }, env: { HALAY_LANG: "fr" } });
    expect(code).toBe(2);
    expect(err).toContain("expected en, es, tr");
  });
});

describe("check --override", () => {
  const sized = { "a.wgsl": "override size: u32;\n@compute @workgroup_size(size) fn main() {}" };

  test.each([
    ["--override size=64", 0, ""],
    ["--override size=4096", 1, "workgroup-too-large"],
    ["--override size=x", 2, "expected a number"],
    ["--override sise=1", 2, "did you mean ‘size’?"],
  ])("%s", async (args, expected, text) => {
    const { code, out, err } = await halay(`check a.wgsl ${args}`, { files: sized });
    expect(code).toBe(expected);
    expect(out + err).toContain(text);
  });

  test("of a launch file", async () => {
    const launch = { ...sized, "a.launch.json": '{ "shader": "a.wgsl", "overrides": { "size": 8 } }' };
    expect((await halay("check a.launch.json", { files: launch })).code).toBe(0);
    const { code, out } = await halay("check a.launch.json --override size=4096", { files: launch });
    expect(code).toBe(1);
    expect(out).toContain("workgroup-too-large");
  });
});
