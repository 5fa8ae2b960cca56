/**
 * Whether the wasm engine goes through a module, on one worker, in the order of the interpreter: workgroups one after
 * another, in each phase the invocations one after another. It runs what stands in control flow with barriers in parts, each
 * by all invocations before the next one begins; what the interpreter does from barrier to barrier may be several of them.
 * That makes no difference where accesses whose order matters stand in one of these parts alone.
 */
import { hasBarrier } from "../ir/barriers.ts";
import type { Block, Instruction, IrModule, RootId } from "../ir/ir.ts";
import { blocksOf, eachInstruction } from "../ir/walk.ts";

/** Since the last barrier: no access; some in the part that goes on; some in an earlier one. As a set of bits. */
const NONE = 1;
const HERE = 2;
const EARLIER = 4;
const ALL = 8;

/** The order of accesses to `roots` matters, and that of atomic functions. */
export function keepsOrder(module: IrModule, roots: ReadonlySet<RootId>): boolean {
  const { body } = module.functions[module.entryPoint];
  return !hasBarrier(module, body) || new Search(module, roots).run(body);
}

class Search {
  readonly #module: IrModule;
  readonly #roots: ReadonlySet<RootId>;
  /** What may hold where control has left what it was in. */
  #left = 0;
  #isKept = true;
  readonly #called = new Map<Block, Map<number, { readonly state: number; readonly left: number }>>();
  readonly #accessing = new Map<Block, boolean>();

  constructor(module: IrModule, roots: ReadonlySet<RootId>) {
    this.#module = module;
    this.#roots = roots;
  }

  run(body: Block): boolean {
    this.#block(body, NONE);
    return this.#isKept;
  }

  #block({ instructions }: Block, before: number): number {
    return instructions.reduce((state, inst) => this.#instruction(inst, state), before);
  }

  #instruction(inst: Instruction, state: number): number {
    if (inst.kind === "barrier" || inst.kind === "uniform-load") return NONE;
    if (isJump(inst)) {
      this.#left |= state;
      return state;
    }
    if (inst.kind === "call") return this.#call(inst, state);
    const blocks = blocksOf(inst);
    const isTogether = blocks.some((block) => hasBarrier(this.#module, block) || mayLeave(block));
    if (blocks.length === 0 || !isTogether) return this.#accesses(inst) ? this.#access(state) : state;
    return inst.kind === "loop" ? this.#loop(inst, state) : this.#branches(blocks, state);
  }

  #call({ function: callee }: Extract<Instruction, { kind: "call" }>, state: number): number {
    const { body } = this.#module.functions[callee];
    if (hasBarrier(this.#module, body)) return pause(this.#callee(body, pause(state)) | this.#left);
    return this.#accessesIn(body) ? this.#access(state) : state;
  }

  /** What is known of a function from one call of it holds for others that begin alike. */
  #callee(body: Block, before: number): number {
    const known = this.#called.get(body) ?? new Map<number, { readonly state: number; readonly left: number }>();
    this.#called.set(body, known);
    const key = before * ALL + this.#left;
    const after = known.get(key) ?? { state: this.#block(body, before), left: this.#left };
    known.set(key, after);
    this.#left = after.left;
    return after.state;
  }

  #branches(blocks: readonly Block[], state: number): number {
    return pause(blocks.reduce((sum, block) => sum | this.#block(block, pause(state)), this.#left | state));
  }

  #loop({ body, continuing }: Extract<Instruction, { kind: "loop" }>, state: number): number {
    for (let all = pause(state); ; ) {
      const round = pause(this.#block(continuing, pause(this.#block(body, all) | this.#left)));
      if ((all | round) === all) return all | pause(this.#left);
      all |= round;
    }
  }

  #access(state: number): number {
    if ((state & EARLIER) !== 0) this.#isKept = false;
    return HERE;
  }

  #accesses(inst: Instruction): boolean {
    if (inst.kind === "atomic") return true;
    if (inst.kind === "call") return this.#accessesIn(this.#module.functions[inst.function].body);
    if (inst.kind === "load" || inst.kind === "store") return inst.root !== null && this.#roots.has(inst.root);
    return blocksOf(inst).some((block) => this.#accessesIn(block));
  }

  #accessesIn(block: Block): boolean {
    const accesses = this.#accessing.get(block) ?? block.instructions.some((inst) => this.#accesses(inst));
    this.#accessing.set(block, accesses);
    return accesses;
  }
}

/** Another part begins. */
function pause(state: number): number {
  return (state & ~HERE) | ((state & HERE) === 0 ? 0 : EARLIER);
}

function isJump({ kind }: Instruction): boolean {
  return kind === "break" || kind === "continue" || kind === "return";
}

/** Whether something in a block may lead out of it: that may decide who comes to a barrier. */
function mayLeave(block: Block): boolean {
  let found = false;
  eachInstruction(block, (inst) => {
    found ||= isJump(inst);
  });
  return found;
}
