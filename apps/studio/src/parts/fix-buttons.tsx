import type { JsonDiagnostic } from "halay";
import { useContext } from "preact/hooks";
import { writeFix } from "../state/mend.ts";
import { t } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";
import { FoundIn, useLine } from "./place-link.tsx";

interface FixButtonsProps {
  readonly item: JsonDiagnostic;
  /** Called when it has been written. */
  readonly onWritten: () => void;
}

/** One for each fix that is offered. */
export function FixButtons({ item, onWritten }: FixButtonsProps) {
  const texts = useContext(FoundIn);
  const line = useLine(item);
  return item.fixes.map((fix) => (
    <button
      key={fix.title}
      type="button"
      class="fix"
      disabled={line === null}
      onClick={() => {
        if (writeFix(fix, texts)) onWritten();
      }}
    >
      <Icon name="wrench" />
      <span>
        {t.value.problems.fix} {fix.title}
      </span>
    </button>
  ));
}
