/**
 * What a function gives back, in words, where its name does not say it: of the atomic functions some return the value from
 * before and some only publish. spec: #atomic-builtin-functions
 */
import type { BuiltinName } from "./table.ts";

const RETURNS: Partial<Readonly<Record<BuiltinName, string>>> = {
  atomicLoad: "the value",
  atomicStore: "nothing",
  atomicAdd: "the old value, from before the addition",
  atomicSub: "the old value, from before the subtraction",
  atomicMax: "the old value, which is the largest so far only if it was not replaced",
  atomicMin: "the old value, which is the smallest so far only if it was not replaced",
  atomicAnd: "the old value, with all its bits",
  atomicOr: "the old value, without the new bits",
  atomicXor: "the old value, before bits were flipped",
  atomicExchange: "the old value, which is now nowhere else",
  atomicCompareExchangeWeak:
    "‘old_value’, and ‘exchanged’, which can be false although ‘old_value’ is what was compared with",
  workgroupUniformLoad: "the value, the same for all invocations of the workgroup",
};

/** What a builtin function returns, in words; null where there is nothing to say beyond its type. */
export function returnsOf(name: string): string | null {
  return Object.hasOwn(RETURNS, name) ? (RETURNS[name as BuiltinName] ?? null) : null;
}
