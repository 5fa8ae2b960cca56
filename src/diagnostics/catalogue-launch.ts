import type { CataloguePart } from "./entry.ts";

/** What launch files, buffer contents and runs say. */
export const LAUNCH = {
  // The text of a launch file.
  "launch-syntax": { severity: "error", text: "expected {expected}, found {found}", spec: null },
  "launch-type": { severity: "error", text: "expected {expected}, found {found}", spec: null },
  "launch-too-small": { severity: "error", text: "{value} is less than {limit}", spec: null },
  "launch-too-large": { severity: "error", text: "{value} is more than {limit}", spec: null },
  "launch-too-few": { severity: "error", text: "expected at least {expected} items, found {found}", spec: null },
  "launch-too-many": { severity: "error", text: "expected at most {expected} items, found {found}", spec: null },
  "launch-missing": { severity: "error", text: "‘{name}’ is missing", spec: null },
  "launch-unknown-key": { severity: "error", text: "‘{name}’ is not known here; known are {known}", spec: null },
  "launch-repeated-key": {
    severity: "error",
    text: "‘{name}’ is given twice here, and only the last would be taken",
    spec: null,
  },
  "launch-conflict": { severity: "error", text: "‘{name}’ and ‘{other}’ exclude each other", spec: null },

  // Devices.
  "gpu-refused": { severity: "error", text: "the GPU does not run ‘{entry}’: {problem}", spec: null },

  // Files.
  "file-unreadable": { severity: "error", text: "‘{file}’ cannot be read: {reason}", spec: null },
  "file-no-access": { severity: "error", text: "‘{file}’ cannot be read: no access to files was given", spec: null },
  "file-kind": { severity: "error", text: "‘{file}’ has no ending that is known: expected {known}", spec: null },
  "file-damaged": { severity: "error", text: "‘{file}’ is no {format} file: {problem}", spec: null },
  "file-element-size": {
    severity: "error",
    text: "‘{file}’: the file holds {found}-byte elements, the array's stride is {stride}",
    spec: "#memory-layouts",
  },
  "file-partial": {
    severity: "error",
    text: "‘{file}’: the file holds {found} bytes, no whole number of the array's {stride}-byte elements",
    spec: "#memory-layouts",
  },
  "file-size": {
    severity: "error",
    text: "‘{file}’: the file holds {found} bytes, {type} takes {expected}",
    spec: null,
  },
  "file-type": { severity: "error", text: "‘{file}’: the file holds {found}, {type} takes {expected}", spec: null },
  "file-count": {
    severity: "error",
    text: "‘{file}’: the file holds {found} elements, {type} takes {expected}",
    spec: null,
  },
  "file-row": {
    severity: "error",
    text: "‘{file}’: row {row} holds {found} values, an element of {type} takes {expected}",
    spec: null,
  },
  "file-order": {
    severity: "error",
    text: "‘{file}’: the array is in Fortran order; save it with numpy.ascontiguousarray",
    spec: null,
  },
  "file-tensor": { severity: "error", text: "‘{file}’ holds no tensor ‘{name}’; it holds {known}", spec: null },

  // Contents of buffers.
  "spec-unknown": {
    severity: "error",
    text: "‘{spec}’ is no contents of a buffer: expected zeros:N, iota:N, fill:VALUE:N, random:N, a JSON literal, or a file ending in {known}",
    spec: null,
  },
  "spec-option": { severity: "error", text: "‘{kind}’ has no option ‘{option}’; known are {known}", spec: null },
  "spec-number": { severity: "error", text: "‘{text}’ in ‘{spec}’ is no {what}", spec: null },
  "spec-value-missing": { severity: "error", text: "‘{spec}’ lacks its value: write fill:VALUE:N", spec: null },
  "spec-min-max": { severity: "error", text: "min={min} is more than max={max}", spec: null },
  "value-mismatch": { severity: "error", text: "{problem}", spec: null },
  "base64-invalid": { severity: "error", text: "this is no base64", spec: null },
  "array-element-size": {
    severity: "error",
    text: "a {kind} holds {found}-byte numbers; expected one of 4 bytes, or bytes",
    spec: null,
  },
  "same-cycle": { severity: "error", text: "‘{name}’ is the same buffer as itself", spec: null },
  "buffer-too-small": {
    severity: "error",
    text: "‘{name}’ holds {found} bytes, ‘{variable}’ of type {type} takes at least {needed}",
    spec: null,
  },
  "buffer-too-large": { severity: "error", text: "‘{name}’ would take {bytes} bytes, more than {limit}", spec: null },

  // What a launch names.
  "shader-missing": { severity: "error", text: "there is no shader: name a file under ‘shader’", spec: null },
  "entry-unknown": { severity: "error", text: "there is no entry point ‘{name}’; there is {known}", spec: null },
  "entry-needed": {
    severity: "error",
    text: "there are several entry points, name one of them with --entry, or ‘entry’ in a launch file: {known}",
    spec: null,
  },
  "entry-none": {
    severity: "error",
    text: "there is no compute entry point; a function runs with --call 'fn(args)', or ‘call’ in a launch file",
    spec: "#entry-point-decl",
  },
  "entry-stage": {
    severity: "error",
    text: "‘{name}’ is an entry point of the {stage} stage; only compute runs",
    spec: "#entry-point-decl",
  },
  "buffer-unknown": { severity: "error", text: "there is no buffer ‘{name}’; there is {known}", spec: null },
  "buffer-unused": { severity: "warning", text: "no dispatch uses ‘{name}’", spec: null },
  "variable-unknown": {
    severity: "error",
    text: "‘{entry}’ uses no buffer variable ‘{name}’; it uses {known}",
    spec: null,
  },
  "override-unknown": {
    severity: "error",
    text: "there is no override ‘{name}’; the shader has {known}",
    spec: "#override-decls",
  },
  "path-syntax": {
    severity: "error",
    text: "‘{path}’ is no path: expected name, name.member or name[index]",
    spec: null,
  },
  "path-unknown": { severity: "error", text: "‘{path}’: {problem}", spec: null },
  "path-no-number": { severity: "error", text: "‘{path}’ is {type}, expected a whole number", spec: null },
  "range-syntax": {
    severity: "error",
    text: "‘{range}’ is no range: expected FROM..TO, each a number or the path of one",
    spec: null,
  },
  "range-no-array": { severity: "error", text: "‘{path}’ is {type}, only an array has a range", spec: null },
  "range-bounds": {
    severity: "error",
    text: "{from}..{to} is no range in the {count} elements of ‘{name}’",
    spec: null,
  },
  "range-cut": {
    severity: "warning",
    text: "‘{path}’ is {value}, more than the {count} elements of ‘{name}’, of which all are read",
    spec: null,
  },
  "expect-no-array": {
    severity: "error",
    text: "‘{name}’ is {type}; ‘unordered’ and ‘count’ are for arrays",
    spec: null,
  },
  "tolerance-invalid": {
    severity: "error",
    text: "‘{text}’ is no tolerance: expected abs=…, rel=… or ulp=…",
    spec: null,
  },
  "host-layout-unknown": {
    severity: "error",
    text: "there is no structure or buffer ‘{name}’; there is {known}",
    spec: null,
  },
  "host-member-unknown": { severity: "error", text: "{type} has no member ‘{name}’; it has {known}", spec: null },
  "host-no-stride": { severity: "error", text: "{type} has no stride", spec: "#memory-layouts" },
  "host-no-members": { severity: "error", text: "{type} has no members", spec: "#memory-layouts" },

  // Dispatches.
  "workgroups-limit": {
    severity: "error",
    text: "{count} workgroups along {axis} are more than the {limit} that a dispatch may have",
    spec: null,
  },
  "workgroups-none": { severity: "warning", text: "‘{entry}’ runs with no workgroup at all", spec: null },
  "indirect-bounds": {
    severity: "error",
    text: "the three numbers of workgroups at byte {offset} do not lie in ‘{name}’ of {size} bytes",
    spec: null,
  },
  "indirect-offset": {
    severity: "error",
    text: "{offset} is no offset of words: expected a multiple of 4",
    spec: null,
  },
  "binding-aliased": {
    severity: "warning",
    text: "‘{name}’ and ‘{other}’ are one buffer and ‘{written}’ can be written, which WebGPU refuses",
    spec: null,
  },
  "resource-unsupported": {
    severity: "error",
    text: "halay does not run shaders with a {type} yet: ‘{name}’",
    spec: null,
  },
  "run-unsupported": { severity: "error", text: "{problem}", spec: null },
  "run-illegal": { severity: "error", text: "‘{name}’ is so far from legal that it cannot run", spec: null },
  "call-syntax": { severity: "error", text: "‘{call}’ is no call: expected fn(args)", spec: null },
  "call-unknown": {
    severity: "error",
    text: "there is no function ‘{name}’ to call; the shader has {known}",
    spec: null,
  },
  "call-invalid": { severity: "error", text: "‘{call}’: {problem}", spec: null },
  "call-result": {
    severity: "error",
    text: "‘{name}’ returns {type}, which cannot lie in a buffer to be read back",
    spec: "#host-shareable-types",
  },
} as const satisfies CataloguePart;
