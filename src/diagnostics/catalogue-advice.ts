import { RETURNS } from "./catalogue-builtins.ts";
import { EARLY_ADVICE } from "./catalogue-early-advice.ts";
import type { CataloguePart } from "./entry.ts";

/**
 * What `check` says beyond the rules of WGSL. A warning where results can be wrong, an info where something can be
 * simpler, smaller or faster. Each has an entry in docs/advice.md.
 */
export const ADVICE = {
  // ---------------------------------------------------------------- code without effect
  "unreachable-code": {
    severity: "warning",
    text: "this is never reached",
    spec: "#behaviors-rules",
  },
  "unused-variable": {
    severity: "info",
    text: "{what} ‘{name}’ is never used; a name that begins with ‘_’ says that this is meant",
    spec: null,
  },
  "never-read": {
    severity: "info",
    text: "‘{name}’ is written but never read, so what is computed for it is lost",
    spec: null,
  },
  "unused-parameter": {
    severity: "info",
    text: "parameter ‘{name}’ of ‘{function}’ is never used; a name that begins with ‘_’ says that this is meant",
    spec: null,
  },
  "unused-function": {
    severity: "info",
    text: "no entry point calls ‘{name}’, directly or through others",
    spec: null,
  },
  "unused-binding": {
    severity: "info",
    text: "no entry point uses ‘{name}’, so an automatic layout has no entry for @group({group}) @binding({binding})",
    spec: "webgpu#default-pipeline-layout",
  },
  "misleading-shadow": {
    severity: "warning",
    text: "this declares another ‘{name}’; the outer one, which is read behind this block, does not change",
    spec: "#declaration-and-scope",
  },
  "shadowed-builtin": {
    severity: "warning",
    text: "‘{name}’ hides the builtin function of this name, which the same function also calls",
    spec: "#declaration-and-scope",
  },

  // ---------------------------------------------------------------- atomics
  "exchange-result-ignored": {
    severity: "warning",
    text: "nobody looks at ‘exchanged’: the exchange may not have taken place, even where ‘old_value’ is the expected one",
    spec: "#atomic-compare-exchange-weak",
  },
  "exchange-not-retried": {
    severity: "warning",
    text: "a weak exchange may fail although the value is the expected one, so ‘not exchanged’ decides nothing unless it is tried again in a loop",
    spec: "#atomic-compare-exchange-weak",
  },
  "stale-exchange": {
    severity: "warning",
    text: "this is made once, in front of the loop: where the exchange has failed, what others have changed since is lost",
    spec: "#atomic-compare-exchange-weak",
  },
  "old-value-as-new": {
    severity: "warning",
    text: "‘{name}’ returns the value from before, so comparing it with ‘{text}’ is one step too early",
    spec: "#atomic-rmw",
  },
  "unchecked-subtraction": {
    severity: "warning",
    text: "‘{place}’ has no sign: subtracting from 0 makes it 4294967295, and nothing here prevents that",
    spec: "#atomic-sub",
  },
  "take-and-put-back": {
    severity: "warning",
    text: "‘{place}’ is taken from before it is known whether anything is left, and put back too late: {why}",
    spec: "#atomic-sub",
  },
  "check-then-act": {
    severity: "warning",
    text: "between the check of ‘{place}’ and this {name} others can pass the same check",
    spec: "#atomic-rmw",
  },
  "blind-write": {
    severity: "warning",
    text: "this {name} changes ‘{place}’ before it is known whether it may, and what is taken back later was seen by others",
    spec: "#atomic-rmw",
  },
  "append-without-guard": {
    severity: "warning",
    text: "nothing keeps ‘{index}’ below the length of ‘{list}’, and the counter goes on counting when the list is full",
    spec: "#out-of-bounds-access-sec",
  },
  "count-unsaturated": {
    severity: "warning",
    text: "‘{place}’ counts attempts, also those for which there was no room, so it may be more than there are elements",
    spec: "#atomic-add",
  },
  "float-bits-order": {
    severity: "warning",
    text: "{name} on the bits of ‘{value}’ is right for positive numbers only: {problem}",
    spec: "#floating-point-types",
  },
  "spin-on-memory": {
    severity: "warning",
    text: "this loop ends only when another invocation changes ‘{name}’, and nothing promises that one gets on meanwhile",
    spec: "#uniformity",
  },
  "mask-not-power-of-two": {
    severity: "warning",
    text: "‘{size} - 1’ is no mask, because {size} is {count} and no power of two: some results are never met, others too often",
    spec: "#bit-expr",
  },
  "select-evaluates-both": {
    severity: "info",
    text: "‘select’ evaluates both values, so ‘{read}’ is read also where the condition says that it must not be",
    spec: "#select-builtin",
  },

  // ---------------------------------------------------------------- barriers
  "barrier-kind": {
    severity: "warning",
    text: "‘{name}’ orders {ordered} only, but ‘{variable}’ on both sides of it is in {space}: use ‘{wanted}’",
    spec: "#sync-builtin-functions",
  },
  "barrier-across-workgroups": {
    severity: "warning",
    text: "‘{name}’ waits for the invocations of one workgroup, but ‘{variable}’ {why}",
    spec: "#sync-builtin-functions",
  },
  "missing-barrier": {
    severity: "warning",
    text: "‘{name}’ is {verb} here while another invocation of the workgroup may be at the same element, with no barrier between",
    spec: "#sync-builtin-functions",
  },
  "lost-update": {
    severity: "warning",
    text: "several invocations update ‘{element}’ at once, so updates are lost",
    spec: "#memory-model",
  },
  "repeated-barrier": {
    severity: "info",
    text: "there is nothing between this ‘{name}’ and the one before that it could order",
    spec: "#sync-builtin-functions",
  },

  // ---------------------------------------------------------------- layout
  "vec3-tucked-scalar": {
    severity: "info",
    text: "‘{name}’ is at byte {offset}, directly behind the {size} bytes of ‘{vector}’: a vec3 is aligned to four components but takes three",
    spec: "#alignment-and-size",
  },
  "vec3-array-stride": {
    severity: "info",
    text: "elements of this array are {stride} bytes apart, {size} of them used: {type} is aligned to four components",
    spec: "#alignment-and-size",
  },
  "struct-padding": {
    severity: "info",
    text: "‘{name}’ takes {size} bytes; with its members in another order {best}, {saved} less",
    spec: "#structure-member-layout",
  },
  "above-default-limit": {
    severity: "warning",
    text: "‘{name}’ has {value} {unit}, by default a device allows {most} ({limit})",
    spec: "webgpu#limits",
  },

  // ---------------------------------------------------------------- contention
  "contended-address": {
    severity: "info",
    text: "every invocation does this {name} at one address, ‘{place}’, so they take turns",
    spec: null,
  },
  "contended-exchange": {
    severity: "info",
    text: "all invocations exchange one word, ‘{place}’: of those that try at once one gets through and all others try again",
    spec: null,
  },

  ...EARLY_ADVICE,
} as const satisfies CataloguePart;

export const ADVICE_NOTES = {
  "leaves-before": "control leaves here",
  "written-here": "‘{name}’ is written here",
  "builtin-called-here": "the builtin ‘{name}’ is called here",
  "outer-read-here": "the outer ‘{name}’ is read here",

  returns: "{name} returns {what}",
  "next-round-elsewhere":
    "the next round tries another place, and nobody asks whether ‘old_value’ was the expected one",
  "next-round-other": "the next round stores what is made of another value, and this one is lost",
  "made-in-front": "it is made of what ‘{name}’ holds here: make it in the loop, of what ‘{name}’ holds then",
  "decides-here": "this is decided by it",
  "compare-with-old": "the last one to come sees ‘{wanted}’",
  "compare-own-value":
    "to know whether this value won, compare with the old one: ‘{value}’ won where {name} returned something that it beats",
  "take-only-if-left":
    "take only where something is left: load ‘{place}’, and exchange it for one less with atomicCompareExchangeWeak in a loop",
  "put-back-here": "it is put back here",
  "checked-here": "‘{place}’ is checked here",
  "act-at-once": "do both in one step with atomicCompareExchangeWeak in a loop",
  "check-and-act-at-once":
    "check what {name} returned, or do both in one step with atomicCompareExchangeWeak in a loop",
  "taken-back-here": "it is taken back here",
  "slot-from-here": "the index comes from ‘{place}’",
  "guard-the-slot": "write only where ‘{index} < {bound}’",
  "counts-attempts": "‘{place}’ goes on counting here when there is no more room",
  "saturate-count":
    "bring it back to the capacity before it is used: ‘atomicMin(&{place}, capacity)’ where there is no room, or ‘min(count, capacity)’ where it is read",
  "order-of-bits": "the bits of ‘{value}’ are taken here, sign included",
  "guard-the-bits":
    "let only bits up to 0x7f800000u take part, or order all floats by a key: all bits flipped for negative numbers, the sign bit for others",
  "use-remainder": "‘% {size}’ is right for every size",
  "select-condition": "this does not guard the read",
  "use-if": "read it in an ‘if’ instead: only there the condition decides whether it is read",
  "waits-here": "‘{name}’ is looked at here again and again",
  "do-not-wait":
    "split the work into two dispatches, wait at a barrier inside of the workgroup, or give up after a number of tries",

  "before-barrier": "‘{name}’ is used here before it",
  "after-barrier": "‘{name}’ is used here behind it",
  "by-one-of-dispatch": "one invocation of the dispatch, or one workgroup, uses ‘{name}’ here",
  "by-all-workgroups": "all workgroups use ‘{name}’ here",
  "next-dispatch": "only the next dispatch sees all that the workgroups of this one left in ‘{name}’",
  "written-by-another": "‘{name}’ is written here",
  "read-by-another": "‘{name}’ is read here",
  "put-barrier": "put ‘{barrier}();’ between them, where all invocations of the workgroup get to",
  "read-then-barrier-apart":
    "read into a variable in one ‘if’ and write in another, with ‘{barrier}();’ between them where all invocations come to it",
  "read-then-barrier": "read into a variable, then ‘{barrier}();’, then write",
  "barrier-at-end": "the next round begins with no barrier behind this one: put ‘{barrier}();’ at the end of the loop",
  "use-atomic-update":
    "make it ‘atomic<{type}>’ and use {atomic}, or give each invocation an element of ‘{name}’ of its own",
  "use-exchange-loop":
    "change its bits in a loop of atomicCompareExchangeWeak, or give each invocation an element of ‘{name}’ of its own",
  "use-atomic-slot":
    "‘let slot = atomicAdd(&{place}, …);’ reads and counts in one step: use slot in place of ‘{place}’",
  "first-barrier": "the first ‘{name}’ is here",

  "pack-vec3": "‘array<{scalar}>’ with three elements for each vector has no gaps",
  "better-order": "in this order: {names}",
  "require-limit": "ask for it with ‘requiredLimits’, {limit} of at least {value}, where the adapter has it",

  "two-levels": "gather in workgroup memory first, then let one invocation of each workgroup do this {name} once",
  "reduce-first": "add up in workgroup memory first, so that one invocation of each workgroup does the exchange",
} as const satisfies Readonly<Record<string, string>>;

/** Other parts of messages of advice. */
export const ADVICE_PHRASES = {
  ...RETURNS,
  "one-and-all": "is used by one invocation on one side and by all workgroups on the other",
  "across-borders": "is used across the borders of workgroups, by the invocation and by its neighbour",
  "updated-by-all": "is changed by all workgroups before it and read by all behind it",
  "storage-buffers": "storage buffers",
  "workgroup-memory": "workgroup memory",
  "signed-test-fails": "a test for ‘<= 0’ fails where others put back meanwhile",
  "wrapped-looks-plenty": "others meet the wrapped value and take it for plenty",
  "negative-out-of-order": "negative numbers come in the wrong order and a NaN counts as large",
  "negative-beat-positive": "-0.0 and every negative number beat all positive ones, and so does a NaN",
  // what there are limits for
  "invocations-along": "invocations along {axis}",
  "invocations-in-workgroup": "invocations in a workgroup",
  "bytes-of-workgroup-memory": "bytes of workgroup memory",
  "bytes-in-buffer": "bytes in a {space} buffer",
  "uniform-buffers": "uniform buffers",
  samplers: "samplers",
  "storage-textures": "storage textures",
  "sampled-textures": "sampled textures",
  "bind-groups": "bind groups",
  "binding-numbers": "binding numbers in a group",
} as const satisfies Readonly<Record<string, string>>;
