import type { JsonDiagnostic } from "halay";
import { goToPlace } from "../editor/view.ts";
import { t } from "../texts/texts.ts";

/** Notes with links to their lines. */
export function Notes({ notes }: { readonly notes: JsonDiagnostic["notes"] }) {
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={`${note.start.offset}-${note.message}`}>
          <button type="button" class="link" onClick={() => goToPlace(note.path, note.start.offset, note.end.offset)}>
            {t.value.problems.line(note.start.line)}
          </button>{" "}
          {note.message}
        </li>
      ))}
    </ul>
  );
}
