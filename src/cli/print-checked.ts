/** What a run with checkers watching looked at, for people. */
import { countSeverities } from "../diagnostics/print.ts";
import type { Words } from "../diagnostics/words.ts";
import type { Checked, SanitizeResult } from "../sanitize/finding.ts";
import { type Look, verdictMark } from "./report.ts";

/** One line that says how much was looked at. */
export function checkedLine({ ok, checked, findings }: SanitizeResult, path: string, look: Look): string {
  const { invocations, accesses, dispatches, schedules, suppressed, untold } = checked;
  const { words } = look;
  const counts = countSeverities(findings);
  // Of findings that are not told, too.
  const isBad = !ok || invocations === 0;
  const parts = [
    ...(invocations === 0 ? [words.say("nothing-ran")] : []),
    words.count("invocation", invocations),
    words.count("access", accesses),
    ...(dispatches === 1 ? [] : [words.count("dispatch", dispatches)]),
    schedulesText(schedules, words),
    ...(suppressed === 0 ? [] : [words.count("silenced-finding", suppressed)]),
    ...(untold === 0 ? [] : [words.count("more-finding", untold)]),
  ];
  return `${verdictMark(look.paint, isBad, counts)} ${path}  ${look.paint("faint", parts.join(", "))}\n`;
}

/** Of large dispatches other schedules have only a part. */
function schedulesText(schedules: Checked["schedules"], words: Words): string {
  const parts = schedules.flatMap(({ workgroups }) => workgroups ?? []);
  const all = words.count("schedule", schedules.length);
  if (parts.length === 0) return all;
  const workgroups = words.count("workgroup", Math.max(...parts));
  return words.say("schedules-in-part", { schedules: all, count: parts.length, workgroups });
}
