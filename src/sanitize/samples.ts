/**
 * Other schedules for a dispatch that is too large for them: its first workgroups alone, as if the others had not begun
 * yet. What is found there can happen; what needs more of them is not found.
 */
import { product } from "../engine/builtin-values.ts";
import type { DispatchRequest } from "../engine/dispatch.ts";
import type { Schedule } from "../engine/schedule.ts";
import type { RootId } from "../ir/ir.ts";
import { layoutOf } from "../layout/layout.ts";
import { differenceOf } from "./compare-runs.ts";
import type { DispatchScope } from "./draft.ts";
import type { Finding, Replay } from "./finding.ts";
import { compareContents, type FloatSum, floatSums } from "./order.ts";
import { type Difference, orderFinding } from "./report-others.ts";

/** Invocations of a sample, and instructions that they may take. */
const INVOCATIONS = 2 ** 8;
const INSTRUCTIONS = 2 ** 15;
/** Of all workgroups at most such a share is in a sample; where that is less than two, one sample has to do. */
const SHARE = 1 / 128;
const LEAST = 2;

export interface Sample {
  readonly replay: Replay;
  /** Without its schedule. */
  readonly request: DispatchRequest;
  readonly schedule: Schedule;
}

export function samplesOf(request: DispatchRequest, seed: number): readonly Sample[] {
  const { module, workgroups } = request;
  const size = product(module.workgroupSize);
  const all = product(workgroups);
  const schedules = [{ kind: "interleave" }, { kind: "random", seed }] as const;
  const share = all * SHARE;
  const count = Math.min(all, Math.max(LEAST, Math.floor(Math.min(INVOCATIONS / size, share))));
  const chosen = schedules.slice(0, share < LEAST ? 1 : schedules.length);
  const { observer: _, schedule: __, ...others } = request;
  const part = { ...others, range: [0, count] as const, maxInstructions: INSTRUCTIONS };
  return chosen.map((schedule) => ({
    replay: { schedule: schedule.kind, seed, workgroups: count },
    request: part,
    schedule,
  }));
}

/** A finding that others may explain: those about the variables of these names. */
export interface OrderCandidate {
  readonly finding: Finding;
  readonly names: ReadonlySet<string>;
  /** … and of those that the sum is made of. */
  readonly madeOf: ReadonlySet<string>;
}

/** Compares what is left in the buffers where floats are added in order of arrival. */
export class SampledOrder {
  readonly #scope: DispatchScope;
  readonly #bindings: DispatchRequest["bindings"];
  readonly #sums: readonly FloatSum[];
  readonly #found = new Map<FloatSum, { readonly difference: Difference; count: number }>();
  #replay: Replay | null = null;
  #contents: ReadonlyMap<RootId, Uint8Array> = new Map();

  constructor(scope: DispatchScope, bindings: DispatchRequest["bindings"]) {
    this.#scope = scope;
    this.#bindings = bindings;
    this.#sums = floatSums(scope.module);
  }

  get isWanted(): boolean {
    return this.#sums.length > 0;
  }

  /** The buffers hold what others are compared with. */
  start(replay: Replay): void {
    this.#replay = replay;
    const roots = new Set(this.#sums.flatMap(({ affects }) => [...affects]));
    this.#contents = new Map(
      [...roots].flatMap((root) => {
        const bytes = this.#bytes(root);
        return bytes === null ? [] : [[root, bytes.slice()] as const];
      }),
    );
  }

  #bytes(root: RootId): Uint8Array | null {
    const binding = this.#bindings.get(root);
    if (binding === undefined) return null;
    return binding.memory.bytes.subarray(binding.offset, binding.offset + binding.size);
  }

  compare(replay: Replay): void {
    if (this.#replay === null) return;
    for (const sum of this.#sums) {
      const root = [...sum.affects].find((each) => {
        const before = this.#contents.get(each);
        return before !== undefined && compareContents(before, this.#bytes(each)!) !== "same";
      });
      if (root === undefined) continue;
      const known = this.#found.get(sum);
      if (known !== undefined) known.count++;
      else this.#found.set(sum, { difference: this.#difference(root, replay), count: 1 });
    }
  }

  #difference(root: RootId, replay: Replay): Difference {
    const { name, type } = this.#scope.module.roots[root];
    const layout = layoutOf(type);
    const [a, b] = [this.#contents.get(root)!, this.#bytes(root)!].map((bytes) => ({ bytes, layout }));
    return differenceOf(name, a, b, this.#replay!, replay);
  }

  get findings(): readonly OrderCandidate[] {
    const { roots } = this.#scope.module;
    return [...this.#found].map(([sum, { difference, count }]) => ({
      finding: orderFinding(this.#scope, sum, difference, count),
      names: new Set([sum.root, ...sum.affects].map((root) => roots[root].name)),
      madeOf: new Set([...sum.of].map((root) => roots[root].name)),
    }));
  }
}
