/** Findings of all dispatches and schedules as one list: each once, in a stable order, without those that another explains. */
import { compareDiagnostics } from "../diagnostics/diagnostic.ts";
import type { Source, Span } from "../text/source.ts";
import type { Finding } from "./finding.ts";

/** What a finding is known by. */
export interface FindingPlace extends Pick<Finding, "code" | "source" | "span"> {
  readonly accesses: readonly { readonly span: Span }[];
  readonly resource: { readonly name: string } | null;
}

/** The same code at the same lines about the same variable is one finding; of operations each is one. */
export function keyOf({ code, source, span, accesses, resource }: FindingPlace): string {
  const lines = [span, ...accesses.map((access) => access.span)].map(({ start }) => source.position(start).line);
  const operation = OF_OPERATIONS.has(code) ? [span.start, span.end] : [];
  return [code, source.path, resource?.name ?? "", ...lines, ...operation].join("\n");
}

/** A line may hold several that have nothing to do with each other; of indices one overflow leads to the next. */
const OF_OPERATIONS: ReadonlySet<string> = new Set([
  ...(["nan-origin", "division-by-zero", "shift-width", "conversion-saturates"] as const),
]);

function aboutOf({ code, source, resource }: FindingPlace): string {
  return [READ_EARLY.has(code) ? "race" : code, source.path, resource?.name ?? ""].join("\n");
}

/** Whether a finding is about places that hang on what a variable holds. */
export type HangsOn = (finding: Finding, variable: string) => boolean;

/** What a schedule need not make findings of once more: it is told what it sees of that. */
export class Known {
  readonly about = new Set<string>();
  readonly #fold: Fold;

  constructor(fold: Fold) {
    this.#fold = fold;
  }

  has(place: FindingPlace): boolean {
    const isKnown = this.#fold.has(place);
    if (isKnown) this.about.add(aboutOf(place));
    return isKnown;
  }
}

/** Findings of one schedule: those of one place are added up. */
export class Folded {
  readonly #found = new Map<string, Finding>();

  add(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const key = keyOf(finding);
      const known = this.#found.get(key);
      this.#found.set(key, known === undefined ? finding : { ...known, count: known.count + finding.count });
    }
  }

  get byKey(): ReadonlyMap<string, Finding> {
    return this.#found;
  }
}

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

  /** Findings of a schedule in which everything was looked for; `known`: what else it has seen. */
  addSchedule(findings: readonly Finding[], known: Known | null): void {
    this.#schedules++;
    for (const key of new Set([...findings.map(aboutOf), ...(known?.about ?? [])]))
      this.#seen.set(key, (this.#seen.get(key) ?? 0) + 1);
    this.add(findings);
  }

  /** Findings of one schedule: those known from other schedules are left out. */
  add(findings: readonly Finding[]): void {
    const own = new Folded();
    own.add(findings);
    for (const [key, finding] of own.byKey) if (!this.#found.has(key)) this.#found.set(key, finding);
  }

  has(place: FindingPlace): boolean {
    return this.#found.has(keyOf(place));
  }

  /**
   * All but those that another one explains, or that are the consequence of another one. `isSilent`: the source silences it,
   * so that nobody is told: it explains nothing.
   */
  findings(isSilent: (finding: Finding) => boolean): readonly Finding[] {
    const all = [...this.#found.values()];
    const waiting = all.filter(({ code }) => code === "no-forward-progress");
    const isTold = (finding: Finding) => !isSilent(finding);
    const explaining: Explaining = {
      waited: namesIn(waiting),
      waiting: namesIn(waiting.filter(isTold)),
      timing: namesIn(all.filter((finding) => EXPLAIN_TIMING.has(finding.code) && isTold(finding))),
      early: namesIn(all.filter((finding) => this.#isReadEarly(finding) && isTold(finding))),
    };
    return inOrder(
      all.filter(
        (finding) => !this.#isExplained(finding, explaining) && !this.#isConsequence(finding, explaining.early),
      ),
    );
  }

  /** It is read while others write it, in all orders. */
  #isReadEarly(finding: Finding): boolean {
    const { code, resource, accesses } = finding;
    const isRead = READ_EARLY.has(code) && resource !== null && accesses.some(({ kind }) => kind === "read");
    return isRead && this.#isAlways(finding);
  }

  /**
   * Its variable shows nothing of the kind in some order, and the place hangs on another one that is read while others write
   * it in all of them: what was read led here. Races of their own are seen in every order.
   */
  #isConsequence(finding: Finding, early: Names): boolean {
    if (!CONSEQUENCES.has(finding.code) || this.#isAlways(finding)) return false;
    const names = [...(early.get(finding.source) ?? [])];
    return names.some((name) => name !== undefined && name !== finding.resource?.name && this.#hangsOn(finding, name));
  }

  #isAlways(finding: Finding): boolean {
    return this.#seen.get(aboutOf(finding)) === this.#schedules;
  }

  /** True where a finding says already why results differ: one of these variables, or a race of one that they are made of. */
  explainsOrder(names: ReadonlySet<string>, madeOf: ReadonlySet<string>): boolean {
    return [...this.#found.values()].some(({ code, resource }) => {
      if (resource === null) return false;
      return (
        (EXPLAIN_ORDER.has(code) && names.has(resource.name)) || (READ_EARLY.has(code) && madeOf.has(resource.name))
      );
    });
  }

  get explainsContent(): boolean {
    return [...this.#found.values()].some(({ code }) => EXPLAIN_ORDER.has(code) || EXPLAIN_TIMING.has(code));
  }

  /**
   * Atomics that are unordered where a loop waits were meant to be ordered by it; a counter that wraps says it better. Of
   * two places that race the addresses where they happen to write the same say nothing more.
   */
  #isExplained(finding: Finding, { waited, waiting, timing }: Explaining): boolean {
    const { code, resource, source } = finding;
    if (code === "same-value-write") return RACES.some((race) => this.has({ ...finding, code: race }));
    if (code === "timeout") return waiting.size > 0;
    // Who goes round and round is counted each time, told or not.
    if (code === "contention") return waited.get(source)?.has(resource?.name) === true;
    if (code !== "unordered-atomics") return false;
    return waiting.has(source) || timing.get(source)?.has(resource?.name) === true;
  }
}

/** Names of variables, by source; undefined: of something else. */
type Names = ReadonlyMap<Source, ReadonlySet<string | undefined>>;

interface Explaining {
  /** What loops wait for. */
  readonly waited: Names;
  /** … where somebody is told so. */
  readonly waiting: Names;
  readonly timing: Names;
  readonly early: Names;
}

function namesIn(findings: readonly Finding[]): Names {
  const names = new Map<Source, Set<string | undefined>>();
  for (const { source, resource } of findings) names.set(source, (names.get(source) ?? new Set()).add(resource?.name));
  return names;
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
