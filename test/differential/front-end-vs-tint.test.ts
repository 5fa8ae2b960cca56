/**
 * Verdicts on random programs, ours against Tint's: what is valid by construction is accepted by both, what was broken
 * in one place is refused by both, with the error on the same line.
 *
 * PROGRAMS=20000 SEED=7 npx vitest run test/differential/front-end-vs-tint.test.ts
 */
import { beforeAll, describe, expect, test } from "vitest";
import { type Broken, sampleBroken } from "../random/break.ts";
import { samplePrograms } from "../random/program.ts";
import { type Tint, tint } from "./tint.ts";
import {
  type Comparison,
  disagreement,
  KNOWN_PLACES,
  KNOWN_VERDICTS,
  type KnownDifference,
  ourVerdict,
  tintVerdict,
} from "./verdicts.ts";

/** Of each level. */
const count = Math.ceil(Number(process.env.PROGRAMS ?? 600) / 6);
const seed = Number(process.env.SEED ?? 1);
const TIMEOUT = 60_000 + count * 200;

let oracle: Tint;
beforeAll(async () => {
  oracle = await tint();
});

async function compare(source: string): Promise<Comparison> {
  return { source, ours: ourVerdict(source), theirs: await tintVerdict(oracle, source) };
}

function described(comparison: Comparison, what: string): string {
  const { source, ours, theirs } = comparison;
  const place = (line: number | undefined) => (line === undefined ? "" : `: ${source.split("\n")[line - 1]?.trim()}`);
  const say = (verdict: Comparison["ours"]) =>
    verdict === null ? "accepts" : `${verdict.line} ${verdict.message.slice(0, 200)}`;
  return `${what}\n  ours: ${say(ours)}${place(ours?.line)}\n  Tint: ${say(theirs)}${place(theirs?.line)}`;
}

/** Counts what is known, and returns the rest. */
class Tally {
  readonly unexplained: string[] = [];
  readonly known = new Map<string, number>();

  add(comparison: Comparison, what: string): void {
    const kind = disagreement(comparison);
    if (kind === null) return;
    const table: readonly KnownDifference[] = kind === "verdict" ? KNOWN_VERDICTS : KNOWN_PLACES;
    const known = table.find((each) => each.explains(comparison));
    if (known === undefined) this.unexplained.push(described(comparison, what));
    else this.known.set(known.name, (this.known.get(known.name) ?? 0) + 1);
  }

  report(title: string, total: number): void {
    const list = [...this.known].map(([name, times]) => `${times} × ${name}`).join("; ");
    console.log(`${title}: ${total} programs, ${this.unexplained.length} unexplained${list ? `; known: ${list}` : ""}`);
  }
}

describe.each(["a", "b", "c"] as const)("level %s", (level) => {
  test(
    "what is valid is accepted by both",
    async () => {
      const tally = new Tally();
      const refused: string[] = [];
      for (const { source } of samplePrograms(count, seed, { level })) {
        const comparison = await compare(source);
        tally.add(comparison, source);
        if (comparison.ours !== null) refused.push(described(comparison, source));
      }
      tally.report(`level ${level}, valid`, count);
      expect(refused.slice(0, 3)).toEqual([]);
      expect(tally.unexplained.slice(0, 3)).toEqual([]);
    },
    TIMEOUT,
  );

  test(
    "what is broken in one place is refused by both, on the same line",
    async () => {
      const tally = new Tally();
      const accepted: string[] = [];
      for (const broken of sampleBroken(count, seed, { level, size: 10 })) {
        const comparison = await compare(broken.source);
        tally.add(comparison, what(broken));
        if (broken.isCertain && comparison.ours === null) accepted.push(described(comparison, what(broken)));
      }
      tally.report(`level ${level}, broken`, count);
      expect(accepted).toEqual([]);
      expect(tally.unexplained).toEqual([]);
    },
    TIMEOUT,
  );
});

test.each(["false && x", "no && x", "vec2<bool>(true, false).y && x", "!((2u > 1u) || x)"])(
  "a constant on the left that decides is known, however it is written: %s",
  async (zero) => {
    const comparison = await compare(`const no = false;\nfn f(x: bool) {\n  _ = 1u / u32(${zero});\n}`);
    expect(disagreement(comparison)).toBe("verdict");
    expect(KNOWN_VERDICTS.filter((each) => each.explains(comparison))).toHaveLength(1);
  },
);

function what({ what, line, source }: Broken): string {
  return `${what}, line ${line}: ${source.split("\n")[line - 1]?.trim()}`;
}
