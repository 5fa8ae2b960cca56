/** Random programs as benches, and the names by which the oracle tells memories apart. */
import type { Memory } from "../../src/engine/memory.ts";
import type { Schedule } from "../../src/engine/schedule.ts";
import type { RootId } from "../../src/ir/ir.ts";
import { innermostParts } from "../../src/sanitize/cells.ts";
import { Bench } from "../support/engine.ts";
import type { OracleAccess } from "./oracle.ts";
import type { RandomProgram } from "./programs.ts";

export function benchOf({ source, workgroups, alias }: RandomProgram, schedule?: Schedule): Bench {
  const bench = new Bench(source, {}, { workgroups: [workgroups, 1, 1], ...(schedule && { schedule }) });
  if (alias === null) return bench;
  const bindings = new Map(bench.request.bindings);
  const root = (name: string) => bench.module.roots.find((each) => each.name === name)?.id;
  const [words, other] = [root("words"), root(alias)];
  if (words !== undefined && other !== undefined) bindings.set(words, bindings.get(other)!);
  Object.assign(bench, { request: { ...bench.request, bindings } });
  return bench;
}

/** Names of memories: of workgroup variables the root, of buffers the first root that is bound to it. */
export function memoryNames(bench: Bench): (root: RootId) => string {
  const names = new Map<Memory, string>();
  for (const [root, { memory }] of bench.request.bindings) if (!names.has(memory)) names.set(memory, `${root}`);
  return (root) => {
    const memory = bench.request.bindings.get(root)?.memory;
    return memory === undefined ? `own ${root}` : names.get(memory)!;
  };
}

/** First byte of the innermost vector that a byte of a variable lies in. */
export function cellStart(type: OracleAccess["site"]["type"], byte: number): number {
  return innermostParts(type).findLast(({ offset }) => offset <= byte)!.offset;
}
