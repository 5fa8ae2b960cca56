/** What the checkers give: findings are diagnostics with evidence. Plain data. */
import type { PlacedDiagnostic } from "../diagnostics/diagnostic.ts";
import type { AccessKind } from "../engine/flat.ts";
import type { InvocationId, RunResult } from "../launch/results.ts";
import type { ViewValue } from "../layout/view.ts";
import type { Span } from "../text/source.ts";

/** Groups of findings that are looked for together. */
export const CHECKS = [
  "races",
  "atomics",
  "barriers",
  "bounds",
  "counters",
  "progress",
  "order",
  "contention",
  "init",
  "numeric",
  "needless",
] as const;

export type Check = (typeof CHECKS)[number];

/** What is looked for if nothing is said: the others ask what many right programs do. */
export const DEFAULT_CHECKS: readonly Check[] = CHECKS.filter(
  (check) => check !== "init" && check !== "numeric" && check !== "needless",
);

/** One of the accesses that a finding is about. Its place is in the finding's source. */
export interface FindingAccess {
  readonly kind: AccessKind;
  /** WGSL name of the atomic function; null for loads and stores. */
  readonly atomic: string | null;
  readonly span: Span;
  readonly invocation: InvocationId;
  /** How many barriers that order this memory the workgroup had passed. */
  readonly phase: number;
  /** What was read; of writes, what was there afterwards. */
  readonly value: ViewValue;
}

/** The variable that a finding is about. */
export interface Resource {
  readonly name: string;
  readonly group: number | null;
  readonly binding: number | null;
  /** `cells[3].vel.y`. */
  readonly path: string;
  readonly byteOffset: number;
}

/** The schedule under which it shows. */
export interface Replay {
  readonly schedule: "in-order" | "interleave" | "random" | "given";
  readonly seed: number;
  /** Of large dispatches only that many workgroups, the first ones; left out: all. */
  readonly workgroups?: number;
}

export interface Finding extends PlacedDiagnostic {
  readonly resource: Resource | null;
  readonly accesses: readonly FindingAccess[];
  /** Of races: how many addresses it was found at; of all others: how often it happened. */
  readonly count: number;
  readonly replay: Replay | null;
}

/** How much was looked at. */
export interface Checked {
  readonly checks: readonly Check[];
  readonly invocations: number;
  /** Accesses to storage and workgroup memory. */
  readonly accesses: number;
  readonly dispatches: number;
  /** The schedules that were run, the launch's own first. */
  readonly schedules: readonly Replay[];
  /** Findings that the source or the baseline silences. */
  readonly suppressed: number;
  /**
   * Findings that are not among those told because no more were asked for (`maxFindings`), and pairs of lines that race
   * beyond those of which findings are made: at least so many.
   */
  readonly untold: number;
}

export interface SanitizeResult extends RunResult {
  readonly findings: readonly Finding[];
  readonly checked: Checked;
}
