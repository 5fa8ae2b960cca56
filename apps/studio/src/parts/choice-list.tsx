/** A list that is filtered by typing and walked with the arrow keys. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export interface Choice {
  readonly key: string;
  readonly title: string;
  readonly detail?: string;
  readonly keys?: string;
  /** Choices of one group stand together. */
  readonly group?: string;
}

interface ChoiceListProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly empty: string;
  readonly onChoose: (key: string) => void;
}

export function ChoiceList({ label, choices, empty, onChoose }: ChoiceListProps) {
  const typed = useSignal("");
  const at = useSignal(0);
  const words = typed.value.toLowerCase().split(/\s+/);
  const left = choices.filter(({ title, detail = "", group = "" }) => {
    const text = `${title} ${detail} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const current = Math.min(at.value, left.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && left.length > 0) {
      at.value = (current + step + left.length) % left.length;
      event.preventDefault();
    } else if (event.key === "Enter" && left[current] !== undefined) {
      event.preventDefault();
      onChoose(left[current].key);
    }
  };
  return (
    <div class="choices">
      <input
        data-focus
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls="choice-list"
        aria-activedescendant={left[current] === undefined ? undefined : `choice-${left[current].key}`}
        placeholder={label}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <div class="choice-list" id="choice-list" role="listbox" aria-label={label}>
        {groupsOf(left).map(({ group, members }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list of choices
          <div key={group} role="group" aria-label={group}>
            {group !== "" && (
              <div class="choice-group" aria-hidden="true">
                {group}
              </div>
            )}
            {members.map((choice) => (
              <ChoiceRow key={choice.key} choice={choice} isCurrent={choice === left[current]} onChoose={onChoose} />
            ))}
          </div>
        ))}
      </div>
      {left.length === 0 && <p class="faint">{empty}</p>}
    </div>
  );
}

/** In the order of the choices; those without a group are one. */
function groupsOf(choices: readonly Choice[]): readonly { readonly group: string; readonly members: Choice[] }[] {
  const groups = new Map<string, Choice[]>();
  for (const choice of choices) {
    const { group = "" } = choice;
    const known = groups.get(group);
    if (known === undefined) groups.set(group, [choice]);
    else known.push(choice);
  }
  return [...groups].map(([group, members]) => ({ group, members }));
}

interface ChoiceRowProps {
  readonly choice: Choice;
  readonly isCurrent: boolean;
  readonly onChoose: (key: string) => void;
}

function ChoiceRow({ choice, isCurrent, onChoose }: ChoiceRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <div
      ref={row}
      id={`choice-${choice.key}`}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      class={isCurrent ? "choice current" : "choice"}
      onClick={() => onChoose(choice.key)}
      onKeyDown={(event) => {
        if (event.key === "Enter") onChoose(choice.key);
      }}
    >
      <span class="choice-title">{choice.title}</span>
      {choice.keys !== undefined && <kbd>{choice.keys}</kbd>}
      {choice.detail !== undefined && <span class="choice-detail">{choice.detail}</span>}
    </div>
  );
}
