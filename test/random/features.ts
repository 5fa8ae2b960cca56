/** What only a front end sees, added to a program: each function here writes a few declarations of their own. */
import { rowsOf } from "../../src/builtins/resolve.ts";
import type { BuiltinRow } from "../../src/builtins/row.ts";
import { BUILTIN_NAMES } from "../../src/builtins/table.ts";
import { TEXEL_FORMAT_NAMES, texelFormat } from "../../src/builtins/texel-formats.ts";
import { splitTop } from "../../tools/spec/signatures.mjs";
import { groundOverloads, readSignature } from "../spec/ground.ts";
import type { Choice } from "./choice.ts";
import { constInteger } from "./const-integers.ts";
import type { ModuleState } from "./scope.ts";
import { block, type Statement, statement } from "./tree.ts";

type Feature = (module: ModuleState) => readonly Statement[];

const FEATURES: readonly (readonly [weight: number, feature: Feature])[] = [
  [8, builtinCall],
  [4, constants],
  [2, aliases],
  [2, overrides],
  [2, halves],
  [2, stages],
  [2, attributes],
  [2, compareExchange],
  [1, storagePointers],
  [1, filters],
  [1, matrices],
];

export function addFeatures(module: ModuleState): void {
  const { choice } = module;
  const made = choice.list(3, 8, () => choice.weighted(...FEATURES)(module)).flat();
  module.declarations.push(...directives(made, choice), ...made);
}

function declaration(name: string, text: string): Statement {
  return statement("module", [text], { declares: name });
}

/** A function of the lines; the last line may be `return …;`. */
function functionOf(name: string, head: string, lines: readonly string[]): Statement {
  const body = lines.map((line) => statement("other", [line], { isNeeded: true }));
  return statement("function", [`${head} `, block(body)], { declares: name });
}

function directives(made: readonly Statement[], choice: Choice): readonly Statement[] {
  const text = made.flatMap((each) => [
    String(each.parts[0]),
    ...each.parts.flatMap((part) =>
      typeof part !== "string" && part.kind === "block" ? part.statements.map((inner) => String(inner.parts[0])) : [],
    ),
  ]);
  const all = text.join("\n");
  const list: string[] = [];
  if (/f16|vec\dh|\dh\b|mat\dx\dh/.test(all)) list.push("f16");
  if (/subgroup|quad/.test(all)) list.push("subgroups");
  const separate = list.map((name) => `enable ${name};`);
  const enables = choice.once(2) && list.length > 1 ? [`enable ${list.join(", ")};`] : separate;
  const others = choice.once(3)
    ? [choice.pick(["diagnostic(off, derivative_uniformity);", "requires pointer_composite_access;"])]
    : [];
  return choice.shuffled([...enables, ...others]).map((line) => statement("other", [line], { isNeeded: true }));
}

// Builtin functions

interface Overload {
  readonly row: BuiltinRow;
  readonly parameters: readonly string[];
  readonly text: string;
}

/** What no checker but ours knows yet, or what cannot be written as a type. */
function isWritable({ requires }: BuiltinRow, overload: string): boolean {
  return requires !== "buffer_view" && !/Abstract|workgroup, array|uniform, array/.test(overload);
}

const overloads: readonly (readonly Overload[])[] = BUILTIN_NAMES.map((name) =>
  rowsOf(name).flatMap((row) => {
    const [, list] = /\((.*?)\)(?: ->| where|$)/.exec(row.signature)!;
    const parameters = (splitTop(list) as string[]).map((parameter) => parameter.split(":")[0].trim());
    return groundOverloads(readSignature(row.signature))
      .filter((overload) => isWritable(row, overload))
      .map((text) => ({ row, parameters, text }));
  }),
).filter((list) => list.length > 0);

/** A function that hands its parameters to a builtin one. */
function builtinCall(module: ModuleState): readonly Statement[] {
  const { choice } = module;
  const { row, parameters, text } = choice.pick(choice.pick(overloads));
  const filled = fillIn(text, row, choice);
  const [, template = "", list, result] = /^\w+?(<.*>)?\((.*)\)(?: -> (.*))?$/.exec(filled)!;
  const types = splitTop(list) as string[];
  const own: string[] = [];
  const args = types.map((type, index) => {
    const constant = constantFor(row, parameters[index], type, choice);
    if (constant !== null) return constant;
    const name = `x${index}`;
    own.push(`${name}: ${type}`);
    return name;
  });
  const call = `${row.name}${template}(${args.join(", ")})`;
  const lines = resultLines(row, call, result, choice);
  const name = module.fresh("f");
  return [functionOf(name, `fn ${name}(${own.join(", ")})`, lines)];
}

function resultLines(row: BuiltinRow, call: string, result: string | undefined, choice: Choice): readonly string[] {
  if (result === undefined) return [`${call};`];
  const named = /^(?:\w+<\w+>|\w+)$/.test(result) && !result.startsWith("__");
  if (named && choice.once(2)) return [`let y: ${result} = ${call};`, "_ = y;"];
  if (!row.mustUse && choice.once(2)) return [`${call};`];
  return [`_ = ${call};`];
}

/** Types for what an overload leaves open. */
function fillIn(overload: string, row: BuiltinRow, choice: Choice): string {
  const access =
    row.memory === "writes" ? "write" : row.name === "textureLoad" ? "read" : choice.pick(["read", "write"]);
  const format = texelFormat(choice.pick(TEXEL_FORMAT_NAMES))!;
  const channel = format.shaderType.kind;
  return overload
    .replaceAll("host-shareable-fixed-footprint", choice.pick(["u32", "vec3f", "mat2x2f", "array<i32, 3>"]))
    .replaceAll("concrete-constructible", choice.pick(["u32", "vec3<bool>", "array<f32, 3>", "mat4x3f"]))
    .replaceAll("texel-format", format.name)
    .replaceAll(", access-mode", /texture/.test(overload) ? `, ${access}` : "")
    .replaceAll(", read_write>", /texture_storage/.test(overload) ? `, ${access}>` : ", read_write>")
    .replace(/(ptr<workgroup, .*), read_write>/, "$1>")
    .replaceAll("channel-format", channel);
}

/** Where a const-expression has to stand. */
function constantFor(row: BuiltinRow, name: string, type: string, choice: Choice): string | null {
  if (name === "offset" && row.name.startsWith("texture")) {
    const size = Number(type[3]);
    return `vec${size}i(${Array.from({ length: size }, () => choice.int(-8, 7)).join(", ")})`;
  }
  const isNumbered = name === "component" || (name === "id" && /Broadcast/.test(row.name));
  return isNumbered ? `${choice.int(0, 3)}${type === "u32" ? "u" : ""}` : null;
}

// Constants

function constants(module: ModuleState): readonly Statement[] {
  const { choice } = module;
  const made: Statement[] = [];
  const known: { name: string; value: bigint }[] = [];
  for (let i = choice.int(1, 4); i > 0; i--) {
    const { text, value } = constInteger(choice, known, 4);
    const name = module.fresh("c");
    made.push(declaration(name, `const ${name}${choice.pick(["", "", ": i32"])} = ${fitting(text, value)};`));
    known.push({ name, value: BigInt.asIntN(32, value) === value ? value : 3n });
    made.push(statement("module", [`const_assert ${text} == ${value};`]));
  }
  const { name, value } = choice.pick(known);
  if (value > 0n && value < 1000n) made.push(...sized(module, name, value));
  return made;
}

/** What fits into an i32; else a constant that does. */
function fitting(text: string, value: bigint): string {
  return BigInt.asIntN(32, value) === value ? text : "3";
}

/** An array whose number of elements is a constant. */
function sized(module: ModuleState, name: string, value: bigint): readonly Statement[] {
  const array = module.fresh("g");
  const call = module.fresh("f");
  return [
    declaration(array, `var<private> ${array}: array<vec2<f32>, ${name}>;`),
    functionOf(call, `fn ${call}() -> f32`, [
      `const last = ${name} - 1;`,
      `return ${array}[last].x + ${array}[${value - 1n}].y;`,
    ]),
  ];
}

function aliases(module: ModuleState): readonly Statement[] {
  const { choice } = module;
  const [type, value] = choice.pick([
    ["vec3<f32>", "1, 2.5, 3"],
    ["vec4<bool>", "true"],
    ["array<vec2i, 2>", "vec2i(1), vec2i(2, 3)"],
    ["mat2x2<f32>", "1, 0, 0, 1"],
    ["u32", "7"],
  ]);
  const [first, second, name] = [module.fresh("A"), module.fresh("A"), module.fresh("f")];
  return [
    declaration(second, `alias ${second} = ${first};`),
    functionOf(name, `fn ${name}(x: ${second}) -> ${first}`, [
      `var y: ${type} = x;`,
      `y = ${second}(${value});`,
      "return y;",
    ]),
    declaration(first, `alias ${first} = ${type};`),
  ];
}

function overrides(module: ModuleState): readonly Statement[] {
  const { choice } = module;
  const [a, b, c] = [module.fresh("o"), module.fresh("o"), module.fresh("o")];
  const [tile, name] = [module.fresh("w"), module.fresh("e")];
  const id = choice.int(0, 65535);
  const size = choice.pick([`${a}`, `${a} * 2`, `${a} + 1u`]);
  return [
    declaration(a, `override ${a}: u32 = ${choice.int(1, 16)};`),
    declaration(b, `@id(${id}) override ${b}${choice.pick([": f32", ""])} = ${choice.pick(["1.5", "2.0 * 3"])};`),
    declaration(c, `override ${c}: bool = ${choice.pick([`${a} > 4`, `${b} < 2.0`, "true"])};`),
    declaration(tile, `var<workgroup> ${tile}: array<f32, ${size}>;`),
    statement(
      "entry",
      [
        `@compute @workgroup_size(${choice.pick([a, `${a}, 1`, "4", `min(${a}, 8u)`])}) fn ${name}(@builtin(local_invocation_index) i: u32) `,
        block([
          statement("if", [`if ${c} `, block([statement("assignment", [`${tile}[i % ${a}] = ${b};`])])]),
          statement("let", [`let x = ${tile}[0] + f32(${a});`], { declares: "x" }),
          statement("phony", ["_ = x;"]),
        ]),
      ],
      { declares: name },
    ),
  ];
}

function halves(module: ModuleState): readonly Statement[] {
  const { choice } = module;
  const [name, constant] = [module.fresh("f"), module.fresh("c")];
  const operator = choice.pick(["+", "-", "*", "/"]);
  const size = choice.int(2, 4);
  return [
    declaration(constant, `const ${constant}: f16 = ${choice.pick(["1.5h", "0x1p-3h", "2", "3.25", "2048"])};`),
    functionOf(name, `fn ${name}(x: f16, v: vec${size}<f16>) -> vec${size}h`, [
      `var y = v ${operator} x;`,
      `y.${choice.pick(["x", "y"])} = f16(${choice.int(-9, 9)}) ${operator} ${constant};`,
      `let z = vec${size}f(y) ${operator} f32(x);`,
      `return vec${size}h(z) ${operator} 2;`,
    ]),
  ];
}

// Stages

function stages(module: ModuleState): readonly Statement[] {
  const { choice } = module;
  const [output, vertex, fragment] = [module.fresh("S"), module.fresh("e"), module.fresh("e")];
  const members = choice.list(1, 4, (index) => {
    const type = choice.pick(["f32", "vec2f", "vec4<f32>", "i32", "vec3<u32>"]);
    const isFloat = /f/.test(type);
    const interpolation = isFloat
      ? choice.pick(["", "@interpolate(linear) ", "@interpolate(perspective, centroid) ", "@interpolate(flat, first) "])
      : choice.pick(["@interpolate(flat) ", "@interpolate(flat, either) "]);
    return `  @location(${index}) ${interpolation}m${index}: ${type},`;
  });
  const depth = choice.once(3);
  const result = depth ? "@builtin(frag_depth) f32" : `@location(0) ${choice.pick(["vec4f", "vec4<f32>"])}`;
  return [
    declaration(
      output,
      `struct ${output} {\n  @builtin(position) ${choice.once(3) ? "@invariant " : ""}at: vec4f,\n${members.join("\n")}\n}`,
    ),
    functionOf(
      vertex,
      `@vertex fn ${vertex}(@builtin(vertex_index) i: u32, @location(${choice.int(0, 7)}) p: vec3f) -> ${output}`,
      [`var made: ${output};`, "made.at = vec4f(p, f32(i));", "return made;"],
    ),
    functionOf(fragment, `@fragment fn ${fragment}(in: ${output}, @builtin(front_facing) front: bool) -> ${result}`, [
      choice.pick(["if front { discard; }", "if !front && in.at.x > 1 { discard; }"]),
      depth ? "return in.at.z;" : `return ${choice.pick(["in.at", "dpdx(in.at)", "fwidth(in.at) * 0.5"])};`,
    ]),
  ];
}

function attributes(module: ModuleState): readonly Statement[] {
  const { choice } = module;
  const [struct, name] = [module.fresh("S"), module.fresh("g")];
  const size = choice.pick([16, 20, 32, 64]);
  const align = choice.pick([4, 8, 16, 32]);
  const group = choice.int(2, 5);
  const members = [
    `  @size(${size}) a: ${choice.pick(["u32", "vec3f", "array<f32, 4>"])},`,
    `  @align(${Math.max(16, align)}) b: ${choice.pick(["f32", "vec4i", "mat3x3f"])},`,
    `  ${choice.pick(["@size(4) @align(4)", "@align(4)", ""])} c: i32,`,
  ];
  const tail = choice.once(2) ? ["  rest: array<vec2u>,"] : [];
  return [
    declaration(struct, `struct ${struct} {\n${[...members, ...tail].join("\n")}\n}`),
    declaration(
      name,
      `@group(${group}) @binding(${choice.int(0, 99)}) var<storage${choice.pick([", read", ", read_write", ""])}> ${name}: ${struct};`,
    ),
  ];
}

function compareExchange(module: ModuleState): readonly Statement[] {
  const { choice } = module;
  const [counter, name] = [module.fresh("t"), module.fresh("f")];
  const type = choice.pick(["i32", "u32"]);
  return [
    declaration(counter, `var<workgroup> ${counter}: atomic<${type}>;`),
    functionOf(name, `fn ${name}(x: ${type}) -> ${type}`, [
      `var old = atomicLoad(&${counter});`,
      "loop {",
      `  let r = atomicCompareExchangeWeak(&${counter}, old, old + x);`,
      "  if r.exchanged { break; }",
      "  old = r.old_value;",
      "}",
      `return old ${choice.pick(["+", "-", "^"])} x;`,
    ]),
  ];
}

function storagePointers(module: ModuleState): readonly Statement[] {
  const { choice } = module;
  const [name, caller] = [module.fresh("f"), module.fresh("f")];
  return [
    functionOf(name, `fn ${name}(p: ptr<storage, array<u32>, read_write>, i: u32)`, [
      "p[i] = arrayLength(p) + (*p)[i / 2];",
    ]),
    functionOf(caller, `fn ${caller}() -> u32`, [
      `${name}(${choice.pick(["&out", "&(out)"])}, 3);`,
      "let p = &in_u32;",
      "return (*p)[0] + p[1] + arrayLength(p);",
    ]),
  ];
}

function filters(module: ModuleState): readonly Statement[] {
  const { choice } = module;
  const name = module.fresh("f");
  const severity = choice.pick(["off", "info", "warning"]);
  return [
    functionOf(name, `@diagnostic(${severity}, derivative_uniformity) fn ${name}(x: f32) -> f32`, [
      "var y = x;",
      `if x > 1 @diagnostic(off, derivative_uniformity) { y = ${choice.pick(["dpdx(x)", "fwidth(y)"])}; }`,
      "return y;",
    ]),
  ];
}

function matrices(module: ModuleState): readonly Statement[] {
  const { choice } = module;
  const name = module.fresh("f");
  const [columns, rows] = [choice.int(2, 4), choice.int(2, 4)];
  return [
    functionOf(name, `fn ${name}(m: mat${columns}x${rows}f, v: vec${columns}f) -> vec${rows}f`, [
      `var n = mat${columns}x${rows}<f32>();`,
      "n[1] = m[0] * 2;",
      "n[0][1] = m[1].y;",
      "n += m;",
      `n *= ${choice.pick(["2", "0.5f", `mat${columns}x${columns}f()`])};`,
      `return ${choice.pick(["n * v", "m * v + n * v", "(v * transpose(n))"])};`,
    ]),
  ];
}
