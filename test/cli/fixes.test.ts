/** The edits that commands offer under what they say. */
import { describe, expect, test } from "vitest";
import { applyEdits } from "../../src/text/edit.ts";
import { sarifProblems } from "../support/report-readers.ts";
import { halay } from "./cli.ts";

const RACE = `var<workgroup> tile: array<u32, 64>;
@group(0) @binding(0) var<storage, read_write> counts: array<u32, 4>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
  tile[lane] = lane;
  counts[tile[63u - lane] % 4u] += 1u;
}
`;
const LAUNCH = '{ "shader": "a.wgsl", "workgroups": [2] }';

interface Said {
  readonly code: string;
  readonly fixes: readonly {
    readonly title: string;
    readonly edits: readonly { path: string; start: { offset: number }; end: { offset: number }; text: string }[];
  }[];
}

/** What the JSON of a command says of its only input. */
async function said(line: string, files: Readonly<Record<string, string>>): Promise<readonly Said[]> {
  const { out } = await halay(`${line} --format json`, { files });
  const [{ diagnostics, findings = [] }] = JSON.parse(out).results;
  return [...diagnostics, ...findings];
}

function edited(text: string, { edits }: Said["fixes"][number]): string {
  return applyEdits(
    text,
    edits.map(({ start, end, text }) => ({ span: { start: start.offset, end: end.offset }, text })),
  );
}

const BARRIER = "insert ‘workgroupBarrier();’ after line 4";

describe("each command offers what mends it", () => {
  test.each([
    ["check a.wgsl", "missing-barrier"],
    ["check a.launch.json", "missing-barrier"],
    ["run a.launch.json --checks races", "race-workgroup"],
    ["sanitize a.wgsl", "race-workgroup"],
    ["sanitize a.launch.json", "race-workgroup"],
    ["profile a.launch.json --checks races", "race-workgroup"],
  ])("%s", async (line, code) => {
    const found = await said(line, { "a.wgsl": RACE, "a.launch.json": LAUNCH });
    const [{ fixes }] = found.filter((each) => each.code === code);
    expect(fixes.map(({ title }) => title)).toEqual([BARRIER]);
    expect(fixes[0].edits.map(({ path }) => path)).toEqual(["a.wgsl"]);
    const mended = edited(RACE, fixes[0]);
    expect(mended).toContain("= lane;\n  workgroupBarrier();\n");
    const left = await said(line, { "a.wgsl": mended, "a.launch.json": LAUNCH });
    expect(left.map((each) => each.code)).not.toContain(code);
  });

  test("people see the lines that change", async () => {
    const { out } = await halay("sanitize a.wgsl --format pretty", { files: { "a.wgsl": RACE } });
    expect(out).toContain(`  = fix: ${BARRIER}\n5 +   workgroupBarrier();\n`);
    expect(out).toContain(
      "  = fix: make ‘counts’ atomic\n" +
        "2 + @group(0) @binding(0) var<storage, read_write> counts: array<atomic<u32>, 4>;\n" +
        "  ⋮\n" +
        "5 +   atomicAdd(&counts[tile[63u - lane] % 4u], 1u);\n",
    );
  });

  test("in the language that was asked for", async () => {
    const { out } = await halay("sanitize a.wgsl --format pretty --lang es", { files: { "a.wgsl": RACE } });
    expect(out).toContain("arreglo: insertar ‘workgroupBarrier();’ después de la línea 4");
  });

  test("SARIF has them as its own", async () => {
    const { out } = await halay("sanitize a.wgsl --format sarif", { files: { "a.wgsl": RACE } });
    const log = JSON.parse(out);
    expect(sarifProblems(log)).toEqual([]);
    const race = log.runs[0].results.find((each: { ruleId: string }) => each.ruleId === "race-workgroup");
    expect(race.fixes[0].artifactChanges[0].replacements).toEqual([
      {
        deletedRegion: { startLine: 4, startColumn: 21, endLine: 4, endColumn: 21 },
        insertedContent: { text: "\n  workgroupBarrier();" },
      },
    ]);
  });
});

test.each(["check a.wgsl", "check a.launch.json", "run a.launch.json", "sanitize a.wgsl"])(
  "names that may have been meant: %s",
  async (line) => {
    const files = { "a.wgsl": RACE.replace("= lane", "= lan"), "a.launch.json": LAUNCH };
    const [{ fixes }] = (await said(line, files)).filter((each) => each.code === "unresolved-identifier");
    expect(fixes.map((each) => each.title)).toEqual(["replace with ‘lane’"]);
    expect(edited(files["a.wgsl"], fixes[0])).toBe(RACE);
  },
);

test("no edits of what is no shader: launch files, options", async () => {
  const files = { "a.wgsl": RACE, "a.launch.json": '{ "shader": "a.wgsl", "entry": "mian" }' };
  for (const line of ["check a.launch.json", "run a.launch.json", "run a.wgsl --entry mian"]) {
    const found = (await said(line, files)).filter((each) => each.code === "entry-unknown");
    expect(found.map(({ fixes }) => fixes)).toEqual([[]]);
  }
});

test("no edit reaches into what is not in the file: the entry point that a call makes", async () => {
  const text = `@group(0) @binding(0) var<storage, read_write> a: array<u32, 4>;
fn f(n: u32) -> u32 { a[0] += n; return a[0]; }
`;
  const found = await said("sanitize a.wgsl --call 'f(invocation + a[0])' --invocations 64", { "a.wgsl": text });
  const races = found.filter(({ code }) => code.startsWith("race-"));
  expect(races).not.toEqual([]);
  for (const { edits } of races.flatMap(({ fixes }) => fixes)) {
    for (const { end } of edits) expect(end.offset).toBeLessThanOrEqual(text.length);
  }
});

test("of very many, the gravest are looked at", async () => {
  const unused = Array.from({ length: 120 }, (_, i) => `  let unused_${i} = 1;\n`).join("");
  const text = RACE.replace("  tile[lane]", `${unused}  tile[lane]`);
  const found = await said("check a.wgsl", { "a.wgsl": text });
  const offered = found.filter(({ fixes }) => fixes.length > 0).map(({ code }) => code);
  expect(offered).toContain("missing-barrier");
  expect(offered.filter((code) => code === "unused-variable").length).toBeGreaterThan(40);
  expect(offered.length).toBeLessThanOrEqual(50);
});
