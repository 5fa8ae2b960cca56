/** The keyboard alone: from an empty page to a race, and what keys do in forms and behind dialogs. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeStudio, editorText, RACE, until } from "./support.ts";

/** What the focus is on, as it is called. */
async function focused(page: Page): Promise<string> {
  return (await page.evaluate(`(() => {
    const { activeElement: element } = document;
    return element.getAttribute("aria-label") ?? element.textContent.trim();
  })()`)) as string;
}

/** Walks with Tab until the focus is on something of that name. */
async function tabTo(page: Page, name: RegExp, most = 40): Promise<void> {
  const passed: string[] = [];
  for (let i = 0; i < most; i++) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (name.test(now)) return;
    passed.push(now.slice(0, 30));
  }
  throw new Error(`${name} was not reached: ${passed.join(" | ")}`);
}

describeStudio("the keyboard alone", (studio) => {
  test("from an empty page to a race, its place, and back", async () => {
    const { page, problems } = await studio.open("/isolated/");
    await page.getByRole("heading", { name: "Do your invocations race?" }).waitFor();
    await tabTo(page, /^Show me a race/);
    await page.keyboard.press("Enter");
    await page.locator(".finding.open").waitFor();
    await until(page, "document.querySelector('[data-task=sanitize]') !== null");
    await tabTo(page, /‘counts\[0\]’ is/);
    await tabTo(page, /^line 7$/);
    await page.keyboard.press("Enter");
    await until(page, "document.activeElement.classList.contains('cm-content')");
    await until(page, "document.querySelector('.cm-activeLine').textContent.includes('counts[lane')");
    // Tab writes there; Escape and Tab leave.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('.cm-editor') === null")).toBe(true);
    await page.keyboard.press("Alt+w");
    await page.keyboard.press("Alt+w");
    await page.getByRole("heading", { name: "Do your invocations race?" }).waitFor();
    expect(problems).toEqual([]);
  });

  test("the first letter counts, however soon it comes", async () => {
    const { page } = await studio.open("/");
    await page.locator(".code-hint").waitFor();
    // In the same moment, not in the next frame.
    const press = "document.querySelector('.code-hint').click(); document.activeElement.className";
    expect(await page.evaluate(press)).toContain("cm-content");
    await page.keyboard.type("// first");
    expect(await editorText(page)).toBe("// first");
  });

  test("a narrow window is walked alike", async () => {
    const { page } = await studio.openFiles({ "a.wgsl": RACE }, { isolated: true, width: 380 });
    await page.keyboard.press("Control+Enter");
    await page.locator(".finding.open").waitFor();
    await page.getByRole("tab", { name: "Findings" }).focus();
    await page.keyboard.press("ArrowLeft");
    await until(page, "document.activeElement.textContent.startsWith('Result')");
    await page.keyboard.press("ArrowRight");
    await tabTo(page, /^line 4$/);
    await page.keyboard.press("Enter");
    await until(page, "document.activeElement.classList.contains('cm-content')");
    // The key of a panel leads into it, to what can be done there.
    await page.keyboard.press("Alt+4");
    await until(page, "document.activeElement.id === 'panel-body'");
    await tabTo(page, /^Mend: make ‘total’ atomic$/);
    await page.keyboard.press("Enter");
    await page.locator(".finding-meta").getByText("contention").waitFor();
  });

  test("nothing happens behind a dialog, and its keys are all listed", async () => {
    const { page } = await studio.openFiles({ "a.wgsl": RACE });
    await page.keyboard.press("F1");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    const keys = await page.locator(".shortcuts kbd").allInnerTexts();
    expect(keys).toEqual(expect.arrayContaining(["Alt+W", "F1", "Esc", "Ctrl+Enter", "Alt+1"]));
    expect(new Set(keys).size).toBe(keys.length);
    await page.keyboard.press("Alt+w");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Control+k");
    await page.getByRole("heading", { name: "Commands" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await page.getByRole("tab", { name: "a.wgsl" }).count()).toBe(1);
    expect(await page.locator(".verdict").count()).toBe(0);
    // A letter is a letter.
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// wnptu 01234?");
    await until(page, "document.querySelector('.cm-content').textContent.includes('// wnptu 01234?')");
    expect(await page.locator("dialog").count()).toBe(0);
  });

  test("every field and button has a name", async () => {
    const { page } = await studio.openFiles({ "a.wgsl": RACE }, { width: 380 });
    const nameless = await page.evaluate(`[...document.querySelectorAll("input, select, textarea, button")]
      .filter((each) => (each.getAttribute("aria-label") ?? each.textContent).trim() === "" && (each.labels ?? []).length === 0)
      .map((each) => each.outerHTML)`);
    expect(nameless).toEqual([]);
    expect(await page.locator("#open-files").getAttribute("aria-label")).toBe("Open files");
  });
});
