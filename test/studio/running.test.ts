import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  describeStudio,
  editorText,
  LASTING,
  LONG,
  pressAndWait,
  RACE,
  ready,
  savedBytes,
  showPanel,
  taskButton,
  toolbar,
  until,
} from "./support.ts";

const COUNT = `@group(0) @binding(0) var<storage, read_write> hits: atomic<u32>;
@compute @workgroup_size(64)
fn main() {
  atomicAdd(&hits, 1u);
}
`;
const ENDLESS = `@group(0) @binding(0) var<storage, read_write> flag: atomic<u32>;
@compute @workgroup_size(64)
fn main() {
  loop {
    if (atomicLoad(&flag) == 7u) { break; }
  }
}
`;
/** Ends where each invocation runs alone, and never where some go together: each waits for the one before. */
const LOCK = `@group(0) @binding(0) var<storage, read_write> lock: atomic<u32>;
@compute @workgroup_size(64)
fn main() {
  while (atomicExchange(&lock, 1u) != 0u) {}
  atomicStore(&lock, 0u);
}
`;

/** Writes at the beginning of a line, from 1. */
async function typeAtLine(page: Page, line: number, text: string): Promise<void> {
  await page
    .locator(".cm-line")
    .nth(line - 1)
    .click();
  await page.keyboard.press("Home");
  await page.keyboard.type(text);
}

describeStudio("the studio, running", (studio) => {
  const opened = (files: Readonly<Record<string, string>>) => studio.openFiles(files, { isolated: true });

  test("a race is mended where it is found, and looked for again", async () => {
    const { page, problems } = await opened({ "a.wgsl": RACE });
    await pressAndWait(page, "Find races");
    await page.locator(".finding-details").getByRole("button", { name: "Mend: make ‘total’ atomic" }).click();
    await page.locator(".finding-meta").getByText("contention").waitFor();
    expect(await editorText(page)).toContain("atomicAdd(&total, 1u);");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Z");
    await page.locator(".problems").getByRole("button", { name: "Mend: make ‘total’ atomic" }).click();
    await page.locator(".problems").getByText("contended-address").waitFor();
    expect(await editorText(page)).toContain("var<storage, read_write> total: atomic<u32>;");
    expect(problems).toEqual([]);
  });

  test("findings go along with the text; what was changed is no longer offered to be suppressed", async () => {
    const { page, problems } = await opened({ "a.wgsl": RACE });
    await pressAndWait(page, "Find races");
    await page.locator(".finding.open .finding-meta").getByText("line 4").waitFor();
    await typeAtLine(page, 1, "// one\n// two\n");
    await page.locator(".finding.open .finding-meta").getByText("line 6").waitFor();
    await page.getByText("Changed since this ran").waitFor();
    await page.locator(".accesses").getByRole("button", { name: "line 6" }).first().click();
    await until(page, "document.querySelector('.cm-activeLine')?.textContent.includes('total += 1u') === true");
    await page.getByText("Suppress with a reason").click();
    await page.getByRole("textbox", { name: "Reason" }).fill("shown on purpose");
    await page.getByRole("button", { name: "Suppress", exact: true }).click();
    await until(page, "document.querySelector('.cm-content').textContent.includes('halay-allow')");
    const lines = (await editorText(page)).split("\n");
    const at = lines.findIndex((line) => line.includes("halay-allow-next-line"));
    expect(lines.slice(at - 1, at + 2)).toEqual([
      "fn main() {",
      expect.stringMatching(/^ {2}\/\/ halay-allow-next-line race-\S+ -- shown on purpose$/),
      expect.stringMatching(/^ {2}(?:AB)?total \+= 1u;$/),
    ]);
    // The run that follows ends; then the line itself is changed.
    await taskButton(page, "Find races").waitFor();
    await page.locator(".finding-head").first().waitFor();
    if ((await page.locator(".finding.open").count()) === 0) await page.locator(".finding-head").first().click();
    await typeAtLine(page, at + 2, "if (true) { } ");
    await page.locator(".finding.open .finding-meta s").waitFor();
    await page.getByText("Suppress with a reason").click();
    expect(await page.getByRole("textbox", { name: "Reason" }).isDisabled()).toBe(true);
    expect(problems).toEqual([]);
  });

  test("what is shown is what is exported, whatever ran since", async () => {
    const { page, problems } = await opened({ "a.wgsl": COUNT });
    await pressAndWait(page, "Run");
    expect(await page.locator("table.values td").textContent()).toBe("256");
    await showPanel(page, "Launch");
    await page.getByLabel("Workgroups x").fill("1");
    await page.getByLabel("Workgroups x").blur();
    await pressAndWait(page, "Profile");
    await showPanel(page, "Result");
    const exported = async () => {
      const bytes = await savedBytes(page, () => page.getByLabel("Export…").selectOption("json"));
      return new TextDecoder().decode(bytes).trim();
    };
    expect(await page.locator("table.values td").textContent()).toBe("256");
    expect(await exported()).toBe("256");
    // What ran them may be gone.
    await taskButton(page, "Profile").click();
    await page.keyboard.press("Escape");
    await showPanel(page, "Result");
    expect(await exported()).toBe("256");
    expect(problems).toEqual([]);
  });

  test("findings, results and what they say follow the language of the interface", async () => {
    const { page, problems } = await opened({ "a.wgsl": RACE });
    await pressAndWait(page, "Profile");
    await pressAndWait(page, "Find races");
    const message = () => page.locator(".finding-message").first().textContent();
    const repair = () => page.locator(".repair").textContent();
    const english = [await message(), await repair()];
    await page.locator(".language").selectOption("es");
    await page.locator(".finding-message").getByText("aquí").first().waitFor();
    const spanish = [await message(), await repair()];
    await page.locator(".language").selectOption("tr");
    await page.locator(".finding-message").getByText("burada").first().waitFor();
    const turkish = [await message(), await repair()];
    expect(new Set([english[0], spanish[0], turkish[0]]).size).toBe(3);
    expect(new Set([english[1], spanish[1], turkish[1]]).size).toBe(3);
    await page.locator(".language").selectOption("en");
    await until(page, `document.querySelector(".finding-message").textContent === ${JSON.stringify(english[0])}`);
    expect(await repair()).toBe(english[1]);
    // Which one is open, and what is marked, stays.
    expect(await page.locator(".finding.open").count()).toBe(1);
    expect(await page.locator(".cm-content .access-letter").allInnerTexts()).toEqual(["A", "B"]);
    expect(problems).toEqual([]);
  });

  test.each([
    ["an endless loop", ENDLESS, "came to no end", true],
    ["a lock that needs the others to get on", LOCK, "wait for each other", false],
  ])(
    "%s is not given to the GPU, and the page goes on",
    async (_, shader, why, lasts) => {
      const { page, problems } = await opened({ "a.wgsl": shader });
      await page.getByText(/offers a GPU/).waitFor();
      await toolbar(page).getByLabel("Device").selectOption("gpu");
      await taskButton(page, "Run").click();
      if (lasts) {
        await page.getByText("on the CPU engine first").waitFor();
        // The page answers meanwhile.
        await showPanel(page, "Contract");
        await page.getByText("smallest binding 4 bytes").waitFor();
        await showPanel(page, "Result");
      }
      await page.getByText("Not given to the GPU.").waitFor({ timeout: 60_000 });
      await page.locator(".gpu-refused").getByText(why).waitFor();
      expect(await page.getByRole("button", { name: "Run on the GPU anyway" }).isEnabled()).toBe(true);
      // Stopped while it is tried, it is stopped.
      await toolbar(page).getByLabel("Device").selectOption("both");
      await taskButton(page, "Run").click();
      if (lasts) await page.getByRole("button", { name: "Stop" }).click();
      await taskButton(page, "Run").waitFor();
      expect(problems).toEqual([]);
    },
    LONG,
  );

  test(
    "what the CPU engine came to no end with runs on the GPU when that is asked for",
    async () => {
      // Long for the watchdog alone: the launch is cut short by its own budget of the trial.
      const { page, problems } = await opened({ "a.wgsl": LOCK.replace("@workgroup_size(64)", "@workgroup_size(2)") });
      await page.getByText(/offers a GPU/).waitFor();
      await showPanel(page, "Launch");
      await page.getByLabel("Workgroups x").fill("1");
      await page.getByLabel("Workgroups x").blur();
      await toolbar(page).getByLabel("Device").selectOption("gpu");
      await pressAndWait(page, "Run");
      await page.getByText("Not given to the GPU.").waitFor();
      await typeAtLine(page, 4, "if (false) { ");
      await page.keyboard.press("End");
      await page.keyboard.type(" }");
      await ready(page);
      await page.getByRole("button", { name: "Run on the GPU anyway" }).click();
      await page.getByText("Ran on this browser's GPU").waitFor();
      expect(problems).toEqual([]);
    },
    LONG,
  );

  test("closing what runs stops it; other files do not", async () => {
    const { page, problems } = await opened({ ...LASTING, "b.wgsl": RACE });
    await taskButton(page, "Run").click();
    const stop = page.getByRole("button", { name: "Stop" });
    await stop.waitFor();
    await page.getByRole("tab", { name: "b.wgsl" }).click();
    await page.keyboard.press("Alt+w");
    expect(await page.getByRole("tab", { name: /\.wgsl|\.json/ }).allInnerTexts()).toEqual(["a.wgsl", "a.launch.json"]);
    expect(await stop.isVisible()).toBe(true);
    await page.getByRole("tab", { name: "a.wgsl" }).click();
    await page.keyboard.press("Alt+w");
    await page.getByText("Stopped").waitFor();
    await page.keyboard.press("Alt+w");
    await page.getByRole("heading", { name: "Do your invocations race?" }).waitFor();
    expect(problems).toEqual([]);
  });

  test("language, theme and files change while something runs; an example in its place ends it", async () => {
    const { page, problems } = await opened({ ...LASTING, "b.wgsl": RACE });
    await taskButton(page, "Run").click();
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.locator(".language").selectOption("tr");
    await page.getByRole("button", { name: "Durdur" }).waitFor();
    await page.keyboard.press("Alt+t");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.getByRole("tab", { name: "b.wgsl" }).click();
    await page.locator(".language").selectOption("en");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.keyboard.press("Control+e");
    await page.getByRole("dialog").getByRole("option").first().click();
    await taskButton(page, "Run").waitFor();
    await pressAndWait(page, "Run");
    await page.locator(".buffer").first().waitFor();
    expect(problems).toEqual([]);
  });

  test("many presses, one after the other", async () => {
    const { page, problems } = await opened({ "a.wgsl": RACE });
    for (let i = 0; i < 12; i++) {
      const keys = ["Control+Enter", "Control+Shift+Enter", "Control+Alt+Enter"];
      await page.keyboard.press(keys[i % 3]);
      await page.keyboard.press(keys[(i + 1) % 3]);
      if (i % 2 === 0) await page.keyboard.press("Escape");
    }
    await taskButton(page, "Run").waitFor();
    await pressAndWait(page, "Run");
    expect(await page.locator("table.values td").textContent()).toBe("256");
    expect(problems).toEqual([]);
  });

  test("the focus goes from the button that was pressed to Stop, and back", async () => {
    const { page } = await opened(LASTING);
    await taskButton(page, "Run").focus();
    await page.keyboard.press("Enter");
    await until(page, "document.activeElement.classList.contains('stop')");
    await page.keyboard.press("Enter");
    await until(page, "document.activeElement.dataset.task === 'run'");
  });

  test("a value that is being written in a form counts for the run that a key begins", async () => {
    const { page } = await opened({ "a.wgsl": COUNT });
    await showPanel(page, "Launch");
    await page.getByLabel("Workgroups x").fill("3");
    await page.keyboard.press("Control+Shift+Enter");
    await page.locator("table.values td").waitFor();
    expect(await page.locator("table.values td").textContent()).toBe("192");
  });
});
