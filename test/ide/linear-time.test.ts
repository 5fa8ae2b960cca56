/** No service takes quadratic time: sixteen times as much text never takes three times as many steps for each part. */
import { expect, test } from "vitest";
import * as ide from "../../src/ide.ts";
import { MODULES } from "../support/large-modules.ts";
import { stepsOf } from "../support/steps.ts";

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

const FEW = 150;
const MANY = 2400;

test.each(Object.keys(MODULES))(
  "%s",
  (name) => {
    const module = MODULES[name];
    const steps = (count: number) => stepsOf(() => useAll(module(count)));
    expect(steps(MANY) / MANY).toBeLessThan((3 * steps(FEW)) / FEW);
  },
  60_000,
);
