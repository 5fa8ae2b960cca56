import { expect, test } from "vitest";
import { runText } from "../../test/support/engine.ts";

/** What stands in `out` after the statements; `note(x)` appends a value. */
function trace(statements: string, declarations = ""): number[] {
  const bench = runText(
    `@group(0) @binding(0) var<storage, read_write> out: array<i32, 16>;
     var<private> length: i32;
     fn note(value: i32) { out[length] = value; length++; }
     ${declarations}
     @compute @workgroup_size(1) fn main() { ${statements} }`,
  );
  const values = bench.i32("out");
  return values.slice(0, values.findLastIndex((value) => value !== 0) + 1);
}

test.each([
  ["if (length == 0) { note(1); } else { note(2); }", [1]],
  ["if (length == 1) { note(1); } else if (length == 0) { note(2); } else { note(3); }", [2]],
  ["if (length == 1) { note(1); } note(4);", [4]],
  ["for (var i = 1; i < 5; i++) { if (i == 2) { continue; } if (i == 4) { break; } note(i); }", [1, 3]],
  ["var i = 3; while (i > 0) { note(i); i--; }", [3, 2, 1]],
  ["var i = 1; loop { note(i); continuing { i *= 2; break if i > 8; } }", [1, 2, 4, 8]],
  ["var i = 1; loop { if (i > 3) { break; } if (i == 2) { continue; } note(i); continuing { i++; } }", [1, 3]],
  [
    "for (var i = 1; i < 3; i++) { for (var j = 1; j < 9; j++) { if (j == 2) { break; } note(10 * i + j); } }",
    [11, 21],
  ],
  ["switch (length) { case 0: { note(1); } default: { note(2); } }", [1]],
  ["switch (length + 7) { case 0, 1: { note(1); } default: { note(2); } }", [2]],
  ["switch (length + 1) { case 0, 1: { note(1); } case 2 { note(3); } default: {} } note(9);", [1, 9]],
  [
    "for (var i = -1; i < 2; i++) { switch (i) { case -1: { continue; } case 1: { break; } default: { note(5); } } note(6); }",
    [5, 6, 6],
  ],
  ["switch (u32(length) - 1u) { case 4294967295u: { note(1); } default: { note(2); } }", [1]],
  ["for (var i = 1; i < 3; i++) { var x: i32; x += i; note(x); }", [1, 2]],
  ["note(1); if (length == 1) { return; } note(2);", [1]],
  ["loop { loop { note(1); break; } note(2); break; }", [1, 2]],
  ["if (length == 0 && length == 1) { note(1); } if (length == 1 || length == 0) { note(2); }", [2]],
])("%s", (statements, expected) => {
  expect(trace(statements)).toEqual(expected);
});

test("a function called twice keeps the result of its first call", () => {
  expect(trace("note(twice(3) - twice(1));", "fn twice(x: i32) -> i32 { return 2 * x; }")).toEqual([4]);
});

test("a function returns out of loops and switches", () => {
  const find = `fn find(limit: i32) -> i32 {
    for (var i = 1; ; i++) { switch (i) { case 3: { if (limit == 3) { return 33; } } case 5: { return 55; } default: {} } }
    return 0;
  }`;
  expect(trace("note(find(3)); note(find(4));", find)).toEqual([33, 55]);
});

test("pointers to function and private memory, into arrays, through calls", () => {
  const declarations = `
    var<private> table: array<i32, 4>;
    fn put(p: ptr<function, i32>, value: i32) { *p = value; }
    fn add(p: ptr<private, array<i32, 4>>, index: i32) { (*p)[index] += 7; }
    fn both(p: ptr<function, array<i32, 3>>, i: u32) { let q = &(*p)[i]; put(q, 5); }
  `;
  const statements = `
    var numbers = array(1, 2, 3);
    both(&numbers, u32(length) + 1u);
    add(&table, length + 2);
    note(numbers[0]); note(numbers[1]); note(numbers[2]); note(table[2]); note(table[length - 1] + 9);
  `;
  expect(trace(statements, declarations)).toEqual([1, 5, 3, 7, 9]);
});

test("private variables start with their initial value in every invocation", () => {
  const bench = runText(
    `@group(0) @binding(0) var<storage, read_write> out: array<u32, 4>;
     var<private> own = array(5u, 6u);
     @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) {
       own[lane & 1] += lane;
       out[lane] = own[0] * 10 + own[1];
     }`,
  );
  expect(bench.u32("out")).toEqual([56, 57, 76, 59]);
});

test("a copy of a variable does not follow it", () => {
  expect(trace("var a = array(1, 2); let b = a; a[length] = 8; note(b[length]); note(a[length - 1]);")).toEqual([1, 8]);
});
