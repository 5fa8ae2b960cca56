/** What a run with checkers watching looked at, for people. */
import { countSeverities } from "../diagnostics/print.ts";
import type { Checked, SanitizeResult } from "../sanitize/finding.ts";
import type { Look } from "./report.ts";
import { grouped } from "./table.ts";

/** One line that says how much was looked at. */
export function checkedLine({ checked, findings, comparisons }: SanitizeResult, path: string, look: Look): string {
  const { invocations, accesses, dispatches, schedules, suppressed, untold } = checked;
  const counts = countSeverities(findings);
  const isBad = counts.error > 0 || comparisons.some(({ ok }) => !ok) || untold > 0 || invocations === 0;
  const parts = [
    ...(invocations === 0 ? ["nothing ran"] : []),
    counted(invocations, "invocation"),
    counted(accesses, "access", "accesses"),
    ...(dispatches === 1 ? [] : [counted(dispatches, "dispatch", "dispatches")]),
    schedulesText(schedules),
    ...(suppressed === 0 ? [] : [`${counted(suppressed, "finding")} silenced`]),
    ...(untold === 0 ? [] : [untold === 1 ? "1 more finding" : `${grouped(untold)} more findings`]),
  ];
  const mark = isBad ? look.paint("bad", "✗") : counts.warning > 0 ? "!" : look.paint("good", "✓");
  return `${mark} ${path}  ${look.paint("faint", parts.join(", "))}\n`;
}

/** Of large dispatches other schedules have only a part. */
function schedulesText(schedules: Checked["schedules"]): string {
  const parts = schedules.flatMap(({ workgroups }) => workgroups ?? []);
  const count = counted(schedules.length, "schedule");
  if (parts.length === 0) return count;
  return `${count} (${parts.length} of them for ${counted(Math.max(...parts), "workgroup")})`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
