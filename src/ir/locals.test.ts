import { expect, test } from "vitest";
import { lowerText } from "../../test/support/ir.ts";
import { localUses } from "./locals.ts";

test("a variable escapes only through a call", () => {
  const module = lowerText(`
fn f(p: ptr<function, vec2f>) -> f32 { return (*p).x; }
@compute @workgroup_size(1) fn main() {
  var whole = 1.0;
  var parts: vec3f;
  var table: array<f32, 4>;
  var passed: vec2f;
  let p = &passed;
  parts.y = whole;
  table[i32(parts.y)] = f(p);
}`);
  const made = module.functions[module.entryPoint];
  const uses = localUses(made).map((use, index) => [made.locals[index].name, use]);
  expect(Object.fromEntries(uses)).toEqual({
    whole: { escapes: false, dynamic: false, partial: false },
    parts: { escapes: false, dynamic: false, partial: true },
    table: { escapes: false, dynamic: true, partial: true },
    passed: { escapes: true, dynamic: false, partial: false },
  });
});
