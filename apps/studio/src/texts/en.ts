/** The texts of the interface, in English. All other languages have the same keys, or they do not compile. */

export const n = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

export const en = {
  close: "Close",
  copied: "Copied",
  copyFailed: "The browser did not allow copying",
  typeToFilter: "Type to filter",
  nothingFits: "Nothing fits",
  closeFile: (name: string) => `Close ${name}`,
  more: (count: number) => `${count} more`,
  number: (value: number, digits = 0) =>
    value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  /** With as many digits as it has, up to some. */
  anyNumber: (value: number) => value.toLocaleString("en", { maximumSignificantDigits: 6 }),
  percent: (share: number) =>
    share.toLocaleString("en", { style: "percent", minimumFractionDigits: share < 0.1 ? 1 : 0 }),

  header: {
    files: "Files and examples",
    open: "Open",
    language: "Language",
    code: "Code",
    openFiles: "Open files",
    panels: "Panels",
    splitter: "Width of the code",
  },

  panels: {
    start: "Start",
    contract: "Contract",
    launch: "Launch",
    result: "Result",
    findings: "Findings",
    contention: "Contention",
  },

  panelHints: {
    start: "",
    contract: "What the host must provide: bindings, layouts, sizes",
    launch: "How it is run: workgroups, buffers, device",
    result: "What it computed",
    findings: "Races and other faults, with both accesses",
    contention: "Where invocations queue up at one address",
  },

  commands: {
    findRaces: "Find races",
    run: "Run",
    profile: "Profile",
    stop: "Stop",
    palette: "Commands",
    shortcuts: "Keyboard shortcuts",
    examples: "Examples",
    share: "Share",
    newFile: "New shader",
    closeFile: "Close the file",
    openFile: "Open files",
    save: "Save the file",
    saveAll: "Save all files",
    focusEditor: "Go to the editor",
    contract: "Show the contract",
    launch: "Show the launch",
    result: "Show the result",
    findings: "Show the findings",
    contention: "Show the contention",
    start: "Show the start page",
    problems: "Show or hide the problems",
    memory: "Show or hide shared memory",
    nonUniform: "Show or hide non-uniform control flow",
    wrap: "Wrap long lines, or not",
    definition: "Go to the definition",
    rename: "Rename",
    quickFix: "Mend what is at the cursor",
    theme: "Light or dark",
  },

  start: {
    title: "Do your invocations race?",
    lead: "Paste a WGSL compute shader. The studio says whether it is legal, runs it without a GPU, and shows where its invocations race. Nothing leaves this machine.",
    showRace: "Show me a race",
    showRaceHint: "Opens a short shader and looks for races in it.",
    write: "Write or paste a shader",
    writeHint: "Diagnostics as you type",
    open: "Open files",
    openHint: ".wgsl and .launch.json, or drop them anywhere",
    more: "Or begin with an example",
    all: "All examples",
  },

  editor: {
    label: "WGSL source",
    empty: "Write or paste WGSL here, or drop files.",
    /** What the editor's own panels say, by their English words. */
    phrases: {
      Find: "Find",
      Replace: "Replace",
      next: "next",
      previous: "previous",
      all: "all",
      "match case": "match case",
      regexp: "regexp",
      "by word": "by word",
      replace: "replace",
      "replace all": "replace all",
      close: "close",
      "current match": "current match",
      "on line": "on line",
      "replaced $ matches": "replaced $ matches",
      "replaced match on line $": "replaced match on line $",
      "Go to line": "Go to line",
      go: "go",
      Diagnostics: "Diagnostics",
      "No diagnostics": "No diagnostics",
      Completions: "Completions",
      "Selection deleted": "Selection deleted",
      "Control character": "Control character",
    },
    noDefinition: "There is no definition to go to",
    leaveHint: "In the editor Tab indents. Press Escape, then Tab, to leave it.",
    sharedMemory: "Shared memory",
    nonUniform: "Non-uniform flow",
    specification: "Specification",
    access: { read: "reads", write: "writes", atomic: "updates atomically", wait: "waits" },
    phase: (phase: number) => `phase ${phase}: after ${n(phase, "barrier")}`,
    layout: (layout: {
      readonly offset: number | null;
      readonly size: number;
      readonly align: number;
      readonly stride: number | null;
      readonly isRuntimeSized: boolean;
    }) =>
      [
        layout.offset === null ? "" : `offset ${layout.offset}`,
        layout.isRuntimeSized ? "as long as its buffer" : n(layout.size, "byte"),
        `aligned to ${layout.align}`,
        layout.stride === null ? "" : `stride ${layout.stride}`,
      ]
        .filter((part) => part !== "")
        .join(", "),
  },

  problems: {
    title: "Problems",
    checking: "Checking…",
    none: "No problems",
    errors: (count: number) => n(count, "error"),
    counted: {
      error: (count: number) => n(count, "error"),
      warning: (count: number) => n(count, "warning"),
      info: (count: number) => n(count, "hint"),
    },
    severity: { error: "error", warning: "warning", info: "hint" },
    line: (line: number) => `line ${line}`,
    fix: "Mend:",
    gone: "what was here has been changed since",
    noFix: "Nothing is offered for this place",
  },

  run: {
    actions: "Run",
    illegal: "Mend the errors first",
    stopped: "Stopped",
    noGpu: "This browser offers no GPU. The CPU engine gives the same results.",
    gpuRefused: "Not given to the GPU.",
    gpuRefusedWhy: {
      timeout: "The CPU engine came to no end with it.",
      "no-forward-progress": "Invocations wait for each other there, and nothing promises that one gets on.",
    },
    gpuWarning: "Nothing can stop a GPU: a shader that comes to no end may freeze the whole browser, or the screen.",
    gpuAnyway: "Run on the GPU anyway",
    trial: "on the CPU engine first",
    outdated: "Changed since this ran; messages name lines as they were.",
    busy: { run: "Running", sanitize: "Looking for races", profile: "Counting" },
    dispatch: (entry: string, number: number) => `${entry}, dispatch ${number}`,
    device: "Device",
    devices: { cpu: "CPU engine", gpu: "This browser's GPU", both: "Both, compared" },
  },

  work: {
    kept: "Your other files are kept.",
    back: "Back to them",
    closed: (name: string) => `${name} is closed.`,
    undo: "Undo",
    notKept: {
      full: "The browser's storage is full: what you change now is lost with this tab. Save the files, or forget earlier ones on the start page.",
      forbidden: "This browser keeps nothing: what you change is lost with this tab.",
    },
    dataNotKept: {
      full: (names: string) => `${names}: gone after a reload. The browser keeps up to 128 MB of data with your files.`,
      forbidden: (names: string) => `${names}: gone after a reload. This browser keeps no data.`,
    },
    dataLost: (names: string) => `${names}: not kept. Choose the file again.`,
    earlier: "Earlier files",
    elsewhere: "open in another tab",
    forget: (names: string) => `Forget ${names}`,
    forgotten: (names: string) => `${names}: forgotten.`,
    broken: "The studio broke",
    brokenExplain: "Your files are still there. Save them, or start afresh: they wait on the start page.",
    afresh: "Start afresh",
    partMissing:
      "A part of the studio could not be loaded: there is no connection, or a newer version has taken its place. Save the files and load the page again.",
    notFetched: (name: string) => `‘${name}’ cannot be fetched`,
    unexpected: (message: string) => `Something broke: ${message}`,
    linkDamaged: "The link is damaged: it holds no session",
    linkTooLarge: "The link unpacks to more than 16 MB and was not opened",
  },

  exampleGroups: {
    counting: "Counting",
    lists: "Lists",
    slots: "Free slots",
    sums: "Sums",
    largest: "Largest values",
    locks: "Locks",
    layout: "Layout",
  },

  examples: {
    "append-list": "The old value of atomicAdd as a slot; indirect dispatch",
    "append-list-full": "The list is too short: the guard holds",
    "block-sum": "Tree sum in workgroup memory",
    "float-sum": "Atomic float addition by compare-exchange",
    "float-sum-pointer": "Atomic float addition through a pointer parameter",
    histogram: "One global atomic per value",
    "layout-round-trip": "What the host writes by name is what the shader reads",
    "lost-update": "What happens without atomics: a race",
    "max-any-sign": "Largest float of any sign",
    "max-positive": "atomicMax on the bits of positive floats",
    "particles-per-cell": "Count per cell and place in the cell",
    pool: "A bitmap of free slots",
    "pool-churn": "Everybody pops and pushes, then an audit",
    "pool-unsafe": "A pool that is only a counter: wrong on purpose",
    reduce: "One value out of many in two dispatches",
    "reserve-space": "One reservation per workgroup",
    "shared-counters": "Two atomics in one structure",
    "ticket-lock": "One leader per workgroup waits for its turn",
    "try-lock": "A lock tried a few times, never waited for",
    "two-level-histogram": "Count in workgroup memory, add each bin once",
    "two-level-histogram-tiles": "Workgroup memory used again in a loop",
  },
};
