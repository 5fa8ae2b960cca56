import type { CataloguePart } from "./entry.ts";

/** What analysis says of types, expressions, and the memory that values lie in. */
export const ANALYSIS_TYPES = {
  // type specifiers
  "not-a-type": { severity: "error", text: "‘{name}’ is {what}, a type is needed here", spec: "#type-expr" },
  "no-template-expected": { severity: "error", text: "‘{name}’ takes no template arguments", spec: "#type-expr" },
  "template-count": {
    severity: "error",
    text: "‘{name}’ needs other template arguments; it is written ‘{shape}’",
    spec: "#type-expr",
  },
  "enumerant-expected": {
    severity: "error",
    text: "‘{name}’ cannot stand here; {accepted} can",
    spec: "#enum-expr",
  },
  "bad-component-type": {
    severity: "error",
    text: "‘{name}’ cannot be made of ‘{actual}’; {accepted} are possible",
    spec: "#vector-types",
  },
  "atomic-of-float": {
    severity: "error",
    text: "there is no atomic ‘{actual}’; atomics are atomic<u32> and atomic<i32>: keep the bits of the float in an atomic<u32> (bitcast) and update it in a loop with atomicCompareExchangeWeak",
    spec: "#atomic-types",
  },
  "atomic-element": {
    severity: "error",
    text: "there is no atomic ‘{actual}’; atomics are atomic<u32> and atomic<i32>, alone or as elements of arrays and members of structures",
    spec: "#atomic-types",
  },
  "array-element": {
    severity: "error",
    text: "‘{actual}’ cannot be the element of an array; {why}",
    spec: "#array-types",
  },
  "count-type": {
    severity: "error",
    text: "the size of ‘{what}’ has to be an i32 or u32, not ‘{actual}’",
    spec: "#array-types",
  },
  "count-not-constant": {
    severity: "error",
    text: "the size of ‘{what}’ has to be known before the shader runs, ‘{name}’ is not; use a const or an override",
    spec: "#array-types",
  },
  "count-not-positive": {
    severity: "error",
    text: "the size of ‘{what}’ has to be greater than 0, not {count}",
    spec: "#array-types",
  },
  "buffer-size-unit": {
    severity: "error",
    text: "the size of a buffer has to be a multiple of {unit} bytes, {size} is none",
    spec: "#buffer-types",
  },
  "nesting-depth": { severity: "error", text: "‘{name}’ nests deeper than {limit} levels", spec: "#limits" },
  "type-too-large": {
    severity: "error",
    text: "‘{type}’ takes {size} bytes, more than offsets can count",
    spec: "#limits",
  },

  "array-elements": {
    severity: "error",
    text: "‘{type}’ is too long: outside of storage and uniform buffers, arrays have up to {limit} elements",
    spec: "#limits",
  },

  // structures
  "empty-struct": {
    severity: "error",
    text: "the structure ‘{name}’ needs at least one member",
    spec: "#struct-types",
  },
  "struct-members": {
    severity: "error",
    text: "the structure ‘{name}’ has {given} members, {limit} are possible",
    spec: "#limits",
  },
  "duplicate-member": { severity: "error", text: "‘{struct}’ has two members ‘{name}’", spec: "#struct-types" },
  "member-type": {
    severity: "error",
    text: "the member ‘{name}’ cannot be of type ‘{type}’",
    spec: "#struct-types",
  },
  "member-override-sized": {
    severity: "error",
    text: "the member ‘{name}’ cannot be of type ‘{type}’: arrays sized by an override are for workgroup variables, at the outermost level",
    spec: "#struct-types",
  },
  "member-runtime-sized": {
    severity: "error",
    text: "the member ‘{name}’ cannot be of type ‘{type}’, which ends in an array without size",
    spec: "#struct-types",
  },
  "runtime-array-not-last": {
    severity: "error",
    text: "the member ‘{name}’ is an array without size (‘{type}’), which only the last member can be",
    spec: "#struct-types",
  },

  // variables and values
  "no-type": { severity: "error", text: "‘{name}’ needs a type or an initial value", spec: "#var-and-value" },
  "type-mismatch": {
    severity: "error",
    text: "{where} needs ‘{expected}’, this is ‘{actual}’",
    spec: "#type-checking-section",
  },
  "value-type": {
    severity: "error",
    text: "‘{name}’ cannot be a ‘{keyword}’ of type ‘{type}’",
    spec: "#value-decls",
  },
  "override-type": {
    severity: "error",
    text: "the override ‘{name}’ has to be a scalar, not ‘{type}’",
    spec: "#override-decls",
  },
  "not-constant": {
    severity: "error",
    text: "{what} has to be known {when}",
    spec: "#const-expr",
  },
  "no-address-space": {
    severity: "error",
    text: "‘{name}’ of type ‘{type}’ needs an address space: ‘var<private>’, ‘var<workgroup>’, ‘var<uniform>’, ‘var<storage>’ or ‘var<immediate>’",
    spec: "#var-decls",
  },
  "address-space-scope": {
    severity: "error",
    text: "variables in the address space ‘{space}’ are declared {where}",
    spec: "#var-decls",
  },
  "access-mode-not-allowed": {
    severity: "error",
    text: "an access mode can be given for ‘storage’ only, not for ‘{space}’",
    spec: "#address-space",
  },
  "storage-write-only": {
    severity: "error",
    text: "storage buffers cannot be ‘write’ only; ‘read’ and ‘read_write’ are possible",
    spec: "#address-space",
  },
  "handle-address-space": {
    severity: "error",
    text: "‘{type}’ cannot lie in the address space ‘{space}’; textures and samplers are declared with plain ‘var’ at module scope",
    spec: "#address-space",
  },
  "pointer-in-variable": {
    severity: "error",
    text: "‘{type}’ cannot be stored, not in ‘{space}’ memory either; name a pointer with ‘let’ or pass it as a parameter",
    spec: "#storable-types",
  },
  "not-constructible": {
    severity: "error",
    text: "‘{type}’ cannot lie in ‘{space}’ memory, where sizes are known when the module is made",
    spec: "#var-decls",
  },
  "workgroup-type": {
    severity: "error",
    text: "‘{type}’ cannot lie in ‘{space}’ memory; its size has to be known when the pipeline is made",
    spec: "#var-decls",
  },
  "uniform-type": {
    severity: "error",
    text: "‘{type}’ cannot lie in ‘{space}’ memory, where an array needs a size; give it one, or use var<storage>",
    spec: "#var-decls",
  },
  "bool-in-buffer": {
    severity: "error",
    text: "‘{type}’ holds a bool, which cannot lie in ‘{space}’ memory; use u32 with 0 and 1",
    spec: "#host-shareable-types",
  },
  "override-sized-outside-workgroup": {
    severity: "error",
    text: "‘{type}’ is sized by an override, which only workgroup variables can be, not ‘{space}’ ones; a const can size it everywhere",
    spec: "#array-types",
  },
  "immediate-type": {
    severity: "error",
    text: "an immediate cannot be of type ‘{type}’; scalars, vectors, matrices and structures without arrays are possible",
    spec: "#immediate-data",
  },
  "immediate-size": {
    severity: "error",
    text: "the immediate ‘{name}’ takes {size} bytes, {limit} are possible",
    spec: "#limits",
  },
  "atomic-address-space": {
    severity: "error",
    text: "‘{type}’ cannot lie in ‘{space}’ memory: atomics live in var<workgroup> and var<storage, read_write>",
    spec: "#atomic-types",
  },
  "atomic-read-only": {
    severity: "error",
    text: "‘{type}’ needs a buffer that can be written: var<storage, read_write>",
    spec: "#atomic-types",
  },
  "initializer-not-allowed": {
    severity: "error",
    text: "‘{name}’ lies in ‘{space}’ memory and cannot have an initial value; write it in the shader",
    spec: "#var-decls",
  },
  "resource-without-binding": {
    severity: "error",
    text: "the resource ‘{name}’ needs both ‘@group(…)’ and ‘@binding(…)’",
    spec: "#resource-interface",
  },
  "binding-on-non-resource": {
    severity: "error",
    text: "‘@{attribute}’ is for resources, ‘{name}’ lies in ‘{space}’ memory",
    spec: "#resource-interface",
  },
  "member-offset": {
    severity: "error",
    text: "‘{name}’ lies at byte {offset}, ‘{space}’ memory needs a multiple of {required}; use ‘@align({required})’",
    spec: "#address-space-layout-constraints",
  },
  "array-stride": {
    severity: "error",
    text: "the elements of ‘{type}’ are {stride} bytes apart, ‘{space}’ memory needs a multiple of {required}",
    spec: "#address-space-layout-constraints",
  },
  "uniform-struct-distance": {
    severity: "error",
    text: "‘{name}’ begins {distance} bytes behind the structure ‘{previous}’, uniform memory needs {required}; use ‘@align(16)’",
    spec: "#address-space-layout-constraints",
  },

  // expressions
  "evaluation-error": { severity: "error", text: "this cannot be computed: {problem}", spec: "#const-expr" },
  "no-value": { severity: "error", text: "‘{name}’ gives no value", spec: "#function-call-expr" },
  "not-a-value-name": {
    severity: "error",
    text: "‘{name}’ is {what}, a value is needed here",
    spec: "#type-checking-section",
  },
  "not-a-value": { severity: "error", text: "‘{name}’ of type ‘{type}’ cannot be used as a value", spec: "#load-rule" },
  "runtime-array-value": {
    severity: "error",
    text: "‘{name}’ of type ‘{type}’ has no size that is known now and cannot be used as a whole; take an element, or a pointer with ‘&’",
    spec: "#array-types",
  },
  "no-unary-operator": {
    severity: "error",
    text: "‘{operator}’ does not go with ‘{type}’",
    spec: "#arithmetic-expr",
  },
  "no-binary-operator": {
    severity: "error",
    text: "‘{operator}’ does not go with ‘{left}’ and ‘{right}’",
    spec: "#arithmetic-expr",
  },
  "address-of-value": {
    severity: "error",
    text: "‘{name}’ is a value of type ‘{type}’ and has no address; only what lies in a ‘var’ has one",
    spec: "#address-of-expr",
  },
  "address-of-handle": {
    severity: "error",
    text: "‘{name}’ of type ‘{type}’ has no address; pass it as it is",
    spec: "#address-of-expr",
  },
  "address-of-component": {
    severity: "error",
    text: "‘{name}’ is a component of a vector and has no address; take that of the vector",
    spec: "#address-of-expr",
  },
  "indirection-of-value": {
    severity: "error",
    text: "‘*’ needs a pointer, ‘{name}’ is of type ‘{type}’",
    spec: "#indirection-expr",
  },
  "pointer-composite-access": {
    severity: "error",
    text: "‘{name}’ is a pointer; write ‘(*{name})’, as the language feature ‘pointer_composite_access’ is not supported here",
    spec: "#language_extension-pointer_composite_access",
  },
  "pointer-argument-part": {
    severity: "error",
    text: "‘{name}’ points to a part of a variable, which cannot be passed without the language feature ‘unrestricted_pointer_parameters’",
    spec: "#language_extension-unrestricted_pointer_parameters",
  },
  "not-indexable": {
    severity: "error",
    text: "‘{name}’ of type ‘{type}’ has no elements",
    spec: "#composite-value-decomposition-expr",
  },
  "index-type": {
    severity: "error",
    text: "an index has to be an i32 or u32, not ‘{type}’",
    spec: "#composite-value-decomposition-expr",
  },
  "no-members": { severity: "error", text: "‘{type}’ has no member ‘{name}’", spec: "#struct-access-expr" },
  "unknown-member": { severity: "error", text: "‘{type}’ has no member ‘{name}’", spec: "#struct-access-expr" },
  "bad-swizzle": {
    severity: "error",
    text: "‘{name}’ names no components of ‘{type}’; one to four of x, y, z, w or of r, g, b, a do",
    spec: "#vector-access-expr",
  },
  "swizzle-past-end": {
    severity: "error",
    text: "‘{type}’ has no component ‘{letter}’",
    spec: "#vector-access-expr",
  },

  // calls
  "not-callable": {
    severity: "error",
    text: "‘{name}’ is no function and no type, so it cannot be called",
    spec: "#function-calls",
  },
  "call-at-module-scope": {
    severity: "error",
    text: "‘{name}’ cannot be called outside of functions",
    spec: "#const-expr",
  },
  "entry-point-called": {
    severity: "error",
    text: "‘{name}’ is an entry point and cannot be called; move its body to a function of its own",
    spec: "#function-restriction",
  },
  "argument-count": {
    severity: "error",
    text: "‘{name}’ takes {wanted}, not {given}",
    spec: "#function-calls",
  },
  "no-overload": {
    severity: "error",
    text: "‘{name}’ cannot be called with {given}",
    spec: "#overload-resolution-section",
  },
  "missing-address-of": {
    severity: "error",
    text: "‘{name}’ needs a pointer: write ‘&{argument}’",
    spec: "#address-of-expr",
  },
  "not-atomic": {
    severity: "error",
    text: "‘{name}’ needs a pointer to an atomic, ‘{argument}’ points to ‘{type}’; {way}",
    spec: "#atomic-builtin-functions",
  },
  "no-constructor": {
    severity: "error",
    text: "‘{name}’ cannot be made of {given}",
    spec: "#value-constructor-builtin-function",
  },
  "not-constructible-call": {
    severity: "error",
    text: "a value of type ‘{type}’ cannot be made",
    spec: "#constructible-types",
  },
  "construct-runtime-array": {
    severity: "error",
    text: "a value of type ‘{type}’ cannot be made: it has no size; give it one, or leave the element type out",
    spec: "#constructible-types",
  },
  "array-constructor-elements": {
    severity: "error",
    text: "this array has {given} elements, {limit} are possible in one expression",
    spec: "#limits",
  },
  "buffer-view-type": {
    severity: "error",
    text: "‘{name}’ cannot view a buffer as ‘{type}’: only host-shareable types without atomics are possible",
    spec: "#buffer-view-builtin-functions",
  },
  "buffer-array-view-type": {
    severity: "error",
    text: "‘bufferArrayView’ needs a type that ends in an array without size, ‘{type}’ does not",
    spec: "#bufferarrayview-builtin",
  },
} as const satisfies CataloguePart;
