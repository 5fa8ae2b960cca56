/**
 * Launches in which each of many lines has a finding of its own, in many shapes of code, and how many findings that are: for
 * tests, and for the table of `bench/conflicts.mjs`.
 */
import type { Launch } from "../../src/launch/launch.ts";
import type { Check } from "../../src/sanitize/finding.ts";

/** How large: the lines, and workgroups of 256. */
export interface Size {
  readonly lines: number;
  readonly workgroups: number;
}

export interface ManyConflicts {
  readonly launch: Launch;
  /** The usual ones if left out. */
  readonly checks?: readonly Check[];
  /** By code: all findings that there are, but for those that count as one. */
  readonly findings: Readonly<Record<string, number>>;
}

export interface Shape {
  readonly name: string;
  readonly about: string;
  readonly make: (size: Size) => ManyConflicts;
}

/** Of an entry point more than these variables are refused. */
const BUFFERS = 48;
/** A line of a module that has more is in one of several functions, unless the shape says how many. */
const TOGETHER = 1000;
/** Elements of four bytes in workgroup memory. */
const WORKGROUP_CELLS = 4096;
const ALL_PAIRS = 141;

const times = (count: number, each: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => each(k)).join("\n");

/** Which lines an invocation takes: how those from `first` up to `end` stand in a function. */
type Form = (line: (c: number) => string, first: number, end: number) => string;

const range = (first: number, end: number, each: (c: number) => string): string =>
  times(end - first, (k) => each(first + k));

const inSwitch: Form = (line, first, end) =>
  `switch n { ${range(first, end, (c) => `case ${c}u: {\n${line(c)}\n}`)} default: {} }`;
const inLadder: Form = (line, first, end) => range(first, end, (c) => `if n == ${c}u {\n${line(c)}\n}`);
const inElses: Form = (line, first, end) => `${range(first, end, (c) => `if n == ${c}u {\n${line(c)}\n} else`)} { }`;
const inRow: Form = (line, first, end) => range(first, end, line);

interface Text {
  readonly line: (c: number) => string;
  readonly form?: Form;
  /** Lines of one function. */
  readonly together?: number;
  /** What `data` is an array of. */
  readonly element?: string;
  readonly enable?: string;
  readonly declarations?: string;
  /** What each invocation does: `LINES(n, i, lane);` takes line n. */
  readonly body?: string;
}

/** Each line is taken by as many invocations as each other, in different workgroups. */
const SPREAD = "lines(i % COUNT, i, lane);";
/** Each line is taken by all invocations of one workgroup. */
const GROUPED = "for (var n = group.x; n < COUNT; n += groups.x) { lines(n, i, lane); }";
/** … and nothing that it does meets what the next one does. */
const GROUPED_APART =
  "for (var n = group.x; n < COUNT; n += groups.x) { lines(n, i, lane);\nworkgroupBarrier();\nstorageBarrier(); }";
/** Each line is taken by one invocation of several workgroups, with one of four places. */
const ONE_EACH = "if lane == 0u { lines(group.x % COUNT, group.x / COUNT % 4u, lane); }";
/** All lines are taken by one invocation of each of the first workgroups. */
const ALL_OF_ONE = "if lane == 3u && group.x < 256u { lines(0u, i, lane); }";

function shader({ lines }: Size, text: Text): string {
  const { line, form = inSwitch, together = TOGETHER, element = "u32", enable = "", declarations = "" } = text;
  const parts = Math.ceil(lines / together);
  const functions = times(
    parts,
    (p) =>
      `fn part${p}(n: u32, i: u32, lane: u32) { ${form(line, p * together, Math.min(lines, (p + 1) * together))} }`,
  );
  const calls =
    form === inRow
      ? times(parts, (p) => `part${p}(n, i, lane);`)
      : `switch n / ${together}u { ${times(parts, (p) => `case ${p}u: { part${p}(n, i, lane); }`)} default: {} }`;
  return `${enable}
    const COUNT = ${lines}u;
    @group(0) @binding(0) var<storage, read_write> data: array<${element}>;
    @group(2) @binding(0) var<uniform> rounds: u32;
    @group(2) @binding(1) var<storage, read_write> own: array<u32>;
    ${declarations}
    ${functions}
    fn lines(n: u32, i: u32, lane: u32) { ${calls} }
    @compute @workgroup_size(256) fn main(
      @builtin(global_invocation_id) id: vec3u,
      @builtin(local_invocation_index) lane: u32,
      @builtin(workgroup_id) group: vec3u,
      @builtin(num_workgroups) groups: vec3u,
    ) {
      let i = id.x;
      ${text.body ?? SPREAD}
    }`;
}

/** A launch of the lines, with `data` of an element for each. */
function launchOf(size: Size, text: Text, more: Partial<Launch> = {}) {
  const { buffers, ...rest } = more;
  return {
    shader: shader(size, text),
    workgroups: [size.workgroups],
    buffers: { data: `zeros:${size.lines}`, own: `zeros:${size.workgroups * 256}`, rounds: "3", ...buffers },
    ...rest,
  };
}

/** Each line has one finding of that code. */
const each =
  (code: string, text: Text, more: Partial<Launch> = {}, checks?: readonly Check[]) =>
  (size: Size): ManyConflicts => ({
    launch: launchOf(size, text, more),
    findings: { [code]: size.lines },
    ...(checks && { checks }),
  });

/** So many barriers are needless. */
const needless =
  (text: Text, barriers: (size: Size) => number) =>
  (size: Size): ManyConflicts => ({
    launch: launchOf(size, text),
    checks: ["needless"],
    findings: { "needless-barrier": barriers(size) },
  });

const across = (text: Text, more?: Partial<Launch>) => each("race-across-workgroups", text, more);
const ADD = (c: number) => `data[${c}] += 1u;`;
const ATOMIC = { element: "atomic<u32>" };
const pairsOf = (n: number) => (n * (n + 1)) / 2;

const LIST = "@group(0) @binding(1) var<storage, read_write> list: array<u32>;";

/** A line that is taken by a whole workgroup, in memory of the workgroup. */
const tile = (line: (at: number) => string): Text => ({
  line: (c) => line(c % WORKGROUP_CELLS),
  body: GROUPED_APART,
  declarations: `var<workgroup> tile: array<u32, ${WORKGROUP_CELLS}>;`,
});

export const SHAPES: readonly Shape[] = [
  { name: "switch", about: "`data[c] += 1u` in a switch", make: across({ line: ADD }) },
  {
    name: "ifs",
    about: "an if for each line",
    make: across({ line: ADD, form: inLadder }),
  },
  {
    name: "else ifs",
    about: "branches of one if, 200 each",
    make: across({ line: ADD, form: inElses, together: 200 }),
  },
  {
    name: "statements",
    about: "one after another, taken by one of a workgroup",
    make: across({ line: (c) => `data[${c}] = i;`, form: inRow, together: 10_000, body: ALL_OF_ONE }),
  },
  {
    name: "functions",
    about: "a function for each ten lines",
    make: across({ line: ADD, together: 10 }),
  },
  {
    name: "loops",
    about: "each line in a loop of its own",
    make: across({ line: (c) => `for (var k = 0u; k < 3u; k++) { data[${c}] += k + i; }` }),
  },
  {
    name: "uniform loops",
    about: "each line in a loop that all of a workgroup go round together",
    make: each("race-storage", {
      line: (c) => `for (var k = 0u; k < rounds; k++) { data[${c}] += i; }`,
      body: GROUPED,
    }),
  },
  {
    name: "loop over lines",
    about: "a loop that takes some lines one after another",
    make: across({ line: ADD, body: "for (var k = i; k < i + 3000u; k += 1000u) { lines(k % COUNT, i, lane); }" }),
  },
  {
    name: "nested ifs",
    about: "ten deep",
    make: across({ line: (c) => `${"if i < 4294967295u { ".repeat(10)} data[${c}] += 1u; ${"}".repeat(10)}` }),
  },
  {
    name: "underflow",
    about: "counters that go below zero",
    make: each("counter-underflow", { ...ATOMIC, line: (c) => `atomicSub(&data[${c}], 1u);` }),
  },
  {
    name: "overflow",
    about: "counters that go above their end",
    make: (size) =>
      each(
        "counter-overflow",
        { ...ATOMIC, line: (c) => `atomicAdd(&data[${c}], 1u);` },
        { buffers: { data: `fill:4294967295:${size.lines}` } },
      )(size),
  },
  {
    name: "one counter",
    about: "which each line takes below zero, again and again",
    make: (size) => ({
      launch: launchOf(size, { ...ATOMIC, line: () => "atomicSub(&data[0], 3000000000u);" }),
      findings: { "counter-underflow": size.lines, contention: 1 },
    }),
  },
  {
    name: "capacity",
    about: "counters that are left above what the list holds",
    make: (size) =>
      each(
        "counter-over-capacity",
        {
          ...ATOMIC,
          line: (c) => `let slot = atomicAdd(&data[${c}], 1u);\nif slot < 4u { atomicMax(&list[slot], i); }`,
          declarations: "@group(0) @binding(1) var<storage, read_write> list: array<atomic<u32>>;",
        },
        { buffers: { list: "zeros:4" } },
      )(size),
  },
  {
    name: "appends",
    about: "a thousand lists in one array, of which each runs into the next one's part",
    make: ({ workgroups }) => {
      const size = { lines: 1000, workgroups };
      const part = Math.floor((workgroups * 256) / size.lines) - 3;
      const text = {
        ...ATOMIC,
        line: (c: number) => `let slot = atomicAdd(&data[${c}], 1u);\nlist[${c * part}u + slot] = i;`,
        declarations: LIST,
      };
      const launch = launchOf(size, text, { buffers: { list: `zeros:${size.lines * part + 4}` } });
      return { launch, findings: { "out-of-bounds": size.lines - 1 } };
    },
  },
  {
    name: "stores out of bounds",
    about: "behind the end",
    make: each("out-of-bounds", { line: (c) => `data[n - ${c}u + COUNT] = i;` }),
  },
  {
    name: "loads out of bounds",
    about: "behind the end",
    make: each("out-of-bounds", { line: (c) => `own[i] = data[n - ${c}u + COUNT];` }),
  },
  {
    name: "compare-exchange",
    about: "without trying again",
    make: each("unordered-atomics", {
      ...ATOMIC,
      line: (c) =>
        `let old = atomicLoad(&data[${c}]);\nlet done = atomicCompareExchangeWeak(&data[${c}], old, old + 1u);`,
    }),
  },
  {
    name: "compare-exchange loop",
    about: "tried until it is done: nothing to find",
    make: (size) => ({
      launch: launchOf(size, {
        ...ATOMIC,
        line: (c) =>
          `loop { let old = atomicLoad(&data[${c}]);\nif atomicCompareExchangeWeak(&data[${c}], old, old + i).exchanged { break; } }`,
      }),
      findings: {},
    }),
  },
  {
    name: "atomics",
    about: "a store after a load of another value",
    make: each("unordered-atomics", {
      ...ATOMIC,
      line: (c) => `atomicStore(&data[${c}], atomicLoad(&data[${c}]) + i);`,
    }),
  },
  {
    name: "atomics in loops",
    about: "the same in loops",
    make: each("unordered-atomics", {
      ...ATOMIC,
      line: (c) => `for (var k = 0u; k < 3u; k++) { atomicStore(&data[${c}], atomicLoad(&data[${c}]) + i); }`,
    }),
  },
  {
    name: "atomic pairs",
    about: "140 lines of atomic loads and stores at the same four addresses",
    make: ({ workgroups }) => ({
      launch: launchOf(
        { lines: 140, workgroups },
        {
          ...ATOMIC,
          line: (c) => `atomicStore(&data[i], atomicLoad(&data[i]) + ${c}u);`,
          body: ONE_EACH,
        },
      ),
      findings: { contention: 1, "unordered-atomics": pairsOf(140) },
    }),
  },
  {
    name: "vectors",
    about: "a component of a vector",
    make: across({ element: "vec4f", line: (c) => `data[${c}].y += 1;` }),
  },
  {
    name: "whole vectors",
    about: "all of a vector",
    make: across({ element: "vec3i", line: (c) => `data[${c}] += 1;` }),
  },
  {
    name: "matrices",
    about: "a matrix of twelve numbers",
    make: across({ element: "mat4x3f", line: (c) => `data[${c}] *= 2;` }),
  },
  {
    name: "members",
    about: "of a structure",
    make: across({
      element: "Item",
      declarations: "struct Item { at: vec2f, n: u32, all: array<u32, 3> }",
      line: (c) => `data[${c}].${["at.x", "n", "all[1]"][c % 3]} += 1;`,
    }),
  },
  {
    name: "structures",
    about: "arrays of structures, stored as a whole",
    make: across({
      element: "Item",
      declarations: "struct Item { at: vec2f, n: u32, all: array<u32, 3> }",
      line: (c) => `data[${c}] = Item(vec2f(f32(i)), i, array(i, i, i));`,
    }),
  },
  {
    name: "f16",
    about: "halves of a word",
    make: across({ enable: "enable f16;", element: "f16", line: (c) => `data[${c}] += 1h;` }),
  },
  {
    name: "pointers",
    about: "a helper for each line that is given a pointer",
    make: (size) =>
      across({
        line: (c) => `add${c}(&data[${c}]);`,
        declarations: times(size.lines, (c) => `fn add${c}(p: ptr<storage, u32, read_write>) { *p += 1u; }`),
      })(size),
  },
  {
    name: "one helper",
    about: "given a pointer by each line: one place that races, wherever it is called from",
    make: (size) => ({
      launch: launchOf(size, {
        line: (c) => `add(&data[${c}]);`,
        declarations: "fn add(p: ptr<storage, u32, read_write>) {\n*p += 1u;\n}",
      }),
      findings: { "race-across-workgroups": 1 },
    }),
  },
  {
    name: "private arrays",
    about: "of which each line takes the value that it adds",
    make: across({
      line: (c) => `spare[${c % 64}] += i; data[${c}] += spare[n % 64u];`,
      declarations: "var<private> spare: array<u32, 64>;",
    }),
  },
  {
    name: "buffers",
    about: `${BUFFERS} of them, of which each line takes one`,
    make: (size) => {
      const names = Array.from({ length: BUFFERS }, (_, k) => `b${k}`);
      return across(
        {
          line: (c) => `b${c % BUFFERS}[${Math.floor(c / BUFFERS)}] += 1u;`,
          declarations: names
            .map((name, k) => `@group(1) @binding(${k}) var<storage, read_write> ${name}: array<u32>;`)
            .join("\n"),
        },
        { buffers: Object.fromEntries(names.map((name) => [name, `zeros:${Math.ceil(size.lines / BUFFERS)}`])) },
      )(size);
    },
  },
  {
    name: "bound twice",
    about: "one buffer under two names",
    make: (size) => ({
      launch: launchOf(
        size,
        {
          line: (c) => `data[${c}] = i;\nlet x = other[${c}];`,
          declarations: "@group(0) @binding(1) var<storage, read_write> other: array<u32>;",
        },
        { buffers: { other: { same: "data" } } },
      ),
      // The stores with each other, and each with the load.
      findings: { "race-across-workgroups": 2 * size.lines },
    }),
  },
  {
    name: "plain and atomic",
    about: "the same cell, in a buffer that is bound twice",
    make: across(
      {
        line: (c) => `data[${c}] = i; atomicAdd(&other[${c}], 1u);`,
        declarations: "@group(0) @binding(1) var<storage, read_write> other: array<atomic<u32>>;",
      },
      { buffers: { other: { same: "data" } } },
    ),
  },
  {
    name: "dispatches",
    about: "16 of them, of which each takes a part of the lines",
    make: (size) => {
      const count = 16;
      const entries = Array.from({ length: count }, (_, k) => `part_of_${k}`);
      const lines = Math.ceil(size.lines / count);
      const { shader, buffers } = launchOf(size, {
        line: ADD,
        declarations: entries
          .map(
            (entry, k) => `@compute @workgroup_size(256) fn ${entry}(@builtin(global_invocation_id) id: vec3u) {
          let n = ${k * lines}u + id.x % ${lines}u;
          if n < COUNT { lines(n, id.x, 0u); }
        }`,
          )
          .join("\n"),
      });
      const steps = entries.map((entry) => ({ entry, workgroups: [size.workgroups / count] }));
      return {
        launch: { shader, buffers, steps },
        findings: { "race-across-workgroups": size.lines },
      };
    },
  },
  {
    name: "repeated dispatches",
    about: "the same lines in 16 dispatches",
    make: (size) => {
      const { shader, buffers } = launchOf(size, { line: ADD });
      const steps = [{ workgroups: [size.workgroups / 16], repeat: 16 }];
      return { launch: { shader, buffers, steps }, findings: { "race-across-workgroups": size.lines } };
    },
  },
  {
    name: "workgroup memory",
    about: "no barrier between a store and a load by another",
    make: each(
      "race-workgroup",
      tile((at) => `tile[${at}] += lane;`),
    ),
  },
  {
    name: "wrong barrier",
    about: "storageBarrier between accesses of workgroup memory",
    make: each(
      "wrong-barrier",
      tile((at) => `if lane == 0u { tile[${at}] = i; }\nstorageBarrier();\nown[i] = tile[${at}];`),
    ),
  },
  {
    name: "barriers in ifs",
    about: "before each line one in a branch that all of a workgroup take",
    make: each(
      "race-workgroup",
      tile((at) => `if rounds == 3u { workgroupBarrier(); }\ntile[${at}] += lane;`),
    ),
  },
  {
    name: "barriers between ifs",
    about: "one behind each line, in one function: all workgroups pass all of them",
    make: across({
      line: (c) => `if n == ${c}u { data[${c}] += 1u; }\nworkgroupBarrier();`,
      form: inRow,
      together: 2 ** 20,
    }),
  },
  {
    name: "workgroupUniformLoad",
    about: "of what all have stored in",
    make: each(
      "race-workgroup",
      tile((at) => `tile[${at}] = i;\nlet all = workgroupUniformLoad(&tile[${at}]);`),
    ),
  },
  {
    name: "all pairs",
    about: `${ALL_PAIRS} lines that race with each other`,
    make: ({ workgroups }) => ({
      launch: launchOf({ lines: ALL_PAIRS, workgroups }, { line: (c) => `data[i] += ${c}u;`, body: ONE_EACH }),
      findings: { "race-across-workgroups": pairsOf(ALL_PAIRS) },
    }),
  },
  {
    name: "one writer",
    about: "a line that stores everywhere, of which others each load a place",
    make: (size) => ({
      launch: launchOf(size, {
        line: (c) => `own[i] = data[${c}];`,
        body: `let n = i % COUNT;\nif (i / COUNT) % 2u == 0u { data[n] = i; } else { lines(n, i, lane); }`,
      }),
      findings: { "race-across-workgroups": size.lines + 1 },
    }),
  },
  {
    name: "many readers",
    about: "of one place that one invocation stores in",
    make: (size) =>
      each("race-across-workgroups", {
        line: () => "own[i] = data[0];",
        body: "if group.x == 0u { if lane == 0u { data[0] = 1u; } } else { lines(i % COUNT, i, lane); }",
      })(size),
  },
  {
    name: "chain",
    about: "a value that goes through all places, one line after another",
    make: (size) => ({
      launch: launchOf(size, {
        line: (c) => `data[${(c + 1) % size.lines}] = data[${c}] + 1u;`,
        form: inRow,
        body: ALL_OF_ONE,
      }),
      findings: { "race-across-workgroups": 2 * size.lines },
    }),
  },
  ...[
    ["nan-origin", "nan", "f32", (c: number) => `let z = f32(n - ${c}u);\ndata[${c}] = z / z;`],
    ["division-by-zero", "division", "u32", (c: number) => `data[${c}] = i / (n - ${c}u);`],
    ["shift-width", "shift", "u32", (c: number) => `data[${c}] = i << (n + 32u - ${c}u);`],
    ["conversion-saturates", "conversion", "u32", (c: number) => `data[${c}] = u32(-1 - f32(n));`],
    ["index-overflow", "index", "u32", (c: number) => `data[n + 1u + 4294967295u] = i;`],
  ].map(([code, name, element, line]) => ({
    name: name as string,
    about: `--checks numeric`,
    make: each(code as string, { element: element as string, line: line as (c: number) => string }, {}, ["numeric"]),
  })),
  {
    name: "unwritten",
    about: "--checks init: a load of a buffer that nobody has written",
    make: (size) =>
      each(
        "unwritten-read",
        {
          line: (c) => `own[i] = data[${c}];`,
        },
        { buffers: { data: { unwritten: size.lines } } },
        ["init"],
      )(size),
  },
  {
    name: "needless barriers",
    about: "--checks needless: a barrier for each line",
    make: needless({ line: (c) => `own[i] += ${c}u;\nstorageBarrier();`, body: GROUPED }, ({ lines }) => lines),
  },
  {
    name: "needed barriers",
    about: "--checks needless: two for each line, of which the second ones are needed by whoever takes another line",
    make: needless(
      {
        line: () => "tile[lane] = i;\nworkgroupBarrier();\nown[i] += tile[255u - lane];\nworkgroupBarrier();",
        body: GROUPED,
        declarations: "var<workgroup> tile: array<u32, 256>;",
      },
      ({ lines, workgroups }) => Math.min(lines, workgroups),
    ),
  },
  {
    name: "counted barriers",
    about: "--checks needless: likewise, of atomics that are set and counted",
    make: needless(
      {
        line: () => `if lane == 0u { atomicStore(&count, 0u); }
          workgroupBarrier();
          atomicAdd(&count, 1u);
          workgroupBarrier();
          if lane == 1u { own[i] += atomicLoad(&count); }
          workgroupBarrier();`,
        body: GROUPED,
        declarations: "var<workgroup> count: atomic<u32>;",
      },
      ({ lines, workgroups }) => Math.min(lines, workgroups),
    ),
  },
  {
    name: "needless atomics",
    about: "--checks needless: a member of a buffer for each line",
    make: (size) => {
      const parts = Math.ceil(size.lines / TOGETHER);
      const members = (p: number) => Array.from({ length: TOGETHER }, (_, k) => `m${p * TOGETHER + k}: atomic<u32>,`);
      return each(
        "needless-atomic",
        {
          line: (c) => `atomicAdd(&all.p${Math.floor(c / TOGETHER)}.m${c}, 1u);`,
          body: "if i < COUNT { lines(i, i, lane); }",
          declarations: `${times(parts, (p) => `struct Part${p} { ${members(p).join(" ")} }`)}
            struct All { ${times(parts, (p) => `p${p}: Part${p},`)} }
            @group(0) @binding(1) var<storage, read_write> all: All;`,
        },
        { buffers: { all: `zeros:${parts * TOGETHER}` } },
        ["needless"],
      )(size);
    },
  },
  {
    name: "waiting",
    about: "loops that wait for what later invocations store, of which those are found that are under way together",
    make: (size) => ({
      ...across({
        ...ATOMIC,
        line: (c) => `if i < COUNT { while atomicLoad(&data[${c}]) == 0u { } } else { atomicStore(&data[${c}], 1u); }`,
      })(size),
      findings: { "no-forward-progress": 512 },
    }),
  },
  {
    name: "subgroups",
    about: "on the interpreter: 256 workgroups",
    make: ({ lines, workgroups }) =>
      across({
        enable: "enable subgroups; diagnostic(off, subgroup_uniformity);",
        line: (c) => `data[${c}] = subgroupAdd(i);`,
      })({ lines, workgroups: Math.min(256, workgroups) }),
  },
];

export function shapeNamed(name: string): Shape {
  return SHAPES.find((shape) => shape.name === name)!;
}
