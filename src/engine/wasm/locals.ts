/** The locals of a function under construction. Those that a scope allocates are used again after it. */
import type { ValueType } from "./instructions.ts";

export class LocalAllocator {
  readonly #types: ValueType[];
  readonly #parameters: number;
  readonly #free: Record<ValueType, number[]> = { i32: [], i64: [], f32: [], f64: [], v128: [] };
  readonly #scopes: number[][] = [[]];

  constructor(parameters: readonly ValueType[]) {
    this.#types = [...parameters];
    this.#parameters = parameters.length;
  }

  /** Until the end of the innermost scope. */
  allocate(type: ValueType): number {
    const index = this.#free[type].pop() ?? this.#types.push(type) - 1;
    this.#scopes[this.#scopes.length - 1].push(index);
    return index;
  }

  /** For the whole function. */
  allocatePermanent(type: ValueType): number {
    return this.#types.push(type) - 1;
  }

  open(): void {
    this.#scopes.push([]);
  }

  close(): void {
    for (const index of this.#scopes.pop()!.reverse()) this.#free[this.#types[index]].push(index);
  }

  /** Without the parameters. */
  get types(): readonly ValueType[] {
    return this.#types.slice(this.#parameters);
  }
}
