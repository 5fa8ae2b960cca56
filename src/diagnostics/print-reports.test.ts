/** Reports for other programs, read by schemas and parsers that others made. */
import { describe, expect, test } from "vitest";
import { markdownTree, sarifProblems, workflowCommands, xmlTree } from "../../test/support/report-readers.ts";
import { analyze } from "../analysis/analyze.ts";
import { Source } from "../text/source.ts";
import { fix, type PlacedDiagnostic } from "./diagnostic.ts";
import { printGithub } from "./print-github.ts";
import { printJunit } from "./print-junit.ts";
import { printMarkdown } from "./print-markdown.ts";
import { writeSarif } from "./print-sarif.ts";

function diagnosticsOf(text: string, path: string): PlacedDiagnostic[] {
  const source = new Source(text, path);
  return analyze(source).diagnostics.map((item) => ({ ...item, source }));
}

const WRONG = diagnosticsOf("fn f() { let a = b; }\nfn f() { }", "a folder/ä.wgsl");

const RACE = {
  ...WRONG[0],
  accesses: [0, 1].map((n) => ({
    kind: "write",
    atomic: n === 0 ? null : "atomicAdd",
    span: { start: 9 + n, end: 12 },
    invocation: { global: [n, 0, 0], workgroup: [0, 0, 0] },
    phase: n,
  })),
};

function sarifOf(found: Parameters<typeof writeSarif>[0]) {
  const pieces: string[] = [];
  writeSarif(found, "1.2.3", "en", (piece) => pieces.push(piece));
  return JSON.parse(pieces.join(""));
}

describe("SARIF", () => {
  test("keeps to the schema", () => {
    expect(WRONG.length).toBeGreaterThan(1);
    for (const found of [[], WRONG, [RACE, ...WRONG]]) expect(sarifProblems(sarifOf(found))).toEqual([]);
  });

  test("the schema finds what is wrong with a report", () => {
    const broken = sarifOf([RACE]);
    broken.runs[0].results[0].level = "fatal";
    broken.runs[0].results[0].codeFlows[0].threadFlows[0].more = 1;
    delete broken.runs[0].tool.driver.name;
    expect(sarifProblems(broken)).toEqual([
      "/runs/0/tool/driver must have required property 'name'",
      "/runs/0/results/0/level must be equal to one of the allowed values",
      "/runs/0/results/0/codeFlows/0/threadFlows/0 must NOT have additional properties",
    ]);
  });

  test("results name their rules, and places are addresses", () => {
    const { tool, results } = sarifOf(WRONG).runs[0];
    for (const { ruleId, ruleIndex, locations } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
      expect(locations[0].physicalLocation.artifactLocation.uri).toBe("a%20folder/%C3%A4.wgsl");
    }
    const prints = results.map((each: { partialFingerprints: object }) => Object.values(each.partialFingerprints)[0]);
    expect(new Set(prints).size).toBe(results.length);
  });

  test("each access is a code flow", () => {
    const [{ codeFlows }] = sarifOf([RACE]).runs[0].results;
    const places = codeFlows.map(
      (flow: { threadFlows: { locations: { location: { message: { text: string } } }[] }[] }) =>
        flow.threadFlows[0].locations[0].location.message.text,
    );
    expect(places).toEqual([
      "write by invocation (0, 0, 0) of workgroup (0, 0, 0) in phase 0",
      "atomicAdd by invocation (1, 0, 0) of workgroup (0, 0, 0) in phase 1",
    ]);
  });
});

describe("fixes", () => {
  const [{ span, source }] = WRONG;
  const edits = [
    { span, text: "1" },
    { span: { start: source.text.length, end: source.text.length }, text: "\nfn g() {}" },
    { span: { start: 0, end: 2 }, text: "" },
  ];
  const offered = {
    ...WRONG[0],
    notes: [],
    fixes: [fix("remove", { text: "a<b>" }, edits), fix("remove", { text: "c" }, [])],
  };
  const title = offered.fixes[0].title;

  test("SARIF has those that have edits, and applying them is possible", () => {
    const log = sarifOf([offered]);
    expect(sarifProblems(log)).toEqual([]);
    const [found, ...others] = log.runs[0].results[0].fixes;
    expect(others).toEqual([]);
    expect(found.description.text).toBe(title);
    const [{ artifactLocation, replacements }] = found.artifactChanges;
    expect(artifactLocation.uri).toBe("a%20folder/%C3%A4.wgsl");
    const read = replacements.map(
      (each: { deletedRegion: Record<string, number>; insertedContent?: { text: string } }) => {
        const { startLine, startColumn, endLine, endColumn } = each.deletedRegion;
        const offset = (line: number, column: number) => source.lineStarts[line - 1] + column - 1;
        const span = { start: offset(startLine, startColumn), end: offset(endLine, endColumn) };
        return { span, text: each.insertedContent?.text ?? "" };
      },
    );
    expect(read).toEqual(edits);
  });

  test("other reports say their titles", () => {
    const [suites] = xmlTree(printJunit([{ path: "a", diagnostics: [offered], failed: false }], "error"));
    expect(suites.children[0].children[0].children[0].text).toContain(`fix: ${title}`);
    expect(workflowCommands(printGithub(offered))[0].message).toBe(
      `${offered.message}\n${title}\n${offered.fixes[1].title}`,
    );
    expect(markdownTree(printMarkdown([offered]))[2].text).toContain(`fix: ${title}`);
  });
});

describe("JUnit", () => {
  const input = (path: string, diagnostics: readonly PlacedDiagnostic[], failed = false) => ({
    path,
    diagnostics,
    failed,
  });

  test("counts what fails", () => {
    const strange = { ...WRONG[0], severity: "warning" as const, message: 'a < b & "c" ]]> \u0001' };
    const inputs = [input("a<b>.wgsl", WRONG), input("b", [strange]), input("c", []), input("d", [], true)];
    const [root] = xmlTree(printJunit(inputs, "error"));
    const { name, attributes, children } = root;
    expect(name).toBe("testsuites");
    expect(attributes).toEqual({
      name: "halay",
      tests: String(WRONG.length + 3),
      failures: String(WRONG.length + 1),
    });
    expect(children.map((suite) => suite.attributes.name)).toEqual(["a<b>.wgsl", "b", "c", "d"]);
    for (const suite of children) {
      expect(suite.name).toBe("testsuite");
      expect(suite.children.map((each) => each.name)).toEqual(Array(suite.children.length).fill("testcase"));
      expect(suite.attributes.tests).toBe(String(suite.children.length));
      const failures = suite.children.filter((each) => each.children.some((part) => part.name === "failure"));
      expect(suite.attributes.failures).toBe(String(failures.length));
    }
    const [output] = children[1].children[0].children;
    expect(output.name).toBe("system-out");
    expect(output.text).toContain('a < b & "c" ]]> \uFFFD');
    expect(printJunit(inputs, "warning").match(/<failure/g)).toHaveLength(WRONG.length + 2);
  });
});

test("a workflow command of GitHub comes back with all its parts", () => {
  const strange = {
    ...WRONG[0],
    message: "50% of ‘a’,\nb: c::d",
    source: new Source(WRONG[0].source.text, "x,y:z%.wgsl"),
  };
  const [command, ...others] = workflowCommands(printGithub(strange));
  expect(others).toEqual([]);
  const { line, column } = strange.source.position(strange.span.start);
  expect(command).toEqual({
    command: "error",
    properties: {
      file: "x,y:z%.wgsl",
      line: String(line),
      endLine: String(line),
      col: String(column),
      endColumn: String(strange.source.position(strange.span.end).column),
      title: `halay ${strange.code}`,
    },
    message: [strange.message, ...strange.notes.map((note) => note.message)].join("\n"),
  });
});

test("Markdown shows names and code as they are", () => {
  const strange = {
    ...WRONG[0],
    message: "*a* _b_ `c` [d](e) <f> # g",
    source: new Source("let a = `````;", "a_b_c.wgsl"),
    span: { start: 4, end: 5 },
  };
  const tree = markdownTree(printMarkdown([strange, ...WRONG]));
  expect(tree.map(({ type }) => type)).toEqual(["heading", "paragraph", "list", "heading", "paragraph", "list"]);
  expect(tree[0].text).toBe("a_b_c.wgsl");
  const [first] = tree[2].children;
  expect(first.text).toContain(`error 1:5 ${strange.code}: ${strange.message}`);
  expect(first.children.find(({ type }) => type === "code")?.text).toBe("let a = `````;");
  expect(tree[5].children).toHaveLength(WRONG.length);
});
