/** SARIF and JUnit reports, held against what their schemas ask for. */
import { describe, expect, test } from "vitest";
import { analyze } from "../analysis/analyze.ts";
import { Source } from "../text/source.ts";
import type { PlacedDiagnostic } from "./diagnostic.ts";
import { printJunit } from "./print-junit.ts";
import { printSarif } from "./print-sarif.ts";

/** Properties of SARIF 2.1.0 objects, as far as we write them: `!` are those that have to be there. */
const SARIF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  log: { $schema: "uri", version: "!2.1.0", runs: "![]run" },
  run: { tool: "!tool", columnKind: "utf16CodeUnits|unicodeCodePoints", results: "[]result" },
  tool: { driver: "!driver" },
  driver: { name: "!string", semanticVersion: "string", rules: "[]rule" },
  rule: {
    id: "!string",
    shortDescription: "message",
    helpUri: "uri",
    defaultConfiguration: "configuration",
  },
  configuration: { level: "none|note|warning|error" },
  message: { text: "!string" },
  result: {
    ruleId: "string",
    ruleIndex: "integer",
    level: "none|note|warning|error",
    message: "!message",
    locations: "[]location",
    relatedLocations: "[]location",
    codeFlows: "[]codeFlow",
    partialFingerprints: "strings",
  },
  location: { id: "integer", physicalLocation: "place", message: "message" },
  place: { artifactLocation: "artifact", region: "region" },
  artifact: { uri: "uri" },
  region: { startLine: "integer", startColumn: "integer", endLine: "integer", endColumn: "integer" },
  codeFlow: { message: "message", threadFlows: "![]threadFlow" },
  threadFlow: { id: "string", locations: "![]step" },
  step: { location: "location" },
};

function problems(value: unknown, kind: string, path: string): string[] {
  if (kind.startsWith("[]")) {
    if (!Array.isArray(value)) return [`${path} is no array`];
    return value.flatMap((part, i) => problems(part, kind.slice(2), `${path}[${i}]`));
  }
  if (kind === "string") return typeof value === "string" && value !== "" ? [] : [`${path} is no text`];
  if (kind === "integer") return Number.isInteger(value) ? [] : [`${path} is no integer`];
  if (kind === "uri") return URL.canParse(String(value), "file:///a/") ? [] : [`${path} is no address`];
  if (kind === "strings") return Object.values(value as object).every((one) => typeof one === "string") ? [] : [path];
  const properties = SARIF[kind];
  if (properties === undefined) return kind.split("|").includes(String(value)) ? [] : [`${path} is ${String(value)}`];
  const object = value as Record<string, unknown>;
  const missing = Object.entries(properties).filter(([name, of]) => of.startsWith("!") && !(name in object));
  return [
    ...missing.map(([name]) => `${path}.${name} is missing`),
    ...Object.entries(object).flatMap(([name, part]) =>
      name in properties
        ? problems(part, properties[name].replace("!", ""), `${path}.${name}`)
        : [`${path}.${name} is not known`],
    ),
  ];
}

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

describe("SARIF", () => {
  const log = (found: Parameters<typeof printSarif>[0]) => JSON.parse(printSarif(found, "1.2.3"));

  test("keeps to the schema", () => {
    expect(WRONG.length).toBeGreaterThan(1);
    for (const found of [[], WRONG, [RACE, ...WRONG]]) expect(problems(log(found), "log", "log")).toEqual([]);
  });

  test("a check that finds what is wrong with a report", () => {
    const broken = log([RACE]);
    broken.runs[0].results[0].level = "fatal";
    broken.runs[0].results[0].codeFlows[0].threadFlows[0].more = 1;
    delete broken.runs[0].tool.driver.name;
    expect(problems(broken, "log", "log")).toHaveLength(3);
  });

  test("results name their rules, and places are addresses", () => {
    const { tool, results } = log(WRONG).runs[0];
    for (const { ruleId, ruleIndex, locations } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
      expect(locations[0].physicalLocation.artifactLocation.uri).toBe("a%20folder/%C3%A4.wgsl");
    }
    const prints = results.map((each: { partialFingerprints: object }) => Object.values(each.partialFingerprints)[0]);
    expect(new Set(prints).size).toBe(results.length);
  });

  test("each access is a code flow", () => {
    const [{ codeFlows }] = log([RACE]).runs[0].results;
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

describe("JUnit", () => {
  /** Tags that are opened and closed in order, with nothing left over. */
  function isWellFormed(xml: string): boolean {
    const open: string[] = [];
    for (const [, close, name, empty] of xml.matchAll(/<(\/?)([\w-]+)(?:\s[\w-]+="[^"<]*")*\s*(\/?)>/g)) {
      if (empty === "/") continue;
      if (close !== "/") open.push(name);
      else if (open.pop() !== name) return false;
    }
    const rest = xml.replace(/^<\?xml.*\?>\n/, "").replaceAll(/<\/?[\w-]+(?:\s[\w-]+="[^"<]*")*\s*\/?>/g, "");
    return open.length === 0 && !/[<>]|&(?!(?:amp|lt|gt|quot);)/.test(rest);
  }

  const input = (path: string, diagnostics: readonly PlacedDiagnostic[], failed = false) => ({
    path,
    diagnostics,
    failed,
  });

  test("counts what fails", () => {
    const strange = { ...WRONG[0], severity: "warning" as const, message: 'a < b & "c" \u0001' };
    const inputs = [input("a<b>.wgsl", WRONG), input("b", [strange]), input("c", []), input("d", [], true)];
    const xml = printJunit(inputs, "error");
    expect(isWellFormed(xml)).toBe(true);
    expect(xml).toContain(`<testsuites name="halay" tests="${WRONG.length + 3}" failures="${WRONG.length + 1}">`);
    expect(xml).toContain('<testsuite name="a&lt;b&gt;.wgsl"');
    expect(xml).toContain("a &lt; b &amp; &quot;c&quot; \uFFFD");
    expect(xml.match(/<failure/g)).toHaveLength(WRONG.length + 1);
    expect(printJunit(inputs, "warning").match(/<failure/g)).toHaveLength(WRONG.length + 2);
  });
});
