/** However the cases are written: the same findings at the same places (`variations.ts`). */
import { describe, expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import type { Program } from "../../src/analysis/program.ts";
import type { Launch } from "../../src/launch/launch.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";
import { listFiles, read } from "../house/tree.ts";
import { VARIATIONS, vary } from "./variations.ts";

const cases = listFiles("test/cases", ".json").map((path) => {
  const { launch } = JSON.parse(read(path)) as { launch: Launch };
  const shader = launch.shader as string;
  const program = analyze(new Source(read(`test/cases/${shader}`), shader));
  const { expect: _, hostLayout: __, ...others } = launch;
  return { name: shader.slice(0, -".wgsl".length), program, launch: others };
});

type LineOf = (line: number) => number;

function errorsOf({ diagnostics, source }: Program, lineOf: LineOf): readonly string[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.map(({ code, span }) => `${code} in line ${lineOf(source.position(span.start).line)}`);
}

/** Code, variable, and the lines of the accesses, or of the finding where there are none. */
async function findingsOf(
  launch: Omit<Launch, "shader">,
  program: Program,
  lineOf: LineOf,
): Promise<readonly string[]> {
  const { findings } = await sanitize({ ...launch, shader: program });
  const told = findings.map(({ code, span, accesses, resource, source, args }) => {
    const spans = accesses.length === 0 ? [span] : accesses.map((each) => each.span);
    const lines = spans.map(({ start }) => lineOf(source.position(start).line));
    const name = resource?.name ?? String(args.name ?? "");
    const variable = name.split(/[.[]/)[0].replace(/_too$/, "");
    return `${code} of ${variable} in lines ${[...new Set(lines)].sort((a, b) => a - b).join()}`;
  });
  return told.sort();
}

const same: LineOf = (line) => line;

describe.each(cases)("$name", ({ program, launch }) => {
  const errors = errorsOf(program, same);

  test.each(Object.keys(VARIATIONS))("%s", async (variation) => {
    // What is no type at all is none in a parameter either, and refused there too.
    if (errors.length > 0 && /pointers|structures/.test(variation)) return;
    const varied = vary(program, variation);
    if (varied === null) return;
    const { text, lineOf = same } = varied;
    const found = analyze(new Source(text, program.source.path));
    expect(errorsOf(found, same), text).toEqual(errorsOf(program, lineOf));
    if (errors.length > 0) return;
    expect(await findingsOf(launch, found, same), text).toEqual(await findingsOf(launch, program, lineOf));
  });
});
