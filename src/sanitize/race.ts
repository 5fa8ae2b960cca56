/**
 * The race rule. Two accesses to one cell by different invocations of one dispatch conflict if one of them writes and not
 * both are atomic. They race unless something orders them, and only a barrier of the workgroup that both belong to can,
 * the one for this kind of memory: `workgroupBarrier` for workgroup memory, `storageBarrier` for storage buffers. Subgroup
 * operations order no memory, atomics nothing but themselves. spec: #memory-model, #sync-builtin-functions
 *
 * Each workgroup counts the barriers of each kind that it has passed; the memory's own count is the epoch of an access.
 * `workgroupUniformLoad` is two barriers with a read between them, and is counted so.
 */
import type { AccessKind, AccessSite } from "../engine/flat.ts";
import type { Phases } from "../engine/workgroup.ts";
import type { AddressSpace } from "../types/type.ts";

/** What the rule needs to know of an access. */
export interface Party {
  readonly kind: AccessKind;
  /** Index of the workgroup. */
  readonly workgroup: number;
  /** In its workgroup. */
  readonly local: number;
  /** Barriers passed for this kind of memory. */
  readonly epoch: number;
  /** Barriers passed of all kinds. */
  readonly barriers: number;
}

/** How two accesses stand to each other. */
export type Verdict = "none" | "race" | "race-across-workgroups" | "wrong-barrier";

/** The rule. */
export function judge(a: Party, b: Party): Verdict {
  if (a.workgroup === b.workgroup && a.local === b.local) return "none";
  if (!conflict(a.kind, b.kind)) return "none";
  return unordered(a, b);
}

export function conflict(a: AccessKind, b: AccessKind): boolean {
  return (writes(a) || writes(b)) && !(isAtomic(a) && isAtomic(b));
}

/** Where nothing orders two accesses of different invocations: what stands between them instead. */
export function unordered(a: Party, b: Party): Verdict {
  if (a.workgroup !== b.workgroup) return "race-across-workgroups";
  if (a.epoch !== b.epoch) return "none";
  return a.barriers === b.barriers ? "race" : "wrong-barrier";
}

export function writes(kind: AccessKind): boolean {
  return kind !== "read" && kind !== "atomic-read";
}

export function isAtomic(kind: AccessKind): boolean {
  return kind !== "read" && kind !== "write";
}

/** The count that orders accesses to this kind of memory. */
export function epochOf(space: AddressSpace, phases: Phases): number {
  return space === "workgroup" ? phases.workgroup : phases.storage;
}

export function barriersPassed(phases: Phases): number {
  return phases.workgroup + phases.storage + phases.texture;
}

// ---------------------------------------------------------------- atomics that hang on timing

/** The part that an access takes in the question whether a result hangs on timing. */
export type AtomicRole = "sets" | "takes" | "changes" | "looks" | "decides" | "none";

/** What becomes of the result of an atomic function. */
export type ResultUse = "goes-on" | "decides" | "none";

/**
 * `sets`: puts a value there whatever was there before. `takes`: likewise, but what was there goes on. `changes`: makes a
 * new value of the old one. `looks`: reads a value that goes on. `decides`: reads a value that only decides what is done
 * elsewhere. A function that changed nothing plays no part.
 * @param result where the result leads (see `atomic-uses.ts`)
 */
export function atomicRole(site: AccessSite, result: ResultUse, changed: boolean): AtomicRole {
  const goesOn = result === "goes-on";
  if (site.kind === "atomic-write") return "sets";
  if (site.kind === "atomic-read") return goesOn ? "looks" : result;
  if (site.kind !== "atomic-rmw") return "none";
  if (site.atomic === "atomicExchange") return goesOn ? "takes" : "sets";
  return changed ? "changes" : "none";
}

/** Clear-then-add, count-then-read: the outcome hangs on which comes first. Two equal stores are the caller's to except. */
export function timingMatters(a: AtomicRole, b: AtomicRole): boolean {
  if (a === "none" || b === "none") return false;
  // A count that is looked at too early decides wrongly.
  if (a === "decides" || b === "decides") return a === "changes" || b === "changes";
  if (a === "sets" || b === "sets") return true;
  // Takers hand values on to each other, and so do changers: nothing is lost, whoever comes first.
  return a !== b;
}
