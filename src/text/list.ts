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

/**
 * As `map` of arrays. What that makes is of another hidden class once its caller is compiled, and code made for lists of
 * the first kind is thrown away.
 */
export function listOfEach<Item, Made>(items: readonly Item[], make: (item: Item, at: number) => Made): Made[] {
  // Of the right length from the start: a list that grows gets room for seventeen with its first item.
  const made: unknown[] = listOf<unknown>(...items);
  for (let at = 0; at < items.length; at++) made[at] = make(items[at], at);
  return made as Made[];
}
