import { expect, test } from "vitest";
import { Bench } from "../../test/support/engine.ts";
import type { ConstValue } from "../types/value.ts";
import { Execution } from "./execution.ts";
import { variablesOf } from "./inspect.ts";

const plain = ({ value }: ConstValue): unknown => (Array.isArray(value) ? value.map(plain) : value);

test("variables of every call, private ones last", () => {
  const bench = new Bench(`
    enable f16;
    struct Pair { a: vec2f, ok: bool }
    @group(0) @binding(0) var<storage, read_write> out: u32;
    var<private> seen = array(1i, -2i);
    fn put(value: u32, p: ptr<function, u32>) { let unused = 1; var half = 0.5h; out = value + *p; }
    @compute @workgroup_size(2) fn main(@builtin(local_invocation_index) lane: u32) {
      var pair = Pair(vec2f(f32(lane), 2.5), true && lane == 1);
      seen[1] -= 1;
      var count = 4294967295u;
      put(lane + 7, &count);
    }`);
  const execution = new Execution(bench.module, bench.request);
  const workgroup = execution.startWorkgroup()!;
  expect(execution.advance(workgroup, 1, 0)).toBe("turn");
  const shown = variablesOf(execution, workgroup, 1).map((frame) =>
    frame.map(({ kind, name, value }) => [kind, name, plain(value)]),
  );
  expect(shown).toEqual([
    [
      ["parameter", "value", 8],
      ["local", "half", 0.5],
    ],
    [
      ["parameter", "lane", 1],
      ["local", "pair", [[1, 2.5], true]],
      ["local", "count", 4294967295],
      ["private", "seen", [1, -3]],
    ],
  ]);
});
