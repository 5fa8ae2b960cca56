/** Where not all invocations of a workgroup go together. */
import type { Program } from "../analysis/program.ts";
import { nonUniformFlow } from "../analysis/uniformity/flow.ts";
import type { NonUniformRange } from "./types.ts";

/** By the rules of the language, for every function; whether it is a fault depends on what stands there. */
export function uniformity(program: Program): readonly NonUniformRange[] {
  return nonUniformFlow(program).map(({ info, span, notes }) => ({
    start: span.start,
    end: span.end,
    function: info.name,
    reason: notes.at(-1)?.message ?? "",
    notes,
  }));
}
