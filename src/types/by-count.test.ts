import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { ByCount } from "./by-count.ts";
import { arrayType, bufferType, type Type, U32, vectorType } from "./type.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const MANY = 1000;

/** How many of those made for different counts are left once nobody uses them. */
async function left(made: (count: number) => object): Promise<number> {
  const references: WeakRef<object>[] = [];
  for (let count = 1; count <= MANY; count++) references.push(new WeakRef(made(count)));
  // What a job has looked at stays until it ends.
  await new Promise((resolve) => setTimeout(resolve));
  collectGarbage();
  return references.filter((reference) => reference.deref() !== undefined).length;
}

test("there is one for each count as long as it is used", async () => {
  const objects = new ByCount<{ count: number }>();
  const used: { count: number }[] = [];
  for (let count = 0; count < MANY; count++) {
    expect(objects.get(count)).toBeUndefined();
    used.push({ count });
    objects.set(count, used[count]);
  }
  await left((count) => {
    const made = { count };
    objects.set(MANY + count, made);
    return made;
  });
  for (const object of used) expect(objects.get(object.count)).toBe(object);
});

const makers: [what: string, made: (count: number) => Type][] = [
  ["arrays of numbers", (count) => arrayType(U32, count)],
  ["arrays of arrays", (count) => arrayType(arrayType(vectorType(4, U32), 7), count)],
  ["buffers", bufferType],
];

test.each(makers)("%s that nobody uses do not stay", async (_, made) => {
  const used = made(MANY + 1);
  expect(await left(made)).toBeLessThan(MANY / 10);
  expect(made(MANY + 1)).toBe(used);
});
