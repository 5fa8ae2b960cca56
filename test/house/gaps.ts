/** The list of known gaps and its fixtures, as data. */

export interface Gap {
  readonly id: string;
  readonly what: string;
  readonly where: string;
  readonly why: string;
}

/** The right answer that the first line of a fixture states. */
export type RightAnswer =
  | { readonly kind: "accept" }
  | { readonly kind: "reject"; readonly code: string | null }
  | { readonly kind: "report"; readonly code: string }
  /** It runs; with `engine`, on that engine. */
  | { readonly kind: "run"; readonly engine: string | null };

/** What `check` says, as far as a gap can concern it. */
export interface Verdict {
  readonly ok: boolean;
  readonly diagnostics: readonly { readonly code: string; readonly severity: string }[];
  /** The engine that ran it, where `run` was asked. */
  readonly engine?: string;
}

const header = "| id | what | where it shows (snippet or command) | why |";

export function parseGaps(text: string): Gap[] {
  const lines = text.split("\n").map((line) => line.trim());
  const start = lines.indexOf(header);
  if (start < 0) throw new SyntaxError(`docs/gaps.md has no table with the header ${header}`);
  const rows = lines.slice(start + 2).filter((line) => line.startsWith("|"));
  return rows.map((row) => {
    // A bar inside code is written \| in a table.
    const cells = row.slice(1, -1).split(/(?<!\\)\|/);
    const [id, what, where, why] = cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
    if (cells.length !== 4 || !id || !what || !where || !why) throw new SyntaxError(`a gap needs four cells: ${row}`);
    return { id: id.replaceAll("`", ""), what, where, why };
  });
}

export function rightAnswer(fixture: string): RightAnswer {
  const match = /^\/\/ right: (accept|reject|report|run)(?: ([a-z0-9_.-]+))?\r?\n/.exec(fixture);
  const [kind, code] = [match?.[1], match?.[2] ?? null];
  if (kind === "accept" && !code) return { kind };
  if (kind === "reject") return { kind, code };
  if (kind === "report" && code) return { kind, code };
  if (kind === "run") return { kind, engine: code };
  throw new SyntaxError(
    "a gap's fixture starts with ‘// right: accept’, ‘// right: reject [CODE]’, ‘// right: report CODE’ or ‘// right: run [ENGINE]’",
  );
}

export function isRight(answer: RightAnswer, verdict: Verdict): boolean {
  const has = (code: string) => verdict.diagnostics.some((diagnostic) => diagnostic.code === code);
  switch (answer.kind) {
    case "accept":
      return verdict.ok;
    case "reject":
      return !verdict.ok && (answer.code === null || has(answer.code));
    case "report":
      return has(answer.code);
    case "run":
      return verdict.ok && (answer.engine === null || verdict.engine === answer.engine);
  }
}
