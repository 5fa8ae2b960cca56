import { execute } from "../state/running.ts";
import { running } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";

interface EmptyPanelProps {
  readonly text: string;
  readonly icon: Parameters<typeof Icon>[0]["name"];
  readonly task: Parameters<typeof execute>[0];
  readonly action: string;
}

/** Where there is nothing to show yet: what it would be, and the button for it. */
export function EmptyPanel({ text, icon, task, action }: EmptyPanelProps) {
  if (running.value !== null) {
    return (
      <div class="empty-panel">
        <p>{t.value.run.busy[running.value.task]}</p>
      </div>
    );
  }
  return (
    <div class="empty-panel">
      <p>{text}</p>
      <button type="button" class="primary big" onClick={() => void execute(task)}>
        <Icon name={icon} />
        {action}
      </button>
    </div>
  );
}
