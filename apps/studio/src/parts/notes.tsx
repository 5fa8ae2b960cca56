import type { JsonDiagnostic } from "halay";
import { PlaceLink } from "./place-link.tsx";

/** Notes with links to their lines. */
export function Notes({ notes }: { readonly notes: JsonDiagnostic["notes"] }) {
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={`${note.start.offset}-${note.message}`}>
          <PlaceLink place={note} /> {note.message}
        </li>
      ))}
    </ul>
  );
}
