/** Which bytes the root variables of a dispatch name: what is bound where, how it is divided into cells. */
import type { DispatchRequest } from "../engine/dispatch.ts";
import type { AccessSite } from "../engine/flat.ts";
import { Memory } from "../engine/memory.ts";
import type { IrModule, Root, RootId } from "../ir/ir.ts";
import { eachInstruction } from "../ir/walk.ts";
import { layoutOf } from "../layout/layout.ts";
import { type CellPlan, hasHalves, SiteCells } from "./cells.ts";

/** A root variable whose accesses are looked at. */
export interface Region {
  readonly root: Root;
  /** Several variables that are bound to one memory have the same. Workgroup variables have one each. */
  readonly area: number;
  /** Byte of the area at which the variable begins. */
  readonly offset: number;
  readonly plan: CellPlan;
}

export interface Area {
  /** null: workgroup memory, one for each workgroup. */
  readonly memory: Memory | null;
  readonly cells: number;
}

/** Memory that the entry point can write: only there can be races. */
export class MemoryMap {
  readonly module: IrModule;
  readonly areas: Area[] = [];
  readonly #regions: (Region | null)[];
  readonly #sites = new Map<AccessSite, SiteCells>();

  constructor({ module, bindings }: Pick<DispatchRequest, "module" | "bindings">) {
    this.module = module;
    this.#regions = module.roots.map(() => null);
    const written = writtenRoots(module);
    const memories = new Map<Memory, RootId[]>();
    for (const root of module.roots) {
      if (root.space === "workgroup" && written.has(root.id)) this.#addWorkgroupVariable(root);
      const binding = bindings.get(root.id);
      if (binding !== undefined) memories.set(binding.memory, [...(memories.get(binding.memory) ?? []), root.id]);
    }
    for (const [memory, roots] of memories) {
      if (roots.some((root) => written.has(root))) this.#addBuffer(memory, roots, bindings);
    }
  }

  region(root: RootId | null): Region | null {
    return root === null ? null : this.#regions[root];
  }

  /** The cells of a site of a region. */
  cellsOf(site: AccessSite, region: Region): SiteCells {
    let cells = this.#sites.get(site);
    if (cells === undefined) {
      cells = new SiteCells(site, region.plan);
      this.#sites.set(site, cells);
    }
    return cells;
  }

  #addWorkgroupVariable(root: Root): void {
    const { size } = layoutOf(root.type);
    const plan: CellPlan = { shift: hasHalves(root.type) ? 1 : 2, mixed: false };
    this.#regions[root.id] = { root, area: this.areas.length, offset: 0, plan };
    this.areas.push({ memory: null, cells: (size >> plan.shift) + 1 });
  }

  #addBuffer(memory: Memory, ids: readonly RootId[], bindings: DispatchRequest["bindings"]): void {
    const roots = ids.map((id) => this.module.roots[id]);
    const first = bindings.get(ids[0])!;
    const alike = (id: RootId) =>
      this.module.roots[id].type === roots[0].type && bindings.get(id)!.offset === first.offset;
    const plan: CellPlan = {
      shift: roots.some((root) => hasHalves(root.type)) ? 1 : 2,
      mixed: !ids.every(alike),
    };
    for (const root of roots) {
      this.#regions[root.id] = { root, area: this.areas.length, offset: bindings.get(root.id)!.offset, plan };
    }
    this.areas.push({ memory, cells: (memory.size >> plan.shift) + 1 });
  }
}

/** The memory that a dispatch can write. */
export function writtenMemories({
  module,
  bindings,
}: Pick<DispatchRequest, "module" | "bindings">): ReadonlySet<Memory> {
  const written = writtenRoots(module);
  return new Set([...bindings].flatMap(([root, { memory }]) => (written.has(root) ? [memory] : [])));
}

/** Copies of what memory holds. */
export type Contents = ReadonlyMap<Memory, Uint8Array>;

export function contentsOf(memories: Iterable<Memory>): Contents {
  return new Map([...memories].map((memory) => [memory, memory.bytes.slice()]));
}

export function restore(contents: Contents): void {
  for (const [memory, bytes] of contents) memory.bytes.set(bytes);
}

type Bindings = DispatchRequest["bindings"];

/** The same bindings with copies in place of some memories. */
export function boundTo(copies: ReadonlyMap<Memory, Memory>, bindings: Bindings): Bindings {
  return new Map(
    [...bindings].map(([root, binding]) => [
      root,
      { ...binding, memory: copies.get(binding.memory) ?? binding.memory },
    ]),
  );
}

/** A request in memory of its own where `before` tells of it; that memory holds nothing yet. */
export function apart(
  request: DispatchRequest,
  before: Contents,
): { readonly request: DispatchRequest; readonly before: Contents } {
  const copies = new Map([...before].map(([memory, bytes]) => [memory, new Memory(bytes.length)]));
  return {
    request: { ...request, bindings: boundTo(copies, request.bindings) },
    before: new Map([...before].map(([memory, bytes]) => [copies.get(memory)!, bytes])),
  };
}

/** Roots that some instruction stores to or changes. */
export function writtenRoots(module: IrModule): ReadonlySet<RootId> {
  const written = new Set<RootId>();
  for (const fn of module.functions) {
    eachInstruction(fn.body, (inst) => {
      const writes = inst.kind === "store" || (inst.kind === "atomic" && inst.operation !== "load");
      if (writes && inst.root !== null) written.add(inst.root);
    });
  }
  return written;
}
