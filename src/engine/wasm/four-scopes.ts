/**
 * Where some of four invocations may be waiting while the others go on: those that a condition sent the other way, and
 * those that have jumped to the end of something and wait there.
 */
import type { LabelId } from "./tree.ts";

export interface Scope {
  readonly label: LabelId;
  /** Some may have left it, or its place in a round, already. */
  left: boolean;
  /** Conditions in it, around this place, that not all need agree on. */
  choices: number;
}

export class Scopes {
  readonly #scopes: Scope[] = [];
  #choices = 0;

  /** `left`: whether some may have left in an earlier round. */
  enter(label: LabelId, left = false): Scope {
    const scope = { label, left, choices: 0 };
    this.#scopes.push(scope);
    return scope;
  }

  leave(): void {
    this.#scopes.pop();
  }

  /** Where a condition has sent some one way and some the other. */
  inChoice<T>(visit: () => T): T {
    // Of what is around now; what is inside of it is entered by some only, but left by all of them.
    const around = [...this.#scopes];
    for (const scope of around) scope.choices++;
    this.#choices++;
    const result = visit();
    this.#choices--;
    for (const scope of around) scope.choices--;
    return result;
  }

  /** Whether only some may be here. */
  get some(): boolean {
    return this.#choices > 0 || this.#scopes.some(({ left }) => left);
  }

  /** Whether of those that have entered what ends at the label some may not be here, or wait at an end inside of it. */
  someOf(label: LabelId): boolean {
    const inside = this.#scopes.slice(this.#find(label));
    return inside[0].choices > 0 || inside.some(({ left }) => left);
  }

  /** Those that are here jump to the label, others do not; gives the scopes that they leave. */
  jump(label: LabelId): readonly Scope[] {
    const inside = this.#scopes.slice(this.#find(label));
    for (const scope of inside) scope.left = true;
    return inside;
  }

  /** From the innermost one outwards. */
  get around(): readonly Scope[] {
    return this.#scopes.toReversed();
  }

  #find(label: LabelId): number {
    return this.#scopes.findLastIndex((scope) => scope.label === label);
  }
}
