/** Every barrier of the right programs among the pairs taken out, and put in as another kind: it is missed, or is known not to be needed. */
import { expect, test } from "vitest";
import { analyze } from "../../src/analysis/analyze.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { Source } from "../../src/text/source.ts";
import { readPairs } from "./pairs.ts";

/** By name of the pair: numbers of the barriers that nothing hangs on, and why. */
const NEEDLESS: Readonly<Record<string, { readonly numbers: readonly number[]; readonly why: string }>> = {
  "override smaller than the loop goes": { numbers: [1], why: "each lane reads what it has written" },
  "count of lanes in workgroup memory goes below nought": { numbers: [1], why: "additions and subtractions commute" },
  "red and black cells of a grid in one dispatch, or in two": { numbers: [1], why: "that entry point does not run" },
  "prefix over tiles: status and sum of a tile published one after the other": {
    numbers: [1],
    why: "nobody reads the sums of others",
  },
  "last workgroup adds up what the others stored": { numbers: [1], why: "nobody reads the sums of others" },
  "reorder writes into the array it reads": { numbers: [1], why: "what is read is not written" },
  "barrier for textures between accesses to a buffer": { numbers: [1], why: "there is no texture" },
  "first workgroup reads what the last one has published, which shows in other orders only": {
    numbers: [1],
    why: "a barrier means nothing to other workgroups",
  },
  "bitonic sort: barrier behind each stage only": { numbers: [3], why: "one stands in front of it" },
  "only x tells the lanes of a flat workgroup apart": { numbers: [1], why: "each lane reads what it has written" },
  "index of a lane in three dimensions with a factor mistaken": {
    numbers: [1],
    why: "each lane reads what it has written",
  },
  "flag of a sorting round is cleared while it is set": { numbers: [1], why: "one stands at the head of the loop" },
  "workgroup that tries for a lock together": { numbers: [1], why: "one stands before all that others store" },
  "digits of a radix sort in place": { numbers: [1], why: "each lane reads what it has written" },
  "barrier in a case of a switch": { numbers: [2], why: "control goes another way" },
  "barrier in one case of a uniform switch": { numbers: [1, 3, 4], why: "control goes another way" },
  "halves in an array, halves in a vector": { numbers: [1], why: "each lane reads what it has written" },
  "radix sort: ranks by a scan of flags, the tile rewritten while read": {
    numbers: [1],
    why: "each lane reads what it has written",
  },
  "rows of a matrix": { numbers: [1], why: "each lane reads what it has written" },
  "butterfly steps write what the partner reads": { numbers: [2], why: "a pair is read and written by one lane" },
  "number of swaps of a round read while the next round counts": {
    numbers: [2],
    why: "workgroupUniformLoad has one behind it",
  },
  "set back by the last one while others are in the next round": { numbers: [2], why: "the loop ends with one" },
};

const barriers = readPairs().flatMap(({ name, right }) => {
  if (Object.keys(right.options).length > 0) return [];
  const found = [...right.text.matchAll(/\b(workgroup|storage|texture)Barrier\(\)/g)];
  return found.map(({ index, 0: call, 1: kind }, i) => ({ name, number: i + 1, right, index, call, kind }));
});

test("there are many", () => {
  expect(barriers.length).toBeGreaterThan(80);
});

test.each(barriers)("$name, barrier $number", async ({ name, number, right, index, call, kind }) => {
  const isNeeded = NEEDLESS[name]?.numbers.includes(number) !== true;
  for (const instead of ["", kind === "workgroup" ? "storageBarrier()" : "workgroupBarrier()"]) {
    const text = right.text.slice(0, index) + instead + right.text.slice(index + call.length);
    const { findings } = await sanitize({ ...right.launch, shader: analyze(new Source(text, "shader.wgsl")) });
    const codes = findings.map(({ code }) => code).filter((code) => /race|barrier|atomics|bounds|same/.test(code));
    expect(codes.length > 0, `${instead}: ${codes.join()}`).toBe(isNeeded);
  }
});
