import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editedJson } from "./edit-json.ts";
import { jsonText } from "./launch-shape.ts";

interface Tree {
  [name: string]: Tree | string | number | readonly unknown[];
}

/** What a text becomes when what stands at these paths gets these values; undefined takes it out. */
function edited(text: string, edit: Readonly<Record<string, unknown>>): string {
  const after: Tree = JSON.parse(text);
  for (const [path, value] of Object.entries(edit)) {
    const names = path.split(".");
    const last = names.pop()!;
    const parent = names.reduce<Tree>((tree, name) => tree[name] as Tree, after);
    if (value === undefined) delete parent[last];
    else parent[last] = value as Tree;
  }
  return editedJson(text, JSON.parse(text), after);
}

const OWN = `{
    "shader" : "a.wgsl",
    "buffers": { "total": "zeros",   "big": [9007199254740993, 1.50] },
    "steps": [
        { "entry": "main" }, {"entry":"other"}
    ]
}
`;

describe("a JSON text is changed where its value changes", () => {
  const cases: readonly (readonly [string, string, Readonly<Record<string, unknown>>, string])[] = [
    ["nothing", OWN, {}, OWN],
    ["a value", OWN, { "buffers.total": "iota" }, OWN.replace('"zeros"', '"iota"')],
    ["a step", OWN, { "steps.1.entry": "x" }, OWN.replace("other", "x")],
    [
      "a member is added as its neighbours stand",
      OWN,
      { expect: { total: "zeros" } },
      OWN.replace("    ]\n}", '    ],\n    "expect": {\n        "total": "zeros"\n    }\n}'),
    ],
    [
      "one is added to a line",
      OWN,
      { "buffers.more": { u32: [1, 2] } },
      OWN.replace("1.50] }", '1.50],   "more": {"u32":[1,2]} }'),
    ],
    ["the first is taken out", OWN, { shader: undefined }, OWN.replace('"shader" : "a.wgsl",\n    ', "")],
    [
      "one in the middle",
      OWN,
      { buffers: undefined },
      OWN.replace('\n    "buffers": { "total": "zeros",   "big": [9007199254740993, 1.50] },', ""),
    ],
    ["the last", OWN, { "buffers.big": undefined }, OWN.replace(',   "big": [9007199254740993, 1.50]', "")],
    ["all of them", '{ "a": {"b": 1} }', { "a.b": undefined }, '{ "a": {} }'],
    ["into nothing", '{\n\t"a": {}\n}', { "a.b": 1 }, '{\n\t"a": {\n\t\t"b": 1\n\t}\n}'],
    ["on one line", '{"a":1}', { b: [1] }, '{"a":1, "b": [1]}'],
    ["a short list", '{\n    "a": 1\n}', { b: [1, 2] }, '{\n    "a": 1,\n    "b": [1, 2]\n}'],
    ["a longer list", '{"a":[1, 2]}', { a: [1, 2, 3] }, '{"a":[1,2,3]}'],
    ["a name that is twice there", '{"a":1,"a":2}', { b: 3 }, '{"a":1,"a":2,"b": 3}'],
    [
      "names that objects have anyway",
      '{"__proto__":{"x":1}, "toString":2}',
      { toString: 3 },
      '{"__proto__":{"x":1}, "toString":3}',
    ],
    ["quotes and brackets in texts", '{"a\\"]}":"[{,:", "b":1}', { b: 2 }, '{"a\\"]}":"[{,:", "b":2}'],
  ];
  test.each(cases)("%s", (_, text, edit, wanted) => {
    expect(edited(text, edit)).toBe(wanted);
  });

  test("whatever is changed into whatever, it says so afterwards", () => {
    const json = fc.dictionary(
      fc.constantFrom("a", "b", "c", "d"),
      fc.jsonValue({ maxDepth: 3, noUnicodeString: true }),
    );
    const unit = fc.constantFrom("", "  ", "\t");
    fc.assert(
      fc.property(json, json, unit, (before, after, space) => {
        const text = space === "" ? JSON.stringify(before) : jsonText(before, space);
        const [old, now] = [JSON.parse(text), JSON.parse(JSON.stringify(after))];
        expect(JSON.parse(editedJson(text, old, now))).toEqual(now);
      }),
    );
  });
});
