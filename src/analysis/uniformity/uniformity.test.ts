/** Conditions × operations × statements, each with what makes it fail; further below what values and calls do. */
import { describe, expect, test } from "vitest";
import { Source } from "../../text/source.ts";
import { type AnalyzeOptions, analyze } from "../analyze.ts";

function codes(text: string, options?: AnalyzeOptions): string {
  return analyze(new Source(text), options)
    .diagnostics.map((item) => `${item.severity} ${item.code}`)
    .join(", ");
}

const MODULE = `enable subgroups;
@group(0) @binding(0) var<storage, read_write> rw: array<i32>;
@group(0) @binding(1) var<storage, read> ro: array<i32>;
@group(0) @binding(2) var<uniform> un: vec4i;
@group(0) @binding(3) var texels: texture_storage_2d<r32sint, read_write>;
var<workgroup> wg: array<i32, 4>;
var<workgroup> count: atomic<i32>;
var<private> own: i32;
override switched: bool = true;
const N = 3;
struct Mixed { @builtin(num_workgroups) groups: vec3u, @builtin(global_invocation_id) id: vec3u }
`;

const MAIN = `@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u,
  @builtin(subgroup_size) size: u32, @builtin(subgroup_id) subgroup: u32, mixed: Mixed) `;

type Uniform = "workgroup" | "subgroup" | "never";

/** spec: #uniformity-expressions */
const CONDITIONS: readonly (readonly [string, Uniform])[] = [
  ["true", "workgroup"],
  ["switched", "workgroup"],
  ["N == 3", "workgroup"],
  ["un.x == 1", "workgroup"],
  ["ro[un.x] == 1", "workgroup"],
  ["arrayLength(&rw) > 3", "workgroup"],
  ["group.x == 1", "workgroup"],
  ["size == 32", "workgroup"],
  ["workgroupUniformLoad(&wg[un.x & 3]) == 1", "workgroup"],
  ["textureDimensions(texels).x > 3", "workgroup"],
  ["vec2(1, un.x).y == 1", "workgroup"],
  ["subgroup == 1", "subgroup"],
  ["subgroupAny(lane == 1)", "never"],
  ["subgroupAny(un.x == 1)", "subgroup"],
  ["subgroupElect()", "never"],
  ["lane == 1", "never"],
  ["mixed.groups.x == 1", "never"],
  ["ro[lane] == 1", "never"],
  ["rw[0] == 1", "never"],
  ["wg[0] == 1", "never"],
  ["own == 1", "never"],
  ["atomicLoad(&count) == 1", "never"],
  ["atomicAdd(&count, 0) == 1", "never"],
  ["textureLoad(texels, vec2(0)).x == 1", "never"],
  ["(un.x == 1 || lane == 2)", "never"],
  ["select(false, true, lane == 2)", "never"],
  ["vec2(1, i32(lane)).x == 1", "never"],
];

const OPERATIONS: readonly (readonly [string, "workgroup" | "subgroup"])[] = [
  ["workgroupBarrier();", "workgroup"],
  ["storageBarrier();", "workgroup"],
  ["textureBarrier();", "workgroup"],
  ["_ = workgroupUniformLoad(&wg);", "workgroup"],
  ["_ = subgroupAdd(1);", "subgroup"],
  ["_ = quadSwapX(1);", "subgroup"],
];

/** Statements with a condition and an operation; whether the condition has to be uniform. spec: #uniformity-statements */
const STATEMENTS: readonly (readonly [string, boolean])[] = [
  ["if C { OP }", true],
  ["if C {} else { OP }", true],
  ["if un.x == 9 {} else if C { OP }", true],
  ["if un.x == 9 {} else if C {} else { OP }", true],
  ["if C {} OP", false],
  ["if C { rw[0] = 1; } else { return; } OP", true],
  ["if C { return; } OP", true],
  ["if un.x == 9 { if C { return; } } OP", true],
  ["OP if C { return; }", false],
  ["switch select(0, 1, C) { case 0: { OP } default: {} }", true],
  ["switch select(0, 1, C) { case 0: {} default: {} } OP", false],
  ["switch select(0, 1, C) { case 0: { return; } default: {} } OP", true],
  ["switch un.x { default: { if C { break; } OP } }", true],
  ["switch un.x { default: { if C { break; } } } OP", false],
  ["while C { OP }", true],
  ["while C {} OP", false],
  ["while C { return; } OP", true],
  ["for (; C; ) { OP }", true],
  ["for (; C; ) {} OP", false],
  ["for (var i = 0; i < 3; i++) { if C { continue; } OP }", true],
  ["for (var i = 0; i < 3; i++) { OP if C { continue; } }", true],
  ["loop { if C { break; } OP }", true],
  ["loop { OP if C { break; } }", true],
  ["loop { if C { break; } } OP", false],
  ["loop { OP if C { break; } break; }", false],
  ["while un.x == 9 { OP if C { return; } break; }", false],
  ["for (; un.x == 9; ) { OP if C { break; } return; }", false],
  ["loop { if C { continue; } OP continuing { break if un.x == 9; } }", true],
  ["loop { if C { continue; } continuing { OP break if un.x == 9; } }", true],
  ["loop { OP continuing { break if C; } }", true],
  ["loop { continuing { break if C; } } OP", false],
  ["loop { if C { return; } if un.x == 9 { break; } } OP", true],
  ["loop { if un.x == 9 { break; } loop { if C { break; } } OP }", false],
  ["loop { if un.x == 9 { break; } loop { if C { return; } break; } OP }", true],
  ["{ if C { return; } } OP", true],
  ["_ = C && does();", true],
  ["_ = C || does();", true],
  ["_ = does() && C;", false],
  ["if C && does() {}", true],
  ["takes(C);", true],
  ["ignores(C); OP", false],
  ["if gives(C) { OP }", true],
  ["let c = C; if c { OP }", true],
  ["var x = 1; if C { x = 2; } if x == 1 { OP }", true],
  ["var x = 1; if C { x = 2; } x = 3; if x == 1 { OP }", false],
  ["var x = 1; for (; C; ) { x++; } if x == 1 { OP }", true],
  ["var x = 1; loop { x = 2; if C { break; } x = 3; } if x == 1 { OP }", true],
  ["var x = array(C, false); if x[1] { OP }", true],
];

function moduleOf(operation: string, statement: string, condition: string): string {
  return `${MODULE}
fn does() -> bool { ${operation} return true; }
fn takes(c: bool) { if c { ${operation} } }
fn ignores(c: bool) { if c { rw[0] = 1; } }
fn gives(c: bool) -> bool { if c { return un.x == 2; } return un.x == 1; }
${MAIN} { ${statement.replaceAll("OP", operation).replaceAll("C", condition)} }`;
}

const ALONE = new Map<string, readonly string[]>();

/** The conditions that fail without the operation: they hold operations of their own, which not every place allows. */
function alone(statement: string): readonly string[] {
  let known = ALONE.get(statement);
  if (known === undefined) ALONE.set(statement, (known = failing("", statement)));
  return known;
}

function failing(operation: string, statement: string): readonly string[] {
  const texts = CONDITIONS.map(([condition]) => condition);
  return texts.filter((condition) => codes(moduleOf(operation, statement, condition)) !== "");
}

function expectFailures(operation: string, scope: string, statement: string, needs: boolean): void {
  const expected = CONDITIONS.filter(
    ([condition, uniform]) =>
      alone(statement).includes(condition) || (needs && uniform !== "workgroup" && uniform !== scope),
  );
  expect(failing(operation, statement)).toEqual(expected.map(([condition]) => condition));
}

describe.each(OPERATIONS.filter(([text]) => /workgroupBarrier|subgroupAdd/.test(text)))("%s", (operation, scope) => {
  test.each(STATEMENTS)("%s", (statement, needs) => expectFailures(operation, scope, statement, needs));
});

test.each(OPERATIONS)("%s", (operation, scope) => {
  expectFailures(operation, scope, "if C { OP }", true);
  expectFailures(operation, scope, "if C {} OP", false);
});

/** Bodies of a compute shader with one barrier, legal or not. */
const VALUES: readonly (readonly [string, "" | "fails"])[] = [
  ["var x = lane; if x == 1 { BARRIER }", "fails"],
  ["var x = lane; x = 1; if x == 1 { BARRIER }", ""],
  ["var x: array<u32, 2>; x[0] = lane; if x[1] == 1 { BARRIER }", "fails"],
  ["var x: array<u32, 2>; x[0] = lane; x = array(1, 2); if x[1] == 1 { BARRIER }", ""],
  ["var x: array<u32, 2>; x[0] = lane; x[0] = 1; if x[0] == 1 { BARRIER }", "fails"],
  ["var x: array<u32, 2>; x[lane] = 1; if x[1] == 1 { BARRIER }", "fails"],
  ["var x: vec2u; x.x = lane; if x.y == 1 { BARRIER }", "fails"],
  ["var x = 1u; x += lane; if x == 1 { BARRIER }", "fails"],
  ["var x = lane; x -= x; if x == 1 { BARRIER }", "fails"],
  ["var x = lane; let p = &x; *p = 1; if x == 1 { BARRIER }", ""],
  ["var x = 1u; let p = &x; let q = p; *q = lane; if *p == 1 { BARRIER }", "fails"],
  ["var x: array<u32, 2>; var i = 0u; let p = &x[i]; i = lane; *p = 1; if x[0] == 1 { BARRIER }", ""],
  ["var x: array<u32, 2>; var i = lane; let p = &x[i]; i = 1; *p = 1; if x[0] == 1 { BARRIER }", "fails"],
  ["var x: array<u32, 2>; let p = &x[lane]; if *p == 1 { BARRIER }", "fails"],
  ["var x: array<u32, 2>; let p = &x; if p[1] == 1 { BARRIER }", ""],
  ["var x = vec3u(lane); let p = &x; if p.xy.x == 1 { BARRIER }", "fails"],
  ["var x = 1u; if un.x == 1 { x = lane; } if x == 1 { BARRIER }", "fails"],
  ["var x = 1u; if un.x == 1 { x = lane; return; } if x == 1 { BARRIER }", ""],
  ["var x = lane; if un.x == 1 { x = 1; } else { x = 2; } if x == 1 { BARRIER }", ""],
  ["var x = lane; switch un.x { case 1: { x = 1; } default: { x = 2; } } if x == 1 { BARRIER }", ""],
  [
    "var x = lane; switch un.x { case 1: { if un.y == 2 { break; } x = 1; } default: { x = 2; } } if x == 1 { BARRIER }",
    "fails",
  ],
  ["var x = 1u; loop { if un.x == 1 { break; } x = lane; } if x == 1 { BARRIER }", "fails"],
  ["var x = 1u; loop { x = 1; if un.x == 1 { break; } x = lane; } if x == 1 { BARRIER }", ""],
  ["var x = 1u; loop { if un.x == 1 { x = lane; break; } x = 2; } if x == 1 { BARRIER }", "fails"],
  ["var x = 1u; loop { if un.x == 1 { x = lane; continue; } if un.y == 1 { break; } } if x == 1 { BARRIER }", "fails"],
  [
    "var x = 1u; loop { if un.x == 1 { x = lane; continue; } continuing { x = 2; break if x == 3; } } if x == 1 { BARRIER }",
    "",
  ],
  ["var x = 1u; loop { continuing { x = lane; break if un.x == 1; } } if x == 1 { BARRIER }", "fails"],
  ["var x = 1u; for (var i = 0; i < 3; i++) { if x == 1 { BARRIER } x = lane; }", "fails"],
  ["var x = 1u; for (var i = 0; i < 3; i++) { x = 1; if x == 1 { BARRIER } x = lane; }", ""],
  ["for (var i = 0; i < 3; i++) { var x = 1u; if x == 1 { BARRIER } x = lane; }", ""],
  [
    "var x = 1u; for (var i = 0; i < 3; i++) { for (var j = 0; j < 3; j++) { if x == 1 { BARRIER } } x = lane; }",
    "fails",
  ],
  ["var x = 1u; var y = 1u; for (var i = 0; i < 3; i++) { if y == 1 { BARRIER } y = x; x = lane; }", "fails"],
  ["var x = lane; loop { x = 1; break; } if x == 1 { BARRIER }", ""],
  ["var x = 1u; return; x = lane; if x == 1 { BARRIER }", ""],
  ["var x = 1u; put(&x, lane); if x == 1 { BARRIER }", "fails"],
  ["var x = lane; put(&x, 1); if x == 1 { BARRIER }", ""],
  ["var x = array(lane, 1u); put(&x[0], 1); if x[0] == 1 { BARRIER }", "fails"],
  ["var x: array<u32, 2>; put(&x[lane], 1); if x[0] == 1 { BARRIER }", "fails"],
  ["var x = 1u; if lane == 1 { put(&x, 2); } if x == 1 { BARRIER }", "fails"],
  ["var x = 1u; if lane == 1 { keep(&x); } if x == 1 { BARRIER }", "fails"],
  ["var x = array(1u, 2u); x[0] = spoil_one(&x[1]); if x[1] == 1 { BARRIER }", ""],
  ["var x = array(1u, 2u); x[spoil_one(&x[1])] = 1; if x[1] == 1 { BARRIER }", "fails"],
  ["var x = lane; let y = take(&x) + put_one(&x); if y == 1 { BARRIER }", "fails"],
  ["var x = lane; let y = put_one(&x) + take(&x); if y == 1 { BARRIER }", ""],
  ["var x = lane; if take(&x) == 1 { BARRIER }", "fails"],
  ["var x: array<u32, 2>; if take(&x[lane]) == 1 { BARRIER }", "fails"],
  ["var x = lane; keep(&x); if x == 1 { BARRIER }", "fails"],
  ["var x = 1u; keep(&x); if x == 1 { BARRIER }", ""],
  ["var x = 1u; var y = lane; swap(&x, &y); if y == 1 { BARRIER }", ""],
  ["var x = 1u; var y = lane; swap(&x, &y); if x == 1 { BARRIER }", "fails"],
  ["var x = 1u; maybe(&x, lane == 1); if x == 1 { BARRIER }", "fails"],
  ["var x = lane; sync(&x);", "fails"],
  ["var x = 1u; sync(&x); x = lane;", ""],
  ["var x = 1u; spoil(&x); if x == 1 { BARRIER }", "fails"],
  ["var x = 1u; if un.x == 1 && touch(&x) {} if x == 1 { BARRIER }", "fails"],
  ["if read_buffer(&ro[lane]) == 1 { BARRIER }", "fails"],
  ["if read_buffer(&ro[0]) == 1 { BARRIER }", ""],
  ["if read_shared(&wg[0]) == 1 { BARRIER }", "fails"],
  ["_ = load_all(&wg[0]); BARRIER", ""],
  ["_ = load_all(&wg[lane]);", "fails"],
];

const HELPERS = `
fn put(p: ptr<function, u32>, v: u32) { *p = v; }
fn put_one(p: ptr<function, u32>) -> u32 { *p = 1; return 1; }
fn spoil_one(p: ptr<function, u32>) -> u32 { *p = u32(own); return 1; }
fn take(p: ptr<function, u32>) -> u32 { return *p; }
fn keep(p: ptr<function, u32>) { rw[0] = i32(*p); }
fn swap(p: ptr<function, u32>, q: ptr<function, u32>) { let old = *p; *p = *q; *q = old; }
fn maybe(p: ptr<function, u32>, c: bool) { if c { return; } *p = 2; }
fn sync(p: ptr<function, u32>) { if *p == 1 { workgroupBarrier(); } *p = 3; }
fn spoil(p: ptr<function, u32>) { *p = u32(own); }
fn touch(p: ptr<function, u32>) -> bool { *p = u32(own); return true; }
fn read_buffer(p: ptr<storage, i32>) -> i32 { return *p; }
fn read_shared(p: ptr<workgroup, i32>) -> i32 { return *p; }
fn load_all(p: ptr<workgroup, i32>) -> i32 { return workgroupUniformLoad(p); }
`;

test.each(VALUES)("%s", (body, expected) => {
  const text = `${MODULE}${HELPERS}${MAIN} { ${body.replaceAll("BARRIER", "workgroupBarrier();")} }`;
  expect(codes(text) === "" ? "" : "fails").toBe(expected);
});

// ---------------------------------------------------------------- severities, scopes

const FRAGMENT = "@group(0) @binding(0) var t: texture_2d<f32>; @group(0) @binding(1) var s: sampler;";
const SAMPLE = "_ = textureSample(t, s, at);";

/** spec: #diagnostic-filtering */
test.each([
  [`@fragment fn main(@location(0) at: vec2f) { if at.x > 0 { ${SAMPLE} } }`, "error derivative-uniformity"],
  [`@fragment fn main(@location(0) at: vec2f) { if at.x > 0 { _ = dpdx(at.y); } }`, "error derivative-uniformity"],
  [
    `@diagnostic(warning, derivative_uniformity) @fragment fn main(@location(0) at: vec2f) { if at.x > 0 { ${SAMPLE} } }`,
    "warning derivative-uniformity",
  ],
  [
    `@fragment fn main(@location(0) at: vec2f) { @diagnostic(info, derivative_uniformity) if at.x > 0 { ${SAMPLE} } }`,
    "info derivative-uniformity",
  ],
  [
    `@diagnostic(off, derivative_uniformity) @fragment fn main(@location(0) at: vec2f) { if at.x > 0 { ${SAMPLE} } }`,
    "",
  ],
  // The filter counts where the operation stands, not where the function is called.
  [
    `fn g(at: vec2f) { ${SAMPLE} }
    @diagnostic(off, derivative_uniformity) @fragment fn main(@location(0) at: vec2f) { if at.x > 0 { g(at); } }`,
    "error derivative-uniformity",
  ],
  [
    `@diagnostic(off, derivative_uniformity) fn g(at: vec2f) { ${SAMPLE} }
    @fragment fn main(@location(0) at: vec2f) { if at.x > 0 { g(at); } }`,
    "",
  ],
  [
    `fn g(at: vec2f) { @diagnostic(warning, derivative_uniformity) { ${SAMPLE} } ${SAMPLE} }
    @fragment fn main(@location(0) at: vec2f) { if at.x > 0 { g(at); } }`,
    "error derivative-uniformity",
  ],
  [
    `@fragment fn main(@location(0) at: vec2f) { if textureSample(t, s, at).x > 0 { ${SAMPLE} } }`,
    "error derivative-uniformity",
  ],
  [
    `@fragment fn main(@builtin(front_facing) front: bool) { if front { _ = dpdx(1.0); } }`,
    "error derivative-uniformity",
  ],
  [`@fragment fn main(@location(0) at: vec2f) { if at.x > 0 { _ = textureSampleLevel(t, s, at, 0); } }`, ""],
])("%s", (text, expected) => {
  expect(codes(FRAGMENT + text)).toBe(expected);
});

test("a barrier obeys no filter", () => {
  const text =
    "@diagnostic(off, derivative_uniformity) @compute @workgroup_size(1) fn main(@builtin(local_invocation_id) id: vec3u) { if id.x > 0 { workgroupBarrier(); } }";
  expect(codes(text)).toBe("error barrier-uniformity");
});

/** spec: #language_extension-subgroup_uniformity */
test.each([
  ["if subgroup == 1 { _ = subgroupAdd(1); }", "", "error subgroup-uniformity"],
  ["if subgroupAny(un.x == 1) { _ = subgroupAdd(1); }", "", "error subgroup-uniformity"],
  ["_ = subgroupShuffleUp(1, subgroup);", "", "error subgroup-argument-uniformity"],
  ["_ = subgroupShuffleUp(1, lane);", "error subgroup-argument-uniformity", "error subgroup-argument-uniformity"],
  ["_ = subgroupShuffleXor(1, u32(un.x));", "", ""],
  ["if subgroup == 1 { workgroupBarrier(); }", "error barrier-uniformity", "error barrier-uniformity"],
])("%s", (body, withScope, without) => {
  const text = `${MODULE}${MAIN} { ${body} }`;
  const languageFeatures = ["subgroup_id", "readonly_and_readwrite_storage_textures"];
  expect(codes(text)).toBe(withScope);
  expect(codes(text, { languageFeatures })).toBe(without);
});
