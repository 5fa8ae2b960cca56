/** Faults and their twins (`pairs.ts`): every finding where it has to be and no other; nothing in what is right. */
import { describe, expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import { FINDINGS } from "../../src/diagnostics/catalogue-findings.ts";
import type { Finding } from "../../src/sanitize/finding.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";
import { type Expected, type Program, readPairs } from "./pairs.ts";

const pairs = readPairs();

/** Advice, which a run of right programs gives as well. */
const ADVICE: readonly string[] = ["needless-barrier", "needless-atomic"];

async function findingsOf({ text, launch, options }: Program): Promise<readonly Finding[]> {
  const program = analyze(new Source(text, "shader.wgsl"));
  const { findings, diagnostics } = await sanitize({ ...launch, shader: program }, options);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ message }) => message)).toEqual([]);
  return findings;
}

function lineOf({ source, span }: Finding): number {
  return source.position(span.start).line;
}

function pathOf({ resource, args }: Finding): string {
  return (resource?.path ?? String(args.name ?? "")).replaceAll(/\[[^\]]*\]/g, "");
}

function isMeant(finding: Finding, { code, line, variable }: Expected): boolean {
  const path = pathOf(finding);
  return finding.code === code && lineOf(finding) === line && (path === variable || path.startsWith(`${variable}.`));
}

function describeFinding(finding: Finding): string {
  return `${finding.code} in line ${lineOf(finding)} about ${pathOf(finding)}: ${finding.message}`;
}

test("there are many, of every code that a run can give", () => {
  expect(new Set(pairs.map(({ name }) => name)).size).toBe(pairs.length);
  const codes = new Set(pairs.flatMap(({ wrong }) => wrong.expected.map(({ code }) => code)));
  expect(Object.keys(FINDINGS).filter((code) => !codes.has(code))).toEqual([...ADVICE]);
  for (const { name, wrong } of pairs) expect(wrong.expected.length, name).toBeGreaterThan(0);
});

describe.each(pairs)("$name", ({ wrong, right }) => {
  test("wrong", async () => {
    const findings = await findingsOf(wrong);
    const others = findings.filter((finding) => !wrong.expected.some((each) => isMeant(finding, each)));
    const missed = wrong.expected.filter((each) => !findings.some((finding) => isMeant(finding, each)));
    expect({ others: others.map(describeFinding), missed }).toEqual({ others: [], missed: [] });
  });

  test("right", async () => {
    expect((await findingsOf(right)).map(describeFinding)).toEqual([]);
  });
});
