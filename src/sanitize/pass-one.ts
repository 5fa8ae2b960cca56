/**
 * Pass 1 on the wasm engine: runs a dispatch with the code of `shadow-pass.ts` in it, on all workers, and says what there
 * is to look at again. Each worker has cells of its own, so that nobody waits; what two of them saw of one cell is put
 * together afterwards. What cannot be run so is left to the checkers on the interpreter.
 */
import { product } from "../engine/builtin-values.ts";
import type { DispatchRequest, DispatchResult, Engine } from "../engine/dispatch.ts";
import type { BufferBinding, Memory } from "../engine/memory.ts";
import { whyInterpreted } from "../engine/wasm/compile.ts";
import { interpreterReason } from "../engine/wasm-engine/fallback.ts";
import type { IrModule, RootId } from "../ir/ir.ts";
import { OperationCounts } from "./operation-counts.ts";
import { hangsOnOrder } from "./order-dependence.ts";
import { AGAINST } from "./shadow.ts";
import { COUNTS, FOUND, PARAMETERS } from "./shadow-code.ts";
import { addShadow, type Shadowed, type ShadowModule, type ShadowOptions } from "./shadow-pass.ts";
import { cellCount, cellOffsets } from "./shadow-types.ts";

/** What pass 1 saw. The buffers hold what the dispatch left in them. */
export interface FirstLook {
  readonly result: DispatchResult;
  readonly bounds: boolean;
  readonly counters: boolean;
  /** Bytes of the variables at which cells begin that race, or may. */
  readonly racy: ReadonlyMap<RootId, readonly number[]>;
  /** Valid until the next dispatch. */
  readonly counts: OperationCounts;
}

/** Stamps are u32. */
const STAMPS = 2 ** 32 - 1;
/** Milliseconds where the request names none: as the interpreter has. */
const PATIENCE = 60_000;
/** Epochs of storage that a workgroup may have. */
const MOST_EPOCHS = 2 ** 12;

interface Area {
  readonly memory: Memory;
  /** Bytes for one worker. */
  readonly size: number;
}

export class PassOne {
  readonly #engine: Engine;
  readonly #options: ShadowOptions;
  readonly #mostBytes: number;
  readonly #modules = new Map<IrModule, ShadowModule | null>();
  /** By module and variable. They keep their stamps from dispatch to dispatch. */
  readonly #areas = new Map<string, Area>();
  #bytes = 0;
  #nextStamp = 1;

  constructor(engine: Engine, options: ShadowOptions, mostBytes: number) {
    this.#engine = engine;
    this.#options = options;
    this.#mostBytes = mostBytes;
  }

  close(): void {
    for (const { memory } of this.#areas.values()) this.#engine.release(memory);
    this.#areas.clear();
    this.#bytes = 0;
  }

  /** null: this dispatch is not for pass 1; nothing has been changed. */
  async run(request: DispatchRequest): Promise<FirstLook | null> {
    const made = this.#module(request);
    if (made === null) return null;
    const workers = hangsOnOrder(request.module) ? 1 : (this.#engine.workers ?? 1);
    const epochs = this.#epochs(request, made);
    if (epochs === null) return null;
    const perWorkgroup = epochs * (product(request.module.workgroupSize) + 1);
    const stamps = 1 + product(request.workgroups) * perWorkgroup;
    const areas = this.#allocate(request, made, workers);
    if (areas === null) return null;
    if (this.#nextStamp + stamps > STAMPS) this.#startAnew();
    const first = this.#nextStamp;
    this.#nextStamp += stamps;
    words(areas.get(made.parameters)!).set([first, perWorkgroup], PARAMETERS.dispatch);
    words(areas.get(made.found)!).fill(0);
    const result = await this.#engine.dispatch(shadowedRequest(request, made, areas, workers));
    if (result.engine !== "wasm") return null;
    return this.#look(request, made, areas, workers, first, result);
  }

  #module(request: DispatchRequest): ShadowModule | null {
    if (this.#engine.name !== "wasm" || interpreterReason(request) !== null || isBoundTwice(request)) return null;
    const { module } = request;
    let made = this.#modules.get(module);
    if (made === undefined) {
      made = whyInterpreted(module) === null ? addShadow(module, this.#options) : null;
      this.#modules.set(module, made);
    }
    return made;
  }

  /** Of storage, for each workgroup; null: there are too many workgroups for that. */
  #epochs({ module, workgroups }: DispatchRequest, { hasStorageBarrier }: ShadowModule): number | null {
    const each = product(workgroups) * (product(module.workgroupSize) + 1);
    const most = Math.floor((STAMPS / 2 - 2) / Math.max(1, each));
    if (!hasStorageBarrier) return most >= 1 ? 1 : null;
    return most >= 2 ? Math.min(most, MOST_EPOCHS) : null;
  }

  /** All stamps are old ones again. */
  #startAnew(): void {
    for (const { memory } of this.#areas.values()) memory.bytes.fill(0);
    this.#nextStamp = 1;
  }

  // ---------------------------------------------------------------- memory

  /** null: it would take more than it may. */
  #allocate(request: DispatchRequest, made: ShadowModule, workers: number): ReadonlyMap<RootId, Area> | null {
    const sizes = new Map<RootId, readonly [bytes: number, copies: number]>([
      [made.parameters, [PARAMETERS.words * 4, 1]],
      [made.found, [FOUND.words * 4, workers]],
    ]);
    for (const each of made.shadowed) {
      const cells = cellsOf(request, each.root);
      sizes.set(each.marks, [cells * 4, 1]);
      if (each.space === "storage") sizes.set(each.shadow, [cells * each.classes.length * 4, workers]);
    }
    for (const { root, counts, places } of made.counted) {
      sizes.set(counts, [cellsOf(request, root) * (COUNTS.places + places.length) * 4, workers]);
    }
    const total = [...sizes.values()].reduce((sum, [bytes, copies]) => sum + bytes * copies, 0);
    if (total > this.#mostBytes) return null;
    const number = [...this.#modules.keys()].indexOf(request.module);
    const key = (root: RootId) => `${number} ${root} ${sizes.get(root)!.join()}`;
    const isThere = [...sizes.keys()].every((root) => this.#areas.has(key(root)));
    if (!isThere && this.#bytes + total > this.#mostBytes) this.close();
    return new Map([...sizes].map(([root, [bytes, copies]]) => [root, this.#area(key(root), bytes, copies)]));
  }

  #area(key: string, bytes: number, copies: number): Area {
    let area = this.#areas.get(key);
    if (area === undefined) {
      area = { memory: this.#engine.allocate(Math.max(4, bytes * copies)), size: bytes };
      this.#areas.set(key, area);
      this.#bytes += area.memory.size;
    }
    return area;
  }

  // ---------------------------------------------------------------- what was found

  #look(
    request: DispatchRequest,
    made: ShadowModule,
    areas: ReadonlyMap<RootId, Area>,
    workers: number,
    first: number,
    result: DispatchResult,
  ): FirstLook | null {
    const found = words(areas.get(made.found)!);
    const any = (index: number) =>
      Array.from({ length: workers }, (_, i) => found[i * FOUND.words + index]).some((word) => word !== 0);
    if (any(FOUND.stamps)) return null;
    const racy = new Map<RootId, readonly number[]>();
    for (const each of made.shadowed) {
      const cells = new Set<number>();
      if (any(FOUND.race)) markedCells(words(areas.get(each.marks)!), first, cells);
      if (workers > 1 && each.space === "storage") {
        const area = areas.get(each.shadow)!;
        for (const cell of cellsOfSeveral(each, words(area), area.size / 4, workers, first)) cells.add(cell);
      }
      const offsetOf = cellOffsets(request.module.roots[each.root].type);
      if (cells.size > 0) racy.set(each.root, [...cells].sort((a, b) => a - b).map(offsetOf));
    }
    const statistics = { ...result.statistics, sharedAccesses: accessCount(found, workers) };
    const counts = new OperationCounts(
      made.counted.map(({ root, counts: at, places }) => {
        const area = areas.get(at)!;
        const offsetOf = cellOffsets(request.module.roots[root].type);
        return {
          root,
          places,
          words: words(area).subarray(0, (area.size / 4) * workers),
          stride: area.size / 4,
          offsetOf,
        };
      }),
      first,
    );
    return { result: { ...result, statistics }, bounds: any(FOUND.bounds), counters: any(FOUND.counter), racy, counts };
  }
}

function words({ memory }: Area): Uint32Array {
  const { buffer, byteOffset, byteLength } = memory.bytes;
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

/** Its parts would have to share cells. */
function isBoundTwice({ module, bindings }: DispatchRequest): boolean {
  const written = new Set(module.roots.filter(({ access }) => access !== "read").map(({ id }) => id));
  const memories = new Map<Memory, number>();
  for (const { memory } of bindings.values()) memories.set(memory, (memories.get(memory) ?? 0) + 1);
  return [...bindings].some(([root, { memory }]) => written.has(root) && memories.get(memory)! > 1);
}

function cellsOf({ module, bindings }: DispatchRequest, root: RootId): number {
  return cellCount(module.roots[root].type, bindings.get(root)?.size ?? 0);
}

function shadowedRequest(
  request: DispatchRequest,
  { module, found, shadowed, counted }: ShadowModule,
  areas: ReadonlyMap<RootId, Area>,
  workers: number,
): DispatchRequest {
  const bindings = new Map<RootId, BufferBinding>(request.bindings);
  for (const [root, { memory, size }] of areas) bindings.set(root, { memory, offset: 0, size });
  const perWorker = new Set([found, ...shadowed.map(({ shadow }) => shadow), ...counted.map(({ counts }) => counts)]);
  return { timeout: PATIENCE, ...request, module, bindings, workers, perWorker };
}

function markedCells(marks: Uint32Array, first: number, into: Set<number>): void {
  for (let cell = 0; cell < marks.length; cell++) if (marks[cell] === first) into.add(cell);
}

function accessCount(found: Uint32Array, workers: number): number {
  let sum = 0;
  for (let worker = 0; worker < workers; worker++) {
    const at = worker * FOUND.words + FOUND.accesses;
    for (let i = 0; i < FOUND.counts; i++) sum += found[at + 2 * i] + found[at + 2 * i + 1] * 2 ** 32;
  }
  return sum;
}

/** Cells of which two workers saw accesses, in this dispatch, that have to be ordered. */
function cellsOfSeveral(
  { classes }: Shadowed,
  all: Uint32Array,
  stride: number,
  workers: number,
  first: number,
): readonly number[] {
  const found: number[] = [];
  const width = classes.length;
  for (const [a, kind] of classes.entries()) {
    for (const other of AGAINST[kind]) {
      const b = classes.indexOf(other);
      if (b < 0) continue;
      for (let one = 0; one < workers; one++) {
        for (let two = 0; two < workers; two++) {
          // A pair of like classes is the same from both sides.
          if (one === two || (a === b && one > two)) continue;
          sameCells(all, one * stride + a, two * stride + b, width, stride, first, found);
        }
      }
    }
  }
  return found;
}

function sameCells(
  all: Uint32Array,
  a: number,
  b: number,
  width: number,
  stride: number,
  first: number,
  into: number[],
): void {
  for (let at = 0; at < stride; at += width) if (all[a + at] >= first && all[b + at] >= first) into.push(at / width);
}
