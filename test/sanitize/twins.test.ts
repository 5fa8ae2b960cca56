import { describe, expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import type { Launch } from "../../src/launch/launch.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";
import { RIGHT_LAUNCH, TWINS, type Twin, variant } from "./twins.ts";

async function findings({ name, text, launch = {}, checks }: Twin, which: "wrong" | "right") {
  const source = new Source(variant(text, which));
  const given = { ...launch, ...(which === "right" ? RIGHT_LAUNCH[name] : {}) };
  const words = JSON.parse(variant(JSON.stringify(given), which)) as Partial<Launch>;
  const program = analyze(source);
  const where = words.steps === undefined ? { entry: "main", workgroups: [1] } : {};
  const result = await sanitize({ ...where, ...words, shader: program }, checks === undefined ? {} : { checks });
  const errors = result.diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ message }) => message)).toEqual([]);
  return { found: result.findings, source };
}

test("the marks of the two variants are taken out", () => {
  for (const { text } of TWINS) {
    expect(variant(text, "wrong")).not.toMatch(/\{\{|\|\|\s*\}\}/);
    expect(variant(text, "right")).not.toBe(variant(text, "wrong").concat(" "));
  }
});

describe.each(TWINS)("$name", (twin) => {
  test(`wrong: ${twin.code}`, async () => {
    const { found, source } = await findings(twin, "wrong");
    const marked = source.text.split("\n").flatMap((line, i) => (line.endsWith("//!") ? [i + 1] : []));
    const own = found.filter(({ code }) => code === twin.code);
    const lines = own.flatMap(({ span, accesses }) =>
      [span, ...accesses.map((access) => access.span)].map(({ start }) => source.position(start).line),
    );
    expect(found.map(({ code }) => code)).toContain(twin.code);
    expect(
      marked.some((line) => lines.includes(line)),
      `${lines.join()} of ${marked.join()}`,
    ).toBe(true);
  });

  test("right", async () => {
    const { found } = await findings(twin, "right");
    expect(found.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  });
});
