import type { JsonDiagnostic } from "halay";
import { useContext } from "preact/hooks";
import { writeFix } from "../state/mend.ts";
import type { Texts } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";
import { FoundIn, useLine } from "./place-link.tsx";

interface FixButtonsProps {
  readonly item: JsonDiagnostic;
  /** In which it was found, where no run says it. */
  readonly texts?: Texts | null;
  /** Called when it has been written. */
  readonly onWritten: () => void;
}

/** One for each fix that is offered. */
export function FixButtons({ item, texts = null, onWritten }: FixButtonsProps) {
  const ran = useContext(FoundIn);
  const line = useLine(item);
  return item.fixes.map((fix) => (
    <button
      key={fix.title}
      type="button"
      class="fix"
      disabled={line === null}
      onClick={() => {
        if (writeFix(fix, texts ?? ran)) onWritten();
      }}
    >
      <Icon name="wrench" />
      <span>
        {t.value.problems.fix} {fix.title}
      </span>
    </button>
  ));
}
