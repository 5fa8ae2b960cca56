import type { Span } from "../text/source.ts";

/** Legal WGSL that halay checks but does not run: vertex and fragment shaders, textures, buffer views. */
export class UnsupportedError extends Error {
  readonly span: Span;

  constructor(message: string, span: Span) {
    super(message);
    this.name = "UnsupportedError";
    this.span = span;
  }
}
