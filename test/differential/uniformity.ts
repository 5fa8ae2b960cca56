/** Random compute shaders whose control flow and values are uniform here and there, for comparing verdicts. */

export type Random = () => number;

const PRELUDE = `enable subgroups;
@group(0) @binding(0) var<storage, read_write> rw: array<i32, 16>;
@group(0) @binding(1) var<storage, read> ro: array<i32, 16>;
@group(0) @binding(2) var<uniform> un: vec4i;
var<workgroup> wg: array<i32, 16>;
var<workgroup> flag: i32;
var<workgroup> at: atomic<i32>;
var<private> pv: i32;
override ov: i32 = 3;
struct S { x: i32, a: array<i32, 4> }
`;

interface Helper {
  readonly name: string;
  /** Parameters: `int`, `pointer` to an i32, `array` pointer, `shared` pointer into workgroup memory. */
  readonly params: readonly ("int" | "pointer" | "array" | "shared")[];
  readonly returns: boolean;
}

const TYPES = {
  int: "i32",
  pointer: "ptr<function, i32>",
  array: "ptr<function, array<i32, 4>>",
  shared: "ptr<workgroup, i32>",
} as const;

/** What may be read as different values. */
const SHARED = ["rw[1]", "wg[2]", "flag", "pv", "atomicLoad(&at)"];

/** What can be named at a place. */
interface Scope {
  /** Expressions of type i32. */
  readonly values: string[];
  /** References to an i32 in function memory, with the variable that they come from. */
  readonly places: { readonly text: string; readonly root: string }[];
  /** Variables of type array<i32, 4>. */
  readonly arrays: { readonly text: string; readonly root: string }[];
  readonly shared: string[];
  readonly loops: number;
  readonly switches: number;
  readonly inContinuing: boolean;
}

class Writer {
  readonly #random: Random;
  readonly #helpers: Helper[] = [];
  #lines: string[] = [];
  #names = 0;
  #returns = false;
  /** Statements that may still be written. */
  #budget = 0;
  /** Share of what differs between invocations, and of operations that mind, so that verdicts are mixed. */
  readonly #divergence: number;
  readonly #demand: number;
  #divergent: readonly string[] = [];

  constructor(random: Random) {
    this.#random = random;
    this.#divergence = this.#pick([0.01, 0.02, 0.04, 0.08]);
    this.#demand = this.#pick([0.1, 0.3, 0.6]);
  }

  module(): string {
    const parts = [PRELUDE];
    const count = this.#below(4);
    for (let i = 0; i < count; i++) parts.push(this.#helper(i));
    parts.push(this.#main());
    return parts.join("\n");
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)];
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #name(): string {
    return `v${this.#names++}`;
  }

  #helper(index: number): string {
    const params = Array.from({ length: this.#below(4) }, () =>
      this.#pick(["int", "int", "pointer", "array", "shared"] as const),
    );
    const helper: Helper = { name: `f${index}`, params, returns: this.#chance(0.6) };
    const scope = this.#scope();
    this.#divergent = SHARED;
    const names = params.map((kind, i) => {
      const name = `p${i}`;
      if (kind === "int") scope.values.push(name);
      if (kind === "pointer") scope.places.push({ text: `*${name}`, root: name });
      if (kind === "array") scope.arrays.push({ text: `(*${name})`, root: name });
      if (kind === "shared") scope.shared.push(`*${name}`);
      return `${name}: ${TYPES[kind]}`;
    });
    const head = `fn ${helper.name}(${names.join(", ")})${helper.returns ? " -> i32" : ""} {`;
    const text = this.#body(head, scope, helper.returns, 3 + this.#below(8));
    this.#helpers.push(helper);
    return text;
  }

  #main(): string {
    const scope = this.#scope();
    scope.values.push("i32(wid.x)", "i32(wid.y)", "i32(size)", "i32(both.count.x)");
    this.#divergent = [...SHARED, "i32(lid)", "i32(sid)", "i32(mixed.group.x)"];
    const structs = `struct Both { @builtin(num_workgroups) count: vec3u }
struct Mixed { @builtin(local_invocation_id) local: vec3u, @builtin(global_invocation_id) group: vec3u }
`;
    const head = `@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) lid: u32, @builtin(workgroup_id) wid: vec3u, @builtin(subgroup_id) sid: u32,
  @builtin(subgroup_size) size: u32, both: Both, mixed: Mixed) {`;
    return structs + this.#body(head, scope, false, 6 + this.#below(14));
  }

  #scope(): Scope {
    return { values: [], places: [], arrays: [], shared: ["flag"], loops: 0, switches: 0, inContinuing: false };
  }

  #body(head: string, scope: Scope, returns: boolean, budget: number): string {
    this.#lines = [head];
    this.#returns = returns;
    this.#budget = budget;
    this.#variable(scope);
    while (this.#budget > 0) this.#statement(scope, 0);
    if (returns) this.#line(`return ${this.#int(scope, 0)};`);
    return [...this.#lines, "}"].join("\n");
  }

  #line(text: string): void {
    this.#lines.push(text);
  }

  // ---------------------------------------------------------------- expressions

  #int(scope: Scope, depth: number): string {
    if (this.#chance(this.#divergence)) return this.#pick([...this.#divergent, ...scope.shared]);
    switch (this.#below(depth > 2 ? 8 : 15)) {
      case 0:
        return String(this.#below(5));
      case 1:
      case 2:
      case 3:
        return scope.values.length > 0 ? this.#pick(scope.values) : "ov";
      case 4:
      case 5:
        return scope.places.length > 0 ? this.#pick(scope.places).text : "un.y";
      case 6:
        return this.#pick(["un.x", "ro[1]", "ov"]);
      case 7:
        return scope.arrays.length > 0 ? `${this.#pick(scope.arrays).text}[${this.#below(4)}]` : "un.z";
      case 8:
        return `(${this.#int(scope, depth + 1)} + ${this.#int(scope, depth + 1)})`;
      case 9:
        return `ro[${this.#int(scope, depth + 1)} & 15]`;
      case 10:
        return scope.arrays.length > 0 ? `${this.#pick(scope.arrays).text}[${this.#int(scope, depth + 1)} & 3]` : "1";
      case 11:
        return this.#chance(this.#demand)
          ? `workgroupUniformLoad(&${this.#pick(scope.shared)})`
          : `min(${this.#int(scope, depth + 1)}, 3)`;
      case 12:
        return `select(${this.#int(scope, depth + 1)}, 2, ${this.#bool(scope, depth + 1)})`;
      case 13:
        return this.#call(scope, true, depth) ?? "un.w";
      default:
        return this.#chance(this.#demand / 2)
          ? `subgroupAdd(${this.#int(scope, depth + 1)})`
          : `-${this.#int(scope, depth + 1)}`;
    }
  }

  #bool(scope: Scope, depth: number): string {
    const choice = this.#below(depth > 2 ? 2 : 6);
    if (choice === 3) return `(${this.#bool(scope, depth + 1)} && ${this.#bool(scope, depth + 1)})`;
    if (choice === 4) return `(${this.#bool(scope, depth + 1)} || ${this.#bool(scope, depth + 1)})`;
    if (choice === 5) return `!(${this.#bool(scope, depth + 1)})`;
    return `(${this.#int(scope, depth + 1)} ${this.#pick(["<", "==", ">"])} ${this.#int(scope, depth + 1)})`;
  }

  /** null: no function fits. No two pointers to one variable. */
  #call(scope: Scope, returns: boolean, depth: number): string | null {
    const fitting = this.#helpers.filter((helper) => !returns || helper.returns);
    if (fitting.length === 0) return null;
    const helper = this.#pick(fitting);
    const used = new Set<string>();
    const args: string[] = [];
    for (const kind of helper.params) {
      if (kind === "int") {
        args.push(this.#int(scope, depth + 1));
        continue;
      }
      if (kind === "shared") {
        if (used.has("shared")) return null;
        used.add("shared");
        const text = this.#chance(0.5) ? this.#pick(scope.shared) : `wg[${this.#int(scope, depth + 1)} & 15]`;
        args.push(text.startsWith("*") ? text.slice(1) : `&${text}`);
        continue;
      }
      const from = kind === "array" ? scope.arrays : this.#elements(scope, depth);
      const free = from.filter(({ root }) => !used.has(root));
      if (free.length === 0) return null;
      const { text, root } = this.#pick(free);
      used.add(root);
      args.push(/^\*\w+$/.test(text) ? text.slice(1) : `&${text}`);
    }
    return `${helper.name}(${args.join(", ")})`;
  }

  /** Places of an i32, elements of arrays among them. */
  #elements(scope: Scope, depth: number): Scope["places"] {
    const elements = scope.arrays.map(({ text, root }) => {
      const index = this.#chance(0.5) ? String(this.#below(4)) : `${this.#int(scope, depth + 2)} & 3`;
      return { text: `${text}[${index}]`, root };
    });
    return [...scope.places, ...elements];
  }

  // ---------------------------------------------------------------- statements

  #statement(scope: Scope, depth: number): void {
    this.#budget--;
    switch (this.#below(depth > 3 ? 9 : 18)) {
      case 0:
      case 1:
        this.#variable(scope);
        return;
      case 2:
      case 3:
        this.#assignment(scope);
        return;
      case 4: {
        const call = this.#call(scope, false, 0);
        if (call !== null) this.#line(`${call};`);
        return;
      }
      case 5:
        if (!this.#chance(this.#demand)) {
          this.#assignment(scope);
          return;
        }
        this.#line(this.#pick(["workgroupBarrier();", "storageBarrier();"]));
        return;
      case 6: {
        const target = this.#pick([`rw[${this.#int(scope, 1)} & 15]`, "flag", "pv"]);
        this.#line(`${target} = ${this.#int(scope, 0)};`);
        return;
      }
      case 7:
        this.#jump(scope);
        return;
      case 8:
        this.#line(`_ = ${this.#int(scope, 0)};`);
        return;
      case 9:
      case 10:
      case 11:
        this.#if(scope, depth);
        return;
      case 12:
        this.#switch(scope, depth);
        return;
      case 13:
      case 14:
        this.#loop(scope, depth);
        return;
      case 15:
        this.#for(scope, depth);
        return;
      case 16:
        this.#block(`while ${this.#bool(scope, 1)} {`, { ...scope, loops: 1, switches: 0 }, depth, "}");
        return;
      default:
        this.#block("{", scope, depth, "}");
        return;
    }
  }

  #variable(scope: Scope): void {
    const name = this.#name();
    switch (this.#below(8)) {
      case 0:
      case 1:
        this.#line(`let ${name} = ${this.#int(scope, 0)};`);
        scope.values.push(name);
        return;
      case 2:
        this.#line(`var ${name}: array<i32, 4>;`);
        scope.arrays.push({ text: name, root: name });
        return;
      case 3:
        this.#line(`var ${name}: S;`);
        scope.places.push({ text: `${name}.x`, root: name });
        scope.arrays.push({ text: `${name}.a`, root: name });
        return;
      case 4: {
        const places = this.#elements(scope, 0);
        if (places.length === 0) return;
        const { text, root } = this.#pick(places);
        this.#line(`let ${name} = &${text};`);
        scope.places.push({ text: `*${name}`, root });
        return;
      }
      default:
        this.#line(`var ${name} = ${this.#int(scope, 0)};`);
        scope.places.push({ text: name, root: name });
    }
  }

  #assignment(scope: Scope): void {
    if (scope.arrays.length > 0 && this.#chance(0.2)) {
      const { text } = this.#pick(scope.arrays);
      this.#line(`${text} = array(${this.#int(scope, 1)}, 1, 2, ${this.#int(scope, 1)});`);
      return;
    }
    const places = this.#elements(scope, 0);
    if (places.length === 0) return;
    const { text } = this.#pick(places);
    if (this.#chance(0.1)) this.#line(`${text.startsWith("*") ? `(${text})` : text}++;`);
    else this.#line(`${text} ${this.#pick(["=", "=", "=", "+="])} ${this.#int(scope, 0)};`);
  }

  #jump(scope: Scope): void {
    if (scope.inContinuing) return;
    const choices = this.#returns ? [`return ${this.#int(scope, 0)};`] : ["return;"];
    if (scope.loops > 0) choices.push("continue;", "break;", "break;");
    if (scope.switches > 0) choices.push("break;");
    const jump = this.#pick(choices);
    if (this.#chance(0.8)) this.#line(`if ${this.#bool(scope, 0)} { ${jump} }`);
    else if (scope.loops + scope.switches > 0) this.#line(jump);
  }

  #block(head: string, outer: Scope, depth: number, end: string): void {
    this.#line(head);
    const scope = {
      ...outer,
      values: [...outer.values],
      places: [...outer.places],
      arrays: [...outer.arrays],
      shared: [...outer.shared],
    };
    const count = this.#below(4);
    for (let i = 0; i < count; i++) this.#statement(scope, depth + 1);
    this.#line(end);
  }

  #if(scope: Scope, depth: number): void {
    const chain = this.#below(3);
    this.#block(`if ${this.#bool(scope, 0)} {`, scope, depth, chain > 0 ? "" : "}");
    for (let i = 0; i < chain; i++) {
      const isLast = i === chain - 1;
      const head = isLast && this.#chance(0.5) ? "} else {" : `} else if ${this.#bool(scope, 0)} {`;
      this.#block(head, scope, depth, isLast ? "}" : "");
      if (isLast) return;
    }
  }

  #switch(scope: Scope, depth: number): void {
    this.#line(`switch ${this.#int(scope, 0)} {`);
    const inside = { ...scope, switches: 1 };
    this.#block("case 0: {", inside, depth, "}");
    this.#block("case 1, 2: {", inside, depth, "}");
    this.#block("default: {", inside, depth, "}");
    this.#line("}");
  }

  #loop(scope: Scope, depth: number): void {
    const inside = { ...scope, loops: 1, switches: 0 };
    this.#line("loop {");
    this.#block("{", inside, depth, "}");
    const breaks = this.#chance(0.5);
    if (!breaks) this.#line(`if ${this.#bool(scope, 0)} { break; }`);
    if (this.#chance(0.4)) this.#block("{", inside, depth, "}");
    if (breaks || this.#chance(0.3)) {
      this.#line("continuing {");
      this.#block("{", { ...scope, loops: 0, switches: 0, inContinuing: true }, depth, "}");
      if (breaks) this.#line(`break if ${this.#bool(scope, 0)};`);
      this.#line("}");
    }
    this.#line("}");
  }

  #for(scope: Scope, depth: number): void {
    const name = this.#name();
    const inside = { ...scope, loops: 1, switches: 0, places: [...scope.places, { text: name, root: name }] };
    const condition = `${name} < ${this.#int(scope, 1)}`;
    this.#block(`for (var ${name} = ${this.#int(scope, 1)}; ${condition}; ${name}++) {`, inside, depth, "}");
  }
}

/** One module. */
export function program(random: Random): string {
  return new Writer(random).module();
}
