/** One line on the terminal while something takes long; nothing in a pipe. */
import { wordsIn } from "../diagnostics/words.ts";
import type { PlannedStep } from "../launch/plan.ts";
import type { Replay } from "../sanitize/finding.ts";
import type { Io } from "./io.ts";
import { chosenLanguage } from "./language.ts";
import { scheduleText } from "./print-run.ts";
import type { ReportOptions } from "./report.ts";

export interface Progress {
  /** Called as each dispatch begins. */
  readonly dispatch: (step: PlannedStep, index: number) => null;
  /** Called as all of them begin again under another schedule. */
  readonly schedule: (replay: Replay) => void;
  /** Wipes the line. */
  end(): void;
}

/** Nobody wonders before this, in milliseconds. */
const PATIENCE = 500;

export function showProgress(path: string, options: Pick<ReportOptions, "quiet" | "lang">, io: Io): Progress {
  if (options.quiet === true || !io.stderr.isTerminal)
    return { dispatch: () => null, schedule: () => {}, end: () => {} };
  const words = wordsIn(chosenLanguage(options.lang, io.env));
  const start = Date.now();
  let what = "";
  let shown = false;
  const timer = setInterval(() => {
    const elapsed = Date.now() - start;
    if (elapsed < PATIENCE) return;
    shown = true;
    const line = `${path}${what}  ${(elapsed / 1000).toFixed(1)} s`;
    io.stderr.write(`\r\u001b[2K${line.slice(0, io.stderr.columns - 1)}`);
  }, 100);
  return {
    dispatch: (step, index) => {
      what = `  ${step.entry.name}, ${words.say("dispatch-number", { number: index + 1 })}`;
      return null;
    },
    schedule: (replay) => {
      what = `  ${scheduleText(replay, words)}`;
    },
    end: () => {
      clearInterval(timer);
      if (shown) io.stderr.write("\r\u001b[2K");
    },
  };
}
