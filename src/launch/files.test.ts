import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { analyze } from "../analysis/analyze.ts";
import { type Layout, layoutOf } from "../layout/layout.ts";
import { BufferView } from "../layout/view.ts";
import { Source } from "../text/source.ts";
import { beside } from "./file-name.ts";
import { bufferFile, FileError, type FileReader, readBufferFile } from "./files.ts";

function layoutIn(type: string): Layout {
  const text = `enable f16; struct Body { at: vec3f, id: u32, v: vec2i }
    struct List { count: u32, items: array<vec2u> }
    @group(0) @binding(0) var<storage> a: ${type};`;
  return layoutOf(analyze(new Source(text)).variables[0].type);
}

const encode = (text: string) => new TextEncoder().encode(text);

function holding(files: Readonly<Record<string, Uint8Array>>): FileReader {
  return {
    async read(path) {
      if (files[path] === undefined) throw new FileError("there is no such file");
      return files[path];
    },
  };
}

async function values(name: string, bytes: Uint8Array, type: string): Promise<unknown> {
  const layout = layoutIn(type);
  const path = name.replace(/(\.safetensors)#.*/, "$1");
  return new BufferView(await readBufferFile(holding({ [path]: bytes }), "", name, layout), layout).read();
}

function npy(descr: string, shape: string, data: ArrayBufferView, order = "False"): Uint8Array {
  const header = encode(`{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }\n`);
  const body = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length, 0, ...header, ...body);
}

describe(".npy", () => {
  test.each<[string, Uint8Array, string, unknown]>([
    ["scalars", npy("'<f4'", "(3,)", Float32Array.of(1, 2, 3)), "array<f32>", [1, 2, 3]],
    [
      "rows",
      npy("'<u4'", "(2, 4)", Uint32Array.of(1, 2, 3, 4, 5, 6, 7, 8)),
      "array<vec4u>",
      [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ],
    ],
    ["no dimension", npy("'<i4'", "()", Int32Array.of(-7)), "i32", -7],
    ["halves", npy("'<f2'", "(2,)", Uint16Array.of(0x3c00, 0xc000)), "array<f16>", [1, -2]],
    [
      "structures",
      npy(
        "[('at', '<f4', (3,)), ('id', '<u4'), ('v', '<i4', (2,)), ('', '|V8')]",
        "(1,)",
        Int32Array.of(0, 0, 0, 5, -1, -2, 0, 0),
      ),
      "array<Body>",
      [{ at: [0, 0, 0], id: 5, v: [-1, -2] }],
    ],
  ])("%s", async (_, bytes, type, expected) => {
    expect(await values("a.npy", bytes, type)).toEqual(expected);
  });

  test.each<[string, Uint8Array, string, string]>([
    [
      "elements of another size",
      npy("'<f4'", "(2, 3)", new Float32Array(6)),
      "array<vec3f>",
      "‘a.npy’: the file holds 12-byte elements, the array's stride is 16",
    ],
    [
      "another type",
      npy("'<f8'", "(2,)", new Float64Array(2)),
      "array<f32>",
      "‘a.npy’: the file holds f64, array<f32> takes f32",
    ],
    [
      "another count",
      npy("'<f4'", "(3,)", new Float32Array(3)),
      "array<f32, 4>",
      "‘a.npy’: the file holds 3 elements, array<f32, 4> takes 4",
    ],
    [
      "Fortran order",
      npy("'<f4'", "(4, 4)", new Float32Array(16), "True"),
      "array<vec4f>",
      "‘a.npy’: the array is in Fortran order; save it with numpy.ascontiguousarray",
    ],
    [
      "big-endian",
      npy("'>f4'", "(1,)", new Float32Array(1)),
      "array<f32>",
      "‘a.npy’ is no .npy file: its numbers (‘>f4’) are big-endian; expected little-endian",
    ],
    [
      "cut off",
      npy("'<f4'", "(9,)", new Float32Array(1)),
      "array<f32>",
      "‘a.npy’ is no .npy file: its header tells of 36 bytes, 4 are there",
    ],
    ["something else", encode("hello world"), "array<f32>", "‘a.npy’ is no .npy file: it does not begin as one"],
    [
      "one structure of another size",
      npy("'<f4'", "(3,)", new Float32Array(3)),
      "Body",
      "‘a.npy’: the file holds 12 bytes, Body takes 32",
    ],
  ])("%s", async (_, bytes, type, message) => {
    await expect(values("a.npy", bytes, type)).rejects.toThrow(message);
  });
});

describe(".csv", () => {
  test.each<[string, string, unknown]>([
    ["1,2,3", "array<u32>", [1, 2, 3]],
    ["value\n1\n2\n", "array<u32>", [1, 2]],
    [
      "# made by hand\nx;y;z\n1;2;3\n4;5;6\n",
      "array<vec3f>",
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    ["nan\n-inf\n1e3", "array<f32>", ["NaN", "-Infinity", 1000]],
    ["1,2,3,4,-5,6", "Body", { at: [1, 2, 3], id: 4, v: [-5, 6] }],
    [
      "2\n1,2\n3,4",
      "List",
      {
        count: 2,
        items: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    ["", "array<u32, 0x2>", null],
  ])("%j", async (text, type, expected) => {
    if (expected === null) await expect(values("a.csv", encode(text), type)).rejects.toThrow("holds 0 elements");
    else expect(await values("a.csv", encode(text), type)).toEqual(expected);
  });

  test.each([
    ["1,2\n", "array<vec3f>", "‘a.csv’: row 1 holds 2 values, an element of array<vec3<f32>> takes 3"],
    ["1\n2x\n", "array<u32>", "‘a.csv’ is no .csv file: line 2 holds ‘2x’, which is no number"],
    ["1.5", "array<u32>", "u32 takes whole numbers from 0 to 4294967295, not 1.5"],
    ["1e400\n", "array<f32>", "line 1 holds ‘1e400’: numbers go up to ±3.4028235e+38; infinity is written inf"],
    ["1e39\n", "array<f32>", 'f32 takes numbers up to ±3.4028235e+38 and "Infinity", not 1e+39'],
    ["1,2,3", "Body", "‘a.csv’: the file holds 3 elements, Body takes 6"],
  ])("%j is refused", async (text, type, message) => {
    await expect(values("a.csv", encode(text), type)).rejects.toThrow(message);
  });
});

describe(".json and .bin", () => {
  test("values by layout", async () => {
    expect(await values("a.json", encode('[{"at": [1, 2, 3], "id": 4, "v": [5, 6]}]'), "array<Body>")).toEqual([
      { at: [1, 2, 3], id: 4, v: [5, 6] },
    ]);
    await expect(values("a.json", encode("[1,\n2,]"), "array<u32>")).rejects.toThrow(
      "‘a.json’ is no .json file: line 2: expected a value, found ‘]’",
    );
    await expect(values("a.json", encode("[1, -2]"), "array<u32>")).rejects.toThrow(
      "[1]: u32 takes whole numbers from 0 to 4294967295, not -2",
    );
  });

  test("bytes", async () => {
    expect(await values("a.bin", new Uint8Array(Uint32Array.of(1, 2).buffer), "array<u32>")).toEqual([1, 2]);
    await expect(values("a.bin", new Uint8Array(20), "array<vec3f>")).rejects.toThrow(
      "the file holds 20 bytes, no whole number of the array's 16-byte elements",
    );
    await expect(values("a.bin", new Uint8Array(8), "List")).rejects.toThrow(
      "‘a.bin’: the file holds 8 bytes, List takes at least 16",
    );
    expect(await values("a.bin", new Uint8Array(24), "List")).toEqual({
      count: 0,
      items: [
        [0, 0],
        [0, 0],
      ],
    });
  });
});

describe(".safetensors", () => {
  const header = encode(
    JSON.stringify({
      __metadata__: {},
      w: { dtype: "F32", shape: [2, 2], data_offsets: [0, 16] },
      n: { dtype: "I64", shape: [1], data_offsets: [16, 24] },
    }),
  );
  const file = new Uint8Array(8 + header.length + 24);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.length), true);
  file.set(header, 8);
  file.set(new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer), 8 + header.length);

  test("a tensor by its name", async () => {
    expect(await values("m.safetensors#w", file, "array<vec2f>")).toEqual([
      [1, 2],
      [3, 4],
    ]);
    await expect(values("m.safetensors#n", file, "array<u32>")).rejects.toThrow(
      "‘m.safetensors’: the file holds i64, array<u32> takes u32",
    );
    await expect(values("m.safetensors#q", file, "array<u32>")).rejects.toThrow(
      "‘m.safetensors’ holds no tensor ‘q’; it holds ‘w’, ‘n’",
    );
    await expect(values("m.safetensors#w", file.slice(0, 12), "array<u32>")).rejects.toThrow("its header is cut off");
  });
});

describe(".png", () => {
  /** Width 2, two rows, each with the filter that its first byte names. */
  function png(
    colourType: number,
    rows: readonly number[],
    ...chunks: readonly (readonly [string, readonly number[]])[]
  ): Uint8Array {
    const chunk = (type: string, body: readonly number[]) => {
      const { length } = body;
      return [
        length >> 24,
        (length >> 16) & 255,
        (length >> 8) & 255,
        length & 255,
        ...encode(type),
        ...body,
        0,
        0,
        0,
        0,
      ];
    };
    const head = chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 2, 8, colourType, 0, 0, 0]);
    const data = chunk("IDAT", [...deflateSync(Uint8Array.from(rows))]);
    return Uint8Array.from([
      0x89,
      0x50,
      0x4e,
      0x47,
      0x0d,
      0x0a,
      0x1a,
      0x0a,
      ...head,
      ...chunks.flatMap(([type, body]) => chunk(type, body)),
      ...data,
      ...chunk("IEND", []),
    ]);
  }

  test("grey, with the filters left and up", async () => {
    expect(await values("a.png", png(0, [1, 10, 10, 2, 1, 1]), "array<u32>")).toEqual([
      0xff0a0a0a, 0xff141414, 0xff0b0b0b, 0xff151515,
    ]);
  });

  test("a palette with transparency", async () => {
    const image = png(3, [0, 0, 1, 0, 1, 0], ["PLTE", [1, 2, 3, 4, 5, 6]], ["tRNS", [0]]);
    expect(await values("a.png", image, "array<u32>")).toEqual([0x00030201, 0xff060504, 0xff060504, 0x00030201]);
  });

  test("colours as vectors; the filters average and Paeth", async () => {
    const rows = [0, 255, 0, 0, 255, 255, 0, 0, 255, 4, 0, 0, 0, 0, 0, 0, 0, 0];
    expect(await values("a.png", png(6, rows), "array<vec4f>")).toEqual([
      [1, 0, 0, 1],
      [1, 0, 0, 1],
      [1, 0, 0, 1],
      [1, 0, 0, 1],
    ]);
    expect(await values("a.png", png(4, [3, 8, 255, 4, 0, 3, 4, 0, 0, 0]), "array<u32>")).toEqual([
      0xff080808, 0x7f080808, 0x7f080808, 0x7f080808,
    ]);
  });

  test("what it cannot be", async () => {
    await expect(values("a.png", png(2, [0, 1]), "array<u32>")).rejects.toThrow(
      "‘a.png’ is no .png file: its data does not have the size of the image",
    );
    await expect(values("a.png", encode("hello"), "array<u32>")).rejects.toThrow("it does not begin as one");
  });
});

describe("writing is reading backwards", () => {
  const layouts: readonly [string, unknown][] = [
    ["array<u32>", [1, 2, 3]],
    [
      "array<vec4f>",
      [
        [1, 2, 3, 4],
        [5, 6, 7, 8.5],
      ],
    ],
    [
      "array<vec3f>",
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    [
      "array<mat3x3f>",
      [
        [
          [1, 2, 3],
          [4, 5, 6],
          [7, 8, 9],
        ],
      ],
    ],
    [
      "array<array<i32, 2>, 2>",
      [
        [1, 2],
        [3, -4],
      ],
    ],
    [
      "array<Body>",
      [
        { at: [1, 2, 3], id: 4, v: [5, 6] },
        { at: [0, 0, 0.5], id: 1, v: [2, 3] },
      ],
    ],
    ["Body", { at: [1, 2, 3], id: 4, v: [5, -6] }],
    ["f32", 0.25],
    ["List", { count: 1, items: [[2, 3]] }],
  ];
  test.each(
    // The rows of a table have no place for the count of a list.
    layouts.flatMap(([type, value]) =>
      ["npy", "bin", "json", "csv"]
        .filter((ending) => ending !== "csv" || type !== "List")
        .map((ending) => [ending, type, value] as const),
    ),
  )(".%s of %s", async (ending, type, value) => {
    const layout = layoutIn(type);
    const bytes = await readBufferFile(holding({ "a.json": encode(JSON.stringify(value)) }), "", "a.json", layout);
    expect(await values(`a.${ending}`, bufferFile(`a.${ending}`, bytes, layout), type)).toEqual(value);
  });

  test("NumPy's own words", () => {
    const header = (type: string) => {
      const layout = layoutIn(type);
      return new TextDecoder()
        .decode(bufferFile("a.npy", new Uint8Array(96), layout).subarray(10))
        .split("\n")[0]
        .trim();
    };
    expect(header("array<vec4f, 6>")).toBe("{'descr': '<f4', 'fortran_order': False, 'shape': (6, 4), }");
    expect(header("array<u32, 24>")).toBe("{'descr': '<u4', 'fortran_order': False, 'shape': (24,), }");
    expect(header("array<vec3f, 6>")).toBe(
      "{'descr': [('value', '<f4', (3,)), ('', '|V4')], 'fortran_order': False, 'shape': (6,), }",
    );
    expect(header("array<Body, 3>")).toBe(
      "{'descr': [('at', '<f4', (3,)), ('id', '<u4'), ('v', '<i4', (2,)), ('', '|V8')], 'fortran_order': False, 'shape': (3,), }",
    );
  });

  test("an unknown ending", () => {
    expect(() => bufferFile("a.txt", new Uint8Array(4), layoutIn("u32"))).toThrow(
      "‘a.txt’ has no ending that is known: expected .bin, .npy, .json or .csv",
    );
  });
});

test("files that cannot be read", async () => {
  await expect(readBufferFile(holding({}), "", "a.bin", layoutIn("u32"))).rejects.toThrow(
    "‘a.bin’ cannot be read: there is no such file",
  );
  await expect(readBufferFile(null, "", "a.bin", layoutIn("u32"))).rejects.toThrow("no access to files was given");
});

test.each([
  ["", "a.bin", "a.bin"],
  ["dir/x.launch.json", "a.bin", "dir/a.bin"],
  ["dir/x.launch.json", "../data/./a.bin", "data/a.bin"],
  ["x.launch.json", "../a.bin", "../a.bin"],
  ["/x/y.json", "../../a.bin", "/a.bin"],
  ["dir/x.json", "/abs/a.bin", "/abs/a.bin"],
  ["dir\\x.json", "C:\\a.bin", "C:\\a.bin"],
  ["dir/x.json", "file:///a.bin", "file:///a.bin"],
])("beside %j, %j is %j", (base, name, expected) => {
  expect(beside(base, name)).toBe(expected);
});
