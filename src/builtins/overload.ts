/** spec: #overload-resolution-section */
import { isAbstract } from "../types/predicates.ts";
import type { Type } from "../types/type.ts";
import { type Candidate, matchingArguments, matchSignature } from "./match.ts";
import type { BuiltinCall, BuiltinRow, Resolved, Unresolved } from "./row.ts";
import { parseSignature, type Signature } from "./signature.ts";

export type Resolution = Resolved | Unresolved;

const signatures = new WeakMap<BuiltinRow, Signature>();

/** The parsed signature of a row; parsed when first asked for. */
export function signatureOf(row: BuiltinRow): Signature {
  let signature = signatures.get(row);
  if (signature === undefined) {
    signature = parseSignature(row.signature);
    signatures.set(row, signature);
  }
  return signature;
}

interface Ranked extends Candidate {
  readonly row: BuiltinRow;
}

/** The one overload that is preferred over all others that fit, or which came near. */
export function resolveOverload(
  rows: readonly BuiltinRow[],
  template: readonly Type[] | null,
  args: readonly Type[],
  constant: boolean,
): Resolution {
  const fitting = candidates(rows, template, args, constant);
  const best = fitting.find((candidate) =>
    fitting.every((other) => other === candidate || preferred(candidate, other)),
  );
  if (best !== undefined) return resolved(best.row, best.args, best.result, null, differ(best.args, args));
  return { ok: false, candidates: nearest(rows, template, args), ambiguous: fitting.length > 0 };
}

export function resolved(
  row: BuiltinRow,
  args: readonly Type[],
  result: Type,
  call: BuiltinCall | null,
  converts: boolean,
): Resolved {
  return { ok: true, row, args, result, call, converts, numbering: 0, number: 0 };
}

function differ(some: readonly Type[], others: readonly Type[]): boolean {
  return some.some((type, index) => type !== others[index]);
}

function candidates(
  rows: readonly BuiltinRow[],
  template: readonly Type[] | null,
  args: readonly Type[],
  constant: boolean,
): Ranked[] {
  const fitting: Ranked[] = [];
  for (const row of rows) {
    for (const candidate of matchSignature(signatureOf(row), template, args)) {
      // Step 2: what stays abstract is a value known before the shader runs, and then so are all others.
      if (!constant && candidate.args.some(isAbstract)) continue;
      // Two rows can say the same for the same types: `bitcast` to its own type.
      if (fitting.some((other) => sameTypes(other, candidate))) continue;
      fitting.push({ row, ...candidate });
    }
  }
  return fitting;
}

function sameTypes(a: Candidate, b: Candidate): boolean {
  return a.result === b.result && a.args.every((type, index) => type === b.args[index]);
}

/** Step 3: nowhere worse and somewhere better. */
function preferred(a: Candidate, b: Candidate): boolean {
  return a.ranks.every((rank, index) => rank <= b.ranks[index]) && a.ranks.some((rank, index) => rank < b.ranks[index]);
}

/** The overloads in order of how much of the call fits them; most first. */
function nearest(
  rows: readonly BuiltinRow[],
  template: readonly Type[] | null,
  args: readonly Type[],
): readonly BuiltinRow[] {
  const scored = rows.map((row) => {
    const signature = signatureOf(row);
    const sameCount = signature.parameters.length === args.length ? 0.5 : 0;
    return { row, score: matchingArguments(signature, template, args) + sameCount };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ row }) => row);
}
