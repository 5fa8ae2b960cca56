/**
 * An array that lives as long as a program, without a literal. Of arrays and objects made by literals an engine counts how
 * many live on, and soon makes all of a kind where only a full collection of garbage looks; dead ones keep alive there
 * what they hold, so that one that holds a declaration keeps a whole syntax tree. What classes and parameters make it
 * leaves among the young. And an empty literal makes a list of numbers until something else comes into it: code that was
 * made for those is thrown away then.
 */
export function listOf<Item>(...items: Item[]): Item[] {
  return items;
}

/** Adds all of a list, however long it is. */
export function pushAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/** Arguments stand on the stack, which has no room for the longest lists. */
const MOST_ARGUMENTS = 1000;

/** As `slice`, for a list that lives long. It is as long as need be: one that grows gets room for seventeen at once. */
export function copyOf<Item>(items: readonly Item[]): Item[] {
  return items.length > MOST_ARGUMENTS ? items.slice() : listOf(...items);
}

/** The `count` items from `base`, as `listOf` makes lists. */
export function listFrom<Item>(items: readonly Item[], base: number, count: number): Item[] {
  if (count === 0) return listOf();
  if (count === 1) return listOf(items[base]);
  if (count === 2) return listOf(items[base], items[base + 1]);
  if (count === 3) return listOf(items[base], items[base + 1], items[base + 2]);
  return items.slice(base, base + count);
}

/**
 * As `map` of arrays. What that makes is of another hidden class once its caller is compiled, and code made for lists of
 * the first kind is thrown away.
 */
export function listOfEach<Item, Made>(items: readonly Item[], make: (item: Item, at: number) => Made): Made[] {
  const made = copyOf<unknown>(items);
  for (let at = 0; at < items.length; at++) made[at] = make(items[at], at);
  return made as Made[];
}

/** A copy with as much room again behind it. */
export function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
