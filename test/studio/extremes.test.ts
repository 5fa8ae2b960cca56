/** Results that are large, many, empty or no numbers. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeStudio, LONG, pressAndWait, showPanel, until } from "./support.ts";

const launch = (fields: object) => JSON.stringify({ shader: "a.wgsl", ...fields });

const ODD = `@group(0) @binding(0) var<storage, read_write> out: array<f32, 6>;
@group(0) @binding(1) var<storage, read> zero: f32;
@compute @workgroup_size(1) fn main() {
  out[0] = 1.0 / zero;
  out[1] = -1.0 / zero;
  out[2] = zero / zero;
  out[3] = 2.5;
  out[4] = -1.0;
}`;
const LARGE = `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) n: vec3u) {
  let i = id.x + id.y * n.x * 256u;
  out[i] = i;
}`;
const MANY = `${Array.from({ length: 100 }, (_, i) => `@group(${i >> 5}) @binding(${i & 31}) var<storage, read_write> b${i}: array<u32, 64>;`).join("\n")}
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
${Array.from({ length: 100 }, (_, i) => `  b${i}[i] = ${i}u;`).join("\n")}
}`;
const COUNTED = `struct List { count: u32, items: array<u32> }
@group(0) @binding(0) var<storage, read_write> list: List;
@compute @workgroup_size(1) fn main() { list.count = 0u; _ = arrayLength(&list.items); }`;

/** How many pixels of the first picture have each colour, of those that most have. */
async function coloursOf(page: Page): Promise<number> {
  return (await page.evaluate(`(() => {
    const canvas = document.querySelector(".heat canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  })()`)) as number;
}

describeStudio("extreme results", (studio) => {
  async function ran(shader: string, fields: object) {
    const files = { "a.wgsl": shader, "a.launch.json": launch(fields) };
    const { page, problems } = await studio.openFiles(files, { isolated: true });
    await pressAndWait(page, "Run");
    await page.locator(".buffer").first().waitFor();
    return { page, problems };
  }
  const view = (page: Page, name: string) => page.locator(".buffer").first().getByRole("button", { name }).click();

  test("NaN and the infinities are in the table, and gaps in charts", async () => {
    const { page, problems } = await ran(ODD, { workgroups: [1], buffers: { zero: "zeros" } });
    expect(await page.locator("table.values td").allTextContents()).toEqual([
      "Infinity",
      "-Infinity",
      "NaN",
      "2.5",
      "-1",
      "0",
    ]);
    for (const name of ["Line", "Bars"]) {
      await view(page, name);
      await page.getByText("3 values are NaN or infinite.").waitFor();
      await page.getByRole("img", { name: /6 values from -1 to 2.5/ }).waitFor();
      await page.locator(".plot canvas").first().waitFor();
    }
    await view(page, "Heat map");
    await page.getByText("3 values are NaN or infinite.").waitFor();
    // Least, greatest, one between, NaN, and no cell at all; the picture is drawn after the page is.
    await expect.poll(() => coloursOf(page)).toBeGreaterThanOrEqual(4);
    expect(problems).toEqual([]);
  });

  test("a list without elements has nothing to draw", async () => {
    const { page, problems } = await ran(COUNTED, { workgroups: [1], read: ["list.items:0..list.count"] });
    expect(await page.locator(".buffer").count()).toBe(1);
    for (const name of ["Line", "Bars", "Heat map", "Image"]) {
      expect(await page.locator(".buffer").getByRole("button", { name }).count()).toBe(0);
    }
    expect(await page.locator("table.values td").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test(
    "2^24 elements are shown, drawn and compared, and the page answers",
    async () => {
      const { page, problems } = await ran(LARGE, { workgroups: [256, 256], buffers: { out: `zeros:${2 ** 24}` } });
      await page.getByText(/0–511 of 16,777,216/).waitFor();
      for (const name of ["Line", "Bars"]) {
        await view(page, name);
        await page.getByRole("img", { name: /16,777,216 values from 0 to 16777215/ }).waitFor();
      }
      await view(page, "Heat map");
      await page.getByRole("spinbutton", { name: "Width" }).fill("1");
      await page.getByText("The first 16,384 of 16,777,216.").waitFor();
      await view(page, "Image");
      await page.getByRole("img", { name: /1 × 16384/ }).waitFor();
      await view(page, "Table");
      expect(await page.getByRole("button", { name: "Expect this" }).isDisabled()).toBe(true);
      await pressAndWait(page, "Run");
      await page.getByText("The same as in the run before.").waitFor();
      await showPanel(page, "Contract");
      await page.getByText("smallest binding 4 bytes").waitFor();
      expect(problems).toEqual([]);
    },
    LONG,
  );

  test("a hundred buffers", async () => {
    const { page, problems } = await ran(MANY, { workgroups: [1] });
    expect(await page.locator(".buffer").count()).toBe(12);
    await page.getByRole("button", { name: "88 more" }).click();
    await until(page, "document.querySelectorAll('.buffer').length === 24");
    await showPanel(page, "Launch");
    await until(page, "document.querySelectorAll('.buffer-field').length === 100");
    await showPanel(page, "Contract");
    await until(page, "document.querySelectorAll('.bytes').length >= 100");
    expect(problems).toEqual([]);
  });
});
