/**
 * Barriers and atomics that a launch does not need, by the race rule: what would be unordered if the barrier were not
 * there, what would race if the accesses were plain? Each is asked by itself, of the accesses that the dispatch made: its
 * events are given to the detectors as they would have been. Unordered atomics whose outcome hangs on timing count as
 * conflicts too: they are what a barrier between setting and counting is for. Nothing is said of a dispatch that has
 * conflicts as it is, nor of the barriers of `workgroupUniformLoad`.
 */

import { note } from "../diagnostics/diagnostic.ts";
import type { AccessKind, AccessSite, BarrierSite } from "../engine/flat.ts";
import type { AccessEvent, BarrierEvent, Observer } from "../engine/observer.ts";
import type { Phases, Workgroup } from "../engine/workgroup.ts";
import type { Span } from "../text/source.ts";
import { type DispatchScope, draft, resourceAt } from "./draft.ts";
import type { Finding, Resource } from "./finding.ts";

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

/** What atomic accesses are to: through a pointer one instruction may come to several members. */
class AtomicPaths {
  readonly #scope: DispatchScope;
  /** By root, then by byte. */
  readonly #known = new Map<number, Map<number, string>>();

  constructor(scope: DispatchScope) {
    this.#scope = scope;
  }

  /** `cells.count` for `cells[3].count`; null for what is not atomic. */
  of({ site, offset, inBounds }: AccessEvent): string | null {
    const { root } = site;
    if (!inBounds || root === null || site.kind === "read" || site.kind === "write") return null;
    let known = this.#known.get(root);
    if (known === undefined) {
      known = new Map();
      this.#known.set(root, known);
    }
    let path = known.get(offset);
    if (path === undefined) {
      path = resourceAt(this.#scope, root, offset).path.replaceAll(/\[\d+\]/g, "");
      known.set(offset, path);
    }
    return path;
  }
}

/** Sees which barriers and atomics a dispatch comes to. */
export class PlaceCollector implements Observer {
  readonly #scope: DispatchScope;
  readonly #paths: AtomicPaths;
  readonly #places = new Map<string, Place>();

  constructor(scope: DispatchScope) {
    this.#scope = scope;
    this.#paths = new AtomicPaths(scope);
  }

  get places(): ReadonlyMap<string, Place> {
    return this.#places;
  }

  barrier({ site }: BarrierEvent): void {
    if (site.uniformLoad) return;
    const { span, barrier } = site;
    this.#places.set(`barrier ${span.start}`, { kind: "barrier", span, barrier });
  }

  access(event: AccessEvent): void {
    const path = this.#paths.of(event);
    if (path === null) return;
    const { span, root } = event.site;
    const key = `atomic ${path}`;
    const known = this.#places.get(key);
    if (known !== undefined && known.span.start <= span.start) return;
    const { span: declared } = this.#scope.module.roots[root!];
    const resource = { ...resourceAt(this.#scope, root!, event.offset), path };
    this.#places.set(key, { kind: "atomic", span, resource, declared });
  }
}

/** Gives an observer the events of a dispatch as they would be without a barrier, or with plain accesses for atomic ones. */
export class WhatIf implements Observer {
  readonly #inner: Observer;
  readonly #place: Place;
  readonly #workgroups = new Map<Workgroup, ReducedWorkgroup>();
  readonly #paths: AtomicPaths;
  readonly #plain = new Map<AccessSite, AccessSite>();

  constructor(inner: Observer, place: Place, scope: DispatchScope) {
    this.#inner = inner;
    this.#place = place;
    this.#paths = new AtomicPaths(scope);
  }

  workgroupStarted(workgroup: Workgroup): void {
    const reduced = reducedWorkgroup(workgroup);
    this.#workgroups.set(workgroup, reduced);
    this.#inner.workgroupStarted?.(reduced);
  }

  workgroupEnded(workgroup: Workgroup): void {
    this.#inner.workgroupEnded?.(this.#workgroups.get(workgroup)!);
    this.#workgroups.delete(workgroup);
  }

  barrier(event: BarrierEvent): void {
    const reduced = this.#workgroups.get(event.workgroup)!;
    if (this.#isTakenOut(event.site)) reduced.without[event.site.barrier]++;
    else this.#inner.barrier?.({ ...event, workgroup: reduced });
  }

  access(event: AccessEvent): void {
    const place = this.#place;
    const isPlain = place.kind === "atomic" && this.#paths.of(event) === place.resource.path;
    const site = isPlain ? this.#plainSite(event.site) : event.site;
    this.#inner.access?.({ ...event, site, workgroup: this.#workgroups.get(event.workgroup)! });
  }

  #plainSite(site: AccessSite): AccessSite {
    let plain = this.#plain.get(site);
    if (plain === undefined) {
      plain = { ...site, kind: PLAIN[site.kind], atomic: null };
      this.#plain.set(site, plain);
    }
    return plain;
  }

  #isTakenOut({ uniformLoad, span }: BarrierSite): boolean {
    const place = this.#place;
    return place.kind === "barrier" && !uniformLoad && span.start === place.span.start;
  }
}

type ReducedWorkgroup = Workgroup & { readonly without: Phases };

/** The same workgroup, but for the barriers that are counted in `without`. */
function reducedWorkgroup(workgroup: Workgroup): ReducedWorkgroup {
  const without: Phases = { workgroup: 0, storage: 0, texture: 0 };
  return Object.create(workgroup, {
    without: { value: without },
    phases: {
      get: (): Phases => ({
        workgroup: workgroup.phases.workgroup - without.workgroup,
        storage: workgroup.phases.storage - without.storage,
        texture: workgroup.phases.texture - without.texture,
      }),
    },
  }) as ReducedWorkgroup;
}

const PLAIN: Readonly<Record<AccessKind, AccessKind>> = {
  read: "read",
  write: "write",
  "atomic-read": "read",
  "atomic-write": "write",
  "atomic-rmw": "write",
};

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
