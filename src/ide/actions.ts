/** Quick fixes: what the diagnostics of a place offer, and what their notes amount to. */
import type { Program } from "../analysis/program.ts";
import { type Diagnostic, type Fix, fix } from "../diagnostics/diagnostic.ts";
import type { Span } from "../text/source.ts";
import { raceFixes } from "./mend.ts";
import { rename } from "./rename.ts";
import type { CodeAction } from "./types.ts";

/** Fixes of all that touches a range, in the order of the diagnostics. */
export function codeActions(program: Program, range: Span): readonly CodeAction[] {
  return program.diagnostics
    .filter(({ span }) => span.start <= range.end && range.start <= span.end)
    .flatMap((found) => {
      const { code, severity, message, span } = found;
      const diagnostic = { code, severity, message, span };
      return fixesOf(program, found).map((each): CodeAction => ({ ...each, diagnostic }));
    });
}

/** What a diagnostic or a finding about a program offers, and what its notes amount to. */
export function fixesOf(program: Program, found: Diagnostic): readonly Fix[] {
  return [...found.fixes, ...suggested(found), ...unused(program, found), ...raceFixes(program, found)];
}

/** A name that may have been meant, instead of the one that is not known. */
function suggested({ notes }: Diagnostic): readonly Fix[] {
  return notes.flatMap((note) => {
    if (note.code !== "did-you-mean") return [];
    // The name of an attribute goes without its `@`.
    const text = String(note.args.name).replace(/^@/, "");
    return [fix("replace-with", { text }, [{ span: note.span, text }])];
  });
}

/** The underscore that says that something is unused on purpose. */
function unused(program: Program, { code, span, args }: Diagnostic): readonly Fix[] {
  if (code !== "unused-variable" && code !== "unused-parameter") return [];
  const text = `_${args.name}`;
  const renamed = rename(program, span.start, text);
  return renamed.ok ? [fix("replace-with", { text }, renamed.edits)] : [];
}
