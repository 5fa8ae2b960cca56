/** A dispatch that does not end is told at the loop, whatever else its invocations do, and however it is run. */
import { expect, test } from "vitest";
import type { PlacedDiagnostic } from "../../src/diagnostics/diagnostic.ts";
import { type RunOptions, run } from "../../src/launch/run.ts";
import { sanitize } from "../../src/sanitize/sanitize.ts";

const BODIES = {
  "with a barrier": `loop { // HERE
    workgroupBarrier();
    if (k == 0u) { break; }
  }`,
  "with a barrier that a function holds": `while (k != 0u) { // HERE
    all[i] += 1u;
    meet();
  }`,
  "that asks for a value of the workgroup": `loop { // HERE
    let seen = workgroupUniformLoad(&go);
    if (seen == 7u) { break; }
  }`,
  "of one, for whom all others wait at a barrier": `if (i == 30u) {
    while (k != 0u) { // HERE
      all[i] += 1u;
    }
  }
  workgroupBarrier();`,
  "behind a loop with barriers that ends": `for (var j = 0u; j < 3u; j++) { workgroupBarrier(); }
  while (k != 0u) { // HERE
    all[i] += 1u;
  }`,
  "in which all wait for ever": `loop { if (atomicLoad(&flag) == 7u) { break; } } // HERE`,
};

/** Nobody is told who waits, so that it is told that nobody ends. */
const shaderOf = (body: string) => `diagnostic(off, halay.no_forward_progress);
var<workgroup> go: u32;
@group(0) @binding(0) var<storage, read_write> all: array<u32>;
@group(0) @binding(1) var<storage, read_write> flag: atomic<u32>;
fn meet() { workgroupBarrier(); }
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
  var k = 1u;
  ${body}
}`;

/** Lines; null where it is of nobody. */
function endlessAt(diagnostics: readonly PlacedDiagnostic[]): readonly (number | null)[] {
  const found = diagnostics.filter(({ code }) => code === "timeout");
  return found.map(({ source, span, args }) => (args.count === 0 ? null : source.position(span.start).line));
}

const WAYS: Readonly<Record<string, RunOptions>> = {
  "in order": {},
  interleaved: { schedule: "interleave" },
  "at random": { schedule: "random", seed: 3 },
};

test.each(Object.entries(BODIES))("%s", async (_, body) => {
  const shader = shaderOf(body);
  const line = shader.split("\n").findIndex((each) => each.includes("// HERE")) + 1;
  const launch = { shader, workgroups: [2], buffers: { all: "zeros:64" } };
  for (const [name, how] of Object.entries(WAYS)) {
    const ran = await run(launch, { ...how, timeout: 0.2 });
    expect(endlessAt(ran.diagnostics), `run ${name}`).toEqual([line]);
    const seen = await sanitize(launch, { ...how, timeout: 0.3 });
    expect(endlessAt(seen.findings), `sanitize ${name}`).toEqual([line]);
  }
});
