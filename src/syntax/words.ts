/**
 * The words and numbers of one text, each once: what is written often is one string, and one look tells its kind. Found
 * by what stands in the text, so that no string is made where one is known.
 */
import { identifierEnd } from "./characters.ts";
import { Token, type TokenKind, wordKind } from "./tokens.ts";
import { NOT_ASCII } from "./units.ts";

const FIRST_SIZE = 1024;
/** A table that grew larger for one text is not kept for the next. */
const LARGEST_KEPT = 1 << 16;

const HASH_START = 0x2d51a3c7;
const HASH_FACTOR = 0x9e3779b1;
const UNDERSCORE = 0x5f;

/** Of four bytes in a row the first few, by their number. */
const FIRST_BYTES = Int32Array.of(0, 0xff, 0xffff, 0xffffff, -1);

/** What is known of words, by their numbers, and where they are found. */
interface Table {
  readonly kinds: Uint8Array;
  readonly hashes: Int32Array;
  /** Where the first occurrence starts, and how long it is. */
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
  /** Open addressing: number of the word and one, 0 where there is none. Half of them stay empty. */
  readonly slots: Int32Array;
}

function newTable(size: number): Table {
  return {
    kinds: new Uint8Array(size >> 1),
    hashes: new Int32Array(size >> 1),
    starts: new Uint32Array(size >> 1),
    lengths: new Uint32Array(size >> 1),
    slots: new Int32Array(size),
  };
}

export class Words {
  /** By number of the word. */
  readonly texts: string[] = [];
  /** Some word begins with two underscores. */
  hasDoubleUnderscore = false;
  #kinds!: Uint8Array;
  #hashes!: Int32Array;
  #starts!: Uint32Array;
  #lengths!: Uint32Array;
  #slots!: Int32Array;
  #source = "";
  #units: Uint8Array = new Uint8Array(0);
  /** The same bytes, for four at a time. */
  #view: DataView = new DataView(new ArrayBuffer(0));
  #end = 0;
  /** Found by text: what is not all ASCII, or not written. */
  readonly #others = new Map<string, number>();

  constructor() {
    this.#use(newTable(FIRST_SIZE));
  }

  #use({ kinds, hashes, starts, lengths, slots }: Table): void {
    this.#kinds = kinds;
    this.#hashes = hashes;
    this.#starts = starts;
    this.#lengths = lengths;
    this.#slots = slots;
  }

  /** Forgets all words; those of `source` are to come, whose bytes are `units`. */
  begin(source: string, units: Uint8Array): void {
    const count = this.texts.length;
    const mask = this.#slots.length - 1;
    if (mask >= LARGEST_KEPT) this.#use(newTable(FIRST_SIZE));
    else if (count > mask >> 4) this.#slots.fill(0);
    else for (let word = 0; word < count; word++) this.#empty(this.#hashes[word] & mask, mask);
    this.texts.length = 0;
    this.#others.clear();
    this.hasDoubleUnderscore = false;
    this.#source = source;
    if (units === this.#units) return;
    this.#units = units;
    this.#view = new DataView(units.buffer, units.byteOffset, units.byteLength);
  }

  /** A run of full slots: it holds words of the text before, and all of them go. */
  #empty(slot: number, mask: number): void {
    for (let at = slot; this.#slots[at] !== 0; at = (at + 1) & mask) this.#slots[at] = 0;
  }

  /** Behind the word or number asked for last. */
  get end(): number {
    return this.#end;
  }

  kind(word: number): TokenKind {
    return this.#kinds[word] as TokenKind;
  }

  /** The number of the word that starts at `start`. Four bytes are looked at together: most of a text is words. */
  word(start: number): number {
    const view = this.#view;
    let hash = HASH_START;
    for (let at = start; ; at += 4) {
      const bytes = view.getInt32(at, true);
      const others = notOfWords(bytes);
      const count = others === 0 ? 4 : firstMarked(others);
      hash = mixed(hash, bytes & FIRST_BYTES[count]);
      if (count === 4) continue;
      const end = at + count;
      this.#end = end;
      if (this.#units[end] === NOT_ASCII) return this.#notAscii(start, end, Token.identifier);
      return this.#find(start, end, hash, Token.identifier);
    }
  }

  /** The number of what is written from `start` to `end`: a numeric literal, as far as it is ASCII. */
  number(start: number, end: number): number {
    this.#end = end;
    if (this.#units[end] === NOT_ASCII) return this.#notAscii(start, end, Token.number);
    return this.#find(start, end, this.#hash(start, end), Token.number);
  }

  /** The number of a word that need not be written anywhere. */
  ofText(text: string): number {
    const known = this.#others.get(text) ?? this.texts.indexOf(text);
    const word = known >= 0 ? known : this.texts.push(text) - 1;
    this.#others.set(text, word);
    if (this.texts.length === this.#hashes.length) this.#grow();
    return word;
  }

  #hash(start: number, end: number): number {
    const view = this.#view;
    let hash = HASH_START;
    let at = start;
    for (; at + 4 <= end; at += 4) hash = mixed(hash, view.getInt32(at, true));
    return mixed(hash, view.getInt32(at, true) & FIRST_BYTES[end - at]);
  }

  #find(start: number, end: number, hash: number, kind: TokenKind): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const word = this.#slots[slot] - 1;
      if (word < 0) return this.#add(slot, start, end, hash, kind);
      if (this.#hashes[word] === hash && this.#isWritten(word, start, end)) return word;
    }
  }

  /** Whether a word of this hash is written from `start` to `end`. */
  #isWritten(word: number, start: number, end: number): boolean {
    if (this.#lengths[word] !== end - start) return false;
    const view = this.#view;
    // Behind the same bytes, each of the last three at most makes another hash.
    for (let at = start, other = this.#starts[word]; at + 4 <= end; at += 4, other += 4) {
      if (view.getInt32(at, true) !== view.getInt32(other, true)) return false;
    }
    return true;
  }

  #add(slot: number, start: number, end: number, hash: number, kind: TokenKind): number {
    this.#slots[slot] = this.texts.length + 1;
    return this.#append(start, end, hash, kind);
  }

  #append(start: number, end: number, hash: number, kind: TokenKind): number {
    const word = this.texts.push(this.#source.slice(start, end)) - 1;
    this.#kinds[word] = kind === Token.identifier ? this.#wordKind(start, end) : kind;
    this.#hashes[word] = hash;
    this.#starts[word] = start;
    this.#lengths[word] = end - start;
    if (word + 1 === this.#hashes.length) this.#grow();
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
    const smaller = this.#slots;
    const larger = newTable(smaller.length * 4);
    const { hashes, slots } = larger;
    larger.kinds.set(this.#kinds);
    hashes.set(this.#hashes);
    larger.starts.set(this.#starts);
    larger.lengths.set(this.#lengths);
    const mask = slots.length - 1;
    for (const number of smaller) {
      if (number === 0) continue;
      let slot = hashes[number - 1] & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    this.#use(larger);
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
