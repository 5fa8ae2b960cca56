/** Small programs whose invocations share memory, some with races, some without. */
import { Random } from "../../src/engine/random.ts";

export interface RandomProgram {
  readonly source: string;
  readonly workgroupSize: number;
  readonly workgroups: number;
  /** The variable that is bound to the buffer of `words` too; null: none. */
  readonly alias: "sv" | "sa" | null;
}

const HEAD = `
requires unrestricted_pointer_parameters, readonly_and_readwrite_storage_textures;
struct Mixed { a: vec3f, b: f32, m: mat2x2f, n: array<vec2u, 2> }
var<workgroup> w: array<u32, 8>;
var<workgroup> wv: array<vec3u, 4>;
var<workgroup> wa: array<atomic<u32>, 4>;
var<workgroup> wm: Mixed;
var<workgroup> one: u32;
@group(0) @binding(0) var<storage, read_write> s: array<u32, 8>;
@group(0) @binding(1) var<storage, read_write> sv: array<vec4u, 4>;
@group(0) @binding(2) var<storage, read_write> words: array<u32, 16>;
@group(0) @binding(3) var<storage, read_write> sa: array<atomic<u32>, 16>;
@group(0) @binding(4) var<storage, read_write> sm: Mixed;
@group(0) @binding(5) var<storage, read_write> sh: array<HALF, 4>;
var<private> own: array<u32, 4>;
fn put(p: ptr<storage, u32, read_write>, x: u32) { *p = x; }
fn raise(p: ptr<workgroup, u32>) { *p += 1u; }
fn turn(p: ptr<function, u32>) -> u32 { *p += 1u; return *p % 8u; }
fn take(i: u32) -> u32 { return w[i] + own[i % 4u]; }
fn give(i: u32, x: u32) { if (x > 1u) { s[i] = x; own[x % 4u] = i; } }
fn column(i: u32) -> vec2f { return sm.m[i]; }
fn meet() { storageBarrier(); workgroupBarrier(); }
`;

/** The program of a number. */
export function randomProgram(seed: number): RandomProgram {
  const maker = new Maker(new Random(seed));
  return maker.program();
}

class Maker {
  readonly #random: Random;
  /** How likely a statement stays with what is its invocation's own, and is followed by barriers. */
  #care = 0;
  #size = 1;
  #usesHalves = false;
  #alias: RandomProgram["alias"] = null;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): RandomProgram {
    this.#care = this.#pick([0, 0.5, 0.8, 1]);
    this.#size = this.#pick([1, 2, 3, 4, 8]);
    this.#usesHalves = this.#random.chance(0.3);
    const workgroups = this.#pick([1, 1, 2, 3]);
    const alias = this.#pick([null, null, null, "sv", "sa"] as const);
    this.#alias = alias;
    const count = 1 + this.#random.below(5);
    const body = Array.from({ length: count }, () => this.#block()).join("\n");
    const half = this.#usesHalves ? "vec2h" : "vec2u";
    const source = `${this.#usesHalves ? "enable f16;" : ""}${HEAD.replace("HALF", half)}
@compute @workgroup_size(${this.#size})
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) wg: vec3u) {
  let id = wg.x * ${this.#size}u + lane;
  var acc = 0u;
${body}
  _ = acc;
}`;
    return { source, workgroupSize: this.#size, workgroups, alias };
  }

  #block(): string {
    if (!this.#random.chance(0.2)) return this.#statementWithBarriers();
    const inner = Array.from({ length: 1 + this.#random.below(2) }, () => this.#statementWithBarriers()).join("\n");
    return `  for (var i = 0u; i < 2u; i++) {\n${inner}\n  }`;
  }

  #statementWithBarriers(): string {
    const barriers = this.#random.chance(this.#care) ? "  workgroupBarrier(); storageBarrier();" : this.#barrier();
    return `${this.#guarded()}\n${barriers}`;
  }

  #barrier(): string {
    return this.#pick([
      "",
      "",
      "  workgroupBarrier();",
      "  storageBarrier();",
      "  acc += workgroupUniformLoad(&one);",
      "  textureBarrier();",
      "  meet();",
    ]);
  }

  #guarded(): string {
    const statement = this.#statement();
    if (this.#random.chance(0.5)) return `  ${statement}`;
    return `  if (${this.#pick(["lane == 0u", "lane < 2u", "id % 2u == 0u", "wg.x == 0u", "id == 1u"])}) { ${statement} }`;
  }

  #statement(): string {
    if (this.#alias === "sa" && this.#random.chance(0.7)) return this.#mixed();
    const statements = [
      () => `${this.#place()} = id;`,
      () => `acc += ${this.#place()};`,
      () => `${this.#place()} += 1u;`,
      () => `wv[${this.#index(4)}] = vec3u(id);`,
      () => `acc += wv[${this.#index(4)}].${this.#pick(["x", "y", "z"])};`,
      () => `sv[${this.#index(4)}][${this.#index(4)}] = id;`,
      () => `acc += sv[${this.#index(4)}][${this.#index(4)}];`,
      () => `sv[${this.#index(4)}] = vec4u(id);`,
      () => `${this.#pick(["wm", "sm"])}.a.${this.#pick(["x", "y", "z"])} = f32(id);`,
      () => `acc += u32(${this.#pick(["wm", "sm"])}.a.${this.#pick(["x", "y", "z"])});`,
      () => `${this.#pick(["wm", "sm"])}.b = 1.0;`,
      () => `acc += u32(${this.#pick(["wm", "sm"])}.b);`,
      () => `${this.#pick(["wm", "sm"])}.m[${this.#index(2)}][${this.#index(2)}] = 2.0;`,
      () => `acc += u32(${this.#pick(["wm", "sm"])}.m[${this.#index(2)}].x);`,
      () => `{ let all = ${this.#pick(["wm", "sm"])}; acc += u32(all.b); }`,
      () => `sm.n[${this.#index(2)}] = vec2u(id);`,
      () => `acc += ${this.#atomic()};`,
      () => `atomicStore(&${this.#atomicPlace()}, ${this.#pick(["1u", "id"])});`,
      () => `one = 3u;`,
      () => `put(&${this.#pick(["s", "words"])}[${this.#index(8)}], id);`,
      () => `raise(&w[${this.#index(8)}]);`,
      () => `acc += take(${this.#index(8)});`,
      () => `give(${this.#index(8)}, id);`,
      () => `w[turn(&acc)] = id;`,
      () => `acc += u32(column(${this.#index(2)}).y);`,
      () => `{ let p = &sm.n[${this.#index(2)}]; (*p).x = id; acc += (*p).y; }`,
      () => `{ let p = &wv[${this.#index(4)}]; acc += (*p).z; (*p) = vec3u(acc); }`,
      () =>
        `switch (id % 3u) { case 0u: { ${this.#place()} = 1u; } case 1u: { acc += ${this.#place()}; } default: { } }`,
      () => (this.#usesHalves ? `sh[${this.#index(4)}].y = 1.0h;` : `sh[${this.#index(4)}].y = 1u;`),
      () => `acc += u32(sh[${this.#index(4)}].x);`,
    ];
    return this.#pick(statements)();
  }

  /** Atomic and other accesses to the same words. */
  #mixed(): string {
    const [i, j] = [this.#index(4), this.#index(4)];
    return this.#pick([
      `acc += atomicLoad(&sa[${i}]);`,
      `atomicAdd(&sa[${i}], 1u);`,
      `atomicStore(&sa[${i}], id);`,
      `words[${j}] = id;`,
      `acc += words[${j}];`,
    ]);
  }

  #place(): string {
    return this.#pick([`w[${this.#index(8)}]`, `s[${this.#index(8)}]`, `words[${this.#index(16)}]`]);
  }

  #atomicPlace(): string {
    return `${this.#pick(["wa", "sa"])}[${this.#index(4)}]`;
  }

  #atomic(): string {
    const place = this.#atomicPlace();
    return this.#pick([
      `atomicAdd(&${place}, 1u)`,
      `atomicMax(&${place}, id)`,
      `atomicLoad(&${place})`,
      `atomicExchange(&${place}, id)`,
      `atomicCompareExchangeWeak(&${place}, 0u, 1u).old_value`,
    ]);
  }

  #index(count: number): string {
    if (this.#random.chance(this.#care)) return `id % ${count}u`;
    const n = this.#random.below(count);
    return this.#pick([
      `${n}u`,
      `lane % ${count}u`,
      `(lane + ${n}u) % ${count}u`,
      `(id / 2u) % ${count}u`,
      `wg.x % ${count}u`,
    ]);
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#random.below(items.length)];
  }
}
