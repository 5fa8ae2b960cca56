/**
 * Random compute programs, valid by construction, as text with the launch that runs them. Levels: `a` is for every
 * engine (each invocation has memory of its own, floats are exact), `b` adds memory that a workgroup shares, barriers and
 * atomics of which the outcome is certain, `c` adds what only a front end sees.
 */
import fc from "fast-check";
import { Choice } from "./choice.ts";
import { Expressions } from "./expressions.ts";
import { addFeatures } from "./features.ts";
import { Functions } from "./functions.ts";
import { combine, literalOf, Places, writtenType } from "./places.ts";
import { ModuleState, type ProgramOptions, Scope, variable } from "./scope.ts";
import { ATOMIC_KINDS, SharedMemory, type SharedVariables } from "./shared-memory.ts";
import { type Flow, SLOTS, Statements } from "./statements.ts";
import {
  type Block,
  block,
  type Expression,
  type Printed,
  print,
  type Statement,
  smaller,
  statement,
  wordsOf,
} from "./tree.ts";
import {
  array,
  BOOL,
  F32,
  I32,
  isHostShareable,
  MATRIX_DOMAIN,
  type Range,
  SCALARS,
  type StructType,
  type Type,
  U32,
  vector,
} from "./types.ts";

/** What a launch file says. */
export interface ProgramLaunch {
  readonly shader: string;
  readonly entry: string;
  readonly workgroups: readonly number[];
  readonly buffers: Readonly<Record<string, { readonly values: unknown } | string>>;
}

export class Program {
  readonly module: Block;
  readonly workgroups: number;
  /** Initial contents by the names of the variables, also of those that a smaller program has lost. */
  readonly contents: ProgramLaunch["buffers"];
  #printed: Printed | null = null;

  constructor(module: Block, workgroups: number, contents: ProgramLaunch["buffers"]) {
    this.module = module;
    this.workgroups = workgroups;
    this.contents = contents;
  }

  get printed(): Printed {
    this.#printed ??= print(this.module);
    return this.#printed;
  }

  get source(): string {
    return this.printed.text;
  }

  get launch(): ProgramLaunch {
    const used = reachableWords(this.module, "main");
    const buffers = Object.fromEntries(Object.entries(this.contents).filter(([name]) => used.has(name)));
    return { shader: this.source, entry: "main", workgroups: [this.workgroups], buffers };
  }

  toString(): string {
    return `${this.source}\n${JSON.stringify(this.launch.buffers)}`;
  }

  with(module: Block): Program {
    return new Program(module, this.workgroups, this.contents);
  }

  /** One step smaller, the boldest first; as valid as this one. */
  *smaller(): Generator<Program> {
    const names = new Set(wordsOf(this.source));
    for (const module of smaller(this.module, (old) => simplest(old, names))) yield this.with(module);
  }
}

/** All words of a function and those that it calls. */
function reachableWords(module: Block, start: string): ReadonlySet<string> {
  const functions = new Map<string, readonly string[]>();
  for (const each of module.statements) {
    if (each.what === "function" || each.what === "entry")
      functions.set(each.declares!, wordsOf(print(block([each])).text));
  }
  const seen = new Set<string>([start]);
  for (const word of seen) for (const next of functions.get(word) ?? []) seen.add(next);
  return seen;
}

function simplest(old: Expression, names: ReadonlySet<string>): Expression | null {
  const { type } = old;
  if (type.kind !== "scalar") return null;
  if (old.isConst)
    return { ...combine(type, "primary", [ZEROS[type.name]], ZERO_RANGE), isConst: true, isUniform: true };
  const name = old.isUniform ? UNIFORM_SEEDS[type.name] : SEEDS[type.name];
  if (!names.has(name)) return null;
  const text = old.isUniform ? `parameters.${name}` : name;
  return { ...combine(type, "primary", [text]), isConst: false, isUniform: old.isUniform };
}

const ZEROS = { bool: "false", i32: "0i", u32: "0u", f32: "0f" } as const;
const ZERO_RANGE: Range = { fraction: 0, magnitude: 0 };

const SEEDS = { bool: "seed_bool", i32: "seed_i32", u32: "seed_u32", f32: "seed_f32" } as const;
const UNIFORM_SEEDS = { bool: "", i32: "whole", u32: "count", f32: "factor" } as const;
const INPUT_LENGTH = 16;

class ProgramMaker {
  readonly #module: ModuleState;
  readonly #choice: Choice;
  readonly #expressions: Expressions;
  readonly #statements: Statements;
  readonly #contents: Record<string, { values: unknown } | string> = {};
  readonly #workgroups: number;
  readonly #workgroupSize: number;
  #bindings = 0;

  constructor(choice: Choice, options: ProgramOptions) {
    this.#choice = choice;
    this.#module = new ModuleState(choice, options);
    this.#expressions = new Expressions(this.#module);
    this.#statements = new Statements(this.#module, this.#expressions);
    this.#workgroups = choice.int(1, 3);
    this.#workgroupSize = options.level === "b" ? choice.pick([2, 4, 8, 8, 16, 32]) : choice.pick([1, 2, 3, 4, 8]);
  }

  make(): Program {
    const { size, level } = this.#module.options;
    const choice = this.#choice;
    for (let i = choice.int(0, 2); i > 0; i--) this.#struct();
    this.#constants();
    this.#inputs();
    this.#privates();
    this.#cells();
    const shared = level === "b" ? this.#shared() : null;
    const functions = new Functions(this.#module, this.#expressions, this.#statements);
    for (let i = choice.int(0, 4); i > 0; i--) functions.add(Math.ceil(size / 5), null);
    for (let i = shared === null ? 0 : choice.int(0, 2); i > 0; i--) functions.add(Math.ceil(size / 5), shared);
    this.#main(shared, size);
    this.#tamers();
    if (level === "c") addFeatures(this.#module);
    return new Program(block(this.#arranged()), this.#workgroups, this.#contents);
  }

  #declare(text: string, declares: string, isNeeded = false): void {
    this.#module.declarations.push(statement("module", [text], { declares, isNeeded }));
  }

  /** Declarations may stand in any order; directives come first. */
  #arranged(): readonly Statement[] {
    const { declarations } = this.#module;
    const isDirective = (each: Statement) => /^(enable|requires|diagnostic)\b/.test(String(each.parts[0]));
    const others = declarations.filter((each) => !isDirective(each));
    const list = this.#choice.once(3) ? this.#choice.shuffled(others) : others;
    return [...declarations.filter(isDirective), ...list];
  }

  #struct(): void {
    const name = this.#module.fresh("S");
    const members = this.#choice.list(1, 4, (index) => ({ name: `m${index}`, type: this.#statements.anyType() }));
    this.#addStruct({ kind: "struct", name, members });
  }

  #addStruct(type: StructType): void {
    const members = type.members.map((each) => `  ${each.name}: ${writtenType(this.#choice, each.type)},`);
    this.#declare(`struct ${type.name} {\n${members.join("\n")}\n}${this.#choice.once(9) ? ";" : ""}`, type.name);
    this.#module.structs.push(type);
  }

  #constants(): void {
    for (let i = this.#choice.int(0, 2); i > 0; i--) {
      const type = this.#choice.pick<Type>([...SCALARS, vector(3, I32), array(U32, 4), vector(2, F32)]);
      const name = this.#module.fresh("c");
      const value = literalOf(this.#choice, type);
      this.#module.declarations.push(statement("module", [`const ${name} = `, value, ";"], { declares: name }));
      this.#module.scope.declare(variable(name, type, "value", { isConst: true, isUniform: true }));
    }
  }

  #binding(): string {
    return `@group(${this.#choice.once(4) ? 1 : 0}) @binding(${this.#bindings++}) `;
  }

  #inputs(): void {
    for (const type of [I32, U32, F32]) {
      const name = `in_${type.name}`;
      this.#declare(`${this.#binding()}var<storage> ${name}: array<${type.name}>;`, name);
      this.#contents[name] = { values: Array.from({ length: INPUT_LENGTH }, () => this.#value(type)) };
      const length = `arrayLength(&${name})`;
      const more = { isMutable: false, hasAddress: false, isUniform: true, length };
      this.#module.scope.declare(variable(name, array(type, INPUT_LENGTH), "storage", more));
    }
    const parameters: StructType = {
      kind: "struct",
      name: "Parameters",
      members: [
        { name: "whole", type: I32 },
        { name: "count", type: U32 },
        { name: "factor", type: F32 },
        ...this.#choice.list(0, 3, (index) => ({ name: `m${index}`, type: this.#uniformType() })),
      ],
    };
    this.#addStruct(parameters);
    this.#declare(`${this.#binding()}var<uniform> parameters: Parameters;`, "parameters");
    this.#contents.parameters = { values: this.#value(parameters) };
    const more = { isMutable: false, hasAddress: false, isUniform: true };
    this.#module.scope.declare(variable("parameters", parameters, "uniform", more));
  }

  /** A type that a uniform buffer can hold wherever it lies. */
  #uniformType(): Type {
    const { choice } = { choice: this.#choice };
    return choice.pick<Type>([
      vector(choice.int(2, 4), choice.pick([I32, U32, F32])),
      { kind: "matrix", columns: choice.int(2, 4), rows: choice.int(2, 4) },
      array(vector(4, choice.pick([I32, U32, F32])), choice.int(2, 3)),
    ]);
  }

  /** Initial contents, as a launch file writes them. */
  #value(type: Type, domain = 64): unknown {
    const choice = this.#choice;
    switch (type.kind) {
      case "scalar":
        if (type.name === "f32") return choice.int(-domain, domain) / (domain === 64 ? 2 : 1);
        if (choice.once(6))
          return type.name === "i32" ? choice.int(-(2 ** 31), 2 ** 31 - 1) : choice.int(0, 2 ** 32 - 1);
        return type.name === "i32" ? choice.int(-5, 40) : choice.int(0, 40);
      case "vector":
        return Array.from({ length: type.size }, () => this.#value(type.element, domain));
      case "matrix":
        return Array.from({ length: type.columns }, () =>
          this.#value(vector(type.rows, F32), 2 ** MATRIX_DOMAIN.magnitude),
        );
      case "array":
        return Array.from({ length: type.count }, () => this.#value(type.element, domain));
      case "struct":
        return Object.fromEntries(type.members.map((each) => [each.name, this.#value(each.type, domain)]));
    }
  }

  #privates(): void {
    for (const name of ["base", "lane", "group"]) this.#declare(`var<private> ${name}: u32;`, name);
    for (const type of SCALARS) {
      const name = SEEDS[type.name];
      const initial = { bool: "true", i32: "-3", u32: "5", f32: "2.5" }[type.name];
      this.#declare(`var<private> ${name}: ${type.name} = ${initial};`, name);
      this.#module.scope.declare(variable(name, type, "private"));
    }
    for (let i = this.#choice.int(0, 3); i > 0; i--) {
      const type = this.#statements.anyType();
      const name = this.#module.fresh("g");
      const initial =
        this.#module.options.forSwiftShader || this.#choice.once(2) ? [" = ", literalOf(this.#choice, type)] : [];
      const parts = [`var<private> ${name}: ${writtenType(this.#choice, type)}`, ...initial, ";"];
      this.#module.declarations.push(statement("module", parts, { declares: name }));
      this.#module.scope.declare(variable(name, type, "private"));
    }
  }

  get #invocations(): number {
    return this.#workgroups * this.#workgroupSize;
  }

  /** What each invocation has of its own in storage: words, and a structure. */
  #cells(): void {
    const size = this.#invocations * SLOTS;
    this.#declare(`${this.#binding()}var<storage, read_write> out: array<u32>;`, "out");
    this.#contents.out = `zeros:${size}`;
    const members = this.#choice.list(1, 5, (index) => ({ name: `m${index}`, type: this.#hostShareableType() }));
    const cell: StructType = { kind: "struct", name: "Cell", members };
    this.#addStruct(cell);
    this.#declare(`${this.#binding()}var<storage, read_write> cells: array<Cell, ${this.#invocations}>;`, "cells");
    this.#contents.cells = { values: Array.from({ length: this.#invocations }, () => this.#value(cell)) };
    const text = `cells[base / ${SLOTS}u]`;
    const own = variable("cells", cell, "storage", { text, isMutable: true, hasAddress: true });
    this.#module.scope.declare(own);
  }

  #hostShareableType(): Type {
    const type = this.#statements.anyType();
    return isHostShareable(type) ? type : I32;
  }

  #shared(): SharedMemory {
    const choice = this.#choice;
    const count = this.#workgroupSize;
    const arrays = choice.list(1, 2, () => {
      const element = choice.pick<Type>([I32, U32, F32, vector(3, U32), this.#statements.anyType()]);
      const name = this.#module.fresh("w");
      this.#declare(`var<workgroup> ${name}: array<${writtenType(choice, element)}, ${count}>;`, name);
      return { name, element, space: "workgroup" as const };
    });
    const stored = choice.list(0, 1, () => {
      const name = this.#module.fresh("s");
      const element = choice.pick([I32, U32, F32, vector(2, I32)]);
      const type = array(array(element, count), this.#workgroups);
      this.#declare(`${this.#binding()}var<storage, read_write> ${name}: ${writtenType(choice, type)};`, name);
      this.#contents[name] = { values: this.#value(type) };
      return { name, element, space: "storage" as const };
    });
    const atomics = (space: "workgroup" | "storage", low: number, high: number) =>
      choice.list(low, high, () => {
        const name = this.#module.fresh(space === "workgroup" ? "t" : "q");
        const type = choice.pick([I32, U32]);
        const size = choice.int(1, 4);
        const written = `array<atomic<${type.name}>, ${size}>`;
        if (space === "workgroup") this.#declare(`var<workgroup> ${name}: ${written};`, name);
        else {
          this.#declare(`${this.#binding()}var<storage, read_write> ${name}: ${written};`, name);
          this.#contents[name] = { values: this.#value(array(type, size)) };
        }
        return { name, type, count: size, space, kind: choice.pick(ATOMIC_KINDS) };
      });
    const broadcasts = choice.list(0, 2, () => {
      const name = this.#module.fresh("b");
      const type = choice.pick([I32, U32, BOOL]);
      this.#declare(`var<workgroup> ${name}: ${type.name};`, name);
      return { name, type };
    });
    this.#module.storageAtomics.push(...atomics("storage", 0, 2));
    const shared: SharedVariables = {
      arrays: [...arrays, ...stored],
      counters: atomics("workgroup", 0, 2),
      broadcasts,
      workgroupSize: count,
    };
    return new SharedMemory(this.#module, this.#expressions, this.#statements, shared);
  }

  #main(shared: SharedMemory | null, size: number): void {
    const choice = this.#choice;
    const scope = new Scope(this.#module.scope, shared);
    const flow: Flow = { times: 1, nesting: 0, breaks: false, continues: false, returns: { type: null }, shared };
    this.#module.cost = 0;
    scope.declare(variable("wid", vector(3, U32), "value", { isUniform: true }), variable("lid", U32, "value"));
    const start = [
      ...["lane = lid;", "group = wid.x;", `base = (group * ${this.#workgroupSize}u + lane) * ${SLOTS}u;`].map((text) =>
        statement("assignment", [text], { isNeeded: true }),
      ),
      statement("assignment", ["seed_u32 = base ^ lane;"]),
      statement("assignment", [`seed_i32 = in_i32[lane % ${INPUT_LENGTH}u];`]),
      statement("assignment", [`seed_f32 = in_f32[(base / ${SLOTS}u) % ${INPUT_LENGTH}u];`]),
    ];
    const body = [...start, ...this.#statements.body(scope, flow, size), ...this.#results(scope, flow)];
    const inputs = ["@builtin(workgroup_id) wid: vec3<u32>", "@builtin(local_invocation_index) lid: u32"];
    const list = choice.once(2) ? inputs : inputs.toReversed();
    const head = `@compute @workgroup_size(${this.#workgroupSizeText()}) fn main(${list.join(", ")}) `;
    const options = { declares: "main", isNeeded: true };
    this.#module.declarations.push(statement("entry", [head, block(body)], options));
  }

  #workgroupSizeText(): string {
    const size = this.#workgroupSize;
    const half = this.#choice.once(3) && size % 2 === 0;
    if (half) return `${size / 2}, 2`;
    return this.#choice.pick([`${size}`, `${size}, 1`, `1, ${size}, 1`, `${size}u`]);
  }

  /** What the variables hold in the end, in slots of their own. */
  #results(scope: Scope, flow: Flow): readonly Statement[] {
    const places = new Places(this.#module, (type, site, depth) => this.#expressions.make(type, site, depth));
    const site = this.#statements.site(scope, flow);
    const own = scope.own.filter((each) => !each.isConst).slice(-SLOTS / 2);
    const start = flow.shared?.meet() ?? [];
    const list = own.flatMap((each, index) => {
      const accepts = (other: { name: string }) => other.name === each.name;
      const type = SCALARS.find((scalar) => places.find(scalar, site, 0, { accepts }) !== null);
      if (type === undefined) return [];
      const value = this.#statements.word(type, (wanted) => places.load(places.find(wanted, site, 0, { accepts })!));
      return [statement("assignment", [`out[base + ${SLOTS - 1 - index}u] = `, value, ";"])];
    });
    return [...start, ...list];
  }

  /** Functions that bring matrices back to small whole numbers. */
  #tamers(): void {
    for (const shape of this.#module.tamers) {
      const rows = shape[2];
      const columns = Array.from(
        { length: Number(shape[0]) },
        (_, i) => `clamp(floor(m[${i}]), vec${rows}f(-4.0), vec${rows}f(4.0))`,
      );
      const text = `fn tame${shape}(m: mat${shape}f) -> mat${shape}f `;
      const line = `return mat${shape}f(${columns.join(", ")});`;
      const body = block([statement("return", [line], { isNeeded: true })]);
      this.#module.declarations.push(statement("function", [text, body], { declares: `tame${shape}` }));
    }
  }
}

const DEFAULTS: ProgramOptions = { level: "a", size: 25, outOfBounds: false, forSwiftShader: false };

class ProgramArbitrary extends fc.Arbitrary<Program> {
  readonly #options: ProgramOptions;

  constructor(options: ProgramOptions) {
    super();
    this.#options = options;
  }

  override generate(random: fc.Random): fc.Value<Program> {
    const choice = new Choice(random);
    const size = choice.int(Math.ceil(this.#options.size / 4), this.#options.size);
    const program = new ProgramMaker(choice, { ...this.#options, size }).make();
    return new fc.Value(program, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Program {
    return value instanceof Program;
  }

  override shrink(value: Program): fc.Stream<fc.Value<Program>> {
    return fc.stream(value.smaller()).map((each) => new fc.Value(each, undefined));
  }
}

/** Programs of a level; shrinks by leaving out statements and parts of expressions. */
export function programs(options: Partial<ProgramOptions> = {}): fc.Arbitrary<Program> {
  return new ProgramArbitrary({ ...DEFAULTS, ...options });
}

/** So many programs; the same seed gives the same ones. */
export function samplePrograms(count: number, seed: number, options: Partial<ProgramOptions> = {}): readonly Program[] {
  return fc.sample(programs(options), { numRuns: count, seed });
}

/** The smallest program found for which `fails` still holds. */
export async function shrunk(
  program: Program,
  fails: (program: Program) => boolean | Promise<boolean>,
  steps = 2000,
): Promise<Program> {
  for (const next of program.smaller()) {
    if (steps-- <= 0) return program;
    if (await fails(next)) return shrunk(next, fails, steps);
  }
  return program;
}
