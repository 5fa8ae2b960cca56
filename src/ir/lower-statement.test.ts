import { describe, expect, test } from "vitest";
import { dumpBody, legalProgram, lowerText, overridesOf } from "../../test/support/ir.ts";
import { lower } from "./lower.ts";
import { UnsupportedError } from "./unsupported.ts";

const BUFFERS = `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read_write> place: vec4f;
fn next() -> u32 { out[0]++; return out[0]; }
`;

describe("assignments", () => {
  test.each([
    ["the reference first", "out[next()] = next();"],
    ["compound: the reference once, read before the right side", "out[next()] += next();"],
    ["compound with a scalar", "place *= 2; place[1] -= 1;"],
    ["increment and decrement", "out[next()]++; var i = 1; i--;"],
    ["phony", "_ = next(); _ = &out; _ = 1;"],
    ["through parentheses", "(out[1]) = 2; (place).y = 3;"],
  ])("%s: %s", (_, statements) => {
    expect(dumpBody(statements, BUFFERS)).toMatchSnapshot();
  });
});

describe("control flow", () => {
  test.each([
    ["if, else if, else", "if out[0] == 1 { out[1] = 1; } else if out[0] == 2 { out[1] = 2; } else { return; }"],
    ["while", "var i = 0; while i < 4 { i++; if i == 2 { continue; } out[i] = 1; }"],
    ["for", "for (var i = 0u; i < 4; i++) { if i == 2 { break; } out[i] = i; }"],
    ["for with nothing", "for (;;) { break; }"],
    ["a variable is set anew in each turn", "for (var i = 0u; i < 4; i++) { var sum: u32; sum += i; out[i] = sum; }"],
    [
      "loop: continuing sees the body",
      "var i = 0; loop { let step = 2; let x = i; if x > 9 { break; } continuing { i = x + step; } }",
    ],
    ["loop with break if", "var i = 0; loop { continuing { i++; let done = i; break if done > 3; } }"],
    [
      "switch: values of one clause, default anywhere",
      "switch out[0] { case 1, default: { out[1] = 1; } case 2u, 3: { break; } }",
    ],
    ["switch in a loop", "for (var i = 0; i < 3; i++) { switch i { case -1: { continue; } default: { break; } } }"],
    ["nothing follows a jump", "loop { { break; } out[1] = 1; }"],
  ])("%s: %s", (_, statements) => {
    expect(dumpBody(statements, BUFFERS)).toMatchSnapshot();
  });
});

describe("what is not run", () => {
  const refused = (source: string) => {
    const program = legalProgram(source);
    try {
      lower(program, program.entryPoints[0].name, overridesOf(program));
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
      return [error.message, program.source.slice(error.span)];
    }
    return null;
  };
  const texture =
    "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var<storage, read_write> a: vec4f;";
  const main = (statements: string) => `${texture}\n@compute @workgroup_size(1) fn main() { ${statements} }`;

  test.each([
    [main("a = textureLoad(t, vec2i(), 0);"), "halay does not run textures yet", "t"],
    [
      `${texture} fn f(t: texture_2d<f32>) {} @compute @workgroup_size(1) fn main() { f(t); }`,
      "halay does not run textures yet",
      "t",
    ],
    ["@fragment fn main() { discard; }", "halay does not run fragment shaders", "main"],
    ["@vertex fn main() -> @builtin(position) vec4f { return vec4f(); }", "halay does not run vertex shaders", "main"],
  ])("%s", (source, message, place) => {
    expect(refused(source)).toEqual([message, place]);
  });

  test("a texture that is named and not used does no harm", () => {
    expect(refused(main("_ = t; a = vec4f();"))).toBe(null);
    expect(lowerText(main("_ = t; a = vec4f();")).roots.map((root) => root.name)).toEqual(["a"]);
  });

  test("an entry point that does not exist", () => {
    const program = legalProgram("@compute @workgroup_size(1) fn main() {}");
    expect(() => lower(program, "mian", overridesOf(program))).toThrow(RangeError);
  });
});
