/** Random ways through a phase, by four at once and one by one: the same bytes. */
import { describe, expect, test } from "vitest";
import { Bench } from "../../../test/support/engine.ts";
import { compareOn } from "../../../test/support/wasm.ts";
import { Random } from "../random.ts";
import { compileKernel } from "./compile.ts";

const COUNT = 24;

/** Statements that may send each invocation another way; every loop ends, and each stores in elements of its own. */
class Maker {
  readonly #random: Random;
  #names = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  #int(count: number): number {
    return this.#random.below(count);
  }

  #pick<T>(...list: readonly T[]): T {
    return list[this.#int(list.length)];
  }

  #word(depth: number): string {
    if (depth === 0)
      return this.#pick(
        "r",
        "s",
        "t",
        "m",
        "i",
        "lane",
        "group.x",
        "at.y",
        "(group.y + 3u)",
        "(group.z + 7u)",
        `u[${this.#index()}]`,
      );
    const [a, b] = [this.#word(depth - 1), this.#word(depth - 1)];
    return this.#pick(
      `(${a} ${this.#pick("+", "-", "*", "/", "%", "&", "|", "^")} ${b})`,
      `(${a} ${this.#pick("<<", ">>")} (${b} % 32u))`,
      `min(${a}, ${b})`,
      `select(${a}, ${b}, ${this.#condition(depth - 1)})`,
      `u32(${this.#float(depth - 1)})`,
      `u32(${this.#condition(depth - 1)})`,
      `countOneBits(${a})`,
      `vec3(${a}, ${b}, 1u)[${a} % 4u]`,
    );
  }

  #float(depth: number): string {
    if (depth === 0) return this.#pick("x", "y", "(f32(group.y) + 0.5)", "f32(m)", "f[i]");
    const [a, b] = [this.#float(depth - 1), this.#float(depth - 1)];
    return this.#pick(
      `(${a} ${this.#pick("+", "-", "*")} ${b})`,
      `max(${a}, ${b})`,
      `sin(${a})`,
      `floor(${a})`,
      `fract(${a})`,
    );
  }

  #condition(depth: number): string {
    if (depth <= 0) return this.#pick("c", "(m > 40u)", "(group.x == 0u)", "(lane < 5u)", "(i % 3u == 1u)");
    const compare = this.#pick("<", "<=", "==", "!=", ">");
    return this.#pick(
      `(${this.#word(depth - 1)} ${compare} ${this.#word(depth - 1)})`,
      `(${this.#float(depth - 1)} ${this.#pick("<", ">=")} ${this.#float(depth - 1)})`,
      `(${this.#condition(depth - 1)} ${this.#pick("&&", "||", "!=")} ${this.#condition(depth - 1)})`,
      `!${this.#condition(depth - 1)}`,
    );
  }

  #index(): string {
    return this.#pick("i", "i + 1u", "i * 2u", "23u - i", "group.x", "5u", "m", "r % 24u", "s");
  }

  #block(depth: number, inLoop: boolean): string {
    return `{ ${Array.from({ length: 1 + this.#int(3) }, () => this.#statement(depth, inLoop)).join(" ")} }`;
  }

  #statement(depth: number, inLoop: boolean): string {
    const kinds = ["set", "set", "float", "bool", "store", "store"];
    if (depth > 0) kinds.push("if", "if", "if-else", "for", "loop", "switch", "block-store");
    if (inLoop) kinds.push("leave", "leave");
    switch (this.#pick(...kinds, this.#int(5) === 0 ? "return" : "set")) {
      case "set":
        return `${this.#pick("r", "s", "t")} = ${this.#word(2)};`;
      case "float":
        return `${this.#pick("x", "y")} = ${this.#float(2)};`;
      case "bool":
        return `c = ${this.#condition(2)};`;
      case "store":
        return `out[${this.#pick("i", "own")}].${this.#pick("x", "y", "z", "w")} ${this.#pick("=", "+=", "^=")} ${this.#word(1)};`;
      case "block-store":
        return `mine[3u * lane + ${this.#int(3)}u] = ${this.#word(1)} + mine[3u * lane + ${this.#int(3)}u];`;
      case "if":
        return `if ${this.#condition(2)} ${this.#block(depth - 1, inLoop)}`;
      case "if-else":
        return `if ${this.#condition(2)} ${this.#block(depth - 1, inLoop)} else ${this.#block(depth - 1, inLoop)}`;
      case "for": {
        const k = `k${this.#names++}`;
        const end = this.#pick("4u", "3u + group.x", `${this.#word(1)} % 6u`);
        return `for (var ${k} = 0u; ${k} < ${end}; ${k}++) { ${this.#pick("r", "s")} += ${k}; ${this.#block(depth - 1, true)} }`;
      }
      case "loop": {
        const k = `k${this.#names++}`;
        const end = this.#pick(`${k} > 3u`, `${k} > 3u || ${this.#condition(1)}`);
        return `var ${k} = 0u; loop ${this.#block(depth - 1, true).slice(0, -1)} continuing { ${k}++; break if ${end}; } }`;
      }
      case "switch":
        return `switch ${this.#pick("group.x", "at.y", "group.z")} { case 0u ${this.#block(depth - 1, false)} default { if ${this.#condition(1)} { break; } ${this.#statement(depth - 1, false)} } }`;
      case "leave":
        return `if ${this.#condition(1)} { ${this.#pick("break", "continue")}; }`;
      default:
        return `if ${this.#condition(1)} { return; }`;
    }
  }

  program(): string {
    const size = this.#pick("8", "12", "4, 3", "6, 2", "5");
    const barrier = this.#pick("", "", "workgroupBarrier();");
    return `
@group(0) @binding(0) var<storage> u: array<u32>;
@group(0) @binding(1) var<storage> f: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4u>;
var<workgroup> mine: array<u32, 36>;
fn part(i: u32, lane: u32, group: vec3u, at: vec3u) {
  let own = i; let m = u[i]; var r = m; var s = lane; var t = 1u; var x = f[i]; var y = 0.25; var c = x < 1.0;
  ${Array.from({ length: 4 }, () => this.#statement(3, false)).join("\n  ")}
  out[i] += vec4u(r, s ^ t, u32(x + y), u32(c)); out[i].x ^= mine[3u * lane];
}
@compute @workgroup_size(${size}) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) at: vec3u,
  @builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
  mine[3u * lane + 1u] = lane; _ = u[0]; _ = f[0];
  ${barrier}
  part(id.x${size.includes(",") ? " + 8u * id.y" : ""}, lane, group, at);
}`;
  }
}

function differences(seed: number): { readonly source: string; readonly found: string[]; readonly isAtOnce: boolean } {
  const source = new Maker(seed).program();
  const values = Array.from({ length: COUNT }, (_, i) => (i * 2654435761 + seed * 97) % 101);
  const buffers = { u: Uint32Array.from(values), f: Float32Array.from(values, (v) => v / 8 - 6), out: COUNT * 16 };
  const bench = new Bench(source, buffers, { workgroups: [2, 1, 1] });
  const compile = (simd: "always" | "never") => compileKernel(bench.module, { sharedMemory: false, simd }).bytes;
  return {
    source,
    found: compareOn(bench),
    isAtOnce: !Buffer.from(compile("always")).equals(compile("never")),
  };
}

describe("random ways", () => {
  const count = Number(process.env.RANDOM_PROGRAMS ?? 60);
  const first = Number(process.env.RANDOM_SEED ?? 1) * 100_000;

  test("give the same bytes", () => {
    let atOnce = 0;
    for (let seed = first; seed < first + count; seed++) {
      const { source, found, isAtOnce } = differences(seed);
      if (found.length > 0) expect.fail(`seed ${seed}: ${found.join("; ")}\n${source}`);
      if (isAtOnce) atOnce++;
    }
    expect(atOnce).toBeGreaterThan(count / 2);
  }, 600_000);
});
