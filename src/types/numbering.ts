/** Small numbers for the few things that one module has many times. */

/** Remembers the last number that it was given, and by which numbering. */
export interface Numbered {
  numbering: number;
  number: number;
}

let numberings = 0;

/** Gives numbers from 1 on; 0 stands for nothing. Where two numberings take turns, an item can have several numbers. */
export class Numbering<Item> {
  readonly items: (Item | null)[] = [null];
  /** The number of this numbering, which items that it gave a number remember. */
  readonly own = ++numberings;

  numberOf(item: Item & Numbered): number {
    if (item.numbering !== this.own) {
      item.numbering = this.own;
      item.number = this.add(item);
    }
    return item.number;
  }

  /** A new number, for who keeps it himself. */
  add(item: Item): number {
    return this.items.push(item) - 1;
  }
}
