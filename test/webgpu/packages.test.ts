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

describe("in Node", () => {
  beforeAll(compileSources, 120_000);

  test.each([
    ["webgpu-utils", "moveParticles", PARTICLES],
    ["typegpu", "sortWithTypeGpu", SORTED],
  ])("%s", (name, run, expected) => {
    const url = (path: string) => JSON.stringify(pathToFileURL(join(root, path)).href);
    const program = `
      await import(${url("dist/gpu-auto.js")});
      const { ${run} } = await import(${url(`test/webgpu/page/${name}.js`)});
      console.log(JSON.stringify(await ${run}()));`;
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(JSON.parse(printed)).toEqual(expected);
  });
});

describe.runIf(hasChromium)("in Chromium", () => {
  let pages: Pages;
  beforeAll(async () => {
    pages = await openPages("test/webgpu/page");
  }, 120_000);
  afterAll(() => pages?.close());

  test.each(["/isolated/", "/"])("the page %s", async (path) => {
    expect(await pages.report(path)).toEqual({ particles: PARTICLES, sorted: SORTED });
  });
});
