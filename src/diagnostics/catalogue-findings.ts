import type { CataloguePart } from "./entry.ts";

/** What execution finds: the finding codes of the contract, and what `--checks numeric` looks for beside them. */
export const FINDINGS = {
  "layout-mismatch": {
    severity: "error",
    text: "the host takes {what} of ‘{name}’ to be {host}, the shader has {shader}",
    spec: "#memory-layouts",
  },
  "barrier-divergence": {
    severity: "error",
    text: "not all invocations of workgroup ({workgroup}) arrive at the same barrier: {arrived} of {size} wait here, those with local index {who}",
    spec: "#uniformity",
  },
  timeout: {
    severity: "error",
    text: "the dispatch of ‘{entry}’ did not end within its budget of {budget}; {count} of its invocations had begun and not ended",
    spec: null,
  },

  // Races. `access` and `other` are phrases.
  "race-workgroup": {
    severity: "error",
    text: "‘{path}’ is {access} here by invocation {invocation} and {other} on line {line} by invocation {otherInvocation}, with no workgroupBarrier() between",
    spec: "#memory-model",
  },
  "race-storage": {
    severity: "error",
    text: "‘{path}’ is {access} here by invocation {invocation} and {other} on line {line} by invocation {otherInvocation} of the same workgroup, with no storageBarrier() between",
    spec: "#memory-model",
  },
  "race-across-workgroups": {
    severity: "error",
    text: "‘{path}’ is {access} here in workgroup ({workgroup}) and {other} on line {line} in workgroup ({otherWorkgroup}): nothing orders the workgroups of a dispatch",
    spec: "#memory-model",
  },
  "wrong-barrier": {
    severity: "error",
    text: "‘{path}’ is {access} here by invocation {invocation} and {other} on line {line} by invocation {otherInvocation}; the {barrier}() between them does not order {memory} memory",
    spec: "#sync-builtin-functions",
  },
  "same-value-write": {
    severity: "warning",
    text: "‘{path}’ is written by several invocations that nothing orders; all write {value} and none reads it meanwhile",
    spec: "#memory-model",
  },
  "unordered-atomics": {
    severity: "warning",
    text: "the outcome depends on timing: ‘{path}’ is {access} here by invocation {invocation} and {other} on line {line} by invocation {otherInvocation}, in any order",
    spec: "#atomic-builtin-functions",
  },

  "out-of-bounds": {
    severity: "error",
    text: "‘{name}’ is {access} out of bounds by invocation {invocation}: {problem}",
    spec: "#out-of-bounds-access-sec",
  },
  "unwritten-read": {
    severity: "warning",
    text: "‘{path}’ is read here by invocation {invocation} before anyone has written it",
    spec: null,
  },

  // Counters.
  "counter-underflow": {
    severity: "warning",
    text: "the counter ‘{path}’ goes below its least value: {before} becomes {after} in invocation {invocation}",
    spec: "#atomic-builtin-functions",
  },
  "counter-overflow": {
    severity: "warning",
    text: "the counter ‘{path}’ goes above its greatest value: {before} becomes {after} in invocation {invocation}",
    spec: "#atomic-builtin-functions",
  },
  "counter-over-capacity": {
    severity: "warning",
    text: "the counter ‘{path}’ is left at {value}, more than the {capacity} that ‘{array}’ has room for",
    spec: null,
  },

  "no-forward-progress": {
    severity: "error",
    text: "invocation {invocation} of workgroup ({workgroup}) waits here for ‘{path}’ to be changed by another invocation, and nothing promises that one gets on meanwhile",
    spec: null,
  },
  "order-dependent": {
    severity: "warning",
    text: "the result in ‘{result}’ depends on the order of the invocations, {how}",
    spec: null,
  },
  contention: {
    severity: "info",
    text: "{count} of {total} atomic operations on storage queue up at ‘{path}’; gathered in each workgroup first it would be {twoLevel}",
    spec: null,
  },

  // What the launch does not need.
  "needless-barrier": {
    severity: "info",
    text: "this launch does not need {barrier}() here: without it no two accesses would be unordered",
    spec: "#sync-builtin-functions",
  },
  "needless-atomic": {
    severity: "info",
    text: "this launch does not need ‘{path}’ to be atomic: no two accesses to one place would race if they were plain",
    spec: "#atomic-types",
  },

  // Numbers.
  "nan-origin": {
    severity: "info",
    text: "this gives {value} out of finite numbers in invocation {invocation}, and it reaches ‘{path}’",
    spec: "#floating-point-evaluation",
  },
  "division-by-zero": {
    severity: "warning",
    text: "{value} is divided by zero in invocation {invocation}",
    spec: "#arithmetic-expr",
  },
  "shift-width": {
    severity: "warning",
    text: "shifted by {value} bits in invocation {invocation}; a shift takes less than {width}",
    spec: "#bit-expr",
  },
  "conversion-saturates": {
    severity: "warning",
    text: "{value} is outside of {type} and is converted to {result} in invocation {invocation}",
    spec: "#floating-point-conversion",
  },
  "index-overflow": {
    severity: "warning",
    text: "an index is computed past the ends of {type} here in invocation {invocation} and becomes {value}",
    spec: "#arithmetic-expr",
  },
} as const satisfies CataloguePart;

/** Second places of findings, and ways out. */
export const FINDING_NOTES = {
  "other-access": "{access} here by invocation {invocation} of workgroup ({workgroup}) in phase {phase}: {value}",
  "this-access": "{access} by invocation {invocation} of workgroup ({workgroup}) in phase {phase}: {value}",
  "in-dispatch": "in dispatch {number} of {total}, entry point ‘{entry}’",
  "first-in-dispatch": "first in dispatch {number} of {total}, entry point ‘{entry}’; in {count} of them",
  "one-buffer": "‘{name}’ and ‘{other}’ are one buffer",
  "part-watched-addresses":
    "looked at were {watched} of the {all} addresses that race: there may be other pairs, and the count is of these",
  "part-watched-workgroups":
    "looked at were {watched} of the {all} workgroups: others may race at other lines, or write other values",
  "pairs-untold":
    "{told} pairs of lines that race are told, with each line among them, and {untold} more are not: mend these and sanitize again",
  "this-barrier": "this {barrier}() stands between, and orders {memory} memory only",
  "own-barrier": "this storageBarrier() stands between, and orders the invocations of its own workgroup only",
  "value-unused": "the value is not used: what is read out of bounds is thrown away, but it is read",
  "undone-here": "the same invocation undoes it here; until then all others see the wrapped value",
  "counted-here": "the counter that gives the place is advanced here",
  "array-here": "its value is the place of an element here",
  "read-next-here": "‘{entry}’ takes the counter for the number of elements here",
  "released-here": "the wait ends when it is {access} here by invocation {invocation} of workgroup ({workgroup})",
  "never-released": "nobody changes it any more: the dispatch does not end",
  "hangs-lockstep": "it hangs where the invocations of a subgroup run in lockstep: both are in one",
  "hangs-one-invocation": "it hangs where an invocation runs on until it ends or waits at a barrier",
  "hangs-one-workgroup": "it hangs where workgroups run one after the other, or not all at the same time",
  "hangs-unfair": "it hangs where an invocation that waits keeps others from running",
  "filled-here": "the places in ‘{name}’ are given out in order of arrival here",
  "results-differ": "‘{path}’ is {value} with schedule {schedule}, {otherValue} with schedule {otherSchedule}",
  "written-last": "with schedule {schedule}, ‘{path}’ is not as expected: invocation {invocation} writes it last, here",
  "bound-as": "‘{result}’ is bound as ‘{name}’ here",
  "first-come": "who comes first decides what this {atomic} gives or leaves",
  "hint-atomic": "an {atomic} here makes reading, computing and writing one step",
  "hint-atomics": "an {atomic} here and an {other} on line {line} make reading, computing and writing one step each",
  "hint-slot": "‘let {name} = {take};’ reads and counts in one step: use {name} in place of ‘{load}’",
  "hint-slot-guarded":
    "‘let {name} = {take};’ reads and counts in one step: use {name} in place of ‘{load}’, if ({index} < {count})",
  "hint-slot-named": "‘let {name} = {take};’ reads and counts in one step",
  "hint-slot-named-guarded": "‘let {name} = {take};’ reads and counts in one step: use it if ({index} < {count})",
  "hint-atomic-float": "a compare-exchange loop on the bits here, or a sum in a fixed order, makes it one step",
  "hint-exchange-loop": "a loop of atomicCompareExchangeWeak here makes reading, computing and writing one step",
  "hint-barrier": "a {barrier}() after line {line} orders them",
  "hint-two-barriers": "it takes two: a {barrier}() after line {line}, and one after line {end}",
  "hint-read-barriers":
    "read into a variable, then ‘{barrier}();’, then write; and a {barrier}() after line {line} for the next time",
  "hint-barrier-between": "a {barrier}() between the two orders them",
  "hint-part-branch":
    "a {barrier}() that all invocations come to orders them: end the branch before it and take it up again behind it",
  "hint-same-rounds":
    "let all invocations make the same rounds, ask in each who has something to do, and end it with a {barrier}()",
  "hint-other-barrier": "{barrier}() is the barrier that orders {memory} memory",
  "hint-own-vector":
    "a component is stored with its whole vector: give each invocation a vector, or elements of an array or members of their own",
  "hint-own-place": "let one invocation write it, or give each a place of its own",
  "hint-other-buffer": "read from one buffer and write to another: nothing orders the workgroups of a dispatch",
  "hint-chase":
    "its place is found by what others change: make ‘{name}’ atomic, write by atomicCompareExchangeWeak what is still as it was found, and look again where it is not",
  "hint-own-flag":
    "make it {type} and set it by atomicStore or atomicOr; or, where all invocations write it, let one do so",
  "hint-place-first":
    "its place hangs on ‘{path}’, which is {access} on line {line} while others change it: mend that first",
  "hint-stale-exchange":
    "what is stored on line {line} is made of a load in front of the loop: make it anew in each round, of what the exchange expects then",
  "hint-ignored-exchange":
    "ask for ‘exchanged’ of the exchange on line {line}: where it is false others have changed it since the load, and all has to be done again with ‘old_value’",
  "hint-claim":
    "an atomicCompareExchangeWeak in place of the atomicLoad on line {load} and the atomicStore on line {store} looks and takes in one step: where ‘exchanged’ is false, look again",
  "hint-claim-plain":
    "make it atomic: an atomicCompareExchangeWeak in place of what is read on line {load} and written on line {store} looks and takes in one step: where ‘exchanged’ is false, look again",
  "hint-swap":
    "an atomicExchange in place of the atomicLoad on line {load} and the atomicStore on line {store} looks and puts in one step",
  "hint-one-word":
    "this and ‘{name}’ do not change together: keep both in one word that the {atomic} on line {line} changes",
  "hint-flag-word":
    "‘{name}’ says nothing of other memory, as atomics order only themselves: keep it and the value in one atomic, or read it in a later dispatch",
  "hint-dispatches": "two dispatches: only the end of a dispatch orders workgroups",
  "hint-round-dispatches": "a dispatch for each round: only the end of a dispatch orders workgroups",
  "hint-all-atomic": "make every access to it atomic",
  "hint-guard": "let only what is in bounds get here: if ({index} < {count})",
  "hint-popped": "what atomicSub gives is the number before it: the last element is the one before ‘{index}’",
  "hint-guard-branch": "read it in the branch of an if instead: select evaluates both values",
  "hint-guard-reservation": "store only while the place is within the reservation",
  "hint-timing-barrier": "a {barrier}() after line {line} makes sure of the order",
  "hint-timing-dispatch": "set or read it in a dispatch of its own",
  "hint-compare-exchange": "a compare-exchange loop that never lets the counter pass its end",
  "hint-saturate": "atomicMin(&{counter}, {capacity}) after a failed append, or min() where the count is read",
  "hint-no-wait": "{instead}",
  "hint-write-first": "write it before it is read; workgroup memory starts at zero, buffers hold what they held",
  "stored-here": "it is stored here",
  "hint-any-order": "let it hang on indices and values alone, so that it is the same whoever comes first",
  "hint-fixed-order": "give each term a place of its own and add them in a fixed order, or add integers",
  "checked-on-launch": "this holds for this launch only: with other sizes, data or workgroups it may be needed",
  "one-at-a-time": "asked of each by itself: without this one another may be needed",
  "changed-nothing": "{count} of {total} operations here changed nothing",
  "hint-ask-first": "look first whether there is anything to change, and leave the atomic function out if not",
  "hint-two-level":
    "gather by {local} in workgroup memory first, then let one invocation of each workgroup do this {atomic} once",
  "hint-one-for-all": "let one invocation of each workgroup do this {atomic} for all of them",

  // runs
  "invocation-here": "invocation {invocation} of workgroup ({workgroup}) is here",
  "waits-for-others":
    "this loop ends only when another invocation changes {names}, and nothing promises that one gets on meanwhile",
  "waits-in-workgroup":
    "this loop ends only when another invocation of the same workgroup changes {names}, and nothing promises that one gets on before a barrier",
  "values-key": "the values of its members go under ‘values’: {example}",
  "random-by-default": "‘{name}’ was given nothing, so it holds random numbers",
  "zeros-by-default": "‘{name}’ was given nothing, so it holds zeros",
  "hint-fill": "‘{example}’ as its contents puts it there",
  "others-wait-here": "others wait here: {count}, local index {who}",
  "others-ended": "others ended without arriving: {count}, local index {who}",
} as const satisfies Readonly<Record<string, string>>;

/** What an access does, in messages. */
export const ACCESS_PHRASES = {
  read: "read",
  write: "written",
  "atomic-read": "read by {atomic}",
  "atomic-write": "set by {atomic}",
  "atomic-rmw": "changed by {atomic}",
} as const;

/** Other parts of messages. */
export const FINDING_PHRASES = {
  "the-stride": "the stride",
  "the-size": "the size",
  "the-offset": "the offset",
  "index-of-elements": "index {index} of {count} elements",
  "index-of-part": "index {index} of the {count} elements of ‘{part}’",
  "component-of": "component {index} of {count}",
  "behind-binding": "it lies behind the end of the binding",
  overrun: "the elements of ‘{counter}’ run into those of ‘{otherCounter}’ at ‘{path}’",
  "nearest-value": "its nearest value",
  "indeterminate-value": "an indeterminate value",
  "random-schedule": "random, seed {seed}",
  "by-rounding": "as floats are added in another order here",
  "by-content": "and with it whether the launch comes out as expected",
  "instead-dispatches": "two dispatches instead of waiting: what the first one did, the second one sees",
  "instead-atomics": "no lock: one atomic operation, or a compare-exchange loop on one word that holds all of it",
  "instead-stale": "compare with .old_value of the round before, not with what was loaded in front of the loop",
  "instead-barrier": "a {barrier}() instead of waiting: all invocations of the workgroup meet there",
  "a-barrier": "barrier",
} as const satisfies Readonly<Record<string, string>>;
