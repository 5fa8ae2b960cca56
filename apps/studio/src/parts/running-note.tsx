import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { running } from "../state/store.ts";
import { t } from "../texts/texts.ts";

/** How long it has been, and which dispatch it is at. */
export function RunningNote() {
  const now = useSignal(performance.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = performance.now();
    }, 100);
    return () => clearInterval(timer);
  }, []);
  const current = running.value;
  if (current === null) return null;
  const { progress, since, task, device } = current;
  const seconds = Math.max(0, (now.value - since) / 1000).toFixed(1);
  const done =
    progress === null || progress.total < 2 ? undefined : Math.min(1, (progress.dispatch - 1) / progress.total);
  return (
    <div class="running">
      <progress {...(done === undefined ? {} : { value: done })} aria-label={t.value.run.busy[task]} />
      <span>
        {/* Said once: not every dispatch. */}
        <span role="status">
          {t.value.run.busy[task]}
          {device !== "cpu" && progress?.isTrial === true && ` ${t.value.run.trial}`}
        </span>
        {progress !== null && ` · ${t.value.run.dispatch(progress.entry, progress.dispatch)}`}
      </span>
      <span class="seconds" aria-hidden="true">
        {seconds} s
      </span>
    </div>
  );
}
