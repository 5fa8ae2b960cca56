/** Where something stands by now that was found in an earlier text: places go along with their lines. */
import type { JsonDiagnostic } from "halay";
import { commonEnds } from "./common-ends.ts";
import type { OpenFile, Place, Texts } from "./store.ts";

/** A place with its line, from 1. */
export interface PlaceNow extends Place {
  readonly line: number;
}

type Found = Pick<JsonDiagnostic, "path" | "start" | "end">;

/**
 * @param texts of the files when it was found
 * @returns null: the file is closed, or what stood there has been changed
 */
export function placeNow(texts: Texts, { path, start, end }: Found, files: readonly OpenFile[]): PlaceNow | null {
  const now = files.find(({ name }) => name === path)?.text;
  const before = texts.get(path);
  if (now === undefined) return null;
  if (before === undefined || before === now) {
    return { file: path, from: start.offset, to: end.offset, line: start.line };
  }
  const { lineOf, offsetOf } = followed(before, now);
  const [line, from, to] = [lineOf(start.line), offsetOf(start), offsetOf(end)];
  return line === null || from === null || to === null ? null : { file: path, from, to, line };
}

interface Followed {
  readonly before: string;
  readonly now: string;
  /** Lines from 1. */
  readonly lineOf: (line: number) => number | null;
  readonly offsetOf: (position: Found["start"]) => number | null;
}

/** The newest last. Few files are asked about, each again and again. */
const known: Followed[] = [];
const KEPT = 4;

function followed(before: string, now: string): Followed {
  const at = known.findIndex((each) => each.before === before && each.now === now);
  if (at >= 0) return known[at];
  const lines = followLines(before.split("\n"), now.split("\n"));
  const [startsBefore, startsNow] = [lineStarts(before), lineStarts(now)];
  const lineOf = (line: number) => (lines[line - 1] === null ? null : lines[line - 1]! + 1);
  const offsetOf = ({ line, offset }: Found["start"]) => {
    const to = lineOf(line);
    return to === null ? null : startsNow[to - 1] + offset - startsBefore[line - 1];
  };
  const made = { before, now, lineOf, offsetOf };
  known.push(made);
  if (known.length > KEPT) known.shift();
  return made;
}

export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Pairs of lines that are compared one by one; with more, those between the first and the last change are given up. */
const MOST_PAIRS = 4_000_000;

/** For each line, which one it is now, from 0; null: it is no more. */
export function followLines(before: readonly string[], now: readonly string[]): readonly (number | null)[] {
  const { head, tail } = commonEnds(before, now, (i, j) => before[i] === now[j]);
  const middle = longestCommon(before.slice(head, before.length - tail), now.slice(head, now.length - tail));
  return before.map((_, i) => {
    if (i < head) return i;
    if (i >= before.length - tail) return i + now.length - before.length;
    const found = middle[i - head];
    return found === null ? null : found + head;
  });
}

/** The longest sequence of lines that both have. */
function longestCommon(before: readonly string[], now: readonly string[]): readonly (number | null)[] {
  const [rows, columns] = [before.length, now.length];
  if (rows * columns > MOST_PAIRS) return before.map(() => null);
  const width = columns + 1;
  const lengths = new Uint16Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const skipped = Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
      lengths[i * width + j] = before[i] === now[j] ? lengths[(i + 1) * width + j + 1] + 1 : skipped;
    }
  }
  const found: (number | null)[] = before.map(() => null);
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (before[i] === now[j]) found[i++] = j++;
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
    else j++;
  }
  return found;
}
