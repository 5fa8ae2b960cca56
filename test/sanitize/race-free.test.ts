/** Random programs that share memory in disciplined ways, whatever else they do: nothing is found about how they share it. */
import { expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";
import { samplePrograms } from "../random/program.ts";

const COUNT = 100;

test("no races, no timing, nobody waits, no index too large, the same in each order", async () => {
  for (const program of samplePrograms(COUNT, 77, { level: "b" })) {
    const source = new Source(program.source, "random.wgsl");
    const { findings } = await sanitize(
      { ...program.launch, shader: analyze(source) },
      { checks: ["races", "atomics", "barriers", "bounds", "progress", "order"], scheduleBudget: 2 ** 14 },
    );
    const told = findings.map(({ code, span, message }) => `${code} ${source.position(span.start).line}: ${message}`);
    expect(told, program.source).toEqual([]);
  }
}, 120_000);
