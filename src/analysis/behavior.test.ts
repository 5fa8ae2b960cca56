/** Each row of the table of behaviors, by what it lets through and what it refuses. */
import { expect, test } from "vitest";
import { Source } from "../text/source.ts";
import { analyze } from "./analyze.ts";

function said(text: string): string {
  const source = new Source(text);
  return analyze(source)
    .diagnostics.map(({ code, span }) => `${code} ${source.slice(span)}`)
    .join(", ");
}

/** Bodies of a function that returns an i32; `c` is a bool, `i` an i32. spec: #behaviors-rules */
test.each([
  ["return 1;", ""],
  ["", "missing-return f"],
  ["{ return 1; }", ""],
  ["return 1; i = 2;", ""],
  ["discard;", "missing-return f"],
  ["if c { return 1; } else { return 2; }", ""],
  ["if c { return 1; }", "missing-return f"],
  ["if c { return 1; } else if i == 2 { return 2; }", "missing-return f"],
  ["if c { return 1; } else if i == 2 { return 2; } else { return 3; }", ""],
  ["switch i { case 1: { return 1; } default: { return 2; } }", ""],
  ["switch i { case 1: { break; } default: { return 2; } }", "missing-return f"],
  ["switch i { case 1: { if c { break; } return 1; } default: { return 2; } }", "missing-return f"],
  ["switch i { case 1: {} default: { return 2; } }", "missing-return f"],
  ["loop { return 1; }", ""],
  ["loop { if c { return 1; } }", ""],
  ["loop { if c { break; } return 1; }", "missing-return f"],
  ["loop { if c { continue; } return 1; }", ""],
  ["loop { return 1; continuing { break if c; } }", ""],
  ["loop { if c { return 1; } continuing { break if c; } }", "missing-return f"],
  ["loop { switch i { default: { break; } } }", "endless-loop loop"],
  ["loop { }", "endless-loop loop"],
  ["loop { continue; }", "endless-loop loop"],
  ["loop { continuing { i++; } }", "endless-loop loop"],
  ["loop { loop { break; } }", "endless-loop loop"],
  ["@diagnostic(off, derivative_uniformity) loop { }", "endless-loop loop"],
  ["return 1; loop { }", "endless-loop loop"],
  ["for (;;) { }", "endless-loop for"],
  ["for (;;) { return 1; }", ""],
  ["for (; c;) { return 1; }", "missing-return f"],
  ["for (;;) { if c { break; } }", "missing-return f"],
  ["for (var k = 0; ; k++) { if k == i { return k; } }", ""],
  ["while c { return 1; }", "missing-return f"],
  ["while true { }", "missing-return f"],
  ["while c { break; } return 1;", ""],
])("%s", (body, expected) => {
  const text = `var<private> i: i32; fn f(c: bool) -> i32 { ${body} }`;
  expect(said(text)).toBe(expected);
});

test.each([
  ["fn f() {}", ""],
  ["fn f() { return; }", ""],
  ["fn f() { loop { return; } }", ""],
  ["fn f() { loop { } }", "endless-loop loop"],
  ["fn f() -> i32 { return 1; } fn g() { loop { } } fn h() -> i32 { g(); }", "endless-loop loop, missing-return h"],
  // Where a loop is at fault, no word about the return behind it.
  ["fn f() -> i32 { loop { } return 1; }", "endless-loop loop"],
])("%s", (text, expected) => {
  expect(said(text)).toBe(expected);
});

test("the note says where control gets through", () => {
  const through = (text: string) => {
    const source = new Source(text);
    const [{ span, message }] = analyze(source).diagnostics[0].notes;
    return `${text.slice(0, span.start)}¦${text.slice(span.start)} ${message}`;
  };
  const end = "control gets here without a ‘return’";
  const no = "where this does not hold, control goes on without a ‘return’";
  expect(through("fn f() -> i32 { }")).toBe(`fn f() -> i32 { ¦} ${end}`);
  expect(through("fn f(c: bool) -> i32 { if c { return 1; } else { } }")).toBe(
    `fn f(c: bool) -> i32 { if c { return 1; } else { ¦} } ${end}`,
  );
  expect(through("fn f(c: bool) -> i32 { { if c { return 1; } } }")).toBe(
    `fn f(c: bool) -> i32 { { if ¦c { return 1; } } } ${no}`,
  );
});

test("a missing ‘return’ is shown where control goes on without one, and at the end that it gets to", () => {
  const text = "fn f(c: bool) -> i32 {\nif c {\nreturn 1; }\n}";
  const source = new Source(text);
  const [{ notes }] = analyze(source).diagnostics;
  expect(notes.map(({ span }) => source.position(span.start).line)).toEqual([2, 4]);
  const [whole] = analyze(new Source("fn f() -> i32 { }")).diagnostics;
  expect(whole.notes).toHaveLength(1);
});
