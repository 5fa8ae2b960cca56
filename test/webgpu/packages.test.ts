/** Packages that others publish, as they are, on `halay/gpu`: in Node and in a page. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../house/tree.ts";
import { compileSources } from "../support/compiled.ts";
import { hasChromium, openPages, type Pages } from "../support/page.ts";

/** Half a second: down by five times the mass, one to the right and two up by a second's velocity. */
const PARTICLES = {
  positions: [1, 2, 3, 4, 5].map((mass) => [mass + 0.5, 1 - 5 * mass, 0]),
  living: 3,
};
const SORTED = Array.from({ length: 64 }, (_, i) => (i * 37) % 101)
  .sort((a, b) => a - b)
  .map((key) => [key, key, 200 - key]);
const TENSORFLOWS_OWN = ["arg_max 1", "arg_min 1", "bitwise_and 1", "unique 1", "unique 2", "unique 3"];
const NUMBERS = Array.from({ length: 1024 }, (_, i) => (i * 7919) % 10007);
const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
const THREE = { sorted: ascending(NUMBERS), binned: ascending(NUMBERS.map((number) => number % 64)), places: 1024 };

/** What a program prints, with `halay/gpu/auto`. */
function printed(program: string): unknown {
  const whole = `await import(${url("dist/gpu-auto.js")});\n${program}`;
  const options = { encoding: "utf8", timeout: 120_000, cwd: root, stdio: "pipe" } as const;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", whole], options));
}

function url(path: string): string {
  return JSON.stringify(pathToFileURL(join(root, path)).href);
}

describe("in Node", () => {
  beforeAll(compileSources, 120_000);

  test.each([
    ["webgpu-utils", "moveParticles", PARTICLES],
    ["typegpu", "sortWithTypeGpu", SORTED],
  ])("%s", (name, run, expected) => {
    const program = `
      const { ${run} } = await import(${url(`test/webgpu/page/${name}.js`)});
      console.log(JSON.stringify(await ${run}()));`;
    expect(printed(program)).toEqual(expected);
  });

  test("three: the sorts that it publishes", () => {
    const program = `
      // Its renderer wants a page, though it draws nothing.
      const canvas = { style: {}, setAttribute() {}, addEventListener() {} };
      Object.assign(globalThis, { self: globalThis, document: { createElementNS: () => canvas } });
      globalThis.requestAnimationFrame = () => 0;
      const { sortWithThree } = await import(${url("test/webgpu/page/three.js")});
      console.log(JSON.stringify(await sortWithThree()));`;
    expect(printed(program)).toEqual(THREE);
  });

  test("TensorFlow.js: the examples of its documentation, as its CPU backend has them", () => {
    const program = `
      const { compareExamples } = await import(${url("test/webgpu/tensorflow.js")});
      console.log(JSON.stringify(await compareExamples()));`;
    const { same, others } = printed(program) as { same: number; others: Record<string, string> };
    expect(same).toBeGreaterThan(170);
    // Numbers by chance, and what is its own: kernels that this backend lacks, a shape that it gives.
    const isChance = (name: string) => /^(random|truncated|dropout|multinomial)/.test(name);
    expect(Object.keys(others).filter((name) => !isChance(name))).toEqual(TENSORFLOWS_OWN);
  });
});

describe.runIf(hasChromium)("in Chromium", () => {
  let pages: Pages;
  beforeAll(async () => {
    pages = await openPages("test/webgpu/page");
  }, 120_000);
  afterAll(() => pages?.close());

  test.each(["/isolated/", "/"])("the page %s", async (path) => {
    expect(await pages.report(path)).toEqual({ particles: PARTICLES, sorted: SORTED, three: THREE });
  });
});
