import { ANALYSIS_TYPES } from "./catalogue-analysis-types.ts";
import type { CataloguePart } from "./entry.ts";

/** What resolving, type checking, const-evaluation, validation and uniformity say. */
export const ANALYSIS = {
  ...ANALYSIS_TYPES,

  // names
  "unresolved-identifier": { severity: "error", text: "‘{name}’ is not declared", spec: "#resolves" },
  "duplicate-declaration": {
    severity: "error",
    text: "‘{name}’ is declared twice in one scope; a name can be declared again only in an inner block",
    spec: "#declaration-and-scope",
  },
  "declaration-cycle": {
    severity: "error",
    text: "‘{name}’ depends on itself",
    spec: "#declaration-and-scope",
  },
  "recursive-function": {
    severity: "error",
    text: "‘{name}’ calls itself; recursion is not possible in WGSL, a loop with a stack of its own can replace it",
    spec: "#declaration-and-scope",
  },

  // directives and extensions
  "unknown-extension": {
    severity: "error",
    text: "there is no extension ‘{name}’ to enable",
    spec: "#enable-extensions-sec",
  },
  "feature-missing": {
    severity: "error",
    text: "the extension ‘{name}’ needs the device feature ‘{feature}’, which is not there",
    spec: "#enable-extensions-sec",
  },
  "unknown-language-extension": {
    severity: "error",
    text: "there is no language extension ‘{name}’",
    spec: "#language-extensions-sec",
  },
  "language-extension-missing": {
    severity: "error",
    text: "the language extension ‘{name}’ is not supported here",
    spec: "#language-extensions-sec",
  },
  "extension-not-enabled": {
    severity: "error",
    text: "‘{name}’ needs ‘enable {extension};’ at the top of the module",
    spec: "#enable-extensions-sec",
  },
  "language-feature": {
    severity: "error",
    text: "‘{name}’ needs the language feature ‘{feature}’, which is not supported here",
    spec: "#language-extensions-sec",
  },
  "unknown-severity": {
    severity: "error",
    text: "‘{name}’ is no severity; ‘error’, ‘warning’, ‘info’ and ‘off’ are",
    spec: "#diagnostic-filtering",
  },
  "unknown-diagnostic-rule": {
    severity: "warning",
    text: "there is no diagnostic rule ‘{rule}’, so this filter does nothing",
    spec: "#filterable-triggering-rules",
  },
  "conflicting-filter": {
    severity: "error",
    text: "the rule ‘{rule}’ is set to ‘{severity}’ here and to ‘{earlier}’ before",
    spec: "#diagnostic-filtering",
  },
  "duplicate-filter": {
    severity: "error",
    text: "the rule ‘{rule}’ is filtered twice at one place",
    spec: "#diagnostic-attr",
  },

  // attributes
  "unknown-attribute": { severity: "error", text: "there is no attribute ‘@{name}’", spec: "#attributes" },
  "misplaced-attribute": {
    severity: "error",
    text: "‘@{name}’ cannot stand on a {place}; it goes {accepted}",
    spec: "#attributes",
  },
  "duplicate-attribute": { severity: "error", text: "‘@{name}’ is given twice", spec: "#attributes" },
  "attribute-arguments": {
    severity: "error",
    text: "‘@{name}’ takes {wanted} arguments",
    spec: "#attributes",
  },
  "attribute-type": {
    severity: "error",
    text: "the argument of ‘@{name}’ has to be an i32 or u32, not ‘{actual}’",
    spec: "#attributes",
  },
  "attribute-not-constant": {
    severity: "error",
    text: "the argument of ‘@{name}’ has to be a const-expression, ‘{argument}’ is none",
    spec: "#attributes",
  },
  "attribute-value": {
    severity: "error",
    text: "the argument of ‘@{name}’ has to be at least {least}, not {value}",
    spec: "#attributes",
  },
  "attribute-word": { severity: "error", text: "the argument of ‘@{name}’ has to be a name", spec: "#attributes" },
  "override-id-range": {
    severity: "error",
    text: "the id {value} is too large: ids go from 0 to 65535",
    spec: "#override-decls",
  },
  "duplicate-override-id": {
    severity: "error",
    text: "the id {id} of ‘{name}’ is taken by another override",
    spec: "#override-decls",
  },
  "align-power-of-two": {
    severity: "error",
    text: "an alignment has to be a power of two, {align} is none",
    spec: "#align-attr",
  },
  "align-too-small": {
    severity: "error",
    text: "the alignment {align} is not a multiple of {required}, which ‘{type}’ needs anyway",
    spec: "#align-attr",
  },
  "size-too-small": {
    severity: "error",
    text: "‘@size({size})’ is too small: ‘{type}’ takes {least} bytes",
    spec: "#size-attr",
  },
  "size-of-runtime-sized": {
    severity: "error",
    text: "‘@size’ needs a type of known size, ‘{type}’ has none",
    spec: "#size-attr",
  },

  // entry points
  "several-stages": {
    severity: "error",
    text: "‘{name}’ can be the entry point of one stage only",
    spec: "#shader-stage-attr",
  },
  "compute-only-attribute": {
    severity: "error",
    text: "‘@{name}’ is for compute entry points, ‘{function}’ is none",
    spec: "#workgroup-size-attr",
  },
  "no-workgroup-size": {
    severity: "error",
    text: "the compute entry point ‘{name}’ needs ‘@workgroup_size(…)’",
    spec: "#entry-point-attributes",
  },
  "workgroup-size-types": {
    severity: "error",
    text: "the arguments of ‘@workgroup_size’ have to be all i32 or all u32, not {types}",
    spec: "#workgroup-size-attr",
  },
  "subgroup-size-power-of-two": {
    severity: "error",
    text: "a subgroup size has to be a power of two, {size} is none",
    spec: "#subgroup-size-attr",
  },
  "subgroup-size-divides": {
    severity: "error",
    text: "the workgroup is {width} wide in x, which is no multiple of the subgroup size {size}",
    spec: "#subgroup-size-attr",
  },
  "no-io-attribute": {
    severity: "error",
    text: "‘{name}’ of type ‘{type}’ needs ‘@builtin(…)’ or ‘@location(…)’, because ‘{function}’ is an entry point",
    spec: "#entry-point-decl",
  },
  "io-attribute-not-on-entry-point": {
    severity: "error",
    text: "‘@{name}’ is for entry points and structure members, this function is no entry point",
    spec: "#stage-inputs-outputs",
  },
  "builtin-and-location": {
    severity: "error",
    text: "‘{name}’ can have ‘@builtin’ or ‘@location’, not both",
    spec: "#stage-inputs-outputs",
  },
  "unknown-builtin-value": {
    severity: "error",
    text: "there is no built-in value ‘{name}’",
    spec: "#builtin-inputs-outputs",
  },
  "builtin-value-type": {
    severity: "error",
    text: "the built-in value ‘{name}’ is of type ‘{expected}’, not ‘{actual}’",
    spec: "#builtin-inputs-outputs",
  },
  "builtin-value-stage": {
    severity: "error",
    text: "‘{name}’ cannot be a {used}; it is a {accepted}",
    spec: "#builtin-inputs-outputs",
  },
  "duplicate-builtin-value": {
    severity: "error",
    text: "the built-in value ‘{name}’ is given twice",
    spec: "#builtin-inputs-outputs",
  },
  "depth-mode": {
    severity: "error",
    text: "‘{mode}’ cannot stand here: only ‘frag_depth’ takes a second argument, ‘less’ or ‘greater’, not ‘{name}’ otherwise",
    spec: "#frag-depth-builtin-value",
  },
  "location-type": {
    severity: "error",
    text: "‘@location’ is for numeric scalars and vectors, not for ‘{type}’",
    spec: "#location-attr",
  },
  "location-in-compute": {
    severity: "error",
    text: "a compute shader has no locations, so ‘{name}’ cannot have one; read from a buffer instead",
    spec: "#location-attr",
  },
  "duplicate-location": {
    severity: "error",
    text: "the location {location} is taken twice",
    spec: "#input-output-locations",
  },
  "needs-location": { severity: "error", text: "‘@{name}’ needs a ‘@location’ beside it", spec: "#attributes" },
  "blend-src-value": {
    severity: "error",
    text: "the argument of ‘@blend_src’ has to be 0 or 1, not {value}",
    spec: "#blend-src-attr",
  },
  "blend-src-stage": {
    severity: "error",
    text: "‘@blend_src’ is for outputs of fragment shaders, so not for ‘{name}’",
    spec: "#blend-src-attr",
  },
  "dual-source-blending": {
    severity: "error",
    text: "with ‘@blend_src’, ‘{name}’ has to have exactly two locations: ‘@location(0) @blend_src(0)’ and ‘@location(0) @blend_src(1)’",
    spec: "#input-output-locations",
  },
  "dual-source-types": {
    severity: "error",
    text: "both blend sources of ‘{name}’ have to be of one type, not ‘{first}’ and ‘{second}’",
    spec: "#input-output-locations",
  },
  "interpolation-type": {
    severity: "error",
    text: "‘{name}’ is no interpolation type; ‘perspective’, ‘linear’ and ‘flat’ are",
    spec: "#interpolation",
  },
  "interpolation-sampling": {
    severity: "error",
    text: "‘{name}’ does not go with ‘{type}’; {accepted} do",
    spec: "#interpolation",
  },
  "integer-not-flat": {
    severity: "error",
    text: "‘{name}’ is of the integer type ‘{type}’ and needs ‘@interpolate(flat)’",
    spec: "#interpolation",
  },
  "invariant-without-position": {
    severity: "error",
    text: "‘@invariant’ goes with ‘@builtin(position)’ only",
    spec: "#invariant-attr",
  },
  "no-position": {
    severity: "error",
    text: "the vertex entry point ‘{name}’ has to return ‘@builtin(position)’",
    spec: "#function-restriction",
  },
  "compute-returns": {
    severity: "error",
    text: "the compute entry point ‘{name}’ cannot return anything; write to a storage buffer instead",
    spec: "#entry-point-decl",
  },
  "wrong-stage": {
    severity: "error",
    text: "‘{what}’ is for {stages} shaders, and the {stage} shader ‘{function}’ reaches it",
    spec: "#functions-in-a-shader-stage",
  },
  "variable-wrong-stage": {
    severity: "error",
    text: "‘{name}’ lies {what}, which the {stage} shader ‘{function}’ must not use",
    spec: "#address-space",
  },
  "duplicate-binding": {
    severity: "error",
    text: "‘{name}’ and ‘{other}’ are both at group {group}, binding {binding}, and ‘{function}’ uses both",
    spec: "#resource-interface",
  },
  "several-immediates": {
    severity: "error",
    text: "‘{name}’ uses the immediates ‘{first}’ and ‘{second}’; an entry point can use one",
    spec: "#immediate-data",
  },

  // pipelines
  "unknown-override": {
    severity: "error",
    text: "there is no override ‘{name}’ to give a value to",
    spec: "#override-decls",
  },
  "override-value": {
    severity: "error",
    text: "{value} is no value for the override ‘{name}’ of type ‘{type}’",
    spec: "#override-decls",
  },
  "override-missing": {
    severity: "error",
    text: "the override ‘{name}’, which ‘{function}’ uses, has no default and was given no value: --override {name}=VALUE, ‘overrides’ of a launch file or ‘constants’ of a pipeline give it one",
    spec: "#override-decls",
  },
  "workgroup-too-large": {
    severity: "error",
    text: "the workgroup {size} of ‘{name}’ is too large: {limit}",
    spec: "#workgroup-size-attr",
  },

  "workgroup-storage-too-large": {
    severity: "error",
    text: "‘{name}’ uses {bytes} bytes of workgroup memory, {limit} are possible",
    spec: "#limits",
  },

  // functions
  "parameter-count": {
    severity: "error",
    text: "‘{name}’ has {given} parameters, {limit} are possible",
    spec: "#limits",
  },
  "parameter-type": {
    severity: "error",
    text: "the parameter ‘{name}’ cannot be of type ‘{type}’; pass a pointer to it",
    spec: "#function-restriction",
  },
  "atomic-parameter": {
    severity: "error",
    text: "the parameter ‘{name}’ cannot hold an atomic (‘{type}’); pass a pointer, for example ‘ptr<workgroup, atomic<u32>>’",
    spec: "#atomic-types",
  },
  "pointer-parameter-space": {
    severity: "error",
    text: "the pointer ‘{name}’ into {space} memory cannot be a parameter without the language feature ‘unrestricted_pointer_parameters’",
    spec: "#language_extension-unrestricted_pointer_parameters",
  },
  "return-type": {
    severity: "error",
    text: "‘{name}’ cannot return ‘{type}’",
    spec: "#function-restriction",
  },
  "must-use-nothing": {
    severity: "error",
    text: "‘@must_use’ makes no sense on ‘{name}’, which returns nothing",
    spec: "#must-use-attr",
  },

  // statements
  "assign-to-value": {
    severity: "error",
    text: "‘{name}’ is a value and cannot be assigned; only what lies in a ‘var’ can",
    spec: "#simple-assignment-section",
  },
  "assign-to-pointer": {
    severity: "error",
    text: "‘{name}’ is a pointer; to assign what it points to, write ‘*{name}’",
    spec: "#simple-assignment-section",
  },
  "assign-to-swizzle": {
    severity: "error",
    text: "‘{name}’ names several components, which cannot be assigned at once; assign each by itself",
    spec: "#vector-multi-component",
  },
  "write-to-read-only": {
    severity: "error",
    text: "‘{name}’ lies in {space} memory that can only be read",
    spec: "#simple-assignment-section",
  },
  "atomic-plain-write": {
    severity: "error",
    text: "‘{name}’ is atomic (‘{type}’) and cannot be written like a plain value; use {wanted}",
    spec: "#atomic-types",
  },
  "atomic-plain-read": {
    severity: "error",
    text: "‘{name}’ is atomic (‘{type}’) and cannot be read like a plain value; use atomicLoad(&{name})",
    spec: "#atomic-types",
  },
  "atomic-copy": {
    severity: "error",
    text: "‘{name}’ of type ‘{type}’ holds atomics and cannot be copied as a whole; go through its atomics one by one with atomicLoad and atomicStore",
    spec: "#atomic-types",
  },
  "no-compound-operator": {
    severity: "error",
    text: "‘{operator}’ does not go with ‘{left}’ and ‘{right}’",
    spec: "#compound-assignment-sec",
  },
  "increment-type": {
    severity: "error",
    text: "‘{operator}’ is for i32 and u32, ‘{name}’ is of type ‘{type}’",
    spec: "#increment-decrement",
  },
  "switch-selector-type": {
    severity: "error",
    text: "the selector of ‘switch’ has to be an i32 or u32, not ‘{type}’",
    spec: "#switch-statement",
  },
  "case-type": {
    severity: "error",
    text: "this case is of type ‘{actual}’, the selector of ‘{expected}’",
    spec: "#switch-statement",
  },
  "duplicate-case": { severity: "error", text: "the case {value} is there twice", spec: "#switch-statement" },
  "no-default": { severity: "error", text: "‘switch’ needs a ‘default’ clause", spec: "#switch-statement" },
  "duplicate-default": { severity: "error", text: "‘default’ is there twice", spec: "#switch-statement" },
  "switch-selectors": {
    severity: "error",
    text: "this ‘switch’ has {given} case selectors, {limit} are possible",
    spec: "#limits",
  },
  "break-outside": {
    severity: "error",
    text: "‘break’ can stand only in a loop or in a ‘switch’",
    spec: "#break-statement",
  },
  "break-from-continuing": {
    severity: "error",
    text: "‘break’ cannot leave a ‘continuing’ block; end it with ‘break if …;’ instead",
    spec: "#break-statement",
  },
  "continue-outside": { severity: "error", text: "‘continue’ can stand only in a loop", spec: "#continue-statement" },
  "continue-in-continuing": {
    severity: "error",
    text: "‘continue’ cannot stand in a ‘continuing’ block",
    spec: "#continue-statement",
  },
  "continue-skips-declaration": {
    severity: "error",
    text: "‘continue’ jumps past the declaration of ‘{name}’, which the ‘continuing’ block uses; declare it earlier",
    spec: "#continue-statement",
  },
  "return-in-continuing": {
    severity: "error",
    text: "‘return’ cannot stand in a ‘continuing’ block",
    spec: "#continuing-statement",
  },
  "return-without-value": {
    severity: "error",
    text: "‘{name}’ has to return a value of type ‘{type}’",
    spec: "#return-statement",
  },
  "return-value-not-allowed": {
    severity: "error",
    text: "‘{name}’ returns nothing, so ‘return’ takes no value; give the function a return type with ‘->’",
    spec: "#return-statement",
  },
  "value-not-used": {
    severity: "error",
    text: "this value of ‘{name}’ is not used; assign it, or to ‘_’",
    spec: "#function-call-statement",
  },
  "must-use": {
    severity: "error",
    text: "the result of ‘{name}’ is not used, and the call does nothing else; assign it, or to ‘_’",
    spec: "#must-use-attr",
  },
  "const-assert-failed": {
    severity: "error",
    text: "the assertion ‘{condition}’ does not hold",
    spec: "#const-assert-statement",
  },
} as const satisfies CataloguePart;

/** Parts of the messages above. */
export const ANALYSIS_PHRASES = {
  // what a name stands for
  "a-function": "a function",
  "a-texel-format": "a texel format such as {example}",
  "a-builtin-function": "a builtin function",
  "an-enumerant": "an enumerant",
  "a-variable": "a variable",
  "a-value": "a value",
  "an-override": "an override",
  parameter: "a parameter",
  // what wants a type
  "condition-of": "the condition of ‘{keyword}’",
  "return-value-of": "the return value of ‘{name}’",
  "parameter-of": "parameter ‘{parameter}’ of ‘{name}’",
  "member-of": "member ‘{member}’ of ‘{name}’",
  "element-of": "element {index} of ‘{name}’",
  // what has to be known early
  "case-selector": "a case selector",
  "default-of": "the default value of the override ‘{name}’",
  "const-initializer-of": "the initializer of the const ‘{name}’",
  "private-initializer-of": "the initializer of the private variable ‘{name}’",
  "argument-of-attribute": "the argument of ‘@{name}’",
  // where variables are declared and lie
  "in-functions": "in functions",
  "at-module-scope": "at module scope",
  "in-workgroup-memory": "in workgroup memory",
  "written-buffer": "in a storage buffer that can be written",
  "written-texture": "in a storage texture that can be written",

  reads: "reads",
  writes: "writes",
  components: "{count} components",
  "compare-exchange-loop": "a compare-exchange loop",
  "workgroup-limit": "up to {most}, {invocations} invocations in all, are possible",
  "one-argument": "1 argument",
  "several-arguments": "{count} arguments",
  "one-or-other": "{first} or {second}",
  "size-unknown": "its size has to be known when the module is made",
  "handle-alone": "each texture and each sampler is a variable of its own",
  "module-made": "when the module is made",
  "before-run": "before the shader runs",
  "declare-atomic": "declare it ‘atomic<u32>’ or ‘atomic<i32>’",
  "take-one-atomic": "take one of its atomics: ‘{place}’",
} as const satisfies Readonly<Record<string, string>>;
