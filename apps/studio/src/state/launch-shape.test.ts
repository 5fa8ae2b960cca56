import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { expectationOf, expectFieldsOf } from "./expect-fields.ts";
import { fieldsOf } from "./spec-fields.ts";

// What a browser has and the modules ask for as they are loaded.
vi.stubGlobal("matchMedia", () => ({ matches: false }));
vi.stubGlobal("navigator", { language: "en", platform: "" });
afterAll(() => vi.unstubAllGlobals());

let store: typeof import("./store.ts");
let launch: typeof import("./launch.ts");
let editing: typeof import("./edit-launch.ts");
let expected: typeof import("./expected.ts");
beforeAll(async () => {
  store = await import("./store.ts");
  launch = await import("./launch.ts");
  editing = await import("./edit-launch.ts");
  expected = await import("./expected.ts");
});

const VALID = {
  shader: "a.wgsl",
  entry: "main",
  workgroups: [4, 1],
  invocations: 64,
  call: "f(1)",
  overrides: { constructor: 3, flag: true },
  buffers: { v: "iota:4", "0.1": { values: [1] }, toString: { file: "a.bin" } },
  expect: { v: { values: [1, 2], count: 2, unordered: true } },
  set: { "v[0]": 1 },
  steps: [
    { shader: "b.wgsl", entry: "main", workgroups: { indirect: "v" }, repeat: 3, bind: { v: "w" }, swap: ["v", "w"] },
    { invocations: 7 },
  ],
  tolerance: { abs: 1 },
};
const NAMES = ["a.wgsl", "v", "constructor", "__proto__", "toString", "0.1", "flag"];

/** Any JSON, often with the names that are looked for. */
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.oneof(fc.constantFrom(...NAMES, "random:1:seed", "fill:", "x.csv", "[1,2"), fc.string()),
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES, ...Object.keys(VALID)), fc.string()), tie("value")), {
        maxLength: 6,
      })
      .map((pairs) => Object.fromEntries(pairs)),
  ),
})).value;

/** A valid launch in which one value, anywhere, is something else. */
const oneWrong = fc
  .tuple(fc.constantFrom(...pathsOf(VALID)), anyJson)
  .map(([path, wrong]) => replaced(VALID, path, wrong));

type Path = readonly (string | number)[];

function pathsOf(value: unknown): Path[] {
  if (typeof value !== "object" || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, each]) => pathsOf(each).map((path) => [key, ...path]))];
}

function replaced(value: unknown, [key, ...rest]: Path, wrong: unknown): unknown {
  if (key === undefined) return wrong;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, wrong);
  return copy;
}

/** All that the page asks of a launch, and all that it writes into one. */
function useEverything(text: string, active: string): void {
  store.files.value = [
    { name: "a.wgsl", text: "" },
    { name: "a.launch.json", text },
  ];
  store.activeName.value = active;
  const { value } = launch.launch;
  void [launch.launchName.value, launch.launchShaders.value, launch.reflections.value, launch.launchText.value];
  for (const name of NAMES) {
    fieldsOf(value?.buffers?.[name]);
    const given = value?.overrides?.[name];
    expect(["undefined", "number", "boolean"]).toContain(typeof given);
    const part = {
      path: "",
      isArray: true,
      offset: 0,
      stride: 4,
      first: 0,
      count: 4,
      columns: [{ name: "", scalar: "u32", offset: 0 }],
      inner: null,
    } as const;
    expected.expectedCells(name, part);
  }
  for (const expectation of Object.values(value?.expect ?? {})) expectationOf(expectFieldsOf(expectation));
  for (const step of value === null ? [] : [value, ...(value.steps ?? [])]) {
    const { shader, entry, workgroups, invocations } = step;
    expect(["undefined", "string"]).toContain(typeof shader);
    expect(["undefined", "string"]).toContain(typeof entry);
    expect(["undefined", "number"]).toContain(typeof invocations);
    if (Array.isArray(workgroups)) expect(workgroups.every((each) => typeof each === "number")).toBe(true);
  }
  const steps = value?.steps?.length ?? 0;
  for (const number of [null, ...Array.from({ length: steps }, (_, i) => i)]) {
    editing.editLaunch((edited) => {
      editing.stepOf(edited, number).entry = "changed";
      for (const name of NAMES) editing.setMember(edited, "buffers", name, "zeros");
      for (const name of NAMES) editing.setMember(edited, "buffers", name, undefined);
    });
  }
  expect(new Set(store.files.value.map(({ name }) => name)).size).toBe(store.files.value.length);
}

test("no launch file breaks what is made of it", () => {
  fc.assert(
    fc.property(fc.oneof(anyJson, oneWrong), fc.constantFrom("a.wgsl", "a.launch.json", "none"), (value, active) =>
      useEverything(JSON.stringify(value), active),
    ),
    { numRuns: 600 },
  );
});

test.each([
  ["steps of null", '{"shader":"a.wgsl","steps":[null]}'],
  ["a number of steps", '{"shader":"a.wgsl","steps":5}'],
  ["no JSON", "{"],
  ["nothing", ""],
  ["deep nesting", `{"shader":"a.wgsl","buffers":{"v":${"[".repeat(20_000)}${"]".repeat(20_000)}}}`],
  ["a long string", `{"shader":"${"x".repeat(2_000_000)}"}`],
])("%s breaks nothing", (_, text) => {
  for (const active of ["a.wgsl", "a.launch.json"]) useEverything(text, active);
});

test("a form changes its own field alone, and strings stay as they are", () => {
  const text = '{"shader":"a.wgsl","steps":[null,{"entry":"x"}],"buffers":{"v":"[  1,   2  ]"},"tolerance":[1]}';
  store.files.value = [
    { name: "a.wgsl", text: "" },
    { name: "a.launch.json", text },
  ];
  store.activeName.value = "a.wgsl";
  editing.editLaunch((edited) => {
    editing.stepOf(edited, 0).entry = "main";
  });
  expect(JSON.parse(store.files.value[1].text)).toEqual({
    ...JSON.parse(text),
    steps: [{ entry: "main" }, { entry: "x" }],
  });
});

test("what is no object is not written over", () => {
  const files = [
    { name: "a.wgsl", text: "" },
    { name: "values.json", text: "[1, 2]" },
  ];
  store.files.value = files;
  store.activeName.value = "values.json";
  editing.editLaunch((edited) => editing.setMember(edited, "buffers", "v", "zeros"));
  expect(store.files.value).toBe(files);
});

test.each([
  ["a closed shader", "c.wgsl", "c.wgsl is closed."],
  ["a closed launch", "c.launch.json", "c.launch.json is closed."],
  ["a launch that is no JSON", "b.launch.json", "The launch file is not JSON. Mend it in its tab"],
])("nothing is written for %s, and that is told", (_, file, message) => {
  const files = [
    { name: "a.wgsl", text: "" },
    { name: "b.launch.json", text: "{" },
  ];
  store.files.value = files;
  store.activeName.value = "a.wgsl";
  expect(editing.editLaunch((edited) => editing.setMember(edited, "expect", "v", "zeros"), file)).toBe(false);
  expect(store.files.value).toBe(files);
  expect(store.notice.value?.text).toContain(message);
});

test("a form makes no second file of a name", () => {
  store.files.value = [
    { name: "a.wgsl", text: "" },
    { name: "a.launch.json", text: '{ "shader": "b.wgsl" }' },
  ];
  store.activeName.value = "a.wgsl";
  editing.editLaunch((edited) => editing.setMember(edited, "buffers", "v", "zeros"));
  expect(store.files.value.map(({ name }) => name)).toEqual(["a.wgsl", "a.launch.json", "a-2.launch.json"]);
});

test("a launch that says no shader gets the one that is shown, as soon as a form writes it", () => {
  store.files.value = [
    { name: "a.wgsl", text: "" },
    { name: "b.wgsl", text: "" },
    { name: "b.launch.json", text: "{}" },
  ];
  store.activeName.value = "b.wgsl";
  editing.editLaunch((edited) => editing.setMember(edited, "buffers", "v", "zeros"));
  const [, , { text }] = store.files.value;
  expect(JSON.parse(text)).toEqual({ buffers: { v: "zeros" }, shader: "b.wgsl" });
});
