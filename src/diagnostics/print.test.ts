import { describe, expect, test } from "vitest";
import { Source, type Span } from "../text/source.ts";
import { diagnostic, fix, note, type PlacedDiagnostic } from "./diagnostic.ts";
import { countSeverities, countText } from "./print.ts";
import { displayWidth, printable } from "./print-columns.ts";
import { printCompact } from "./print-compact.ts";
import { printGithub } from "./print-github.ts";
import { diagnosticsToJson } from "./print-json.ts";
import { printMarkdown } from "./print-markdown.ts";
import { coloured } from "./print-palette.ts";
import { printPretty } from "./print-pretty.ts";

/** Text with the main place between « and » and places of notes between ‹ and ›. */
function marked(text: string): { source: Source; main: Span; places: Span[] } {
  let plain = "";
  const open: number[] = [];
  const places: Span[] = [];
  let main: Span = { start: 0, end: 0 };
  for (const character of text) {
    if (character === "«" || character === "‹") open.push(plain.length);
    else if (character === "»") main = { start: open.pop() as number, end: plain.length };
    else if (character === "›") places.push({ start: open.pop() as number, end: plain.length });
    else plain += character;
  }
  return { source: new Source(plain, "dir/a.wgsl"), main, places };
}

function located(text: string, extras: { hint?: string; replace?: string } = {}): PlacedDiagnostic {
  const { source, main, places } = marked(text);
  const name = source.slice(main);
  const notes = places.map((span) => note("declared-here", span, { name: source.slice(span) }));
  if (extras.hint !== undefined) notes.push(note("did-you-mean", main, { name: extras.hint }));
  const fixes =
    extras.replace === undefined
      ? []
      : [fix("replace-with", { text: extras.replace }, [{ span: main, text: extras.replace }])];
  return { ...diagnostic("unresolved-identifier", main, { name }, { notes, fixes }), source };
}

/** What stands between the place and the notes at the end. */
function frame(text: string, width = 100): string {
  const rows = printPretty(located(text), { width }).split("\n");
  return rows
    .slice(2, -3)
    .map((row) => row.trimEnd())
    .join("\n");
}

describe("pretty", () => {
  test("message, place, line, hint, fix and section", () => {
    expect(printPretty(located("let x = «foo»;", { hint: "food", replace: "fool" }))).toBe(`\
error[unresolved-identifier]: ‘foo’ is not declared
 --> dir/a.wgsl:1:9
  │
1 │ let x = foo;
  │         ^^^
  │
  = hint: did you mean ‘food’?
1 + let x = food;
  = fix: replace with ‘fool’
1 + let x = fool;
  = spec: https://www.w3.org/TR/WGSL/#resolves
`);
  });

  test("what a hint says already is not offered again", () => {
    const printed = printPretty(located("let x = «foo»;", { hint: "food", replace: "food" }));
    expect(printed).toContain("  = hint: did you mean ‘food’?\n1 + let x = food;\n");
    expect(printed).not.toContain("fix:");
  });

  test.each<[string, readonly (readonly [number, number, string])[], readonly string[]]>([
    ["a line behind another", [[1, 1, "\n  d"]], ["2 +   d"]],
    ["a line with more on it", [[2, 3, "x"]], ["2 + x b"]],
    [
      "far apart",
      [
        [0, 1, "x\ny"],
        [16, 17, "z"],
      ],
      ["1 + x", "2 + y", "  ⋮", "7 + z"],
    ],
    [
      "neighbouring lines",
      [
        [2, 3, "y"],
        [0, 1, "x"],
      ],
      ["1 + x", "2 + y b"],
    ],
    ["the end of the text", [[17, 17, "\nh"]], ["7 + h"]],
    ["many lines", [[0, 1, "x\n".repeat(20)]], [..."12345678"].map((n) => `${n} + x`).concat("  ⋮")],
    ["a line that goes", [[0, 2, ""]], []],
    ["line ends of other systems", [[16, 17, "z\r\ny\rx"]], ["6 + z", "7 + y", "8 + x"]],
  ])("a fix shows the lines that it changes, with their new numbers: %s", (_, edits, rows) => {
    const item = located("«a»\nb b\nc c c\ne\nf\ng");
    const made = edits.map(([start, end, text]) => ({ span: { start, end }, text }));
    const printed = printPretty({ ...item, fixes: [fix("insert-default", {}, made)] }).split("\n");
    expect(printed.slice(printed.indexOf("  = fix: add a ‘default’ clause") + 1, -2)).toEqual(rows);
  });

  test("second places stand in the same frame", () => {
    expect(frame("‹a› = 1;\nb;\nc;\nf(‹b›, «a», ‹c›);\n\nd(‹d›);")).toBe(`\
  │
1 │ a = 1;
  │ ─ ‘a’ is declared here
  ⋮
4 │ f(b, a, c);
  │   ─  ^  ─ ‘c’ is declared here
  │   │
  │   ‘b’ is declared here
5 │
6 │ d(d);
  │   ─ ‘d’ is declared here`);
  });

  test("several places of one line hang in order", () => {
    expect(frame("‹a› ‹b› «c»")).toBe(`\
  │
1 │ a b c
  │ ─ ─ ^
  │ │ │
  │ │ ‘b’ is declared here
  │ ‘a’ is declared here`);
  });

  test("places that begin in one column hang one below the other", () => {
    expect(frame("f(‹‹a›.x›, «b»)")).toBe(`\
  │
1 │ f(a.x, b)
  │   ───  ^
  │   │
  │   ‘a.x’ is declared here
  │   ‘a’ is declared here`);
  });

  test("tabs, wide and combining characters keep the marks under their text", () => {
    expect(frame("\tlet 日本 = «e\u0301x»; // 👍")).toBe(`\
  │
1 │     let 日本 = e\u0301x; // 👍
  │                ^^`);
  });

  test("a place over lines is marked on each, of a long one on the first and the last", () => {
    expect(frame("«f(\n  a,\n)»")).toBe("  │\n1 │ f(\n  │ ^^\n2 │   a,\n  │   ^^\n3 │ )\n  │ ^");
    expect(frame("«f(\n\n\n\n\n)»")).toBe("  │\n1 │ f(\n  │ ^^\n  ⋮\n6 │ )\n  │ ^");
  });

  test("the end of the text is a place", () => {
    expect(frame("a«»")).toBe("  │\n1 │ a\n  │  ^");
    expect(frame("a\n«»")).toBe("  │\n2 │\n  │ ^");
  });

  test("a place that ends with a line break does not reach the next line", () => {
    expect(frame("«a\n»b")).toBe("  │\n1 │ a\n  │ ^");
  });

  test.each([
    ["before", `«bad» ${"x = 1; ".repeat(50)}`, /^1 │ bad x = 1;.*…$/],
    ["behind", `${"x = 1; ".repeat(50)}«bad»`, /^1 │ ….* x = 1; bad$/],
    ["around", `${"x = 1; ".repeat(50)}«bad» ${"x = 1; ".repeat(50)}`, /^1 │ ….* bad .*…$/],
    ["far around", `${"x = 1; ".repeat(100_000)}«bad» ${"x = 1; ".repeat(100_000)}`, /^1 │ ….* bad .*…$/],
  ])("a long line is cut %s its place", (_, text, expected) => {
    const [, line, marks] = frame(text, 60).split("\n");
    expect(line).toMatch(expected);
    expect(displayWidth(line)).toBeLessThanOrEqual(60);
    expect(marks.indexOf("^^^")).toBe(line.indexOf("bad"));
  });

  test("a second place outside of the part that is shown is told in words", () => {
    const near = printPretty(located(`‹a› ${"x ".repeat(100)}«b»`), { width: 60 });
    expect(near).toMatch(/\n1 │ ….* x b\n {2}│ +\^\n {2}│\n {2}= note: ‘a’ is declared here \(1:1\)\n/);
    const far = printPretty(located(`‹a› ${"x ".repeat(10_000)}«b»`), { width: 60 });
    expect(far).toContain("= note: ‘a’ is declared here (1:1)");
  });

  test("a place longer than the terminal is marked as far as it is seen", () => {
    const [, line, marks] = frame(`«${"x".repeat(500)}»`, 40).split("\n");
    expect(displayWidth(line)).toBeLessThanOrEqual(40);
    expect(displayWidth(marks)).toBeLessThanOrEqual(40);
  });

  test("what a terminal would obey is not sent to it", () => {
    const printed = printPretty(located("/*\u001b[2J\u202e*/ «\u001b]0;x»"));
    expect(printed).not.toMatch(/[\u001b\u202e]/);
    expect(printed).toContain("␛");
  });

  test("colours change nothing but colours", () => {
    const item = located("‹a› = 1;\nf(‹b›, «a», ‹c›);", { hint: "b", replace: "b" });
    const painted = printPretty(item, { paint: coloured });
    expect(painted).toMatch(/\u001b\[1;31m\^\u001b\[0m/);
    expect(painted.replace(/\u001b\[[\d;]*m/g, "")).toBe(printPretty(item));
  });
});

test("compact: one line each", () => {
  expect(printCompact(located("\nlet x = «foo\n»;"))).toBe(
    "dir/a.wgsl:2:9: error unresolved-identifier ‘foo ’ is not declared\n",
  );
});

test("github: a workflow command with its separators escaped", () => {
  expect(printGithub(located("let x = «100%\nfoo»;"))).toBe(
    "::error file=dir/a.wgsl,line=1,endLine=2,col=9,title=halay unresolved-identifier::‘100%25%0Afoo’ is not declared\n",
  );
  expect(printGithub(located("let ‹x› = «foo»;"))).toContain(
    "endColumn=12,title=halay unresolved-identifier::‘foo’ is not declared%0A‘x’ is declared here\n",
  );
});

test("markdown: what would be markup is escaped", () => {
  expect(printMarkdown([located("let ‹x› = «a_b»;")])).toBe(`\
### dir/a.wgsl

1 error

- **error** 1:9 \`unresolved-identifier\`: ‘a\\_b’ is not declared ([#resolves](https://www.w3.org/TR/WGSL/#resolves))
  - ‘x’ is declared here

  \`\`\`wgsl
  let x = a_b;
  \`\`\`
`);
});

describe("json", () => {
  test("every place has a path, lines and columns from 1, offsets from 0", () => {
    const [item] = diagnosticsToJson([located("let ‹x› =\n «foo»;", { replace: "x" })]);
    const at = (line: number, column: number, offset: number) => ({ line, column, offset });
    expect(item).toEqual({
      code: "unresolved-identifier",
      severity: "error",
      message: "‘foo’ is not declared",
      args: { name: "foo" },
      path: "dir/a.wgsl",
      start: at(2, 2, 9),
      end: at(2, 5, 12),
      spec: "#resolves",
      notes: [{ message: "‘x’ is declared here", path: "dir/a.wgsl", start: at(1, 5, 4), end: at(1, 6, 5) }],
      fixes: [
        {
          title: "replace with ‘x’",
          edits: [{ path: "dir/a.wgsl", start: at(2, 2, 9), end: at(2, 5, 12), text: "x" }],
        },
      ],
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  test("a fingerprint outlives moved lines and folders, not other codes, lines or names", () => {
    const of = (text: string) => diagnosticsToJson([located(text)])[0].fingerprint;
    expect(of("\n\n  let x = «foo»;")).toBe(of("let x = «foo»;"));
    expect(of("let y = «foo»;")).not.toBe(of("let x = «foo»;"));
  });

  test("equal messages on equal lines have fingerprints of their own", () => {
    const item = located("let x = «foo»;");
    const prints = diagnosticsToJson([item, item, item]).map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(3);
    expect(prints[0]).toBe(diagnosticsToJson([item])[0].fingerprint);
  });
});

test("counts are said in words", () => {
  expect(countText({ error: 0, warning: 0, info: 0 })).toBe("");
  expect(countText({ error: 1, warning: 2, info: 3 })).toBe("1 error, 2 warnings, 3 info");
  expect(countSeverities([located("«a»")])).toEqual({ error: 1, warning: 0, info: 0 });
});

test("display width", () => {
  expect(displayWidth("aé日本👍e\u0301\u200d")).toBe(9);
  expect(printable("a\tb\u0000\u007f\u0085")).toBe("a␉b␀␡\ufffd");
});
