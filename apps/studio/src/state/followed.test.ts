import { expect, test } from "vitest";
import { followLines, placeNow } from "./followed.ts";

const at = (text: string, found: string, path = "a.wgsl") => {
  const position = (offset: number) => {
    const before = text.slice(0, offset).split("\n");
    return { offset, line: before.length, column: before.at(-1)!.length + 1 };
  };
  const start = text.indexOf(found);
  return { path, start: position(start), end: position(start + found.length) };
};

const BEFORE = "fn f() {\n  a += 1;\n  b();\n  a += 2;\n}\n";

/** The text that stands where something was found, and its line. */
function followed(found: string, now: string): [string, number] | null {
  const place = placeNow(new Map([["a.wgsl", BEFORE]]), at(BEFORE, found), [{ name: "a.wgsl", text: now }]);
  return place === null ? null : [now.slice(place.from, place.to), place.line];
}

test("a place goes along with its line", () => {
  expect(followed("a += 2", BEFORE)).toEqual(["a += 2", 4]);
  expect(followed("a += 2", `// more\n\n${BEFORE}`)).toEqual(["a += 2", 6]);
  expect(followed("a += 2", BEFORE.replace("  b();\n", ""))).toEqual(["a += 2", 3]);
  // Changes on both sides of it.
  expect(followed("b()", BEFORE.replace("a += 1;", "a += 1;\n  c();").replace("a += 2", "a += 3"))).toEqual(["b()", 4]);
});

test("a place in a line that was changed is no more", () => {
  expect(followed("a += 1", BEFORE.replace("a += 1", "atomicAdd(&a, 1)"))).toBeNull();
  expect(followed("a += 1", "")).toBeNull();
});

test("a place over several lines needs its first and its last", () => {
  expect(followed("1;\n  b();\n  a", BEFORE.replace("b();", "c();"))).toEqual(["1;\n  c();\n  a", 2]);
  expect(followed("1;\n  b();\n  a", BEFORE.replace("a += 2", "a -= 2"))).toBeNull();
});

test("a file that is closed has no places; one that was not there before is as it is", () => {
  expect(placeNow(new Map([["a.wgsl", BEFORE]]), at(BEFORE, "b()"), [])).toBeNull();
  expect(placeNow(new Map(), at(BEFORE, "b()"), [{ name: "a.wgsl", text: BEFORE }])).toMatchObject({ line: 3 });
});

test("too many changed lines are given up, not waited for", () => {
  const lines = (word: string) => ["same", ...Array.from({ length: 3000 }, (_, i) => `${word} ${i}`), "end"];
  const map = followLines(lines("a"), lines("b"));
  expect([map[0], map[1], map[3001]]).toEqual([0, null, 3001]);
});
