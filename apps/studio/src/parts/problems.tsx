import type { JsonDiagnostic } from "halay";
import { applyEdits } from "../editor/diagnostics.ts";
import { editor, goToPlace } from "../editor/view.ts";
import { inspection, problemsOpen } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";
import { Notes } from "./notes.tsx";
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
      {open && (
        <ul class="problem-list">
          {items.map((item) => (
            <Problem key={`${item.code}-${item.start.offset}`} item={item} />
          ))}
        </ul>
      )}
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
  const count = (severity: JsonDiagnostic["severity"]) => items.filter((item) => item.severity === severity).length;
  return (
    <span class="counts" data-ready>
      {(["error", "warning", "info"] as const).map((severity) =>
        count(severity) === 0 ? null : (
          <span key={severity} class={`severity-${severity}`}>
            <Icon name={severity} /> {texts.counted[severity](count(severity))}
          </span>
        ),
      )}
    </span>
  );
}

export function Problem({ item }: { readonly item: JsonDiagnostic }) {
  return (
    <li class="problem-row">
      <button
        type="button"
        class="problem-main"
        onClick={() => goToPlace(item.path, item.start.offset, item.end.offset)}
      >
        <SeverityMark severity={item.severity} />
        <span class="place">
          {item.start.line}:{item.start.column}
        </span>
        <span>
          {item.message} <code class="code-name">{item.code}</code>
        </span>
      </button>
      <Notes notes={item.notes} />
      {item.fixes.map((fix) => (
        <button
          key={fix.title}
          type="button"
          class="fix"
          onClick={() => {
            goToPlace(item.path, item.start.offset);
            if (editor !== null) applyEdits(editor, fix.edits);
          }}
        >
          {t.value.problems.fix} {fix.title}
        </button>
      ))}
    </li>
  );
}
