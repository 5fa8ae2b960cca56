/** Quick fixes: what the diagnostics of a place offer. */
import type { Program } from "../analysis/program.ts";
import type { Span } from "../text/source.ts";
import type { CodeAction } from "./types.ts";

/** Fixes of all that touches a range, in the order of the diagnostics. */
export function codeActions(program: Program, range: Span): readonly CodeAction[] {
  return program.diagnostics
    .filter(({ span }) => span.start <= range.end && range.start <= span.end)
    .flatMap(({ code, severity, message, span, fixes }) =>
      fixes.map((fix): CodeAction => ({ ...fix, diagnostic: { code, severity, message, span } })),
    );
}
