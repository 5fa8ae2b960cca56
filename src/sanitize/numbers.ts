/** Watches a module with numeric checks: which operations went wrong, and which NaN or infinity reached a buffer. */
import type { AccessSite } from "../engine/flat.ts";
import type { AccessEvent, Observer } from "../engine/observer.ts";
import type { Workgroup } from "../engine/workgroup.ts";
import type { RootId } from "../ir/ir.ts";
import type { Type } from "../types/type.ts";
import { reachable } from "./member-flows.ts";
import type { NumericModule, NumericSite } from "./numeric-pass.ts";
import { type Flow, type NodeId, type ValueGraph, valueGraph } from "./value-graph.ts";
import { invocationOf, type Witness, witness } from "./witness.ts";

/** A number as it came up, and who made it. */
export interface Birth extends Pick<Witness, "workgroupId" | "local"> {
  readonly site: number;
  readonly bits: number;
}

export interface NumericFound {
  readonly site: NumericSite;
  /** The one that is told of. */
  readonly birth: Birth;
  /** Where the NaN or infinity was stored. */
  readonly reached: Witness | null;
  count: number;
}

/** What a value that is no finite number may be made of: all but conditions and indices. */
const MADE_OF: ReadonlySet<Flow> = new Set(["copy", "add", "minus", "choice", "compute"]);

/** Of a store: so many ways in which some of its origins have given something are known at a time. */
const MOST_KEPT = 1024;

export class NumberMonitor implements Observer {
  readonly #numbers: NumericModule;
  readonly #graph: ValueGraph;
  readonly #found = new Map<number, NumericFound>();
  /** By invocation and instruction: the births of what it gave last. */
  readonly #given = new Map<number, Map<NodeId, readonly Birth[]>>();
  /** By variable, of a workgroup its own: by place that others read the births of what lies there. */
  readonly #there = new Map<number, Map<number, readonly Birth[]>>();
  /** Of operations that may make a NaN. */
  readonly #sites: ReadonlySet<NodeId>;
  /** By store: all that may give what is stored, and by those that have given something those of them that it comes from. */
  readonly #origins = new Map<NodeId, { all: readonly NodeId[]; among: Map<string, readonly NodeId[]> }>();

  constructor(numbers: NumericModule) {
    this.#numbers = numbers;
    this.#graph = valueGraph(numbers.plain);
    const origins = numbers.sites.filter(({ kind }) => kind === "nan-origin");
    this.#sites = new Set(origins.map((site) => this.#graph.node(site.function, site.instruction)));
  }

  access(event: AccessEvent): void {
    const { site, offset, after, inBounds } = event;
    if (!inBounds) return;
    if (site.root === this.#numbers.root) this.#report(event, offset / 4, after[0]);
    else if (isFloat(site.type)) this.#follow(event);
  }

  workgroupEnded({ index, size }: Workgroup): void {
    for (let local = 0; local < size; local++) this.#given.delete(index * size + local);
    for (const { id, space } of this.#numbers.plain.roots) {
      if (space === "workgroup") this.#there.delete(this.#variable(id, index));
    }
  }

  #report(event: AccessEvent, index: number, bits: number): void {
    const { kind, function: fn, instruction } = this.#numbers.sites[index];
    const birth = { site: index, bits, workgroupId: event.workgroup.id, local: event.localIndex };
    if (kind === "nan-origin") this.#give(event, this.#graph.node(fn, instruction), [birth]);
    else this.#add(birth, null);
  }

  #add(birth: Birth, reached: AccessEvent | null): void {
    const known = this.#found.get(birth.site);
    if (known !== undefined) known.count++;
    else {
      const site = this.#numbers.sites[birth.site];
      this.#found.set(birth.site, { site, birth, reached: reached === null ? null : witness(reached), count: 1 });
    }
  }

  #give(event: AccessEvent, node: NodeId, births: readonly Birth[]): void {
    const invocation = invocationOf(event);
    const given = this.#given.get(invocation);
    if (births.length === 0) given?.delete(node);
    else if (given !== undefined) given.set(node, births);
    else this.#given.set(invocation, new Map([[node, births]]));
  }

  /** NaNs and infinities on their way through memory. */
  #follow(event: AccessEvent): void {
    const { site, offset, after } = event;
    const { offsets } = site.shape;
    const read = new Set<Birth>();
    let stored: readonly Birth[] | null = null;
    for (let i = 0; i < offsets.length; i++) {
      if (isFinite32(after[i], site, i)) continue;
      const place = offset + offsets[i];
      if (site.kind === "read") {
        for (const birth of this.#thereOf(event).get(place) ?? []) read.add(birth);
        continue;
      }
      stored ??= this.#storedBy(event);
      this.#thereOf(event).set(place, stored);
      if (site.space === "storage") for (const birth of stored) this.#add(birth, event);
    }
    if (site.kind === "read") this.#give(event, this.#nodeOf(site), [...read]);
  }

  #thereOf({ site, workgroup }: AccessEvent): Map<number, readonly Birth[]> {
    const variable = this.#variable(site.root!, site.space === "workgroup" ? workgroup.index : 0);
    let there = this.#there.get(variable);
    if (there === undefined) {
      there = new Map();
      this.#there.set(variable, there);
    }
    return there;
  }

  #variable(root: RootId, workgroup: number): number {
    return workgroup * this.#numbers.plain.roots.length + root;
  }

  /** The births of what an invocation stores, as far as it is no finite number. */
  #storedBy(event: AccessEvent): readonly Birth[] {
    const given = this.#given.get(invocationOf(event));
    if (given === undefined || given.size === 0) return [];
    const births = this.#originsOf(this.#nodeOf(event.site), given).map((node) => given.get(node)!);
    return births.length === 1 ? births[0] : [...new Set(births.flat())];
  }

  #nodeOf({ function: fn, instruction }: AccessSite): NodeId {
    return this.#graph.node(fn - this.#numbers.routines, instruction);
  }

  #originsOf(store: NodeId, given: ReadonlyMap<NodeId, unknown>): readonly NodeId[] {
    let origins = this.#origins.get(store);
    if (origins === undefined) {
      origins = { all: this.#findOrigins(store, () => false).filter((node) => this.#mayGive(node)), among: new Map() };
      this.#origins.set(store, origins);
    }
    const some = origins.all.filter((node) => given.has(node));
    if (some.length < 2) return some;
    const key = some.join();
    let among = origins.among.get(key);
    if (among === undefined) {
      // Invocations may differ in what they have made, each from all others.
      if (origins.among.size >= MOST_KEPT) origins.among.clear();
      among = this.#findOrigins(store, (node) => given.has(node)).filter((node) => given.has(node));
      origins.among.set(key, among);
    }
    return among;
  }

  /** What a store's value may be made of. An operation that made a NaN was given finite numbers: what it is made of has got no further. */
  #findOrigins(store: NodeId, isBirth: (node: NodeId) => boolean): readonly NodeId[] {
    const isEnd = (node: NodeId) => isBirth(node) || this.#isShared(node);
    return [...reachable(this.#graph, [store], "into", MADE_OF, isEnd)];
  }

  #mayGive(node: NodeId): boolean {
    return this.#sites.has(node) || this.#graph.instructions[node]?.kind.endsWith("load") === true;
  }

  /** What is read there is known from the memory. */
  #isShared(node: NodeId): boolean {
    const root = this.#graph.rootOf(node);
    return root !== null && this.#numbers.plain.roots[root].space !== "private";
  }

  finish(): readonly NumericFound[] {
    return [...this.#found.values()];
  }
}

function isFloat(type: Type): boolean {
  if (type.kind === "vector" || type.kind === "matrix") return true;
  return type.kind === "f32" || type.kind === "f16" || type.kind === "struct" || type.kind === "array";
}

/** Whether the bits of a scalar are those of a finite number; of integers, which look like any, yes. */
function isFinite32(bits: number, { shape, type }: AccessSite, index: number): boolean {
  if (!holdsFloats(type)) return true;
  if (shape.halves[index] === 1) return (bits & 0x7c00) !== 0x7c00;
  return (bits & 0x7f800000) !== 0x7f800000;
}

/** Of structures only what is float throughout: a scalar's own type is not kept. */
function holdsFloats(type: Type): boolean {
  switch (type.kind) {
    case "vector":
    case "matrix":
    case "array":
      return holdsFloats(type.element);
    case "struct":
      return type.members.every((member) => holdsFloats(member.type));
    default:
      return type.kind === "f32" || type.kind === "f16";
  }
}
