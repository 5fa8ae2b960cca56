/**
 * Finds template lists while the text is split into tokens. spec: #template-lists-sec
 *
 * The lexer tells what it meets, in the order of the text; the finder knows which `<` begin a template list that a later
 * `>` ends. Each candidate is pushed and popped once, so the whole takes linear time.
 */
export class TemplateLists {
  /** Stack of unclosed candidates: the index of the token `<`, and the nesting depth where it stands. */
  readonly #tokens: number[] = [];
  readonly #depths: number[] = [];
  #size = 0;
  #nestingDepth = 0;

  /** Whether there is a candidate: all other steps but `candidate` change nothing where there is none. */
  get areOpen(): boolean {
    return this.#size > 0;
  }

  /** A single `<` after a name. */
  candidate(token: number): void {
    this.#tokens[this.#size] = token;
    this.#depths[this.#size] = this.#nestingDepth;
    this.#size++;
  }

  /** A `>`. Gives the token `<` whose template list it ends, or -1. */
  close(): number {
    if (this.#size === 0 || this.#depths[this.#size - 1] !== this.#nestingDepth) return -1;
    return this.#tokens[--this.#size];
  }

  /** `(` or `[` */
  enter(): void {
    this.#nestingDepth++;
  }

  /** `)` or `]` */
  leave(): void {
    this.dropCurrentLevel();
    if (this.#nestingDepth > 0) this.#nestingDepth--;
  }

  /** `&&` or `||`: they bind less than comparisons, so what is open at this level are comparisons. */
  dropCurrentLevel(): void {
    while (this.#size > 0 && this.#depths[this.#size - 1] >= this.#nestingDepth) this.#size--;
  }

  /** `;`, `{`, `:` or an assignment: none can stand in an expression. */
  clear(): void {
    this.#nestingDepth = 0;
    this.#size = 0;
  }
}
