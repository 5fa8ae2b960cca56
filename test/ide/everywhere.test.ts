/**
 * Every service at every offset, of legal and of damaged shaders: nothing throws, and places lie in the text.
 *
 * OFFSETS=1 SHADERS=300 npx vitest run test/ide
 */
import { expect, test } from "vitest";
import * as ide from "../../src/ide.ts";
import { damaged } from "../damage/mutations.ts";
import { generator } from "../differential/values.ts";
import { listFiles, read } from "../house/tree.ts";
import { Choice } from "../random/choice.ts";

/** One offset in so many is tried; which, changes from text to text. */
const stride = Number(process.env.OFFSETS ?? 11);
const count = Number(process.env.SHADERS ?? 300);

/** Damage makes texts long; each is tried at so many offsets. */
const MOST_OFFSETS = 40;

// What the entry exports is what `src/ide/types.ts` promises.
ide satisfies ide.Services;

function spansOf(value: unknown): readonly { readonly start: number; readonly end: number }[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "start" in value && "end" in value ? [value as { start: number; end: number }] : [];
  return [...own, ...Object.values(value).flatMap(spansOf)];
}

/** Whether all places lie in the text. */
function isInside(text: string, value: unknown): boolean {
  return spansOf(value).every(({ start, end }) => 0 <= start && start <= end && end <= text.length);
}

/** What is wrong; empty: nothing. */
function faults(text: string, offsets: readonly number[]): readonly string[] {
  const found: string[] = [];
  const attempt = (what: string, service: () => unknown): void => {
    try {
      if (!isInside(text, service())) found.push(`${what}: outside of the text`);
    } catch (error) {
      found.push(`${what}: ${String((error as Error).stack).slice(0, 400)}`);
    }
  };
  const program = ide.check(text).analysis;
  attempt("highlight", () => ide.highlight(text));
  attempt("documentSymbols", () => ide.documentSymbols(program));
  attempt("foldingRanges", () => ide.foldingRanges(program));
  attempt("inlayHints", () => ide.inlayHints(program));
  attempt("sharedMemory", () => ide.sharedMemory(program));
  attempt("uniformity", () => ide.uniformity(program));
  attempt("codeActions", () => ide.codeActions(program, { start: 0, end: text.length }));
  for (const offset of offsets) {
    attempt(`hover at ${offset}`, () => ide.hover(program, offset));
    attempt(`definition at ${offset}`, () => ide.definition(program, offset));
    attempt(`references at ${offset}`, () => ide.references(program, offset));
    attempt(`completions at ${offset}`, () => ide.completions(program, offset).replace);
    attempt(`signatureHelp at ${offset}`, () => ide.signatureHelp(program, offset)?.signatures.length);
    attempt(`rename at ${offset}`, () => ide.rename(program, offset, "renamed"));
  }
  return found;
}

const examples = listFiles("examples", ".wgsl");

test.each(examples)(
  "%s",
  (path) => {
    const text = read(path);
    const offsets = Array.from({ length: text.length + 1 }, (_, at) => at);
    expect(
      faults(
        text,
        offsets.filter((at) => at % stride === path.length % stride),
      ),
    ).toEqual([]);
  },
  120_000,
);

test("damaged shaders", () => {
  const found: string[] = [];
  for (let index = 0; index < count && found.length === 0; index++) {
    const random = generator(7_000_003 + index);
    const choice = new Choice({ nextInt: (low, high) => low + Math.floor(random() * (high - low + 1)) });
    const path = choice.pick(examples);
    const { text, name } = damaged(read(path), choice);
    const offsets = Array.from({ length: MOST_OFFSETS / (stride === 1 ? 1 : 5) }, () => choice.int(0, text.length));
    found.push(...faults(text, offsets).map((fault) => `${path}, ${name}, ${index}: ${fault}`));
  }
  expect(found).toEqual([]);
}, 300_000);
