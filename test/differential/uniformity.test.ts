/** Verdicts on random shaders, and the line of the operation that fails, against Tint. */
import { beforeAll, expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { Source } from "../../src/text/source.ts";
import { type Tint, tint } from "./tint.ts";
import { program } from "./uniformity.ts";
import { generator } from "./values.ts";

/** Programs of a run, and the first seed; more of them find more. */
const count = Number(process.env.TRIALS ?? 2000);
const seed = Number(process.env.SEED ?? 1);

let oracle: Tint;
beforeAll(async () => {
  oracle = await tint();
});

/** Lines that a message names, notes included. */
function linesOf(source: Source, item: Diagnostic): readonly number[] {
  return [item, ...item.notes].map(({ span }) => source.position(span.start).line);
}

/**
 * Of a `while` that never comes to a second iteration Tint takes no notice, though it does of the `for` that is the same:
 * a loop whose body only breaks and returns has one iteration. spec: #uniformity-statements
 */
async function isWhileOfOneIteration(text: string): Promise<boolean> {
  return (await oracle.errors(text.replace(/while (.*) \{/g, "for (; $1; ) {"))).length === 0;
}

test("what Tint says of random control flow", async () => {
  const random = generator(seed);
  const different: string[] = [];
  const totals = { accepted: 0, refused: 0, sameLine: 0 };
  for (let i = 0; i < count; i++) {
    const text = program(random);
    const source = new Source(text);
    const ours = analyze(source).diagnostics.filter((item) => item.severity === "error");
    const theirs = await oracle.errors(text);
    if (ours.length > 0 !== theirs.length > 0) {
      if (ours.length === 0 && (await isWhileOfOneIteration(text))) continue;
      const said = [...ours, ...theirs].map(({ message }) => message);
      different.push([text, ours.length > 0 ? "refused here, accepted by Tint" : "accepted here", ...said].join("\n"));
    } else if (ours.length === 0) totals.accepted++;
    else {
      totals.refused++;
      const lines = ours.flatMap((item) => linesOf(source, item));
      if (theirs.every(({ line }) => lines.includes(line))) totals.sameLine++;
    }
  }
  expect(different).toEqual([]);
  // Each half says something only if the other is not empty. Of many operations that fail together, some are named.
  expect(totals.accepted).toBeGreaterThan(count / 6);
  expect(totals.sameLine).toBeGreaterThan(totals.refused * 0.95);
}, 300_000);
