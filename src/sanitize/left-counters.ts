/**
 * Append counters that a dispatch left above the capacity of what they index. Whether that is wrong is for the next one
 * to say who reads such a counter: cut to the capacity it does no harm. One that nobody reads in the launch is taken to be
 * read by the host, or by an indirect draw.
 */
import type { DispatchRequest } from "../engine/dispatch.ts";
import type { Memory } from "../engine/memory.ts";
import type { AccessEvent } from "../engine/observer.ts";
import type { Span } from "../text/source.ts";
import { partOf, roomOf } from "./append-sites.ts";
import type { CountedPlaces } from "./counters.ts";
import type { DispatchScope } from "./draft.ts";
import type { Finding } from "./finding.ts";
import { capacityFinding, capacityOf, type OverCapacity } from "./report-others.ts";
import { counterUse, minds } from "./saturation.ts";

interface Left {
  readonly scope: DispatchScope;
  readonly found: OverCapacity;
  readonly memory: Memory;
  /** Byte offsets in the memory. */
  readonly places: ReadonlySet<number>;
  /** The memory of the array that it indexes. */
  readonly array: Memory | null;
  /** It indexes a part of the array: that it is too high is wrong only if somebody trusts it. */
  readonly isPart: boolean;
  state: "unread" | "saturated" | "compared" | "trusted";
  reader: { readonly entry: string; readonly span: Span } | null;
}

export class LeftCounters {
  readonly #left: Left[] = [];
  /** Of the dispatch that runs: what may be read by its root variables. */
  #watched = new Map<number, { readonly left: Left; readonly offset: number }[]>();
  /** Memory of the root variables of the dispatch that runs. */
  #bound = new Map<number, Memory>();
  #scope: DispatchScope | null = null;

  /** Whether the dispatch that has begun may read what an earlier one left too high. */
  get isWatching(): boolean {
    return this.#watched.size > 0;
  }

  /** A dispatch begins: what do its variables read of the counters left by those before? */
  begin(scope: DispatchScope, bindings: DispatchRequest["bindings"]): void {
    this.#scope = scope;
    this.#watched = new Map();
    this.#bound = new Map([...bindings].map(([root, { memory }]) => [root, memory]));
    for (const [root, { memory, offset }] of bindings) {
      const left = this.#left.filter((each) => each.memory === memory && each.state !== "trusted");
      if (left.length > 0)
        this.#watched.set(
          root,
          left.map((each) => ({ left: each, offset })),
        );
    }
  }

  access({ site, offset: at }: AccessEvent): void {
    if (this.#watched.size === 0 || site.root === null) return;
    for (const { left, offset } of this.#watched.get(site.root) ?? []) {
      if (!left.places.has(offset + at)) continue;
      if (site.kind === "write" || site.kind === "atomic-write" || site.atomic === "atomicMin") {
        if (left.state === "unread") left.state = "saturated";
      } else if (left.state === "unread" || left.state === "compared") this.#read(left, site);
    }
  }

  #read(left: Left, site: AccessEvent["site"]): void {
    const { module, step } = this.#scope!;
    const use = counterUse(module, site.function, site.instruction);
    const reader = { entry: step.entry.name, span: site.span };
    const arrays = new Set([...this.#bound].flatMap(([root, memory]) => (memory === left.array ? [root] : [])));
    if (use === "compared" && minds(module, site.function, arrays, left.found.capacity)) {
      left.state = "compared";
      left.reader ??= reader;
    } else if (use !== "cut") {
      left.state = "trusted";
      left.reader = reader;
    } else if (left.state === "unread") left.state = "saturated";
  }

  /** An access out of bounds: whoever only compared a counter of this array has gone too far by it. */
  outOfBounds({ site }: AccessEvent): void {
    const memory = site.root === null ? undefined : this.#bound.get(site.root);
    if (memory === undefined) return;
    for (const left of this.#left) {
      if (left.array === memory && left.state === "compared") left.state = "trusted";
    }
  }

  /** A dispatch has ended: which of its counters are too high? */
  end(scope: DispatchScope, bindings: DispatchRequest["bindings"], counted: readonly CountedPlaces[]): void {
    for (const { index, offsets } of counted) {
      const { counter, user } = index;
      const root = counter.inst.root!;
      const binding = bindings.get(root);
      const part = partOf(scope.module, index)?.length ?? null;
      const elements = part ?? capacityOf(scope, index);
      if (binding === undefined || elements === null || scope.module.roots[user.inst.root!].space !== "storage")
        continue;
      const capacity = roomOf(scope.module, index, elements);
      const view = binding.memory.view(binding.offset, binding.size);
      const isSigned = counter.inst.type.kind === "i32";
      const valueAt = (offset: number) => (isSigned ? view.getInt32(offset, true) : view.getUint32(offset, true));
      const over = [...offsets].filter((offset) => valueAt(offset) > capacity);
      if (over.length === 0) continue;
      this.#left.push({
        scope,
        found: { index, offset: over[0], value: valueAt(over[0]), elements, capacity, count: over.length },
        memory: binding.memory,
        places: new Set(over.map((offset) => binding.offset + offset)),
        array: bindings.get(user.inst.root!)?.memory ?? null,
        isPart: part !== null,
        state: "unread",
        reader: null,
      });
    }
  }

  findings(): readonly Finding[] {
    return this.#left
      .filter(({ state, isPart }) => state === "trusted" || (state === "unread" && !isPart))
      .map(({ scope, found, reader }) => capacityFinding(scope, found, reader));
  }
}
