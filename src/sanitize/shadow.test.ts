import { describe, expect, test } from "vitest";
import { Random } from "../engine/random.ts";
import {
  ATOMIC,
  CHANGE,
  LOOK,
  ORDERED,
  OTHER_ATOMIC_READ,
  RACE,
  READ,
  type Relation,
  SET,
  Shadow,
  WRITE,
} from "./shadow.ts";

interface Touch {
  readonly kind: number;
  readonly workgroup: number;
  readonly epoch: number;
  readonly local: number;
}

/** Which two classes matter to each other: data races, and atomics whose outcome hangs on timing. */
function relation(a: number, b: number): Relation {
  const plain = (kind: number) => kind === WRITE || kind === READ;
  const writes = (kind: number) => kind === WRITE || kind === CHANGE || kind === SET;
  if (plain(a) || plain(b)) return writes(a) || writes(b) ? RACE : ORDERED;
  const pair = [a, b];
  const matters = pair.includes(SET)
    ? pair.some((kind) => kind === CHANGE || kind === LOOK) || (a === SET && b === SET)
    : pair.includes(LOOK) && pair.includes(CHANGE);
  return matters ? ATOMIC : ORDERED;
}

function isUnordered(a: Touch, b: Touch): boolean {
  if (a.workgroup !== b.workgroup) return true;
  return a.local !== b.local && a.epoch === b.epoch;
}

/** The gravest of all pairs. */
function gravest(touches: readonly Touch[]): Relation {
  let found: Relation = ORDERED;
  for (const [i, a] of touches.entries())
    for (const b of touches.slice(i + 1))
      if (isUnordered(a, b)) found = Math.max(found, relation(a.kind, b.kind)) as Relation;
  return found;
}

function randomTouches(random: Random): Touch[] {
  const epochs = [0, 0, 0];
  const kinds = [WRITE, READ, CHANGE, SET, LOOK, OTHER_ATOMIC_READ].filter(() => random.chance(0.5));
  if (kinds.length === 0) kinds.push(READ);
  return Array.from({ length: 1 + random.below(6) }, () => {
    const workgroup = random.below(3) === 0 ? random.below(3) : 0;
    if (random.chance(0.3)) epochs[workgroup]++;
    return { kind: kinds[random.below(kinds.length)], workgroup, epoch: epochs[workgroup], local: random.below(3) };
  });
}

describe("what is said of a cell is what some pair of its accesses is", () => {
  test("200,000 random sequences", () => {
    const random = new Random(3);
    const shadow = new Shadow(4);
    for (let run = 1; run <= 200_000; run++) {
      const touches = randomTouches(random);
      // Cells are used again without being cleared.
      const cell = run % 4;
      let found = 0;
      for (const { kind, workgroup, epoch, local } of touches) {
        found = Math.max(found, shadow.touch(run, cell, kind, workgroup, epoch, local));
      }
      const wanted = gravest(touches);
      if (found !== wanted) expect({ found, touches }).toEqual({ found: wanted, touches });
    }
  });

  test("every pair of classes by itself", () => {
    const kinds = [WRITE, READ, CHANGE, SET, LOOK, OTHER_ATOMIC_READ];
    for (const a of kinds) {
      for (const b of kinds) {
        const shadow = new Shadow(1);
        shadow.touch(1, 0, a, 0, 0, 0);
        expect(shadow.touch(1, 0, b, 0, 0, 1), `${a} then ${b}`).toBe(relation(a, b));
      }
    }
  });
});
