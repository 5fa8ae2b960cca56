import { describe, expect, test } from "vitest";
import { Bench } from "../../test/support/engine.ts";

/** Calls are no const-expressions, so what is made of their results is computed when the shader runs. */
const IDENTITIES = ["i32", "u32", "f32", "f16", "bool"]
  .map((type) => `fn ${type}_(value: ${type}) -> ${type} { return value; }`)
  .join("\n");

const WORDS = { i32: Int32Array, u32: Uint32Array, f32: Float32Array };

/** The scalars that an expression of a type gives at run time, read back as `kind`. */
function evaluate(expression: string, type: string, kind: keyof typeof WORDS): number[] {
  const bench = new Bench(
    `enable f16;
     ${IDENTITIES}
     @group(0) @binding(0) var<storage, read_write> out: ${type};
     @compute @workgroup_size(1) fn main() { out = ${expression}; }`,
  );
  expect(bench.run().status).toBe("ok");
  return [...new WORDS[kind](bench.memories.get("out")!.bytes.buffer as ArrayBuffer)];
}

const kindOf = (type: string) => (/i32|vec\di/.test(type) ? "i32" : /u32|vec\du/.test(type) ? "u32" : "f32");

/** `expression: type = values`, one a line. */
function check(table: string) {
  const rows = table
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  test.each(rows)("%s", (row) => {
    const [, expression, type, values] = /^(.*) : (\S+) = (.*)$/.exec(row)!;
    const expected = values.split(" ").map((value) => Number(value));
    expect(evaluate(expression, type, kindOf(type)).slice(0, expected.length)).toEqual(expected);
  });
}

describe("integers wrap", () => {
  check(`
    i32_(2147483647) + i32_(1) : i32 = -2147483648
    i32_(-2147483648) - i32_(1) : i32 = 2147483647
    i32_(65537) * i32_(65537) : i32 = 131073
    u32_(4294967295) + u32_(2) : u32 = 1
    u32_(0) - u32_(1) : u32 = 4294967295
    u32_(4294967295) * u32_(4294967295) : u32 = 1
    -i32_(-2147483648) : i32 = -2147483648
    -i32_(5) : i32 = -5
    ~i32_(5) : i32 = -6
    ~u32_(5) : u32 = 4294967290
    abs(i32_(-2147483648)) : i32 = -2147483648
    abs(i32_(-3)) : i32 = 3
    abs(u32_(4294967295)) : u32 = 4294967295
  `);
});

describe("division and remainder", () => {
  check(`
    i32_(-7) / i32_(2) : i32 = -3
    i32_(-7) % i32_(2) : i32 = -1
    i32_(7) % i32_(-2) : i32 = 1
    i32_(7) / i32_(0) : i32 = 7
    i32_(7) % i32_(0) : i32 = 0
    i32_(-2147483648) / i32_(-1) : i32 = -2147483648
    i32_(-2147483648) % i32_(-1) : i32 = 0
    u32_(4294967295) / u32_(2) : u32 = 2147483647
    u32_(4294967295) % u32_(2) : u32 = 1
    u32_(9) / u32_(0) : u32 = 9
    u32_(9) % u32_(0) : u32 = 0
    f32_(1) / f32_(0) : f32 = Infinity
    f32_(5.5) % f32_(2) : f32 = 1.5
    f32_(-5.5) % f32_(2) : f32 = -1.5
  `);
});

describe("bits and shifts", () => {
  check(`
    i32_(12) & i32_(10) : i32 = 8
    i32_(12) | i32_(10) : i32 = 14
    i32_(12) ^ i32_(10) : i32 = 6
    i32_(1) << u32_(33) : i32 = 2
    i32_(-8) >> u32_(1) : i32 = -4
    u32_(4294967288) >> u32_(1) : u32 = 2147483644
    u32_(1) << u32_(31) : u32 = 2147483648
    countOneBits(u32_(255)) : u32 = 8
    countLeadingZeros(u32_(1)) : u32 = 31
    countTrailingZeros(i32_(8)) : i32 = 3
    firstLeadingBit(i32_(-2)) : i32 = 0
    firstLeadingBit(u32_(4294967294)) : u32 = 31
    firstTrailingBit(u32_(0)) : u32 = 4294967295
    reverseBits(u32_(1)) : u32 = 2147483648
    extractBits(i32_(240), u32_(4), u32_(4)) : i32 = -1
    extractBits(u32_(240), u32_(4), u32_(4)) : u32 = 15
    insertBits(u32_(0), u32_(15), u32_(4), u32_(8)) : u32 = 240
    dot4I8Packed(u32_(0xff01), u32_(0x0202)) : i32 = 0
    dot4U8Packed(u32_(0xff01), u32_(0x0202)) : u32 = 512
  `);
});

describe("comparisons", () => {
  check(`
    u32(i32_(-1) < i32_(1)) : u32 = 1
    u32(u32_(4294967295) < u32_(1)) : u32 = 0
    u32(u32_(4294967295) > u32_(1)) : u32 = 1
    u32(u32_(1) >= u32_(1)) : u32 = 1
    u32(i32_(-1) <= i32_(-1)) : u32 = 1
    u32(i32_(-1) >= i32_(0)) : u32 = 0
    u32(f32_(-0.0) == f32_(0)) : u32 = 1
    u32(f32_(1) != f32_(2)) : u32 = 1
    u32(f32_(1) > f32_(2)) : u32 = 0
    u32(f16_(1) <= f16_(2)) : u32 = 1
    u32(bool_(true) == bool_(false)) : u32 = 0
    u32(!bool_(false)) : u32 = 1
    u32(bool_(true) & bool_(false)) : u32 = 0
    u32(bool_(true) | bool_(false)) : u32 = 1
    u32(bool_(true) && bool_(false)) : u32 = 0
    u32(bool_(false) || bool_(true)) : u32 = 1
    vec2u(vec2(i32_(1), i32_(2)) < vec2(2, 2)) : vec2u = 1 0
    min(i32_(-1), i32_(1)) : i32 = -1
    min(u32_(4294967295), u32_(1)) : u32 = 1
    max(u32_(4294967295), u32_(1)) : u32 = 4294967295
    clamp(i32_(-9), i32_(-3), i32_(3)) : i32 = -3
    clamp(u32_(9), u32_(1), u32_(3)) : u32 = 3
    sign(i32_(-9)) : i32 = -1
  `);
});

describe("conversions", () => {
  check(`
    i32(f32_(-3.9)) : i32 = -3
    i32(f32_(1e20)) : i32 = 2147483520
    i32(f32_(-1e20)) : i32 = -2147483648
    u32(f32_(-3.9)) : u32 = 0
    u32(f32_(1e20)) : u32 = 4294967040
    u32(i32_(-1)) : u32 = 4294967295
    i32(u32_(4294967295)) : i32 = -1
    f32(u32_(4294967295)) : f32 = 4294967296
    f32(i32_(-16777217)) : f32 = -16777216
    f32(bool_(true)) : f32 = 1
    u32(bool_(true)) : u32 = 1
    u32(bool(i32_(-5))) : u32 = 1
    u32(bool(f32_(-0.0))) : u32 = 0
    f32(f16_(0.1h)) : f32 = 0.0999755859375
    f32(f16(f32_(70000))) : f32 = Infinity
    i32(f16_(-2.5h)) : i32 = -2
    f32(f16(u32_(2049))) : f32 = 2048
    bitcast<u32>(f32_(1)) : u32 = 1065353216
    bitcast<f32>(u32_(1065353216)) : f32 = 1
    bitcast<i32>(u32_(4294967295)) : i32 = -1
    bitcast<u32>(vec2<f16>(f16_(1), f16_(-2))) : u32 = 3221240832
    vec2f(bitcast<vec2<f16>>(u32_(3221240832))) : vec2f = 1 -2
  `);
});

describe("floats are rounded after each operation", () => {
  check(`
    f32_(16777216) + f32_(1) : f32 = 16777216
    f32_(0.1) + f32_(0.2) : f32 = ${Math.fround(Math.fround(0.1) + Math.fround(0.2))}
    f32_(0.1) * f32_(0.1) : f32 = ${Math.fround(Math.fround(0.1) ** 2)}
    f32_(3e38) * f32_(10) : f32 = Infinity
    -f32_(0) : f32 = -0
    f32(f16_(2048h) + f16_(1h)) : f32 = 2048
    f32(f16_(0.1h) * f16_(0.1h)) : f32 = 0.0099945068359375
    f32(f16_(1h) / f16_(3h)) : f32 = 0.333251953125
    f32(f16_(1h) - f16_(0.0004h)) : f32 = 0.99951171875
    f32(-f16_(2h)) : f32 = -2
  `);
});

describe("floating point functions", () => {
  check(`
    sqrt(f32_(2)) : f32 = ${Math.fround(Math.SQRT2)}
    inverseSqrt(f32_(4)) : f32 = 0.5
    floor(f32_(-1.5)) : f32 = -2
    ceil(f32_(-1.5)) : f32 = -1
    trunc(f32_(-1.5)) : f32 = -1
    round(f32_(2.5)) : f32 = 2
    fract(f32_(-1.25)) : f32 = 0.75
    abs(f32_(-1.25)) : f32 = 1.25
    sign(f32_(-1.25)) : f32 = -1
    min(f32_(-1), f32_(1)) : f32 = -1
    max(f32_(-1), f32_(1)) : f32 = 1
    clamp(f32_(5), f32_(0), f32_(1)) : f32 = 1
    saturate(f32_(-5)) : f32 = 0
    step(f32_(1), f32_(2)) : f32 = 1
    mix(f32_(0), f32_(10), f32_(0.25)) : f32 = 2.5
    smoothstep(f32_(0), f32_(1), f32_(0.5)) : f32 = 0.5
    fma(f32_(2), f32_(3), f32_(4)) : f32 = 10
    pow(f32_(2), f32_(10)) : f32 = 1024
    exp(f32_(0)) : f32 = 1
    exp2(f32_(3)) : f32 = 8
    log(f32_(1)) : f32 = 0
    log2(f32_(8)) : f32 = 3
    sin(f32_(0)) : f32 = 0
    cos(f32_(0)) : f32 = 1
    tan(f32_(0)) : f32 = 0
    atan2(f32_(1), f32_(1)) : f32 = ${Math.fround(Math.PI / 4)}
    degrees(f32_(0)) : f32 = 0
    radians(f32_(180)) : f32 = ${Math.fround(Math.PI)}
    ldexp(f32_(3), i32_(2)) : f32 = 12
    frexp(f32_(12)).fract : f32 = 0.75
    frexp(f32_(12)).exp : i32 = 4
    modf(f32_(-1.5)).fract : f32 = -0.5
    modf(f32_(-1.5)).whole : f32 = -1
    quantizeToF16(f32_(0.1)) : f32 = 0.0999755859375
    f32(sqrt(f16_(2h))) : f32 = 1.4140625
    length(vec2(f32_(3), f32_(4))) : f32 = 5
    dot(vec3(f32_(1), f32_(2), f32_(3)), vec3f(4, 5, 6)) : f32 = 32
    cross(vec3(f32_(1), 0, 0), vec3f(0, 1, 0)) : vec3f = 0 0 1
    determinant(mat2x2f(f32_(1), 2, 3, 4)) : f32 = -2
  `);
});

describe("packing", () => {
  check(`
    pack4x8snorm(vec4(f32_(-1), f32_(0), f32_(0.5), f32_(1))) : u32 = 2134900865
    pack4x8unorm(vec4(f32_(0), f32_(1), f32_(0.5), f32_(1))) : u32 = 4286643968
    pack4xI8(vec4(i32_(-1), 1, -2, 2)) : u32 = 50201087
    pack4xU8(vec4(u32_(255), 1, 2, 3)) : u32 = 50463231
    pack4xI8Clamp(vec4(i32_(-300), 300, 0, 0)) : u32 = 32640
    pack4xU8Clamp(vec4(u32_(300), 0, 0, 0)) : u32 = 255
    pack2x16float(vec2(f32_(1), f32_(-2))) : u32 = 3221240832
    pack2x16snorm(vec2(f32_(-1), f32_(1))) : u32 = 2147450881
    pack2x16unorm(vec2(f32_(0), f32_(1))) : u32 = 4294901760
    unpack2x16float(u32_(3221240832)) : vec2f = 1 -2
    unpack2x16snorm(u32_(2147450881)) : vec2f = -1 1
    unpack2x16unorm(u32_(4294901760)) : vec2f = 0 1
    unpack4x8snorm(u32_(0x817f)) : vec4f = 1 -1 0 0
    unpack4x8unorm(u32_(0xff00)) : vec4f = 0 1 0 0
    unpack4xI8(u32_(0x80ff)) : vec4i = -1 -128 0 0
    unpack4xU8(u32_(0x80ff)) : vec4u = 255 128 0 0
  `);
});

describe("composites", () => {
  check(`
    vec3(i32_(1), 2, 3).zyx : vec3i = 3 2 1
    vec3(i32_(1), 2, 3)[u32_(1)] : i32 = 2
    vec3(i32_(1), 2, 3)[i32_(-1)] : i32 = 0
    array(i32_(4), 5, 6)[i32_(2)] : i32 = 6
    array(i32_(4), 5, 6)[i32_(3)] : i32 = 0
    array<vec2f, 2>()[u32_(1)] : vec2f = 0 0
    mat2x2f(1, 2, f32_(3), 4)[i32_(1)] : vec2f = 3 4
    mat2x2f(1, 2, 3, 4) * vec2(f32_(1), f32_(10)) : vec2f = 31 42
    mat2x2f(1, 2, 3, 4) * mat2x2f(f32_(1), 0, 0, 1) : mat2x2f = 1 2 3 4
    transpose(mat2x3f(1, 2, 3, 4, f32_(5), 6))[1] : vec2f = 2 5
    vec2i(3) * i32_(2) : vec2i = 6 6
    vec2(f32_(7)) : vec2f = 7 7
    select(vec2(1, 2), vec2(i32_(3), 4), vec2(true, bool_(false))) : vec2i = 3 2
    select(i32_(1), i32_(2), bool_(true)) : i32 = 2
    u32(all(vec2(bool_(true), false))) : u32 = 0
    u32(any(vec2(bool_(true), false))) : u32 = 1
  `);
});
