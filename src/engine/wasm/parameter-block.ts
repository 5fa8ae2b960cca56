/**
 * What a kernel is told at the start of each call of `run`, in memory: words from the address that it gets. The host
 * writes it; the kernel writes the last words when it is stopped.
 */
import type { RootId } from "../../ir/ir.ts";

/** Byte offsets of the fixed words, all u32. */
export const PARAMETER = {
  /** Three words. */
  workgroups: 0,
  /** Memory for the worker alone: `scratchBytes` bytes, 16-aligned. */
  scratch: 12,
  /** Where the kernel's constants lie, for all workers. */
  constants: 16,
  /** A word that is not 0 when the dispatch is to be given up. */
  abortFlag: 20,
  /** How many times a loop comes round between two looks at the abort flag. */
  fuel: 24,
  /** Written: 1 when the kernel was stopped, 0 before. */
  status: 28,
  /** Written when stopped: index into `loops`, workgroup index, local index of the invocation (`NO_INVOCATION`: of none). */
  loop: 32,
  workgroup: 36,
  invocation: 40,
  roots: 48,
} as const;

/** The loop belongs to the whole workgroup. */
export const NO_INVOCATION = 0xffffffff;

/** Where the base address and the size in bytes of each storage and uniform variable's binding go. */
export interface RootParameters {
  readonly root: RootId;
  readonly base: number;
  readonly size: number;
}

export interface ParameterBlock {
  readonly size: number;
  readonly roots: readonly RootParameters[];
}

export function parameterBlock(roots: readonly RootId[]): ParameterBlock {
  return {
    size: PARAMETER.roots + roots.length * 8,
    roots: roots.map((root, index) => {
      const base = PARAMETER.roots + index * 8;
      return { root, base, size: base + 4 };
    }),
  };
}
