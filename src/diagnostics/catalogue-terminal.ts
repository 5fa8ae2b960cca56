/** What commands print for people beside diagnostics: summaries, titles of tables, labels. Templates, like all texts. */
export const TERMINAL = {
  // The last line.
  "nothing-to-report": "nothing to report",
  "nothing-found": "nothing found",
  "all-as-expected": "all as expected",
  failed: "failed",
  "some-failed": "{count} failed",
  "more-in": "{count} more in {path}",

  // What a run with checkers looked at.
  "nothing-ran": "nothing ran",
  "schedules-in-part": "{schedules} ({count} of them for {workgroups})",

  // What was run.
  "times-run": "{count} times",
  chosen: "chosen: {choices}",
  "entry-point": "entry point {name}",
  "workgroups-are": "workgroups {value}",
  emulating: "emulating {device}",
  "schedule-is": "schedule {schedule}",
  "schedule-random": "schedule random, seed {seed}",
  "exchange-fails": "compare-exchange fails at rate {rate}, seed {seed}",
  "on-one-worker": "on one worker: memory cannot be shared here",
  "grid-too-large": "on the interpreter: more workgroups than the wasm engine counts",
  "misaligned-binding": "on the interpreter: a binding is not aligned",
  "polls-workgroup": "on the interpreter: invocations wait for others of their workgroup",
  "binding-too-small": "on the interpreter: a binding is smaller than its variable",
  unsupported: "on the interpreter: the shader uses what the wasm engine does not know",

  // Buffers and comparisons.
  "no-elements": "no elements",
  "all-of-them": "all {value}",
  "some-more": "{count} more",
  "nothing-to-plot": "nothing to plot",
  "as-expected": "{what} as expected",
  "ulps-apart": "at most {count} ulp apart",
  "value-differs": "the value differs",
  "one-differs": "1 of {values} differs",
  "several-differ": "{count} of {values} differ",
  "expected-found": "expected {expected}, found {found}",
  "last-written": "last written by {who} at {place}",
  "invocation-of": "invocation {invocation} of workgroup {workgroup}",

  // Traces.
  "trace-of": "trace {path}",
  "title-dispatch": "dispatch",
  "title-invocation": "invocation",
  "title-workgroup": "workgroup",
  "title-line": "line",
  "title-access": "access",
  "title-cell": "cell",
  "title-value": "value",

  // Profiles.
  "title-atomics": "atomic operations",
  "title-addresses": "addresses with most atomic operations",
  "title-accesses": "accesses to buffers, and segments of 128 bytes that 32 neighbours touch together",
  "title-bytes": "bytes",
  "title-two-level": "if each workgroup counted for itself first",
  "most-at": "most at {path}: {share}",
  "tried-again": "{count} tried again",
  "tried-in-turn": "{count} tried again; in turn {retries} of {operations}",
  "changed-nothing": "{share} changed nothing",
  "invocations-of": "{invocations} of {workgroups}",
  segments: "{each} segments, at least {least}",
  "bytes-read": "{count} read",
  "bytes-written": "{count} written",
  "atomic-count": "{count} atomic",
  "on-storage": "{count} on storage",
  "in-workgroup-memory": "{count} in workgroup memory",

  // Labels of diagnostics.
  note: "note",
  hint: "hint",
  fix: "fix",
  "spec-label": "spec",
  "on-line": "line {line}",
  "not-as-expected": "the launch did not come out as expected",

  // While it takes long.
  "dispatch-number": "dispatch {number}",
} as const satisfies Readonly<Record<string, string>>;

/** What is counted: of one, and of several. */
export const COUNTED = {
  error: ["1 error", "{n} errors"],
  warning: ["1 warning", "{n} warnings"],
  info: ["1 info", "{n} info"],
  file: ["1 file", "{n} files"],
  launch: ["1 launch", "{n} launches"],
  invocation: ["1 invocation", "{n} invocations"],
  workgroup: ["1 workgroup", "{n} workgroups"],
  access: ["1 access", "{n} accesses"],
  dispatch: ["1 dispatch", "{n} dispatches"],
  "more-dispatch": ["1 more dispatch", "{n} more dispatches"],
  schedule: ["1 schedule", "{n} schedules"],
  "silenced-finding": ["1 finding silenced", "{n} findings silenced"],
  "more-finding": ["1 more finding", "{n} more findings"],
  value: ["1 value", "{n} values"],
  address: ["1 address", "{n} addresses"],
  byte: ["1 byte", "{n} bytes"],
} as const satisfies Readonly<Record<string, readonly [one: string, several: string]>>;
