/** The forms of the launch: what they write, and that they leave alone what they have no field for. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  DOUBLE as DOUBLED,
  describeStudio,
  editorText,
  fragmentOf,
  pressAndWait,
  showPanel,
  taskButton,
} from "./support.ts";

const DOUBLE = `struct Params { factor: f32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) { b[id.x] = a[id.x] * params.factor; }
`;
/** Lasts long enough for somebody to write in a field. */
const SLOW = `@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = id.x;
  for (var i = 0u; i < 2000000u; i++) { x = x * 5u + 1u; }
  v[id.x] = x;
}
`;
const LAUNCH = {
  $schema: "x/launch.schema.json",
  shader: "a.wgsl",
  buffers: { a: { values: [1, 2, 3, 4] }, b: "zeros:4" },
  read: ["a", "b"],
  steps: [{ entry: "main", workgroups: [1], repeat: 2 }],
};

/** Writes into a field and leaves it. */
async function fill(page: Page, label: string | RegExp, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel(label, { exact: true }).blur();
}

describeStudio("the launch's forms", (studio) => {
  test("expectations, tolerance, values, bindings and swaps are written, and the rest stays", async () => {
    const files = { "a.wgsl": DOUBLE, "a.launch.json": JSON.stringify(LAUNCH) };
    const { page, problems } = await studio.openFiles(files);
    const add = async (label: string, name: string) => {
      await page.getByLabel(label).fill(name);
      await page.keyboard.press("Enter");
    };
    await add("Path of a value, as params.count", "params.factor");
    await fill(page, "params.factor", "2");
    await page.getByText("Bindings of this step").click();
    await fill(page, "Step 1: buffer bound to a", "from");
    await fill(page, "Step 1: Swap after each repetition 1", "from");
    await fill(page, "Step 1: Swap after each repetition 2", "b");
    await fill(page, "Step 1: buffer bound to a", "");
    await fill(page, "Step 1: Swap after each repetition 1", "a");
    await add("Buffer, or path of a value", "a");
    await page.getByLabel("a: Expected results").selectOption("values");
    await fill(page, "expected a: JSON", "[4, 8, 12.001, 16]");
    await fill(page, "Tolerance of floats: absolute difference", "0.01");
    await page.getByLabel("in any order").check();
    await page.getByLabel("in any order").uncheck();
    await page.getByRole("tab", { name: "a.launch.json" }).click();
    await page.locator(".cm-content").getByText('"tolerance"').waitFor();
    expect(JSON.parse(await editorText(page))).toEqual({
      ...LAUNCH,
      steps: [{ ...LAUNCH.steps[0], swap: ["a", "b"] }],
      set: { "params.factor": 2 },
      expect: { a: { values: [4, 8, 12.001, 16] } },
      tolerance: { abs: 0.01 },
    });
    await pressAndWait(page, "Run");
    await page.getByText("a: 4 values as expected").waitFor();
    await showPanel(page, "Launch");
    await fill(page, "Tolerance of floats: absolute difference", "");
    await page.getByRole("button", { name: "Take out params.factor" }).click();
    await pressAndWait(page, "Run");
    await page.getByText("a: 4 of 4 values are not as expected").waitFor();
    expect(problems).toEqual([]);
  });

  test("a form stays while the shader in it is wrong, and says what it lacks", async () => {
    const files = { "a.wgsl": DOUBLE.replace("= a[", "= c["), "a.launch.json": JSON.stringify(LAUNCH) };
    const { page, problems } = await studio.open(`/${fragmentOf(files)}`);
    await page.getByText("Mend the errors first").waitFor();
    expect(await taskButton(page, "Run").isDisabled()).toBe(true);
    await page.keyboard.press("Control+Shift+Enter");
    await page.locator(".result .problem-row").first().waitFor();
    await page.keyboard.press("Alt+2");
    await page.getByText("A shader with errors has no contract").waitFor();
    expect(problems).toEqual([]);
  });

  test("a form changes what it is about: the rest of the file stays as it is written", async () => {
    const given = '{\n    "shader" : "a.wgsl", "buffers": { "v": {"values": [9007199254740993, 1e2]} }\n}\n';
    const { page, problems } = await studio.openFiles({ "a.wgsl": DOUBLED, "a.launch.json": given });
    await showPanel(page, "Launch");
    await fill(page, "Workgroups x", "0");
    await page.getByText(": 0 invocations").waitFor();
    await page.getByRole("tab", { name: "a.launch.json" }).click();
    await page.locator(".cm-content").getByText('"workgroups"').waitFor();
    expect(await editorText(page)).toBe(given.replace("}\n}", '}, "workgroups": [0]\n}'));
    await fill(page, "Workgroups x", "");
    await page.getByText(": 4 invocations").waitFor();
    expect(await editorText(page)).toBe(given);
    expect(problems).toEqual([]);
  });

  test("what is being written in a field stays where everything is drawn anew, until it is confirmed", async () => {
    const launch = {
      shader: "a.wgsl",
      buffers: { v: { values: [1, 2] } },
      set: { "v[0]": 3 },
      expect: { v: { values: [2], count: 1 } },
    };
    const files = { "a.wgsl": `override gain = 1;\n${DOUBLED}`, "a.launch.json": JSON.stringify(launch) };
    const { page, problems } = await studio.openFiles(files);
    await showPanel(page, "Launch");
    const languages = ["es", "en"];
    for (const [place, text] of [
      [page.locator("input[id='override-gain']"), "12"],
      [page.locator("input[id='set-v[0]']"), "12"],
      [page.locator("[aria-label='v'] textarea"), "[3, 4]"],
      [page.locator(".triple input").first(), "12"],
      [page.locator(".tolerances input").first(), "0.5"],
      [page.locator(".small-field.wide input"), "n"],
    ] as const) {
      await place.click();
      await page.keyboard.press("Control+A");
      await page.keyboard.type(text);
      const language = languages.shift()!;
      languages.push(language);
      // As by a hand elsewhere: the field keeps the focus.
      await page.evaluate((name) => {
        const choice = document.querySelector<HTMLSelectElement>("select:has(option[value='tr'])")!;
        choice.value = name;
        choice.dispatchEvent(new Event("change", { bubbles: true }));
      }, language);
      await page.locator(`html[lang='${language}']`).waitFor({ state: "attached" });
      expect(await place.inputValue()).toBe(text);
    }
    await page.locator(".small-field.wide input").blur();
    await page.getByRole("tab", { name: "a.launch.json" }).click();
    await page.locator(".cm-content").getByText('"tolerance"').waitFor();
    expect(JSON.parse(await editorText(page))).toEqual({
      ...launch,
      workgroups: [12],
      overrides: { gain: 12 },
      buffers: { v: { values: [3, 4] } },
      set: { "v[0]": 12 },
      expect: { v: { values: [2], count: "n" } },
      tolerance: { abs: 0.5 },
    });
    expect(problems).toEqual([]);
  });

  test.each([
    ["of a launch", { "a.launch.json": '{ "shader": "a.wgsl" }' }, "a.launch.json"],
    ["of a shader without one", {}, "a.wgsl"],
  ] as const)("what came out is expected by what ran, whatever is in front by then: %s", async (_, own, front) => {
    const others = { "b.wgsl": DOUBLED, "b.launch.json": '{ "shader": "b.wgsl" }' };
    const { page, problems } = await studio.openFiles({ "a.wgsl": DOUBLED, ...own, ...others });
    await page.getByRole("tab", { name: front }).click();
    await pressAndWait(page, "Run");
    await page.getByRole("tab", { name: "b.launch.json" }).click();
    await page.getByRole("button", { name: "Expect this" }).click();
    await page.getByRole("tab", { name: "a.launch.json" }).click();
    await page.locator(".cm-content").getByText('"expect"').waitFor();
    expect(Object.keys(JSON.parse(await editorText(page)).expect)).toEqual(["v"]);
    await page.getByRole("tab", { name: "b.launch.json" }).click();
    await page.locator(".cm-content").getByText("b.wgsl").waitFor();
    expect(await editorText(page)).toBe(others["b.launch.json"]);
    expect(problems).toEqual([]);
  });

  test("what came out is expected nowhere where the launch that ran is closed, and that is told", async () => {
    const files = { "a.launch.json": '{ "shader": "a.wgsl" }', "a.wgsl": DOUBLED };
    const { page, problems } = await studio.openFiles(files);
    await pressAndWait(page, "Run");
    await page.getByRole("button", { name: "Close a.launch.json" }).click();
    await page.getByRole("button", { name: "Expect this" }).click();
    await page.locator(".notice-error").getByText("a.launch.json is closed.").waitFor();
    expect(await page.locator(".file-tabs [role=tab]").allTextContents()).toEqual(["a.wgsl"]);
    expect(problems).toEqual([]);
  });

  test("among several entry points one has to be chosen, of the shader of the step", async () => {
    const entry = (name: string) => `@compute @workgroup_size(1) fn ${name}() {}\n`;
    const steps = [{ shader: "b.wgsl" }, { shader: "a.wgsl" }];
    const { page } = await studio.openFiles({
      "a.wgsl": entry("one") + entry("two"),
      "b.wgsl": entry("other"),
      "a.launch.json": JSON.stringify({ steps }),
    });
    await showPanel(page, "Launch");
    const chosen = page.getByLabel("Entry point");
    await expect.poll(() => chosen.nth(0).locator("option").allTextContents()).toEqual(["other"]);
    await expect.poll(() => chosen.nth(1).locator("option").allTextContents()).toEqual(["needed", "one", "two"]);
    await chosen.nth(1).selectOption("one");
    await pressAndWait(page, "Run");
    await page.getByRole("cell", { name: "one" }).waitFor();
  });

  test("a dropped .safetensors file gives the tensor of the buffer's name, else its first", async () => {
    const { page } = await studio.openFiles({ "a.wgsl": DOUBLED });
    await showPanel(page, "Launch");
    await page.getByLabel("v: contents").selectOption("file");
    for (const [names, wanted] of [
      [["u", "v"], "v"],
      [["w"], "w"],
    ] as const) {
      const tensors = names.map((name) => [name, { dtype: "F32", shape: [1], data_offsets: [0, 4] }]);
      const header = Buffer.from(JSON.stringify({ __metadata__: {}, ...Object.fromEntries(tensors) }));
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(header.length));
      const buffer = Buffer.concat([length, header, Buffer.alloc(4)]);
      const name = `${wanted}.safetensors`;
      await page.locator(".buffer-field input[type=file]").first().setInputFiles({ name, mimeType: "", buffer });
      await expect.poll(() => page.getByLabel("v: file").inputValue()).toBe(`${name}#${wanted}`);
    }
  });

  test("what is read back is chosen, and all of it again", async () => {
    const { page } = await studio.openFiles({ "a.wgsl": DOUBLED });
    await showPanel(page, "Launch");
    await page.getByLabel("Buffer or path, as list.items").fill("v:1..3");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Take out v:1..3" }).waitFor();
    await pressAndWait(page, "Run");
    expect(await page.locator("table.values td").count()).toBe(2);
    await page.locator("table.values").getByTitle("v[2]").waitFor();
    await page.locator("table.values").getByRole("rowheader", { name: "1", exact: true }).waitFor();
    await page.keyboard.press("Alt+2");
    await page.getByRole("button", { name: "Take out v:1..3" }).click();
    await pressAndWait(page, "Run");
    expect(await page.locator("table.values td").count()).toBe(4);
  });

  test("a run that ends leaves alone what is being written, and how results are looked at stays", async () => {
    const { page } = await studio.openFiles({ "a.wgsl": SLOW }, { isolated: true });
    await page.getByLabel("v: contents").selectOption("iota");
    await page.keyboard.press("Control+Shift+Enter");
    await page.keyboard.press("Alt+2");
    await page.getByLabel("v: elements").focus();
    await page.keyboard.type("16");
    await taskButton(page, "Run").waitFor();
    expect(await page.getByLabel("v: elements").inputValue()).toBe("16");
    await page.keyboard.press("Alt+3");
    await page.getByRole("button", { name: "Bars" }).click();
    await page.locator(".chart canvas").waitFor();
    await page.keyboard.press("Alt+2");
    await page.keyboard.press("Alt+3");
    await page.locator(".chart canvas").waitFor();
  });

  test("who writes before a late frame shows the panel keeps the focus", async () => {
    const { page } = await studio.openFiles({ "a.wgsl": DOUBLED });
    await showPanel(page, "Launch");
    await page.getByLabel("v: contents").selectOption("iota");
    await showPanel(page, "Result");
    await page.evaluate(() => {
      window.requestAnimationFrame = (call) => window.setTimeout(call, 300);
    });
    await page.keyboard.press("Alt+2");
    await page.getByLabel("v: elements").focus();
    await page.keyboard.type("1");
    await page.waitForTimeout(500);
    await page.keyboard.type("6");
    expect(await page.getByLabel("v: elements").inputValue()).toBe("16");
  });

  test("without any check nothing is said to be in order", async () => {
    const { page } = await studio.openFiles({ "a.wgsl": DOUBLED });
    await showPanel(page, "Launch");
    const checks = page.locator(".checks input:checked");
    for (let left = await checks.count(); left > 0; left--) await checks.first().uncheck();
    await pressAndWait(page, "Find races");
    await page.locator(".verdict").getByText("Nothing was looked for").waitFor();
    expect(await page.locator(".verdict .good").count()).toBe(0);
  });
});
