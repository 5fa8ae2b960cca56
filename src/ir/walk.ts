/** Ways through the instructions of a function. */
import type { Block, InstId, Instruction, LoopInst } from "./ir.ts";

/** The blocks directly inside an instruction, in order of control. */
export function blocksOf(inst: Instruction): readonly Block[] {
  switch (inst.kind) {
    case "if":
      return [inst.then, inst.otherwise];
    case "switch":
      return inst.clauses.map((clause) => clause.body);
    case "loop":
      return [inst.body, inst.continuing];
    default:
      return [];
  }
}

/** Every instruction of a block and of the blocks inside it, in order; an instruction before its blocks. */
export function eachInstruction(block: Block, visit: (inst: Instruction) => void): void {
  for (const inst of block.instructions) {
    visit(inst);
    for (const inner of blocksOf(inst)) eachInstruction(inner, visit);
  }
}

/** Where an instruction stands. */
export interface Place {
  readonly inst: Instruction;
  readonly block: Block;
  /** Among the block's instructions. */
  readonly index: number;
  /** The structured instruction around it; null: there is none. */
  readonly around: Place | null;
  /** Its number in the order of the body, and that behind all that is inside of it. */
  readonly number: number;
  end: number;
}

const known = new WeakMap<Block, ReadonlyMap<InstId, Place>>();

/** Of an instruction in the body of a function, or inside of it; undefined: it is not there. */
export function placeOf(body: Block, id: InstId): Place | undefined {
  let places = known.get(body);
  if (places === undefined) {
    const made = new Map<InstId, Place>();
    addPlaces(body, null, made);
    places = made;
    known.set(body, places);
  }
  return places.get(id);
}

function addPlaces(block: Block, around: Place | null, made: Map<InstId, Place>): void {
  for (const [index, inst] of block.instructions.entries()) {
    const place: Place = { inst, block, index, around, number: made.size, end: 0 };
    made.set(inst.id, place);
    for (const inner of blocksOf(inst)) addPlaces(inner, place, made);
    place.end = made.size;
  }
}

/** Whether an instruction is the one of a place, or around it. */
export function isAround(inst: Instruction, place: Place | undefined): boolean {
  let at: Place | null = place ?? null;
  while (at !== null && at.inst !== inst) at = at.around;
  return at !== null;
}

/** The innermost loop at or around an instruction in the body of a function; null: there is none. */
export function innermostLoop(body: Block, id: InstId): LoopInst | null {
  for (let at = placeOf(body, id) ?? null; at !== null; at = at.around) if (at.inst.kind === "loop") return at.inst;
  return null;
}

/** The instructions whose values an instruction needs, in order; not `breakIf`, which is needed inside. */
export function operandsOf(inst: Instruction): readonly InstId[] {
  switch (inst.kind) {
    case "unary":
    case "convert":
    case "bitcast":
    case "splat":
    case "extract":
    case "swizzle":
      return [inst.operand];
    case "binary":
      return [inst.left, inst.right];
    case "construct":
      return inst.parts;
    case "extract-dynamic":
      return [inst.operand, inst.index];
    case "select":
      return [inst.condition, inst.ifTrue, inst.ifFalse];
    case "builtin":
    case "subgroup":
    case "call":
      return inst.args;
    case "access":
      return typeof inst.index === "number" ? [inst.pointer] : [inst.pointer, inst.index.dynamic];
    case "load":
    case "uniform-load":
    case "array-length":
      return [inst.pointer];
    case "store":
      return [inst.pointer, inst.value];
    case "atomic":
      return [inst.pointer, ...inst.args];
    case "if":
      return [inst.condition];
    case "switch":
      return [inst.selector];
    case "return":
      return inst.value === null ? [] : [inst.value];
    case "const":
    case "variable":
    case "local":
    case "barrier":
    case "loop":
    case "break":
    case "continue":
      return [];
    default:
      return inst satisfies never;
  }
}

/** A block with each instruction replaced, inner blocks first; the block itself where nothing changes. */
export function mapBlock(block: Block, map: (inst: Instruction) => readonly Instruction[]): Block {
  const instructions: Instruction[] = [];
  let isSame = true;
  for (const inst of block.instructions) {
    const made = map(mapInner(inst, map));
    isSame &&= made.length === 1 && made[0] === inst;
    for (const each of made) instructions.push(each);
  }
  // As long as it is: there are many, and most are short.
  return isSame ? block : { instructions: instructions.slice() };
}

function mapInner(inst: Instruction, map: (inst: Instruction) => readonly Instruction[]): Instruction {
  const blocks = blocksOf(inst);
  const made = blocks.map((each) => mapBlock(each, map));
  if (made.every((each, i) => each === blocks[i])) return inst;
  switch (inst.kind) {
    case "if":
      // biome-ignore lint/suspicious/noThenProperty: it is what the branch is called
      return { ...inst, then: made[0], otherwise: made[1] };
    case "switch":
      return { ...inst, clauses: inst.clauses.map((clause, i) => ({ ...clause, body: made[i] })) };
    case "loop":
      return { ...inst, body: made[0], continuing: made[1] };
    default:
      return inst;
  }
}
