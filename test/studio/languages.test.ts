/** No English is left where another language was chosen: what the editor says by itself, and what comes from the engine. */
import { expect, test } from "vitest";
import { describeStudio, until } from "./support.ts";

const SHADER = `@group(0) @binding(0) var<storage, read_write> v: atomic<u32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
  if (i > 3) { return; }
  atomicAdd(&v, 1u);
}
`;

const WORDS = {
  es: {
    search: "Buscar",
    source: "Fuente WGSL",
    gutter: "actualiza de forma atómica v (storage)",
    reason: /distinto en cada invocación/,
    returns: "atomicAdd devuelve el valor antiguo",
    keyword: "‘fn’ es una palabra clave de WGSL",
    access: "v: actualiza de forma atómica",
  },
  tr: {
    search: "Bul",
    source: "WGSL kaynağı",
    gutter: "atomik günceller v (storage)",
    reason: /her invocation'da farklıdır/,
    returns: "atomicAdd şunu döndürür: toplamadan önceki eski değer",
    keyword: "‘fn’ WGSL dilinin bir anahtar sözcüğüdür",
    access: "v: atomik günceller",
  },
} as const;

describeStudio("languages", (studio) => {
  test("what is open speaks the language that is chosen", async () => {
    const { page, problems } = await studio.openFiles({ "a.wgsl": SHADER });
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+f");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Alt+u");
    for (const [language, words] of Object.entries(WORDS)) {
      await page.locator("select.language").selectOption(language);
      await page.getByLabel(words.source).waitFor();
      await page.locator(".memory-gutter").getByTitle(words.gutter).waitFor();
      await until(page, `${words.reason}.test(document.querySelector(".non-uniform")?.title ?? "")`);
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+f");
      await page.locator(".cm-panel").getByLabel(words.search, { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".cm-line").getByText("atomicAdd").hover();
      await page.locator(".hover-returns").getByText(words.returns).waitFor();
      await page.mouse.move(1, 1);
      await page.locator(".cm-line").getByText("main").click();
      await page.keyboard.press("F2");
      await page.locator("dialog input").fill("fn");
      await page.keyboard.press("Enter");
      await page.locator("dialog").getByText(words.keyword).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Alt+1");
      await page.locator("#panel-body").getByText(words.access).waitFor();
    }
    expect(problems).toEqual([]);
  });
});
