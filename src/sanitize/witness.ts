/** One access as it was when it happened: events are used again, so what is kept of them is copied. */
import type { Triple } from "../engine/builtin-values.ts";
import type { AccessSite } from "../engine/flat.ts";
import type { AccessEvent } from "../engine/observer.ts";
import { epochOf } from "./race.ts";

export interface Witness {
  readonly site: AccessSite;
  readonly workgroupId: Triple;
  /** In its workgroup. */
  readonly local: number;
  /** Barriers passed for this kind of memory. */
  readonly epoch: number;
  /** Bytes from the start of the root variable. */
  readonly offset: number;
  /** Bits of the scalars afterwards. */
  readonly values: ArrayLike<number>;
}

export function witness({ site, workgroup, localIndex, offset, after }: AccessEvent): Witness {
  return {
    site,
    workgroupId: workgroup.id,
    local: localIndex,
    epoch: epochOf(site.space, workgroup.phases),
    offset,
    values: after.slice(0, site.shape.offsets.length),
  };
}

/** The number of the invocation that makes an access: workgroup by workgroup. */
export function invocationOf({ workgroup, localIndex }: AccessEvent): number {
  return workgroup.index * workgroup.size + localIndex;
}
