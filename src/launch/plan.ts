/**
 * From a launch to what is done: every name looked up, every default chosen, every buffer's first bytes made. A plan can
 * be run any number of times.
 */
import type { Program, VariableInfo } from "../analysis/program.ts";
import { note } from "../diagnostics/diagnostic.ts";
import type { Root } from "../ir/ir.ts";
import { type Layout, layoutOf, minBindingSize, sizeWithElements } from "../layout/layout.ts";
import { BufferView } from "../layout/view.ts";
import { bindingKey } from "../reflect/reflection.ts";
import { nearestName } from "../text/nearest.ts";
import { arrayType, typeName, U32 } from "../types/type.ts";
import { checkCodeLaunch } from "./code-launch.ts";
import { type Contents, makeContents, sameAs, spelledForm } from "./contents.ts";
import { missingMarks } from "./empty-marks.ts";
import { checkHostLayouts } from "./host-layout.ts";
import type { BufferContents, Launch } from "./launch.ts";
import { type PlanOptions, Programs, type ResolvedStep, resolveSteps, type Triple } from "./plan-steps.ts";
import { at, type LaunchPath, LaunchReport, launchError, listed, unknownName } from "./problem.ts";
import { LARGEST_BUFFER } from "./spec.ts";
import { parseRead, parseValuePath, type ReadRequest, writeAt } from "./value-path.ts";

export interface PlannedBuffer {
  readonly name: string;
  /** Of the first variable that it is bound to; null where it is bound to none. */
  readonly group: number | null;
  readonly binding: number | null;
  readonly layout: Layout;
  /** Index into `Plan.memories`: two names of one buffer share it. */
  readonly memory: number;
  /** Some dispatch can write it. */
  readonly writable: boolean;
  /** What it holds in the beginning, as a launch says it; null: it was given in the launch. */
  readonly chosen: string | null;
}

export interface PlannedMemory {
  /** The first bytes. Not changed by runs. */
  readonly bytes: Uint8Array;
  /** False: the host does not fill it. */
  readonly filled: boolean;
}

export interface PlannedStep extends ResolvedStep {
  /** Buffers by the id of the root variable that they are bound to: indices into `Plan.buffers`. */
  readonly bindings: ReadonlyMap<number, number>;
  readonly repeat: number;
  /** Indices into `Plan.buffers`. */
  readonly swap: readonly [number, number] | null;
  /** Index of the buffer with the numbers of workgroups; null: they are known. */
  readonly indirect: number | null;
}

export interface Plan {
  readonly launch: Launch;
  /** The shaders that it names, legal or not; without what `call` adds to one. */
  readonly programs: readonly Program[];
  readonly steps: readonly PlannedStep[];
  readonly buffers: readonly PlannedBuffer[];
  readonly memories: readonly PlannedMemory[];
  readonly reads: readonly PlannedRead[];
  /** What was found until now; with an error in it the plan does not run. */
  readonly report: LaunchReport;
}

export interface PlannedRead {
  /** Under which it is in the results. */
  readonly name: string;
  readonly buffer: number;
  readonly request: ReadRequest;
  readonly path: LaunchPath;
}

/** A plan; its report says what is wrong with the launch. @throws LaunchError for a launch made in code (no `options.source`) */
export async function makePlan(launch: Launch, options: PlanOptions = {}): Promise<Plan> {
  if (options.source === undefined) checkCodeLaunch(launch);
  const report = new LaunchReport(options.source ?? null, options.elsewhere);
  const programs = new Programs(options, report);
  const resolved = await resolveSteps(launch, programs, options, report);
  const failed = { launch, programs: programs.all, steps: [], buffers: [], memories: [], reads: [], report };
  const wanted = launch.steps?.length ?? 1;
  if (resolved.length < wanted) return failed;
  checkHostLayouts(launch, [...new Set(resolved.map((step) => step.program))], report);
  const planner = new Planner(launch, resolved, options, report);
  const planned = await report.tryAsync(() => planner.plan());
  if (planned === null) return failed;
  for (const { step, exchange, name, mark, example } of missingMarks(planned)) {
    const notes = [note("hint-fill", exchange.span, { example })];
    report.atShader(step.program.source, exchange.span, "mark-missing", { name, mark }, { notes });
  }
  return { ...planned, programs: programs.all };
}

/** A buffer while names are being looked up. */
interface Entry {
  readonly name: string;
  /** The variables that it is bound to, first use first. */
  readonly roots: Root[];
  /** The type that it has where it is bound to no variable that runs. */
  readonly unused: VariableInfo | null;
  /** The key of its contents in the launch; null: it has none there. */
  key: string | null;
}

class Planner {
  readonly #launch: Launch;
  readonly #resolved: readonly ResolvedStep[];
  readonly #options: PlanOptions;
  readonly #report: LaunchReport;
  readonly #entries = new Map<string, Entry>();
  readonly #memories: PlannedMemory[] = [];
  /** Index of the memory by name of the buffer. */
  readonly #memoryOf = new Map<string, number>();
  readonly #chosen = new Map<string, string>();
  /** Contents whose form was written as text, by key. */
  readonly #spelled = new Map<string, BufferContents>();

  constructor(launch: Launch, resolved: readonly ResolvedStep[], options: PlanOptions, report: LaunchReport) {
    this.#launch = launch;
    this.#resolved = resolved;
    this.#options = options;
    this.#report = report;
  }

  async plan(): Promise<Omit<Plan, "programs">> {
    const names = this.#resolved.map((step) => this.#bindVariables(step));
    this.#addNamed();
    for (const entry of this.#entries.values()) await this.#report.tryAsync(() => this.#fill(entry, []));
    const buffers = [...this.#entries.values()].map((entry) => this.#planned(entry));
    const steps = this.#resolved.map((step, i) => this.#step(step, names[i]));
    this.#checkSizes(steps, buffers);
    this.#warnOfAliases(steps, buffers);
    this.#set(buffers);
    const reads = this.#reads(buffers);
    const { buffers: given } = this.#launch;
    const launch = { ...this.#launch, ...(given && { buffers: { ...given, ...Object.fromEntries(this.#spelled) } }) };
    return { launch, steps, buffers, memories: this.#memories, reads, report: this.#report };
  }

  // ---------------------------------------------------------------- names

  /** Names of the buffers of a step, by root id. */
  #bindVariables(step: ResolvedStep): ReadonlyMap<number, string> {
    const names = new Map<number, string>();
    const roots = step.module.roots.filter((root) => root.binding !== null || root.space === "immediate");
    this.#checkBind(step, roots);
    for (const root of roots) {
      const name = this.#nameFor(step, root);
      names.set(root.id, name);
      const entry = this.#entries.get(name);
      if (entry === undefined)
        this.#entries.set(name, { name, roots: [root], unused: null, key: this.#keyFor(root, name) });
      else entry.roots.push(root);
    }
    return names;
  }

  #checkBind(step: ResolvedStep, roots: readonly Root[]): void {
    for (const name of Object.keys(step.given.bind ?? {})) {
      if (roots.some((root) => root.name === name || keyOf(root) === name)) continue;
      const known = roots.map((root) => root.name);
      const args = { entry: step.entry.name, name, known: listed(known) };
      this.#report.try(() => {
        throw launchError([...step.path, "bind", name], "variable-unknown", args, nearestName(name, known));
      });
    }
  }

  /** The buffer behind a variable: as `bind` says, or of the same name. */
  #nameFor(step: ResolvedStep, root: Root): string {
    const bound = step.given.bind?.[root.name] ?? step.given.bind?.[keyOf(root)];
    if (bound !== undefined) return this.#variableAt(bound)?.name ?? bound;
    // `group.binding` in the launch is one buffer for all the variables there.
    const { buffers = {} } = this.#launch;
    return Object.hasOwn(buffers, keyOf(root)) ? (this.#variableAt(keyOf(root))?.name ?? root.name) : root.name;
  }

  /** The first variable at `group.binding` that some step uses. */
  #variableAt(key: string): Root | null {
    for (const { module } of this.#resolved) {
      const root = module.roots.find((each) => each.binding !== null && keyOf(each) === key);
      if (root !== undefined) return root;
    }
    return null;
  }

  #keyFor(root: Root, name: string): string | null {
    const { buffers = {} } = this.#launch;
    if (Object.hasOwn(buffers, name)) return name;
    return name === this.#variableAt(keyOf(root))?.name && Object.hasOwn(buffers, keyOf(root)) ? keyOf(root) : null;
  }

  /** Buffers that the launch fills and that no dispatch uses. */
  #addNamed(): void {
    for (const key of Object.keys(this.#launch.buffers ?? {})) {
      const path: LaunchPath = ["buffers", key];
      const entry = this.#lookUp(key);
      if (entry !== null) {
        // Under its name and its `group.binding`: only one of them would be taken.
        const other = entry.key ?? key;
        if (other !== key) this.#report.try(() => this.#conflict(path, other, key));
        continue;
      }
      const unused = this.#declared(key);
      if (unused !== null) {
        this.#report.atLaunch(path, "buffer-unused", { name: key }, {}, true);
        this.#entries.set(unused.name, { name: unused.name, roots: [], unused, key });
      } else if (this.#resolved.some((step) => "indirect" in step.workgroups && step.workgroups.indirect === key)) {
        this.#entries.set(key, { name: key, roots: [], unused: null, key });
      } else this.#report.try(() => this.#unknown(path, key));
    }
  }

  /** A variable with contents of the host that is declared in some program, used or not. */
  #declared(name: string): VariableInfo | null {
    const programs: readonly Program[] = this.#resolved.map((step) => step.program);
    const variables = programs.flatMap((program) => program.variables);
    const isBuffer = ({ space, binding }: VariableInfo) =>
      space === "immediate" || (binding !== null && (space === "storage" || space === "uniform"));
    return variables.find((each) => isBuffer(each) && (each.name === name || bindingKey(each) === name)) ?? null;
  }

  #lookUp(name: string): Entry | null {
    const direct = this.#entries.get(name);
    if (direct !== undefined) return direct;
    for (const entry of this.#entries.values()) if (entry.roots.some((root) => keyOf(root) === name)) return entry;
    return null;
  }

  #unknown(path: LaunchPath, name: string): never {
    throw unknownName(path, "buffer-unknown", name, [...this.#entries.keys()]);
  }

  #conflict(path: LaunchPath, name: string, other: string): never {
    throw launchError(path, "launch-conflict", { name, other });
  }

  #indexOf(name: string, path: LaunchPath): number {
    const entry = this.#lookUp(name);
    if (entry === null) return this.#unknown(path, name);
    return [...this.#entries.values()].indexOf(entry);
  }

  // ---------------------------------------------------------------- contents

  /** Gives a buffer its memory. `via`: names of buffers that are said to be the same as this one. */
  async #fill(entry: Entry, via: readonly string[]): Promise<number> {
    const known = this.#memoryOf.get(entry.name);
    if (known !== undefined) return known;
    const { key } = entry;
    const path: LaunchPath = ["buffers", key ?? entry.name];
    const given = key === null ? undefined : this.#given(key, entry);
    const same = sameAs(given);
    if (same !== null) {
      if (via.includes(entry.name)) throw launchError(path, "same-cycle", { name: entry.name });
      const other = this.#lookUp(same) ?? this.#unknown([...path, "same"], same);
      const memory = await this.#fill(other, [...via, entry.name]);
      this.#memoryOf.set(entry.name, memory);
      return memory;
    }
    const contents = await this.#contents(entry, given, path);
    this.#memories.push(contents);
    this.#memoryOf.set(entry.name, this.#memories.length - 1);
    return this.#memories.length - 1;
  }

  /** What the launch says of a buffer. */
  #given(key: string, entry: Entry): BufferContents | undefined {
    const given = this.#launch.buffers?.[key];
    const spelled = given === undefined ? given : spelledForm(given, layoutFor(entry), ["buffers", key]);
    if (spelled !== given) this.#spelled.set(key, spelled!);
    return spelled;
  }

  async #contents(entry: Entry, given: BufferContents | undefined, path: LaunchPath): Promise<Contents> {
    const layout = layoutFor(entry);
    const count = this.#callCount(entry) ?? this.#invocations();
    const files = this.#options.files ?? null;
    const base = this.#options.source?.path ?? "";
    if (given === undefined) {
      this.#checkDefault(entry, layout, count);
      this.#chosen.set(entry.name, defaultSpec(entry, layout, count));
    }
    const contents = given ?? this.#chosen.get(entry.name)!;
    return makeContents(contents, { layout, defaultCount: count, files, base, path });
  }

  /** The results of a call hold one element for each invocation that was asked for. */
  #callCount(entry: Entry): number | null {
    const step = this.#resolved.find(({ call }) => call !== null && call.result === entry.name);
    return step?.call?.count ?? null;
  }

  /** What nobody has written is not to blame: the size of the dispatch is, or that nothing says how long the buffer is. */
  #checkDefault({ name }: Entry, layout: Layout, count: number): void {
    const bytes = sizeWithElements(layout, count);
    if (!layout.runtimeSized || bytes <= LARGEST_BUFFER) return;
    const largest = this.#resolved.find((step) => invocationsOf(step) === this.#invocations()) ?? this.#resolved[0];
    const { given, path } = largest;
    const size = (["invocations", "workgroups"] as const).find((key) => given[key] !== undefined);
    const args = { name, count, bytes, limit: LARGEST_BUFFER };
    throw launchError(size === undefined ? path : [...path, size], "buffer-needs-size", args);
  }

  /** Of the largest dispatch whose size is known. */
  #invocations(): number {
    return Math.max(1, ...this.#resolved.map(invocationsOf));
  }

  #planned(entry: Entry): PlannedBuffer {
    const first = entry.roots[0] ?? entry.unused;
    return {
      name: entry.name,
      group: first?.group ?? null,
      binding: first?.binding ?? null,
      layout: layoutFor(entry),
      memory: this.#memoryOf.get(entry.name) ?? -1,
      writable: entry.roots.some(isWritable),
      chosen: this.#chosen.get(entry.name) ?? null,
    };
  }

  // ---------------------------------------------------------------- steps

  #step(step: ResolvedStep, names: ReadonlyMap<number, string>): PlannedStep {
    const { given, path, workgroups } = step;
    const bindings = new Map([...names].map(([root, name]) => [root, this.#indexOf(name, path)]));
    const swap = given.swap?.map((name, i) => this.#indexOf(name, [...path, "swap", i]));
    const indirect =
      "indirect" in workgroups ? this.#indexOf(workgroups.indirect, [...path, "workgroups", "indirect"]) : null;
    return {
      ...step,
      bindings,
      repeat: given.repeat ?? 1,
      swap: swap === undefined ? null : [swap[0], swap[1]],
      indirect,
    };
  }

  /** webgpu: #minimum-buffer-binding-size */
  #checkSizes(steps: readonly PlannedStep[], buffers: readonly PlannedBuffer[]): void {
    for (const step of steps) {
      for (const [id, index] of step.bindings) {
        const { name, memory } = buffers[index];
        const root = step.module.roots[id];
        const found = this.#memories[memory]?.bytes.byteLength;
        const needed = minBindingSize(layoutOf(root.type));
        if (found === undefined || found >= needed) continue;
        const args = { name, found, variable: root.name, type: typeName(root.type), needed };
        const key = this.#entries.get(name)?.key ?? name;
        this.#report.try(() => {
          throw launchError(["buffers", key], "buffer-too-small", args);
        });
      }
    }
  }

  /** webgpu: #abstract-opdef-encoder-bind-groups-alias-a-writable-resource */
  #warnOfAliases(steps: readonly PlannedStep[], buffers: readonly PlannedBuffer[]): void {
    for (const step of steps) {
      const seen = new Map<number, Root[]>();
      for (const [id, index] of step.bindings) {
        const { memory } = buffers[index];
        // What could not be filled is no buffer.
        if (memory < 0) continue;
        seen.set(memory, [...(seen.get(memory) ?? []), step.module.roots[id]]);
      }
      for (const [first, ...others] of seen.values()) {
        const written = [first, ...others].find(isWritable);
        if (others.length === 0 || written === undefined) continue;
        const args = { name: first.name, other: others[0].name, written: written.name };
        this.#report.atLaunch(this.#placeOfAlias(step, others[0]), "binding-aliased", args);
      }
    }
  }

  #placeOfAlias(step: PlannedStep, root: Root): LaunchPath {
    const { bind = {} } = step.given;
    for (const key of [root.name, keyOf(root)]) if (Object.hasOwn(bind, key)) return [...step.path, "bind", key];
    const key = [root.name, keyOf(root)].find((each) => Object.hasOwn(this.#launch.buffers ?? {}, each));
    return key === undefined ? step.path : ["buffers", key];
  }

  // ---------------------------------------------------------------- values and results

  #set(buffers: readonly PlannedBuffer[]): void {
    for (const [text, value] of Object.entries(this.#launch.set ?? {})) {
      const place: LaunchPath = ["set", text];
      this.#report.try(() =>
        at(place, () => {
          const path = parseValuePath(text);
          const { memory, layout } = buffers[this.#indexOf(path.buffer, place)];
          if (this.#memories[memory] !== undefined)
            writeAt(new BufferView(this.#memories[memory].bytes, layout), path, value);
        }),
      );
    }
  }

  #reads(buffers: readonly PlannedBuffer[]): readonly PlannedRead[] {
    const { read } = this.#launch;
    if (read === undefined) {
      const written = buffers.flatMap(({ name, writable }, buffer) =>
        writable ? [{ name, buffer, request: parseRead(name), path: [] }] : [],
      );
      return written;
    }
    const reads: PlannedRead[] = [];
    for (const [i, text] of read.entries()) {
      const path: LaunchPath = ["read", i];
      this.#report.try(() =>
        at(path, () => {
          const request = parseRead(text);
          const buffer = this.#indexOf(request.path.buffer, path);
          const name = request.path.steps.length === 0 ? buffers[buffer].name : request.path.text;
          // A second part of the same buffer goes by what was asked for.
          const isTaken = reads.some((each) => each.name === name);
          reads.push({ name: isTaken ? text : name, buffer, request, path });
        }),
      );
    }
    return reads;
  }
}

/** Where the number of workgroups is in a buffer, of one workgroup. */
function invocationsOf({ workgroups, module }: ResolvedStep): number {
  const [x, y, z] = "indirect" in workgroups ? [1, 1, 1] : workgroups;
  const [width, height, depth] = module.workgroupSize;
  return x * y * z * width * height * depth;
}

/** `group.binding` of a root variable. */
export function keyOf(root: { readonly group: number | null; readonly binding: number | null }): string {
  return `${root.group}.${root.binding}`;
}

function isWritable(root: Root): boolean {
  return root.space === "storage" && root.access !== "read";
}

function layoutFor(entry: Entry): Layout {
  const type = entry.roots[0]?.type ?? entry.unused?.type ?? arrayType(U32, null);
  return layoutOf(type);
}

/** Of a buffer that the launch says nothing of. */
function defaultSpec(entry: Entry, layout: Layout, count: number): string {
  const size = layout.runtimeSized ? `:${count}` : "";
  return entry.roots.some(isWritable) ? `zeros${size}` : `random${size}:seed=1`;
}

export type { PlanOptions, Triple };
