/** Texts with `▮` where the cursor is. */
import { analyze } from "../../src/analysis/analyze.ts";
import type { Program } from "../../src/analysis/program.ts";
import { Source, type Span } from "../../src/text/source.ts";

export interface Marked {
  readonly program: Program;
  readonly text: string;
  /** Of the first mark. */
  readonly offset: number;
}

export function marked(withMark: string): Marked {
  const offset = withMark.indexOf("▮");
  const text = withMark.replaceAll("▮", "");
  return { program: analyze(new Source(text)), text, offset };
}

/** The text with `⟦ ⟧` around spans that do not overlap. */
export function bracketed(text: string, spans: readonly Span[]): string {
  return [...spans]
    .sort((a, b) => b.start - a.start)
    .reduce((all, { start, end }) => `${all.slice(0, start)}⟦${all.slice(start, end)}⟧${all.slice(end)}`, text);
}
