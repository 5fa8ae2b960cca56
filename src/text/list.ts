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
