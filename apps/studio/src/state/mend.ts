/** Writes down what a fix says. */
import { applyEdits, type JsonDiagnostic } from "halay";
import { t } from "../texts/texts.ts";
import { placeNow } from "./followed.ts";
import { files, type Texts, tell } from "./store.ts";

/**
 * Wherever its places are by now.
 *
 * @param texts in which it was found
 * @returns false: what stood there has been changed, which is told
 */
export function writeFix({ edits }: JsonDiagnostic["fixes"][number], texts: Texts): boolean {
  const placed = edits.map((edit) => ({ text: edit.text, place: placeNow(texts, edit, files.value) }));
  if (placed.some(({ place }) => place === null)) {
    tell(t.value.problems.gone, "error");
    return false;
  }
  files.value = files.value.map((file) => {
    const own = placed.filter(({ place }) => place!.file === file.name);
    if (own.length === 0) return file;
    const spans = own.map(({ text, place }) => ({ span: { start: place!.from, end: place!.to }, text }));
    return { ...file, text: applyEdits(file.text, spans) };
  });
  return true;
}
