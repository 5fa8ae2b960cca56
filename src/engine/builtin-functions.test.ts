/**
 * Every builtin function on numbers, on all types it takes: what the shader computes from variables is, bit for bit, what
 * const-evaluation makes of the same numbers.
 */
import { expect, test } from "vitest";
import { Bench } from "../../test/support/engine.ts";
import { analyze } from "../analysis/analyze.ts";
import { parseSignature } from "../builtins/signature.ts";
import { BUILTIN_NAMES, type BuiltinName, rowsOf } from "../builtins/table.ts";
import { layoutOf } from "../layout/layout.ts";
import { Source } from "../text/source.ts";
import { typeName } from "../types/type.ts";

/** They need a device, a neighbour, or memory. */
const ELSEWHERE =
  /^(atomic|subgroup|quad|texture|dpd|fwidth|buffer|arrayLength|workgroup|storageBarrier|bitcast|select)/;
const names = BUILTIN_NAMES.filter((name) => !ELSEWHERE.test(name));

const SCALARS = ["i32", "u32", "f32", "f16", "bool"];
const TYPES = [
  ...SCALARS,
  ...["f32", "f16"].flatMap((kind) => [`mat2x2<${kind}>`, `mat3x3<${kind}>`, `mat2x4<${kind}>`]),
  ...SCALARS.flatMap((kind) => [2, 3, 4].map((size) => `vec${size}<${kind}>`)),
];
/** Numbers to try, until the function is defined for them. */
const VALUES = [
  [-5, 3, 2, 4],
  [0.5, 0.25, 0.75, 0],
  [1.5, 2.5, 0.5, 1],
  [5, 3, 2, 4],
];

/** A value of the type, its components all different. */
function literal(type: string, value: number): string {
  const kind = /bool|[iuf]\d\d/.exec(type)![0];
  const scalar = (x: number) =>
    kind === "bool" ? String(x > 0) : `${kind}(${kind === "i32" || kind === "u32" ? Math.trunc(x) : x})`;
  const size = /^mat(\d)x(\d)|^vec(\d)/.exec(type);
  if (size === null) return scalar(value);
  const count = size[3] === undefined ? Number(size[1]) * Number(size[2]) : Number(size[3]);
  return `${type}(${Array.from({ length: count }, (_, index) => scalar(value * (1 + (index % 3) / 4))).join(", ")})`;
}

/** Types of the arguments worth trying: all alike, or others than the first from some place on. */
function* argumentTypes(count: number): Generator<string[]> {
  for (const type of TYPES) {
    const alike = new Array<string>(count).fill(type);
    yield alike;
    for (let from = 1; from < count; from++) {
      const kind = /[iuf]\d\d/.exec(type)?.[0] ?? "";
      for (const other of new Set(["u32", "i32", kind, type.replace(/f\d\d/, "i32")])) {
        if (other !== "" && other !== type) yield alike.map((own, index) => (index < from ? own : other));
      }
    }
  }
}

interface Call {
  readonly types: readonly string[];
  readonly values: readonly string[];
  /** WGSL of the result's parts: whole, or members where it is a structure. */
  readonly results: readonly { readonly type: string; readonly member: string }[];
}

/** The call with the first numbers for which it is a legal const-expression; null if it is none with these types. */
function legalCall(name: string, types: readonly string[]): Call | null {
  for (const numbers of VALUES) {
    const values = types.map((type, index) => literal(type, numbers[index]));
    const program = analyze(new Source(`enable f16; const result = ${name}(${values.join(", ")});`));
    if (program.diagnostics.some(({ severity }) => severity === "error")) continue;
    const entity = program.declared.find((each) => each?.kind === "value");
    if (entity?.kind !== "value") continue;
    const { type } = entity;
    const results =
      type.kind === "struct"
        ? type.members.map((member) => ({ type: typeName(member.type), member: `.${member.name}` }))
        : [{ type: typeName(type), member: "" }];
    return { types, values, results };
  }
  return null;
}

/** bool has no place in buffers. */
const storable = (type: string) => type.replace("bool", "u32");

function check(name: string, { types, values, results }: Call): void {
  const variables = types.map((type, index) => `var<private> a${index}: ${type} = ${values[index]};`);
  const members = results.map(({ type }, index) => `ran${index}: ${storable(type)}, known${index}: ${storable(type)},`);
  const [ran, known] = [types.map((_, index) => `a${index}`).join(", "), values.join(", ")];
  const stores = results.map(({ type, member }, index) => {
    const stored = (call: string) => `${storable(type)}(${name}(${call})${member})`;
    return `out.ran${index} = ${stored(ran)}; out.known${index} = ${stored(known)};`;
  });
  const bench = new Bench(`enable f16;
    ${variables.join("\n")}
    struct Out { ${members.join("\n")} }
    @group(0) @binding(0) var<storage, read_write> out: Out;
    @compute @workgroup_size(1) fn main() { ${stores.join("\n")} }`);
  expect(bench.run().status).toBe("ok");
  const root = bench.module.roots.find((each) => each.name === "out")!;
  const bytes = bench.memories.get("out")!.bytes;
  const { members: places } = layoutOf(root.type);
  expect(places.length).toBe(2 * results.length);
  for (let i = 0; i < places.length; i += 2) {
    const part = (place: (typeof places)[number]) => [...bytes.slice(place.offset, place.offset + place.layout.size)];
    expect(part(places[i]), `${name}(${known})`).toEqual(part(places[i + 1]));
  }
}

test.each(names)("%s", (name: BuiltinName) => {
  const counts = new Set(rowsOf(name).map((row) => parseSignature(row.signature).parameters.length));
  let calls = 0;
  for (const count of counts) {
    for (const types of argumentTypes(count)) {
      const call = legalCall(name, types);
      if (call === null) continue;
      calls++;
      check(name, call);
    }
  }
  expect(calls).toBeGreaterThan(0);
});
