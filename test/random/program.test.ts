/** What other tests rely on in random programs. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../../src/check.ts";
import type { Engine } from "../../src/engine/dispatch.ts";
import { createInterpreter } from "../../src/engine/interpreter.ts";
import type { Launch } from "../../src/launch/launch.ts";
import { type RunOptions, run } from "../../src/launch/run.ts";
import { sampleBroken } from "./break.ts";
import { Program, programs, samplePrograms, shrunk } from "./program.ts";
import { WRONG_DECLARATIONS, WRONG_STATEMENTS } from "./wrong.ts";

/** What a program may take at most. */
const MOST_INSTRUCTIONS = 500_000;
const LEVELS = ["a", "b", "c"] as const;

function errors(source: string): readonly string[] {
  const { diagnostics } = check(source);
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code, message }) => `${code}: ${message}`);
}

describe.each(LEVELS)("level %s", (level) => {
  test("programs are valid", () => {
    fc.assert(
      fc.property(programs({ level, outOfBounds: true }), ({ source }) => {
        expect(errors(source)).toEqual([]);
      }),
      { seed: 11, numRuns: 100 },
    );
  });

  test("smaller programs are valid too", () => {
    for (const program of samplePrograms(2, 12, { level, size: 8 })) {
      const invalid = [...program.smaller()].filter((each) => errors(each.source).length > 0);
      expect(invalid.map((each) => [...errors(each.source), each.source])).toEqual([]);
    }
  });

  test("the same seed gives the same programs", () => {
    const [first, second] = [1, 2].map(() => samplePrograms(5, 13, { level }).map(String));
    expect(second).toEqual(first);
  });
});

test("shrinking leaves little more than what matters", async () => {
  const mentions = ({ source }: Program) => source.includes("insertBits(") && /\bloop\b/.test(source);
  const program = samplePrograms(200, 14).find(mentions)!;
  const smallest = await shrunk(program, mentions);
  expect(program.source.split("\n").length).toBeGreaterThan(60);
  expect(smallest.source.split("\n").length).toBeLessThan(35);
});

test("fast-check shrinks them by itself", () => {
  const property = fc.property(programs(), ({ source }) => !source.includes("switch"));
  const { counterexample } = fc.check(property, { seed: 15, numRuns: 100 });
  expect(counterexample![0]).toBeInstanceOf(Program);
  expect(counterexample![0].source.split("\n").length).toBeLessThan(35);
});

/** Words that have to turn up, in each level that has them. */
const WORDS = {
  a: "if else switch case default for while loop continuing break continue return var let const struct fn ptr array mat2x3f vec3 vec4<bool> bitcast select insertBits extractBits frexp modf fma dot cross transpose arrayLength quantizeToF16 pack4xI8 dot4U8Packed && || << >> ++ -- += %= @must_use const_assert",
  b: "workgroupBarrier storageBarrier workgroupUniformLoad atomicAdd atomicMax atomicOr atomicExchange atomicLoad ptr<workgroup",
  c: "f16 override alias texture_ sampler subgroup @vertex @fragment @interpolate enable diagnostic const_assert atomicCompareExchangeWeak @size @align discard ptr<storage",
} as const;

test.each(LEVELS)("level %s has everything in it", (level) => {
  const all = samplePrograms(200, 16, { level, size: 40 })
    .map(({ source }) => source)
    .join("\n");
  expect(WORDS[level].split(" ").filter((word) => !all.includes(word))).toEqual([]);
});

async function bytesOf(program: Program, options: RunOptions): Promise<unknown> {
  const { buffers, diagnostics } = await run(program.launch as Launch, { engine: createInterpreter(), ...options });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return Object.entries(buffers).map(([name, buffer]) => `${name} ${Buffer.from(buffer.bytes).toString("base64")}`);
}

describe("running", () => {
  test("level b gives the same in every order", async () => {
    for (const program of samplePrograms(40, 17, { level: "b" })) {
      const inOrder = await bytesOf(program, {});
      expect(await bytesOf(program, { schedule: "interleave" })).toEqual(inOrder);
      for (const seed of [1, 2]) expect(await bytesOf(program, { schedule: "random", seed })).toEqual(inOrder);
    }
  });

  test("programs do something, and end soon", async () => {
    let written = 0;
    for (const program of samplePrograms(60, 18)) {
      const engine = createInterpreter();
      const dispatch: Engine["dispatch"] = (request) =>
        engine.dispatch({ ...request, maxInstructions: MOST_INSTRUCTIONS });
      const { ok, buffers } = await run(program.launch as Launch, {
        engine: { ...engine, name: engine.name, dispatch },
      });
      expect(ok).toBe(true);
      if (buffers.out?.bytes.some((byte) => byte !== 0)) written++;
    }
    expect(written).toBeGreaterThan(40);
  });
});

describe("broken programs", () => {
  test("are refused where it is certain that they are wrong", () => {
    const broken = LEVELS.flatMap((level) => sampleBroken(100, 19, { level, size: 10 }));
    const accepted = broken.filter(({ source, isCertain }) => isCertain && errors(source).length === 0);
    expect(accepted.map(({ what, source, line }) => `${what}: ${source.split("\n")[line - 1]}`)).toEqual([]);
    expect(new Set(broken.map(({ what }) => what)).size).toBeGreaterThan(10);
  });

  test.each(WRONG_STATEMENTS)("%s", (text) => {
    const program = samplePrograms(1, 20, { size: 1 })[0].source;
    const inMain = program.replace(/(fn main\(.*?\) \{\n)/, `$1${text.replaceAll("$", "$$$$")}\n`);
    expect(errors(program)).toEqual([]);
    expect(errors(inMain)).not.toEqual([]);
  });

  test.each(WRONG_DECLARATIONS)("%s", (text) => {
    expect(errors(`${samplePrograms(1, 20, { size: 1 })[0].source}\n${text}`)).not.toEqual([]);
  });
});
