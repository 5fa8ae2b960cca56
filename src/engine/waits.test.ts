import { describe, expect, test } from "vitest";
import { lowerText } from "../../test/support/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import { pollsWorkgroup, waitAt } from "./waits.ts";

const DECLARATIONS = `
struct Lock { state: atomic<u32>, ticket: atomic<u32>, owner: u32 }
@group(0) @binding(0) var<storage, read_write> lock: Lock;
@group(0) @binding(1) var<storage, read_write> data: array<u32>;
@group(0) @binding(2) var<storage> input: array<u32>;
@group(0) @binding(3) var<storage, read_write> child: array<atomic<u32>>;
var<workgroup> flag: atomic<u32>;
var<workgroup> tile: array<u32, 64>;
fn taken() -> bool { return atomicExchange(&lock.state, 1u) == 0u; }
fn next() -> u32 { return atomicAdd(&lock.ticket, 1u); }
var<workgroup> seen: u32;
fn allArrived(id: u32) -> bool {
  if (id == 0u) { seen = atomicLoad(&lock.ticket); }
  return workgroupUniformLoad(&seen) >= 4u;
}
fn permitted() -> bool {
  let had = atomicSub(&lock.ticket, 1u);
  if (had == 0u) { atomicAdd(&lock.ticket, 1u); }
  return had > 0u;
}
fn look(p: ptr<function, u32>) { *p = atomicLoad(&flag); }
fn half(n: u32) -> u32 { return n / 2u; }
fn lookTwice(p: ptr<function, u32>) { *p = atomicLoad(&flag) + half(1u); }
fn above(p: ptr<function, u32>) -> bool { return *p > 10u; }
fn advance(p: ptr<function, u32>) -> bool { *p += 1u; return *p > 10u; }
`;

/** Names of the variables that the outermost loop of the statements waits for. */
function waits(statements: string): readonly string[] {
  const entry = `@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) id: u32) { ${statements} }`;
  const module = lowerText(`${DECLARATIONS}\n${entry}`);
  const loops: number[] = [];
  const fn = module.functions[module.entryPoint];
  eachInstruction(fn.body, (inst) => {
    if (inst.kind === "loop") loops.push(inst.id);
  });
  const wait = waitAt(module, { function: fn.id, instruction: loops[0], span: fn.span });
  return (wait?.roots ?? []).map((root) => module.roots[root].name);
}

describe("waits for others", () => {
  test.each([
    ["while (atomicLoad(&flag) == 0u) {}", ["flag"]],
    ["loop { if (atomicLoad(&lock.state) == id) { break; } }", ["lock"]],
    ["loop { if (atomicCompareExchangeWeak(&lock.state, 0u, 1u).exchanged) { break; } }", ["lock"]],
    ["loop { if (atomicExchange(&lock.state, 1u) == 0u) { break; } }", ["lock"]],
    ["while (atomicAdd(&flag, 0u) == 0u) {}", ["flag"]],
    ["while (tile[id] == 0u) {}", ["tile"]],
    ["while (!taken()) {}", ["lock"]],
    ["while (taken() && id > 3u) {}", ["lock"]],
    ["let p = &tile[id]; loop { if (*p != 0u) { return; } }", ["tile"]],
    [
      "var done = false; while (!done) { if (atomicExchange(&lock.state, 1u) == 0u) { lock.owner = id; atomicStore(&lock.state, 0u); done = true; } }",
      ["lock"],
    ],
    ["var seen = 0u; loop { seen = atomicLoad(&flag); if (seen >= id) { break; } }", ["flag"]],
    ["loop { continuing { break if atomicLoad(&flag) == 64u; } }", ["flag"]],
    [
      "loop { if (id == 0u) { seen = atomicLoad(&lock.state); } if (workgroupUniformLoad(&seen) >= 4u) { break; } }",
      ["lock"],
    ],
    [
      "loop { if (id == 0u) { seen = atomicExchange(&lock.state, 1u); } if (workgroupUniformLoad(&seen) == 0u) { break; } }",
      ["lock"],
    ],
    ["while (!allArrived(id)) {}", ["lock"]],
    ["loop { if (atomicSub(&lock.state, 1u) > 0u) { break; } atomicAdd(&lock.state, 1u); }", ["lock"]],
    ["while (!permitted()) {}", ["lock"]],
    ["var n = 0u; while (n == 0u) { look(&n); }", ["flag"]],
    ["var n: vec2u; while (n.y == 0u) { n.x += 1u; n.y = atomicLoad(&flag); }", ["flag"]],
    ["var n: array<vec2u, 2>; while (n[1].x == 0u) { n[0].x += 1u; n[1] = vec2u(atomicLoad(&flag)); }", ["flag"]],
    ["var n = 0u; while (n == 0u) { lookTwice(&n); }", ["flag"]],
    ["var n = 7u; while (!above(&n) || atomicLoad(&flag) == 0u) {}", ["flag"]],
    ["var n = 7u; loop { n = atomicLoad(&flag); if (above(&n)) { break; } }", ["flag"]],
    [
      "loop { if (id == 0u) { seen = atomicSub(&lock.ticket, 1u); if (seen == 0u) { atomicAdd(&lock.ticket, 1u); } } if (workgroupUniformLoad(&seen) > 0u) { break; } }",
      ["lock"],
    ],
    ["loop { if (atomicLoad(&flag) == 0u) { continue; } break; }", ["flag"]],
    [
      `loop { ${Array.from({ length: 60 }, (_, i) => `if (input[${i}] == id) { continue; }`).join(" ")} if (atomicLoad(&flag) == 0u) { continue; } break; }`,
      ["flag"],
    ],
    ["loop { switch atomicLoad(&flag) { case 0u: { continue; } default: {} } tile[id] = 1u; break; }", ["flag"]],
    ["var n = 0u; while (n < 8u) { let c = atomicLoad(&child[id]); if (c == 9u) { continue; } n++; }", ["child"]],
    [
      "var at = 0u; loop { let c = atomicLoad(&child[at * 2u + (id & 1u)]); if (c == 9u) { continue; } if (c > 9u) { break; } at = c; }",
      ["child"],
    ],
    ["loop { switch atomicLoad(&flag) { case 1u: { return; } default: {} } }", ["flag"]],
    [
      "loop { var n = 0u; for (var i = 0u; i < 9u; i++) { n += atomicLoad(&child[i]); } if (n == 9u) { break; } }",
      ["child"],
    ],
    [
      "var ok = false; while (!ok) { ok = true; for (var i = 0u; i < 9u; i++) { ok &= atomicLoad(&child[i]) != 0u; } }",
      ["child"],
    ],
  ])("%s", (statements, names) => {
    expect(waits(statements)).toEqual(names);
  });
});

describe("is merely long, or has no way out", () => {
  test.each([
    "for (var i = 0u; i < 1000u; i++) { data[i] = i; }",
    "while (id != 99u) { data[0] += 1u; }",
    "var i = 0u; loop { i++; if (i > 1000u || atomicLoad(&flag) == 1u) { break; } }",
    "var i = 0u; while (input[i] != 0u) { i = input[i]; }",
    "var i = 0u; while (data[i] != 0u) { i++; }",
    "while (data[id] < 10u) { data[id] += 1u; }",
    "while (next() < 100u) {}",
    "loop { if (atomicAdd(&flag, 1u) > 10u) { break; } }",
    "var n = 0u; loop { if (advance(&n)) { break; } }",
    "var n: vec2u; loop { n[id & 1u] += 1u; if (n.y + atomicLoad(&flag) > 9u) { break; } }",
    "var n: vec2u; loop { n += 1u; if (n.y + atomicLoad(&flag) > 9u) { break; } }",
    "var n: vec2u; loop { n.y = n.x; n.x = n.y + 1u; if (n.y + atomicLoad(&flag) > 9u) { break; } }",
    "var n: array<vec2u, 2>; loop { n[0] = n[1] + 1u; n[1].y = n[0].x; n[1].x = n[0].y; if (n[1].x + atomicLoad(&flag) > 9u) { break; } }",
    "var n = 0u; loop { if (advance(&n) || atomicLoad(&flag) == 1u) { break; } }",
    "var n = 0u; loop { n++; if (above(&n) || atomicLoad(&flag) == 1u) { break; } }",
    "loop { if (id == 0u) { seen = next(); } if (workgroupUniformLoad(&seen) >= 99u) { break; } }",
    "loop { if (id == 0u) { seen = atomicLoad(&flag); } if (workgroupUniformLoad(&seen) == 0u) { break; } atomicOr(&flag, id); }",
    "loop { atomicMax(&lock.ticket, data[id]); storageBarrier(); if (id == 0u) { seen = atomicLoad(&lock.ticket); } if (workgroupUniformLoad(&seen) > 9u) { break; } }",
    "var i = 0u; loop { if (id == 0u) { seen = data[i]; } if (workgroupUniformLoad(&seen) == 0u) { break; } i++; }",
    "var at = id; loop { let c = atomicLoad(&child[at]); if (c == id) { break; } at = (at + 1u) % 64u; }",
    "var at = id; loop { if (atomicCompareExchangeWeak(&child[at], 0u, id).exchanged) { break; } at = (at * 5u + 1u) % 64u; }",
    "loop { for (var i = 0u; i < 4u; i++) { if (atomicLoad(&flag) == i) { continue; } data[id] += 1u; } break; }",
    "var n = 0u; loop { var k = 0u; k = n + 1u; n = k; if (n + atomicLoad(&flag) > 9u) { break; } }",
    "var n = 0u; loop { for (; n % 8u != 7u;) { n = 2u * n + 1u; } n += 1u; if (n + atomicLoad(&flag) > 99u) { break; } }",
    "var n = 0u; loop { var k = n; k += 1u; n = k; if (n + atomicLoad(&flag) > 9u) { break; } }",
    "var n = 0u; loop { var k: u32; if (id > 3u) { k = n; } k += 1u; n = k; if (n + atomicLoad(&flag) > 9u) { break; } }",
    "var n = 0u; loop { var k = n; var l = k + 1u; l += 2u; n = l; if (n + atomicLoad(&flag) > 9u) { break; } }",
    "var n: vec2u; loop { n.x = 0u; n += 1u; if (n.y + atomicLoad(&flag) > 99u) { break; } }",
    "var n = 0u; loop { if (id > 3u) { n = 0u; } n += 1u; if (n + atomicLoad(&flag) > 99u) { break; } }",
    "var a = 1.0; loop { a = sqrt(a); if (a < 0.5) { break; } }",
    "var a = 7u; while (a != 1u) { a = select(a / 2u, 3u * a + 1u, a % 2u == 1u); }",
  ])("%s", (statements) => {
    expect(waits(statements)).toEqual([]);
  });
});

/** Ways through the variables are as many as 2 to the power of their number. */
test("follows many variables that are made of each other", () => {
  const numbers = Array.from({ length: 40 }, (_, i) => i);
  const of = (index: number) => `v${index % numbers.length}`;
  const make = (value: (a: string, b: string) => string): string => {
    const variables = numbers.map((i) => `var ${of(i)} = id;`).join(" ");
    const round = numbers.map((i) => `${of(i)} = ${value(of(i + 1), of(i + 3))};`).join(" ");
    return `${variables} loop { ${round} if (v0 + atomicLoad(&flag) > 9u) { break; } }`;
  };
  expect(waits(make((a, b) => `${a} * ${b}`))).toEqual([]);
  expect(waits(make((a, b) => `select(${a}, ${b}, id > 2u)`))).toEqual([]);
  const all = numbers.map((i) => `v[${(i * 7 + 1) % 40}]`).join();
  const whole = `var v: array<u32, 40>; loop { v = array<u32, 40>(${all}); if (v[0] + atomicLoad(&flag) > 9u) { break; } }`;
  expect(waits(whole)).toEqual([]);
});

function polls(statements: string): boolean {
  const entry = `@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) id: u32) { ${statements} }`;
  return pollsWorkgroup(lowerText(`${DECLARATIONS}\n${entry}`));
}

describe("polls workgroup memory", () => {
  test.each([
    "while (atomicLoad(&flag) == 0u) {}",
    "loop { let seen = atomicLoad(&flag); if (seen >= id) { break; } }",
    "var spun = 0u; while (atomicLoad(&flag) < id && spun < 1000u) { spun++; }",
    "var i = 0u; loop { i++; if (i > 1000u || atomicLoad(&flag) == 1u) { break; } }",
    "for (var i = 0u; i < 4u; i++) { while (atomicLoad(&flag) < i) {} atomicAdd(&flag, 1u); }",
  ])("%s", (statements) => {
    expect(polls(statements)).toBe(true);
  });

  test.each([
    "for (var i = 0u; i < atomicLoad(&flag); i++) { data[i] = i; }",
    "for (var i = 0u; i < 64u; i++) { data[0] += atomicLoad(&flag); }",
    "while (atomicLoad(&flag) < 10u) { atomicAdd(&flag, 1u); }",
    "loop { if (atomicCompareExchangeWeak(&flag, 0u, 1u).exchanged) { break; } }",
    "loop { if (atomicLoad(&lock.state) == id) { break; } }",
    "loop { let old = atomicLoad(&flag); if (atomicCompareExchangeWeak(&flag, old, old + 1u).exchanged) { break; } }",
  ])("not: %s", (statements) => {
    expect(polls(statements)).toBe(false);
  });
});
