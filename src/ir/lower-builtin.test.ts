import { describe, expect, test } from "vitest";
import { dumpBody } from "../../test/support/ir.ts";

const DECLARATIONS = `
enable f16, subgroups;
struct State { count: atomic<u32>, list: array<vec2u> }
@group(0) @binding(0) var<storage, read_write> state: State;
@group(0) @binding(1) var<storage, read_write> v: vec3f;
@group(0) @binding(2) var<storage, read_write> m: mat3x2f;
@group(0) @binding(3) var<storage, read_write> n: mat2x3f;
@group(0) @binding(4) var<storage, read_write> q: mat3x3f;
var<workgroup> flag: atomic<i32>;
var<workgroup> tile: array<vec2u, 4>;
`;

describe("formulas in basic operations", () => {
  test.each([
    "let a = dot(v, v.zyx);",
    "let i = vec2i(v.xy); let a = dot(i, i);",
    "let a = length(v); let b = length(a); let c = distance(v, v.yzx);",
    "let a = normalize(v);",
    "let a = cross(v, v.zxy);",
    "let a = reflect(v, v.zyx); let b = faceForward(v, v.zyx, v.xxx);",
    "let a = refract(v, v.zyx, v.x);",
    "let a = transpose(m); let d = determinant(q);",
    "let a = all(v < v.zxy); let b = any(v.xy < v.yx); let c = all(a);",
    "let a = m * n; let b = m * v; let c = v * n; let d = m + m; let e = 2 * m;",
  ])("%s", (statements) => {
    expect(dumpBody(statements, DECLARATIONS)).toMatchSnapshot();
  });
});

describe("one instruction", () => {
  test.each([
    ["scalars among vectors are splatted", "let a = mix(v, v.zyx, v.x); let b = clamp(v, vec3f(), vec3f(1));"],
    ["bit ranges", "let i = vec2u(v.xy); let a = extractBits(i, i.x, 3); let b = insertBits(i, i, 0, i.y);"],
    ["frexp and modf", "let a = frexp(v); let b = modf(v.x); let c = a.exp + vec3i(); let d = b.whole;"],
    ["packing", "let a = pack4x8unorm(v.xyzz); let b = unpack2x16float(a); let c = dot4U8Packed(a, a);"],
    ["select", "let a = select(v, v.zyx, v < vec3f()); let b = select(1, 2, v.x > 0);"],
    [
      "bitcast",
      "let a = bitcast<vec2u>(v.xy); let h = bitcast<vec4h>(a); let b = bitcast<vec2i>(h); let c = bitcast<vec2h>(b.x);",
    ],
    ["the length of an array", "let p = &state.list; let a = arrayLength(p) + arrayLength(&state.list);"],
    ["barriers", "workgroupBarrier(); storageBarrier(); textureBarrier();"],
    [
      "subgroups",
      "let a = subgroupAdd(v); let b = subgroupBroadcast(v.x, 3); let c = subgroupBallot(true); let d = subgroupElect();",
    ],
  ])("%s: %s", (_, statements) => {
    expect(dumpBody(statements, DECLARATIONS)).toMatchSnapshot();
  });

  test("atomics", () => {
    const statements = `
      atomicStore(&state.count, 1);
      let a = atomicLoad(&state.count) + atomicAdd(&state.count, 2);
      let b = atomicCompareExchangeWeak(&flag, 1, 2);
      if b.exchanged { atomicMax(&flag, b.old_value); }`;
    expect(dumpBody(statements, DECLARATIONS)).toMatchSnapshot();
  });

  test("workgroupUniformLoad of an array, an element and an atomic", () => {
    const statements =
      "let a = workgroupUniformLoad(&tile); let b = workgroupUniformLoad(&tile[1]); let c = workgroupUniformLoad(&flag);";
    expect(dumpBody(statements, DECLARATIONS)).toMatchSnapshot();
  });
});
