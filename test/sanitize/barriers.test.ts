/** Every barrier of the examples and of the right cases taken out, and put in as another kind, one at a time. */
import { expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import type { Launch } from "../../src/launch/launch.ts";
import type { Finding } from "../../src/sanitize/finding.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";
import { listFiles, read } from "../house/tree.ts";

interface Barrier {
  readonly name: string;
  readonly launch: Launch;
  readonly text: string;
  readonly start: number;
  readonly kind: "workgroup" | "storage";
}

/** Half a million values show no more than a few thousand. */
const SMALLER: Readonly<Record<string, Partial<Launch>>> = {
  "two-level-histogram.wgsl": { workgroups: [4], buffers: { values: "random:4096:seed=1" } },
};

const barriers = [...listFiles("examples", ".launch.json"), ...listFiles("test/cases", ".json")].flatMap((path) => {
  const stated = JSON.parse(read(path)) as { kind?: string; launch?: Launch } & Launch;
  if (stated.kind !== undefined && stated.kind !== "none") return [];
  const { expect: _, ...launch } = stated.launch ?? stated;
  const shader = launch.shader as string;
  const text = read(`${path.slice(0, path.lastIndexOf("/"))}/${shader}`);
  const found = [...text.matchAll(/^[^/\n]*?\b(workgroup|storage)Barrier\(\)/gm)];
  return found.map((match, i): Barrier => {
    const kind = match[1] as Barrier["kind"];
    const start = match.index + match[0].length - `${kind}Barrier()`.length;
    return { name: `${shader}, barrier ${i + 1}`, launch: { ...launch, ...SMALLER[shader] }, text, start, kind };
  });
});

async function without({ launch, text, start, kind }: Barrier, instead: string) {
  const end = start + `${kind}Barrier()`.length;
  const source = new Source(text.slice(0, start) + instead.padEnd(end - start) + text.slice(end), "shader.wgsl");
  const { findings } = await sanitize({ ...launch, shader: analyze(source) });
  return { source, findings, line: source.position(start).line };
}

/** The two places stand on both sides of the barrier, or both are in the loop at whose end it stands. */
function surrounds({ source, accesses }: Finding, line: number): boolean {
  const lines = accesses.map(({ span }) => source.position(span.start).line);
  return Math.min(...lines) < line && accesses.length === 2;
}

const RACES: readonly string[] = ["race-workgroup", "race-storage", "unordered-atomics"];

test("there are many", () => {
  expect(barriers.length).toBeGreaterThanOrEqual(20);
});

test.each(barriers)("$name taken out", async (barrier) => {
  const { findings, line } = await without(barrier, "");
  const races = findings.filter(({ code }) => [...RACES, "wrong-barrier"].includes(code));
  expect(races.length).toBeGreaterThan(0);
  for (const finding of races) {
    expect(surrounds(finding, line), finding.message).toBe(true);
    const hint = finding.notes.at(-1)!;
    // What was taken out is what the hint asks for, where it was.
    expect(hint.message).toContain(`${barrier.kind}Barrier()`);
    if (hint.args.line === undefined) continue;
    expect(Number(hint.args.line)).toBeLessThan(line);
    expect(Number(hint.args.line)).toBeGreaterThanOrEqual(line - 4);
  }
});

test.each(barriers)("$name of another kind", async (barrier) => {
  const other = barrier.kind === "workgroup" ? "storage" : "workgroup";
  const { findings, line } = await without(barrier, `${other}Barrier()`);
  const races = findings.filter(({ code }) => code === "wrong-barrier" || code === "unordered-atomics");
  expect(races.length).toBeGreaterThan(0);
  for (const finding of races) {
    expect(surrounds(finding, line), finding.message).toBe(true);
    expect(finding.notes.at(-1)!.message).toContain(`${barrier.kind}Barrier()`);
    const named = finding.notes.filter(({ code }) => code === "this-barrier");
    expect(named.length).toBeGreaterThan(0);
  }
});
