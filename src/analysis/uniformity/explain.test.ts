/** What a uniformity failure is told as: from the operation to the source, and the ways out. */
import { expect, test } from "vitest";
import { applyEdits } from "../../text/edit.ts";
import { Source } from "../../text/source.ts";
import { analyze } from "../analyze.ts";
import { targetOf } from "../options.ts";
import { uniformityDot } from "./dump.ts";

/** The text that each message points at, with its notes. */
function told(text: string): readonly string[] {
  const source = new Source(text);
  return analyze(source).diagnostics.flatMap(({ code, span, notes }) => [
    `${code}: ${source.slice(span)}`,
    ...notes.map((part) => `  ${part.code}: ${source.slice(part.span)}`),
  ]);
}

const MODULE = `@group(0) @binding(0) var<storage, read_write> rw: array<u32>;
@group(0) @binding(1) var<storage, read_write> written: u32;
var<workgroup> wg: array<u32, 4>; var<workgroup> flag: u32; var<private> own: u32;
`;
const MAIN =
  "@compute @workgroup_size(16) fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u)";

/** Of a barrier. */
test.each([
  [
    "if lane < 2 { workgroupBarrier(); }",
    ["under-condition: lane < 2", "source-builtin-value: lane", "guard-the-work: workgroupBarrier"],
  ],
  [
    "if lane < 2 {} else { workgroupBarrier(); }",
    ["under-condition: lane < 2", "source-builtin-value: lane", "guard-the-work: workgroupBarrier"],
  ],
  [
    "if lane < 2 { return; } workgroupBarrier();",
    ["leaves-here: return", "source-builtin-value: lane", "no-early-exit: workgroupBarrier"],
  ],
  [
    "if group.x == 1 { if lane < 2 { return; } } workgroupBarrier();",
    ["leaves-here: return", "source-builtin-value: lane", "no-early-exit: workgroupBarrier"],
  ],
  [
    "switch lane { case 1: { workgroupBarrier(); } default: {} }",
    ["under-selector: lane", "source-builtin-value: lane", "guard-the-work: workgroupBarrier"],
  ],
  [
    "for (var i = 0u; i < lane; i++) { workgroupBarrier(); }",
    ["loop-count: i < lane", "source-builtin-value: lane", "same-count: workgroupBarrier"],
  ],
  [
    "loop { workgroupBarrier(); if lane < 2 { break; } }",
    ["leaves-here: break", "source-builtin-value: lane", "same-count: workgroupBarrier"],
  ],
  [
    "loop { workgroupBarrier(); continuing { break if lane < 2; } }",
    ["loop-count: lane < 2", "source-builtin-value: lane", "same-count: workgroupBarrier"],
  ],
  [
    "if lane < 2 { return; } for (var s = 8u; s > 0; s /= 2) { workgroupBarrier(); }",
    ["leaves-here: return", "source-builtin-value: lane", "no-early-exit: workgroupBarrier"],
  ],
  [
    "if lane < 2 { return; } var s = 8u; loop { if s == 0 { break; } workgroupBarrier(); s /= 2; }",
    ["leaves-here: return", "source-builtin-value: lane", "no-early-exit: workgroupBarrier"],
  ],
  [
    "if lane < 2 { return; } if group.x == 1 { workgroupBarrier(); }",
    ["leaves-here: return", "source-builtin-value: lane", "no-early-exit: workgroupBarrier"],
  ],
  [
    "if lane < 2 { return; } switch group.x { case 1: { workgroupBarrier(); } default: {} }",
    ["leaves-here: return", "source-builtin-value: lane", "no-early-exit: workgroupBarrier"],
  ],
  [
    "var s = 1u; if lane < 2 { return; } loop { if group.x == 1 { s *= 2; } for (; s < 8; ) { workgroupBarrier(); s++; } if s > 99 { break; } }",
    ["leaves-here: return", "source-builtin-value: lane", "no-early-exit: workgroupBarrier"],
  ],
  [
    "if lane < 2 { return; } var s = 8u; while s > 0 { for (var i = s; i > 0; i--) { workgroupBarrier(); } s /= 2; }",
    ["leaves-here: return", "source-builtin-value: lane", "no-early-exit: workgroupBarrier"],
  ],
  [
    "let c = lane < 2; if c { return; } if c { workgroupBarrier(); }",
    ["under-condition: c", "source-builtin-value: lane", "guard-the-work: workgroupBarrier"],
  ],
  [
    "if lane < 2 { while group.x == 1 { workgroupBarrier(); } }",
    ["under-condition: lane < 2", "source-builtin-value: lane", "guard-the-work: workgroupBarrier"],
  ],
  [
    "if lane < 2 { repeat(group.x); }",
    ["under-condition: lane < 2", "source-builtin-value: lane", "guard-the-work: workgroupBarrier"],
  ],
  [
    "repeat(lane);",
    ["loop-count: i < n", "argument-differs: lane", "source-builtin-value: lane", "same-count: workgroupBarrier"],
  ],
  [
    "for (var i = 0u; i < 4; i++) { workgroupBarrier(); if lane < i { break; } }",
    ["leaves-here: break", "source-builtin-value: lane", "same-count: workgroupBarrier"],
  ],
  [
    "for (var i = 0u; i < 4; i++) { workgroupBarrier(); if lane < i { return; } }",
    ["leaves-here: return", "source-builtin-value: lane", "no-early-exit: workgroupBarrier"],
  ],
  [
    "for (var i = 0u; i < 4; i++) { if lane < i { continue; } workgroupBarrier(); }",
    ["leaves-here: continue", "source-builtin-value: lane", "same-count: workgroupBarrier"],
  ],
  [
    "var x = 1u; if lane == 2 { if group.x == 1 { x = 3; } } if x == 1 { workgroupBarrier(); }",
    [
      "under-condition: x == 1",
      "assigned-here: x",
      "depends-on-condition: lane == 2",
      "source-builtin-value: lane",
      "guard-the-work: workgroupBarrier",
    ],
  ],
  [
    "if lane < 2 && does() {}",
    ["left-side-decides: lane < 2", "source-builtin-value: lane", "guard-the-work: workgroupBarrier"],
  ],
  [
    "var x = 1u; x = lane; if x == 1 { workgroupBarrier(); }",
    ["under-condition: x == 1", "assigned-here: x", "source-builtin-value: lane", "guard-the-work: workgroupBarrier"],
  ],
  [
    "var x = 1u; if lane == 2 { x = 3; } if x == 1 { workgroupBarrier(); }",
    [
      "under-condition: x == 1",
      "assigned-here: x",
      "depends-on-condition: lane == 2",
      "source-builtin-value: lane",
      "guard-the-work: workgroupBarrier",
    ],
  ],
  [
    "if rw[0] == 1 { workgroupBarrier(); }",
    ["under-condition: rw[0] == 1", "source-storage: rw[0]", "declare-read: rw", "guard-the-work: workgroupBarrier"],
  ],
  [
    "if written == 1 { workgroupBarrier(); } written = 2;",
    [
      "under-condition: written == 1",
      "source-storage: written",
      "share-through-workgroup: written",
      "guard-the-work: workgroupBarrier",
    ],
  ],
  [
    "if flag == 1 { workgroupBarrier(); }",
    [
      "under-condition: flag == 1",
      "source-workgroup: flag",
      "use-uniform-load: flag",
      "guard-the-work: workgroupBarrier",
    ],
  ],
  [
    "if wg[lane] == 1 { workgroupBarrier(); }",
    ["under-condition: wg[lane] == 1", "source-builtin-value: lane", "guard-the-work: workgroupBarrier"],
  ],
  [
    "if own == 1 { workgroupBarrier(); }",
    ["under-condition: own == 1", "source-private: own", "pass-instead: own", "guard-the-work: workgroupBarrier"],
  ],
  [
    "if atomicAdd(&count, 1) == 1 { workgroupBarrier(); }",
    [
      "under-condition: atomicAdd(&count, 1) == 1",
      "source-call: atomicAdd",
      "do-once: atomicAdd(&count, 1)",
      "guard-the-work: workgroupBarrier",
    ],
  ],
  [
    "if atomicLoad(&count) == 1 { workgroupBarrier(); }",
    [
      "under-condition: atomicLoad(&count) == 1",
      "source-call: atomicLoad",
      "use-uniform-load: atomicLoad(&count)",
      "guard-the-work: workgroupBarrier",
    ],
  ],
  [
    "if load(&flag) == 1 { workgroupBarrier(); }",
    [
      "under-condition: load(&flag) == 1",
      "returned-by-call: load",
      "source-pointer: *p",
      "guard-the-work: workgroupBarrier",
    ],
  ],
  [
    "var x = 1u; spoil(&x); if x == 1 { workgroupBarrier(); }",
    [
      "under-condition: x == 1",
      "left-by-call: spoil",
      "assigned-here: *p",
      "source-private: own",
      "pass-instead: own",
      "guard-the-work: workgroupBarrier",
    ],
  ],
  [
    "if lane == 1 { workgroupBarrier(); storageBarrier(); }",
    [
      "under-condition: lane == 1",
      "source-builtin-value: lane",
      "guard-the-work: workgroupBarrier",
      "affects-too: storageBarrier",
    ],
  ],
])("%s", (body, notes) => {
  const helpers = `var<workgroup> count: atomic<u32>; fn does() -> bool { workgroupBarrier(); return true; }
fn load(p: ptr<workgroup, u32>) -> u32 { return *p; } fn spoil(p: ptr<function, u32>) { *p = own; }
fn repeat(n: u32) { for (var i = 0u; i < n; i++) { workgroupBarrier(); } }`;
  const [first, ...rest] = told(`${MODULE}${helpers}${MAIN} { ${body} }`);
  expect(first).toBe("barrier-uniformity: workgroupBarrier");
  expect(rest.filter((line) => !line.includes("called-here"))).toEqual(notes.map((line) => `  ${line}`));
});

test("through functions, outwards to the call and inwards to the source", () => {
  const text = `${MODULE}
    fn third(c: bool) { if c { workgroupBarrier(); } }
    fn second(x: u32) { third(x == 1); }
    fn first() -> u32 { return rw[1]; }
    ${MAIN} { second(first()); }`;
  expect(told(text)).toEqual([
    "barrier-uniformity: workgroupBarrier",
    "  under-condition: c",
    "  called-here: third",
    "  argument-differs: x == 1",
    "  called-here: second",
    "  argument-differs: first()",
    "  returned-by-call: first",
    "  source-storage: rw[1]",
    "  declare-read: rw",
    "  guard-the-work: workgroupBarrier",
  ]);
});

test("one barrier that two callers endanger is reported once", () => {
  const text = `fn sync() { workgroupBarrier(); } ${MAIN} { if lane == 1 { sync(); } if lane == 2 { sync(); } }`;
  expect(told(text).filter((line) => line.startsWith("barrier"))).toEqual(["barrier-uniformity: workgroupBarrier"]);
});

test("parts of one parameter", () => {
  const text = `struct In { @builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32 }
    @compute @workgroup_size(16) fn main(in: In) { if in.group.x == 1 { workgroupBarrier(); } }`;
  const [{ notes }] = analyze(new Source(text)).diagnostics;
  expect(notes.map((part) => part.message)).toEqual([
    "whether an invocation gets there depends on this",
    "‘in’ also has ‘local_invocation_index’, which differs between invocations; members of one parameter are not told apart",
    "take ‘workgroup_id’ as a parameter of its own, which counts as uniform",
    "let all invocations reach ‘workgroupBarrier’: put the condition around the work, not around the call",
  ]);
});

test("textures are told of the function that takes the level", () => {
  const text = `@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler;
    @fragment fn main(@location(0) at: vec2f) { if at.x > 0 { _ = textureSample(t, s, at); } }`;
  expect(told(text)).toEqual([
    "derivative-uniformity: textureSample",
    "  under-condition: at.x > 0",
    "  source-input: at",
    "  hoist-call: textureSample",
    "  explicit-level: textureSample",
    "  filter-rule: textureSample",
  ]);
});

/** Applied, the edits make the text legal. */
test.each([
  ["if flag == 1 { workgroupBarrier(); }", "if workgroupUniformLoad(&flag) == 1 { workgroupBarrier(); }"],
  ["while wg[2] == 1 { workgroupBarrier(); }", "while workgroupUniformLoad(&wg[2]) == 1 { workgroupBarrier(); }"],
])("%s", (before, after) => {
  const text = `${MODULE}${MAIN} { ${before} }`;
  const [first] = analyze(new Source(text)).diagnostics;
  const mended = applyEdits(text, first.fixes[0].edits);
  expect(mended).toBe(`${MODULE}${MAIN} { ${after} }`);
  expect(analyze(new Source(mended)).diagnostics).toEqual([]);
});

test("a buffer that is never written can be declared so", () => {
  const text = `${MODULE}${MAIN} { if rw[0] == 1 { workgroupBarrier(); } }`;
  const [first] = analyze(new Source(text)).diagnostics;
  const mended = applyEdits(text, first.fixes[0].edits);
  expect(mended).toBe(text.replace("read_write> rw", "read> rw"));
  expect(analyze(new Source(mended)).diagnostics).toEqual([]);
});

test("no uniform load is offered where not all get to it", () => {
  const text = `${MODULE}${MAIN} { if lane == 1 { if flag == 1 { own = 1; } } if lane == 2 { _ = workgroupUniformLoad(&flag); } var x = 1u; if lane == 1 { x = flag; } if x == 1 { workgroupBarrier(); } }`;
  expect(analyze(new Source(text)).diagnostics.flatMap(({ fixes }) => fixes)).toEqual([]);
});

test("graphs as DOT", () => {
  const text = `${MAIN} { if lane == 1 { workgroupBarrier(); } }`;
  const program = analyze(new Source(text));
  const dot = uniformityDot(program, targetOf({}))!;
  expect(dot).toMatch(/^digraph uniformity \{\n/);
  expect(dot).toContain(`label="main"`);
  const node = /n(\d+) \[label="control\\n1: if lane == 1/.exec(dot)![1];
  const source = /n(\d+) \[label="source\\n1: lane"/.exec(dot)![1];
  expect(dot).toContain(`n${node} -> n${source};`);
  expect(dot).toContain(`n${source} -> n0;`);
  expect(dot).toMatch(new RegExp(`RequiredToBeUniform.error\\\\nworkgroupBarrier.*;\\n {2}r\\w+ -> n${node};`));
});
