import { describe, expect, test } from "vitest";
import { lowerText, verified } from "../../test/support/ir.ts";
import { analyze } from "../analysis/analyze.ts";
import { flatten } from "../engine/flatten.ts";
import type { Launch } from "../launch/launch.ts";
import { Source } from "../text/source.ts";
import { addNumericChecks } from "./numeric-pass.ts";
import { sanitize } from "./sanitize.ts";

/** Code, line and message of each finding about numbers. */
async function numbers(body: string, buffers: Launch["buffers"] = {}): Promise<string[]> {
  const text = `@group(0) @binding(0) var<storage, read_write> f: array<f32>;
@group(0) @binding(1) var<storage, read_write> u: array<u32>;
@group(0) @binding(2) var<storage, read_write> i: array<i32>;
var<workgroup> w: array<f32, 8>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) {
${body}
}`;
  const source = new Source(text);
  const filled = { f: "zeros:8", u: "zeros:8", i: "zeros:8", ...buffers };
  const used = Object.fromEntries(Object.entries(filled).filter(([name]) => new RegExp(`\\b${name}\\[`).test(body)));
  const launch = { shader: analyze(source), workgroups: [1], buffers: used };
  const { findings, diagnostics } = await sanitize(launch, { checks: ["numeric"] });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return findings.map(
    ({ code, message, span, count }) => `${source.position(span.start).line}: ${code} x${count}: ${message}`,
  );
}

describe("operations", () => {
  test.each<[body: string, expected: string, buffers?: Launch["buffers"]]>([
    ["u[lane] = 8u / u[lane];", "x4: 8 is divided by zero in invocation 0"],
    ["i[lane] = (-8i) % i[lane];", "x4: -8 is divided by zero in invocation 0"],
    ["u[lane] = 1u << (lane * 16u);", "x2: shifted by 32 bits in invocation 2; a shift takes less than 32"],
    [
      "i[lane] = i32(f32(lane) * 1e9);",
      "x1: 3000000000 is outside of i32 and is converted to its nearest value in invocation 3",
    ],
    [
      "u[lane] = u32(f32(lane) - 1.5);",
      "x1: -1.5 is outside of u32 and is converted to its nearest value in invocation 0",
    ],
    [
      "u[lane] = u32(f[lane]);",
      "x1: NaN is outside of u32 and is converted to an indeterminate value in invocation 2",
      { f: { values: [1, 2, "NaN", 4, 0, 0, 0, 0] } },
    ],
    ["u[lane - 1u] = 1u;", "x1: an index is computed past the ends of u32 here in invocation 0 and becomes 4294967295"],
    [
      "u[(lane + 1u) * 0x60000000u] = 1u;",
      "x2: an index is computed past the ends of u32 here in invocation 2 and becomes 536870912",
    ],
    [
      "i[2147483647i - i32(lane) + 2i] = 1i;",
      "x2: an index is computed past the ends of i32 here in invocation 0 and becomes -2147483647",
    ],
    [
      "f[lane] = 1.0 / f[lane];",
      "x4: this gives Infinity out of finite numbers in invocation 0, and it reaches ‘f[0]’",
    ],
    [
      "f[lane] = sqrt(f32(lane) - 2.0);",
      "x2: this gives NaN out of finite numbers in invocation 0, and it reaches ‘f[0]’",
    ],
  ])("%s", async (body, expected, buffers = {}) => {
    const found = await numbers(body, buffers);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
    expect(found[0]).toMatch(/^6: /);
  });

  test.each([
    "u[lane] = 8u / (u[lane] + 1u);",
    "u[lane] = 1u << lane;",
    "i[lane] = i32(f32(lane) * -5e8);",
    "u[lane] = u32(f32(lane) - 0.5);",
    "u[lane] = lane - 1u;",
    "u[(lane + 7u) % 8u] = 1u;",
    "f[lane] = 1.0 / (f[lane] + 1.0);",
    // It is made, and reaches nobody.
    "let x = 1.0 / f[lane]; if (x < 0.0) { f[lane] = x; }",
    // It was there before.
    "f[lane] = f[lane + 4u] + 1.0;",
  ])("nothing: %s", async (body) => {
    expect(await numbers(body, { f: { f32: [0, 0, 0, 0, "Infinity", "NaN", 0, 0] } })).toEqual([]);
  });
});

test("a NaN is followed through workgroup memory", async () => {
  const found = await numbers(`w[lane] = log(f32(lane) - 1.0);
workgroupBarrier();
if (lane == 3u) { f[0] = w[0] + 2.0; }`);
  expect(found).toEqual([
    "6: nan-origin x1: this gives NaN out of finite numbers in invocation 0, and it reaches ‘f[0]’",
  ]);
});

test.each([
  ["origins", "f[lane] = 1.0 / f32(lane) + sqrt(1.5 - f32(lane));", ["Infinity", "NaN"]],
  ["divisions", "u[lane] = 6u / lane + 7u / (lane - lane);", ["6 is", "7 is"]],
  ["shifts", "u[lane] = (1u << (lane + 31u)) + (1u << (lane + 40u));", ["32 bits", "40 bits"]],
  ["conversions", "u[lane] = u32(f32(lane) - 3.5) + u32(-7.0 - f32(lane));", ["-3.5", "-7"]],
])("two %s on one line are two", async (_, body, values) => {
  const found = await numbers(body);
  expect(found).toHaveLength(2);
  for (const value of values) expect(found.join()).toContain(value);
});

describe("of several origins in one invocation", () => {
  const NAN = "f[lane] * 0.0 + sqrt(-1.0 - f[lane])";
  const INFINITY = "1.0 / f[lane]";
  test.each([
    ["the one that is stored", `let a = ${INFINITY};\nlet b = ${NAN};\nf[lane] = a;`, [7]],
    ["both that are stored", `let a = ${INFINITY};\nlet b = ${NAN};\nf[lane] = a + b;`, [7, 8]],
    ["each with its store", `let a = ${INFINITY};\nlet b = ${NAN};\nf[lane + 4u] = b;\nf[lane] = a;`, [7, 8]],
    ["those of its members", `var v = vec2f();\nv.x = ${INFINITY};\nv.y = ${NAN};\nf[lane] = v.x;`, [8]],
    ["not what was overwritten", `var a = ${INFINITY};\na = ${NAN};\nf[lane] = a;`, [8]],
    ["not what only decides", `let a = ${INFINITY};\nf[lane] = select(0.5, ${NAN}, a > 1.0);`, [8]],
    [
      "what a function gives",
      `let b = ${NAN};\nf[lane] = half(f[lane]) - 1.0;\n}\nfn half(a: f32) -> f32 {\nreturn 0.5 / a;`,
      [11],
    ],
    [
      "what it is given",
      `let a = ${INFINITY};\nlet b = ${NAN};\nf[lane] = half(b) - 1.0;\n}\nfn half(a: f32) -> f32 { return 0.5 * a;`,
      [8],
    ],
    [
      "what another one has left in memory",
      `w[lane] = ${INFINITY};\nworkgroupBarrier();\nlet b = ${NAN};\nf[lane] = w[3u - lane];`,
      [7],
    ],
    [
      "what has been read, of two",
      `w[lane] = ${INFINITY};\nw[lane + 4u] = ${NAN};\nworkgroupBarrier();\nf[lane] = w[lane + 4u];`,
      [8],
    ],
    [
      "in each round its own",
      `for (var k = 0u; k < 2u; k++) {\nvar a = 0.0;\nif (k == 0u) { a =\n${INFINITY}; } else { a =\n${NAN}; }\nf[lane + 4u * k + 4u] = a;\n}`,
      [10, 11],
    ],
  ])("%s", async (_, body, lines) => {
    const found = await numbers(`\n${body}`, { f: "zeros:12" });
    expect(found.map((each) => Number(each.split(":")[0])).sort((a, b) => a - b)).toEqual(lines);
  });

  test("what the host put there has none here", async () => {
    const body = "let b = sqrt(-1.0 - f[lane]);\nf[lane] = f[lane + 4u];";
    expect(await numbers(body, { f: { f32: [0, 0, 0, 0, "NaN", "NaN", "NaN", "NaN"] } })).toEqual([]);
  });
});

test("vectors and halves", async () => {
  const text = `enable f16;
@group(0) @binding(0) var<storage, read_write> h: array<vec2h, 4>;
@group(0) @binding(1) var<storage, read_write> v: array<vec3u, 4>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) {
  h[lane] = vec2h(f16(lane)) / vec2h(1.0h, f16(lane));
  v[lane] = vec3u(7u) / vec3u(1u, lane, 2u);
}`;
  const { findings } = await sanitize({ shader: text, workgroups: [1] }, { checks: ["numeric"] });
  expect(findings.map(({ code, count }) => `${code} ${count}`).sort()).toEqual(["division-by-zero 1", "nan-origin 1"]);
});

test.each([
  ["f[k] = f[k] / z;", 32],
  ["f[k] = max(vec4f(z) / f[k], vec4f(f[k])).x;", 72],
  ["u[k] = u[k] / u32(z);", 30],
  ["u[k] = u[k] << u[k];", 22],
])("checks of many lines are little code beside each, and no more to hold for each invocation: %s", (line, most) => {
  const sizesOf = (count: number) => {
    const { module, plain, sites } = addNumericChecks(
      lowerText(`@group(0) @binding(0) var<storage, read_write> f: array<f32>;
      @group(0) @binding(1) var<storage, read_write> u: array<u32>;
      @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) k: u32) {
        let z = f32(k);
        ${line.repeat(count)}
        u[k] = u32(f[k]);
      }`),
    );
    const [checked, plainly] = [flatten(module), flatten(plain)];
    const ofSite = sites.length / count;
    return [(checked.code.length - plainly.code.length) / ofSite, checked.frameSize - plainly.frameSize];
  };
  const [few, many] = [sizesOf(200), sizesOf(1000)];
  expect((many[0] - few[0]) / 800).toBeLessThan(most);
  expect(many[1] - few[1]).toBeLessThan(100);
});

test("the module keeps the contract of the representation", () => {
  const module = lowerText(`@group(0) @binding(0) var<storage, read_write> u: array<u32>;
    fn f(x: u32) -> u32 { if (x > 3u) { return u[x - 1u] / x; } return x << x; }
    @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32) {
      for (var i = 0u; i < 4u; i++) { switch i { case 1u: { u[i] = f(i); } default: { u[lane] = u32(1.0 / f32(i)); } } }
    }`);
  const { sites, module: made } = addNumericChecks(module);
  expect(sites.length).toBeGreaterThan(4);
  verified(made);
});
