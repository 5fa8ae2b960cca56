/** The studio as people use it, in Chromium. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { check, type LanguageName, translated as translate } from "../../src/api.ts";
import {
  DOUBLE,
  describeStudio,
  EXAMPLES,
  editorText,
  exampleFragment,
  fragmentOf,
  LASTING,
  LONG,
  PANELS,
  pressAndWait,
  RACE,
  ready,
  savedBytes,
  showPanel,
  taskButton,
  toolbar,
  until,
} from "./support.ts";

const FIRST_LOAD = 250_000;
const ILLEGAL = `@group(0) @binding(0) var<storage, read_write> hits: atomic<u32>;
@compute @workgroup_size(64) fn main() { atomicAdd(hits, 1u); }`;
const MILD_BEFORE_RACE = `@group(0) @binding(0) var<storage, read_write> total: u32;
var<workgroup> flag: u32;
@compute @workgroup_size(64)
fn main() {
  flag = 1u;
  total += 1u;
}
`;

/** What the page and its worker import before anything is asked for. */
function builtOf(built: string): ReadonlySet<string> {
  const left = ["/index.html", ...readdirSync(join(built, "assets")).filter((name) => /^worker-.*\.js$/.test(name))];
  const seen = new Set<string>();
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const path = next.startsWith("/") ? next : `/assets/${next}`;
    if (seen.has(path)) continue;
    seen.add(path);
    const text = readFileSync(join(built, path), "utf8");
    const links = path.endsWith(".html") ? /assets\/([^"]+)"/g : /(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+)["'`]/g;
    if (!path.endsWith(".css")) left.push(...[...text.matchAll(links)].map((match) => match[1]));
  }
  return seen;
}

/** What is said of the illegal shader. */
function translated(language: LanguageName): string {
  return translate(check(ILLEGAL).diagnostics[0], language).message;
}

describeStudio("the studio", (studio) => {
  test("says what is wrong after one small load", async () => {
    const { page, problems } = await studio.open(`/isolated/${fragmentOf({ "a.wgsl": ILLEGAL })}`);
    await page.getByText("needs a pointer").first().waitFor();
    const sent = studio.sent();
    const time = await page.evaluate("performance.getEntriesByName('halay-first-diagnostic').at(-1).startTime");
    console.log(`first diagnostic after ${Math.round(time as number)} ms`);
    // What is loaded in the meantime, for what comes next, is not counted: what page and worker are built of is.
    const built = builtOf(studio.folder);
    const needed = [...new Map(sent.map((each) => [each.path, each])).values()].filter(({ path }) => built.has(path));
    const bytes = needed.reduce((sum, each) => sum + each.bytes, 0);
    console.log(`${bytes} bytes: ${needed.map(({ path }) => path.replace("/assets/", "")).join(", ")}`);
    expect(bytes).toBeGreaterThan(FIRST_LOAD / 2);
    expect(bytes).toBeLessThan(FIRST_LOAD);
    expect(problems).toEqual([]);
  });

  test("goes from an empty page to a race in one press", async () => {
    const { page, problems } = await studio.open("/isolated/");
    await page.getByRole("button", { name: "Show me a race" }).click();
    await page.getByText("‘counts[0]’ is").first().waitFor();
    await page.locator(".cm-content .access-letter").nth(1).waitFor();
    expect(await page.locator(".cm-content .access-letter").allInnerTexts()).toEqual(["A", "B"]);
    expect(await page.locator(".accesses tbody tr").count()).toBe(2);
    expect(problems).toEqual([]);
  });

  test.each(EXAMPLES)(
    "every panel on the example %s",
    async (name) => {
      const { page, problems } = await studio.open(`/isolated/${exampleFragment(name)}`);
      await ready(page);
      await pressAndWait(page, "Run");
      await pressAndWait(page, "Profile");
      await pressAndWait(page, "Find races");
      for (const panel of PANELS) {
        await showPanel(page, panel);
        await until(page, "document.querySelector('#panel-body').innerText.length > 40");
        expect(await page.locator(".empty-panel").count(), panel).toBe(0);
      }
      await showPanel(page, "Result");
      expect(await page.locator(".buffer").count()).toBeGreaterThan(0);
      for (const view of ["Line", "Bars", "Heat map", "Image"]) {
        const button = page.locator(".buffer").first().getByRole("button", { name: view });
        // Single values have a table alone.
        if ((await button.count()) === 0) continue;
        await button.click();
        await page.locator(".plot canvas").first().waitFor();
      }
      expect(problems).toEqual([]);
    },
    LONG,
  );

  test("what does not end is stopped, and the page goes on meanwhile", async () => {
    const { page, problems } = await studio.openFiles({ ...LASTING, "b.wgsl": RACE }, { isolated: true });
    await taskButton(page, "Run").click();
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.keyboard.press("Alt+1");
    await page.getByText("smallest binding 4 bytes").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped").waitFor();
    await page.getByRole("tab", { name: "b.wgsl" }).click();
    await ready(page);
    await pressAndWait(page, "Find races");
    await page.getByText("race-storage").first().waitFor();
    expect(problems).toEqual([]);
  });

  test.each(["/", "/isolated/"])("%s runs alike", async (path) => {
    const { page, problems } = await studio.open(`${path}${exampleFragment("two-level-histogram")}`);
    await ready(page);
    expect(await page.evaluate("crossOriginIsolated")).toBe(path === "/isolated/");
    await pressAndWait(page, "Run");
    await page.getByText("bins: 256 values as expected").waitFor();
    expect(await page.locator("table.values td").first().textContent()).toBe("4154");
    expect(problems).toEqual([]);
  });

  test.each(["block-sum", "histogram", "max-positive", "reduce", "append-list"])(
    "the page's GPU gives what the CPU engine gives: %s",
    async (name) => {
      const { page, problems } = await studio.open(`/isolated/${exampleFragment(name)}`);
      await ready(page);
      await page.getByText(/offers a GPU/).waitFor();
      await toolbar(page).getByLabel("Device").selectOption("both");
      await pressAndWait(page, "Run");
      await page.getByText("the same on CPU and GPU").first().waitFor();
      expect(await page.locator(".comparison.bad").count()).toBe(0);
      expect(problems).toEqual([]);
    },
    LONG,
  );

  test("edits: colours, quick fix, definition, rename, completion, hover", async () => {
    const { page, problems } = await studio.open(`/${fragmentOf({ "a.wgsl": ILLEGAL })}`);
    await page.locator(".cm-content .tok-keyword").first().waitFor();
    await page.getByRole("button", { name: /Mend:/ }).click();
    await page.getByText("1 hint").waitFor();
    expect(await editorText(page)).toContain("atomicAdd(&hits, 1u)");
    await page.locator(".cm-content").getByText("hits").last().click();
    await page.keyboard.press("F2");
    await page.getByLabel(/New name for hits \(2 places\)/).fill("count");
    await page.keyboard.press("Enter");
    await page.getByText("atomicAdd(&count, 1u)").waitFor();
    expect(await editorText(page)).toContain("read_write> count: atomic<u32>");
    await page.locator(".cm-content").getByText("atomicAdd").hover();
    await page.locator(".hover-card").getByText("atomicAdd").first().waitFor();
    await page.locator(".cm-content").getByText("main").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\nfn f() { storageB");
    // It takes no key while it asks for more, nor in the moment in which it appears.
    await page
      .locator(".cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) [aria-selected]")
      .getByText("storageBarrier")
      .first()
      .waitFor();
    await page.waitForTimeout(150);
    await page.keyboard.press("Enter");
    // Its parentheses may be typed all the same.
    await page.keyboard.type("(); let a = clamp(1.0, ");
    await page.locator(".signature strong").getByText("low").waitFor();
    expect(await editorText(page)).toContain("{ storageBarrier(); let a = clamp(1.0, )");
    await page.getByText("expected ‘;’ before ‘}’").waitFor();
    expect(problems).toEqual([]);
  });

  test("lines begin where they belong, go on below, and become comments", async () => {
    const { page } = await studio.openFiles({ "a.wgsl": `// ${"long ".repeat(60)}\n` });
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    // The bracket that comes by itself stands below; what is typed for it there takes its step back.
    await page.keyboard.type("fn f() {\nif (true) {\nreturn;");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.keyboard.type("\nlet a = max(\n1,");
    expect((await editorText(page)).split("\n").slice(1)).toEqual([
      "fn f() {",
      "  if (true) {",
      "    return;",
      "  }",
      "  let a = max(",
      "    1,",
      "  )",
      "}",
    ]);
    await page.keyboard.press("Control+/");
    expect(await editorText(page)).toContain("\n    // 1,");
    const height = () => page.evaluate<number>("document.querySelector('.cm-line').clientHeight");
    const wrapped = await height();
    await page.keyboard.press("Alt+z");
    await page.locator(".cm-content:not(.cm-lineWrapping)").waitFor();
    expect(await height()).toBeLessThan(wrapped);
  });

  test("the launch form writes a launch file, and reads it", async () => {
    const { page, problems } = await studio.openFiles({ "a.wgsl": RACE });
    await page.getByLabel("Workgroups x").fill("2");
    await page.getByLabel("Workgroups x").blur();
    await page.getByLabel("total: contents").selectOption("values");
    await page.getByLabel("total: JSON").fill("5");
    await page.getByLabel("total: JSON").blur();
    await page.getByRole("tab", { name: "a.launch.json" }).click();
    await page.getByText('"workgroups"').waitFor();
    expect(JSON.parse(await editorText(page))).toEqual({
      shader: "a.wgsl",
      workgroups: [2],
      buffers: { total: { values: 5 } },
    });
    await pressAndWait(page, "Run");
    expect(await page.locator("table.values td").textContent()).toBe("133");
    expect(problems).toEqual([]);
  });

  test("a file becomes the contents of a buffer; what changed and what was not expected is marked; values are exported", async () => {
    const { page, problems } = await studio.openFiles({ "a.wgsl": DOUBLE });
    await page.getByLabel("v: contents").selectOption("file");
    const csv = { name: "v.csv", mimeType: "text/csv", buffer: Buffer.from("1.5\n2\n3\n4\n") };
    await page.getByLabel("v: Choose a file").setInputFiles(csv);
    await pressAndWait(page, "Run");
    const cells = () => page.locator("table.values td").allTextContents();
    expect(await cells()).toEqual(["3", "4", "6", "8"]);
    await page.getByRole("button", { name: "Expect this" }).click();
    await showPanel(page, "Launch");
    await page.getByLabel("v: Choose a file").setInputFiles({ ...csv, buffer: Buffer.from("1.5\n2\n3\n5\n") });
    await pressAndWait(page, "Run");
    await page.getByText("v: 1 of 4 values is not as expected").waitFor();
    await page.getByText("1 value changed since the run before.").waitFor();
    expect(await page.locator("td.changed").textContent()).toContain("10 was 8");
    const file = await savedBytes(page, () => page.getByLabel("Export…").selectOption("csv"));
    expect(new TextDecoder().decode(file).trim().split(/\s+/).slice(-4)).toEqual(["3", "4", "6", "10"]);
    expect(problems).toEqual([]);
  });

  test("findings are filtered by code", async () => {
    const both = `${RACE.replace("total += 1u;", "total += 1u;\n  list[atomicAdd(&count, 1u)] = 1u;")}
@group(0) @binding(1) var<storage, read_write> count: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> list: array<u32, 4>;`;
    const { page } = await studio.openFiles({ "a.wgsl": both });
    await pressAndWait(page, "Find races");
    const all = await page.locator(".finding").count();
    await page
      .locator(".chips")
      .getByRole("button", { name: /^out-of-bounds/ })
      .click();
    const codes = await page.locator(".finding-meta .code-name").allTextContents();
    expect(new Set(codes)).toEqual(new Set(["out-of-bounds"]));
    expect(codes.length).toBeLessThan(all);
  });

  test("the gravest finding stands first and is open", async () => {
    const { page } = await studio.openFiles({ "a.wgsl": MILD_BEFORE_RACE });
    await pressAndWait(page, "Find races");
    const marks = await page.locator(".finding-head .severity").allInnerTexts();
    expect(marks.map((text) => text.trim())).toEqual(["error", "error", "warning"]);
    expect(await page.locator(".finding").first().getAttribute("class")).toContain("open");
  });

  test("a finding is suppressed with a reason", async () => {
    const { page } = await studio.openFiles({ "a.wgsl": RACE });
    await pressAndWait(page, "Find races");
    for (let left = await page.locator(".finding").count(); left > 0; left = await page.locator(".finding").count()) {
      if ((await page.locator(".finding.open").count()) === 0) await page.locator(".finding-head").first().click();
      await page.getByText("Suppress with a reason").click();
      await page.getByRole("textbox", { name: "Reason" }).fill("shown on purpose");
      await page.getByRole("button", { name: "Suppress", exact: true }).click();
      await until(page, `document.querySelectorAll(".finding").length < ${left}`);
    }
    await page.getByText("No races").waitFor();
    expect(await editorText(page)).toMatch(/halay-allow-next-line race-\S+ -- shown on purpose/);
  });

  test("a link holds the session", async () => {
    const { page } = await studio.openFiles({ "a.wgsl": RACE });
    await page.keyboard.press("Control+Shift+S");
    const field = page.getByLabel(/^Link/);
    await until(page, "document.querySelector('dialog input')?.value.includes('#s=') === true");
    const link = await field.inputValue();
    const { page: other } = await studio.open(`/${link.slice(link.indexOf("#"))}`);
    await ready(other);
    expect(await editorText(other)).toContain("total += 1u;");
  });

  test.each([
    ["es", translated("es")],
    ["tr", translated("tr")],
  ])("messages in the language of the interface: %s", async (language, message) => {
    const { page } = await studio.open(`/${fragmentOf({ "a.wgsl": ILLEGAL })}`, { language });
    await page.locator(".problem-row").getByText(message).waitFor();
    await page.locator(".language").selectOption("en");
    await page.locator(".problem-row").getByText("needs a pointer").waitFor();
  });

  test(
    "the keyboard does everything, and speaks three languages",
    async () => {
      const { page } = await studio.open("/", { language: "es" });
      await page.getByText("¿Hay carreras entre tus invocaciones?").waitFor();
      expect(await page.evaluate("document.documentElement.lang")).toBe("es");
      await page.locator(".language").selectOption("tr");
      await page.getByText("Çağrılarınız yarışıyor mu?").waitFor();
      await page.locator(".language").selectOption("en");
      await page.keyboard.press("Control+k");
      await page.locator("dialog [data-focus]:focus").waitFor();
      await page.keyboard.type("examples");
      await page.keyboard.press("Enter");
      await page.getByRole("option", { name: /block sum/i }).waitFor();
      // Whatever group each is in.
      expect(await page.locator(".choice").count()).toBe(EXAMPLES.length);
      await page.locator("dialog [data-focus]:focus").waitFor();
      await page.keyboard.type("block sum");
      await page.keyboard.press("Enter");
      await ready(page);
      await page.keyboard.press("Control+Enter");
      await page.locator(".verdict").waitFor();
      await page.locator(".verdict").click();
      await page.keyboard.press("F1");
      await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    },
    LONG,
  );
});
