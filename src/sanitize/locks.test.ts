/** What is advised where a word is taken and given back, to keep others out: nothing that would leave the lock as it is. */
import { expect, test } from "vitest";
import { profile } from "./profile.ts";
import { sanitize } from "./sanitize.ts";

const HEAD = `@group(0) @binding(0) var<storage, read_write> lock: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> turn: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> all: array<u32, 2>;
@group(0) @binding(3) var<storage, read_write> top: atomic<u32>;
`;
const ENTRY = `@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
`;
const TWO = "all[0] += id.x; all[1] = max(all[1], all[0]);";
const NO_LOCK = "no lock: one atomic operation, or a compare-exchange loop on one word that holds all of it";
const ADD = "an atomicAdd here makes reading, computing and writing one step";

const locks: readonly (readonly [name: string, functions: string, take: string, give: string])[] = [
  ["exchanged", "", "while (atomicExchange(&lock, 1u) == 1u) { }", "atomicStore(&lock, 0u);"],
  [
    "compared and exchanged",
    "",
    "loop { if (atomicCompareExchangeWeak(&lock, 0u, 1u).exchanged) { break; } }",
    "atomicExchange(&lock, 0u);",
  ],
  ["a ticket", "", "let mine = atomicAdd(&turn, 1u); while (atomicLoad(&lock) != mine) { }", "atomicAdd(&lock, 1u);"],
  [
    "looked at, then taken",
    "",
    "while (atomicLoad(&lock) != 0u) { } atomicStore(&lock, 1u);",
    "atomicStore(&lock, 0u);",
  ],
  ["taken without a look", "", "atomicStore(&lock, 1u);", "atomicStore(&lock, 0u);"],
  [
    "given up after some tries",
    "",
    "for (var i = 0u; i < 9u; i++) { if (atomicCompareExchangeWeak(&lock, 0u, 1u).exchanged) { break; } }",
    "atomicStore(&lock, 0u);",
  ],
  [
    "in functions",
    `fn take() { while (atomicExchange(&lock, 1u) == 1u) { } }
fn give() { atomicStore(&lock, 0u); }
`,
    "take();",
    "give();",
  ],
];

test.each(locks)("%s: several words are in one, or in none", async (_, functions, take, give) => {
  expect(await hintsOf(functions + ENTRY, `${take} ${TWO} ${give}`)).toEqual([NO_LOCK]);
});

test.each(locks)("%s: one word is changed in one step", async (_, functions, take, give) => {
  const hints = await hintsOf(functions + ENTRY, `${take} all[0] += id.x; ${give}`);
  expect(hints.filter((hint) => hint !== NO_LOCK)).toEqual([ADD]);
});

test.each(locks)("%s: nobody can take it for a workgroup", async (_, functions, take, give) => {
  const body = `${take} atomicStore(&top, max(atomicLoad(&top), id.x)); ${give}`;
  const launch = { shader: `${HEAD}${functions}${ENTRY}${body}\n}\n`, workgroups: [4] as const };
  const contention = { operations: 8, share: 0.1 };
  const { findings } = await sanitize(launch, { checks: ["contention"], contention });
  const { findings: advice } = await profile(launch, { contention });
  expect([findings, advice].map((each) => each.map(({ message }) => message))).toEqual([[], []]);
});

test("what is no lock is gathered", async () => {
  const shader = `${HEAD}${ENTRY} atomicAdd(&top, id.x); if (atomicExchange(&lock, 1u) == 1u) { atomicAdd(&turn, 1u); }\n}\n`;
  const contention = { operations: 8, share: 0.1 };
  const { findings } = await sanitize({ shader, workgroups: [4] }, { checks: ["contention"], contention });
  expect(findings.map(({ resource }) => resource?.name)).toEqual(["top", "lock", "turn"]);
});

test("what several write of what they have read, no barrier mends", async () => {
  const hints = await hintsOf(ENTRY, "all[1] = max(all[1], all[0] + id.x);");
  expect(hints).toEqual(["let one invocation write it, or give each a place of its own"]);
});

async function hintsOf(head: string, body: string): Promise<readonly string[]> {
  const { findings } = await sanitize({ shader: `${HEAD}${head}${body}\n}\n`, workgroups: [1] });
  return [...new Set(findings.map(({ notes }) => notes.at(-1)!.message))];
}

test("what counts is no lock for being set to a number and to nought", async () => {
  const body = `if (id.x == 0u) { atomicStore(&top, 4u); }
storageBarrier();
if (id.x == 15u) { atomicStore(&top, 0u); }
let place = atomicAdd(&top, 1u);
if (place < 2u) { all[place] = id.x; }`;
  const hints = await hintsOf(ENTRY, body);
  expect(hints.length).toBeGreaterThan(0);
  expect(hints).not.toContain(NO_LOCK);
});
