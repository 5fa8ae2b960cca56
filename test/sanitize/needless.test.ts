/** Barriers and atomics that a launch does without: said where taking them out leaves nothing unordered, and only there. */
import { describe, expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import type { Launch } from "../../src/launch/launch.ts";
import { readLaunch } from "../../src/launch/read-launch.ts";
import { nodeFiles } from "../../src/platform/node/files.ts";
import type { Check } from "../../src/sanitize/finding.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";
import { listFiles, read, root } from "../house/tree.ts";

const HEAD = `
var<workgroup> tile: array<u32, 64>;
var<workgroup> count: atomic<u32>;
@group(0) @binding(0) var<storage, read_write> out: array<u32, 256>;
@group(0) @binding(1) var<storage, read_write> sums: array<atomic<u32>, 4>;
`;
const MAIN =
  "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_index) w: u32)";

/** What is needless, as `line: code path`; lines from that of `main` on. */
async function needless(body: string, launch: Partial<Launch> = {}): Promise<readonly string[]> {
  const source = new Source(`${HEAD}${MAIN} {\n${body}\n}`);
  const shader = analyze(source);
  expect(shader.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const { findings } = await sanitize({ shader, workgroups: [1], ...launch }, { checks: ["needless"] });
  const first = source.position(HEAD.length).line;
  return findings.map(
    ({ code, span, args }) => `${source.position(span.start).line - first}: ${code} ${args.path ?? args.barrier}`,
  );
}

describe("barriers", () => {
  test("one that orders what is read behind it is needed, one behind it is not", async () => {
    const body = "tile[i] = i;\nworkgroupBarrier();\nout[i] = tile[63u - i];\nworkgroupBarrier();";
    expect(await needless(body)).toEqual(["4: needless-barrier workgroupBarrier"]);
  });

  test("what is unordered without it at more places than are kept is unordered", { timeout: 120_000 }, async () => {
    const text = `@group(0) @binding(0) var<storage, read_write> all: array<u32, 65536>;
      @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
        for (var k = i; k < 65536u; k += 64u) { all[k] = k; all[k] += 1u; }
        storageBarrier();
        for (var k = 63u - i; k < 65536u; k += 64u) { all[k] += 2u; }
      }`;
    const { findings } = await sanitize({ shader: text, workgroups: [1] }, { checks: ["needless"] });
    expect(findings).toEqual([]);
  });

  test("each invocation keeps to its own element", async () => {
    expect(await needless("tile[i] = i;\nworkgroupBarrier();\nout[i] = tile[i];")).toEqual([
      "2: needless-barrier workgroupBarrier",
    ]);
  });

  test("in a loop, one round that needs it is enough", async () => {
    const body = `tile[i] = i;
      for (var k = 0u; k < 4u; k++) {
        workgroupBarrier();
        if (k == 3u) { out[i] = tile[63u - i]; }
      }`;
    expect(await needless(body)).toEqual([]);
    expect(await needless(body.replace("63u - i", "i"))).toEqual(["3: needless-barrier workgroupBarrier"]);
  });

  test("two in a row: each alone can go", async () => {
    const body = "tile[i] = i;\nworkgroupBarrier();\nworkgroupBarrier();\nout[i] = tile[63u - i];";
    expect(await needless(body)).toEqual([
      "2: needless-barrier workgroupBarrier",
      "3: needless-barrier workgroupBarrier",
    ]);
  });

  test("of two kinds, the one that orders no memory that is shared", async () => {
    const body = "tile[i] = i;\nstorageBarrier();\nworkgroupBarrier();\nout[i] = tile[63u - i];";
    expect(await needless(body)).toEqual(["2: needless-barrier storageBarrier"]);
  });

  test("setting an atomic and counting with it, counting and reading it, need what stands between", async () => {
    const body = `if (i == 0u) { atomicStore(&count, 0u); }
      workgroupBarrier();
      atomicAdd(&count, 1u);
      workgroupBarrier();
      if (i == 1u) { out[w] = atomicLoad(&count); }`;
    expect(await needless(body)).toEqual([]);
  });

  test("those of workgroupUniformLoad are not asked about", async () => {
    expect(await needless("tile[i] = i;\nout[i] = workgroupUniformLoad(&tile[0]);")).toEqual([]);
  });

  test("of a helper that is called twice, one call that needs it is enough", async () => {
    const text = `${HEAD}fn meet() { workgroupBarrier(); }\n${MAIN} { tile[i] = i; meet(); out[i] = tile[63u - i]; meet(); }`;
    const { findings } = await sanitize({ shader: text, workgroups: [1] }, { checks: ["needless"] });
    expect(findings).toEqual([]);
  });

  test("where something races as it is, nothing is needless", async () => {
    expect(await needless("tile[i] = i;\nworkgroupBarrier();\nout[i] = tile[i];\nout[0] = i;")).toEqual([]);
  });

  test("of several steps, one that needs it is enough", async () => {
    const entry = (name: string, read: string) =>
      `${MAIN.replace("main", name)} { tile[i] = i; meet(); out[i] = tile[${read}]; }`;
    const shader = `${HEAD}fn meet() { workgroupBarrier(); }\n${entry("own", "i")}\n${entry("other", "63u - i")}`;
    const codes = async (...entries: readonly string[]) => {
      const steps = entries.map((name) => ({ entry: name, workgroups: [1] as const }));
      const { findings } = await sanitize({ shader, steps }, { checks: ["needless"] });
      return findings.map(({ code }) => code);
    };
    expect(await codes("own", "own")).toEqual(["needless-barrier"]);
    expect(await codes("own", "other")).toEqual([]);
    expect(await codes("other", "own")).toEqual([]);
  });
});

describe("atomics", () => {
  test("one word for all is needed, one for each is not", async () => {
    expect(await needless("atomicAdd(&count, 1u);")).toEqual([]);
    expect(await needless("if (i < 4u) { atomicAdd(&sums[i], 1u); }")).toEqual(["1: needless-atomic sums"]);
  });

  test("one element that two come to is enough", async () => {
    expect(await needless("if (i < 5u) { atomicAdd(&sums[i % 4u], 1u); }")).toEqual([]);
  });

  test("a second workgroup needs it", async () => {
    const body = "if (i < 4u) { atomicAdd(&sums[i], 1u); }";
    expect(await needless(body, { workgroups: [2] })).toEqual([]);
  });

  test("only loads", async () => {
    expect(await needless("out[i] = atomicLoad(&sums[0]);")).toEqual(["1: needless-atomic sums"]);
  });

  test("members are told apart, also through a pointer", async () => {
    const text = `struct Sums { mine: atomic<u32>, ours: atomic<u32> }
      @group(0) @binding(0) var<storage, read_write> s: Sums;
      fn add(p: ptr<storage, atomic<u32>, read_write>) { atomicAdd(p, 1u); }
      @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
        if (i == 0u) { add(&s.mine); }
        add(&s.ours);
      }`;
    const { findings } = await sanitize({ shader: text, workgroups: [1] }, { checks: ["needless"] });
    expect(findings.map(({ code, resource }) => [code, resource?.path])).toEqual([["needless-atomic", "s.mine"]]);
  });
});

test("they are looked for only when asked, and fail nothing", async () => {
  const launch = { shader: `${HEAD}${MAIN} { workgroupBarrier(); out[i] = i; }`, workgroups: [1] };
  expect((await sanitize(launch)).findings).toEqual([]);
  const { ok, findings, checked } = await sanitize(launch, { checks: ["needless"] });
  expect(ok).toBe(true);
  expect(findings.map(({ severity }) => severity)).toEqual(["info"]);
  expect(checked.checks).toEqual(["needless"]);
});

// ---------------------------------------------------------------- the definition, on programs that are there

const BARRIER = /\b(?:workgroup|storage)Barrier\(\);/g;

const files = nodeFiles(root);

interface Program {
  readonly name: string;
  readonly text: string;
  readonly launch: Launch;
}

/** Cases and examples with barriers. */
function programs(): Program[] {
  const cases = listFiles("test/cases", ".json").map((path): Program => {
    const { launch, verdict } = JSON.parse(read(path));
    return { name: path, text: verdict.legal ? read(`test/cases/${launch.shader}`) : "", launch };
  });
  const examples = listFiles("examples", ".launch.json").map((path): Program => {
    const { launch } = readLaunch(read(path), path);
    return { name: path, text: read(`examples/${launch!.shader}`), launch: launch! };
  });
  // 2^20 values, each read by the interpreter once for each question: too long for a test of the kind.
  const isLarge = ({ name }: Program) => name.includes("two-level-histogram.launch");
  return [...cases, ...examples].filter((each) => each.text.match(BARRIER) !== null && !isLarge(each));
}

async function conflicts({ launch }: Program, text: string, checks: readonly Check[]) {
  const source = new Source(text, "examples/a.wgsl");
  const { findings } = await sanitize(
    { ...launch, shader: analyze(source) },
    { checks, files, scheduleBudget: 0, allowIllegal: true },
  );
  return findings;
}

/** Without its barriers control goes another way, so that what was unordered is not met. */
const GOES_ANOTHER_WAY = ["101-list-order-decides-the-sum"];

const all = programs();

test("there are programs to ask", () => {
  expect(all.length).toBeGreaterThan(25);
});

test.each(all)("$name: needless are those barriers without which nothing is found", async (program) => {
  const { text } = program;
  const found = await conflicts(program, text, ["needless"]);
  const said = found.filter(({ code }) => code === "needless-barrier").map(({ span }) => span.start);
  if ((await conflicts(program, text, ["races", "atomics"])).length > 0) {
    expect(said).toEqual([]);
    return;
  }
  for (const { 0: barrier, index } of text.matchAll(BARRIER)) {
    const without = text.slice(0, index) + " ".repeat(barrier.length) + text.slice(index + barrier.length);
    const left = await conflicts(program, without, ["races", "atomics"]);
    if (said.includes(index)) expect(left.map(({ message }) => message)).toEqual([]);
    else if (!GOES_ANOTHER_WAY.some((part) => program.name.includes(part)))
      expect([index, left.length]).not.toEqual([index, 0]);
  }
});
