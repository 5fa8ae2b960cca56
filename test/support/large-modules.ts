/** Modules as large as one likes, each of many parts of one kind. */

const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join("");
const compute = "@compute @workgroup_size(64)";
const lane = "@builtin(local_invocation_index) lane: u32";

/** Modules of so many parts of a kind; `!` stands before those that are wrong. */
export const MODULES: Readonly<Record<string, (count: number) => string>> = {
  statements: (n) => `fn f() { var x = 0; ${times(n, (i) => `x = x + ${i}; `)} }`,
  "values one from the other": (n) => `fn f() { let a0 = 1; ${times(n, (i) => `let a${i + 1} = a${i} + 1; `)} }`,
  "constants one from the other": (n) => `const c0 = 1; ${times(n, (i) => `const c${i + 1} = c${i} ^ 1; `)}`,
  "constants in reverse order": (n) => `${times(n, (i) => `const c${i} = c${i + 1} ^ 1; `)} const c${n} = 1;`,
  "overrides one from the other": (n) =>
    `override o0 = 1; ${times(n, (i) => `override o${i + 1} = o${i} + 1; `)} ${compute} fn f() { _ = o${n}; }`,
  "aliases of aliases": (n) => `alias T0 = f32; ${times(n, (i) => `alias T${i + 1} = T${i}; `)}`,
  "structures and variables": (n) => times(n, (i) => `struct S${i} { a: f32, b: vec4f } var<private> v${i}: S${i}; `),
  "members of one structure": (n) =>
    `struct S { ${times(900, (i) => `m${i}: f32, `)} } var<private> s: S; fn f() { ${times(n, (i) => `s.m${i % 900} = 1; `)} }`,
  "buffers of one entry point": (n) =>
    `${times(n, (i) => `@group(0) @binding(${i}) var<storage, read_write> b${i}: u32; `)} ${compute} fn f() { ${times(n, (i) => `b${i} = 1; `)} }`,
  "a chain of functions": (n) =>
    `fn f0() {} ${times(n, (i) => `fn f${i + 1}() { f${i}(); } `)} ${compute} fn f() { f${n}(); }`,
  "entry points all along a chain of functions": (n) =>
    `var<private> x: u32; fn f0() { x = 1; } ${times(n, (i) => `fn f${i + 1}() { x++; f${i}(); } `)} ${times(n, (i) => `${compute} fn e${i}() { f${i}(); } `)}`,
  "a chain of functions, each with a variable": (n) =>
    `fn f0() {} ${times(n, (i) => `var<private> v${i}: u32; fn f${i + 1}() { v${i} = 1; f${i}(); } `)} ${compute} fn f() { f${n}(); }`,
  "entry points of two stages along a chain": (n) =>
    `fn f0() {} ${times(n, (i) => `fn f${i + 1}() { f${i}(); } `)} fn d() { discard; } @fragment fn p() { d(); } ${times(n, (i) => `${compute} fn e${i}() { f${i}(); } `)}`,
  "entry points": (n) => `var<workgroup> w: u32; ${times(n, (i) => `${compute} fn e${i}() { w = ${i}; } `)}`,
  "calls with pointers": (n) =>
    `fn g(p: ptr<function, u32>) { *p = 1; } fn f() { var x: u32; ${times(n, () => "g(&x); ")} }`,
  "barriers behind branches": (n) =>
    `var<workgroup> w: u32; ${compute} fn f() { ${times(n, (i) => `if (workgroupUniformLoad(&w) > ${i}) { workgroupBarrier(); } `)} }`,
  "loops before a barrier": (n) =>
    `${compute} fn f() { var x = 0; ${times(n, () => "for (var i = 0; i < 4; i++) { x += i; if (x > 4) { break; } } ")} workgroupBarrier(); }`,
  "variables, branches and jumps before a barrier": (n) =>
    `var<workgroup> w: u32; ${compute} fn f() { let y = workgroupUniformLoad(&w); ${times(n, (i) => `var x${i} = y; `)}
     loop { ${times(n, (i) => `if y == x${n - 1 - i} { if y == ${i} { continue; } break; } x${i}++; `)} }
     ${times(n, (i) => `if y == ${i} { x${i} = 1; } else if y == ${i + 9} { x${(i * 7) % n} = 2; } `)} workgroupBarrier(); }`,
  "! entry points that all reach what their stage does not have": (n) =>
    `fn f0() { discard; } ${times(n, (i) => `fn f${i + 1}() { discard; f${i}(); } `)} ${times(n, (i) => `${compute} fn e${i}() { f${i}(); } `)}`,
  "! barriers that not all reach": (n) =>
    `${compute} fn f(${lane}) { ${times(n, (i) => `if (lane > ${i}) { workgroupBarrier(); } `)} }`,
  "! names that are not known": (n) => `fn f() { var value = 1; ${times(n, () => "value = valve; ")} }`,
  "! types that differ": (n) => `fn f() { var value = 1; ${times(n, () => "value = 1.5f; ")} }`,
  "! clauses between declarations": (n) =>
    `@compute @workgroup_${times(n, () => "if a { } else ")}${times(n, () => "{ }")}`,
  "! bodies between declarations": (n) => `fn f() { } } ${times(n, () => "a; { } ")}`,
  "! unclosed calls": (n) => `fn f() { ${times(n, () => "f(a; ")} }`,
  "! attributes in brackets": (n) => `${times(n, () => "[[block(0)]] @align(4) ")} fn f() { }`,
  "! declarations without names": (n) => times(n, (i) => `const = ${i}; fn (a: u32) { } `),
};
