/** Shaders that people were bitten by: every fault is found where it is, and nothing in those that are right. */
import { describe, expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import type { Launch } from "../../src/launch/launch.ts";
import type { Finding } from "../../src/sanitize/finding.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";
import { listFiles, read } from "../house/tree.ts";

interface StatedFinding {
  readonly kind: string;
  readonly line: number;
  readonly variable: string;
  readonly also_lines?: readonly number[];
  readonly accept_kinds?: readonly string[];
}

interface Case {
  readonly verdict: { readonly legal: boolean };
  readonly launch: Launch;
  readonly findings: readonly StatedFinding[];
  readonly allowedKinds?: readonly string[];
}

/** What the cases call a fault, and the codes that say it. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  "race-workgroup": ["race-workgroup", "race-storage", "wrong-barrier", "unordered-atomics", "same-value-write"],
  "missing-barrier": ["race-workgroup", "race-storage", "wrong-barrier", "unordered-atomics"],
  "race-storage-cross-workgroup": ["race-across-workgroups", "unordered-atomics", "same-value-write"],
  "mixed-atomic-nonatomic": ["race-workgroup", "race-storage", "race-across-workgroups"],
  "atomic-underflow": ["counter-underflow"],
  "append-overflow": ["counter-over-capacity", "out-of-bounds"],
  "unsaturated-counter": ["counter-over-capacity", "out-of-bounds"],
  "out-of-bounds": ["out-of-bounds"],
  "forward-progress": ["no-forward-progress"],
  lock: ["no-forward-progress"],
  "order-dependent-float": ["order-dependent"],
  contention: ["contention"],
  "layout-mismatch": ["layout-mismatch"],
  // `check` knows these from the text: nothing goes wrong when they run.
  semantics: [],
};

const cases = listFiles("test/cases", ".json").flatMap((path) => {
  const stated = JSON.parse(read(path)) as Case;
  const shader = stated.launch.shader as string;
  const source = new Source(read(`test/cases/${shader}`), shader);
  return stated.verdict.legal ? [{ name: shader.slice(0, -".wgsl".length), stated, source }] : [];
});

function matches(finding: Finding, stated: StatedFinding): boolean {
  const { source, span, accesses, resource, code, args } = finding;
  const codes = [stated.kind, ...(stated.accept_kinds ?? [])].flatMap((kind) => CODES[kind] ?? []);
  const lines = [span, ...accesses.map((each) => each.span)].map(({ start }) => source.position(start).line);
  const wanted = [stated.line, ...(stated.also_lines ?? [])];
  const name = resource?.name ?? String(args.name).split(".")[0];
  return codes.includes(code) && name === stated.variable.split(".")[0] && lines.some((line) => wanted.includes(line));
}

test("there are as many as there were", () => {
  expect(cases).toHaveLength(68);
});

describe("each case", () => {
  test.each(cases)("$name", async ({ stated, source }) => {
    const { findings } = await sanitize({ ...stated.launch, shader: analyze(source) });
    for (const each of stated.findings) {
      if (CODES[each.kind].length === 0) continue;
      expect(
        findings.some((finding) => matches(finding, each)),
        `${each.kind} of ${each.variable} on line ${each.line}`,
      ).toBe(true);
    }
    const allowed = [...stated.findings, ...(stated.allowedKinds ?? []).map((kind) => ({ kind, accept_kinds: [] }))];
    const codes = new Set(
      allowed.flatMap(({ kind, accept_kinds = [] }) => [kind, ...accept_kinds].flatMap((one) => CODES[one] ?? [])),
    );
    const others = findings.filter(({ code }) => !codes.has(code));
    expect(others.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  });
});
