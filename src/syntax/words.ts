/**
 * The words and numbers of one text, each once: what is written often is one string, and one look tells its kind. Found
 * by what stands in the text, so that no string is made where one is known.
 */
import { identifierEnd } from "./characters.ts";
import { Token, type TokenKind, wordKind } from "./tokens.ts";
import { NOT_ASCII, units as unitsAtHand } from "./units.ts";

/** Enough for nearly all texts: as with `units`, an engine takes for constant what is never replaced. */
const FIRST_SIZE = 1 << 14;
/** A table that grew larger for one text is not kept for the next. */
const LARGEST_KEPT = 1 << 16;
/** What a module imports is no constant to an engine. */
const units = unitsAtHand;

const HASH_START = 0x2d51a3c7;
const HASH_FACTOR = 0x9e3779b1;
const UNDERSCORE = 0x5f;

/** Of four bytes in a row the first few, by their number. */
const FIRST_BYTES = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1);

/** What is known of words, by their numbers, and where they are found. */
class Table {
  declare kinds: Uint8Array;
  declare hashes: Int32Array;
  /** Where the first occurrence starts, and how long it is. */
  declare starts: Uint32Array;
  declare lengths: Uint32Array;
  /** Open addressing: number of the word and one, 0 where there is none. Half of them stay empty. */
  declare slots: Int32Array;

  constructor(size: number) {
    this.kinds = new Uint8Array(size >> 1);
    this.hashes = new Int32Array(size >> 1);
    this.starts = new Uint32Array(size >> 1);
    this.lengths = new Uint32Array(size >> 1);
    this.slots = new Int32Array(size);
  }
}

export class Words {
  /** By number of the word. */
  readonly texts: string[] = [];
  /** Some word begins with two underscores. */
  hasDoubleUnderscore = false;
  readonly #table = new Table(FIRST_SIZE);
  #source = "";
  #end = 0;
  /** Found by text: what is not all ASCII, or not written. */
  readonly #others = new Map<string, number>();

  /** Forgets all words; those of `source` are to come, whose bytes are the `units` at hand. */
  begin(source: string): void {
    const count = this.texts.length;
    const { hashes, slots } = this.#table;
    const mask = slots.length - 1;
    if (mask >= LARGEST_KEPT) Object.assign(this.#table, new Table(FIRST_SIZE));
    else if (count > mask >> 4) slots.fill(0);
    else for (let word = 0; word < count; word++) this.#empty(hashes[word] & mask, mask);
    this.texts.length = 0;
    this.#others.clear();
    this.hasDoubleUnderscore = false;
    this.#source = source;
  }

  /** A run of full slots: it holds words of the text before, and all of them go. */
  #empty(slot: number, mask: number): void {
    for (let at = slot; this.#table.slots[at] !== 0; at = (at + 1) & mask) this.#table.slots[at] = 0;
  }

  /** Behind the word or number asked for last. */
  get end(): number {
    return this.#end;
  }

  kind(word: number): TokenKind {
    return this.#table.kinds[word] as TokenKind;
  }

  /** The number of the word that starts at `start`. Four bytes are looked at together: most of a text is words. */
  word(start: number): number {
    const view = units.view;
    let hash = HASH_START;
    for (let at = start; ; at += 4) {
      const bytes = view.getInt32(at, true);
      const others = notOfWords(bytes);
      const count = others === 0 ? 4 : firstMarked(others);
      hash = mixed(hash, bytes & FIRST_BYTES[count]);
      if (count === 4) continue;
      const end = at + count;
      this.#end = end;
      if (units.bytes[end] === NOT_ASCII) return this.#notAscii(start, end, Token.identifier);
      return this.#find(start, end, hash, Token.identifier);
    }
  }

  /** The number of what is written from `start` to `end`: a numeric literal, as far as it is ASCII. */
  number(start: number, end: number): number {
    this.#end = end;
    if (units.bytes[end] === NOT_ASCII) return this.#notAscii(start, end, Token.number);
    return this.#find(start, end, this.#hash(start, end), Token.number);
  }

  /** The number of a word that need not be written anywhere. */
  ofText(text: string): number {
    const known = this.#others.get(text) ?? this.texts.indexOf(text);
    const word = known >= 0 ? known : this.texts.push(text) - 1;
    this.#others.set(text, word);
    if (this.texts.length === this.#table.hashes.length) this.#grow();
    return word;
  }

  #hash(start: number, end: number): number {
    const view = units.view;
    let hash = HASH_START;
    let at = start;
    for (; at + 4 <= end; at += 4) hash = mixed(hash, view.getInt32(at, true));
    return mixed(hash, view.getInt32(at, true) & FIRST_BYTES[end - at]);
  }

  #find(start: number, end: number, hash: number, kind: TokenKind): number {
    const mask = this.#table.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const word = this.#table.slots[slot] - 1;
      if (word < 0) return this.#add(slot, start, end, hash, kind);
      if (this.#table.hashes[word] === hash && this.#isWritten(word, start, end)) return word;
    }
  }

  /** Whether a word of this hash is written from `start` to `end`. */
  #isWritten(word: number, start: number, end: number): boolean {
    if (this.#table.lengths[word] !== end - start) return false;
    const view = units.view;
    // Behind the same bytes, each of the last three at most makes another hash.
    for (let at = start, other = this.#table.starts[word]; at + 4 <= end; at += 4, other += 4) {
      if (view.getInt32(at, true) !== view.getInt32(other, true)) return false;
    }
    return true;
  }

  #add(slot: number, start: number, end: number, hash: number, kind: TokenKind): number {
    this.#table.slots[slot] = this.texts.length + 1;
    return this.#append(start, end, hash, kind);
  }

  #append(start: number, end: number, hash: number, kind: TokenKind): number {
    const word = this.texts.push(this.#source.slice(start, end)) - 1;
    this.#table.kinds[word] = kind === Token.identifier ? this.#wordKind(start, end) : kind;
    this.#table.hashes[word] = hash;
    this.#table.starts[word] = start;
    this.#table.lengths[word] = end - start;
    if (word + 1 === this.#table.hashes.length) this.#grow();
    return word;
  }

  /** Goes on at `ascii` with what is not ASCII. */
  #notAscii(start: number, ascii: number, kind: TokenKind): number {
    const end = identifierEnd(this.#source, ascii);
    if (end === ascii) return this.#find(start, end, this.#hash(start, end), kind);
    this.#end = end;
    const text = this.#source.slice(start, end);
    const known = this.#others.get(text);
    if (known !== undefined) return known;
    const word = this.#append(start, end, 0, kind);
    this.#others.set(text, word);
    return word;
  }

  #wordKind(start: number, end: number): TokenKind {
    if (this.#source.charCodeAt(start) !== UNDERSCORE) return wordKind(this.#source, start, end);
    if (end === start + 1) return Token.underscore;
    if (this.#source.charCodeAt(start + 1) === UNDERSCORE) this.hasDoubleUnderscore = true;
    return Token.identifier;
  }

  #grow(): void {
    const smaller = this.#table;
    const larger = new Table(smaller.slots.length * 4);
    larger.kinds.set(smaller.kinds);
    larger.hashes.set(smaller.hashes);
    larger.starts.set(smaller.starts);
    larger.lengths.set(smaller.lengths);
    const mask = larger.slots.length - 1;
    for (const number of smaller.slots) {
      if (number === 0) continue;
      let slot = larger.hashes[number - 1] & mask;
      while (larger.slots[slot] !== 0) slot = (slot + 1) & mask;
      larger.slots[slot] = number;
    }
    Object.assign(this.#table, larger);
  }
}

/** Of each hash another for other bytes, and of the same bytes another for each hash. */
function mixed(hash: number, bytes: number): number {
  const product = Math.imul(hash ^ bytes, HASH_FACTOR);
  return product ^ (product >>> 15);
}

/** A byte in each of four. */
const EACH = 0x01010101;
const HIGHEST_BITS = 0x80 * EACH;

/**
 * Of four bytes in a row those that cannot be in a word: the highest bit of the first of them is set, and that of no byte
 * before. To tell whether a byte is at least `a`, what lacks for 0x80 is added; no sum of ASCII runs over into the next.
 */
function notOfWords(bytes: number): number {
  const small = bytes | (0x20 * EACH);
  const isLetter = (small + (0x80 - 0x61) * EACH) & ~(small + (0x80 - 0x7b) * EACH);
  const isDigit = (bytes + (0x80 - 0x30) * EACH) & ~(bytes + (0x80 - 0x3a) * EACH);
  const isNoUnderscore = (bytes ^ (UNDERSCORE * EACH)) + 0x7f * EACH;
  return ((isNoUnderscore & ~(isLetter | isDigit)) | bytes) & HIGHEST_BITS;
}

/** Which of four bytes, from 0, is the first whose highest bit is set. */
function firstMarked(bits: number): number {
  return (31 - Math.clz32(bits & -bits)) >> 3;
}
