interface CommonEnds {
  readonly head: number;
  readonly tail: number;
}

/**
 * How far two sequences are the same from their beginning, and in what is left of them from their end.
 *
 * @param same whether one has at `i` what the other has at `j`
 */
export function commonEnds(
  before: { readonly length: number },
  now: { readonly length: number },
  same: (i: number, j: number) => boolean,
): CommonEnds {
  const most = Math.min(before.length, now.length);
  let head = 0;
  while (head < most && same(head, head)) head++;
  let tail = 0;
  while (tail < most - head && same(before.length - 1 - tail, now.length - 1 - tail)) tail++;
  return { head, tail };
}
