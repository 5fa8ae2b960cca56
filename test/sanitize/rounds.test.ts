/** Loops without barriers: those that hints name, all put in at once, leave nothing to find. */
import { expect, test } from "vitest";
import { sanitize } from "../../src/sanitize/sanitize.ts";

const HEAD = `@group(0) @binding(0) var<storage, read_write> data: array<u32, 64>;
var<workgroup> temp: array<u32, 512>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
`;

const programs: readonly (readonly [name: string, body: string, lines: readonly number[]])[] = [
  [
    "a scan reads what others write in the same round and in the one before",
    `  temp[lane] = data[lane];
  for (var offset = 1u; offset < 64u; offset *= 2u) {
    var value = temp[lane];
    if (lane >= offset) {
      value += temp[lane - offset];
    }
    temp[lane] = value;
  }
  data[lane] = temp[lane];`,
    [5, 10, 11],
  ],
  [
    "a sum over a tree reads what was written in the round before",
    `  temp[lane] = data[lane];
  for (var width = 32u; width > 0u; width /= 2u) {
    if (lane < width) {
      let other = temp[lane + width];
      temp[lane] = temp[lane] + other;
    }
  }
  data[lane] = temp[0];`,
    [5, 10, 11],
  ],
  [
    "a tile is loaded, and used, in each round",
    `  var sum = 0u;
  for (var tile = 0u; tile < 4u; tile++) {
    temp[lane] = tile * lane;
    sum += temp[63u - lane];
  }
  data[lane] = sum;`,
    [7, 8],
  ],
  [
    "each round has a tile of its own",
    `  var sum = 0u;
  for (var tile = 0u; tile < 4u; tile++) {
    temp[tile * 64u + lane] = tile * lane;
    sum += temp[tile * 64u + 63u - lane];
  }
  data[lane] = sum;`,
    [7],
  ],
];

test.each(programs)("%s", async (_, body, lines) => {
  const shader = `${HEAD}${body}\n}\n`;
  const find = async (text: string) =>
    (await sanitize({ shader: text, workgroups: [1] }, { checks: ["races"] })).findings;
  const findings = await find(shader);
  const named = findings.flatMap(({ notes }) => {
    const { code, args } = notes.at(-1)!;
    if (code === "hint-two-barriers") return [args.line, args.end];
    expect(code).toBe("hint-barrier");
    return [args.line];
  });
  expect([...new Set(named)].sort((a, b) => Number(a) - Number(b))).toEqual(lines);
  const mended = shader
    .split("\n")
    .map((line, i) => (lines.includes(i + 1) ? `${line}\nworkgroupBarrier();` : line))
    .join("\n");
  expect(await find(mended)).toEqual([]);
});

test("pairs that no barrier mends leave the trials to those that one does", async () => {
  const flags = Array.from({ length: 9 }, (_, i) => `flag${i}`);
  const shader = `${flags.map((name) => `var<workgroup> ${name}: u32;`).join(" ")} ${HEAD}
  for (var tile = 0u; tile < 4u; tile++) {
${flags.map((name) => `    ${name} = 1u;\n    ${name} = 1u;\n`).join("")}
    temp[lane] = tile * lane;
    data[lane] += temp[63u - lane];
  }\n}\n`;
  const { findings } = await sanitize({ shader, workgroups: [1] }, { checks: ["races"] });
  const hints = findings.filter(({ resource }) => resource?.name === "temp").map(({ notes }) => notes.at(-1)!.code);
  expect(hints).toEqual(["hint-two-barriers"]);
});

test("two functions of one text have the same repairs", async () => {
  const tiles = (name: string) => `fn ${name}(lane: u32) {
  for (var tile = 0u; tile < 4u; tile++) {
    temp[lane] = tile * lane;
    data[lane] += temp[63u - lane];
  }
}
`;
  const shader = `${tiles("one")}${tiles("other")}${HEAD} one(lane);\nworkgroupBarrier();\nother(lane);\n}\n`;
  const { findings } = await sanitize({ shader, workgroups: [1] }, { checks: ["races"] });
  const hints = findings.map(({ notes }) => [notes.at(-1)!.code, notes.at(-1)!.args.line, notes.at(-1)!.args.end]);
  expect(hints).toEqual([
    ["hint-two-barriers", 3, 4],
    ["hint-two-barriers", 9, 10],
  ]);
});
