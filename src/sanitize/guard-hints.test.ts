/** The condition that a hint asks for is put around the statement: the text is legal, and nothing is out of bounds. */
import { expect, test } from "vitest";
import { analyze } from "../analysis/analyze.ts";
import type { BufferContents } from "../launch/launch.ts";
import { Source } from "../text/source.ts";
import { sanitize } from "./sanitize.ts";

type Buffers = Readonly<Record<string, BufferContents>>;

/** What hints ask for, and what is out of bounds when the last statement of a body stands under it. */
async function guarded(text: string, buffers: Buffers): Promise<readonly (readonly [string, number])[]> {
  const found = async (shader: string) => {
    const program = analyze(new Source(shader, "shader.wgsl"));
    expect(program.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const { findings } = await sanitize({ shader: program, workgroups: [1], buffers }, { checks: ["bounds", "races"] });
    return findings.filter(({ code }) => code === "out-of-bounds");
  };
  const told: (readonly [string, number])[] = [];
  for (const { notes, source, span } of await found(text)) {
    const { message } = notes.at(-1)!;
    const condition = /^let only what is in bounds get here: if (\(.*\))$/.exec(message)?.[1] ?? message;
    const { line } = source.position(span.start);
    const lines = text.split("\n");
    const mended = [...lines.slice(0, line - 1), `if ${condition} {`, lines[line - 1], "}", ...lines.slice(line)];
    told.push([condition, (await found(mended.join("\n"))).length]);
  }
  return told;
}

const main = (declared: string, body: string) => `${declared}
@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
${body}
}`;

test.each([
  ["i + 5u", "(i + 5u < arrayLength(&list))"],
  ["i & 15u", "((i & 15u) < arrayLength(&list))"],
  ["(i | 1u)", "((i | 1u) < arrayLength(&list))"],
  ["i ^ (3u)", "((i ^ (3u)) < arrayLength(&list))"],
  ["i << 1u", "(i << 1u < arrayLength(&list))"],
  ["(i & 3u) + (i | 4u)", "((i & 3u) + (i | 4u) < arrayLength(&list))"],
  ["min(i & 31u, 9u)", "(min(i & 31u, 9u) < arrayLength(&list))"],
  ["i32(i) - 3", "(u32(i32(i) - 3) < arrayLength(&list))"],
  ["i32(i) & 15", "(u32(i32(i) & 15) < arrayLength(&list))"],
  ["(i32(i)) + (9)", "(u32((i32(i)) + (9)) < arrayLength(&list))"],
])("an index is asked for as it binds beside ‘<’: %s", async (index, expected) => {
  expect(await guarded(main("", `list[${index}] = 1u;`), { list: "zeros:4" })).toEqual([[expected, 0]]);
});

test.each([
  ["var parts = array<array<u32, 4>, 2>();", "list[0] = parts[i & 1u][i ^ 2u];", "((i ^ 2u) < 4u)"],
  ["let parts = array<u32, 4>(i, i, i, i);", "list[0] = parts[i | 1u];", "((i | 1u) < 4u)"],
  ["var v = vec3u(i);", "v[i & 7u] = 1u;", "((i & 7u) < 3u)"],
])("also of what is no buffer: %s", async (declared, statement, expected) => {
  expect(await guarded(main("", `${declared}\n${statement}`), { list: "zeros:4" })).toEqual([[expected, 0]]);
});

const COUNTS = "@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, 4>;";
const SIGNED = "@group(0) @binding(1) var<storage, read_write> counts: array<atomic<i32>, 4>;";
const reserve = "let c = i & 3u;\nlet slot = atomicAdd(&counts[c], 1u);";

test.each([
  ["its part", COUNTS, `${reserve}\nlist[c * 4u + slot] = i;`, "(slot < 4u)"],
  ["in other order", COUNTS, `${reserve}\nlist[slot + 4 * c] = i;`, "(slot < 4)"],
  ["by a shift", COUNTS, `${reserve}\nlist[(c << 2u) + slot] = i;`, "(slot < 4u)"],
  ["by name", `const ROOM = 4u;\n${COUNTS}`, `${reserve}\nlist[c * ROOM + slot] = i;`, "(slot < ROOM)"],
  ["computed", `const ROOM = 4u;\n${COUNTS}`, `${reserve}\nlist[c * (ROOM | 4u) + slot] = i;`, "(slot < (ROOM | 4u))"],
  ["in steps", COUNTS, `${reserve}\nlet base = c * 4u;\nlet at = base + slot;\nlist[at] = i;`, "(slot < 4u)"],
  [
    "signed",
    SIGNED,
    "let c = i32(i) & 3;\nlet slot = atomicAdd(&counts[c], 1);\nlist[c * 4 + slot] = i;",
    "(slot < 4)",
  ],
  ["behind what it gives", COUNTS, `${reserve}\nlist[c * 4u + slot + 1u] = i;`, "(slot + 1u < 4u)"],
  ["behind it, in a sum", COUNTS, `${reserve}\nlist[c * 4u + (slot + 1u)] = i;`, "(slot + 1u < 4u)"],
  ["behind it, first", COUNTS, `${reserve}\nlist[(1 + slot) + c * 4] = i;`, "(slot + 1 < 4)"],
  [
    "behind it, in steps",
    COUNTS,
    `${reserve}\nlet at = slot + (i & 1u);\nlist[4u * c + at] = i;`,
    "(slot + (i & 1u) < 4u)",
  ],
  ["before what is behind it", COUNTS, `${reserve}\nlist[(c << 2u) + slot + 2u - 1u] = i;`, "(slot + 2u - 1u < 4u)"],
  ["by several", COUNTS, `${reserve}\nlist[c * 4u + slot + 2u * i - (i + i)] = i;`, "(slot + 2u * i - i - i < 4u)"],
  ["by an override", `override room = 4u;\n${COUNTS}`, `${reserve}\nlist[c * room + slot] = i;`, "(slot < room)"],
])("a place that a counter of a part gives is asked for in its part: %s", async (_, declared, body, expected) => {
  const text = main(declared, body);
  // Out of the whole array, and in the part of another counter.
  const told = await guarded(text, { list: "zeros:16" });
  expect(new Set(told.map(([condition]) => condition))).toEqual(new Set([expected]));
  expect(told.map(([, left]) => left)).toEqual(told.map(() => 0));
  expect(await guarded(text, { list: "zeros:64" })).toEqual([[expected, 0]]);
});

test("in an array that has no room for all parts, both are asked", async () => {
  const told = await guarded(main(COUNTS, `${reserve}\nlist[c * 4u + slot] = i;`), { list: "zeros:8" });
  expect(told).toContainEqual(["(slot < 4u && c * 4u + slot < arrayLength(&list))", 0]);
});

test("a counter that is left too high is brought back to its part", async () => {
  const text = `${COUNTS}
@group(0) @binding(0) var<storage, read_write> list: array<u32>;
@compute @workgroup_size(64) fn put(@builtin(local_invocation_index) i: u32) {
  let c = i & 3u;
  let slot = atomicAdd(&counts[c], 1u);
  if (slot < 4u) { list[c * 4u + slot] = i; }
}
@compute @workgroup_size(4) fn take(@builtin(local_invocation_index) c: u32) {
  for (var at = 0u; at < atomicLoad(&counts[c]); at++) { list[c * 4u + at] += 1u; }
}`;
  const steps = [
    { entry: "put", workgroups: [1] },
    { entry: "take", workgroups: [1] },
  ];
  const { findings } = await sanitize({ shader: text, steps, buffers: { list: "zeros:64" } }, { checks: ["counters"] });
  expect(findings.map(({ code, notes }) => [code, notes.at(-1)!.message])).toEqual([
    ["counter-over-capacity", "atomicMin(&counts[0], 4u) after a failed append, or min() where the count is read"],
  ]);
});

test.each([
  ["array<u32, 8>", "slot + 1u", "7u"],
  ["array<u32>", "1u + slot", "arrayLength(&list) - 1"],
  ["array<u32>", "slot + 3u - 1u", "arrayLength(&list) - 2"],
  ["array<u32, 8>", "slot * 2u", "4u"],
  ["array<u32, 8>", "(2u * slot) + 3u", "3u"],
  ["array<u32, 8>", "(slot << 2u) + 3u", "2u"],
])("a counter of %s at ‘%s’ that is left too high is brought back to as many places", async (type, index, capacity) => {
  const text = `@group(0) @binding(0) var<storage, read_write> n: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> list: ${type};
@compute @workgroup_size(64) fn put(@builtin(local_invocation_index) i: u32) {
  let slot = atomicAdd(&n, 1u);
  if (${index} < 8) { list[${index}] = i; }
}
@compute @workgroup_size(1) fn take() {
  for (var slot = 0u; slot < atomicLoad(&n); slot++) { list[${index}] += 1u; }
}`;
  const steps = [
    { entry: "put", workgroups: [1] },
    { entry: "take", workgroups: [1] },
  ];
  const launch = { steps, buffers: type === "array<u32>" ? { list: "zeros:8" } : {} };
  const told = async (shader: string) =>
    (await sanitize({ ...launch, shader }, { checks: ["counters", "bounds"] })).findings;
  const [counter] = (await told(text)).filter(({ code }) => code === "counter-over-capacity");
  expect(counter.notes.at(-1)!.message).toContain(`atomicMin(&n, ${capacity}) after`);
  expect(await told(text.replace("= i; }", `= i; } else { atomicMin(&n, ${capacity}); }`))).toEqual([]);
});

test.each([
  ["array<u32, 8>", "8i"],
  ["array<u32>", "i32(arrayLength(&list))"],
])("a signed counter of %s that is left too high is brought back to a number of its type", async (type, capacity) => {
  const text = `@group(0) @binding(0) var<storage, read_write> n: atomic<i32>;
@group(0) @binding(1) var<storage, read_write> list: ${type};
@compute @workgroup_size(64) fn put(@builtin(local_invocation_index) i: u32) {
  let slot = atomicAdd(&n, 1);
  if (slot < 8) { list[slot] = i; }
}
@compute @workgroup_size(1) fn take() {
  for (var at = 0; at < atomicLoad(&n); at++) { list[at] += 1u; }
}`;
  const steps = [
    { entry: "put", workgroups: [1] },
    { entry: "take", workgroups: [1] },
  ];
  const launch = { steps, buffers: type === "array<u32>" ? { list: "zeros:8" } : {} };
  const hints = async (shader: string) =>
    (await sanitize({ ...launch, shader }, { checks: ["counters"] })).findings.map(
      ({ notes }) => notes.at(-1)!.message,
    );
  expect(await hints(text)).toEqual([
    `atomicMin(&n, ${capacity}) after a failed append, or min() where the count is read`,
  ]);
  expect(await hints(text.replace("= i; }", `= i; } else { atomicMin(&n, ${capacity}); }`))).toEqual([]);
});

test.each([
  ["free[n]", "the last element is the one before ‘n’"],
  ["free[n - 1u]", null],
])("what is taken from the end of a list, as %s", async (taken, hint) => {
  const text = `@group(0) @binding(0) var<storage, read_write> left: atomic<u32>;
@group(0) @binding(1) var<storage, read> free: array<u32>;
@group(0) @binding(2) var<storage, read_write> got: array<u32, 8>;
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) lane: u32) {
  let n = atomicSub(&left, 1u);
  got[lane] = ${taken};
}`;
  const { findings } = await sanitize({
    shader: text,
    workgroups: [1],
    buffers: { left: { u32: [8] }, free: "iota:8" },
  });
  expect(findings.map(({ notes }) => notes.at(-1)!.message)).toEqual(
    hint === null ? [] : [`what atomicSub gives is the number before it: ${hint}`],
  );
});
