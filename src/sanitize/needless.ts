/**
 * Barriers and atomics that a launch does not need: those that it comes to, and what is said of those that no dispatch
 * needs. Nothing is said of the barriers of `workgroupUniformLoad`.
 */

import { note } from "../diagnostics/diagnostic.ts";
import type { BarrierSite } from "../engine/flat.ts";
import type { AccessEvent, BarrierEvent, Observer } from "../engine/observer.ts";
import type { RootId } from "../ir/ir.ts";
import type { Span } from "../text/source.ts";
import { type DispatchScope, draft, resourceAt } from "./draft.ts";
import type { Finding, Resource } from "./finding.ts";
import { isAtomic } from "./race.ts";

/** A barrier as it is written; several calls of its function are one. */
interface BarrierPlace {
  readonly kind: "barrier";
  readonly span: Span;
  readonly barrier: BarrierSite["barrier"];
}

/** What is atomic: a variable, or a member of it in all elements. */
interface AtomicPlace {
  readonly kind: "atomic";
  /** Of its first access. */
  readonly span: Span;
  readonly resource: Resource;
  readonly declared: Span;
}

export type Place = BarrierPlace | AtomicPlace;

/** Several calls of its function are one. */
export function barrierKey({ span }: BarrierSite): string {
  return `barrier ${span.start}`;
}

/** What is atomic at a byte: through a pointer one instruction may come to several members. */
export class AtomicKeys {
  readonly #scope: DispatchScope;
  /** By root, then by byte. */
  readonly #known = new Map<number, Map<number, string>>();

  constructor(scope: DispatchScope) {
    this.#scope = scope;
  }

  /** That of `cells.count` for `cells[3].count`. */
  at(root: RootId, offset: number): string {
    let known = this.#known.get(root);
    if (known === undefined) {
      known = new Map();
      this.#known.set(root, known);
    }
    let key = known.get(offset);
    if (key === undefined) {
      key = `atomic ${withoutIndices(resourceAt(this.#scope, root, offset).path)}`;
      known.set(offset, key);
    }
    return key;
  }
}

function withoutIndices(path: string): string {
  return path.replaceAll(/\[\d+\]/g, "");
}

/** Sees which barriers and atomics a dispatch comes to. */
export class PlaceCollector implements Observer {
  readonly #scope: DispatchScope;
  readonly #keys: AtomicKeys;
  readonly #places = new Map<string, Place>();

  constructor(scope: DispatchScope) {
    this.#scope = scope;
    this.#keys = new AtomicKeys(scope);
  }

  get places(): ReadonlyMap<string, Place> {
    return this.#places;
  }

  barrier({ site }: BarrierEvent): void {
    if (site.uniformLoad) return;
    const { span, barrier } = site;
    this.#places.set(barrierKey(site), { kind: "barrier", span, barrier });
  }

  access({ site, offset, inBounds }: AccessEvent): void {
    const { span, root, kind } = site;
    if (!inBounds || root === null || !isAtomic(kind)) return;
    const key = this.#keys.at(root, offset);
    const known = this.#places.get(key);
    if (known !== undefined && known.span.start <= span.start) return;
    const { span: declared } = this.#scope.module.roots[root];
    const found = resourceAt(this.#scope, root, offset);
    const resource = { ...found, path: withoutIndices(found.path) };
    this.#places.set(key, { kind: "atomic", span, resource, declared });
  }
}

/** What all dispatches of a launch say together: one that needs a place is enough. */
export class NeedlessPlaces {
  readonly #places = new Map<string, { readonly scope: DispatchScope; readonly place: Place; needed: boolean }>();

  /** @param isNeeded by key of the places */
  note(scope: DispatchScope, places: ReadonlyMap<string, Place>, isNeeded: (key: string) => boolean): void {
    for (const [key, place] of places) {
      const of = `${scope.step.program.source.path} ${key}`;
      const known = this.#places.get(of);
      if (known === undefined) this.#places.set(of, { scope, place, needed: isNeeded(key) });
      else known.needed ||= isNeeded(key);
    }
  }

  findings(): readonly Finding[] {
    return [...this.#places.values()].flatMap(({ scope, place, needed }) => (needed ? [] : [findingOf(scope, place)]));
  }
}

function findingOf(scope: DispatchScope, place: Place): Finding {
  const { span } = place;
  const always = [note("checked-on-launch", span, {}), note("one-at-a-time", span, {})];
  if (place.kind === "barrier") {
    return draft(scope, "needless-barrier", span, { barrier: `${place.barrier}Barrier` }, { notes: always });
  }
  const { resource, declared } = place;
  const notes = [note("declared-here", declared, { name: resource.name }), ...always];
  return draft(scope, "needless-atomic", span, { path: resource.path }, { resource, notes });
}
