/**
 * The words and numbers of one text, each once: what is written often is one string, and one look tells its kind. Found
 * by what stands in the text, so that no string is made where one is known.
 */
import { identifierEnd, isAsciiIdentifierPart } from "./characters.ts";
import { Token, type TokenKind, wordKind } from "./tokens.ts";
import { NOT_ASCII } from "./units.ts";

const FIRST_SIZE = 1024;
/** A table that grew larger for one text is not kept for the next. */
const LARGEST_KEPT = 1 << 16;

const HASH_START = 0x2d51a3c7;
const HASH_FACTOR = 0x01000193;
const UNDERSCORE = 0x5f;

/** What is known of words, by their numbers, and where they are found. */
interface Table {
  readonly kinds: Uint8Array;
  readonly hashes: Int32Array;
  /** Where the first occurrence starts. */
  readonly starts: Uint32Array;
  /** Open addressing: number of the word and one, 0 where there is none. Half of them stay empty. */
  readonly slots: Int32Array;
}

function newTable(size: number): Table {
  return {
    kinds: new Uint8Array(size >> 1),
    hashes: new Int32Array(size >> 1),
    starts: new Uint32Array(size >> 1),
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
  #slots!: Int32Array;
  #source = "";
  #units: Uint8Array = new Uint8Array(0);
  #end = 0;
  /** Found by text. */
  readonly #others = new Map<string, number>();

  constructor() {
    this.#use(newTable(FIRST_SIZE));
  }

  #use({ kinds, hashes, starts, slots }: Table): void {
    this.#kinds = kinds;
    this.#hashes = hashes;
    this.#starts = starts;
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
    this.#units = units;
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

  /** The number of the word that starts at `start`. */
  word(start: number): number {
    const units = this.#units;
    let hash = HASH_START;
    let end = start;
    for (let unit = units[end]; isAsciiIdentifierPart(unit); unit = units[++end]) {
      hash = Math.imul(hash ^ unit, HASH_FACTOR);
    }
    if (units[end] === NOT_ASCII) {
      const ascii = end;
      end = identifierEnd(this.#source, end);
      for (let at = ascii; at < end; at++) hash = Math.imul(hash ^ this.#source.charCodeAt(at), HASH_FACTOR);
    }
    return this.#find(start, end, hash, Token.identifier);
  }

  /** The number of what is written from `start` to `end`: a numeric literal. */
  number(start: number, end: number): number {
    const units = this.#units;
    let hash = HASH_START;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ units[at], HASH_FACTOR);
    return this.#find(start, end, hash, Token.number);
  }

  /** The number of a word that need not be written anywhere. */
  ofText(text: string): number {
    const known = this.#others.get(text) ?? this.texts.indexOf(text);
    const word = known >= 0 ? known : this.texts.push(text) - 1;
    this.#others.set(text, word);
    if (this.texts.length === this.#hashes.length) this.#grow();
    return word;
  }

  #find(start: number, end: number, hash: number, kind: TokenKind): number {
    this.#end = end;
    const mask = this.#slots.length - 1;
    hash ^= hash >>> 15;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const word = this.#slots[slot] - 1;
      if (word < 0) return this.#add(slot, start, end, hash, kind);
      if (this.#hashes[word] === hash && this.#isWritten(word, start, end)) return word;
    }
  }

  #isWritten(word: number, start: number, end: number): boolean {
    if (this.texts[word].length !== end - start) return false;
    const units = this.#units;
    let all = 0;
    for (let at = start, other = this.#starts[word]; at < end; at++, other++) {
      const unit = units[at];
      if (unit !== units[other]) return false;
      all |= unit;
    }
    return all < NOT_ASCII || this.#source.startsWith(this.texts[word], start);
  }

  #add(slot: number, start: number, end: number, hash: number, kind: TokenKind): number {
    const word = this.texts.push(this.#source.slice(start, end)) - 1;
    this.#kinds[word] = kind === Token.identifier ? this.#wordKind(start, end) : kind;
    this.#hashes[word] = hash;
    this.#starts[word] = start;
    this.#slots[slot] = word + 1;
    if (word + 1 === this.#hashes.length) this.#grow();
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
