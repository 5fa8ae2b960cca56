import { describe, expect, test } from "vitest";
import { legalProgram, overridesOf, verified } from "../../test/support/ir.ts";
import { F32, U32 } from "../types/type.ts";
import { type CallArgument, lowerCall } from "./lower-call.ts";
import { printModule } from "./print.ts";
import { UnsupportedError } from "./unsupported.ts";

const SOURCE = `
override gain = 2.0;
var<workgroup> tile: array<f32, 4>;
@group(0) @binding(3) var<storage> table: array<f32>;
struct Pair { a: f32, b: vec3u }
struct Flag { on: bool }
fn scale(x: f32, n: u32) -> f32 { return x * gain + table[n]; }
fn pair(i: i32) -> Pair { return Pair(f32(i), vec3u(1)); }
fn odd(i: u32) -> bool { return i % 2 == 1; }
fn flag() -> Flag { return Flag(true); }
fn fill(p: ptr<workgroup, array<f32, 4>>, i: u32) { (*p)[i] = 1; }
@compute @workgroup_size(1) fn main() {}
`;

const invocation: CallArgument = { kind: "invocation" };
const program = legalProgram(SOURCE);
const call = (name: string, ...args: CallArgument[]) => {
  const made = lowerCall(program, name, args, overridesOf(program));
  verified(made.module);
  return made;
};

test("one call in each invocation, results by invocation", () => {
  const { module, result } = call("scale", { kind: "constant", value: { type: F32, value: 1.5 } }, invocation);
  expect(printModule(module)).toMatchSnapshot();
  expect(module.roots[result!].name).toBe("result");
});

test("the index as a number of the parameter’s type; a structure as result", () => {
  expect(printModule(call("pair", invocation).module)).toMatchSnapshot();
});

test("bool comes back as u32", () => {
  const { module, result } = call("odd", invocation);
  expect(module.roots[result!].type).toMatchObject({ kind: "array", count: null, element: U32 });
});

test("a pointer to a variable; no result", () => {
  const [tile] = program.variables;
  const { module, result } = call("fill", { kind: "variable", variable: tile }, invocation);
  expect(result).toBe(null);
  expect(module.functions[0].params[0].root).toBe(module.roots.find((root) => root.name === "tile")?.id);
});

describe("refused", () => {
  test("a result that no buffer can hold", () => {
    expect(() => call("flag")).toThrow(UnsupportedError);
  });
  test.each<[string, string, CallArgument[]]>([
    ["no such function", "scaled", []],
    ["an entry point", "main", []],
    ["too few arguments", "scale", [invocation]],
    ["a pointer to another type", "fill", [{ kind: "variable", variable: program.variables[1] }, invocation]],
    ["a number for a pointer", "fill", [invocation, invocation]],
  ])("%s", (_, name, args) => {
    expect(() => call(name, ...args)).toThrow(RangeError);
  });
});
