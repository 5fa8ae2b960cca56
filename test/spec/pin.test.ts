import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { anchors, plain, rows } from "../../tools/spec/bikeshed.mjs";
import { parseParameterization, parseSignatures } from "../../tools/spec/signatures.mjs";

interface PinnedFunction {
  readonly name: string;
  readonly anchor: string;
  readonly const: boolean;
  readonly mustUse: boolean;
  readonly params: readonly string[];
  readonly returns: string | null;
  readonly where: Readonly<Record<string, readonly string[]>>;
}

const load = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const spec = load("./spec.gen.json");
const builtins = load("./builtins.gen.json");
const functions: readonly PinnedFunction[] = builtins.functions;

describe("the pinned specification", () => {
  test("both files come from one text", () => {
    expect(spec.source.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(builtins.source).toEqual(spec.source);
  });

  test("is complete as far as its own counts can tell", () => {
    const names = new Set(functions.map((row) => row.name));
    expect(spec.keywords).toHaveLength(26);
    expect(spec.texelFormats).toHaveLength(40);
    expect(spec.texelFormats.map((format: { name: string }) => format.name)).toEqual(spec.enumerants["texel format"]);
    expect(names.size).toBe(169);
    expect(builtins.operators.map((row: { operator: string }) => row.operator)).toEqual(
      expect.arrayContaining([
        "[]",
        "!",
        "~",
        "-",
        "+",
        "*",
        "/",
        "%",
        "==",
        "<=",
        "<<",
        ">>",
        "&",
        "|",
        "^",
        "&&",
        "||",
      ]),
    );
    for (const name of names) expect(name).toMatch(/^[A-Za-z]\w*$/);
  });

  test("every function and operator stands in a section that exists", () => {
    const known = new Set(spec.anchors);
    for (const row of [...functions, ...builtins.operators]) expect(known.has(row.anchor), row.anchor).toBe(true);
  });

  test("every type parameter is said to be something", () => {
    const free = functions.filter((row) => {
      const used = [...row.params, row.returns ?? ""].join(" ").match(/\b(?:[A-Z]|[A-Z][A-Z0-9])\b/g) ?? [];
      return used.some((name) => !row.where[name]);
    });
    // The size of a buffer and of an array constructor is any; a structure names the types of its members.
    expect([...new Set(free.map((row) => row.name))]).toEqual([
      "array",
      "S",
      "bufferView",
      "bufferArrayView",
      "bufferLength",
    ]);
  });

  test("functions that return something and have no effect must be used", () => {
    const loose = functions.filter((row) => row.returns !== null && !row.mustUse).map((row) => row.name);
    expect(loose.every((name) => name.startsWith("atomic"))).toBe(true);
  });
});

describe("the reader of the specification", () => {
  test("signatures", () => {
    const code =
      "@const @must_use fn f<T>(a : vec2<T>,\n b: T) -> vec2<T>\nfn g()\nfn h(p: ptr<AS, atomic<T>, read_write>, v: T) -> T {";
    expect(parseSignatures(code)).toEqual([
      { name: "f", const: true, mustUse: true, template: ["T"], params: ["vec2<T>", "T"], returns: "vec2<T>" },
      { name: "g", const: false, mustUse: false, template: null, params: [], returns: null },
    ]);
    expect(parseSignatures("fn m(e1 : T, ..., e4 : T) -> T")[0].params).toEqual(["T", "T", "T", "T"]);
    expect(parseSignatures("fn m(e1 : T, ..., eN : T) -> T")[0].params).toEqual(["...T"]);
  });

  test("sets of types", () => {
    const html = "`S` is AbstractInt, i32, or [=u32=]<br>|T| is |S|, or vec|N|&lt;|S|&gt;<br>|e|: |T|";
    expect(parseParameterization(html)).toEqual({
      where: { S: ["AbstractInt", "i32", "u32"], T: ["S", "vecN<S>"] },
      conditions: [],
      operands: { e: ["T"] },
    });
    expect(() => parseParameterization("T is whatever you like")).toThrow(/cannot read/);
  });

  test("cells that span rows", () => {
    const table = `<table><tr algorithm="x"><td rowspan=2>a<td>b<tr><td>c<tr><td>d<td>e</table>`;
    expect(rows(table).map((row: { cells: string[] }) => row.cells)).toEqual([
      ["a", "b"],
      ["a", "c"],
      ["d", "e"],
    ]);
  });

  test("text and anchors", () => {
    expect(plain("|e1| `||` [=address spaces/storage=] [[#x|y]] `vec2<f32>`")).toBe("e1 || storage y vec2<f32>");
    const source = '## A ## {#a-b}\n<dfn for="address spaces">storage</dfn> <dfn lt="c d|e">f</dfn> <b id=g></b>';
    expect(anchors(source)).toEqual(["a-b", "address-spaces-storage", "c-d", "g"]);
  });
});
