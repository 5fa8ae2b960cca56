import { useEffect, useRef } from "preact/hooks";
import type { Task } from "../engine/protocol.ts";
import { commands, keysText } from "../state/commands.ts";
import { launchShaders } from "../state/launch.ts";
import { execute, stop } from "../state/running.ts";
import { activeFile, inspections, running, shaderNames } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { DeviceSelect } from "./device-select.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { RunningNote } from "./running-note.tsx";

export function ActionBar() {
  const texts = t.value;
  const current = running.value;
  const place = useFocusKept(current?.task ?? null);
  return (
    <div ref={place} class="action-bar" role="toolbar" aria-label={texts.run.actions}>
      {current === null ? (
        <Actions />
      ) : (
        <>
          <button type="button" class="primary stop" onClick={stop}>
            <Icon name="stop" />
            {texts.commands.stop}
          </button>
          <RunningNote />
        </>
      )}
    </div>
  );
}

/** Where the button that was pressed goes away, the one that takes its place has the focus: Stop, and then the first again. */
function useFocusKept(task: Task | null) {
  const place = useRef<HTMLDivElement>(null);
  const last = useRef<Task | null>(null);
  const wasLost = document.activeElement === document.body;
  useEffect(() => {
    const pressed = last.current;
    last.current = task;
    if (pressed === task || wasLost) return;
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      place.current?.querySelector<HTMLElement>(task === null ? `[data-task="${pressed}"]` : ".stop")?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [task]);
  return place;
}

function Actions() {
  const texts = t.value;
  const isIllegal = launchShaders.value.some((name) => inspections.value.get(name)?.reflection === null);
  const cannot = activeFile.value === null || shaderNames.value.length === 0 || isIllegal;
  return (
    <>
      <ActionButton task="sanitize" name="findRaces" icon="search" cannot={cannot} />
      <ActionButton task="run" name="run" icon="play" cannot={cannot} />
      <ActionButton task="profile" name="profile" icon="chart" cannot={cannot} />
      <span class="device">
        <DeviceSelect />
      </span>
      {isIllegal && <span class="action-note severity-error">{texts.run.illegal}</span>}
    </>
  );
}

interface ActionButtonProps {
  readonly task: Task;
  readonly name: "findRaces" | "run" | "profile";
  readonly icon: IconName;
  readonly cannot: boolean;
}

function ActionButton({ task, name, icon, cannot }: ActionButtonProps) {
  const keys = commands.find((each) => each.name === name)!.keys!;
  return (
    <button
      type="button"
      data-task={task}
      class={task === "sanitize" ? "primary" : undefined}
      disabled={cannot}
      title={`${t.value.commands[name]} (${keysText(keys)})`}
      onClick={() => void execute(task)}
    >
      <Icon name={icon} />
      {t.value.commands[name]}
    </button>
  );
}
