/** Names that may have been meant by one that is not known. */

/** Longer names get no suggestion. */
const LONGEST = 40;

/**
 * The name in `names` that is nearest to `wrong`, if it is near enough to be meant; else the only one that `wrong` shortens:
 * `global_id` or `global_inv_id` for `global_invocation_id`.
 */
export function nearestName(wrong: string, names: Iterable<string>): string | null {
  if (wrong.length > LONGEST || wrong.length < 2) return null;
  let limit = Math.max(1, Math.floor(wrong.length / 3));
  let nearest: string | null = null;
  const shortened: string[] = [];
  for (const name of names) {
    if (name === wrong) continue;
    if (isShortened(wrong, name)) shortened.push(name);
    if (Math.abs(name.length - wrong.length) > limit) continue;
    const distance = editDistance(wrong, name, limit);
    if (distance < limit || (distance === limit && nearest === null)) {
      nearest = name;
      limit = distance;
    }
  }
  return nearest ?? (shortened.length === 1 ? shortened[0] : null);
}

/** Whether the words of `short` begin words of `name`, in their order, the first word the first. */
function isShortened(short: string, name: string): boolean {
  const words = short.split("_");
  if (words.length < 2 || short.length >= name.length || !name.startsWith(words[0])) return false;
  let at = 0;
  for (const word of name.split("_")) if (at < words.length && word.startsWith(words[at])) at++;
  return at === words.length;
}

/**
 * Insertions, deletions, replacements and exchanges of neighbours that make `a` into `b`; a change of case alone counts
 * half. More than `limit`: Infinity.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (a.toLowerCase() === b.toLowerCase()) return 0.5;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, before[column - 2] + 1);
      }
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return Infinity;
    before = previous;
    previous = current;
  }
  return previous[b.length] <= limit ? previous[b.length] : Infinity;
}

/** Whether two names differ in nothing but case and underscores: one was surely meant by the other. */
export function isSameWord(one: string, other: string): boolean {
  return letters(one) === letters(other);
}

function letters(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
