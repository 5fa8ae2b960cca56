/** No service takes quadratic time: sixteen times as much text never takes eight times as long for each part. */
import { expect, test } from "vitest";
import * as ide from "../../src/ide.ts";
import { MODULES } from "../support/large-modules.ts";

/** All that an editor asks when it opens a text, and when somebody writes at its end. */
function useAll(text: string): void {
  const program = ide.check(text, { advice: false }).analysis;
  ide.highlight(text);
  ide.documentSymbols(program);
  ide.foldingRanges(program);
  ide.inlayHints(program);
  ide.sharedMemory(program);
  ide.uniformity(program);
  const offset = text.lastIndexOf(" ");
  const names = [...text.matchAll(/\b[a-z]\w*/g)];
  ide.completions(program, offset);
  ide.signatureHelp(program, offset);
  ide.hover(program, offset);
  ide.rename(program, names[names.length >> 1].index, "renamed");
}

function microseconds(text: string): number {
  const before = process.cpuUsage();
  useAll(text);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const least = (text: string): number => Math.min(...Array.from({ length: 2 }, () => microseconds(text)));

const FEW = 150;
const MANY = 2400;

test.each(Object.keys(MODULES))(
  "%s",
  (name) => {
    const module = MODULES[name];
    expect(least(module(MANY)) / MANY).toBeLessThan((8 * least(module(FEW))) / FEW);
  },
  60_000,
);
