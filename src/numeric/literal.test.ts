import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseNumericLiteral } from "./literal.ts";

/** `kind value`, or the reason. */
function show(text: string): string {
  const literal = parseNumericLiteral(text);
  if (literal.ok) return `${literal.kind} ${literal.value}`;
  return literal.kind === null ? literal.reason : `${literal.reason} ${literal.kind}`;
}

describe("values", () => {
  test.each([
    ["0", "abstract-int 0"],
    ["0i", "i32 0"],
    ["0u", "u32 0"],
    ["123", "abstract-int 123"],
    ["0x1F", "abstract-int 31"],
    ["0X123u", "u32 291"],
    ["0x1f", "abstract-int 31"],
    ["0x0i", "i32 0"],
    ["9223372036854775807", "abstract-int 9223372036854775807"],
    ["0x7fffffffffffffff", "abstract-int 9223372036854775807"],
    ["2147483647i", "i32 2147483647"],
    ["4294967295u", "u32 4294967295"],
    ["0xffffffffu", "u32 4294967295"],
    ["0f", "f32 0"],
    ["0h", "f16 0"],
    ["5h", "f16 5"],
    ["12f", "f32 12"],
    ["0.e+4f", "f32 0"],
    ["01.", "abstract-float 1"],
    ["00012.", "abstract-float 12"],
    ["00.5", "abstract-float 0.5"],
    ["01e2", "abstract-float 100"],
    [".01", "abstract-float 0.01"],
    ["1.f", "f32 1"],
    ["1e-3", "abstract-float 0.001"],
    ["1E+2h", "f16 100"],
    ["0.1f", `f32 ${Math.fround(0.1)}`],
    ["0.1h", "f16 0.0999755859375"],
    ["65504.0h", "f16 65504"],
    ["5.9604644775390625e-8h", `f16 ${2 ** -24}`],
    ["1e-30h", "f16 0"],
    ["3.40282346638528859812e+38f", `f32 ${(2 - 2 ** -23) * 2 ** 127}`],
    ["1.40129846432481707092e-45f", `f32 ${2 ** -149}`],
    ["1e-400", "abstract-float 0"],
    ["1.7976931348623157e308", `abstract-float ${Number.MAX_VALUE}`],
    ["0xa.fp+2", "abstract-float 43.75"],
    ["0x1P+4f", "f32 16"],
    ["0X.3", "abstract-float 0.1875"],
    ["0x3p+2h", "f16 12"],
    ["0X1.fp-4", "abstract-float 0.12109375"],
    ["0x3.2p+2h", "f16 12.5"],
    ["0x1.", "abstract-float 1"],
    ["0x1.8f", "abstract-float 1.55859375"],
    ["0x1p-149f", `f32 ${2 ** -149}`],
    ["0x1.fffffep+127f", `f32 ${(2 - 2 ** -23) * 2 ** 127}`],
    ["0x1.ffcp+15h", "f16 65504"],
    ["0x1p-24h", `f16 ${2 ** -24}`],
    ["0x1.00000001p0", `abstract-float ${1 + 2 ** -32}`],
    ["0x1.00000000000008p0", "abstract-float 1"],
    ["0x1.00000000000018p0", `abstract-float ${1 + 2 ** -51}`],
    ["0x1.000000000000080000000000001p0", `abstract-float ${1 + 2 ** -52}`],
    ["0x1p-1074", "abstract-float 5e-324"],
    ["0x1p-1075", "abstract-float 0"],
    ["0x1.8p-1075", "abstract-float 5e-324"],
    ["0x1p-99999999999999999999", "abstract-float 0"],
    ["0x0p99999999999999999999f", "f32 0"],
    [`0x1${"0".repeat(300)}p-1200f`, "f32 1"],
  ])("%s is %s", (text, value) => {
    expect(show(text)).toBe(value);
  });
});

describe("what is refused", () => {
  test.each([
    ["9223372036854775808", "overflow abstract-int"],
    ["0x8000000000000000", "overflow abstract-int"],
    ["2147483648i", "overflow i32"],
    ["0xffffffffi", "overflow i32"],
    ["4294967296u", "overflow u32"],
    ["1e400", "overflow abstract-float"],
    ["1.0e+999999999999f", "overflow f32"],
    ["3.40282347e+38f", "overflow f32"],
    ["65505h", "overflow f16"],
    ["65520h", "overflow f16"],
    ["0x1p1024", "overflow abstract-float"],
    ["0x1.fffffffffffff8p1023", "overflow abstract-float"],
    ["0x1p99999999999999999999f", "overflow f32"],
    ["0x1p128f", "overflow f32"],
    ["0x1.ffffff8p+127f", "overflow f32"],
    ["0x1.ffep15h", "overflow f16"],
    ["0x1.00000001p0f", "inexact f32"],
    ["0x1.0000000000000000000000000001p0f", "inexact f32"],
    ["0x1p-150f", "inexact f32"],
    ["0x1p-2000f", "inexact f32"],
    ["0x1p-25h", "inexact f16"],
    ["0x1.002p0h", "inexact f16"],
    ["00", "malformed"],
    ["012", "malformed"],
    ["01f", "malformed"],
    ["1.5i", "malformed"],
    ["1fh", "malformed"],
    ["0x", "malformed"],
    ["0x.", "malformed"],
    ["0x.p1", "malformed"],
    ["0x1p", "malformed"],
    ["0x1.8h", "malformed"],
    ["0x3h", "malformed"],
    ["0x1p1u", "malformed"],
    ["0x1pf0", "malformed"],
    [".", "malformed"],
    [".f", "malformed"],
    [".e-2", "malformed"],
    ["1.ef", "malformed"],
    ["1.e+f", "malformed"],
    ["1e", "malformed"],
    ["-1", "malformed"],
    ["+1", "malformed"],
    ["1 ", "malformed"],
    ["1_000", "malformed"],
    ["", "malformed"],
    ["x", "malformed"],
    ["Infinity", "malformed"],
  ])("%s: %s", (text, reason) => {
    expect(show(text)).toBe(reason);
  });
});

describe("a decimal is rounded once", () => {
  test.each([
    // 1 + 2^-24 lies half-way between 1 and the next f32; f64 cannot tell these three apart.
    ["1.000000059604644775390624999999f", "f32 1"],
    ["1.000000059604644775390625f", "f32 1"],
    ["1.000000059604644775390625000001f", `f32 ${1 + 2 ** -23}`],
    ["1000000059604644775390625000001e-30f", `f32 ${1 + 2 ** -23}`],
    // 1 + 2^-11 for f16, 1 + 3·2^-11 with an odd value below.
    ["1.00048828125h", "f16 1"],
    ["1.000488281250000000000000001h", `f16 ${1 + 2 ** -10}`],
    ["1.00146484375h", `f16 ${1 + 2 ** -9}`],
    ["1.001464843749999999999999999h", `f16 ${1 + 2 ** -10}`],
    // Half of the smallest subnormal.
    [
      "7.00649232162408535461864791644958065640130970938257885878534141944895541342930300743319094181060791015625e-46f",
      "f32 0",
    ],
    [
      "7.00649232162408535461864791644958065640130970938257885878534141944895541342930300743319094181060791015626e-46f",
      `f32 ${2 ** -149}`,
    ],
  ])("%s is %s", (text, value) => {
    expect(show(text)).toBe(value);
  });
});

test("a decimal and a hexadecimal spelling of an f64 give it back", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (x) => {
      const decimal = String(x).replace(/^(\d+)(e|$)/, "$1.$2");
      expect(parseNumericLiteral(decimal)).toEqual({ ok: true, kind: "abstract-float", value: x });
      const bits = new BigUint64Array(new Float64Array([x]).buffer)[0];
      const [exponent, fraction] = [Number(bits >> 52n), (bits & ((1n << 52n) - 1n)).toString(16).padStart(13, "0")];
      const hex = exponent === 0 ? `0x0.${fraction}p-1022` : `0x1.${fraction}p${exponent - 1023}`;
      expect(parseNumericLiteral(hex)).toEqual({ ok: true, kind: "abstract-float", value: x });
    }),
  );
});

test("an f32 written in hexadecimal is exact, half a step beside it is not", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0x800000, max: 0xffffff }), fc.integer({ min: -149, max: 104 }), (m, e) => {
      expect(parseNumericLiteral(`0x${m.toString(16)}p${e}f`)).toEqual({ ok: true, kind: "f32", value: m * 2 ** e });
      const beside = show(`0x${m.toString(16)}.8p${e}f`);
      expect(beside).toBe(m === 0xffffff && e === 104 ? "overflow f32" : "inexact f32");
    }),
  );
});
