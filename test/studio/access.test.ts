/** What axe finds: nothing serious, in both themes, in wide and narrow windows, in every panel. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeStudio, exampleFragment, LONG, PANELS, pressAndWait, ready, showPanel, until } from "./support.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Resolves once nothing in the page has changed for a while: axe fails over elements that go as it looks. */
const STILL = `new Promise((done) => {
  let timer = setTimeout(done, 200);
  new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(done, 200);
  }).observe(document, { subtree: true, childList: true });
})`;

async function seriousProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  await page.evaluate(STILL);
  const { violations } = (await page.evaluate("axe.run()")) as { readonly violations: readonly Violation[] };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`));
}

describeStudio("axe", (studio) => {
  test.each([
    ["light", 1280],
    ["dark", 380],
  ] as const)(
    "files that were put aside, left out, and lost: %s, %d wide",
    async (theme, width) => {
      const { page } = await studio.open("/", { theme, width });
      await page.getByRole("button", { name: "Write or paste a shader" }).click();
      await page.locator(".cm-editor.cm-focused").waitFor();
      await page.keyboard.type("const a = 1;");
      await page.locator("#open-files").setInputFiles({ name: "v.bin", mimeType: "", buffer: Buffer.alloc(4) });
      await page.getByText("v.bin can be chosen").waitFor();
      await showPanel(page, "Launch");
      await page.getByText("Files for buffers").waitFor();
      expect(await seriousProblems(page)).toEqual([]);
      await page.keyboard.press("Control+Shift+S");
      await page.getByText("Not in the link").waitFor();
      expect(await seriousProblems(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Alt+w");
      await page.getByText("Earlier files").waitFor();
      await page.getByText("Your other files are kept.").waitFor();
      expect(await seriousProblems(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      await page.evaluate("Number.prototype.toLocaleString = () => { throw new Error('broken on purpose') }");
      await page.keyboard.press("Control+Shift+S");
      await page.getByRole("button", { name: "Start afresh" }).waitFor();
      expect(await seriousProblems(page)).toEqual([]);
    },
    LONG,
  );

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 380],
    ["dark", 380],
  ] as const)(
    "%s, %d wide",
    async (theme, width) => {
      const { page: start } = await studio.open("/", { theme, width });
      await start.getByRole("heading", { name: "Do your invocations race?" }).waitFor();
      expect(await seriousProblems(start)).toEqual([]);
      await start.keyboard.press("Control+e");
      await start.getByRole("dialog").getByRole("option").first().waitFor();
      expect(await seriousProblems(start)).toEqual([]);
      await start.context().close();

      const { page } = await studio.open(`/${exampleFragment("lost-update")}`, { theme, width });
      await ready(page);
      expect(await seriousProblems(page)).toEqual([]);
      await pressAndWait(page, "Run");
      await pressAndWait(page, "Profile");
      await pressAndWait(page, "Find races");
      for (const panel of PANELS) {
        await showPanel(page, panel);
        await until(page, "document.querySelector('#panel-body').innerText.length > 40");
        expect(await seriousProblems(page), panel).toEqual([]);
        // Nothing is wider than the window.
        expect(await page.evaluate("document.documentElement.scrollWidth"), panel).toBeLessThanOrEqual(width);
      }
    },
    LONG,
  );
});
