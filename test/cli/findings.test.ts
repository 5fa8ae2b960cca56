/** `--checks`, `--baseline` and `--max-findings`, which every command that executes takes. */
import { describe, expect, test } from "vitest";
import { folder, halay, halayIn, split } from "./cli.ts";

const LOST = `@group(0) @binding(0) var<storage, read_write> counts: array<u32, 4>;
@compute @workgroup_size(64)
fn count(@builtin(local_invocation_index) lane: u32) {
  counts[lane % 4u] += 1u;
}
`;
const PAST = LOST.replace("counts[lane % 4u] += 1u;", "if (lane == 0u) { counts[lane + 4u] = 1u; }");
const files = {
  "lost.wgsl": LOST,
  "past.wgsl": PAST,
  "lost.launch.json": JSON.stringify({ shader: "lost.wgsl", workgroups: [1] }),
  "wrong.launch.json": JSON.stringify({ shader: "lost.wgsl", workgroups: [1], expect: { counts: [9, 9, 9, 9] } }),
  "host.launch.json": JSON.stringify({
    shader: "lost.wgsl",
    workgroups: [1],
    hostLayout: { counts: { stride: 8 } },
  }),
};

async function json(line: string) {
  const { code, out } = await halay(`${line} --format json`, { files });
  const { results, summary } = JSON.parse(out);
  return { code, summary, result: results[0] };
}

function codesOf(items: readonly { readonly code: string }[]): string[] {
  return items.map(({ code }) => code);
}

describe("run", () => {
  test("without these options nothing is looked for", async () => {
    const { code, result } = await json("run lost.launch.json");
    expect(code).toBe(0);
    expect(result).not.toHaveProperty("findings");
    expect(result).not.toHaveProperty("checked");
  });

  test("--checks: results as without it, findings beside them, exit code 1", async () => {
    const plain = await json("run lost.launch.json");
    const { code, result, summary } = await json("run lost.launch.json --checks races");
    expect(code).toBe(1);
    expect(codesOf(result.findings)).toEqual(["race-storage"]);
    expect(result.findings[0]).toMatchObject({ resource: { name: "counts" }, count: 4 });
    expect(result.checked.checks).toEqual(["races"]);
    expect(result.ok).toBe(false);
    expect(summary).toEqual({ errors: 1, warnings: 0, infos: 0, failed: 1 });
    expect(result.buffers).toEqual(plain.result.buffers);
    expect(Object.keys(plain.result).filter((key) => !(key in result))).toEqual([]);
  });

  test("for people: findings, buffers, what was looked at", async () => {
    const { code, out } = await halay("run lost.launch.json --checks races --format pretty", { files });
    expect(code).toBe(1);
    expect(out).toMatch(/^error\[race-storage\]: /);
    expect(out).toMatch(/\ncounts .*\n {2}\[0\] │ 16 {2}16 {2}16 {2}16\n/);
    expect(out).toMatch(/\n✗ lost\.launch\.json {2}64 invocations, 128 accesses, \d+ schedules\n/);
  });

  test("what is looked for and not there fails nothing", async () => {
    const { code, result } = await json("run lost.launch.json --checks bounds,counters");
    expect(code).toBe(0);
    expect(result).toMatchObject({ ok: true, findings: [], checked: { checks: ["bounds", "counters"] } });
  });

  test("warnings fail as --fail-on and --max-warnings say", async () => {
    const same = LOST.replace("counts[lane % 4u] += 1u;", "counts[0] = 1u;");
    const all = { files: { "same.wgsl": same } };
    const line = "run same.wgsl --workgroups 1 --checks races";
    const codes = await Promise.all(
      ["", "--fail-on warning", "--max-warnings 0"].map(
        async (more) => (await halay(`${line} ${more}`.trim(), all)).code,
      ),
    );
    expect(codes).toEqual([0, 1, 1]);
  });

  test("comparisons are told once", async () => {
    const { code, out } = await halay("run wrong.launch.json --checks races", { files });
    expect(code).toBe(1);
    expect(out.match(/of 4 values differ/g)).toHaveLength(1);
  });

  test("a layout that the host sees otherwise is a finding then, and told once", async () => {
    const { code, result } = await json("run host.launch.json --checks bounds");
    expect(code).toBe(1);
    expect(codesOf(result.findings)).toEqual(["layout-mismatch"]);
    expect(codesOf(result.diagnostics)).not.toContain("layout-mismatch");
  });

  test("--baseline and --max-findings look for the usual things", async () => {
    const cwd = folder(files);
    await halayIn(cwd, split("sanitize lost.launch.json --report json=known.json"));
    const known = await halayIn(cwd, split("run lost.launch.json --baseline known.json"));
    expect(known.code).toBe(0);
    expect(known.out).toContain("1 finding silenced");
    const other = await halayIn(cwd, split("run past.wgsl --workgroups 1 --baseline known.json"));
    expect(other.code).toBe(1);
    expect(other.out).toContain("out-of-bounds");
    const none = await halayIn(cwd, split("run lost.launch.json --max-findings 0"));
    expect(none.code).toBe(1);
    expect(none.out).not.toContain("race-storage");
    expect(none.out).toContain("1 more finding");
  });

  test.each(["all,foo", "foo,all", "races,foo", "foo"])("--checks %s is refused", async (checks) => {
    const { code, err } = await halay(`sanitize lost.wgsl --checks ${checks}`, { files });
    expect(code).toBe(2);
    expect(err).toContain("‘foo’ is no check");
  });

  test("of a second launch of one shader it is said that it is told above", async () => {
    const again = { ...files, "next.launch.json": files["lost.launch.json"] };
    const { out } = await halay("sanitize lost.launch.json next.launch.json --format pretty", { files: again });
    const [first, second, ...others] = out
      .split("✗")
      .map((part) => [part.split("error[race-storage]").length - 1, part.split("as told above: ").length - 1]);
    expect(first[0]).toBeGreaterThan(0);
    expect(first[1]).toBe(0);
    expect(second).toEqual([0, 1]);
    expect(out).toContain("of next.launch.json\n");
    expect(others.flat().some((count) => count > 0)).toBe(false);
  });

  test("a report of run --checks is a baseline too", async () => {
    const cwd = folder(files);
    await halayIn(cwd, split("run lost.launch.json --checks races --report json=known.json"));
    expect((await halayIn(cwd, split("sanitize lost.launch.json --baseline known.json"))).code).toBe(0);
  });

  test("an input that is not run has the same form", async () => {
    const { code, result } = await json("run nothing.wgsl --checks races");
    expect(code).toBe(2);
    expect(result).toMatchObject({ ok: false, findings: [], checked: { checks: [], invocations: 0 } });
  });

  test("where nothing ran, nothing is said to be right", async () => {
    const { code, out } = await halay("run lost.wgsl --workgroups 0 --checks races", { files });
    expect(code).toBe(1);
    expect(out).toMatch(/✗ lost\.wgsl {2}nothing ran, 0 invocations/);
  });
});

describe("profile", () => {
  test("--checks: findings beside the counts, exit code 1", async () => {
    const { code, result } = await json("profile lost.launch.json --checks races,bounds");
    expect(code).toBe(1);
    expect(codesOf(result.findings)).toEqual(["race-storage"]);
    expect(result.checked.checks).toEqual(["races", "bounds"]);
    expect(result.profile).toHaveLength(1);
    expect(result.ok).toBe(false);
  });

  test("without it only contention is told", async () => {
    const { code, result } = await json("profile lost.launch.json");
    expect(code).toBe(0);
    expect(result.findings).toEqual([]);
    expect(result).not.toHaveProperty("checked");
  });

  const queue = `@group(0) @binding(0) var<storage, read_write> count: atomic<u32>;
@compute @workgroup_size(64) fn main() { _ = atomicAdd(&count, 1u); }
`;

  test("contention can be left out, known, too much, or silenced in the source", async () => {
    const cwd = folder({
      "queue.wgsl": queue,
      "off.wgsl": `diagnostic(off, halay.contention);\n${queue}`,
      "allowed.wgsl": queue.replace("@compute", "// halay-allow-next-line contention -- few\n@compute"),
    });
    const told = async (line: string) => {
      const { code, out } = await halayIn(cwd, split(`${line} --format json`));
      const [{ findings, checked }] = JSON.parse(out).results;
      return [code, codesOf(findings), checked?.suppressed ?? null, checked?.untold ?? null];
    };
    await halayIn(cwd, split("profile queue.wgsl --report json=known.json"));
    expect(await told("profile queue.wgsl")).toEqual([0, ["contention"], null, null]);
    expect(await told("profile queue.wgsl --checks bounds")).toEqual([0, [], 0, 0]);
    expect(await told("profile queue.wgsl --checks contention,bounds")).toEqual([0, ["contention"], 0, 0]);
    expect(await told("profile queue.wgsl --baseline known.json")).toEqual([0, [], null, null]);
    expect(await told("profile queue.wgsl --checks contention --baseline known.json")).toEqual([0, [], 1, 0]);
    expect(await told("profile queue.wgsl --checks contention --max-findings 0")).toEqual([0, [], 0, 1]);
    expect(await told("profile off.wgsl")).toEqual([0, [], null, null]);
    expect(await told("profile allowed.wgsl")).toEqual([0, [], null, null]);
  });

  test("an expectation that does not hold is shown", async () => {
    const { code, out } = await halay("profile wrong.launch.json", { files });
    expect(code).toBe(1);
    expect(out).toContain("4 of 4 values differ");
  });
});

test.each(["run", "profile", "sanitize"])("wrong use of %s", async (command) => {
  for (const [option, message] of [
    ["--checks race", /did you mean ‘races’/],
    ["--baseline nothing.json", /the baseline ‘nothing\.json’ cannot be read/],
    ["--baseline lost.wgsl", /it is no JSON; --format json writes one/],
    ["--max-findings few", /whole number/],
  ] as const) {
    const { code, err } = await halay(`${command} lost.wgsl ${option}`, { files });
    expect(code).toBe(2);
    expect(err).toMatch(message);
  }
});

test.each(["run", "profile", "sanitize"])("the help of %s names them", async (command) => {
  const { out } = await halay(`${command} --help`);
  for (const option of ["--checks <list>", "--baseline <file>", "--max-findings <n>"]) expect(out).toContain(option);
  expect(out).toMatch(/\$ halay .*(?:--checks|--baseline)/);
});

const HANG = `@group(0) @binding(0) var<storage, read_write> a: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
  loop { a[i] += 1u; if (a[i] == 0u && i > 64u) { break; } }
}
`;

test.each(["sanitize", "profile", "run --checks all"])("%s shows on a terminal that it goes on", async (command) => {
  const hang = { files: { "hang.wgsl": HANG } };
  const line = `${command} hang.wgsl --workgroups 1 --timeout 1.2 --format compact`;
  const { code, out, err } = await halay(line, { ...hang, terminal: true });
  expect(code).toBe(1);
  expect(out).toMatch(/^hang\.wgsl:4:3: error timeout /m);
  expect(err).toMatch(/\r.*hang\.wgsl {2}main, dispatch 1 {2}\d\.\d s/);
  expect((await halay(line, hang)).err).toBe("");
});

test("what races is not judged by a GPU", async () => {
  const { code, err } = await halay("run lost.wgsl --checks races --device gpu", { files });
  expect(code).toBe(2);
  expect(err).toMatch(/judged on our own engine/);
});
