import { describe, expect, test } from "vitest";
import { fileIn, folder, halay, halayIn, split } from "./cli.ts";

const LOST = `@group(0) @binding(0) var<storage, read_write> counts: array<u32, 4>;
@compute @workgroup_size(64)
fn count(@builtin(local_invocation_index) lane: u32) {
  counts[lane % 4u] += 1u;
}
`;
const RIGHT = LOST.replace("array<u32, 4>", "array<atomic<u32>, 4>").replace(
  "counts[lane % 4u] += 1u;",
  "atomicAdd(&counts[lane % 4u], 1u);",
);
const files = {
  "lost.wgsl": LOST,
  "right.wgsl": RIGHT,
  "lost.launch.json": JSON.stringify({ shader: "lost.wgsl", workgroups: [1] }),
  "right.launch.json": JSON.stringify({ shader: "right.wgsl", workgroups: [1], expect: { counts: [16, 16, 16, 16] } }),
};

describe("sanitize", () => {
  test("a fault: the place, exit code 1", async () => {
    const { code, out, err } = await halay("sanitize lost.wgsl --workgroups 1", { files });
    expect(code).toBe(1);
    expect(err).toBe("");
    expect(out.split("\n")[0]).toMatch(
      /^lost\.wgsl:4:3: error race-storage ‘counts\[0\]’ is written here by invocation 0/,
    );
    expect(out).toMatch(/✗ lost\.wgsl {2}64 invocations, 128 accesses, \d+ schedules/);
  });

  test("nothing wrong: exit code 0", async () => {
    const { code, out } = await halay("sanitize right.launch.json --format pretty", { files });
    expect(code).toBe(0);
    expect(out).toMatch(/✓ 1 launch: nothing found/);
  });

  test("warnings alone: both verdicts say so", async () => {
    const same = LOST.replace("counts[lane % 4u] += 1u;", "counts[0] = 1u;");
    const { code, out } = await halay("sanitize same.wgsl --workgroups 1 --format pretty", {
      files: { "same.wgsl": same },
    });
    expect(code).toBe(0);
    expect(out.split("\n").filter((line) => /^[!✓✗] /.test(line))).toEqual([
      expect.stringMatching(/^! same\.wgsl {2}/),
      expect.stringMatching(/^! 1 file: \d warnings?$/),
    ]);
  });

  test("an expectation that does not hold", async () => {
    const { code } = await halay("sanitize right.launch.json --expect counts=[1,1,1,1]", { files });
    expect(code).toBe(1);
  });

  test("the schedule that is told brings back what was told of it", async () => {
    const shader = `var<workgroup> n: atomic<u32>;
@group(0) @binding(0) var<storage, read_write> out: array<u32, 128>;
@compute @workgroup_size(64) fn f(@builtin(local_invocation_index) i: u32) {
  for (var round = 0u; round < 2u; round++) {
    if (i == 0u) { atomicStore(&n, 0u); }
    workgroupBarrier();
    if (i < 10u) { atomicAdd(&n, 1u); }
    workgroupBarrier();
    var s = 0u;
    for (var k = 0u; k < atomicLoad(&n); k++) { s += 1u; }
    out[round * 64u + i] = s;
  }
}`;
    const schedules = ["--schedule in-order", "--schedule interleave", "--schedule random --seed 1"];
    const values = async (command: string) => {
      const all = { files: { "m.wgsl": shader } };
      const { out } = await halay(`${command} --workgroups 1 --format json`, all);
      return JSON.parse(out).results[0].buffers.out.values;
    };
    const [first] = schedules;
    const found = await values("sanitize m.wgsl");
    expect(await values(`run m.wgsl ${first}`)).toEqual(found);
    expect(found.slice(0, 3)).toEqual([10, 0, 0]);
    for (const each of schedules)
      expect(await values(`run m.wgsl ${each}`)).toEqual(await values(`sanitize m.wgsl ${each}`));
  });

  test("all launches of a folder, as JSON", async () => {
    const { code, out } = await halay("sanitize --format json", { files });
    expect(code).toBe(1);
    const { version, results, summary } = JSON.parse(out);
    expect(version).toBe(1);
    expect(results.map((each: { path: string; ok: boolean }) => [each.path, each.ok])).toEqual([
      ["lost.launch.json", false],
      ["right.launch.json", true],
    ]);
    expect(results[0].findings[0]).toMatchObject({ code: "race-storage", resource: { name: "counts" }, count: 4 });
    expect(results[0].diagnostics.filter((each: { severity: string }) => each.severity === "error")).toEqual([]);
    expect(results[1].findings).toEqual([]);
    expect(summary).toMatchObject({ errors: 1, failed: 1 });
  });

  test("findings that are not told fail as well", async () => {
    const { code, out } = await halay("sanitize lost.launch.json --max-findings 0", { files });
    expect(code).toBe(1);
    expect(out).not.toContain("race-storage");
    expect(out).toMatch(/✗ lost\.launch\.json .*1 more finding/);
  });

  test("sizes and contents that nobody named are told, as what is found hangs on them", async () => {
    const list = `@group(0) @binding(0) var<storage, read_write> list: array<u32>;
      @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { list[id.x] = 1u; }`;
    const run = async (args: string) =>
      (await halay(`sanitize list.wgsl ${args}`, { files: { "list.wgsl": list } })).out;
    expect(await run("")).toContain("\n  chosen: entry point main, workgroups [4], list = zeros:256\n");
    expect(await run("--workgroups 1")).toContain("\n  chosen: entry point main, list = zeros:64\n");
    expect(await run("--workgroups 1 --buffer list=zeros:64")).not.toContain("chosen");
    expect(await run("--quiet")).not.toContain("chosen");
  });

  test("advice that is not told fails nothing", async () => {
    const busy = `@group(0) @binding(0) var<storage, read_write> n: atomic<u32>;
      @compute @workgroup_size(64) fn main() { atomicAdd(&n, 1u); }`;
    const { code, out } = await halay("sanitize busy.wgsl --max-findings 0", { files: { "busy.wgsl": busy } });
    expect(code).toBe(0);
    expect(out).toMatch(/✓ busy\.wgsl .*1 more finding/);
  });

  test.each([
    ["racecheck lost.launch.json", 1, ["races", "atomics"]],
    ["synccheck lost.launch.json", 0, ["barriers", "progress"]],
    ["memcheck lost.launch.json", 0, ["bounds"]],
    ["initcheck lost.launch.json", 0, ["init"]],
    ["sanitize lost.launch.json --checks bounds,races", 1, ["races", "bounds"]],
    ["memcheck lost.launch.json --checks races", 1, ["races"]],
  ])("%s", async (line, code, checks) => {
    const outcome = await halay(`${line} --format json`, { files });
    expect(outcome.code).toBe(code);
    expect(JSON.parse(outcome.out).results[0].checked.checks).toEqual(checks);
  });

  test("several devices", async () => {
    const { out } = await halay("sanitize lost.launch.json --emulate oob=clamp,subgroup-size=8 --format json", {
      files,
    });
    const { results } = JSON.parse(out);
    expect(results.map((each: { emulate: string }) => each.emulate)).toEqual(["oob=clamp", "subgroup-size=8"]);
  });

  test("people read of errors first", async () => {
    const mild = "var<workgroup> flag: u32;\n";
    const both = mild + LOST.replace("{\n", "{\n  flag = 1u;\n");
    const { out } = await halay("sanitize both.wgsl --workgroups 1 --format compact", { files: { "both.wgsl": both } });
    expect([...out.matchAll(/^both\.wgsl:\d+:\d+: (\w+)/gm)].map(([, severity]) => severity)).toEqual([
      "error",
      "warning",
    ]);
  });

  test("a baseline, and no more than so many", async () => {
    const cwd = folder(files);
    const first = await halayIn(cwd, split("sanitize lost.launch.json --report json=known.json"));
    expect(first.code).toBe(1);
    const again = await halayIn(cwd, split("sanitize lost.launch.json --baseline known.json"));
    expect(again.code).toBe(0);
    expect(again.out).toContain("1 finding silenced");
    const none = await halayIn(cwd, split("sanitize lost.launch.json --max-findings 0"));
    expect(none.code).toBe(1);
  });

  test("reports", async () => {
    const cwd = folder(files);
    const line = "sanitize lost.launch.json --report sarif=a.sarif --report junit=a.xml --report github=a.txt";
    await halayIn(cwd, split(line));
    const sarif = JSON.parse(fileIn(cwd, "a.sarif"));
    const [result] = sarif.runs[0].results;
    expect(result).toMatchObject({ ruleId: "race-storage", level: "error" });
    expect(result.codeFlows).toHaveLength(2);
    expect(fileIn(cwd, "a.xml")).toContain('<failure message="‘counts[0]’ is written here');
    expect(fileIn(cwd, "a.txt")).toMatch(/^::error file=lost\.wgsl,line=4,/);
  });

  test.each([
    ["sanitize lost.wgsl --checks race", /did you mean ‘races’/],
    ["sanitize lost.wgsl --baseline nothing.json", /the baseline ‘nothing\.json’ cannot be read/],
    ["sanitize lost.wgsl --baseline lost.wgsl", /it is no JSON; --format json writes one/],
    ["sanitize lost.wgsl --baseline lost.launch.json", /it is no report; --format json writes one/],
    ["sanitize lost.wgsl --max-findings few", /whole number/],
  ])("wrong use: %s", async (line, message) => {
    const { code, err } = await halay(line, { files });
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  test("where nothing ran, nothing is said to be right", async () => {
    const { code, out } = await halay("sanitize lost.wgsl --workgroups 0", { files });
    expect(code).toBe(1);
    expect(out).toMatch(/^✗ lost\.wgsl {2}nothing ran, 0 invocations/m);
  });

  test("an illegal shader is not run", async () => {
    const { code, out } = await halay("sanitize bad.wgsl", { files: { "bad.wgsl": "@compute fn main() {}" } });
    expect(code).toBe(1);
    expect(out).toContain("error");
  });
});

describe("profile", () => {
  test("tables and bars", async () => {
    const { code, out } = await halay("profile right.launch.json --format pretty", { files });
    expect(code).toBe(0);
    expect(out).toMatch(/4:3 {2}atomicAdd {2}counts {2}64 {2}64 invocations {2}4 addresses/);
    expect(out).toMatch(/counts\[0\] {2}storage {2}16 {2}25 % {2}████/);
    expect(out).toMatch(/counts {2}64 on storage {2}→ {2}64 in workgroup memory {2}4 on storage/);
  });

  test("as JSON", async () => {
    const { out } = await halay("profile right.launch.json --format json --addresses 2", { files });
    const [{ profile, findings }] = JSON.parse(out).results;
    expect(profile[0]).toMatchObject({ entry: "count", invocations: 64 });
    expect(profile[0].addresses).toHaveLength(2);
    expect(findings).toEqual([]);
  });
});
