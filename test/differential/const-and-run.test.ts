/**
 * The same expression as a const-expression and at run time gives the same bits: evaluation by the checker, lowering and
 * the interpreter have one meaning. What stands in braces is a constant once, a variable the other time.
 */
import { expect, test } from "vitest";
import { runText } from "../support/engine.ts";

const SCALARS = 16;

/** The bits of both: `out.a` from constants, `out.b` from variables. */
function bothWays(expression: string, type: string): [number[], number[]] {
  const operands: string[] = [];
  const variable = expression.replace(/\{([^{}]*)\}/g, (_, operand: string) => `v${operands.push(operand) - 1}`);
  const constant = expression.replace(/[{}]/g, "");
  const bench = runText(
    `
    enable f16;
    @group(0) @binding(0) var<storage, read_write> constant: ${type};
    @group(0) @binding(1) var<storage, read_write> run: ${type};
    @compute @workgroup_size(1) fn main() {
      ${operands.map((operand, index) => `var v${index} = ${operand};`).join("\n")}
      const known = ${constant};
      constant = known;
      run = ${variable};
    }`,
    { constant: 4 * SCALARS, run: 4 * SCALARS },
  );
  return [bench.u32("constant"), bench.u32("run")];
}

const M23 = "{mat2x3f(1.5, -2, 3, 0.25, 5, -6)}";
const M32 = "{mat3x2f(2, 0.5, -1, 4, 7, -3)}";
const M33 = "{mat3x3f(1.1, 2, 3, -4, 5.3, 6, 7, 8, -9.7)}";
const M44 = "{mat4x4f(1.1, 2, 3, 4, -5, 6.2, 7, 8, 9, 10.3, -11, 12, 13, 14, 15, -16.4)}";
const V3 = "{vec3f(0.3, -1.7, 2.9)}";
const W3 = "{vec3f(-4.1, 0.6, 1.3)}";
const H3 = "{vec3h(0.3, -1.7, 2.9)}";

test.each([
  [`dot(${V3}, ${W3})`, "f32"],
  [`dot(${H3}, ${H3})`, "f16"],
  ["dot({vec4i(1, -2, 3, 2000000000)}, {vec4i(7, 8, -9, 1)})", "i32"],
  [`cross(${V3}, ${W3})`, "vec3f"],
  [`length(${V3})`, "f32"],
  ["length({-2.5f})", "f32"],
  [`distance(${V3}, ${W3})`, "f32"],
  [`normalize(${V3})`, "vec3f"],
  [`normalize(${H3})`, "vec3h"],
  [`reflect(${V3}, ${W3})`, "vec3f"],
  [`refract(${V3}, normalize(${W3}), {0.8f})`, "vec3f"],
  [`refract(normalize(${V3}), normalize(${W3}), {40f})`, "vec3f"],
  [`faceForward(${V3}, ${W3}, ${V3})`, "vec3f"],
  [`faceForward(${V3}, ${W3}, -${V3})`, "vec3f"],
  [`transpose(${M23})`, "mat3x2f"],
  ["determinant({mat2x2f(1.5, 2, 3, -4)})", "f32"],
  [`determinant(${M33})`, "f32"],
  [`determinant(${M44})`, "f32"],
  [`${M23} * ${M32}`, "mat3x3f"],
  [`${M32} * ${M23}`, "mat2x2f"],
  [`${M23} * {vec2f(0.7, -3)}`, "vec3f"],
  [`${V3} * ${M23}`, "vec2f"],
  [`${M44} * ${M44} - {0.5f} * ${M44}`, "mat4x4f"],
  [`${M33} + ${M33} * {3.25f}`, "mat3x3f"],
  ["u32(all({vec3<bool>(true, false, true)})) + 2 * u32(any({vec2<bool>(false, true)}))", "u32"],
  ["mix({vec2f(1, 2)}, {vec2f(5, -2)}, {0.3f})", "vec2f"],
  ["smoothstep({1f}, {4f}, {2.2f})", "f32"],
  ["step({vec2f(1, 2)}, {vec2f(2, 1)})", "vec2f"],
  ["clamp({vec2i(-9, 9)}, {vec2i(-3, -4)}, {vec2i(3, 4)})", "vec2i"],
  ["frexp({vec2f(12.5, -0.003)}).fract", "vec2f"],
  ["frexp({vec2f(12.5, -0.003)}).exp", "vec2i"],
  ["modf({-3.75f}).fract", "f32"],
  ["modf({vec2f(-3.75, 9.5)}).whole", "vec2f"],
  ["extractBits({vec2i(0x7f3c, -2)}, {4u}, {7u})", "vec2i"],
  ["insertBits({vec2u(0xffff, 0)}, {vec2u(5, 6)}, {3u}, {4u})", "vec2u"],
  ["select({vec3i(1, 2, 3)}, {vec3i(4, 5, 6)}, {vec3<bool>(true, false, true)})", "vec3i"],
  ["bitcast<vec2u>({vec4h(1, 2, -3, 0.5)})", "vec2u"],
  ["bitcast<vec4h>({vec2f(1.5, 300)})", "vec4h"],
  ["bitcast<vec2h>({0x3c00bc00i})", "vec2h"],
  ["pack4x8snorm({vec4f(0.1, -0.7, 2, -3)})", "u32"],
  ["unpack2x16float({0x3c00bc01u})", "vec2f"],
  ["dot4I8Packed({0x80ff017fu}, {0x7f02fe81u})", "i32"],
  ["vec4f({1f}, {vec2f(2, 3)}, {4f})", "vec4f"],
  ["vec3i({vec3f(1.9, -1.9, 3e9)})", "vec3i"],
  ["mat2x2h({mat2x2f(1.1, 2, 3, 4)})", "mat2x2h"],
  ["{array(1u, 2u, 3u)}[{2u}] + {vec3u(4, 5, 6)}[{1i}]", "u32"],
  ["{vec2u(1, 2)} << {vec2u(3, 30)}", "vec2u"],
  ["{-7i} % {3i} + {-8i} / {3i}", "i32"],
])("%s", (expression, type) => {
  const [constant, run] = bothWays(expression, type);
  expect(run).toEqual(constant);
  expect(constant.some((word) => word !== 0) || /40f/.test(expression)).toBe(true);
});
