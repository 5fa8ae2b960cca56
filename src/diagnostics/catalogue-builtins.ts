/** What functions return, where their type does not say it: of the atomic ones some give the old value, some only publish. */
export const RETURNS = {
  "returns-atomicLoad": "the value",
  "returns-atomicStore": "nothing",
  "returns-atomicAdd": "the old value, from before the addition",
  "returns-atomicSub": "the old value, from before the subtraction",
  "returns-atomicMax": "the old value, which is the largest so far only if it was not replaced",
  "returns-atomicMin": "the old value, which is the smallest so far only if it was not replaced",
  "returns-atomicAnd": "the old value, with all its bits",
  "returns-atomicOr": "the old value, without the new bits",
  "returns-atomicXor": "the old value, before bits were flipped",
  "returns-atomicExchange": "the old value, which is now nowhere else",
  "returns-atomicCompareExchangeWeak":
    "‘old_value’, and ‘exchanged’, which can be false although ‘old_value’ is what was compared with",
  "returns-workgroupUniformLoad": "the value, the same for all invocations of the workgroup",
} as const satisfies Readonly<Record<string, string>>;
