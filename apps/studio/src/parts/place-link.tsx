/** Links to places of the text that something was found in: they follow it through what was typed since. */
import { computed, type ReadonlySignal } from "@preact/signals";
import type { JsonDiagnostic } from "halay";
import { createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { goToPlace } from "../editor/view.ts";
import { type PlaceNow, placeNow } from "../state/followed.ts";
import { files, type Texts } from "../state/store.ts";
import { t } from "../texts/texts.ts";

type Found = Pick<JsonDiagnostic, "path" | "start" | "end">;

/** The texts that ran, around what was found in them; empty: what is in the editor. */
export const FoundIn = createContext<Texts>(new Map());

/** How a place is found again when it is needed. */
export function usePlaces(): (place: Found) => PlaceNow | null {
  const texts = useContext(FoundIn);
  return (place) => placeNow(texts, place, files.peek());
}

/** The line of a place as it is now; null: it is no more. Told anew only when it moves, not with every key. */
export function useLine(place: Found): number | null {
  const texts = useContext(FoundIn);
  const line: ReadonlySignal<number | null> = useMemo(
    () => computed(() => placeNow(texts, place, files.value)?.line ?? null),
    [texts, place.start],
  );
  return line.value;
}

export function PlaceLink({ place }: { readonly place: Found }) {
  const now = usePlaces();
  const line = useLine(place);
  const texts = t.value.problems;
  if (line === null) {
    return (
      <span class="faint" title={texts.gone}>
        <s>{texts.line(place.start.line)}</s>
        <span class="unseen"> {texts.gone}</span>
      </span>
    );
  }
  const go = () => {
    const found = now(place);
    if (found !== null) goToPlace(found.file, found.from, found.to);
  };
  return (
    <button type="button" class="link" onClick={go}>
      {texts.line(line)}
    </button>
  );
}

/** Says that the text is no longer the one that ran. */
export function Outdated({ texts }: { readonly texts: Texts }) {
  const isOutdated = useMemo(
    () => computed(() => files.value.some(({ name, text }) => texts.has(name) && texts.get(name) !== text)),
    [texts],
  );
  return isOutdated.value ? <p class="outdated faint">{t.value.run.outdated}</p> : null;
}
