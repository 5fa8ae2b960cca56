/** Quick fixes: what the diagnostics of a place offer, and what their notes amount to. */
import { isProgram, type Program } from "../analysis/program.ts";
import { type Diagnostic, type Fix, fix, gravestFirst, renamings } from "../diagnostics/diagnostic.ts";
import type { Span } from "../text/source.ts";
import { isMendable, raceFixes } from "./mend.ts";
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

/**
 * What a diagnostic or a finding about a program offers, and what its notes amount to.
 * @throws TypeError where the program is none, or nothing was found
 */
export function fixesOf(program: Program, found: Diagnostic): readonly Fix[] {
  if (!isProgram(program) || found === undefined)
    throw new TypeError("fixesOf takes a Program and what was found in it: fixesOf(check(source).program, finding)");
  return [...found.fixes, ...renamings(found), ...unused(program, found), ...raceFixes(program, found)];
}

/** Of so many, the gravest, fixes are looked for that need the text to be checked anew, ... */
const MOST_TRIED = 50;
/** ... and of fewer, one at least, where that would come to more characters than this. */
const MOST_CHARACTERS = 2_000_000;

/** All with what is offered for them: `fixesOf`, in bounds. */
export function withFixes<Item extends Diagnostic>(program: Program, found: readonly Item[]): readonly Item[] {
  let left = Math.min(MOST_TRIED, Math.ceil(MOST_CHARACTERS / Math.max(1, program.source.text.length)));
  const fixes = new Map<Item, readonly Fix[]>();
  for (const item of gravestFirst(found)) {
    if (isTried(item) && left-- <= 0) fixes.set(item, [...item.fixes, ...renamings(item)]);
    else fixes.set(item, fixesOf(program, item));
  }
  return found.map((item) => ({ ...item, fixes: fixes.get(item)! }));
}

/** Whether anything has to be tried to know what is offered for it. */
function isTried(found: Diagnostic): boolean {
  return isUnused(found) || isMendable(found);
}

/** The underscore that says that something is unused on purpose. */
function unused(program: Program, found: Diagnostic): readonly Fix[] {
  if (!isUnused(found)) return [];
  const { span, args } = found;
  const text = `_${args.name}`;
  const renamed = rename(program, span.start, text);
  return renamed.ok ? [fix("replace-with", { text }, renamed.edits)] : [];
}

function isUnused({ code }: Diagnostic): boolean {
  return code === "unused-variable" || code === "unused-parameter";
}
