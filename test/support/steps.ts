/** Counts what is executed: the same for the same input, however busy the machine is. */
import { Session } from "node:inspector";

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** Counts from the start: blocks are counted only in functions that are compiled later. */
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

/** Executions of functions of this package, and of blocks in them, since the last call. */
function countSteps(): number {
  let steps = 0;
  // Sessions of the own thread answer at once.
  session.post("Profiler.takePreciseCoverage", (problem, taken) => {
    if (problem !== null) throw problem;
    for (const { url, functions } of (taken as Coverage).result) {
      if (!url.includes("/src/")) continue;
      for (const { ranges } of functions) for (const { count } of ranges) steps += count;
    }
  });
  return steps;
}

/** What the engine does in one step (to search a text, to copy an array) counts as one. */
export function stepsOf(action: () => void): number {
  countSteps();
  action();
  return countSteps();
}
