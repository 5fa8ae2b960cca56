/** Where a value stands in a JSON text. */
import type { Span } from "../text/source.ts";
import { afterMark } from "./json-syntax.ts";

/**
 * The span of the value at a path, or of its key where `key` is set; of the nearest value around it where the path ends
 * early. The text must be valid JSON.
 */
export function jsonPlace(text: string, path: readonly (string | number)[], key = false): Span {
  const reader = new Reader(text);
  reader.skipBlank();
  return reader.find(path, key) ?? { start: 0, end: text.length };
}

class Reader {
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = afterMark(text);
  }

  skipBlank(): void {
    while (" \t\r\n,:".includes(this.#text[this.#at] ?? "x")) this.#at++;
  }

  find(path: readonly (string | number)[], key: boolean): Span {
    const start = this.#at;
    if (path.length === 0) return this.#skipped(start);
    const open = this.#text[this.#at];
    if (open !== "{" && open !== "[") return this.#skipped(start);
    this.#at++;
    for (let index = 0; ; index++) {
      this.skipBlank();
      if (this.#at >= this.#text.length || "}]".includes(this.#text[this.#at])) break;
      const keyStart = this.#at;
      const name = open === "{" ? this.#string() : index;
      const keySpan = { start: keyStart, end: this.#at };
      this.skipBlank();
      if (name === path[0]) return key && path.length === 1 && open === "{" ? keySpan : this.find(path.slice(1), key);
      this.#skip();
    }
    this.#at++;
    return { start, end: this.#at };
  }

  #skipped(start: number): Span {
    this.#skip();
    return { start, end: this.#at };
  }

  #string(): string {
    const start = this.#at++;
    while (this.#text[this.#at] !== '"') this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    this.#at++;
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  /** Past one value, without recursion: nesting may be deep. */
  #skip(): void {
    let depth = 0;
    do {
      this.skipBlank();
      const first = this.#text[this.#at];
      if (first === '"') this.#string();
      else if (first === "{" || first === "[") {
        depth++;
        this.#at++;
      } else if (first === "}" || first === "]") {
        depth--;
        this.#at++;
      } else while (this.#at < this.#text.length && !",]} \t\r\n".includes(this.#text[this.#at])) this.#at++;
    } while (depth > 0 && this.#at < this.#text.length);
  }
}
