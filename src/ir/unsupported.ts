import { type Phrase, textOfValue } from "../diagnostics/diagnostic.ts";
import type { Span } from "../text/source.ts";

/** Legal WGSL that halay checks but does not run: vertex and fragment shaders, textures, buffer views. */
export class UnsupportedError extends Error {
  readonly reason: Phrase;
  readonly span: Span;

  constructor(reason: Phrase, span: Span) {
    super(textOfValue(reason));
    this.name = "UnsupportedError";
    this.reason = reason;
    this.span = span;
  }
}
