/**
 * Finds template lists while the text is split into tokens. spec: #template-lists-sec
 *
 * The lexer tells what it meets, in the order of the text; the finder knows which `<` begin a template list that a later
 * `>` ends. Each candidate is pushed and popped once, so the whole takes linear time.
 */
export class TemplateLists {
  /** Index of the token `<` and nesting depth of each unclosed candidate, as pairs. */
  readonly #pending: number[] = [];
  #nestingDepth = 0;

  /** A single `<` after a name. */
  candidate(token: number): void {
    this.#pending.push(token, this.#nestingDepth);
  }

  /** A `>`. Gives the token `<` whose template list it ends, or -1. */
  close(): number {
    const pending = this.#pending;
    if (pending.length === 0 || pending[pending.length - 1] !== this.#nestingDepth) return -1;
    const token = pending[pending.length - 2];
    pending.length -= 2;
    return token;
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
    const pending = this.#pending;
    while (pending.length > 0 && pending[pending.length - 1] >= this.#nestingDepth) pending.length -= 2;
  }

  /** `;`, `{`, `:` or an assignment: none can stand in an expression. */
  clear(): void {
    this.#nestingDepth = 0;
    this.#pending.length = 0;
  }
}
