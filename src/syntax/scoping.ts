/**
 * What the parser tells of names: which are mentioned, which are declared, and where their scopes begin and end, in the
 * order in which names are resolved. Whoever resolves them reads a column of numbers, and need not walk over the tree.
 */
import { listOf } from "../text/list.ts";
import type { LocalDecl, Param } from "./ast.ts";
import type { Words } from "./words.ts";

/** What an entry tells; of a mention it is the number of the word instead. */
export const Scoping = {
  /** A declaration in a function: the number of its word, its index in `locals`. */
  declare: -1,
  open: -2,
  /** The scope is that of a loop. */
  openLoop: -3,
  /** The scope is that of the continuing block of the loop whose scope is around it. */
  openContinuing: -4,
  close: -5,
  /** A `continue`, and where it starts. */
  continue: -6,
};

/** Numbers of an entry. Of a mention: its word, the node, where it starts. */
export const ENTRY = 3;

/** No name could be read; or what stands there has none. */
export const NO_WORD = -1;

/** Used again and again, as the columns of tokens. */
const MOST_KEPT = 1 << 20;
let kept = new Int32Array(1 << 12);

/** Good until the next text is parsed. */
export class ScopeLog {
  entries = kept;
  length = 0;
  /** Declarations in functions, parameters among them, as they come. */
  readonly locals: (LocalDecl | Param)[] = listOf();
  /** By the index of a declaration of the module: the number of its word, and the length behind its entries. */
  readonly declared: number[] = [];
  readonly ends: number[] = [];
  readonly words: Words;

  constructor(words: Words) {
    this.words = words;
  }

  /** A mention, as `ENTRY` says; all others have names of their own here. */
  tell(what: number, second: number, third: number): void {
    const at = this.length;
    if (at + ENTRY > this.entries.length) this.#grow();
    const entries = this.entries;
    entries[at] = what;
    entries[at + 1] = second;
    entries[at + 2] = third;
    this.length = at + ENTRY;
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.entries.length);
    larger.set(this.entries);
    this.entries = larger;
    if (larger.length <= MOST_KEPT) kept = larger;
  }

  declare(word: number, declaration: LocalDecl | Param): void {
    this.tell(Scoping.declare, word, this.locals.push(declaration) - 1);
  }

  open(): void {
    this.tell(Scoping.open, 0, 0);
  }

  openLoop(): void {
    this.tell(Scoping.openLoop, 0, 0);
  }

  openContinuing(): void {
    this.tell(Scoping.openContinuing, 0, 0);
  }

  close(): void {
    this.tell(Scoping.close, 0, 0);
  }

  continue(start: number): void {
    this.tell(Scoping.continue, start, 0);
  }

  /** What was told since the last one belongs to the next declaration of the module. */
  endDeclaration(word: number): void {
    this.declared.push(word);
    this.ends.push(this.length);
  }

  /** Nothing of the declaration of the module at hand. */
  forgetDeclaration(): void {
    this.length = this.ends.at(-1) ?? 0;
  }

  /** What was told since the length was `length` is of a part that the tree does not have. */
  forget(length: number): void {
    this.length = length;
  }

  /** The last mentions, as far as they stand at `start` or behind it, are of such a part. */
  forgetMentions(start: number): void {
    let at = this.length - ENTRY;
    while (at >= 0 && this.entries[at] >= 0 && this.entries[at + 2] >= start) at -= ENTRY;
    this.length = at + ENTRY;
  }
}
