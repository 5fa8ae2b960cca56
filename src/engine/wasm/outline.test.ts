import { expect, test } from "vitest";
import { lowerText } from "../../../test/support/ir.ts";
import { compareEngines } from "../../../test/support/wasm.ts";
import { printModule } from "../../ir/print.ts";
import { verify } from "../../ir/verify.ts";
import { compileKernel } from "./compile.ts";
import { outlined } from "./outline.ts";

const HEAD = "@group(0) @binding(0) var<storage, read_write> a: array<u32>;";
const MAIN =
  "@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32, @builtin(num_workgroups) w: vec3u)";

/** How many functions the program has when it is divided; what comes of it is the same. */
function pieces(body: string, longest = 16): number {
  const source = `${HEAD} fn twice(x: u32) -> u32 { return x * 2u; } ${MAIN} { ${body} }`;
  const module = lowerText(source);
  const divided = outlined(module, longest);
  expect(verify(divided), printModule(divided)).toEqual([]);
  const buffers = { a: Array.from({ length: 8 }, (_, index) => index) };
  expect(compareEngines(source, buffers, { workgroups: [2, 1, 1] })).toEqual([]);
  return divided.functions.length - module.functions.length;
}

const LONG = "a[i] += a[i + 4u] * 3u + twice(i); a[i + 4u] ^= i;";

test.each([
  ["a branch", `let n = i & 1u; if n == 1u { ${LONG} a[i] += n; }`, 1],
  ["both", `if i == 1u { ${LONG} } else { ${LONG} }`, 2],
  ["clauses", `switch i { case 1u: { ${LONG} } case 2u, default: { ${LONG} } }`, 2],
  ["a branch in a branch, which is the rest of it", `if i > 1u { if i > 2u { ${LONG} } ${LONG} }`, 2],
  ["in a loop", `for (var k = 0u; k < 3u; k++) { if i > 1u { let m = k; ${LONG} } }`, 0],
  ["of a loop's counter the value", `for (var k = 0u; k < 3u; k++) { let m = k; if i > 1u { ${LONG} a[i] -= m; } }`, 1],
  [
    "a loop",
    `if i > 1u { for (var k = 0u; k < 3u; k++) { if k == i { continue; } ${LONG} if k == 2u { break; } } }`,
    1,
  ],
  ["a variable of its own", `if i > 1u { var s = i; s += 5u; a[i] = s; ${LONG} }`, 1],
  ["a pointer into shared memory", `let p = &a[i]; if i > 1u { *p += 1u; ${LONG} }`, 1],
])("what becomes a function: %s", (_, body, count) => {
  expect(pieces(body)).toBe(count);
});

test("short clauses of a switch become functions some at a time", () => {
  const clauses = Array.from({ length: 12 }, (_, k) => `case ${k}u: { if a[i] > 6u { break; } a[i] += ${k}u; }`);
  expect(pieces(`switch i { ${clauses.join(" ")} default: { a[7] = 1u; } }`, 120)).toBe(6);
});

const SHORT = Array.from({ length: 12 }, (_, k) => `if a[i] == ${k}u { a[i + 4u] += ${k}u; }`);

test.each([
  ["branches", SHORT.join(" "), 6],
  ["branches that need something of before", `let n = a[i] * 2u; ${SHORT.join(" a[i + 4u] ^= n; ")}`, 6],
  ["branches of a branch", `if i < 3u { ${SHORT.join(" ")} } a[i] += 1u;`, 6],
  [
    "in a loop, whose end needs something else",
    `loop { let n = i; ${SHORT.join(" ")} continuing { break if n < 9u; } }`,
    6,
  ],
  [
    "in a loop, at whose end another is left by it",
    `loop { let n = i < 9u; ${SHORT.join(" ")} continuing { loop { a[i] += 1u; continuing { break if n; } } break if i < 9u; } }`,
    6,
  ],
  ["loops", SHORT.map((text) => `for (var k = 0u; k < 2u; k++) { ${text} }`).join(" "), 6],
  ["what the statements after them need", `let m = a[i]; let n = m + 1u; ${SHORT.join(" ")} a[i] += n;`, 6],
  ["some that leave", `${SHORT.join(" ")} if a[i] == 77u { return; } ${SHORT.join(" ")}`, 11],
  ["some that change a variable", `var s = 0u; ${SHORT.join(" ")} if i == 1u { s += 2u; } a[i] += s;`, 5],
])("statements become functions some at a time: %s", (_, body, count) => {
  expect(pieces(body, 120)).toBe(count);
});

test.each([
  ["what returns", `if i > 1u { ${LONG} return; } a[i] = 1u;`],
  ["what leaves a loop", `loop { if a[i] > 9u { ${LONG} break; } a[i] += 1u; if a[i] == 5u { ${LONG} continue; } }`],
  ["what changes a variable", `var s = i; if i > 1u { ${LONG} s += 1u; } a[i] = s;`],
  ["what meets", `if w.x > 1u { ${LONG} workgroupBarrier(); }`],
])("what does not: %s", (_, body) => {
  expect(pieces(body)).toBe(0);
});

test("functions that come behind a divided one are called as before", () => {
  const source = `${HEAD}
fn first(i: u32) { if i > 1u { ${LONG.replace("twice(i)", "i")} } }
fn second(i: u32) -> u32 { first(i); return a[i] + 1u; }
fn third(i: u32) -> u32 { if i > 2u { a[i] += second(i); a[i + 4u] += second(i) * 5u; a[i] ^= i * 7u + a[i + 4u]; } return 3u; }
${MAIN} { a[i] += third(i) * second(i); }`;
  const module = lowerText(source);
  const divided = outlined(module, 16);
  expect(verify(divided), printModule(divided)).toEqual([]);
  expect(divided.functions.length).toBe(module.functions.length + 2);
  expect(compareEngines(source, { a: [0, 1, 2, 3, 4, 5, 6, 7] })).toEqual([]);
});

test("a long kernel is divided, a short one stays as it is", () => {
  const source = `${HEAD} ${MAIN} { ${Array.from({ length: 40 }, (_, k) => `if i == ${k}u { ${"a[i] += 1u;".repeat(100)} }`).join("\n")} }`;
  const module = lowerText(source);
  expect(module.functions[0].instructionCount).toBeGreaterThan(2 ** 14);
  expect(outlined(module, 2 ** 12).functions.length).toBe(41);
  expect(outlined(module, 2 ** 20)).toBe(module);
  expect(WebAssembly.validate(compileKernel(module, { sharedMemory: false }).bytes)).toBe(true);
});
