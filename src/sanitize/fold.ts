/** Findings of all dispatches and schedules as one list: each once, in a stable order, without those that another explains. */
import { compareDiagnostics } from "../diagnostics/diagnostic.ts";
import type { Finding } from "./finding.ts";

/** The same code at the same lines about the same variable is one finding. */
function keyOf({ code, source, span, accesses, resource }: Finding): string {
  const lines = [span, ...accesses.map((access) => access.span)].map(({ start }) => source.position(start).line);
  return [code, source.path, resource?.name ?? "", ...lines].join("\n");
}

function aboutOf({ code, source, resource }: Finding): string {
  return [READ_EARLY.has(code) ? "race" : code, source.path, resource?.name ?? ""].join("\n");
}

/** Whether a finding is about places that hang on what a variable holds. */
export type HangsOn = (finding: Finding, variable: string) => boolean;

/** Folds the findings of the runs of a launch, the launch's own schedule first. */
export class Fold {
  readonly #found = new Map<string, Finding>();
  /** In how many schedules something was seen of each variable, by what it was. */
  readonly #seen = new Map<string, number>();
  #schedules = 0;
  readonly #hangsOn: HangsOn;

  constructor(hangsOn: HangsOn) {
    this.#hangsOn = hangsOn;
  }

  /** Findings of a schedule in which everything was looked for. */
  addSchedule(findings: readonly Finding[]): void {
    this.#schedules++;
    for (const key of new Set(findings.map(aboutOf))) this.#seen.set(key, (this.#seen.get(key) ?? 0) + 1);
    this.add(findings);
  }

  /** Findings of one schedule: of one place they are added up, those known from other schedules are left out. */
  add(findings: readonly Finding[]): void {
    const own = new Map<string, Finding>();
    for (const finding of findings) {
      const key = keyOf(finding);
      if (this.#found.has(key)) continue;
      const known = own.get(key);
      own.set(key, known === undefined ? finding : { ...known, count: known.count + finding.count });
    }
    for (const [key, finding] of own) this.#found.set(key, finding);
  }

  get findings(): readonly Finding[] {
    const found = [...this.#found.values()];
    return inOrder(found.filter((finding) => !this.#isExplained(finding) && !this.#isConsequence(finding)));
  }

  /**
   * Its variable shows nothing of the kind in some order, and the place hangs on another one that is read while others write
   * it in all of them: what was read led here. Races of their own are seen in every order.
   */
  #isConsequence(finding: Finding): boolean {
    if (!CONSEQUENCES.has(finding.code) || this.#isAlways(finding)) return false;
    return [...this.#found.values()].some(
      (race) =>
        READ_EARLY.has(race.code) &&
        race.source === finding.source &&
        race.resource !== null &&
        race.resource.name !== finding.resource?.name &&
        race.accesses.some(({ kind }) => kind === "read") &&
        this.#isAlways(race) &&
        this.#hangsOn(finding, race.resource.name),
    );
  }

  #isAlways(finding: Finding): boolean {
    return this.#seen.get(aboutOf(finding)) === this.#schedules;
  }

  /** True where a finding says already why results differ. */
  explainsOrder(names: ReadonlySet<string>): boolean {
    return [...this.#found.values()].some(
      ({ code, resource }) => EXPLAIN_ORDER.has(code) && resource !== null && names.has(resource.name),
    );
  }

  get explainsContent(): boolean {
    return [...this.#found.values()].some(({ code }) => EXPLAIN_ORDER.has(code) || EXPLAIN_TIMING.has(code));
  }

  /**
   * Atomics that are unordered where a loop waits were meant to be ordered by it; a counter that wraps says it better. Of
   * two places that race the addresses where they happen to write the same say nothing more.
   */
  #isExplained(finding: Finding): boolean {
    const { code, resource, source } = finding;
    if (code === "same-value-write") {
      return RACES.some((race) => this.#found.has(keyOf({ ...finding, code: race })));
    }
    if (code === "timeout") return [...this.#found.values()].some((other) => other.code === "no-forward-progress");
    if (code !== "unordered-atomics") return false;
    return [...this.#found.values()].some(
      (other) =>
        other.source === source &&
        (other.code === "no-forward-progress" ||
          (EXPLAIN_TIMING.has(other.code) && other.resource?.name === resource?.name)),
    );
  }
}

const RACES = ["race-workgroup", "race-storage", "race-across-workgroups"] as const;
const EXPLAIN_ORDER: ReadonlySet<string> = new Set([
  "race-workgroup",
  "race-storage",
  "race-across-workgroups",
  "wrong-barrier",
  "unordered-atomics",
  "barrier-divergence",
  "timeout",
]);
const READ_EARLY: ReadonlySet<string> = new Set([...RACES, "wrong-barrier"]);
const CONSEQUENCES: ReadonlySet<string> = new Set([...READ_EARLY, "same-value-write", "out-of-bounds"]);
const EXPLAIN_TIMING: ReadonlySet<string> = new Set(["counter-underflow", "counter-overflow", "out-of-bounds"]);

function inOrder(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort(
    (a, b) =>
      (a.source.path < b.source.path ? -1 : a.source.path > b.source.path ? 1 : 0) ||
      compareDiagnostics(a, b) ||
      (a.accesses[0]?.span.start ?? 0) - (b.accesses[0]?.span.start ?? 0),
  );
}
