/** Tabs as a screen reader knows them: arrow keys walk, one is in the order of Tab. */
import type { ComponentChildren } from "preact";

export interface Tab<K extends string> {
  readonly key: K;
  readonly label: ComponentChildren;
  /** What it is, where the mouse is. */
  readonly hint?: string;
}

interface TabListProps<K extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<K>[];
  readonly current: K;
  readonly onSelect: (key: K) => void;
  readonly controls: string;
  readonly class?: string;
}

export function TabList<K extends string>(props: TabListProps<K>) {
  const { label, tabs, current, onSelect, controls } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = Math.max(
      0,
      tabs.findIndex(({ key }) => key === current),
    );
    const next = tabs[(at + step + tabs.length) % tabs.length];
    onSelect(next.key);
    document.getElementById(`${controls}-${next.key}`)?.focus();
  };
  return (
    <div class={`tabs goes-on ${props.class ?? ""}`} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.key}
          id={`${controls}-${tab.key}`}
          type="button"
          role="tab"
          class="tab"
          title={tab.hint}
          aria-selected={tab.key === current}
          aria-controls={controls}
          tabIndex={tab.key === current || (tab === tabs[0] && !tabs.some(({ key }) => key === current)) ? 0 : -1}
          onClick={() => onSelect(tab.key)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
