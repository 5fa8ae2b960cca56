/** Words that people bring from other languages, and what WGSL has instead. Only asked where a text is wrong already. */

/** Where a declaration or statement should begin; the values are what a message says is expected. */
const FOREIGN_KEYWORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "‘fn’": "function func fun def proc sub kernel",
    "‘alias’": "typedef type using",
    "‘struct’": "class interface record union cbuffer",
    "‘const’ for each value": "enum",
    "‘const’": "constexpr final define immutable",
    "‘override’": "specialization layout",
    "‘var<private>’": "static global thread_local",
    "‘var<workgroup>’": "shared groupshared threadgroup",
    "‘var<uniform>’": "uniform",
    "‘var<storage>’": "buffer",
    "‘let’ or ‘var’": "auto val local",
    "‘var’": "mut mutable",
    "‘const_assert’": "static_assert assert",
    "the declaration alone":
      "inline public private protected pub extern export virtual unsafe async precise highp mediump lowp",
    "all declarations in one text": "import include use require module package namespace from",
    "‘loop’ with ‘break if’ in its ‘continuing’ block": "do repeat",
    "‘while’": "until",
    "‘if’": "unless",
    "‘else if’": "elif elseif elsif",
    "‘for’": "foreach",
    "‘switch’": "match when",
    "‘return’": "yield",
    "‘if’, ‘loop’ and ‘break’": "goto try throw",
  }).flatMap(([expected, words]) => words.split(" ").map((word): [string, string] => [word, expected])),
);

export function foreignKeyword(word: string): string | null {
  return FOREIGN_KEYWORDS.get(word) ?? null;
}

const FOREIGN_SCALARS: ReadonlyMap<string, string> = new Map([
  ["int", "i32"],
  ["uint", "u32"],
  ["float", "f32"],
  ["double", "f32"],
  ["half", "f16"],
]);

const typePattern =
  /^(?:bool|void|int|uint|float|double|half|[iuf]32|f16|(?:vec|mat)\d\w*|(?:float|half|u?int)\d\w*|[iub]vec\d|array|atomic|ptr|sampler\w*|texture_\w+)$/;

/** Whether a name is or looks like a type of WGSL, GLSL or HLSL. */
export function looksLikeType(name: string): boolean {
  return typePattern.test(name);
}

/** The scalar types of other languages by their names in WGSL. */
export function typeInWgsl(name: string): string {
  return FOREIGN_SCALARS.get(name) ?? name;
}
