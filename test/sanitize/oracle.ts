/**
 * Races of a small dispatch by looking at all pairs of its accesses, byte by byte, straight from the rule: two accesses to
 * overlapping bytes by different invocations, one of them a write, not both atomic, nothing between that orders them. A
 * store to a component writes the whole vector. It shares nothing with the checkers but the events.
 */
import type { AccessSite } from "../../src/engine/flat.ts";
import type { AccessEvent, Observer } from "../../src/engine/observer.ts";

export interface OracleAccess {
  readonly site: AccessSite;
  /** Buffers by number; workgroup memory by workgroup. */
  readonly memory: string;
  readonly workgroup: number;
  readonly local: number;
  readonly workgroupBarriers: number;
  readonly storageBarriers: number;
  readonly textureBarriers: number;
  readonly bytes: ReadonlySet<number>;
}

/** `memoryOf` tells which roots are one memory. */
export class Oracle implements Observer {
  readonly accesses: OracleAccess[] = [];
  readonly #memoryOf: (root: number) => string;

  constructor(memoryOf: (root: number) => string) {
    this.#memoryOf = memoryOf;
  }

  access({ site, workgroup, localIndex, offset, inBounds }: AccessEvent): void {
    if (!inBounds || site.root === null || site.space === "uniform") return;
    const bytes = new Set<number>();
    const add = (start: number, size: number) => {
      for (let i = 0; i < size; i++) bytes.add(start + i);
    };
    const { vector } = site;
    if (site.kind === "write" && vector !== null) add(offset - (offset % vector.align), vector.size);
    else for (const run of site.shape.runs) add(offset + run.offset, run.size);
    const memory = this.#memoryOf(site.root);
    this.accesses.push({
      site,
      memory: site.space === "workgroup" ? `${memory} of ${workgroup.index}` : memory,
      workgroup: workgroup.index,
      local: localIndex,
      workgroupBarriers: workgroup.phases.workgroup,
      storageBarriers: workgroup.phases.storage,
      textureBarriers: workgroup.phases.texture,
      bytes,
    });
  }

  /** Every racing pair of accesses. */
  *pairs(): Generator<{ readonly kind: string; readonly a: OracleAccess; readonly b: OracleAccess }> {
    for (const [i, a] of this.accesses.entries()) {
      for (const b of this.accesses.slice(i + 1)) {
        const kind = verdict(a, b);
        if (kind !== null) yield { kind, a, b };
      }
    }
  }
}

function verdict(a: OracleAccess, b: OracleAccess): string | null {
  if (a.memory !== b.memory || (a.workgroup === b.workgroup && a.local === b.local)) return null;
  const isWrite = ({ site }: OracleAccess) =>
    site.kind === "write" || site.kind === "atomic-write" || site.kind === "atomic-rmw";
  const isAtomic = ({ site }: OracleAccess) => site.kind.startsWith("atomic");
  if (!isWrite(a) && !isWrite(b)) return null;
  if (isAtomic(a) && isAtomic(b)) return null;
  if (![...a.bytes].some((byte) => b.bytes.has(byte))) return null;
  if (a.workgroup !== b.workgroup) return "race-across-workgroups";
  const isShared = a.site.space === "workgroup";
  const own = ({ workgroupBarriers, storageBarriers }: OracleAccess) =>
    isShared ? workgroupBarriers : storageBarriers;
  const other = ({ workgroupBarriers, storageBarriers, textureBarriers }: OracleAccess) =>
    (isShared ? storageBarriers : workgroupBarriers) + textureBarriers;
  if (own(a) !== own(b)) return null;
  return other(a) === other(b) ? "race" : "wrong-barrier";
}

export function overlap(a: OracleAccess, b: OracleAccess): number[] {
  return [...a.bytes].filter((byte) => b.bytes.has(byte));
}
