/** Every operator, conversion and numeric builtin function on many values: the same bits as the interpreter. */
import { describe, expect, test } from "vitest";
import { compareEngines } from "../../../test/support/wasm.ts";
import { f16ToBits } from "../../numeric/float16.ts";

const COUNT = 512;

function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const INTEGERS = [
  0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 255, 256, 65535, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff,
];
const FLOATS = [
  0,
  -0,
  0.5,
  1,
  -1,
  1.5,
  2.5,
  -2.5,
  3,
  0.1,
  -0.7,
  100.25,
  1e-3,
  1e10,
  -1e20,
  3.4e38,
  1e-40,
  65504,
  65520,
  2 ** -24,
  2147483520,
  2147483648,
  4294967040,
  4294967296,
  -2147483648,
  Infinity,
  -Infinity,
  NaN,
  1e-7,
  0.9999999,
  1.0000001,
];

function integers(seed: number): Uint32Array {
  const next = random(seed);
  return Uint32Array.from({ length: COUNT }, () => {
    const kind = next();
    if (kind < 0.4) return INTEGERS[Math.floor(next() * INTEGERS.length)];
    return kind < 0.7 ? Math.floor(next() * 2 ** 32) : Math.floor(next() * 64);
  });
}

function someFloat(next: () => number): number {
  const kind = next();
  if (kind < 0.4) return FLOATS[Math.floor(next() * FLOATS.length)];
  return kind < 0.8 ? (next() - 0.5) * 20 : (next() - 0.5) * 2 ** Math.floor(next() * 60 - 30);
}

function floats(seed: number): Float32Array {
  const next = random(seed);
  return Float32Array.from({ length: COUNT }, () => someFloat(next));
}

function halves(seed: number): Uint32Array {
  const next = random(seed);
  const bits = Uint16Array.from({ length: COUNT }, () => f16ToBits(someFloat(next)));
  return new Uint32Array(bits.buffer);
}

type Scalar = "i32" | "u32" | "f32" | "f16";

function inputs(type: Scalar, seed: number): Uint32Array | Float32Array {
  return type === "f32" ? floats(seed) : type === "f16" ? halves(seed) : integers(seed);
}

/** `a`, `b`, `c`, `d` are values of the types; the expression has the result type. */
function compare(expression: string, types: readonly Scalar[], result: string): void {
  const names = ["a", "b", "c", "d"].slice(0, types.length);
  const declarations = names.map(
    (name, i) => `@group(0) @binding(${i}) var<storage, read> in_${name}: array<${types[i]}>;`,
  );
  const values = names.map((name) => `let ${name} = in_${name}[i];`);
  const source = `
enable f16;
${declarations.join("\n")}
@group(0) @binding(4) var<storage, read_write> out: array<${result}>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  ${values.join("\n  ")}
  out[i] = ${expression};
}`;
  const buffers = Object.fromEntries(names.map((name, i) => [`in_${name}`, inputs(types[i], i * 77 + 5)]));
  const found = compareEngines(source, { ...buffers, out: COUNT * 16 }, { workgroups: [COUNT / 64, 1, 1] });
  expect(found).toEqual([]);
}

const NUMBERS = ["i32", "u32", "f32", "f16"] as const;

describe("operators", () => {
  for (const type of NUMBERS) {
    test.each(["+", "-", "*", "/", "%"])(`${type} %s`, (operator) => {
      compare(`a ${operator} b`, [type, type], type);
      compare(`vec2<${type}>(a ${operator} b, b ${operator} a)`, [type, type], `vec2<${type}>`);
      compare(`vec3<${type}>(a, b, a) ${operator} vec3<${type}>(b, a, a)`, [type, type], `vec3<${type}>`);
    });
    test.each(["==", "!=", "<", "<=", ">", ">="])(`${type} %s`, (operator) => {
      compare(`select(0u, 1u, a ${operator} b)`, [type, type], "u32");
    });
    test(`${type} unary`, () => {
      if (type !== "u32") compare("-a", [type], type);
      if (type === "i32" || type === "u32") compare("~a", [type], type);
    });
  }
  for (const type of ["i32", "u32"] as const) {
    test.each(["&", "|", "^"])(`${type} %s`, (operator) => compare(`a ${operator} b`, [type, type], type));
    test.each(["<<", ">>"])(`${type} %s`, (operator) => {
      compare(`a ${operator} b`, [type, "u32"], type);
      compare(`(a ${operator} 3u) ^ (a ${operator} 31u)`, [type], type);
    });
    test.each([1, 2, 3, 4, 7, 16, 255, 256, 1000])(`${type} by the constant %d`, (divisor) => {
      compare(`(a / ${divisor}) * 31 + a % ${divisor}`, [type], type);
      if (type === "i32") compare(`(a / -${divisor}) * 31 + a % -${divisor}`, [type], type);
    });
  }
  test("bool", () => {
    compare(
      "u32((a > b) & (b > 5)) + u32((a > b) | (b > 5)) * 2u + u32((a > b) != (b > 5)) * 4u + u32(!(a > b)) * 8u",
      ["u32", "u32"],
      "u32",
    );
    compare("u32(a > b && b > 5) + u32(a > b || b > 5) * 2u", ["u32", "u32"], "u32");
    compare("vec3u(vec3<bool>(a > b, b > 5, a == b) | vec3<bool>((a < 9), (a > 9), (b < 9)))", ["u32", "u32"], "vec3u");
    compare("u32(all(vec2<bool>(a > b, b > 5))) + u32(any(vec2<bool>(a > b, b > 5))) * 2u", ["u32", "u32"], "u32");
  });
});

describe("conversions", () => {
  for (const from of NUMBERS) {
    test.each(NUMBERS)(`${from} to %s`, (to) => {
      compare(`${to}(a)`, [from], to);
      compare(`vec2<${to}>(vec2<${from}>(a, b))`, [from, from], `vec2<${to}>`);
    });
    test(`${from} to bool and back`, () => {
      compare("select(3u, 4u, bool(a))", [from], "u32");
      compare(`${from}(a > b)`, [from, from], from);
    });
  }
  test.each([
    ["f32", "u32"],
    ["u32", "f32"],
    ["i32", "f32"],
    ["f32", "i32"],
    ["u32", "i32"],
    ["i32", "u32"],
  ] as const)("bits of %s as %s", (from, to) => {
    compare(`bitcast<u32>(bitcast<${to}>(a))`, [from], "u32");
    compare(`bitcast<vec3<${to}>>(vec3<${from}>(a, b, a))`, [from, from], `vec3<${to}>`);
  });
  test("bits of two f16", () => {
    compare("bitcast<u32>(vec2<f16>(a, b))", ["f16", "f16"], "u32");
    compare("bitcast<f32>(vec2<f16>(a, b))", ["f16", "f16"], "f32");
    compare("bitcast<vec2<f16>>(a)", ["u32"], "vec2<f16>");
    compare("bitcast<vec4<f16>>(vec2u(a, b))", ["u32", "u32"], "vec4<f16>");
    compare("bitcast<vec2i>(vec4<f16>(a, b, b, a))", ["f16", "f16"], "vec2i");
  });
});

const ONE_FLOAT = [
  "abs",
  "acos",
  "acosh",
  "asin",
  "asinh",
  "atan",
  "atanh",
  "ceil",
  "cos",
  "cosh",
  "degrees",
  "exp",
  "exp2",
  "floor",
  "fract",
  "inverseSqrt",
  "log",
  "log2",
  "radians",
  "round",
  "saturate",
  "sign",
  "sin",
  "sinh",
  "sqrt",
  "tan",
  "tanh",
  "trunc",
];
const ONE_INTEGER = [
  "abs",
  "countLeadingZeros",
  "countOneBits",
  "countTrailingZeros",
  "firstLeadingBit",
  "firstTrailingBit",
  "reverseBits",
];

describe("builtin functions", () => {
  for (const type of ["f32", "f16"] as const) {
    test.each(ONE_FLOAT)(`%s of ${type}`, (name) => {
      compare(`${name}(a)`, [type], type);
      compare(`${name}(vec3<${type}>(a, b, a + b))`, [type, type], `vec3<${type}>`);
    });
    test.each(["atan2", "max", "min", "pow", "step"])(`%s of ${type}`, (name) =>
      compare(`${name}(a, b)`, [type, type], type),
    );
    test.each(["clamp", "fma", "mix", "smoothstep"])(`%s of ${type}`, (name) =>
      compare(`${name}(a, b, c)`, [type, type, type], type),
    );
    test(`parts of ${type}`, () => {
      compare("modf(a).fract", [type], type);
      compare("modf(a).whole", [type], type);
      compare("frexp(a).fract", [type], type);
      compare("frexp(a).exp", [type], "i32");
      compare("frexp(vec2(a, b)).exp", [type, type], "vec2i");
      compare("ldexp(a, b)", [type, "i32"], type);
    });
    test(`geometry of ${type}`, () => {
      const v = `vec3<${type}>`;
      compare(`cross(${v}(a, b, c), ${v}(c, a, b))`, [type, type, type], v);
      compare(`normalize(${v}(a, b, c))`, [type, type, type], v);
      compare(`reflect(${v}(a, b, c), ${v}(c, a, b))`, [type, type, type], v);
      compare(`refract(${v}(a, b, c), ${v}(c, a, b), a)`, [type, type, type], v);
      compare(`faceForward(${v}(a, b, c), ${v}(c, a, b), ${v}(b, b, a))`, [type, type, type], v);
      compare(
        `vec2<${type}>(dot(${v}(a, b, c), ${v}(c, a, b)), distance(${v}(a, b, c), ${v}(c, a, b)))`,
        [type, type, type],
        `vec2<${type}>`,
      );
      compare(`length(${v}(a, b, c)) + length(a)`, [type, type, type], type);
      const m = `mat3x3<${type}>(a, b, c, b, c, a, c, b, a)`;
      compare(`determinant(${m})`, [type, type, type], type);
      compare(`${m} * ${v}(a, b, c) + ${v}(b, c, a) * ${m}`, [type, type, type], v);
      compare(`(${m} * transpose(${m}) + ${m} * a - ${m})[1]`, [type, type, type], v);
    });
  }
  for (const type of ["i32", "u32"] as const) {
    test.each(ONE_INTEGER)(`%s of ${type}`, (name) => compare(`${name}(a)`, [type], type));
    test.each(["max", "min"])(`%s of ${type}`, (name) => compare(`${name}(a, b)`, [type, type], type));
    test(`other functions of ${type}`, () => {
      compare("clamp(a, b, c)", [type, type, type], type);
      compare("extractBits(a, b, c)", [type, "u32", "u32"], type);
      compare("insertBits(a, b, c, d)", [type, type, "u32", "u32"], type);
      compare("extractBits(a, 3, 9) ^ insertBits(a, a, 5u, 7u)", [type], type);
      compare(`dot(vec3<${type}>(a, b, a), vec3<${type}>(b, b, a))`, [type, type], type);
      if (type === "i32") compare("sign(a)", [type], type);
    });
  }
  test("select", () => {
    compare("select(a, b, a < b)", ["f32", "f32"], "f32");
    compare("select(vec2(a, b), vec2(b, a), vec2<bool>((a < b), (a > 0)))", ["f32", "f32"], "vec2f");
    compare("select(vec3(a, b, a), vec3(b, a, b), a < b)", ["i32", "i32"], "vec3i");
  });
  test("quantizeToF16", () => compare("quantizeToF16(a)", ["f32"], "f32"));
  test.each(["pack4x8snorm", "pack4x8unorm"])("%s", (name) =>
    compare(`${name}(vec4(a, b, c, d))`, ["f32", "f32", "f32", "f32"], "u32"),
  );
  test.each(["pack4xI8", "pack4xI8Clamp"])("%s", (name) =>
    compare(`${name}(vec4(a, b, c, d))`, ["i32", "i32", "i32", "i32"], "u32"),
  );
  test.each(["pack4xU8", "pack4xU8Clamp"])("%s", (name) =>
    compare(`${name}(vec4(a, b, c, d))`, ["u32", "u32", "u32", "u32"], "u32"),
  );
  test.each(["pack2x16snorm", "pack2x16unorm", "pack2x16float"])("%s", (name) =>
    compare(`${name}(vec2(a, b))`, ["f32", "f32"], "u32"),
  );
  test.each([
    ["unpack4x8snorm", "vec4f"],
    ["unpack4x8unorm", "vec4f"],
    ["unpack4xI8", "vec4i"],
    ["unpack4xU8", "vec4u"],
    ["unpack2x16snorm", "vec2f"],
    ["unpack2x16unorm", "vec2f"],
    ["unpack2x16float", "vec2f"],
  ])("%s", (name, result) => compare(`${name}(a)`, ["u32"], result));
  test("dot products of bytes", () => {
    compare("dot4U8Packed(a, b)", ["u32", "u32"], "u32");
    compare("dot4I8Packed(a, b)", ["u32", "u32"], "i32");
  });
});

describe("parts of values", () => {
  test("dynamic indices", () => {
    compare("vec4f(a, b, c, 7.0)[u32(abs(d)) % 6u]", ["f32", "f32", "f32", "f32"], "f32");
    compare("vec3i(a, b, c)[d % 5]", ["i32", "i32", "i32", "i32"], "i32");
    compare("array<f32, 9>(1, 2, 3, 4, 5, 6, 7, 8, 9)[a % 12]", ["u32"], "f32");
    compare("array<u32, 6>(a, b, a + 1, b + 1, 5, 6)[a % 8u]", ["u32", "u32"], "u32");
    compare("mat3x2f(a, b, c, a, b, c)[u32(abs(c)) % 4u]", ["f32", "f32", "f32"], "vec2f");
    compare(
      "array<vec2f, 5>(vec2(a, b), vec2(b, a), vec2(), vec2(1), vec2(2))[u32(abs(b)) % 7u]",
      ["f32", "f32"],
      "vec2f",
    );
  });
  test("swizzles", () => {
    compare("vec4(a, b, a, b).wzyx + vec2(a, b).xxyy", ["f32", "f32"], "vec4f");
    compare("vec3(a, b, a).zxy", ["i32", "i32"], "vec3i");
  });
});
