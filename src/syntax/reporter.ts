/** Collects what lexer and parser say, up to a limit: the rest of a text that is no WGSL at all tells nothing new. */

import type { DiagnosticCode } from "../diagnostics/catalogue.ts";
import {
  type Diagnostic,
  type DiagnosticArgs,
  type DiagnosticExtras,
  DiagnosticList,
} from "../diagnostics/diagnostic.ts";
import type { Span } from "../text/source.ts";

const LIMIT = 200;

export class Reporter {
  readonly #list = new DiagnosticList();
  #count = 0;

  report<Code extends DiagnosticCode>(
    code: Code,
    span: Span,
    args: DiagnosticArgs<Code>,
    extras: DiagnosticExtras = {},
  ): void {
    this.#count++;
    if (this.#count <= LIMIT) this.#list.report(code, span, args, extras);
    else if (this.#count === LIMIT + 1) this.#list.report("too-many-errors", span, { limit: LIMIT });
  }

  has(code: DiagnosticCode): boolean {
    return this.#count > 0 && this.sorted().some((item) => item.code === code);
  }

  sorted(): readonly Diagnostic[] {
    return this.#list.sorted();
  }
}
