/** A barrier that a finding asks for is put where it asks for it: the text stays legal, and the finding is gone. */
import { describe, expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import type { Launch } from "../../src/launch/launch.ts";
import type { Finding } from "../../src/sanitize/finding.ts";
import { type SanitizeOptions, sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";
import { listFiles, read } from "../house/tree.ts";
import { readPairs } from "./pairs.ts";

interface Program {
  readonly name: string;
  readonly text: string;
  readonly launch: Omit<Launch, "shader">;
  readonly options: SanitizeOptions;
}

const pairs: readonly Program[] = readPairs().map(({ name, wrong }) => ({ ...wrong, name }));
const cases: readonly Program[] = listFiles("test/cases", ".json").flatMap((path) => {
  const { verdict, launch } = JSON.parse(read(path)) as { verdict: { legal: boolean }; launch: Launch };
  const { shader, expect: _, ...others } = launch;
  return verdict.legal
    ? [{ name: path, text: read(`test/cases/${shader as string}`), launch: others, options: {} }]
    : [];
});

const ASKS: ReadonlySet<string> = new Set(["hint-barrier", "hint-two-barriers", "hint-timing-barrier"]);
let asked = 0;

async function findingsOf({ launch, options }: Program, text: string): Promise<readonly Finding[]> {
  const shader = analyze(new Source(text, "shader.wgsl"));
  if (options.allowIllegal !== true) {
    const errors = shader.diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map(({ message }) => message)).toEqual([]);
  }
  const { findings } = await sanitize({ ...launch, shader }, { ...options, scheduleBudget: 0 });
  return findings;
}

/** Code and lines; `lineOf`: what they are in the text without the barrier. */
function textOf({ code, source, accesses, resource }: Finding, lineOf: (line: number) => number): string {
  const lines = accesses.map(({ span }) => lineOf(source.position(span.start).line));
  return `${code} of ${resource?.name} in lines ${lines.join()}`;
}

describe.each([...pairs, ...cases])("$name", (program) => {
  test("mends", async () => {
    for (const finding of await findingsOf(program, program.text)) {
      const hint = finding.notes.at(-1);
      if (hint === undefined || !ASKS.has(hint.code)) continue;
      asked++;
      // Each in the text that has those before it.
      const { line, end = line } = hint.args;
      const behind = [...new Set([Number(line), Number(end)])].map((at, i) => at + i);
      const lines = program.text.split("\n");
      for (const at of behind) lines.splice(at, 0, `${hint.args.barrier}();`);
      const left = await findingsOf(program, lines.join("\n"));
      const told = left.map((each) => textOf(each, (at) => at - behind.filter((put) => put < at).length));
      expect(told, hint.message).not.toContain(textOf(finding, (at) => at));
    }
  });
});

test("many ask for one", () => {
  expect(asked).toBeGreaterThan(60);
});
