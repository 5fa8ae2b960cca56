/** Words that people bring from other languages, and what WGSL has instead. Only asked where a text is wrong already. */
import { type DiagnosticExtras, type MessageValue, note, removal, replacement } from "../diagnostics/diagnostic.ts";
import type { Span } from "../text/source.ts";
import { Name } from "./ast.ts";
import { FOREIGN_TYPES } from "./foreign-names.ts";
import { SAY } from "./phrases.ts";

/** Where a declaration or statement should begin: what a message says is expected, and the words. */
const KEYWORDS: readonly (readonly [expected: MessageValue, words: string])[] = [
  ["‘fn’", "function func fun def proc sub"],
  ["‘@compute @workgroup_size(64) fn’", "kernel __kernel __global__"],
  ["‘alias’", "typedef type using"],
  ["‘struct’", "class interface record union"],
  ["‘struct’ and ‘@group(0) @binding(0) var<uniform>’", "cbuffer"],
  [SAY["const-for-each"], "enum"],
  [SAY["stage-io"], "in out varying attribute"],
  [SAY["plain-functions"], "impl trait"],
  [SAY["values-in-case"], "fallthrough"],
  ["‘const’", "constexpr final define immutable __constant__"],
  ["‘override’", "specialization"],
  ["‘var<private>’", "static global thread_local"],
  ["‘var<workgroup>’", "shared groupshared threadgroup __shared__ __local"],
  ["‘var<uniform>’", "uniform"],
  ["‘var<storage>’", "buffer"],
  [SAY["let-or-var"], "auto val local"],
  ["‘var’", "mut mutable"],
  ["‘const_assert’", "static_assert assert"],
  [
    SAY["declaration-alone"],
    "inline public private protected pub extern export virtual unsafe async precise highp mediump lowp volatile __device__ __host__ __forceinline__",
  ],
  [SAY["one-text"], "import include use require module package namespace from mod"],
  [SAY["loop-with-break-if"], "do repeat"],
  ["‘while’", "until"],
  ["‘if’", "unless"],
  ["‘else if’", "elif elseif elsif"],
  ["‘for’", "foreach"],
  ["‘switch’", "match when"],
  ["‘return’", "yield"],
  [SAY["if-loop-break"], "goto try throw"],
  [SAY["fixed-precision"], "precision"],
  [SAY["one-per-type"], "template"],
];

const FOREIGN_KEYWORDS: ReadonlyMap<string, MessageValue> = new Map(
  KEYWORDS.flatMap(([expected, words]) => words.split(" ").map((word): [string, MessageValue] => [word, expected])),
);

export function foreignKeyword(word: string): MessageValue | null {
  return FOREIGN_KEYWORDS.get(word) ?? null;
}

/** Whether a word can be before the name of a function elsewhere; of those that name a type, any can. */
export function isFunctionWord(word: string): boolean {
  if (looksLikeType(word) || word === "static") return true;
  const expected = FOREIGN_KEYWORDS.get(word);
  return expected === SAY["declaration-alone"] || (typeof expected === "string" && expected.endsWith("fn’"));
}

/** What stands before a parameter elsewhere: how it is passed. */
const PASSINGS: ReadonlyMap<string, MessageValue> = new Map<string, MessageValue>([
  ["inout", "‘ptr<function, T>’"],
  ["out", "‘ptr<function, T>’"],
  ["in", SAY["declaration-alone"]],
  ["const", SAY["declaration-alone"]],
  ["mut", "‘ptr<function, T>’"],
]);

export function foreignPassing(word: string): MessageValue | null {
  return PASSINGS.get(word) ?? null;
}

/** Where a type is wanted, these stand for one as well. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ...FOREIGN_TYPES,
  ["double", "f32"],
  ["number", "f32"],
  ["size_t", "u32"],
  ["int32_t", "i32"],
  ["uint32_t", "u32"],
  ["float32", "f32"],
  ["int32", "i32"],
  ["uint32", "u32"],
  ["vec2", "vec2f"],
  ["vec3", "vec3f"],
  ["vec4", "vec4f"],
]);

const typePattern =
  /^(?:bool\d?|void|int|uint|float|double|half|[iuf]32|f16|(?:vec|mat)\d\w*|(?:float|half|u?int)\d\w*|[iub]vec\d|array|atomic|ptr|sampler\w*|texture_\w+)$/;

/** Whether a name is or looks like a type of WGSL, GLSL or HLSL. */
export function looksLikeType(name: string): boolean {
  return typePattern.test(name);
}

/** The types of other languages by their names in WGSL. */
export function typeInWgsl(name: string): string {
  return TYPES.get(name) ?? name;
}

/** What stands for `layout(…)` of GLSL, by what is in the parentheses and what follows them. */
export function layoutInWgsl(inside: string, following: string): string {
  if (/\blocal_size/.test(inside)) return "‘@workgroup_size(x, y, z)’";
  if (/\bconstant_id\b/.test(inside)) return "‘@id(0) override’";
  if (/\bpush_constant\b/.test(inside)) return "‘var<immediate>’";
  if (/\blocation\b/.test(inside)) return "‘@location(0)’";
  if (following === "uniform") return "‘@group(0) @binding(0) var<uniform>’";
  return `‘@group(0) @binding(0) var<storage, ${following === "readonly" ? "read" : "read_write"}>’`;
}

/** A parameter of another language: its name, where that begins in what is written, and how WGSL writes it, if that is known. */
export interface ForeignParam {
  readonly name: string;
  readonly at: number;
  readonly inWgsl: string | null;
}

/** Of longer parameters nothing is known. */
const LONGEST_PARAM = 200;

/** `int x`, `uint3 id : SV_GroupID`, `x: number`, `x float32`, `device float* a [[buffer(0)]]` or just `x` */
export function foreignParam(written: string): ForeignParam | null {
  if (written.length > LONGEST_PARAM) return null;
  const [, first, second] = /^(\w+)(?:\s*:\s*|\s+)(\w+)$/.exec(written) ?? [];
  const isNameFirst = written.includes(":") || (looksLikeType(second) && !looksLikeType(first));
  if (second !== undefined && isNameFirst) return { name: first, at: 0, inWgsl: `${first}: ${typeInWgsl(second)}` };
  const [, before, name, behind] = /^([^=:[]*?)(\w+)\s*([=:[].*)?$/s.exec(written) ?? [];
  if (name === undefined) return null;
  const [, type] = /^(?:(?:in|const)\s+)*(\w+)\s+$/.exec(before) ?? [];
  const typed = type === undefined ? null : `${name}: ${typeInWgsl(type)}`;
  return { name, at: before.length, inWgsl: typed === null ? null : withAttribute(typed, behind ?? "") };
}

/** `behind`: a semantic of HLSL, an attribute of Metal, or nothing that is known. */
function withAttribute(typed: string, behind: string): string | null {
  if (behind === "") return typed;
  const semantic = semanticInWgsl(behind.replace(/^:\s*/, ""));
  if (semantic !== null) return `${semantic.slice(1, -1)} ${typed}`;
  const [, written] = /^\[\[\s*(\w+)\s*\]\]$/.exec(behind) ?? [];
  // Of some, Metal has one component as well.
  return written !== undefined && METAL.has(written) && typed.endsWith(": vec3u")
    ? `@${bracketsInWgsl(written)} ${typed}`
    : null;
}

const SEMANTICS: ReadonlyMap<string, string> = new Map([
  ["SV_DispatchThreadID", "‘@builtin(global_invocation_id)’"],
  ["SV_GroupThreadID", "‘@builtin(local_invocation_id)’"],
  ["SV_GroupID", "‘@builtin(workgroup_id)’"],
  ["SV_GroupIndex", "‘@builtin(local_invocation_index)’"],
  ["SV_VertexID", "‘@builtin(vertex_index)’"],
  ["SV_InstanceID", "‘@builtin(instance_index)’"],
  ["SV_Position", "‘@builtin(position)’"],
  ["SV_Depth", "‘@builtin(frag_depth)’"],
  ["SV_IsFrontFace", "‘@builtin(front_facing)’"],
]);

/** Attributes of Metal. */
const METAL: ReadonlyMap<string, string> = new Map([
  ["thread_position_in_grid", "builtin(global_invocation_id)"],
  ["thread_position_in_threadgroup", "builtin(local_invocation_id)"],
  ["thread_index_in_threadgroup", "builtin(local_invocation_index)"],
  ["threadgroup_position_in_grid", "builtin(workgroup_id)"],
  ["threadgroups_per_grid", "builtin(num_workgroups)"],
  ["thread_index_in_simdgroup", "builtin(subgroup_invocation_id)"],
  ["threads_per_simdgroup", "builtin(subgroup_size)"],
  ["vertex_id", "builtin(vertex_index)"],
  ["instance_id", "builtin(instance_index)"],
  ["front_facing", "builtin(front_facing)"],
  ["position", "builtin(position)"],
]);

/** What is in double brackets, as WGSL writes it behind an `@`. */
export function bracketsInWgsl(written: string): string {
  const metal = METAL.get(written);
  if (metal !== undefined) return metal;
  if (/^(?:attribute|color|user)\(/.test(written)) return written.replace(/^\w+\(\D*(\d*).*$/, "location($1)");
  return written.replace(/\bstage\((\w+)\)/, "$1").replace(/\s*,\s*(?![^(]*\))/g, " @");
}

/** What WGSL writes before a parameter or result in place of a semantic of HLSL; null: the word is none. */
export function semanticInWgsl(word: string): string | null {
  const isLocation = /^(?:SV_Target|TEXCOORD|COLOR|NORMAL|POSITION)\d*$/i.test(word);
  return SEMANTICS.get(word) ?? (isLocation ? `‘@location(${/\d+$/.exec(word)?.[0] ?? 0})’` : null);
}

const DEFINITION = /^([ \t]*#[ \t]*define[ \t]+)([A-Za-z_]\w*)(?:[ \t]+(\w+))?/gm;

/** The names that lines for a preprocessor define, where they stand, and which type they are for, if that is one. */
export function namesDefined(text: string): readonly { readonly name: Name; readonly type: string | null }[] {
  return Array.from(text.matchAll(DEFINITION), ({ 1: before, 2: name, 3: value, index }) => {
    const start = index + before.length;
    const type = value !== undefined && looksLikeType(value) ? typeInWgsl(value) : null;
    return { name: new Name(name, start, start + name.length), type };
  });
}

/** Of a longer line for a preprocessor, the beginning says what it wants. */
const LONGEST_DIRECTIVE = 200;

/** How WGSL has what a line for a preprocessor wants, with the edit where one line takes the place of the other. */
export function directiveHints(text: string, place: Span, end: number): DiagnosticExtras {
  const line = text.slice(place.start, Math.min(end, place.start + LONGEST_DIRECTIVE));
  const hints = hintsOf(line, place);
  return line.length < LONGEST_DIRECTIVE ? hints : { ...hints, fixes: [] };
}

function hintsOf(line: string, place: Span): DiagnosticExtras {
  const [all, name, value] = /^#[ \t]*define[ \t]+(\w+)[ \t]+((?:(?!\/[/*]|\s*$)[^\r\n])+)/.exec(line) ?? [];
  if (all !== undefined) {
    const whole = { start: place.start, end: place.start + all.trimEnd().length };
    const type = typeInWgsl(value);
    if (looksLikeType(type)) return { fixes: [replacement(whole, `alias ${name} = ${type};`)] };
    const constant = value.trimEnd();
    const notes = [note("define-constant", place, { name, value: constant })];
    return { notes, fixes: isPlainValue(constant) ? [replacement(whole, `const ${name} = ${constant};`)] : [] };
  }
  if (/^#[ \t]*define\b/.test(line)) return { notes: [note("define-function", place, {})] };
  if (/^#[ \t]*(?:if|el|end)/.test(line)) return { notes: [note("choose-by-override", place, {})] };
  if (/^#[ \t]*(?:include|import)\b/.test(line)) return { notes: [note("one-text", place, {})] };
  const isNothing = /^#[ \t]*(?:version|extension|pragma|undef|line)\b/.test(line);
  return isNothing ? { fixes: [removal({ start: place.start, end: place.start + line.length }, line)] } : {};
}

/** Whether what a macro stands for is an expression of WGSL as well. */
function isPlainValue(text: string): boolean {
  return /^[\w\s.+*/%()&|^~<>-]+$/.test(text) && !/[a-zA-Z_]\w*\s+\w|^\(\w+\)\s*\w|[\d.][lLd]\b/.test(text);
}

/** Words that stand before a declaration elsewhere and that WGSL has under another name or not at all. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["function", "fn"],
  ["func", "fn"],
  ["fun", "fn"],
  ["def", "fn"],
  ["constexpr", "const"],
  ["elif", "else if"],
  ["elseif", "else if"],
  ["elsif", "else if"],
]);

/** What can just take the place of a word; null: more has to change. */
export function keywordInstead(word: string): string | null {
  return RENAMED.get(word) ?? null;
}

/** Methods of HLSL and Metal, by the functions that WGSL has for them. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ["Sample", "textureSample"],
  ["SampleLevel", "textureSampleLevel"],
  ["SampleBias", "textureSampleBias"],
  ["SampleGrad", "textureSampleGrad"],
  ["SampleCmp", "textureSampleCompare"],
  ["SampleCmpLevelZero", "textureSampleCompareLevel"],
  ["Load", "textureLoad"],
  ["GetDimensions", "textureDimensions"],
  ["sample", "textureSample"],
  ["read", "textureLoad"],
  ["write", "textureStore"],
]);

export function functionForMethod(name: string): string | null {
  return METHODS.get(name) ?? null;
}

/** A number as other languages write it, as WGSL does: `1U`, `0u32`, `1_000`, `2.0d`, `1L`; null: it is none. */
export function numberInWgsl(text: string): string | null {
  const [bits, sign] = /^(0[bBoO][0-7_]+)(u?)$/.exec(text)?.slice(1) ?? [];
  if (bits !== undefined && /^0[oO]|^0[bB][01_]+$/.test(bits)) {
    return `0x${BigInt(bits.replaceAll("_", "")).toString(16)}${sign}`;
  }
  const [, digits, suffix] =
    /^(0[xX][\da-fA-F_]+|[\d_]*\.?[\d_]+(?:[eE][+-]?\d+)?\.?)_?([a-zA-Z]\w*)?$/.exec(text) ?? [];
  const plain = digits?.replaceAll("_", "");
  if (plain === undefined || plain === "" || /^0\d/.test(plain)) return null;
  if (suffix === undefined) return plain === text ? null : plain;
  if (/^(?:[uU][lL]{0,2}|[lL]{1,2}[uU]|u(?:8|16|32|size)|usize)$/.test(suffix)) return `${plain}u`;
  if (/^(?:[lL]{1,2}|i(?:8|16|32)|isize)$/.test(suffix)) return plain;
  return /^(?:[fF]|[lL][fF]|[dD]|f\d+)$/.test(suffix) ? `${plain}f` : null;
}

/** Constants of Rust. */
const PATHS: ReadonlyMap<string, string> = new Map([
  ["u32::MAX", "0xffffffffu"],
  ["u32::MIN", "0u"],
  ["i32::MAX", "2147483647"],
  ["i32::MIN", "i32(-2147483648)"],
  ["f32::MAX", "3.40282347e+38f"],
  ["f32::MIN", "-3.40282347e+38f"],
  ["f32::EPSILON", "1.1920929e-7f"],
  ["f32::MIN_POSITIVE", "1.17549435e-38f"],
  ["f32::consts::PI", "3.14159265f"],
  ["std::f32::consts::PI", "3.14159265f"],
]);

export function constantOfPath(path: string): string | null {
  return PATHS.get(path) ?? null;
}
