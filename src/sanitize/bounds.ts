/** Accesses out of bounds, counted by place. */
import type { AccessSite } from "../engine/flat.ts";
import type { AccessEvent, BoundsFault } from "../engine/observer.ts";
import { type Witness, witness } from "./witness.ts";

export interface OutOfBoundsFound {
  readonly witness: Witness;
  /** Of the first one; null: the binding is too small. */
  readonly fault: BoundsFault | null;
  count: number;
}

export class BoundsMonitor {
  readonly #found = new Map<AccessSite, OutOfBoundsFound>();

  /** Only accesses out of bounds. */
  access(event: AccessEvent): void {
    const known = this.#found.get(event.site);
    if (known !== undefined) known.count++;
    else this.#found.set(event.site, { witness: witness(event), fault: event.fault, count: 1 });
  }

  finish(): readonly OutOfBoundsFound[] {
    return [...this.#found.values()];
  }
}
