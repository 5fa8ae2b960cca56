/** What members and swizzles name: few things, and the same in all modules, so that facts know each by a small number. */
import type { MemberInfo } from "./program.ts";

export type SwizzleInfo = MemberInfo & { readonly kind: "swizzle" };

const members: MemberInfo[] = [];
const swizzles: SwizzleInfo[] = [];
const swizzleNumbers = new Map<string, number>();

/** Of a member of a structure. */
export function memberNumber(index: number): number {
  return 2 * index;
}

/** null: the letters are no swizzle. */
export function swizzleNumber(letters: string): number | null {
  const known = swizzleNumbers.get(letters);
  if (known !== undefined) return known;
  const set = ["xyzw", "rgba"].find((candidate) => [...letters].every((letter) => candidate.includes(letter)));
  if (set === undefined || letters.length > 4) return null;
  const info: SwizzleInfo = { kind: "swizzle", components: [...letters].map((letter) => set.indexOf(letter)) };
  const number = 2 * (swizzles.push(info) - 1) + 1;
  swizzleNumbers.set(letters, number);
  return number;
}

export function swizzleNumbered(number: number): SwizzleInfo {
  return swizzles[number >> 1];
}

export function memberNumbered(number: number): MemberInfo {
  if ((number & 1) === 1) return swizzleNumbered(number);
  const index = number >> 1;
  return (members[index] ??= { kind: "member", index });
}
