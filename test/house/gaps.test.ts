import { describe, expect, test } from "vitest";
import { check, run } from "../../src/index.ts";
import { isRight, parseGaps, rightAnswer, type Verdict } from "./gaps.ts";
import { listFiles, read } from "./tree.ts";

const gaps = parseGaps(read("docs/gaps.md"));
const fixtures = listFiles("test/gaps", ".wgsl").map((path) => path.slice("test/gaps/".length, -".wgsl".length));

/** What the public API says today. */
async function verdictOf(fixture: string): Promise<Verdict> {
  return rightAnswer(fixture).kind === "run" ? run({ shader: fixture, workgroups: [1] }) : check(fixture);
}

test("rows and fixtures belong together", () => {
  expect(gaps.map((gap) => gap.id).sort()).toEqual([...fixtures].sort());
});

for (const gap of gaps)
  test(`the gap ${gap.id} still shows`, async () => {
    const fixture = read(`test/gaps/${gap.id}.wgsl`);
    const today = isRight(rightAnswer(fixture), await verdictOf(fixture));
    expect(today, "today's answer is right: remove the row and its fixture").toBe(false);
  });

describe("the list itself", () => {
  const table = (rows: string) =>
    `| id | what | where it shows (snippet or command) | why |\n| --- | --- | --- | --- |\n${rows}`;

  test("a row has four cells", () => {
    expect(parseGaps(table("| a-b | x | `a \\| b` | y |\n"))).toEqual([
      { id: "a-b", what: "x", where: "`a | b`", why: "y" },
    ]);
    expect(() => parseGaps(table("| a | b | c |\n"))).toThrow(/four cells/);
    expect(() => parseGaps("nothing")).toThrow(/no table/);
  });

  test("a fixture states the right answer", () => {
    expect(rightAnswer("// right: accept\n")).toEqual({ kind: "accept" });
    expect(rightAnswer("// right: reject\n")).toEqual({ kind: "reject", code: null });
    expect(rightAnswer("// right: reject some-code\n")).toEqual({ kind: "reject", code: "some-code" });
    expect(rightAnswer("// right: report some-code\n")).toEqual({ kind: "report", code: "some-code" });
    expect(rightAnswer("// right: run wasm\n")).toEqual({ kind: "run", engine: "wasm" });
    expect(() => rightAnswer("fn f() {}\n")).toThrow(/starts with/);
    expect(() => rightAnswer("// right: report\n")).toThrow(/starts with/);
  });

  test("a gap shows while the answer is wrong", () => {
    const accepted: Verdict = { ok: true, diagnostics: [{ code: "advice", severity: "info" }] };
    const refused: Verdict = { ok: false, diagnostics: [{ code: "reason", severity: "error" }] };
    expect(isRight({ kind: "accept" }, accepted)).toBe(true);
    expect(isRight({ kind: "accept" }, refused)).toBe(false);
    expect(isRight({ kind: "reject", code: null }, refused)).toBe(true);
    expect(isRight({ kind: "reject", code: "other" }, refused)).toBe(false);
    expect(isRight({ kind: "reject", code: null }, accepted)).toBe(false);
    expect(isRight({ kind: "report", code: "advice" }, accepted)).toBe(true);
    expect(isRight({ kind: "report", code: "advice" }, refused)).toBe(false);
    expect(isRight({ kind: "run", engine: null }, { ...accepted, engine: "interpreter" })).toBe(true);
    expect(isRight({ kind: "run", engine: "wasm" }, { ...accepted, engine: "interpreter" })).toBe(false);
  });
});
