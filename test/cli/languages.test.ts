/** `--lang`: nothing that a command prints for people stays English. */
import { expect, test } from "vitest";
import { halay } from "./cli.ts";

const files = {
  "lost.wgsl": `@group(0) @binding(0) var<storage, read_write> counts: array<u32, 4>;
@compute @workgroup_size(64)
fn count(@builtin(local_invocation_index) lane: u32) {
  counts[lane % 4u] += 1u;
}
`,
  "lost.launch.json": JSON.stringify({ shader: "lost.wgsl", workgroups: [1], expect: { counts: [9, 9, 9, 9] } }),
  "wrong.launch.json": '{ "shader": 5 }',
};

/** Words of English that no name, code or address holds. */
const ENGLISH =
  / (?:the|is|are|of|by|and|with|nothing|line|errors?|warnings?|found|expected|written|values?|invocations|accesses|schedules) /i;

function proseOf(out: string): string {
  return out
    .replace(/^.*│.*$/gm, (line) => (/│ {3}│? *\S/.test(line) ? line : ""))
    .replace(/(?:error|warning|info)\[[\w-]+\]/g, "")
    .replace(/https:\S+/g, "");
}

test.each(["sanitize", "run --checks races", "profile --checks races"])("%s", async (command) => {
  for (const [language, word] of [
    ["es", /invocaciones/],
    ["tr", /64 invocation/],
  ] as const) {
    const { code, out } = await halay(`${command} lost.launch.json --format pretty --lang ${language}`, { files });
    expect(code).toBe(1);
    expect(out).toMatch(word);
    expect(` ${proseOf(out)} `).not.toMatch(ENGLISH);
  }
});

const CONTRACT = `enable f16;
requires pointer_composite_access;
override wide: u32;
struct P { at: vec3f, @align(8) mass: f16 }
struct List { count: u32, items: array<P> }
@group(0) @binding(0) var<storage, read_write> list: List;
var<workgroup> own: array<u32, wide>;
@compute @workgroup_size(wide) fn main() { list.count = own[0]; }
`;

test.each(["es", "tr"])("reflect in %s", async (language) => {
  const { code, out } = await halay(`reflect a.wgsl --lang ${language}`, { files: { "a.wgsl": CONTRACT } });
  expect(code).toBe(0);
  const words =
    /\b(?:entry point|stage {2}|accesses|name|kind|type|size|smallest|member|memory|needs?|default|runtime|padding|aligned|bytes? before|enables|requires)\b/;
  expect(out).not.toMatch(words);
});

test("what is wrong with a launch or a file", async () => {
  const say = async (line: string) => (await halay(`${line} --format compact`, { files })).out;
  expect(await say("run wrong.launch.json --lang es")).toContain("se esperaba una cadena");
  expect(await say("run nothing.wgsl --lang tr")).toContain("‘nothing.wgsl’ okunamıyor: böyle bir dosya yok");
});
