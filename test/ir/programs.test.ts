/** Whole shaders: every compute entry point of every example lowers and passes the verifier. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { lower } from "../../src/ir/lower.ts";
import { legalProgram, overridesOf, verified } from "../support/ir.ts";

const folder = new URL("../../examples/", import.meta.url);
const shaders = readdirSync(folder).filter((name) => name.endsWith(".wgsl"));

describe("examples", () => {
  test.each(shaders)("%s", (name) => {
    const program = legalProgram(readFileSync(new URL(name, folder), "utf8"));
    const given = Object.fromEntries(
      program.overrides
        .filter((each) => each.declaration.initializer === null)
        .map((each) => [each.pipelineId === null ? each.name : String(each.pipelineId), 1]),
    );
    const entryPoints = program.entryPoints.filter((each) => each.stage === "compute");
    expect(entryPoints.length).toBeGreaterThan(0);
    for (const entryPoint of entryPoints) {
      const { module } = lower(program, entryPoint.name, overridesOf(program, given));
      verified(module);
    }
  });
});
