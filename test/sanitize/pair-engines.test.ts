/** Same launch, same findings: on the interpreter alone, and with a first pass on the wasm engine with one and two workers. */
import { afterAll, expect, test } from "vitest";
import { createWasmEngine } from "../../src/engine/wasm-engine/engine.ts";
import { nodeThreads } from "../../src/platform/node/threads.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";
import { type Program, readPairs } from "./pairs.ts";

const engines = [1, 2].map((workers) => createWasmEngine(nodeThreads, { workers }));
afterAll(() => {
  for (const engine of engines) engine.close();
});

async function told(
  { text, launch, options }: Program,
  more: Parameters<typeof sanitize>[1],
): Promise<readonly unknown[]> {
  const { findings } = await sanitize({ ...launch, shader: text }, { ...options, ...more });
  return findings.map(({ code, span, message, count, resource, accesses }) => [
    code,
    span,
    message,
    count,
    resource,
    accesses,
  ]);
}

test.each(readPairs())(
  "$name",
  async ({ wrong, right }) => {
    for (const program of [wrong, right]) {
      const alone = await told(program, {});
      for (const engine of engines) expect(await told(program, { engine })).toEqual(alone);
    }
  },
  20_000,
);
