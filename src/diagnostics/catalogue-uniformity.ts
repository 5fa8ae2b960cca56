import type { CataloguePart } from "./entry.ts";

/** What the analyses of whole functions say: behaviors, aliases, uniformity. */
export const UNIFORMITY = {
  // ---------------------------------------------------------------- behaviors
  "missing-return": {
    severity: "error",
    text: "‘{name}’ returns a value, so every way through it must end at a ‘return’",
    spec: "#behaviors-rules",
  },
  "endless-loop": {
    severity: "error",
    text: "nothing leaves this loop, expected a ‘break’ or ‘return’ in it that can be reached",
    spec: "#behaviors-rules",
  },

  // ---------------------------------------------------------------- aliases
  "aliased-arguments": {
    severity: "error",
    text: "‘{function}’ is given ‘{name}’ twice and writes to it, expected pointers to different variables",
    spec: "#aliasing",
  },
  "aliased-variable": {
    severity: "error",
    text: "‘{function}’ uses ‘{name}’ itself and through this pointer, and writes to it, expected a pointer to another variable",
    spec: "#aliasing",
  },

  // ---------------------------------------------------------------- uniformity
  "barrier-uniformity": {
    severity: "error",
    text: "‘{name}’ must be reached by all invocations of the workgroup or by none, but control flow here may differ between them",
    spec: "#uniformity",
  },
  "barrier-argument-uniformity": {
    severity: "error",
    text: "the pointer given to ‘{name}’ must be the same for all invocations of the workgroup",
    spec: "#uniformity",
  },
  "derivative-uniformity": {
    severity: "error",
    text: "‘{name}’ compares neighbouring invocations, so all must reach it or none, but control flow here may differ between them",
    spec: "#uniformity",
  },
  "subgroup-uniformity": {
    severity: "error",
    text: "‘{name}’ must be reached by all invocations of the {scope} or by none, but control flow here may differ between them",
    spec: "#uniformity",
  },
  "subgroup-argument-uniformity": {
    severity: "error",
    text: "argument ‘{parameter}’ of ‘{name}’ must be the same for all invocations of the {scope}",
    spec: "#uniformity",
  },
} as const satisfies CataloguePart;

/** Notes: the way from the call to what makes invocations differ, and the ways out. */
export const UNIFORMITY_NOTES = {
  "ends-here": "control gets here without a ‘return’",
  "no-else": "where this does not hold, control goes on without a ‘return’",

  "other-argument": "‘{name}’ is given here as well",
  "written-through-pointer": "‘{function}’ writes through the pointer here",
  "read-through-pointer": "‘{function}’ reads through the pointer here",
  "used-by-name": "‘{function}’ {verb} ‘{name}’ here",

  "under-condition": "whether an invocation gets there depends on this",
  "under-selector": "which case an invocation takes depends on this",
  "left-side-decides": "the right side of ‘{operator}’ is evaluated only where the left side asks for it",
  "loop-count": "this decides for each invocation how often the loop runs",
  "leaves-here": "some invocations leave by this ‘{jump}’ while others go on",
  "depends-on-condition": "the value depends on whether this holds",
  "assigned-here": "‘{name}’ gets its value here",
  "left-by-call": "‘{function}’ leaves a value in ‘{name}’ that may differ between invocations",
  "returned-by-call": "what ‘{function}’ returns may differ between invocations",
  "argument-differs": "the argument for ‘{name}’ may differ between invocations",
  "affects-too": "the same holds for ‘{name}’ here",

  "source-builtin-value": "‘{name}’ is ‘{builtin}’, which differs between invocations",
  "source-input": "‘{name}’ is an input of the {stage} shader, which may differ between invocations",
  "source-parts":
    "‘{name}’ also has ‘{part}’, which differs between invocations; members of one parameter are not told apart",
  "source-storage": "‘{name}’ is a buffer that the shader may write, so invocations may read different values",
  "source-workgroup": "‘{name}’ is in workgroup memory, where invocations may read different values",
  "source-private": "‘{name}’ is private, each invocation has its own",
  "source-pointer": "‘{name}’ points to {space} memory that can be written, so invocations may read different values",
  "source-call": "the result of ‘{name}’ may differ between invocations",
  "source-uniform-in-subgroup": "‘{name}’ is the same within a subgroup but may differ within the workgroup",

  "use-uniform-load": "‘workgroupUniformLoad(&{expression})’ reads one value for all invocations",
  "declare-read": "nothing writes ‘{name}’, so it can be ‘var<storage, read>’, which counts as uniform",
  "share-through-workgroup":
    "one invocation can copy ‘{expression}’ to workgroup memory, from where ‘workgroupUniformLoad’ reads it for all",
  "do-once":
    "let one invocation do it for the workgroup, put the result in workgroup memory and read that with ‘workgroupUniformLoad’",
  "pass-instead": "what is the same for all can be passed as a parameter, instead of through ‘{name}’",
  "own-parameter": "take ‘{parts}’ as a parameter of its own, which counts as uniform",
  "guard-the-work": "let all invocations reach ‘{name}’: put the condition around the work, not around the call",
  "no-early-exit":
    "let all invocations reach ‘{name}’: instead of leaving early, put the work in a condition of its own",
  "same-count": "let all invocations run the loop equally often and put a condition around the work in it",
  "hoist-call": "call ‘{name}’ before control flow parts and use the result where it is needed",
  "explicit-level": "‘{other}’ computes no derivatives and can be called anywhere",
  "filter-rule": "‘@diagnostic(off, {rule})’ allows it, but where invocations differ the result means nothing",
} as const satisfies Readonly<Record<string, string>>;

/** Titles of edits. */
export const UNIFORMITY_FIXES = {
  "uniform-load": "read it with ‘workgroupUniformLoad(&{expression})’",
  "declare-read": "declare ‘{name}’ with ‘var<storage, read>’",
} as const satisfies Readonly<Record<string, string>>;
