/**
 * Every operator and builtin function on floats, one by one, on a grid of arguments: what the interpreter and Dawn with
 * SwiftShader give lies within what the specification accepts. spec: #floating-point-accuracy
 */
import { existsSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Launch } from "../../src/launch/launch.ts";
import { type AccuracyName, acceptedInterval, accuracies } from "../../src/numeric/accuracy.ts";
import { roundToF16 } from "../../src/numeric/float16.ts";
import { anyValue, contains } from "../../src/numeric/interval.ts";
import { openDevice } from "../../tools/oracle/dawn.mjs";
import { runOnOracle, runOurs } from "./launches.ts";

type Kind = "f32" | "f16";

/** How it is written, with `a`, `b`, `c`, `d` for the arguments. Left out: `name(a)`. */
const WRITTEN: Partial<Record<AccuracyName, string>> = {
  "+": "a + b",
  "-": "a - b",
  "*": "a * b",
  "/": "a / b",
  "%": "a % b",
  negation: "-a",
  atan2: "atan2(a, b)",
  clamp: "clamp(a, b, c)",
  dot: "dot(vec2(a, b), vec2(c, d))",
  fma: "fma(a, b, c)",
  frexpFract: "frexp(a).fract",
  ldexp: "ldexp(a, i32(b))",
  length: "length(vec2(a, b))",
  max: "max(a, b)",
  min: "min(a, b)",
  mix: "mix(a, b, c)",
  modfFract: "modf(a).fract",
  modfWhole: "modf(a).whole",
  pow: "pow(a, b)",
  smoothstep: "smoothstep(a, b, c)",
  step: "step(a, b)",
};

const names = Object.keys(accuracies) as AccuracyName[];

function expressionOf(name: AccuracyName): string {
  return WRITTEN[name] ?? `${name}(a)`;
}

const LETTERS = "abcd";

function arity(name: AccuracyName): number {
  return [...LETTERS].filter((letter) => new RegExp(`\\b${letter}\\b`).test(expressionOf(name))).length;
}

/** Both signs of numbers of all sizes, round and odd. */
const COARSE = [0, 0.5, 1, 1.5, 2, 3.140625, 7, 100, 1000.5, 1e-3, 3e4].flatMap((x) => [x, -x]);
const EXTREME = [2 ** -126, 2 ** -60, 1e-10, 2 ** 23, 2 ** 31, 1e10, 2 ** 100, 3.4028234663852886e38];
const FINE = [
  ...Array.from({ length: 160 }, (_, i) => (i - 80) / 23),
  ...Array.from({ length: 60 }, (_, i) => 1.37 ** (i - 30)),
  ...EXTREME.flatMap((x) => [x, -x]),
  ...COARSE,
];

function gridFor(count: number): number[][] {
  const axis =
    count === 1 ? FINE : count === 2 ? [...COARSE, ...EXTREME.slice(2, 7)] : COARSE.slice(0, count === 3 ? 14 : 9);
  let grid: number[][] = [[]];
  for (let i = 0; i < count; i++) grid = grid.flatMap((values) => axis.map((value) => [...values, value]));
  return grid;
}

/** Arguments as values of the type; those that are none are left out. */
function argumentsFor(name: AccuracyName, kind: Kind): number[][] {
  const round = kind === "f32" ? Math.fround : roundToF16;
  const grid = gridFor(arity(name)).map((values) => values.map(round));
  const usable = grid.filter((values) => values.every((value) => Number.isFinite(value)));
  // The exponent is an integer, and has a limit; a low bound above the high one has no meaning.
  if (name === "ldexp") return usable.map(([x, y]) => [x, Math.trunc(Math.max(-20, Math.min(20, y)))]);
  return name === "clamp" ? usable.filter(([, low, high]) => low <= high) : usable;
}

function launchOf(name: AccuracyName, kind: Kind, grid: readonly (readonly number[])[]): Launch {
  const count = arity(name);
  const used = [...LETTERS].slice(0, count);
  const values = used.map((letter, index) => `let ${letter} = ${kind}(arguments[i * ${count}u + ${index}u]);`);
  const shader = `${kind === "f16" ? "enable f16;" : ""}
@group(0) @binding(0) var<storage, read> arguments: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if i >= arrayLength(&results) { return; }
  ${values.join("\n  ")}
  results[i] = f32(${expressionOf(name)});
}`;
  const buffers = { arguments: { values: grid.flat() }, results: `zeros:${grid.length}` };
  return { shader, entry: "main", workgroups: [Math.ceil(grid.length / 64)], buffers };
}

function floats(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}

/** Results outside of what is accepted; and how many have a bound at all. */
function judge(name: AccuracyName, kind: Kind, grid: readonly number[][], results: Float32Array) {
  const wrong: string[] = [];
  let bounded = 0;
  for (const [index, values] of grid.entries()) {
    const interval = acceptedInterval(name, kind, ...values);
    if (interval === anyValue) continue;
    bounded++;
    if (contains(interval, results[index])) continue;
    wrong.push(`${name}(${values.join(", ")}) is ${results[index]}, not from ${interval.low} to ${interval.high}`);
  }
  return { wrong, bounded };
}

describe.each(["f32", "f16"] as const)("the interpreter on %s", (kind) => {
  test.each(names)("%s", async (name) => {
    const grid = argumentsFor(name, kind);
    const outcome = await runOurs(launchOf(name, kind, grid));
    if (outcome.kind === "failed") expect.fail(outcome.message);
    const { wrong, bounded } = judge(name, kind, grid, floats(outcome.buffers.results));
    expect(wrong).toEqual([]);
    expect(bounded).toBeGreaterThan(20);
  });
});

describe.runIf(existsSync(process.env.VK_DRIVER_FILES ?? ""))("SwiftShader on f32", () => {
  let device: GPUDevice;
  beforeAll(async () => {
    device = (await openDevice()) as unknown as GPUDevice;
  });

  test.each(names)("%s", async (name) => {
    const grid = argumentsFor(name, "f32");
    const outcome = await runOnOracle(device, launchOf(name, "f32", grid));
    if (outcome.kind === "failed") expect.fail(outcome.message);
    const { wrong } = judge(name, "f32", grid, floats(outcome.buffers.results.bytes));
    expect(wrong).toEqual([]);
  });
});
