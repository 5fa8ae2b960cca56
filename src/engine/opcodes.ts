/**
 * The instructions of flat programs. An instruction is a run of numbers in `FlatProgram.code`: its opcode (the place of
 * its name in this list), then its operands. `d`, `a`, `b` … are slots of the invocation's frame; slots are 32 bits wide
 * and hold i32, u32 and f32 values, f16 values as the f32 they equal, and bool as 0 or 1.
 *
 * `root address fault offset` is a place in memory: byte `frame[address] + offset` of a root variable, out of bounds
 * where `frame[fault]` is not 0 (it is then the position of the `access` that left its bounds).
 *
 * The interpreter's switch repeats these numbers as literals, because only then it compiles to a jump table; a test
 * compares its comments with this list.
 */
export const OPCODES = [
  // control flow
  "end", // of the invocation
  "jump", // target
  "jump-if-zero", // a, target
  "jump-if-not-zero", // a, target
  "switch", // a, index into `switches`
  "call", // slot for the return address, target
  "return", // slot of the return address
  "turn", // stands before every access to memory that other invocations may write
  "barrier", // index into `barriers`
  "subgroup", // index into `subgroups`
  // moves
  "move", // d, a
  "copy", // d, a, count
  "fill", // d, a, count
  "select", // d, condition, a (true), b (false)
  "extract", // d, index, first slot, count of parts, slots of a part, index is i32: zero where out of bounds
  // integers and bool
  "add-i32", // d, a, b
  "subtract-i32",
  "multiply-i32",
  "and",
  "or",
  "xor",
  "shift-left",
  "shift-right-i32",
  "shift-right-u32",
  "equal",
  "not-equal",
  "less-i32",
  "less-equal-i32",
  "less-u32",
  "less-equal-u32",
  "not-bool", // d, a
  // f32
  "add-f32", // d, a, b
  "subtract-f32",
  "multiply-f32",
  "divide-f32",
  "equal-f32",
  "not-equal-f32",
  "less-f32",
  "less-equal-f32",
  // everything else on scalars
  "scalar", // index into `SCALAR_FUNCTIONS`, d, a, b, c, e (unused ones 0)
  // pointers: address and fault in two slots
  "access", // d, address, fault, index, slot of the count, bytes or slots of a part, index is i32
  // function and private memory: `address` and `offset` count slots of the frame
  "load-frame", // address, fault, offset, d, count
  "store-frame", // address, fault, offset, index into `slotLists`
  // memory: root, address, fault, offset, bytes up to the end of what is touched; then …
  "load-word", // d
  "load", // d, index into `shapes`
  "store-word", // a
  "store", // index into `slotLists`, index into `shapes`
  "atomic", // d, operation (place in ATOMICS), a
  "compare-exchange", // d (old value, exchanged), comparand, value
] as const;

export type Opcode = (typeof OPCODES)[number];

/** Number of each opcode by its name. */
export const OPCODE = Object.fromEntries(OPCODES.map((name, index) => [name, index])) as Readonly<
  Record<Opcode, number>
>;

/** Atomic functions as the `atomic` instruction numbers them. */
export const ATOMICS = [
  "load",
  "store",
  "add",
  "sub",
  "and",
  "or",
  "xor",
  "exchange",
  "max-i32",
  "max-u32",
  "min-i32",
  "min-u32",
] as const;

export type AtomicName = (typeof ATOMICS)[number];
