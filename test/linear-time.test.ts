/** No construct makes checking quadratic: sixteen times as much of it never takes twice as many steps for each. */
import { expect, test } from "vitest";
import { analyze } from "../src/analysis/analyze.ts";
import { nonUniformFlow } from "../src/analysis/uniformity/flow.ts";
import { check } from "../src/index.ts";
import { Source } from "../src/text/source.ts";
import { MODULES } from "./support/large-modules.ts";
import { stepsOf } from "./support/steps.ts";

const FEW = 250;
const MANY = 4000;

const steps = (text: string): number => stepsOf(() => check(text, { advice: false }));

test.each(Object.keys(MODULES))("%s", (name) => {
  const module = MODULES[name];
  expect(check(module(FEW), { advice: false }).ok).toBe(!name.startsWith("!"));
  const few = steps(module(FEW));
  expect(few).toBeGreaterThan(10 * FEW);
  expect(steps(module(MANY)) / MANY).toBeLessThan((2 * few) / FEW);
});

test("variables that lose updates", () => {
  const lost = (count: number): string => {
    const names = Array.from({ length: count }, (_, at) => `v${at}`);
    const variables = names.map(
      (name, at) => `@group(0) @binding(${at}) var<storage, read_write> ${name}: array<u32>;`,
    );
    const updates = names.map((name) => `${name}[0] += ${name}[lane + 1u];`);
    return `${variables.join("\n")} @compute @workgroup_size(64)
      fn f(@builtin(local_invocation_index) lane: u32) { ${updates.join("\n")} }`;
  };
  const stepsOfEach = (count: number): number => stepsOf(() => check(lost(count))) / count;
  expect(check(lost(FEW)).diagnostics.some(({ code }) => code === "lost-update")).toBe(true);
  expect(stepsOfEach(MANY)).toBeLessThan(2 * stepsOfEach(FEW));
});

test.each([
  [
    "loops that are left by a return",
    "",
    (k: number) => `for (var k${k} = 0u; k${k} < a[lane]; k${k}++) { if (a[k${k}] == ${k}u) { return; } }`,
  ],
  ["conditions behind each other", "var n = 0u;", (k: number) => `if (a[lane + n] == ${k}u) { n += 1u; }`],
])("why invocations part in %s", (_, before, statement) => {
  const text = (count: number): string => `@group(0) @binding(0) var<storage, read> a: array<u32>;
    @compute @workgroup_size(64) fn f(@builtin(local_invocation_index) lane: u32) { ${before}
    ${Array.from({ length: count }, (_, k) => statement(k)).join("\n")} }`;
  const stepsOfEach = (count: number): number => {
    const program = analyze(new Source(text(count)));
    expect(nonUniformFlow(program).length).toBeGreaterThanOrEqual(count);
    return stepsOf(() => nonUniformFlow(program)) / count;
  };
  expect(stepsOfEach(MANY)).toBeLessThan(2 * stepsOfEach(FEW));
});

test("what functions return and are given is followed once, however many ways lead there", () => {
  const text = (depth: number): string => {
    const levels = Array.from({ length: depth }, (_, at) => at);
    const takes = levels.map((at) => {
      return `fn take${at + 1}(x: u32) -> u32 { if x > 3u { return take${at}(x); } let r = take${at}(x); return r; }`;
    });
    const waits = levels.map((at) => `fn wait${at + 1}(n: u32) { wait${at}(n); wait${at}(n); }`);
    return `@group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>>;
      fn take0(x: u32) -> u32 { return atomicAdd(&a[0], x); } ${takes.join("\n")}
      fn wait0(n: u32) { if atomicAdd(&a[1], 1u) == n - 1u { atomicStore(&a[2], 1u); } while atomicLoad(&a[2]) == 0u { } }
      ${waits.join("\n")}
      @compute @workgroup_size(64) fn f(@builtin(num_workgroups) n: vec3u) {
        if atomicLoad(&a[0]) > 3u && take${depth}(1u) == 4u { return; }
        wait${depth}(n.x);
      }`;
  };
  const stepsOfLevel = (depth: number): number => stepsOf(() => check(text(depth))) / depth;
  expect(check(text(2)).ok).toBe(true);
  expect(stepsOfLevel(16)).toBeLessThan(2 * stepsOfLevel(8));
});

test("steps are those of the text alone", () => {
  const text = MODULES.statements(FEW);
  // Until nothing is found out for the first time, nor compiled anew.
  for (let run = 0; run < 100; run++) check(text);
  expect(steps(text)).toBe(steps(text));
  const comment = (length: number) => steps(`//${"x".repeat(length)}`);
  expect(comment(2000) - comment(1000)).toBeGreaterThanOrEqual(1000);
});
