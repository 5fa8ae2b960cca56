/** Buffers that nobody said anything of hold zeros: where something else is looked for, that is told. */
import { describe, expect, test } from "vitest";
import { run } from "../index.ts";
import type { Launch } from "./launch.ts";

const HEAD = `const EMPTY = 0xffffffffu;
@group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>, 16>;
@group(0) @binding(1) var<storage, read_write> list: array<atomic<i32>>;
@group(0) @binding(2) var<storage, read_write> plain: array<u32, 16>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
  _ = &table; _ = &list; _ = &plain;
`;
const INSERT = `for (var i = 0u; i < 16u; i++) {
    if (atomicCompareExchangeWeak(&table[i], EMPTY, id.x).exchanged) { return; }
  }`;

async function messages(body: string, launch: Omit<Launch, "shader"> = {}, more = "") {
  const shader = `${HEAD}${body}\n}\n${more}`;
  const entry = launch.steps === undefined ? { entry: "main", workgroups: [1] as const } : {};
  const { diagnostics } = await run({ ...entry, ...launch, shader }, { timeout: 0.2 });
  return diagnostics.map(({ message, notes }) => [message, ...notes.map((each) => each.message)]);
}

describe("an exchange from what is not there", () => {
  test.each([
    ["in a table", INSERT, "table", "4294967295", "fill:4294967295"],
    [
      "in an array that has as many elements as invocations",
      "_ = atomicCompareExchangeWeak(&list[0], -1, 2);",
      "list",
      "-1",
      "fill:-1:4",
    ],
  ])("%s", async (_, body, name, mark, example) => {
    expect(await messages(body)).toEqual([
      [
        `‘${name}’ was given nothing, so it holds zeros: no exchange from ${mark} can succeed, as nothing puts that there`,
        `‘${example}’ as its contents puts it there`,
      ],
    ]);
    expect(await messages(body, { buffers: { [name]: example } })).toEqual([]);
  });

  test.each([
    ["from zero", INSERT.replace("EMPTY", "0u")],
    ["from a number that is computed", INSERT.replace("EMPTY", "id.x")],
    ["where it is set before", `atomicStore(&table[id.x], EMPTY); ${INSERT}`],
    ["where another exchange puts it there", `_ = atomicCompareExchangeWeak(&table[0], 0u, EMPTY); ${INSERT}`],
  ])("%s nothing is told", async (_, body) => {
    expect(await messages(body)).toEqual([]);
  });

  test("where an earlier step puts it there nothing is told", async () => {
    const clear =
      "@compute @workgroup_size(16) fn clear(@builtin(local_invocation_index) i: u32) { atomicStore(&table[i], EMPTY); }";
    const steps = [
      { entry: "clear", workgroups: [1] },
      { entry: "main", workgroups: [1] },
    ] as const;
    expect(await messages(INSERT, { steps }, clear)).toEqual([]);
  });
});

test("a loop that does not end, as a mark is looked for among zeros", async () => {
  const look = "var at = id.x; while (plain[at] != EMPTY) { at = (at + 1u) % 16u; }";
  const note = "‘plain’ was given nothing, so it holds zeros";
  const [[, ...notes]] = await messages(look);
  expect(notes).toContain(note);
  expect(await messages(look, { buffers: { plain: "fill:4294967295" } })).toEqual([]);
  const [[, ...others]] = await messages(`plain[id.x] = id.x; ${look}`);
  expect(others).not.toContain(note);
});
