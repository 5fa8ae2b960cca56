/** At each argument of each call in the examples, help is about that argument of that function. */
import { expect, test } from "vitest";
import { check, signatureHelp } from "../../src/ide.ts";
import type { CallExpr } from "../../src/syntax/ast.ts";
import { listFiles, read } from "../house/tree.ts";

const shaders = [...listFiles("examples", ".wgsl"), ...listFiles("test/cases", ".wgsl").slice(0, 40)];

/** Of whole texts, and of texts cut behind the argument. */
test.each(shaders)("%s", (path) => {
  const text = read(path);
  const program = check(text).analysis;
  const calls = program.expressionOf.filter((expr): expr is CallExpr => expr?.kind === "call");
  for (const [at, { callee, args }] of calls.entries()) {
    const name = /^\w+/.exec(callee.name.text)![0];
    for (const [index, { span }] of args.entries()) {
      const inWhole = signatureHelp(program, span.start);
      const inCut = at % 5 === 0 ? signatureHelp(check(text.slice(0, span.start)).analysis, span.start) : inWhole;
      for (const help of [inWhole, inCut]) {
        const what = `argument ${index} of ${name} at ${span.start}`;
        expect(help === null ? null : help.signatures.length, what).toBeGreaterThan(0);
        const { parameters } = help!.signatures[help!.activeSignature];
        expect([what, help!.activeParameter]).toEqual([what, Math.min(index, parameters.length - 1)]);
      }
    }
  }
});
