/** Files as people bring, keep and pass them on, in Chromium: nothing is lost, nothing changes by itself, nothing breaks the page. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  DOUBLE,
  describeStudio,
  editorText,
  fragmentOf,
  LONG,
  packed,
  pressAndWait,
  RACE,
  ready,
  savedBytes,
  showPanel,
  until,
} from "./support.ts";

/** Some text of the work is kept where later visits find it. */
const isKept = (text: string) =>
  `Object.entries(localStorage).some(([key, each]) => key.startsWith("halay-studio-work:") && each.includes(${JSON.stringify(text)}))`;

/** Whether the browser's database holds a file for a buffer. */
const isDataKept = (name: string) => `new Promise((resolve) => {
  const opening = indexedDB.open("halay-studio");
  opening.onupgradeneeded = () => opening.transaction.abort();
  opening.onerror = () => resolve(false);
  opening.onsuccess = () => {
    const { result: database } = opening;
    const keys = database.transaction("data").objectStore("data").getAllKeys();
    keys.onsuccess = () => {
      database.close();
      resolve(keys.result.some(([, each]) => each === ${JSON.stringify(name)}));
    };
  };
})`;

async function writeShader(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: "Write or paste WGSL here" }).click();
  await page.locator(".cm-editor.cm-focused").waitFor();
  await page.keyboard.type(text);
  await until(page, isKept(text));
}

async function dropOn(
  page: Page,
  selector: string,
  files: readonly { name: string; bytes: Uint8Array }[],
): Promise<void> {
  const given = files.map(({ name, bytes }) => ({ name, bytes: [...bytes] }));
  await page.evaluate(
    `(() => {
      const transfer = new DataTransfer();
      for (const { name, bytes } of ${JSON.stringify(given)}) transfer.items.add(new File([Uint8Array.from(bytes)], name));
      document.querySelector(${JSON.stringify(selector)}).dispatchEvent(
        new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }),
      );
    })()`,
  );
}

/** To an example and back. */
async function visitExample(page: Page): Promise<void> {
  await page.keyboard.press("Control+e");
  await page.getByRole("option", { name: /block sum/i }).click();
  await page.getByRole("button", { name: "Back to them" }).click();
}

const tabs = (page: Page) => page.locator(".file-tabs .tab").allInnerTexts();
const bytesOf = (text: string) => new TextEncoder().encode(text);
/** Only the fragment changes. */
const follow = (page: Page, fragment: string) => page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);

describeStudio("files in the studio", (studio) => {
  test("a reload loses nothing, and a link that is looked at takes nothing away", async () => {
    const { page, problems } = await studio.open("/");
    await writeShader(page, "const kept = 1;");
    await page.reload();
    await ready(page);
    expect(await editorText(page)).toContain("const kept = 1;");
    const other = await page.context().newPage();
    await other.goto(`${new URL(page.url()).origin}/${fragmentOf({ "b.wgsl": RACE })}`);
    await ready(other);
    await other.locator(".cm-content").click();
    await other.keyboard.type("// changed");
    await until(other, isKept("// changed"));
    await other.reload();
    await ready(other);
    expect(await editorText(other)).toContain("// changed");
    await page.reload();
    await ready(page);
    expect(await editorText(page)).toContain("const kept = 1;");
    expect(problems).toEqual([]);
  });

  test("a link opened over one's own work leads back to it, by a press and by the browser's own button", async () => {
    const { page, problems } = await studio.open("/");
    await writeShader(page, "const mine = 1;");
    await follow(page, fragmentOf({ "shader.wgsl": RACE }));
    await page.getByText("total += 1u").waitFor();
    // Undoing stays within what is open.
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+z");
    expect(await editorText(page)).toContain("total += 1u");
    await page.getByRole("button", { name: "Back to them" }).click();
    await page.getByText("const mine = 1;").waitFor();
    await follow(page, fragmentOf({ "shader.wgsl": DOUBLE }));
    await page.getByText("v[id.x] *= 2.0").waitFor();
    await page.goBack();
    await page.getByText("const mine = 1;").waitFor();
    // An example takes nothing away either.
    await visitExample(page);
    await page.getByText("const mine = 1;").waitFor();
    expect(problems).toEqual([]);
  });

  test(
    "two tabs have a place each",
    async () => {
      const { page, problems } = await studio.open("/");
      await writeShader(page, "const first = 1;");
      // As a duplicated tab, it begins with what the first one has.
      const opening = page.waitForEvent("popup");
      await page.evaluate("void window.open(location.href)");
      const twin = await opening;
      await ready(twin);
      await twin.waitForTimeout(2000);
      await twin.locator(".cm-content").click();
      await twin.keyboard.type("// twin");
      await until(twin, isKept("// twin"));
      await page.locator(".cm-content").click();
      await page.keyboard.type("// original");
      await until(page, isKept("// original"));
      for (const each of [page, twin]) {
        await each.reload();
        await ready(each);
        await until(each, "localStorage.getItem('halay-studio-last') === sessionStorage.getItem('halay-studio-tab')");
      }
      expect(await editorText(page)).not.toContain("twin");
      expect(await editorText(page)).toContain("original");
      expect(await editorText(twin)).toContain("twin");
      // A new one says what is open elsewhere.
      const third = await page.context().newPage();
      await third.goto(new URL(page.url()).origin);
      await third.getByText("open in another tab").nth(1).waitFor();
      await twin.close();
      await third.reload();
      await ready(third);
      expect(await editorText(third)).toContain("twin");
      expect(problems).toEqual([]);
    },
    LONG,
  );

  test("without locks, two tabs hear of each other as soon as one of them changes something", async () => {
    const { page, problems } = await studio.open("/");
    await page.context().addInitScript('Object.defineProperty(navigator, "locks", { value: undefined })');
    await page.reload();
    await writeShader(page, "const first = 1;");
    const other = await page.context().newPage();
    await other.goto(new URL(page.url()).origin);
    await ready(other);
    const write = async (each: Page, text: string) => {
      await each.locator(".cm-content").click();
      await each.keyboard.type(text);
      await until(each, isKept(text));
    };
    await write(other, "// other");
    await write(page, "// mine");
    await write(other, "// again");
    for (const each of [page, other]) {
      await each.reload();
      await ready(each);
    }
    expect(await editorText(page)).toMatch(/mine/);
    expect(await editorText(page)).not.toMatch(/other|again/);
    expect(await editorText(other)).toContain("other");
    expect(await editorText(other)).toContain("again");
    expect(problems).toEqual([]);
  });

  test("a file chosen for a buffer is data, whatever it is called, and is there after a reload", async () => {
    const { page, problems } = await studio.openFiles({ "a.wgsl": DOUBLE });
    await page.getByLabel("v: contents").selectOption("file");
    const json = { name: "a.launch.json", mimeType: "application/json", buffer: Buffer.from("[1.5, 2]") };
    await page.getByLabel("v: Choose a file").setInputFiles(json);
    await pressAndWait(page, "Run");
    const cells = () => page.locator("table.values td").allTextContents();
    expect(await cells()).toEqual(["3", "4"]);
    expect(await tabs(page)).toEqual(["a.wgsl", "a.launch.json"]);
    await page.getByRole("tab", { name: "a.launch.json" }).click();
    expect(JSON.parse(await editorText(page))).toEqual({ shader: "a.wgsl", buffers: { v: "a-2.launch.json" } });
    await page.keyboard.press("Control+Shift+S");
    await page.getByText("Not in the link").waitFor();
    expect(await page.locator("dialog li").allInnerTexts()).toEqual(["a-2.launch.json 8 bytes"]);
    await page.keyboard.press("Escape");
    await until(page, isDataKept("a-2.launch.json"));
    await page.reload();
    await page.getByRole("tab", { name: "a.wgsl" }).click();
    await ready(page);
    await pressAndWait(page, "Run");
    expect(await cells()).toEqual(["3", "4"]);
    expect(problems).toEqual([]);
  });

  test("opening a file and looking at it changes no byte; an edit changes its own line", async () => {
    const { page, problems } = await studio.open("/");
    await until(page, "document.querySelector('.start') !== null");
    const given = bytesOf(`\ufeff${RACE.replace(/\n/g, "\r\n")}// last\n`);
    await dropOn(page, ".code-pane", [{ name: "a.wgsl", bytes: given }]);
    await ready(page);
    expect(await savedBytes(page, () => page.keyboard.press("Control+s"))).toEqual(given);
    // Dropped on the editor it is not inserted.
    await dropOn(page, ".cm-content", [{ name: "b.wgsl", bytes: bytesOf(DOUBLE) }]);
    await page.getByRole("tab", { name: "b.wgsl" }).waitFor();
    await page.getByRole("tab", { name: "a.wgsl" }).click();
    expect(await savedBytes(page, () => page.keyboard.press("Control+s"))).toEqual(given);
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("//");
    await until(page, isKept("//@group"));
    expect(await savedBytes(page, () => page.keyboard.press("Control+s"))).toEqual(
      bytesOf(`\ufeff//${RACE.replace(/\n/g, "\r\n")}// last\n`),
    );
    // Nor does a reload, or coming back from an example.
    await page.reload();
    await page.getByRole("tab", { name: "a.wgsl" }).click();
    await visitExample(page);
    await page.getByRole("tab", { name: "a.wgsl" }).click();
    expect(await savedBytes(page, () => page.keyboard.press("Control+s"))).toEqual(
      bytesOf(`\ufeff//${RACE.replace(/\n/g, "\r\n")}// last\n`),
    );
    expect(problems).toEqual([]);
  });

  test("what is no text, or too long, is not opened; what replaces a file can be undone", async () => {
    const { page, problems } = await studio.openFiles({ "a.wgsl": RACE });
    await dropOn(page, ".panel-pane", [{ name: "binary.wgsl", bytes: Uint8Array.of(0, 255, 254, 1) }]);
    await page.getByText("binary.wgsl is no UTF-8 text").waitFor();
    await dropOn(page, "header", [{ name: "values.json", bytes: bytesOf("[1, 2]") }]);
    await page.getByText("values.json can be chosen for a buffer now.").waitFor();
    expect(await tabs(page)).toEqual(["a.wgsl"]);
    await dropOn(page, ".cm-content", [{ name: "a.wgsl", bytes: bytesOf(DOUBLE) }]);
    await page.getByText("v[id.x] *= 2.0").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("total += 1u").waitFor();
    await page.getByRole("button", { name: "New shader" }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.type("const b = 1;");
    await page.getByRole("button", { name: "Close shader.wgsl" }).click();
    expect(await tabs(page)).toEqual(["a.wgsl"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("const b = 1;").waitFor();
    // Closing all of them puts all of them aside.
    await page.getByRole("button", { name: "Close shader.wgsl" }).click();
    await page.getByRole("button", { name: "Close a.wgsl" }).click();
    await page.getByRole("button", { name: "a.wgsl, shader.wgsl", exact: true }).click();
    await ready(page);
    expect(await tabs(page)).toEqual(["a.wgsl", "shader.wgsl"]);
    expect(problems).toEqual([]);
  });

  test(
    "no launch breaks the page",
    async () => {
      const { page, problems } = await studio.openFiles({ "a.wgsl": RACE });
      const odd = [
        { steps: [null] },
        { steps: 5 },
        { steps: [{ workgroups: { indirect: null } }, 3, { entry: {}, repeat: "x" }] },
        { workgroups: ["x", null], invocations: {}, call: [], entry: 7 },
        { buffers: [1], overrides: 5, expect: "x" },
        { buffers: { total: { toString: 1 } }, overrides: { x: {} }, expect: { total: { values: [null, {}] } } },
        { expect: { total: { count: { toString: 1 } } }, set: { total: { toString: 1 } }, tolerance: { abs: {} } },
        {
          steps: [
            { bind: 5, swap: [1] },
            { bind: { total: {} }, swap: "x" },
          ],
        },
        { buffers: { total: null }, set: 5, read: {}, hostLayout: [] },
      ];
      for (const launch of odd) {
        const text = JSON.stringify({ shader: "a.wgsl", ...launch });
        await follow(page, fragmentOf({ "a.wgsl": RACE, "a.launch.json": text }));
        await page.getByRole("button", { name: "a.launch.json", exact: true }).waitFor();
        await page.getByRole("tab", { name: "a.launch.json" }).click();
        await pressAndWait(page, "Find races");
        await showPanel(page, "Launch");
        await page.getByLabel("total: contents").selectOption("iota");
        await page.getByRole("tab", { name: "a.wgsl" }).click();
      }
      await page.locator(".cm-content").click();
      await page.keyboard.type("//");
      await page.waitForTimeout(600);
      await page.reload();
      await ready(page);
      expect(problems).toEqual([]);
    },
    LONG,
  );

  test(
    "odd names and links: none breaks the page",
    async () => {
      const names = [
        "__proto__",
        "constructor",
        "x/../y.wgsl",
        "🎉 çok.wgsl",
        "شيدر.wgsl",
        `${"long".repeat(40)}.wgsl`,
      ];
      const { page, problems } = await studio.open(`/${fragmentOf({})}`);
      const text = JSON.stringify({
        files: [...names, "constructor"].map((name) => [name, RACE]),
        active: "constructor",
      });
      await page.getByText("The link is damaged").waitFor();
      await follow(page, packed(text));
      await page.getByRole("tab", { name: "constructor-2" }).waitFor();
      expect(await tabs(page)).toHaveLength(7);
      for (const name of [...names, "constructor-2"]) {
        await page.getByRole("tab", { name: name.replace("x/../", ""), exact: true }).click();
        await ready(page);
        await pressAndWait(page, "Find races");
        await page.getByText("race-storage").first().waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(1280);
      }
      await follow(page, packed(Buffer.alloc(40 * 2 ** 20)));
      await page.getByText("more than 16 MB").waitFor();
      expect(await tabs(page)).toHaveLength(7);
      expect(problems).toEqual([]);
    },
    LONG,
  );

  test("a page that breaks gives the files, and starts afresh", async () => {
    const { page } = await studio.open("/");
    await writeShader(page, "const mine = 1;");
    await page.evaluate("Number.prototype.toLocaleString = () => { throw new Error('broken on purpose') }");
    await page.keyboard.press("Control+Shift+S");
    await page.getByRole("heading", { name: "The studio broke" }).waitFor();
    await page.getByText("broken on purpose").waitFor();
    const saved = await savedBytes(page, () => page.getByRole("button", { name: "Save all files" }).click());
    expect(new TextDecoder().decode(saved)).toBe("const mine = 1;");
    await page.getByRole("button", { name: "Start afresh" }).click();
    await page.getByRole("heading", { name: "Do your invocations race?" }).waitFor();
    await page.getByRole("button", { name: "shader.wgsl", exact: true }).click();
    await page.getByText("const mine = 1;").waitFor();
  });

  test("where nothing can be kept it says so, and works", async () => {
    const { page, problems } = await studio.open("/");
    await page.addInitScript(`
      for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
        Object.defineProperty(window, name, { get: () => { throw new DOMException("denied", "SecurityError"); } });
      }
    `);
    await page.reload();
    await page.getByRole("button", { name: "Write or paste WGSL here" }).click();
    await page.keyboard.type("const mine = 1;");
    await page.getByText("This browser keeps nothing").waitFor();
    await page.getByRole("button", { name: "Save all files" }).waitFor();
    expect(await savedBytes(page, () => page.getByRole("button", { name: "Save all files" }).click())).toEqual(
      bytesOf("const mine = 1;"),
    );
    await visitExample(page);
    await page.getByText("const mine = 1;").waitFor();
    expect(problems).toEqual([]);
  });

  test("where storage is full it says so; what storage holds breaks nothing", async () => {
    const { page, problems } = await studio.open("/");
    await page.evaluate(`(() => {
      localStorage.setItem("halay-studio", '{"theme":"__proto__","language":"xx","split":1e9}');
      localStorage.setItem("halay-studio-last", "broken");
      localStorage.setItem("halay-studio-work:broken", "{{{");
      localStorage.setItem("halay-studio-work:odd", '{"files":[["a.wgsl",5],7,["b.wgsl","const old = 1;"]],"wasChanged":true,"data":5,"changed":"x"}');
      sessionStorage.setItem("halay-studio-tab", "nothing");
      let text = "x".repeat(2 ** 20);
      for (let i = 0; text.length > 10; i++) {
        try { localStorage.setItem("fill" + i, text); } catch { text = text.slice(text.length / 2); }
      }
    })()`);
    await page.reload();
    await page.getByRole("button", { name: "b.wgsl", exact: true }).waitFor();
    await page.getByRole("button", { name: "Write or paste WGSL here" }).click();
    await page.keyboard.type("const mine = 1;");
    await page.getByText("storage is full").waitFor();
    // This tab has it nevertheless.
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await ready(page);
    expect(await editorText(page)).toBe("const mine = 1;");
    expect(problems).toEqual([]);
  });
});
