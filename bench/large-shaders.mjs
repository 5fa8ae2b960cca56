// Large shaders for measuring front ends: the kernels and examples of this repository and random programs, many in one
// module, and texts as programs write them that unroll loops.
import { readdirSync, readFileSync } from "node:fs";
import { runnerImport } from "vite";
import { tokenize } from "../dist/syntax/lexer.js";
import { parse } from "../dist/syntax/parser.js";
import { Source } from "../dist/text/source.js";

const here = (path) => new URL(path, import.meta.url);
export const shadersIn = (folder) =>
  readdirSync(here(folder))
    .filter((name) => name.endsWith(".wgsl"))
    .map((name) => readFileSync(here(`${folder}/${name}`), "utf8"));

/** The text with `suffix` behind every name that it declares at module scope, so that many texts make one module. */
function renamed(text, suffix) {
  const { module } = parse(new Source(text));
  const names = new Set(module.declarations.map((declaration) => declaration.name?.text));
  const members = module.declarations.flatMap((declaration) =>
    declaration.kind === "struct" ? declaration.members : [],
  );
  const untouched = new Set(members.map((member) => member.name.span.start));
  let result = "";
  let end = 0;
  for (const { class: kind, span } of tokenize(text)) {
    if (kind !== "identifier" || !names.has(text.slice(span.start, span.end))) continue;
    if (".@".includes(text[span.start - 1]) || untouched.has(span.start)) continue;
    result += text.slice(end, span.end) + suffix;
    end = span.end;
  }
  return result + text.slice(end);
}

/** All texts over and over, until there are so many lines. Directives come first, each once. */
export function joined(texts, lines) {
  const parts = [];
  const directives = new Set();
  for (let i = 0, count = 0; count < lines; i++) {
    const text = renamed(texts[i % texts.length], `_${i}`).replace(/^(?:enable|requires|diagnostic)\b.*$/gm, (line) => {
      directives.add(line);
      return "";
    });
    parts.push(text);
    count += text.split("\n").length;
  }
  return [...directives, ...parts].join("\n");
}

const count = (length, part) => Array.from({ length }, (_, i) => part(i)).join("\n");

/** SHA-256 of one block per invocation, all rounds written out. */
function unrolledHash() {
  const rotate = (x, by) => `((${x} >> ${by}u) | (${x} << ${32 - by}u))`;
  const schedule = count(48, (i) => {
    const [a, b] = [`w${i + 1}`, `w${i + 14}`];
    return `  let s${i} = ${rotate(a, 7)} ^ ${rotate(a, 18)} ^ (${a} >> 3u);
  let t${i} = ${rotate(b, 17)} ^ ${rotate(b, 19)} ^ (${b} >> 10u);
  let w${i + 16} = w${i} + s${i} + w${i + 9} + t${i};`;
  });
  const rounds = count(64, (i) => {
    const [a, b, c, d, e, f, g, h] = Array.from({ length: 8 }, (_, at) => "abcdefgh"[(at + 64 - i) % 8]);
    return `  let u${i} = ${h} + (${rotate(e, 6)} ^ ${rotate(e, 11)} ^ ${rotate(e, 25)}) + ((${e} & ${f}) ^ (~${e} & ${g})) + K[${i}] + w${i};
  ${d} += u${i};
  ${h} = u${i} + (${rotate(a, 2)} ^ ${rotate(a, 13)} ^ ${rotate(a, 22)}) + ((${a} & ${b}) ^ (${a} & ${c}) ^ (${b} & ${c}));`;
  });
  const block = (name) => `fn ${name}(at: u32, state: ptr<function, array<u32, 8>>) {
${count(16, (i) => `  let w${i} = blocks[at + ${i}u];`)}
${schedule}
${count(8, (i) => `  var ${"abcdefgh"[i]} = (*state)[${i}];`)}
${rounds}
${count(8, (i) => `  (*state)[${i}] += ${"abcdefgh"[i]};`)}
}`;
  const constants = Array.from({ length: 64 }, (_, i) => `${Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32)}u`);
  return `const K = array<u32, 64>(${constants.join(", ")});
@group(0) @binding(0) var<storage> blocks: array<u32>;
@group(0) @binding(1) var<storage, read_write> digests: array<array<u32, 8>>;
${count(4, (i) => block(`compress_${i}`))}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var state = array<u32, 8>(1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u);
${count(4, (i) => `  compress_${i}(id.x * 64u + ${16 * i}u, &state);`)}
  digests[id.x] = state;
}
`;
}

/** A fast Fourier transform of 2^`bits` points in registers and workgroup memory, every butterfly written out. */
function unrolledTransform(bits) {
  const size = 2 ** bits;
  const stage = (level) => {
    const half = 2 ** level;
    const butterflies = count(size / 2, (i) => {
      const at = Math.floor(i / half) * 2 * half + (i % half);
      const angle = (-Math.PI * (i % half)) / half;
      const [c, s] = [Math.cos(angle).toFixed(9), Math.sin(angle).toFixed(9)];
      return `  let t${level}_${i} = multiply(x[${at + half}], vec2f(${c}, ${s}));
  x[${at + half}] = x[${at}] - t${level}_${i};
  x[${at}] += t${level}_${i};`;
    });
    return `${butterflies}
  for (var i = 0u; i < ${size}u; i++) {
    shared_points[lane * ${size}u + i] = x[i];
  }
  workgroupBarrier();
  for (var i = 0u; i < ${size}u; i++) {
    x[i] = shared_points[((lane ^ ${level + 1}u) & 7u) * ${size}u + i];
  }
  workgroupBarrier();`;
  };
  return `@group(0) @binding(0) var<storage, read_write> points: array<vec2f>;
var<workgroup> shared_points: array<vec2f, ${8 * size}>;
fn multiply(a: vec2f, b: vec2f) -> vec2f {
  return vec2f(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  var x: array<vec2f, ${size}>;
  for (var i = 0u; i < ${size}u; i++) {
    x[i] = points[id.x * ${size}u + i];
  }
${count(bits, stage)}
  for (var i = 0u; i < ${size}u; i++) {
    points[id.x * ${size}u + i] = x[i];
  }
}
`;
}

/** An interpreter of byte code: one large `switch` in a loop. */
function interpreter(operations) {
  const forms = [
    (i) => `stack[top - 1u] = stack[top - 1u] + stack[top] * ${i}.5;
        top -= 1u;`,
    (i) => `if (stack[top] > f32(${i})) {
          at = code[at + 1u];
          continue;
        }`,
    (i) => `top += 1u;
        stack[top] = memory[(at + ${i}u) % arrayLength(&memory)].xyz[${i % 3}];`,
    (i) => `let v = memory[at & ${2 ** (1 + (i % 8)) - 1}u];
        stack[top] = select(dot(v, v.wzyx), length(v.xy), stack[top] < 0.0) / ${i + 1}.0;`,
    (i) => `for (var k = 0u; k < ${2 + (i % 5)}u; k++) {
          stack[top] = fma(stack[top], 0.5, sin(stack[k]));
        }`,
  ];
  return `@group(0) @binding(0) var<storage> code: array<u32>;
@group(0) @binding(1) var<storage, read_write> memory: array<vec4f>;
@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var stack: array<f32, 64>;
  var top = 8u;
  var at = id.x;
  for (var steps = 0u; steps < 10000u; steps++) {
    top = clamp(top, 1u, 62u);
    switch (code[at]) {
${count(
  operations,
  (i) => `      case ${i}u: {
        ${forms[i % forms.length](i)}
      }`,
)}
      default: {
        break;
      }
    }
    at += 1u;
  }
  memory[id.x].x = stack[top];
}
`;
}

/** Layers of a neural network, one function each, with weights in structures. */
function network(layers) {
  const layer = (i) => `struct Layer${i} {
  weights: array<mat4x4f, ${4 + (i % 3)}>,
  bias: vec4f,
  @align(32) scale: f32,
}
@group(${i % 4}) @binding(${Math.floor(i / 4)}) var<storage> layer${i}: Layer${i};
/// Normalises, multiplies, and lets through what is positive.
fn apply${i}(input: ptr<function, array<vec4f, 8>>, lane: u32) -> f32 {
  var sum = vec4f();
  var largest = -3.4e38;
  for (var i = 0; i < ${4 + (i % 3)}; i++) {
    let x = (*input)[i] * layer${i}.scale;
    sum += layer${i}.weights[i] * x + layer${i}.bias;
    largest = max(largest, max(max(x.x, x.y), max(x.z, x.w)));
  }
  partial[lane] = sum;
  workgroupBarrier();
  if (lane < 32u) {
    partial[lane] += partial[lane + 32u];
  }
  workgroupBarrier();
  let mean = dot(partial[0], vec4f(0.25));
  (*input)[${i % 8}] = select(max(sum - mean, vec4f()), exp(min(sum, vec4f(8.0))), vec4<bool>(largest > ${i}.0));
  return largest;
}`;
  return `var<workgroup> partial: array<vec4f, 64>;
@group(0) @binding(100) var<storage, read_write> result: array<vec4f>;
${count(layers, layer)}
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(global_invocation_id) id: vec3u) {
  var values: array<vec4f, 8>;
  var largest = 0.0;
${count(layers, (i) => `  largest = max(largest, apply${i}(&values, lane));`)}
  result[id.x] = values[0] / largest;
}
`;
}

/** Random programs of a level, with about `size` statements each. */
export async function randomPrograms(level, count, size) {
  const { module: random } = await runnerImport(here("../test/random/program.ts").pathname);
  return random.samplePrograms(count, 7, { level, size }).map((each) => each.source);
}

/** Ten modules, the smallest of about a thousand lines. */
export async function largeShaders() {
  const kernels = shadersIn("kernels");
  const examples = shadersIn("../examples");
  return [
    { name: "benchmark kernels, repeated", text: joined(kernels, 2000) },
    { name: "examples, repeated", text: joined(examples, 3000) },
    { name: "kernels and examples", text: joined([...kernels, ...examples], 10000) },
    { name: "random programs, shared memory", text: joined(await randomPrograms("b", 25, 60), 3000) },
    { name: "random programs, all of the language", text: joined(await randomPrograms("c", 25, 60), 3000) },
    { name: "random programs, twice as many", text: joined(await randomPrograms("b", 50, 60), 6000) },
    { name: "hash, unrolled", text: unrolledHash() },
    { name: "Fourier transform, unrolled", text: unrolledTransform(6) },
    { name: "interpreter of 500 operations", text: interpreter(500) },
    { name: "network of 100 layers", text: network(100) },
  ];
}
