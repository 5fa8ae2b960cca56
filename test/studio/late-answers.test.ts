/** Answers that come when something else is shown by now, parts that cannot be loaded, and launches that are broken. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  describeStudio,
  editorText,
  fragmentOf,
  PANELS,
  pressAndWait,
  RACE,
  ready,
  showPanel,
  taskButton,
  until,
} from "./support.ts";

const LET = "@compute @workgroup_size(1) fn main() {\n  let x = 1;\n  x = 2;\n}\n";
const MENDED = LET.replace("let", "var");
/** Written before anybody is told of it: what was known of the text is about another one. */
const ABOVE = "// a line above\n";

/** Types and presses in one go, so that no answer comes between. */
function typeAnd(page: Page, typed: string, press: string): Promise<void> {
  return page.evaluate(`{
    const content = document.querySelector(".cm-content");
    const view = (content.cmTile ?? content.cmView).view;
    view.dispatch({ changes: { from: 0, insert: ${JSON.stringify(typed)} } });
    ${press}
  }`);
}

const KEY = (key: string, more = "") =>
  `content.dispatchEvent(new KeyboardEvent("keydown", { key: "${key}", bubbles: true, cancelable: true, ${more} }));`;
const OTHER_TAB = `[...document.querySelectorAll(".file-tabs [role=tab]")].find((tab) => tab.textContent === "b.wgsl").click();`;

const EXPECT = `[...document.querySelectorAll(".exports button")].at(-1).click();`;
const DROP = `const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["1234"], "v.bin"));
  document.querySelector(".buffer-field").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));`;

/** Keys, completion and history come right after the first diagnostic. */
const whole = (page: Page) => page.locator(".cm-lintRange, .cm-lintPoint").first().waitFor({ state: "attached" });

describeStudio("late answers", (studio) => {
  test.each([
    ["by the key", KEY(".", "ctrlKey: true")],
    ["in the list", 'document.querySelector(".problems .fix").click();'],
  ])("a fix goes where its place is by now: %s", async (_, press) => {
    const { page, problems } = await studio.openFiles({ "a.wgsl": LET });
    await whole(page);
    await page.locator(".cm-line").nth(2).click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Control+ArrowRight");
    await typeAnd(page, ABOVE, press);
    expect(await editorText(page)).toBe(ABOVE + MENDED);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    expect(await editorText(page)).toBe(LET);
    await page.keyboard.press("Control+y");
    await page.keyboard.press("Control+y");
    expect(await editorText(page)).toBe(ABOVE + MENDED);
    expect(problems).toEqual([]);
  });

  test("a fix whose line is another one by now changes nothing", async () => {
    const { page } = await studio.openFiles({ "a.wgsl": LET });
    await whole(page);
    const edit = 'view.dispatch({ changes: { from: 42, to: 45, insert: "const" } });';
    await typeAnd(page, "", `${edit}document.querySelector(".problems .fix").click();`);
    expect(await editorText(page)).toBe(LET.replace("let", "const"));
    await page.locator(".notice").getByText("has been changed since").waitFor();
  });

  test.each([
    ["where something is declared", KEY("F12", 'code: "F12", keyCode: 123')],
    ["what to rename", KEY("F2", 'code: "F2", keyCode: 113')],
  ])("%s, asked right before another file is shown", async (_, press) => {
    const { page, problems } = await studio.openFiles({
      "a.wgsl": `${ABOVE.repeat(500)}${RACE}`,
      "b.wgsl": "const a = 1;",
    });
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+End");
    for (const key of ["ArrowUp", "ArrowUp", "Home", "ArrowRight"]) await page.keyboard.press(key);
    await typeAnd(page, "", press + OTHER_TAB);
    await page.waitForTimeout(500);
    expect(await editorText(page)).toBe("const a = 1;");
    expect(problems).toEqual([]);
    expect(await page.locator(".notice").count()).toBe(0);
  });

  test.each([
    ["what is to be expected", "Result", EXPECT],
    ["a file for a buffer", "Launch", DROP],
  ] as const)("%s is not written into what was opened meanwhile", async (_, panel, press) => {
    const { page, problems } = await studio.openFiles({ "a.wgsl": RACE });
    await pressAndWait(page, "Run");
    await showPanel(page, panel);
    await page.locator(panel === "Result" ? ".exports" : ".buffer-field").waitFor();
    await page.evaluate(`{ ${press} document.querySelector('.file-bar [title="Close a.wgsl"]').click(); }`);
    await page.getByRole("heading", { name: "Do your invocations race?" }).waitFor();
    await page.waitForTimeout(1500);
    expect(await page.locator(".file-tabs [role=tab]").count()).toBe(0);
    expect(problems).toEqual([]);
  });
});

describeStudio("parts that cannot be loaded", (studio) => {
  test("without the worker, what is written is kept all the same", async () => {
    const { page } = await studio.open("/");
    await page.route("**/worker-*.js", (route) => route.abort());
    await page.reload();
    await page.getByRole("button", { name: "Write or paste a shader" }).click();
    await page.locator(".cm-editor.cm-focused").waitFor();
    await page.keyboard.type("// mine");
    await page.locator(".notice").getByText("could not be loaded").waitFor();
    await until(page, 'Object.values(localStorage).some((text) => text.includes("// mine"))');
    await page.unrouteAll();
    await page.reload();
    await ready(page);
    expect(await editorText(page)).toBe("// mine");
  });

  test("without advice, rules are checked and shaders run", async () => {
    const { page } = await studio.open("/");
    await page.route("**/advice-*.js", (route) => route.abort());
    await page.goto(`${page.url()}${fragmentOf({ "a.wgsl": RACE })}`);
    await page.reload();
    await ready(page);
    await page.locator(".notice").getByText("could not be loaded").waitFor();
    expect(await taskButton(page, "Run").isEnabled()).toBe(true);
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("x");
    await page.locator(".problems .problem-row").first().waitFor();
    await page.keyboard.press("Backspace");
    await page.locator(".problems .problem-row").first().waitFor({ state: "detached" });
    expect(await taskButton(page, "Run").isEnabled()).toBe(true);
    await pressAndWait(page, "Find races");
    await page.locator(".finding.open .access-letter").first().waitFor();
    expect(await page.locator(".finding .fix").count()).toBe(0);
  });

  test("without our own functions for constants, those of the browser do", async () => {
    const { page } = await studio.open("/");
    await page.route("**/math-*.js", (route) => route.abort());
    const files = { "a.wgsl": `const_assert sin(0.5) < 0.47;\nvar<private> a: array<u32, u32(exp2(4.0))>;\n${RACE}` };
    await page.goto(`${page.url()}${fragmentOf(files)}`);
    await page.reload();
    await page.locator(".notice").getByText("could not be loaded").waitFor();
    await page.locator(".problems .problem-row").first().waitFor();
    expect(await page.locator(".problems .problem-row").count()).toBe(1);
    await page.locator(".problems").getByText("1 error").waitFor();
  });

  test("without the texts of the panels, rules are checked; the panels come when the page is loaded again", async () => {
    const { page } = await studio.open("/");
    await page.route("**/later-*.js", (route) => route.abort());
    await page.goto(`${page.url()}${fragmentOf({ "a.wgsl": LET })}`);
    await page.reload();
    await page.locator(".problems .problem-row").first().waitFor();
    await page.getByRole("tab", { name: "Contract" }).click();
    await page.locator(".notice").getByText("could not be loaded").waitFor();
    expect(await page.locator("#panel-body").textContent()).toBe("");
    await page.unrouteAll();
    await page.reload();
    await showPanel(page, "Launch");
    await page.locator("#panel-body").getByText("No launch file yet").waitFor();
    await showPanel(page, "Contract");
    await page.locator("#panel-body").getByText("A shader with errors has no contract").waitFor();
  });

  test("a dialog that cannot be loaded leaves the keys as they were, and comes when the page is loaded again", async () => {
    const { page } = await studio.open("/");
    await page.route("**/dialogs-*.js", (route) => route.abort());
    await page.reload();
    await page.keyboard.press("Control+e");
    await page.locator(".notice").getByText("could not be loaded").waitFor();
    await page.keyboard.press("Alt+n");
    await page.getByRole("tab", { name: "shader.wgsl" }).waitFor();
    await page.unrouteAll();
    await page.reload();
    await page.getByRole("tab", { name: "shader.wgsl" }).waitFor();
    await page.keyboard.press("Control+e");
    await page.getByRole("dialog").waitFor();
  });

  test("what has been loaded needs no connection", async () => {
    const { page, problems } = await studio.openFiles({ "a.wgsl": RACE });
    await until(page, `performance.getEntriesByType("resource").some(({ name }) => /\\/dialogs-/.test(name))`);
    await page.waitForLoadState("networkidle");
    await page.context().setOffline(true);
    await pressAndWait(page, "Find races");
    await page.locator(".finding.open .access-letter").first().waitFor();
    await pressAndWait(page, "Profile");
    await page.locator(".dispatch-profile").waitFor();
    for (const name of PANELS) await showPanel(page, name);
    await page.keyboard.press("Control+Shift+s");
    await page.getByRole("dialog").waitFor();
    expect(problems).toEqual([]);
  });
});

describeStudio("broken launches", (studio) => {
  test.each(["{", "[]", '{ "workgroups": 4 }', '{ "shader": 1 }'])("%s is not passed over", async (launch) => {
    const { page } = await studio.openFiles({ "a.wgsl": RACE, "a.launch.json": launch });
    for (const task of ["Find races", "Run", "Profile"] as const) {
      await taskButton(page, task).click();
      await page.locator("#panel-body .problem-row").first().waitFor();
      expect(await page.locator("#panel-body table").count()).toBe(0);
    }
  });

  test("another launch that names the shader is taken", async () => {
    const { page } = await studio.openFiles({
      "a.wgsl": RACE,
      "a.launch.json": "{",
      "b.launch.json": '{ "shader": "a.wgsl", "workgroups": 1 }',
    });
    await taskButton(page, "Run").click();
    await page.getByRole("cell", { name: "1 × 1 × 1" }).waitFor();
  });
});
