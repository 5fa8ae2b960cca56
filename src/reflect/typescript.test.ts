/** The generated TypeScript is compiled by the real compiler and its views are run against `BufferView`. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { analyze } from "../analysis/analyze.ts";
import { layoutOf } from "../layout/layout.ts";
import { BufferView } from "../layout/view.ts";
import { f16FromBits, f16ToBits } from "../numeric/float16.ts";
import { Source } from "../text/source.ts";
import { generateTypeScript } from "./typescript.ts";

const SHADERS = {
  particles: `
    struct Pose { position: vec3f, angle: f32, }
    struct Body {
      pose: Pose, velocity: vec3f, tags: array<u32, 3>, axes: mat3x3f, flags: vec2u,
      @size(24) mass: f32, @align(32) poses: array<Pose, 2>, cells: array<array<vec2i, 2>, 3>,
    }
    struct List { count: atomic<u32>, @size(28) spare: i32, bodies: array<Body>, }
    @group(0) @binding(0) var<storage, read_write> list: List;
    @group(0) @binding(1) var<storage, read_write> plain: array<Body>;
    @group(0) @binding(2) var<storage, read_write> counters: array<atomic<i32>, 4>;
    @group(0) @binding(3) var<storage, read_write> one: atomic<u32>;
    @group(0) @binding(4) var<uniform> matrix: mat2x4f;
    @group(0) @binding(5) var<storage> columns: array<mat4x3f>;
    @group(0) @binding(6) var<uniform> pose: Pose;
    @group(1) @binding(0) var<storage> points: array<vec3f>;`,
  half: `enable f16;
    struct Half { a: f16, v: vec3h, m: mat2x3h, list: array<f16, 5>, }
    @group(0) @binding(0) var<storage, read_write> halves: array<Half>;
    @group(0) @binding(1) var<storage, read_write> raw: array<f16>;`,
  names: `
    struct Data { data: u32, data_: u32, at: u32, read: u32, write: u32, constructor: u32, length: u32, }
    struct Partial { number: u32, inner: Data, list: array<Data, 2>, }
    struct Größe { weiß: f32, }
    @group(0) @binding(0) var<storage, read_write> ArrayView: Partial;
    @group(0) @binding(1) var<storage, read_write> DataView: array<Data>;
    @group(0) @binding(2) var<storage, read_write> arguments: array<u32>;
    @group(0) @binding(4) var<storage> string: array<array<u32, 2>>;
    @group(0) @binding(3) var<uniform> maß: Größe;`,
} as const;

type Name = keyof typeof SHADERS;
interface Binding {
  readonly group: number;
  readonly binding: number;
  readonly kind: string;
  readonly minBindingSize: number;
  readonly size: number | ((elements: number) => number);
  readonly view: (buffer: ArrayBuffer) => { read(): unknown; write(value: unknown): void };
}

/** What a user writes; compiled with the generated text, so that its types are tried. */
const USER = `
import { list, plain, counters, matrix, type Body, BodyView, pose } from "./particles.ts";
import { ArrayView_ as all } from "./names.ts";
const buffer = new ArrayBuffer(list.size(2));
const view = list.view(buffer);
view.count = 3;
const body: Body = view.bodies.at(1).read();
view.bodies.at(0).pose.position = [1, 2, 3];
view.bodies.at(0).pose = { position: [4, 5, 6], angle: 1 };
view.bodies.at(0).pose = view.bodies.at(1).pose;
view.bodies.at(0).tags = [1, 2, 3];
view.bodies.at(0).tags.set(1, 7);
view.bodies.at(0).cells.at(2).write([[1, 2], [3, 4]]);
const axes: [[number, number, number], [number, number, number], [number, number, number]] = body.axes;
const size: 288 | number = BodyView.size;
plain.view(new Uint8Array(plain.size(1))).write([body]);
counters.view(new Uint32Array(4)).set(0, axes[0][0] + size);
matrix.view(new DataView(new ArrayBuffer(32))).write([[1, 2, 3, 4], [5, 6, 7, 8]]);
pose.view(new ArrayBuffer(16)).write({ angle: 2 });
all.view(new ArrayBuffer(all.size)).inner.read_ = 4;
`;

const WRONG = {
  "a missing component": `import { pose } from "./particles.ts"; pose.view(new ArrayBuffer(16)).position = [1, 2];`,
  "an unknown member": `import { pose } from "./particles.ts"; pose.view(new ArrayBuffer(16)).write({ angel: 1 });`,
  "a string": `import { list } from "./particles.ts"; list.view(new ArrayBuffer(64)).count = "3";`,
};

let folder = "";
const modules = {} as Record<Name, Record<string, Binding>>;

const CONFIG = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2022"],
    module: "nodenext",
    types: [],
    strict: true,
    noUnusedParameters: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    erasableSyntaxOnly: true,
    isolatedModules: true,
    rewriteRelativeImportExtensions: true,
    outDir: "out",
    rootDir: ".",
  },
};

/** Compiles files together with the generated ones. */
function compile(files: Readonly<Record<string, string>>): { status: number | null; output: string } {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const names = [...Object.keys(SHADERS).map((name) => `${name}.ts`), ...Object.keys(files)];
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...CONFIG, files: names }));
  const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  return { status, output: stdout };
}

function program(name: Name) {
  const found = analyze(new Source(SHADERS[name], `${name}.wgsl`));
  expect(found.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return found;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "halay-types-"));
  mkdirSync(join(folder, "out"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const name of Object.keys(SHADERS) as Name[]) {
    writeFileSync(join(folder, `${name}.ts`), generateTypeScript(program(name)));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("it compiles with --strict, and so does its use", async () => {
  expect(compile({ "user.ts": USER })).toEqual({ status: 0, output: "" });
  for (const name of Object.keys(SHADERS) as Name[]) {
    modules[name] = (await import(pathToFileURL(join(folder, "out", `${name}.js`)).href)) as Record<string, Binding>;
  }
});

test.each(Object.entries(WRONG))("the types refuse %s", (_, text) => {
  const { status, output } = compile({ "wrong.ts": text });
  expect(status).not.toBe(0);
  expect(output.split("\n").filter((line) => line.includes("error TS"))).toEqual([
    expect.stringMatching(/^\S*wrong\.ts\(1,/),
  ]);
});

/** A value for each leaf, all different, as far as the type can hold it. */
function fill(view: BufferView): void {
  const { bytes } = view;
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 37 + 11) % 60;
}

describe.each([
  ["particles", "list", 2],
  ["particles", "plain", 3],
  ["particles", "counters", 0],
  ["particles", "one", 0],
  ["particles", "matrix", 0],
  ["particles", "columns", 2],
  ["particles", "pose", 0],
  ["particles", "points", 5],
  ["half", "halves", 3],
  ["half", "raw", 7],
  ["names", "DataView_", 2],
  ["names", "ArrayView_", 0],
  ["names", "maß", 0],
] as const)("%s: %s", (name, exported, elements) => {
  const binding = () => modules[name][exported];
  const variable = () => {
    const found = program(name).variables.find((v) => v.name === exported.replace(/_$/, ""));
    return found as NonNullable<typeof found>;
  };
  const bytesOf = () => {
    const { size } = binding();
    return typeof size === "number" ? size : size(elements);
  };

  test("says where it is bound and how large it is", () => {
    const layout = layoutOf(variable().type);
    expect(binding()).toMatchObject({ group: variable().group, binding: variable().binding });
    expect(bytesOf()).toBeGreaterThanOrEqual(binding().minBindingSize);
    if (!layout.runtimeSized) expect(bytesOf()).toBe(layout.size);
  });

  test("reads what lies in the bytes, and writes it where it lay", () => {
    const expected = new BufferView(new Uint8Array(bytesOf()), layoutOf(variable().type));
    fill(expected);
    const values = expected.read();
    const copy = expected.bytes.slice();
    // The one gives the shortest decimal, the other the exact number: compared as what they round to.
    const round = name === "half" ? f16ToBits : Math.fround;
    expect(mapped(binding().view(copy.buffer).read(), round)).toEqual(mapped(values, round));

    const written = new ArrayBuffer(bytesOf());
    binding().view(written).write(values);
    const wanted = new BufferView(new Uint8Array(bytesOf()), expected.layout);
    wanted.write(values);
    expect(new Uint8Array(written)).toEqual(wanted.bytes);
  });
});

function mapped(value: unknown, change: (number: number) => number): unknown {
  if (typeof value === "number") return change(value);
  if (Array.isArray(value)) return value.map((part) => mapped(part, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapped(part, change)]));
}

describe("f16", () => {
  const view = (bytes: ArrayBuffer) =>
    modules.half.raw.view(bytes) as { read(): number[]; write(values: number[]): void };

  test("all bit patterns are read and written back", () => {
    const bits = Uint16Array.from({ length: 65536 }, (_, i) => i);
    const values = view(bits.buffer).read();
    expect(values).toEqual(Array.from(bits, (pattern) => f16FromBits(pattern)));
    const written = new Uint16Array(65536);
    view(written.buffer).write(values);
    const isNan = (pattern: number) => (pattern & 0x7fff) > 0x7c00;
    expect(bits.filter((pattern, i) => (isNan(pattern) ? !isNan(written[i]) : written[i] !== pattern))).toEqual(
      new Uint16Array(0),
    );
  });

  test("numbers between are rounded to the nearest, ties to even", () => {
    const numbers = [
      0.1,
      1 / 3,
      65519,
      65519.99,
      65520,
      -70000,
      2 ** -25,
      2 ** -24 * 1.5,
      2 ** -14 * 0.99999,
      2049,
      2051,
      1e-9,
    ];
    const written = new Uint16Array(numbers.length);
    view(written.buffer).write(numbers);
    expect([...written]).toEqual(numbers.map((number) => f16ToBits(number)));
  });
});
