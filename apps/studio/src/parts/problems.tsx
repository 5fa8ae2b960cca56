import type { JsonDiagnostic } from "halay";
import { goToPlace } from "../editor/view.ts";
import { countedBySeverity } from "../state/findings.ts";
import { activeName, inspection, problemsOpen } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { FixButtons } from "./fix-buttons.tsx";
import { Icon } from "./icon.tsx";
import { Notes } from "./notes.tsx";
import { useLine, usePlaces } from "./place-link.tsx";
import { SeverityMark } from "./severity.tsx";

/** What is wrong with the text in the editor. */
export function Problems() {
  const texts = t.value.problems;
  const known = inspection.value;
  const items = known?.diagnostics ?? [];
  const open = problemsOpen.value && items.length > 0;
  return (
    <section class="problems" aria-label={texts.title}>
      <button
        type="button"
        class="problems-head"
        aria-expanded={open}
        onClick={() => {
          problemsOpen.value = !problemsOpen.value;
        }}
      >
        <Counts items={items} isKnown={known !== null} />
        {items.length > 0 && <Icon name={open ? "down" : "up"} />}
      </button>
      {open && <ProblemList items={items} text={known?.text} />}
    </section>
  );
}

function Counts({ items, isKnown }: { readonly items: readonly JsonDiagnostic[]; readonly isKnown: boolean }) {
  const texts = t.value.problems;
  if (!isKnown) return <span class="faint">{texts.checking}</span>;
  if (items.length === 0) {
    return (
      <span class="good" data-ready>
        <Icon name="check" /> {texts.none}
      </span>
    );
  }
  return (
    <span class="counts" data-ready>
      {countedBySeverity(items).map(({ severity, count }) => (
        <span key={severity} class={`severity-${severity}`}>
          <Icon name={severity} /> {texts.counted[severity](count)}
        </span>
      ))}
    </span>
  );
}

interface ProblemListProps {
  readonly items: readonly JsonDiagnostic[];
  /** Of the file that they are about, where no run says it. */
  readonly text?: string | undefined;
}

/** Nothing where there are none. */
export function ProblemList({ items, text }: ProblemListProps) {
  if (items.length === 0) return null;
  return (
    <ul class="problem-list">
      {items.map((item, i) => (
        <Problem key={`${item.code}-${i}`} item={item} text={text} />
      ))}
    </ul>
  );
}

function Problem({ item, text }: { readonly item: JsonDiagnostic; readonly text: string | undefined }) {
  const placeOf = usePlaces();
  const line = useLine(item);
  const goTo = () => {
    const place = placeOf(item);
    if (place !== null) goToPlace(place.file, place.from, place.to);
  };
  return (
    <li class="problem-row">
      <button type="button" class="problem-main" disabled={line === null} onClick={goTo}>
        <SeverityMark severity={item.severity} />
        <span class="place" title={line === null ? t.value.problems.gone : undefined}>
          {item.path !== activeName.value && `${item.path} `}
          {line ?? <s>{item.start.line}</s>}:{item.start.column}
        </span>
        <span>
          {item.message} <code class="code-name">{item.code}</code>
        </span>
      </button>
      <Notes notes={item.notes} />
      <FixButtons
        item={item}
        texts={text === undefined ? null : new Map([[item.path, text]])}
        onWritten={() => goToPlace(item.path, item.start.offset)}
      />
    </li>
  );
}
