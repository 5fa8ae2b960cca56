/**
 * Warnings and advice on whole shaders: what is said of the shaders that people were bitten by, and that right ones are
 * left alone. Each code has its fixtures in `test/fixtures/CODE`, its entry in `docs/advice.md`.
 */
import { describe, expect, test } from "vitest";
import { ADVICE } from "../src/diagnostics/catalogue-advice.ts";
import { check, Source } from "../src/index.ts";
import { listFiles, read } from "./house/tree.ts";

/** Codes that a text gives, each once. */
function codesOf(text: string): string[] {
  return [...new Set(check(text).diagnostics.map(({ code }) => code as string))].sort();
}

/** By number of the case or name of the example; all others get no advice. */
const expected: Readonly<Record<string, readonly string[]>> = {
  "002": ["missing-barrier"],
  "004": ["missing-barrier"],
  "006": ["lost-update"],
  "007": ["missing-barrier"],
  "009": ["missing-barrier"],
  "012": ["missing-barrier"],
  "014": ["barrier-kind"],
  "016": ["missing-barrier"],
  "031": ["barrier-across-workgroups"],
  "039": ["barrier-across-workgroups"],
  "054": ["contended-address"],
  "061": ["check-then-act"],
  "063": ["contended-address", "take-and-put-back"],
  "070": ["append-without-guard", "contended-address"],
  "073": ["contended-address", "count-unsaturated"],
  "075": ["contended-address", "count-unsaturated"],
  "076": ["append-without-guard"],
  "084": ["select-evaluates-both"],
  "091": ["spin-on-memory"],
  "092": ["lost-update", "spin-on-memory"],
  "094": ["missing-barrier", "spin-on-memory"],
  "096": ["lost-update", "spin-on-memory"],
  "103": ["contended-address"],
  "112": ["contended-exchange"],
  "160": ["vec3-tucked-scalar"],
  "162": ["vec3-array-stride"],
  "164": ["struct-padding", "vec3-array-stride"],
  "166": ["struct-padding"],
  "172": ["vec3-tucked-scalar"],
  "176": ["vec3-tucked-scalar"],
  "181": ["struct-padding"],
  "183": ["vec3-tucked-scalar"],
  "190": ["old-value-as-new"],
  "192": ["exchange-not-retried"],
  "194": ["blind-write"],
  "217": ["contended-address"],
  "221": ["contended-address"],
  "float-sum": ["contended-exchange"],
  "layout-round-trip": ["vec3-tucked-scalar"],
  "lost-update": ["lost-update"],
  "pool-unsafe": ["contended-address", "take-and-put-back"],
  "try-lock": ["contended-exchange"],
};

const shaders = ["test/cases", "examples", "bench/kernels"].flatMap((folder) => listFiles(folder, ".wgsl"));

test.each(shaders)("%s", (path) => {
  const text = read(path);
  const { ok } = check(text, { advice: false });
  const name = path.split("/").at(-1)!.slice(0, -".wgsl".length);
  const number = /^\d{3}/.exec(name)?.[0];
  if (ok) expect(codesOf(text)).toEqual(expected[number ?? name] ?? []);
  else expect(check(text).diagnostics.every(({ severity }) => severity === "error")).toBe(true);
});

const HEAD = `
@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> result: array<u32>;
@group(0) @binding(2) var<storage, read_write> words: array<atomic<u32>, 64>;
var<workgroup> tile: array<u32, 64>;
var<workgroup> count: atomic<u32>;
`;

/** The body of an entry point of 64 invocations that has the variables above. */
function kernel(body: string): string {
  const uses = "_ = &source; _ = &result; _ = &words; _ = &tile; _ = &count; _ = id; _ = lane;";
  return `${HEAD}@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  ${uses}
  ${body}
}`;
}

describe("right idioms are left alone", () => {
  test.each([
    [
      "a tree sum with a loop of its own",
      `tile[lane] = source[id.x]; workgroupBarrier();
       var stride = 32u;
       loop {
         if (lane < stride) { tile[lane] += tile[lane + stride]; }
         workgroupBarrier();
         if (stride == 1u) { break; }
         stride = stride / 2u;
       }
       if (lane == 0u) { result[0] = tile[0]; }`,
    ],
    [
      "a tree sum with strides that grow",
      `tile[lane] = source[id.x];
       for (var stride = 1u; stride < 64u; stride *= 2u) {
         workgroupBarrier();
         if (lane % (2u * stride) == 0u) { tile[lane] += tile[lane + stride]; }
       }
       if (lane == 0u) { result[0] = tile[0]; }`,
    ],
    [
      "a scan that reads into a variable before it writes",
      `tile[lane] = source[id.x];
       for (var d = 1u; d < 64u; d *= 2u) {
         workgroupBarrier();
         var before = 0u;
         if (lane >= d) { before = tile[lane - d]; }
         workgroupBarrier();
         tile[lane] += before;
       }
       result[id.x] = tile[lane];`,
    ],
    [
      "places given out downwards from their counts",
      `let place = atomicSub(&words[source[id.x] & 63u], 1u) - 1u; result[place] = id.x;`,
    ],
    ["a ring buffer", `let slot = atomicAdd(&words[0], 1u) % 64u; if (lane < 4u) { result[slot] = 1u; }`],
    [
      "a weak exchange made strong",
      `var first = false;
       loop {
         let r = atomicCompareExchangeWeak(&words[lane], 0u, 1u);
         if (r.exchanged) { first = true; break; }
         if (r.old_value != 0u) { break; }
       }
       if (first) { result[id.x] = 1u; }`,
    ],
    ["test before max", `if (atomicLoad(&words[lane]) < source[id.x]) { atomicMax(&words[lane], source[id.x]); }`],
    [
      "a count of the workgroup that all its invocations fit in",
      `let slot = atomicAdd(&count, 1u); tile[slot] = id.x; workgroupBarrier(); result[id.x] = tile[lane];`,
    ],
    ["a fold by a power of two", `result[id.x] = source[id.x & (64u - 1u)];`],
    ["select between values", `result[id.x] = select(0u, 1u, id.x < arrayLength(&source));`],
    [
      "both barriers, for both memories",
      `tile[lane] = id.x; result[id.x] = lane; storageBarrier(); workgroupBarrier();
       result[id.x + 64u] = tile[63u - lane] + result[id.x - lane + (lane + 1u) % 64u];`,
    ],
    ["one invocation reads what it wrote itself", `if (lane == 0u) { tile[0] = source[0]; result[id.x] = tile[0]; }`],
    ["a name that an inner block takes for good", `let n = source[0]; if (n > 1u) { let n = 2u; result[n] = n; }`],
  ])("%s", (_, body) => {
    const warnings = check(kernel(body)).diagnostics.filter(({ severity }) => severity !== "info");
    expect(warnings.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  });
});

describe("what is wrong in another form", () => {
  test.each([
    [
      "exchange-not-retried",
      `let r = atomicCompareExchangeWeak(&words[lane], 0u, 1u); if (!r.exchanged) { return; } result[id.x] = 1u;`,
    ],
    ["spin-on-memory", `while (atomicOr(&words[0], 1u) != 0u) {} result[id.x] = 1u;`],
    ["spin-on-memory", `loop { let seen = atomicLoad(&words[0]); if (seen == 1u) { return; } }`],
    ["check-then-act", `if (atomicLoad(&words[0]) == 0u) { return; } atomicSub(&words[0], 1u); result[id.x] = 1u;`],
    ["check-then-act", `let left = atomicLoad(&words[0]); if (left > 0u && lane > 3u) { atomicAdd(&words[0], 1u); }`],
    ["append-without-guard", `var at = atomicAdd(&words[0], 2u); result[at] = 1u; result[at + 1u] = 2u;`],
    ["select-evaluates-both", `let inside = id.x + 1u < 64u; result[id.x] = select(0u, source[id.x + 1u], inside);`],
    ["mask-not-power-of-two", `const BINS = 48u; const MASK = BINS - 1u; result[source[id.x] & MASK] = 1u;`],
    [
      "missing-barrier",
      `tile[lane] = id.x; var sum = 0u; for (var k = 0u; k < 64u; k++) { sum += tile[k]; } result[id.x] = sum;`,
    ],
    ["missing-barrier", `if (lane == 7u) { tile[0] = source[0]; } result[id.x] = tile[0];`],
    ["missing-barrier", `tile[lane] = id.x; workgroupBarrier(); tile[lane] = tile[63u - lane];`],
    [
      "barrier-across-workgroups",
      `result[id.x] = 1u; storageBarrier(); if (id.x == 0u) { result[0] = result[1] + 1u; }`,
    ],
  ])("%s: %s", (code, body) => {
    expect(codesOf(kernel(body))).toContain(code);
  });
});

test.each([
  ["let slot = atomicAdd(&words[0], 1u); result[slot] = 1u;", "slot"],
  ["result[atomicAdd(&words[0], 1u)] = 1u;", "index"],
  ["let slot = atomicAdd(&words[0], 1u); result[slot + 1u] = 1u;", "slot + 1u"],
  [
    "let slot = atomicAdd(&words[0], 3u); result[slot] = 1u; result[slot + 2u] = 1u; result[1u + slot] = 1u;",
    "slot + 2u",
  ],
  ["let slot = atomicAdd(&words[0], 1u); result[slot ^ 1u] = 1u;", "(slot ^ 1u)"],
  ["let slot = i32(atomicAdd(&words[0], 1u)); result[slot + 1] = 1u;", "u32(slot + 1)"],
])("of ‘%s’ it is ‘%s’ that has to be below the length: asking changes nothing", (body, index) => {
  const found = check(kernel(body)).diagnostics.find(({ code }) => code === "append-without-guard")!;
  const hint = found.notes.find(({ code }) => code === "guard-the-slot")!;
  expect(hint.message).toBe(`write only where ‘${index} < arrayLength(&result)’`);
});

test.each([
  ["(lane & 7u) * 4u + slot", "slot"],
  ["(lane & 7u) * 4u + slot + 1u", "slot + 1u"],
  ["slot + 1u + 4u * (lane & 7u)", "slot + 1u"],
])("of a list for each counter, ‘%s’, it is ‘%s’ that has to be below its length", (index, asked) => {
  const body = `let slot = atomicAdd(&words[lane & 7u], 1u); result[${index}] = 1u;`;
  const found = check(kernel(body)).diagnostics.find(({ code }) => code === "append-without-guard")!;
  const hint = found.notes.find(({ code }) => code === "guard-the-slot")!;
  expect(hint.message).toBe(`write only where ‘${asked} < 4u’`);
});

describe("advice can be silenced", () => {
  const plain = kernel("let slot = atomicAdd(&words[0], 1u);\n  result[slot] = 1u;");
  const line = "result[slot] = 1u;";
  const without = (text: string) => codesOf(text).includes("append-without-guard") === false;

  test.each([
    ["for the module", `diagnostic(off, halay.append_without_guard);${plain}`],
    ["for a function", plain.replace("@compute", "@diagnostic(off, halay.append_without_guard) @compute")],
    ["for a block", plain.replace(line, `@diagnostic(off, halay.append_without_guard) { ${line} }`)],
    ["for a line", plain.replace(line, `// halay-allow-next-line append-without-guard -- it is large enough\n${line}`)],
    [
      "for a line, with others",
      plain.replace(line, `/* halay-allow-next-line never-read, append-without-guard -- why */\n${line}`),
    ],
  ])("%s", (_, text) => {
    expect(without(plain)).toBe(false);
    expect(check(text).ok).toBe(true);
    expect(without(text)).toBe(true);
  });

  test("by an option", () => {
    expect(check(plain, { off: ["append-without-guard"] }).diagnostics.map(({ code }) => code)).not.toContain(
      "append-without-guard",
    );
    expect(check(plain, { advice: false }).diagnostics).toEqual([]);
  });

  test("a filter can make it an error", () => {
    const text = `diagnostic(error, halay.append_without_guard);${plain}`;
    expect(check(text).ok).toBe(false);
  });

  test("a code that does not exist is told where it stands, with the one that may have been meant", () => {
    const text = plain.replace(line, `/* halay-allow-next-line\n never-read, append-without-gard -- why */\n${line}`);
    const unknown = check(text).diagnostics.find(({ code }) => code === "allowance-unknown")!;
    expect(text.slice(unknown.span.start, unknown.span.end)).toBe("append-without-gard");
    expect(unknown.notes.map(({ message }) => message)).toEqual(["did you mean ‘append-without-guard’?"]);
  });

  test("several allowances hold for the next line of code, and for no other", () => {
    const allowed = "// halay-allow-next-line never-read -- a\n// halay-allow-next-line append-without-guard -- b\n";
    expect(without(plain.replace(line, `${allowed}${line}`))).toBe(true);
    expect(without(plain.replace(line, `${allowed}\n${line}`))).toBe(true);
    expect(without(plain.replace(line, `${allowed}_ = 0u;\n${line}`))).toBe(false);
  });
});

test("a target tells what the browser does not accept, with the reason", () => {
  const text = "requires subgroup_id;\n@compute @workgroup_size(1) fn main() {}\n";
  expect(check(text, { target: "chrome" }).diagnostics).toEqual([]);
  const [found, ...rest] = check(text, { target: ["chrome", "safari"] }).diagnostics;
  expect(rest).toEqual([]);
  expect(found).toMatchObject({
    code: "not-in-target",
    severity: "error",
    args: { browser: expect.stringMatching(/^Safari/) },
  });
  expect(found.message).toContain("subgroup_id");
});

describe("docs/advice.md", () => {
  const sections = new Map(
    read("docs/advice.md")
      .split(/^### /m)
      .slice(1)
      .map((part): [string, string] => [part.slice(0, part.indexOf("\n")).replaceAll("`", "").trim(), part]),
  );

  test("has an entry for each code, and for no other", () => {
    expect([...sections.keys()].sort()).toEqual(Object.keys(ADVICE).sort());
  });

  test.each(Object.keys(ADVICE))("%s: its example gives it, its severity is right", (code) => {
    const section = sections.get(code)!;
    const [, example] = /```wgsl\n([\s\S]*?)```/.exec(section) ?? [];
    const target = code === "not-in-target" ? { target: "firefox" as const } : {};
    const found = check(example, target).diagnostics.find((item) => item.code === code);
    expect(found, example).toBeDefined();
    expect(section).toMatch(new RegExp(`^\\*${ADVICE[code as keyof typeof ADVICE].severity}\\*`, "m"));
    expect(section).toContain("Way out");
  });
});

test.each([
  ["atomicStore(&cells[id.x % 4u], id.x);", "do both in one step with atomicCompareExchangeWeak in a loop"],
  [
    "atomicExchange(&cells[id.x % 4u], id.x);",
    "check what atomicExchange returned, or do both in one step with atomicCompareExchangeWeak in a loop",
  ],
])("an act of which something is returned, or nothing: %s", (act, way) => {
  const text = `@group(0) @binding(0) var<storage, read_write> cells: array<atomic<u32>>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (atomicLoad(&cells[id.x % 4u]) == 0u) { ${act} }
}`;
  const found = check(text).diagnostics.find(({ code }) => code === "check-then-act");
  expect(found?.notes.at(-1)?.message).toBe(way);
});

test.each([
  ["tile[lane] += tile[63u - lane];", "read-then-barrier"],
  ["if (lane > 0u) { tile[lane] += tile[lane - 1u]; }", "read-then-barrier-apart"],
  ["if (lane == 0u) { return; } tile[lane] += tile[lane - 1u];", "read-then-barrier-apart"],
])("a barrier between reading and writing can stand there, or not: %s", (body, way) => {
  const found = check(kernel(`tile[lane] = id.x; workgroupBarrier(); ${body}`)).diagnostics;
  expect(found.find(({ code }) => code === "missing-barrier")?.notes.at(-1)?.code).toBe(way);
});

describe("behind a loop with barriers it is the last round that is not ordered", () => {
  const tree = "if (lane < s) { tile[lane] += tile[lane + s]; }";
  const has = (body: string) =>
    codesOf(kernel(`tile[lane] = id.x; ${body} workgroupBarrier(); result[id.x] = tile[lane];`));

  test.each([
    `for (var s = 32u; s > 0u; s /= 2u) { workgroupBarrier(); ${tree} } if (lane == 0u) { tile[0] = 7u; }`,
    `for (var s = 32u; s > 0u; s >>= 1u) { workgroupBarrier(); ${tree} } if (lane == 0u) { tile[1] = 7u; tile[0] = 7u; }`,
    `var s = 32u; while s > 0u { workgroupBarrier(); ${tree} s = s / 2u; } if (lane == 0u) { tile[0] = 7u; }`,
    `var s = 32u; loop { if s == 0u { break; } workgroupBarrier(); ${tree} s /= 2u; } if (lane == 0u) { tile[0] = 7u; }`,
    `var s = 1u; for (var d = 32u; d > 0u; d >>= 1u) { workgroupBarrier();
      if (lane < d) { tile[s * (2u * lane + 2u) - 1u] += tile[s * (2u * lane + 1u) - 1u]; } s *= 2u; }
      if (lane == 0u) { tile[63] = 0u; }
      for (var d = 1u; d < 64u; d *= 2u) { s >>= 1u; workgroupBarrier(); if (lane < d) { let a = s * (2u * lane + 1u) - 1u;
      let b = s * (2u * lane + 2u) - 1u; let x = tile[a]; tile[a] = tile[b]; tile[b] += x; } } workgroupBarrier();`,
  ])("the invocation that is left goes on: %s", (body) => {
    expect(has(body)).not.toContain("missing-barrier");
  });

  test.each([
    `for (var s = 32u; s > 0u; s /= 2u) { workgroupBarrier(); ${tree} } if (lane == 1u) { tile[0] = 7u; }`,
    `for (var s = 32u; s > 0u; s /= 2u) { workgroupBarrier(); ${tree} } if (lane == 9u) { tile[1] = 7u; }`,
    `for (var s = 32u; s > 1u; s /= 2u) { workgroupBarrier(); ${tree} } if (lane == 0u) { tile[0] += tile[1]; }`,
    `var s = 32u; loop { if s == 0u { break; } workgroupBarrier(); ${tree} s /= 2u; } if (lane == 1u) { tile[0] = 7u; }`,
    `for (var s = 32u; s > 0u; s /= 2u) { workgroupBarrier(); tile[lane] = s; } tile[63u - lane] = tile[lane] + 1u;`,
    `for (var s = 32u; s > 0u; s /= 2u) { ${tree} } if (lane == 5u) { tile[3] = 7u; }`,
  ])("another one comes there: %s", (body) => {
    expect(has(body)).toContain("missing-barrier");
  });
});

test("messages stand at a place inside of the text", () => {
  for (const path of shaders) {
    const source = new Source(read(path));
    for (const { span, notes } of check(source.text).diagnostics) {
      for (const place of [span, ...notes.map((note) => note.span)]) {
        expect(place.start).toBeLessThan(place.end);
        expect(place.end).toBeLessThanOrEqual(source.text.length);
      }
    }
  }
});
