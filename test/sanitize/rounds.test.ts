/** Loops and functions without barriers: those that hints name, all put in at once, leave nothing to find. */
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
  [
    "steps of a sorting network read what others write in the same round",
    `  temp[lane] = data[lane];
  workgroupBarrier();
  for (var width = 2u; width <= 64u; width <<= 1u) {
    for (var step = width >> 1u; step > 0u; step >>= 1u) {
      let other = lane ^ step;
      let a = temp[lane];
      let b = temp[other];
      let isUp = ((lane & width) == 0u) == (lane < other);
      temp[lane] = select(max(a, b), min(a, b), isUp);
    }
  }
  data[lane] = temp[lane];`,
    [11, 13],
  ],
  [
    "one of two writes both in a sorting network",
    `  temp[lane] = data[lane];
  workgroupBarrier();
  for (var width = 2u; width <= 64u; width <<= 1u) {
    for (var step = width >> 1u; step > 0u; step >>= 1u) {
      let other = lane ^ step;
      if (other > lane) {
        let a = temp[lane];
        let b = temp[other];
        if (((lane & width) == 0u) == (a > b)) {
          temp[lane] = b;
          temp[other] = a;
        }
      }
    }
  }
  workgroupBarrier();
  data[lane] = temp[lane];`,
    [17],
  ],
];

/** The functions stand in front of the entry point. */
const called: readonly (readonly [name: string, functions: string, body: string, lines: readonly number[]])[] = [
  [
    "what one call reads the next one writes",
    `fn shifted(lane: u32, by: u32) -> u32 {
  let value = temp[(lane + by) % 64u];
  workgroupBarrier();
  temp[lane] = value;
  return value;
}`,
    "data[lane] = shifted(lane, 1u) + shifted(lane, 2u);",
    [4],
  ],
  [
    "what is returned the next call writes",
    `fn sum(lane: u32, value: u32) -> u32 {
  temp[lane] = value;
  workgroupBarrier();
  for (var width = 32u; width > 0u; width /= 2u) {
    if (lane < width) {
      temp[lane] += temp[lane + width];
    }
    workgroupBarrier();
  }
  return temp[0];
}`,
    "data[lane] = sum(lane, 1u) + sum(lane, 2u);",
    [1],
  ],
  [
    "what one call writes it reads, and the next one writes",
    `fn next(lane: u32, value: u32) -> u32 {
  temp[lane] = value;
  return temp[(lane + 1u) % 64u];
}`,
    "data[lane] = next(lane, 1u) + next(lane, 2u);",
    [1, 2],
  ],
  [
    "what one function writes another one reads",
    `fn put(lane: u32, value: u32) {
  temp[lane] = value;
}
fn take(lane: u32) -> u32 {
  return temp[(lane + 1u) % 64u];
}`,
    "put(lane, 1u); let one = take(lane); put(lane, 2u); data[lane] = one + take(lane);",
    [1, 2],
  ],
  [
    "what one function writes the entry point reads",
    `fn load(lane: u32, value: u32) {
  if (lane % 2u == 0u) {
    temp[lane + 1u] = value;
    temp[lane] = value;
  }
}`,
    "for (var i = 0u; i < 2u; i++) {\n load(lane, i);\n data[lane] += temp[lane ^ 3u];\n}",
    [5, 11],
  ],
  [
    "each call writes where others wrote",
    `fn put(lane: u32, value: u32) {
  temp[lane % 64u] = value;
}`,
    "put(lane, lane); put(lane + 1u, 2u * lane);",
    [2],
  ],
  [
    "one call of a function of a pointer reads what another one writes",
    `fn put(to: ptr<workgroup, array<u32, 512>>, lane: u32, by: u32) {
  let value = (*to)[lane + by];
  workgroupBarrier();
  (*to)[lane] = value;
}`,
    "put(&temp, lane, 1u); put(&temp, lane, 2u);",
    [4],
  ],
];

test.each(programs)("%s", async (_, body, lines) => {
  await mends(`${HEAD}${body}\n}\n`, 0, lines);
});

test.each(called)("%s", async (_, functions, body, lines) => {
  const [variables, entry] = [HEAD.slice(0, HEAD.indexOf("@compute")), HEAD.slice(HEAD.indexOf("@compute"))];
  await mends(`${variables}${functions}\n${entry}${body}\n}\n`, 2, lines);
});

/** `before`: lines that are not counted. */
async function mends(shader: string, before: number, lines: readonly number[]): Promise<void> {
  const find = async (text: string) =>
    (await sanitize({ shader: text, workgroups: [1] }, { checks: ["races"] })).findings;
  const findings = await find(shader);
  const named = findings.flatMap(({ notes }) => {
    const { code, args } = notes.at(-1)!;
    if (code === "hint-two-barriers") return [args.line, args.end];
    expect(code).toBe("hint-barrier");
    return [args.line];
  });
  const numbers = [...new Set(named)].map((line) => Number(line) - before);
  expect(numbers.sort((a, b) => a - b)).toEqual(lines);
  const mended = shader
    .split("\n")
    .map((line, i) => (lines.includes(i + 1 - before) ? `${line}\nworkgroupBarrier();` : line))
    .join("\n");
  expect(await find(mended)).toEqual([]);
}

test.each([
  ["in a loop", "for (var step = 1u; step < 64u; step *= 2u) {\n temp[lane] = max(temp[lane], temp[lane ^ step]);\n}"],
  ["in a function that is called again", "widen(lane, 1u); widen(lane, 2u);"],
])("a statement that reads and writes %s is taken apart", async (_, body) => {
  const functions = `fn widen(lane: u32, by: u32) {
  temp[lane] = max(temp[lane], temp[lane ^ by]);
}
`;
  const find = (text: string) => sanitize({ shader: functions + text, workgroups: [1] }, { checks: ["races"] });
  const { findings } = await find(`${HEAD} ${body}\n}\n`);
  expect(findings.map(({ notes }) => notes.at(-1)!.code)).toEqual(["hint-read-barriers"]);
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
