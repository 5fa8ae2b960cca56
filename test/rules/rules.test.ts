import { describe, expect, test } from "vitest";
import { type AnalyzeOptions, analyze } from "../../src/analysis/analyze.ts";
import { ANALYSIS } from "../../src/diagnostics/catalogue-analysis.ts";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { Source } from "../../src/text/source.ts";
import { ENTRY_POINTS } from "./entry-points.ts";
import { EXPRESSIONS } from "./expressions.ts";
import { LIMITS } from "./limits.ts";
import { NAMES } from "./names.ts";
import { STATEMENTS } from "./statements.ts";
import { TYPES } from "./types.ts";

const MARK = "¦";

function errors(text: string, options?: AnalyzeOptions): readonly Diagnostic[] {
  return analyze(new Source(text), options).diagnostics.filter((item) => item.severity === "error");
}

/** The text with the mark where each error points, and what the errors are. */
function marked(text: string, found: readonly Diagnostic[]): string {
  const at = found[0]?.span.start;
  const place = at === undefined ? text : text.slice(0, at) + MARK + text.slice(at);
  return `${found.map((item) => item.code).join(", ")}: ${place}`;
}

const ALL = { ...NAMES, ...TYPES, ...EXPRESSIONS, ...STATEMENTS, ...ENTRY_POINTS, ...LIMITS };

describe.each(Object.entries(ALL))("%s", (code, cases) => {
  for (const [illegal, legal, options] of cases) {
    test(illegal, () => {
      const text = illegal.replace(MARK, "");
      expect(marked(text, errors(text, options))).toBe(`${code}: ${illegal}`);
      expect(marked(legal, errors(legal))).toBe(`: ${legal}`);
    });
  }
});

/** What pipelines say is shown beside the code that says it. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  "unknown-override",
  "override-value",
  "override-missing",
  "workgroup-too-large",
  "workgroup-storage-too-large",
  "subgroup-size-divides",
]);

test("every rule has a case", () => {
  const codes = Object.entries(ANALYSIS).filter(([, entry]) => entry.severity === "error");
  expect(codes.map(([code]) => code).filter((code) => !(code in ALL) && !ELSEWHERE.has(code))).toEqual([]);
});
