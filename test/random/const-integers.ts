/** Const-expressions of abstract integers, and what they come to. */
import type { Choice } from "./choice.ts";

export interface ConstInteger {
  readonly text: string;
  readonly value: bigint;
}

const LIMIT = 1n << 62n;

interface Operation {
  readonly name: string;
  /** null: not allowed, or not for these operands. */
  readonly apply: (a: bigint, b: bigint) => bigint | null;
}

const OPERATIONS: readonly Operation[] = [
  { name: "+", apply: (a, b) => a + b },
  { name: "-", apply: (a, b) => a - b },
  { name: "*", apply: (a, b) => a * b },
  { name: "/", apply: (a, b) => (b === 0n ? null : a / b) },
  { name: "%", apply: (a, b) => (b === 0n ? null : a % b) },
  { name: "&", apply: (a, b) => a & b },
  { name: "|", apply: (a, b) => a | b },
  { name: "^", apply: (a, b) => a ^ b },
  { name: "max", apply: (a, b) => (a - b > 0n ? a : b) },
  { name: "min", apply: (a, b) => (a - b < 0n ? a : b) },
];

/** `known`: constants by name. */
export function constInteger(
  choice: Choice,
  known: readonly { name: string; value: bigint }[],
  depth: number,
): ConstInteger {
  if (depth <= 0 || choice.once(4)) {
    if (known.length > 0 && choice.once(3)) {
      const { name, value } = choice.pick(known);
      return { text: name, value };
    }
    const value = choice.weighted([4, choice.int(0, 30)], [1, choice.int(0, 2 ** 31 - 1)]);
    return { text: choice.once(6) ? `0x${value.toString(16)}` : String(value), value: BigInt(value) };
  }
  const left = constInteger(choice, known, depth - 1);
  if (choice.once(8)) return { text: `-(${left.text})`, value: -left.value };
  if (choice.once(8)) return { text: `abs(${left.text})`, value: left.value < 0n ? -left.value : left.value };
  const right = constInteger(choice, known, depth - 1);
  const { name, apply } = choice.pick(OPERATIONS);
  const value = apply(left.value, right.value);
  // Constants with a type have no more than 32 bits.
  const limit = known.length > 0 ? 1n << 31n : LIMIT;
  if (value === null || value >= limit || value <= -limit) return left;
  const text = /^\w/.test(name) ? `${name}(${left.text}, ${right.text})` : `(${left.text} ${name} ${right.text})`;
  return { text, value };
}
